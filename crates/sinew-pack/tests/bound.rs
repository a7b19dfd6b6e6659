//! Packing: refused input, the bound, cuts, and size.

use crate::noise::{METRES, chain, frame_times, noisy_clip, sampled};
use glam::{Quat, Vec3};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRng, TestRunner};
use sinew::clip::ClipSpace;
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Skeleton, Track};
use sinew_pack::{PackError, PackOptions, Packed, file_bytes, object_space_error, pack};

#[test]
fn what_cannot_be_packed_is_refused_with_a_reason() {
    let skeleton = chain(2, 0.3);
    let clip = noisy_clip(&skeleton, 5, 0.1, 0.0, 1);
    let bounds = [0.0, -1.0, f32::NAN, f32::INFINITY];
    for max_error in bounds {
        let options = METRES.max_error(max_error);
        let error = pack(&skeleton, &clip, &options).unwrap_err();
        assert!(matches!(error, PackError::NotALength { what: "bound", .. }));
    }
    let options = METRES.shell(0.0);
    let error = pack(&skeleton, &clip, &options).unwrap_err();
    assert!(matches!(error, PackError::NotALength { what: "shell", .. }));

    let mut model = clip.clone();
    model.space = ClipSpace::Model;
    assert_eq!(
        pack(&skeleton, &model, &METRES).unwrap_err(),
        PackError::ModelSpace
    );

    let mut beyond = clip.clone();
    beyond.joint_mut(7);
    let error = pack(&skeleton, &beyond, &METRES).unwrap_err();
    assert_eq!(
        error,
        PackError::NoSuchJoint {
            joint: 7,
            joints: 2
        }
    );

    let mut wide = clip.clone();
    wide.joint_mut(1).scale = clip.joint(1).unwrap().rotation.clone();
    let error = pack(&skeleton, &wide, &METRES).unwrap_err();
    assert!(matches!(
        error,
        PackError::Width {
            joint: 1,
            expected: 3,
            found: 4
        }
    ));

    let packed = pack(&skeleton, &clip, &METRES).unwrap();
    let error = file_bytes(&chain(3, 0.3), &[&packed.clip]).unwrap_err();
    assert_eq!(
        error,
        PackError::Joints {
            expected: 3,
            found: 2
        }
    );
}

fn check_bound(skeleton: &Skeleton, clip: &Clip, options: &PackOptions) -> Packed {
    let packed = pack(skeleton, clip, options).unwrap();
    let error = object_space_error(skeleton, clip, &packed.clip, options.shell);
    assert!(
        error <= f64::from(options.max_error),
        "{error} over {}",
        options.max_error
    );
    assert!(packed.clip.measured_error() <= options.max_error);
    assert!(error <= f64::from(packed.clip.measured_error()));
    packed
}

#[test]
fn the_bound_holds_on_random_clips() {
    // `make soak` sets twenty times the cases.
    let cases = Config::default().cases * 100 / 256;
    let mut runner = TestRunner::new_with_rng(
        Config::with_cases(cases),
        TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let inputs = (
        1_usize..9,
        2_usize..70,
        0.0_f32..0.8,
        prop_oneof![Just(0.0_f32), 0.0_f32..0.01, Just(3.0_f32)],
        0.02_f32..0.6,
        prop_oneof![Just(1e-5_f32), Just(1e-4), Just(1e-3), Just(1e-2)],
        any::<u64>(),
    );
    runner
        .run(
            &inputs,
            |(joints, frames, speed, jitter, bone, max_error, seed)| {
                let skeleton = chain(joints, bone);
                let clip = noisy_clip(&skeleton, frames, speed, jitter, seed);
                check_bound(&skeleton, &clip, &METRES.max_error(max_error));
                Ok(())
            },
        )
        .unwrap();
}

#[test]
fn joints_at_half_rotations_are_as_accurate_as_others() {
    let skeleton = chain(6, 0.3);
    let times = frame_times(40, 30.0);
    let mut clip = Clip::new("half rotations");
    for joint in 0..6 {
        let axis = [Vec3::X, Vec3::Y, Vec3::Z][joint % 3];
        let keys: Vec<Quat> = (0..40)
            .map(|f| {
                // Exactly 180° on some frames, past 180° on others, full rotations on one joint.
                let angle = match joint {
                    5 => f as f32 * 0.7,
                    _ if f % 3 == 0 => std::f32::consts::PI,
                    _ => std::f32::consts::PI + 0.05 * (f as f32 - 20.0),
                };
                let rotation = quat::from_axis_angle(axis, angle);
                match joint {
                    2 => Quat::from_xyzw(0.0, 0.6, 0.8, 0.0),
                    _ => rotation,
                }
            })
            .collect();
        clip.joint_mut(joint).rotation =
            Some(Track::rotations(times.clone(), &keys, Interpolation::Slerp).unwrap());
    }
    clip.fit_duration();
    let packed = check_bound(&skeleton, &clip, &METRES);
    assert!(packed.report.motion_bytes < packed.report.raw_bytes / 3);
}

#[test]
fn cuts_and_irregular_keys_survive_to_the_bit() {
    let skeleton = chain(4, 0.3);
    let mut clip = noisy_clip(&skeleton, 50, 0.1, 0.001, 3);
    let cut = vec![Vec3::new(0.0, 1.0, 0.0), Vec3::new(5.0, 1.0, 0.0)];
    let track = Track::vectors(vec![0.0, 0.4], &cut, Interpolation::Step).unwrap();
    clip.joint_mut(0).translation = Some(track);
    let times = vec![0.0, 0.013, 0.4, 0.41, 0.8];
    let keys: Vec<Quat> = (0..5)
        .map(|k| quat::from_axis_angle(Vec3::Z, k as f32))
        .collect();
    let irregular = Track::rotations(times, &keys, Interpolation::Slerp).unwrap();
    clip.joint_mut(2).rotation = Some(irregular.clone());
    let cubic = Track::new(
        vec![0.0, 0.5],
        vec![0.0; 2 * 3 * 3],
        3,
        Interpolation::CubicHermite,
    );
    clip.joint_mut(3).scale = Some(cubic.unwrap());

    let packed = pack(&skeleton, &clip, &METRES).unwrap();
    // A constant scale is one value, for any interpolation.
    assert_eq!(packed.report.raw_joints, [0, 2]);
    assert_eq!(packed.report.channels[3], 2);
    let before = sampled(&packed.clip, 0.4_f64.next_down() - 1e-6)
        .get(0)
        .translation;
    let after = sampled(&packed.clip, f64::from(0.4_f32)).get(0).translation;
    assert_eq!((before, after), (cut[0], cut[1]));
    for time in [0.0, 0.2, 0.405, 0.7, 2.0] {
        let found = sampled(&packed.clip, time).get(2).rotation;
        assert_eq!(found, irregular.sample_rotation(time).unwrap());
    }
    let unpacked = packed.clip.unpack().unwrap();
    assert_eq!(unpacked.joint(2).unwrap().rotation, Some(irregular));
}

#[test]
fn what_stands_still_takes_next_to_nothing() {
    let skeleton = chain(30, 0.1);
    let mut clip = Clip::new("still");
    let times = frame_times(1000, 60.0);
    for joint in 0..30 {
        let rotation = match joint {
            0..15 => Quat::IDENTITY,
            _ => quat::from_axis_angle(Vec3::X, 0.3),
        };
        clip.joint_mut(joint).rotation = Some(
            Track::rotations(times.clone(), &vec![rotation; 1000], Interpolation::Slerp).unwrap(),
        );
    }
    clip.fit_duration();
    let packed = check_bound(&skeleton, &clip, &METRES);
    assert_eq!(packed.report.channels, [75, 15, 0, 0]);
    assert!(packed.report.motion_bytes < 400);
    assert_eq!(packed.clip.duration_secs(), clip.duration_secs);
}

#[test]
fn scale_and_translation_are_held_to_the_bound_too() {
    let skeleton = chain(5, 0.3);
    let mut clip = noisy_clip(&skeleton, 60, 0.1, 0.002, 9);
    let times = frame_times(60, 60.0);
    for joint in [1, 3] {
        let keys: Vec<Vec3> = (0..60)
            .map(|f| Vec3::new(1.0 + 0.01 * f as f32, 0.7, 1.2 - 0.005 * f as f32))
            .collect();
        let track = Track::vectors(times.clone(), &keys, Interpolation::Linear).unwrap();
        clip.joint_mut(joint).scale = Some(track.clone());
        clip.joint_mut(joint).translation = Some(track);
    }
    let packed = check_bound(&skeleton, &clip, &METRES);
    assert!(packed.report.raw_joints.is_empty(), "{:?}", packed.report);
    assert!(packed.report.motion_bytes < packed.report.raw_bytes / 3);
}

#[test]
fn a_coarser_bound_takes_fewer_bytes() {
    let skeleton = chain(20, 0.2);
    let clip = noisy_clip(&skeleton, 200, 0.05, 0.001, 5);
    let sizes = [1e-5, 1e-4, 1e-3, 1e-2].map(|max_error| {
        let packed = check_bound(&skeleton, &clip, &METRES.max_error(max_error));
        packed.report.motion_bytes
    });
    assert!(sizes.is_sorted_by(|a, b| a > b), "{sizes:?}");
    assert!(sizes[1] < 40 * 20 * 200 / 8, "{sizes:?}");
}
