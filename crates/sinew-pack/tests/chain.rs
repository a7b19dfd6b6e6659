//! Packing time of joint chains is linear in their length.

use crate::clock::Clock;
use glam::{Quat, Vec3};
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Joint, Skeleton, Track, Transform};
use sinew_pack::{PackOptions, pack};

fn arm(joints: usize) -> Skeleton {
    let joint = |j: usize| {
        let rest = Transform::from_translation(Vec3::new(0.0, 0.2, 0.0));
        Joint::new(format!("joint {j}"), j.checked_sub(1), rest)
    };
    Skeleton::new((0..joints).map(joint).collect()).unwrap().0
}

fn rotation(secs: f32) -> Quat {
    quat::from_axis_angle(Vec3::new(1.0, 0.0, 0.5), 0.6 * (3.0 * secs).sin())
}

/// A check of all joints below each joint would make a chain twice as long take four times as long.
/// One test packs both chains, so that both meet the same load.
#[test]
fn a_chain_of_still_joints_is_not_gone_through_again_for_every_joint() {
    let secs = |joints: usize, repeats: usize| {
        let skeleton = arm(joints);
        let mut clip = Clip::new("root");
        let keys: Vec<Quat> = (0..5).map(|k| rotation(k as f32 / 30.0)).collect();
        let times: Vec<f32> = (0..5).map(|k| k as f32 / 30.0).collect();
        let track = Track::rotations(times, &keys, Interpolation::Slerp);
        clip.joint_mut(0).rotation = Some(track.unwrap());
        clip.fit_duration();
        let options = PackOptions::new().max_error(1.0).shell(0.03);
        let clock = Clock::start();
        for _ in 0..repeats {
            pack(&skeleton, &clip, &options).unwrap();
        }
        clock.elapsed().as_secs_f64()
    };
    let shortest = |joints, repeats| {
        (0..3)
            .map(|_| secs(joints, repeats))
            .fold(f64::INFINITY, f64::min)
    };
    let (short, long) = (shortest(500, 16), shortest(8000, 1));
    println!("{short:.4} s for 16 × 500 joints, {long:.4} s for 8000");
    // If every joint checked all others, the work would grow by a factor of sixteen.
    assert!(long < 5.0 * short, "{short} {long}");
}
