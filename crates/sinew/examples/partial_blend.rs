//! Waves while walking: one clip for the right arm, another for all other joints.

use sinew::blend::{BlendJob, Layer, Mask};
use sinew::{LocalPose, sample};
use sinew_samples::mannequin::Mannequin;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let person = Mannequin::default().build();
    let skeleton = &person.skeleton;
    let clip = |name: &str| person.find_clip(name).map(|clip| &person.clips[clip]);
    let (walk, wave) = (
        clip("walk").ok_or("no walk")?,
        clip("wave").ok_or("no wave")?,
    );
    let shoulder = skeleton.find("right_shoulder").ok_or("no shoulder")?;
    let arm = Mask::below(skeleton, shoulder);
    let others = arm.inverted();

    let [mut walking, mut waving, mut both] = [(); 3].map(|_| LocalPose::identity(skeleton.len()));
    for frame in 0..60 {
        let time_secs = f64::from(frame) / 60.0;
        sample(walk, skeleton, time_secs, &mut walking)?;
        sample(wave, skeleton, time_secs, &mut waving)?;
        let mut layers = [
            Layer::new(&walking, 1.0).masked(&others),
            Layer::new(&waving, 1.0).masked(&arm),
        ];
        BlendJob::new(skeleton.rest(), &mut layers).run(&mut both)?;
    }
    let hand = skeleton.find("right_hand").ok_or("no hand")?;
    let foot = skeleton.find("right_foot").ok_or("no foot")?;
    let apart = |joint: usize, other: &LocalPose| {
        both.get(joint)
            .rotation
            .angle_between(other.get(joint).rotation)
    };
    assert!(apart(hand, &waving) < 1e-3 && apart(foot, &walking) < 1e-3);
    println!("{} joints wave, the others walk", arm.iter().sum::<f32>());
    Ok(())
}
