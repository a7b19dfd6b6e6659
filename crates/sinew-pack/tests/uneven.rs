//! Clips whose keys are at rounded times, and at times without any rule.

use crate::noise::METRES;
use glam::{Quat, Vec3};
use sinew::clip::packed::PackedFile;
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Joint, Skeleton, Track, Transform};
use sinew_pack::{file_bytes, object_space_error, pack};
use std::sync::Arc;

const JOINTS: usize = 19;

/// Four limbs of four bones on a trunk.
fn body() -> Skeleton {
    let joint = |j: usize| {
        let parent = match j {
            0 => None,
            j if j < 3 => Some(j - 1),
            j if (j - 3).is_multiple_of(4) => Some(if j < 11 { 2 } else { 0 }),
            j => Some(j - 1),
        };
        let rest = Transform::from_translation(Vec3::new(0.05, 0.2, 0.0));
        Joint::new(format!("joint {j}"), parent, rest)
    };
    Skeleton::new((0..JOINTS).map(joint).collect()).unwrap().0
}

/// Translation, rotation and scale of every joint at `times`, as COLLADA converters write them.
fn keyed(skeleton: &Skeleton, times: Vec<f32>) -> Clip {
    let times = Arc::new(times);
    let mut clip = Clip::new("converted");
    for joint in 0..JOINTS {
        let fast = 1.0 + 0.15 * joint as f32;
        let axis = Vec3::new(1.0, 0.3 * joint as f32, 0.5 - 0.2 * joint as f32);
        let turn = |t: &f32| quat::from_axis_angle(axis, 0.5 * libm::sinf(fast * t));
        let turns: Vec<Quat> = times.iter().map(turn).collect();
        let still = skeleton.rest().get(joint).translation;
        let along = if joint == 0 { Vec3::Z } else { Vec3::ZERO };
        let places: Vec<Vec3> = times.iter().map(|t| still + along * *t).collect();
        let tracks = clip.joint_mut(joint);
        let rotation = Track::rotations(times.clone(), &turns, Interpolation::Slerp);
        let translation = Track::vectors(times.clone(), &places, Interpolation::Linear);
        let scale = Track::vectors(
            times.clone(),
            &vec![Vec3::ONE; times.len()],
            Interpolation::Linear,
        );
        tracks.rotation = Some(rotation.unwrap());
        tracks.translation = Some(translation.unwrap());
        tracks.scale = Some(scale.unwrap());
    }
    clip.fit_duration();
    clip
}

#[test]
fn keys_at_rounded_times_pack_as_well_as_at_regular_ones() {
    let skeleton = body();
    let time = |k: u16| f64::from(k) / 38.5;
    let regular: Vec<f32> = (0..401).map(|k| time(k) as f32).collect();
    let rounded: Vec<f32> = (0..401)
        .map(|k| ((time(k) * 1e4).round() / 1e4) as f32)
        .collect();
    let [regular, rounded] = [regular, rounded].map(|times| {
        let clip = keyed(&skeleton, times);
        let packed = pack(&skeleton, &clip, &METRES).unwrap();
        let error = object_space_error(&skeleton, &clip, &packed.clip, METRES.shell);
        assert!(error <= f64::from(METRES.max_error), "{error}");
        packed.report
    });
    println!("{regular:?}\n{rounded:?}");
    assert!(rounded.raw_bytes > 5 * rounded.motion_bytes, "{rounded:?}");
    assert!(
        10 * rounded.motion_bytes < 12 * regular.motion_bytes,
        "{rounded:?}"
    );
    assert_eq!(rounded.kept, []);
}

/// Times of `count` keys, 38.5 in a second on average, moved by up to a part of the mean interval.
fn jittered(count: u32, part: f32) -> Vec<f32> {
    let noise = |k: u32| (k.wrapping_mul(2_654_435_761) >> 8) as f32 / 16_777_216.0 - 0.5;
    let time = |k: u32| (k as f32 + 2.0 * part * noise(k)) / 38.5;
    (0..count).map(time).collect()
}

#[test]
fn keys_at_uneven_times_pack_five_times_smaller_at_their_own_times() {
    let skeleton = body();
    let rounded = |k: u32| (f64::from(k) / 38.5 * 100.0).round() as f32 / 100.0;
    for times in [
        (0..401).map(rounded).collect(),
        jittered(401, 0.2),
        jittered(401, 0.45),
    ] {
        let clip = keyed(&skeleton, times);
        let packed = pack(&skeleton, &clip, &METRES).unwrap();
        let error = object_space_error(&skeleton, &clip, &packed.clip, METRES.shell);
        assert!(error <= f64::from(METRES.max_error), "{error}");
        println!("{:?}", packed.report);
        let report = &packed.report;
        assert!(report.raw_bytes > 5 * report.motion_bytes, "{report:?}");
        assert_eq!(report.kept, []);
        let bytes = file_bytes(&skeleton, &[&packed.clip]).unwrap();
        assert_eq!(bytes[4], 4, "version");
        let file = PackedFile::from_bytes(&bytes).unwrap();
        let unpacked = file.clips[0].unpack().unwrap();
        let tracks = |clip: &Clip| clip.joint(1).unwrap().rotation.clone().unwrap();
        assert_eq!(tracks(&unpacked).times(), tracks(&clip).times());
    }
}
