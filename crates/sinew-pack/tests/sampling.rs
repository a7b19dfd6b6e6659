//! Sampling gives the same result for all or some joints, on every instruction set, from any time.

use crate::noise::{METRES, bits, chain, noisy_clip, sampled};
use sinew::pose::JointSet;
use sinew::simd::Level;
use sinew::{LocalPose, Transform};
use sinew_pack::pack;
use sinew_samples::MotionLoad;

#[test]
fn a_mask_and_a_single_joint_agree_with_the_whole() {
    let skeleton = chain(21, 0.2);
    let mut clip = noisy_clip(&skeleton, 90, 0.1, 0.002, 11);
    for joint in [4, 9, 10] {
        clip.joint_mut(joint).rotation = None;
    }
    let packed = pack(&skeleton, &clip, &METRES).unwrap().clip;
    let mask: JointSet = (0..21).map(|j| j % 4 == 1 || j > 15).collect();
    for time in [0.0, 0.01, 0.26, 0.2666, 0.5, 1.4833, 9.0, -1.0] {
        let whole = sampled(&packed, time);
        let mut part = LocalPose::identity(21);
        packed
            .sample_masked(time, &mask, &mut part)
            .expect("of this skeleton");
        for joint in 0..21 {
            let wanted = match mask.contains(joint) {
                true => whole.get(joint),
                false => Transform::IDENTITY,
            };
            assert_eq!(part.get(joint), wanted, "joint {joint} at {time}");
            assert_eq!(
                packed.sample_joint(joint, time),
                whole.get(joint),
                "joint {joint}"
            );
        }
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits_from_any_time() {
    let skeleton = chain(23, 0.2);
    for (jitter, max_error) in [(0.001, 1e-3), (0.002, 1e-4), (0.5, 1e-5)] {
        let clip = noisy_clip(&skeleton, 130, 0.1, jitter, 17);
        let packed = pack(&skeleton, &clip, &METRES.max_error(max_error))
            .unwrap()
            .clip;
        let times: Vec<f64> = (0..500)
            .map(|i| f64::from(i * 7919 % 500) * 0.005 - 0.1)
            .collect();
        let best: Vec<_> = times.iter().map(|&t| bits(&sampled(&packed, t))).collect();
        for level in Level::all() {
            let packed = packed.clone().at_level(level);
            for (time, wanted) in times.iter().zip(&best) {
                assert_eq!(&bits(&sampled(&packed, *time)), wanted, "{level} at {time}");
            }
        }
        for (time, wanted) in times.iter().zip(&best).rev() {
            assert_eq!(&bits(&sampled(&packed, *time)), wanted);
        }
    }
}

#[test]
fn times_past_the_ends_and_no_times_at_all_give_the_ends() {
    let skeleton = chain(3, 0.2);
    let clip = noisy_clip(&skeleton, 33, 0.1, 0.0, 2);
    let packed = pack(&skeleton, &clip, &METRES).unwrap().clip;
    let (first, last) = (
        sampled(&packed, 0.0),
        sampled(&packed, f64::from(clip.duration_secs)),
    );
    for time in [-1.0, f64::NEG_INFINITY, f64::NAN] {
        assert_eq!(bits(&sampled(&packed, time)), bits(&first));
    }
    for time in [100.0, f64::INFINITY, f64::MAX] {
        assert_eq!(bits(&sampled(&packed, time)), bits(&last));
    }
}

#[test]
fn captured_motion_with_wide_codes_and_many_vectors_is_the_same_in_lanes_and_joint_by_joint() {
    let load = MotionLoad::captured(100, true);
    let packed = pack(&load.skeleton, &load.clip, &METRES).unwrap();
    assert!(packed.report.measured_error <= METRES.max_error);
    let packed = packed.clip;
    assert_eq!(packed.packed_tracks(), [67, 67, 18]);
    for level in Level::all() {
        let packed = packed.clone().at_level(level);
        for moment in 0..120 {
            let time = f64::from(moment * 7 % 120) * 0.0137;
            let pose = sampled(&packed, time);
            for joint in 0..packed.joints() {
                let (alone, found) = (packed.sample_joint(joint, time), pose.get(joint));
                assert_eq!(alone, found, "{level}, joint {joint} at {time}");
            }
        }
    }
}
