//! Wrong lengths and numbers for every public function: a typed error, or the documented result.

use crate::noise::{METRES, chain, noisy_clip};
use glam::Vec3;
use sinew::clip::ClipSpace;
use sinew::clip::packed::PackedClip;
use sinew::pose::JointSet;
use sinew::{Clip, Interpolation, LocalPose, Skeleton, Track};
use sinew_pack::{PackError, PackOptions, file_bytes, object_space_error, pack};

fn packed(skeleton: &Skeleton) -> (Clip, PackedClip<'static>) {
    let clip = noisy_clip(skeleton, 5, 0.1, 0.0, 1);
    let packed = pack(skeleton, &clip, &METRES).expect("it can be packed");
    (clip, packed.clip)
}

fn wrong_clips(clip: &Clip) -> Vec<(Clip, PackError)> {
    let one = || Track::new(vec![0.0], vec![1.0], 1, Interpolation::Linear).expect("a key");
    let width = |expected| PackError::Width {
        joint: 1,
        expected,
        found: 1,
    };
    let no_such = PackError::NoSuchJoint {
        joint: 2,
        joints: 2,
    };
    let huge = [Vec3::MAX, Vec3::MIN];
    let huge = Track::vectors(vec![0.0, 1.0], &huge, Interpolation::Linear).expect("keys");
    type Edit<'e> = &'e dyn Fn(&mut Clip);
    let edits: [(Edit<'_>, PackError); 6] = [
        (&|c| c.space = ClipSpace::Model, PackError::ModelSpace),
        (&|c| c.joint_mut(2).rotation = None, no_such),
        (&|c| c.joint_mut(1).rotation = Some(one()), width(4)),
        (&|c| c.joint_mut(1).translation = Some(one()), width(3)),
        (&|c| c.joint_mut(1).scale = Some(one()), width(3)),
        (
            &|c| c.joint_mut(1).translation = Some(huge.clone()),
            PackError::NotFinite { joint: 1 },
        ),
    ];
    let edited = edits.into_iter().map(|(edit, why)| {
        let mut clip = clip.clone();
        edit(&mut clip);
        (clip, why)
    });
    edited.collect()
}

#[test]
fn clips_of_another_skeleton_are_not_packed_or_measured() {
    let skeleton = chain(2, 0.3);
    let (clip, packed) = packed(&skeleton);
    for (wrong, why) in wrong_clips(&clip) {
        let refused = pack(&skeleton, &wrong, &METRES).map(|_| ());
        assert_eq!(refused, Err(why));
        let error = object_space_error(&skeleton, &wrong, &packed, METRES.shell);
        assert_eq!(error, f64::MAX);
    }
    for joints in [1, 3] {
        let other = chain(joints, 0.3);
        let refused = file_bytes(&other, &[&packed]);
        let (expected, found) = (joints, 2);
        assert_eq!(refused, Err(PackError::Joints { expected, found }));
        let error = object_space_error(&other, &clip, &packed, METRES.shell);
        assert_eq!(error, f64::MAX);
    }
    assert!(object_space_error(&skeleton, &clip, &packed, METRES.shell) <= 1e-4);
}

#[test]
fn bounds_and_shells_that_are_no_lengths() {
    let skeleton = chain(2, 0.3);
    let (clip, packed) = packed(&skeleton);
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let [bound, shell] = [PackOptions::max_error_m(bad), METRES.shell(bad)];
        for (options, expected) in [(bound, "bound"), (shell, "shell")] {
            let refused = pack(&skeleton, &clip, &options).map(|_| ());
            let is_length =
                matches!(refused, Err(PackError::NotALength { what, .. }) if what == expected);
            assert!(is_length, "{options:?}: {refused:?}");
        }
    }
    for bad in [0.0, -0.1, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let error = object_space_error(&skeleton, &clip, &packed, bad);
        assert_eq!(error, f64::MAX, "{bad}");
    }
    // Valid bounds: too small for the clip's own numbers, or too large for any motion to matter.
    let fine = pack(&skeleton, &clip, &PackOptions::max_error_m(1e-30));
    assert!(matches!(fine, Err(PackError::TooFine { .. })), "{fine:?}");
    let coarse = pack(&skeleton, &clip, &PackOptions::max_error_m(f32::MAX));
    assert!(coarse.is_ok_and(|packed| packed.report.measured_error.is_finite()));
}

#[test]
fn clips_of_nothing_and_times_that_are_none() {
    let skeleton = chain(2, 0.3);
    let nothing = pack(&skeleton, &Clip::new("nothing"), &METRES).expect("it stands still");
    let file = file_bytes(&skeleton, &[]).expect("a skeleton alone");
    assert!(file.starts_with(b"SINW"));
    let (_, moving) = packed(&skeleton);
    for clip in [nothing.clip, moving] {
        let mut pose = LocalPose::identity(7);
        for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            clip.sample(time, &mut pose);
            assert_eq!(pose.len(), 2);
            let is_finite = |t: sinew::Transform| t.is_finite();
            assert!(pose.iter().all(is_finite), "{time}");
            assert!((0..2).all(|joint| is_finite(clip.sample_joint(joint, time))));
        }
        let mut other = LocalPose::identity(3);
        let all = |joints| std::iter::repeat_n(true, joints).collect::<JointSet>();
        assert!(clip.sample_masked(0.0, &all(2), &mut other).is_err());
        assert!(clip.sample_masked(0.0, &all(3), &mut pose).is_err());
        assert_eq!(other, LocalPose::identity(3));
    }
}
