//! Separates root motion from a clip: the pose stays at the origin, the game moves the character.

use sinew::glam::Vec3;
use sinew::root_motion::{Placement, RootAxes, RootMotion};
use sinew::{Interpolation, LocalPose, Player, Track, Wrap, sample};
use sinew_samples::humanoid_character;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let person = humanoid_character();
    let skeleton = &person.skeleton;
    // A walk that moves 1.4 m forward per cycle.
    let mut walk = person.clips[0].clone();
    let height = skeleton.rest().get(0).translation.y;
    let path = [Vec3::Y * height, Vec3::new(0.0, height, 1.4)];
    let times = vec![0.0, walk.duration_secs];
    walk.joint_mut(0).translation = Some(Track::vectors(times, &path, Interpolation::Linear)?);
    let root = RootMotion::of_clip(&walk, skeleton, 0, RootAxes::GROUND)?;

    let mut player = Player::new(Wrap::Loop);
    let mut pose = LocalPose::identity(skeleton.len());
    let (mut world, mut before) = (Placement::identity(RootAxes::GROUND.up), None);
    for _frame in 0..=300 {
        sample(&walk, skeleton, player.clip_time_secs(&walk), &mut pose)?;
        let now = root.take_out(player.cycle(&walk), &mut pose);
        // A game would give this step to its physics.
        let step = before.unwrap_or(now).to(&now);
        world = world.then(&step);
        before = Some(now);
        player.advance(&walk, 1.0 / 60.0, |_| {});
    }
    let meters = world.translation[2];
    println!("five seconds of walking lead {meters:.2} m ahead");
    let expected = 5.0 * 1.4 / f64::from(walk.duration_secs);
    assert!(
        (meters - expected).abs() < 1e-3,
        "{meters} and not {expected}"
    );
    assert_eq!(
        pose.get(0).translation.z,
        0.0,
        "the pose stays at its start"
    );
    Ok(())
}
