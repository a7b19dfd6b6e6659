//! Packed clips: what is refused, the bound, cuts, parity, and bytes that lie.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRng, TestRunner};
use sinew::clip::packed::{
    PackError, PackOptions, PackedClip, PackedError, PackedFile, object_space_error, pack,
};
use sinew::clip::{ClipSpace, Curve, MorphTrack};
use sinew::simd::Level;
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Joint, LocalPose, Skeleton, Track, Transform};
use std::sync::Arc;

const METRES: PackOptions = PackOptions {
    max_error: 1e-4,
    shell: 0.03,
};

/// Random numbers that are the same on every machine.
struct Noise(u64);

impl Noise {
    fn unit(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    fn signed(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }
}

fn chain(joints: usize, bone: f32) -> Skeleton {
    let joint = |j: usize| {
        let rest =
            Transform::from_translation(Vec3::new(0.0, if j == 0 { 1.0 } else { bone }, 0.0));
        // Every third joint begins another arm.
        let parent = j.checked_sub(if j.is_multiple_of(3) { 3 } else { 1 });
        Joint::new(format!("joint {j}"), parent, rest)
    };
    Skeleton::new((0..joints).map(joint).collect()).unwrap().0
}

fn frame_times(frames: usize, fps: f32) -> Arc<Vec<f32>> {
    Arc::new((0..frames).map(|f| f as f32 / fps).collect())
}

/// A walk of noise: smooth turns with a jitter on top.
fn noisy_clip(skeleton: &Skeleton, frames: usize, speed: f32, jitter: f32, seed: u64) -> Clip {
    let mut noise = Noise(seed);
    let times = frame_times(frames, 60.0);
    let mut clip = Clip::new("noise");
    for joint in 0..skeleton.len() {
        let (a, b) = (noise.vector(), noise.vector());
        let (fast, slow) = (speed * noise.unit(), speed * 0.2 * noise.unit());
        let keys: Vec<Quat> = (0..frames)
            .map(|f| {
                let (f, axis) = (f as f32, noise.vector());
                let turn = quat::mul(
                    quat::from_axis_angle(a, fast * f),
                    quat::from_axis_angle(b, 3.0 * libm::sinf(slow * f)),
                );
                quat::mul(turn, quat::from_axis_angle(axis, jitter * noise.signed()))
            })
            .collect();
        let tracks = clip.joint_mut(joint);
        tracks.rotation =
            Some(Track::rotations(times.clone(), &keys, Interpolation::Slerp).unwrap());
        if joint == 0 {
            let keys: Vec<Vec3> = (0..frames)
                .map(|f| {
                    let j = noise.vector();
                    Vec3::new(f as f32 * 0.01 + j.x * 1e-3, 1.0 + j.y * 1e-3, j.z * 1e-3)
                })
                .collect();
            let track = Track::vectors(times.clone(), &keys, Interpolation::Linear);
            tracks.translation = Some(track.unwrap());
        }
    }
    clip.fit_duration();
    clip
}

fn bits(pose: &LocalPose) -> Vec<u32> {
    let numbers = pose.iter().flat_map(|t| {
        let mut all = t.translation.to_array().to_vec();
        all.extend(t.rotation.to_array());
        all.extend(t.scale.to_array());
        all
    });
    numbers.map(f32::to_bits).collect()
}

fn sampled(clip: &PackedClip<'_>, time: f64) -> LocalPose {
    let mut pose = LocalPose::identity(clip.joints());
    clip.sample(time, &mut pose);
    pose
}

#[test]
fn what_cannot_be_packed_is_refused_with_a_reason() {
    let skeleton = chain(2, 0.3);
    let clip = noisy_clip(&skeleton, 5, 0.1, 0.0, 1);
    let bounds = [0.0, -1.0, f32::NAN, f32::INFINITY];
    for max_error in bounds {
        let options = PackOptions {
            max_error,
            ..METRES
        };
        let error = pack(&skeleton, &clip, &options).unwrap_err();
        assert!(matches!(error, PackError::NotALength { what: "bound", .. }));
    }
    let options = PackOptions {
        shell: 0.0,
        ..METRES
    };
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
            wanted: 3,
            found: 4
        }
    ));

    let packed = pack(&skeleton, &clip, &METRES).unwrap();
    let error = PackedFile::to_bytes(&chain(3, 0.3), &[&packed.clip]).unwrap_err();
    assert_eq!(
        error,
        PackError::Joints {
            wanted: 3,
            found: 2
        }
    );
}

fn check_bound(
    skeleton: &Skeleton,
    clip: &Clip,
    options: &PackOptions,
) -> sinew::clip::packed::Packed {
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
                check_bound(
                    &skeleton,
                    &clip,
                    &PackOptions {
                        max_error,
                        ..METRES
                    },
                );
                Ok(())
            },
        )
        .unwrap();
}

#[test]
fn joints_at_half_turns_are_as_accurate_as_others() {
    let skeleton = chain(6, 0.3);
    let times = frame_times(40, 30.0);
    let mut clip = Clip::new("half turns");
    for joint in 0..6 {
        let axis = [Vec3::X, Vec3::Y, Vec3::Z][joint % 3];
        let keys: Vec<Quat> = (0..40)
            .map(|f| {
                // Exactly 180° on some frames, through it on others, whole turns on one joint.
                let angle = match joint {
                    5 => f as f32 * 0.7,
                    _ if f % 3 == 0 => std::f32::consts::PI,
                    _ => std::f32::consts::PI + 0.05 * (f as f32 - 20.0),
                };
                let turn = quat::from_axis_angle(axis, angle);
                match joint {
                    // A half turn whose w is 0 to the bit.
                    2 => Quat::from_xyzw(0.0, 0.6, 0.8, 0.0),
                    _ => turn,
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
    // A scale that says the same at all times is one value, whatever joins its keys.
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
        let turn = match joint {
            0..15 => Quat::IDENTITY,
            _ => quat::from_axis_angle(Vec3::X, 0.3),
        };
        clip.joint_mut(joint).rotation =
            Some(Track::rotations(times.clone(), &vec![turn; 1000], Interpolation::Slerp).unwrap());
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
        let packed = check_bound(
            &skeleton,
            &clip,
            &PackOptions {
                max_error,
                ..METRES
            },
        );
        packed.report.motion_bytes
    });
    assert!(sizes.is_sorted_by(|a, b| a > b), "{sizes:?}");
    assert!(sizes[1] < 40 * 20 * 200 / 8, "{sizes:?}");
}

#[test]
fn a_mask_and_a_single_joint_agree_with_the_whole() {
    let skeleton = chain(21, 0.2);
    let mut clip = noisy_clip(&skeleton, 90, 0.1, 0.002, 11);
    for joint in [4, 9, 10] {
        clip.joint_mut(joint).rotation = None;
    }
    let packed = pack(&skeleton, &clip, &METRES).unwrap().clip;
    let mask: Vec<bool> = (0..21).map(|j| j % 4 == 1 || j > 15).collect();
    for time in [0.0, 0.01, 0.26, 0.2666, 0.5, 1.4833, 9.0, -1.0] {
        let whole = sampled(&packed, time);
        let mut part = LocalPose::identity(21);
        packed
            .sample_masked(time, &mask, &mut part)
            .expect("of this skeleton");
        for joint in 0..21 {
            let wanted = match mask[joint] {
                true => whole.get(joint),
                false => Transform::IDENTITY,
            };
            assert_eq!(part.get(joint), wanted, "joint {joint} at {time}");
            assert_eq!(
                packed.sample_joint(time, joint),
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
        let packed = pack(
            &skeleton,
            &clip,
            &PackOptions {
                max_error,
                ..METRES
            },
        )
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
        // Whatever ran before, in any order.
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

/// A file with something of everything.
fn rich_file() -> (Skeleton, Clip, Vec<u8>) {
    let skeleton = chain(11, 0.2);
    let mut clip = noisy_clip(&skeleton, 40, 0.1, 0.002, 23);
    clip.joint_mut(4).rotation = None;
    let step = Track::vectors(vec![0.0, 0.3], &[Vec3::ONE, Vec3::X], Interpolation::Step);
    clip.joint_mut(5).scale = Some(step.unwrap());
    clip.joint_mut(6).translation =
        Some(Track::vectors(vec![0.0], &[Vec3::Z], Interpolation::Linear).unwrap());
    let weights = Track::new(
        vec![0.0, 0.5],
        vec![0.0, 1.0, 1.0, 0.0],
        2,
        Interpolation::Linear,
    );
    clip.morphs.push(MorphTrack {
        node: 3,
        weights: weights.unwrap(),
    });
    clip.curves.push(Curve {
        name: "fov".into(),
        track: Track::new(
            vec![0.0, 0.5],
            vec![50.0, 70.0],
            1,
            Interpolation::CatmullRom,
        )
        .unwrap(),
    });
    clip.add_event(0.1, "left foot");
    clip.add_event(0.4, "right foot");
    let packed = pack(&skeleton, &clip, &METRES).unwrap();
    let bytes = PackedFile::to_bytes(&skeleton, &[&packed.clip, &packed.clip]).unwrap();
    (skeleton, clip, bytes)
}

#[test]
fn a_file_comes_back_as_it_was() {
    let (skeleton, clip, bytes) = rich_file();
    let file = PackedFile::from_bytes(&bytes).unwrap();
    assert_eq!(file.skeleton, skeleton);
    assert_eq!(file.clips.len(), 2);
    let read = &file.clips[1];
    assert_eq!(read.name(), "noise");
    assert_eq!(read.events(), clip.events);
    assert_eq!(read.curves(), clip.curves);
    assert_eq!(read.morphs(), clip.morphs);
    let fresh = pack(&skeleton, &clip, &METRES).unwrap().clip;
    let owned = read.clone().into_owned();
    for time in [0.0, 0.123, 0.61] {
        assert_eq!(bits(&sampled(read, time)), bits(&sampled(&fresh, time)));
        assert_eq!(bits(&sampled(&owned, time)), bits(&sampled(&fresh, time)));
    }
    let unpacked = read.unpack().unwrap();
    assert_eq!(unpacked.events, clip.events);
    assert_eq!(
        unpacked.joint(5).unwrap().scale,
        clip.joint(5).unwrap().scale
    );
    let mut pose = LocalPose::identity(11);
    sinew::sample(&unpacked, &skeleton, 0.25, &mut pose);
    for joint in 0..11 {
        let (a, b) = (
            pose.get(joint).rotation,
            sampled(read, 0.25).get(joint).rotation,
        );
        assert!(quat::angle_between(a, b) < 1e-3);
    }
}

#[test]
fn other_bytes_are_refused_by_name_and_place() {
    let (_, _, bytes) = rich_file();
    assert_eq!(
        PackedFile::from_bytes(b"glTF").unwrap_err(),
        PackedError::NotSinew
    );
    let mut later = bytes.clone();
    later[4] = 9;
    let error = PackedFile::from_bytes(&later).unwrap_err();
    assert_eq!(error, PackedError::Version { found: 9, known: 3 });
    let error = PackedFile::from_bytes(&bytes[..bytes.len() - 1]).unwrap_err();
    assert!(
        error.to_string().contains("byte 12 (file header)"),
        "{error}"
    );
    for cut in 0..bytes.len() {
        let mut short = bytes[..cut].to_vec();
        if cut >= 12 {
            short[8..12].copy_from_slice(&(cut as u32).to_le_bytes());
        }
        // Cut between two clips, it is a file of one.
        if let Ok(file) = PackedFile::from_bytes(&short) {
            assert!(file.clips.len() < 2 || file.clips[1].name().is_empty());
        }
    }
}

#[test]
fn ten_thousand_mutations_do_no_harm() {
    let (_, _, bytes) = rich_file();
    let mut noise = Noise(99);
    let count = 10_000 * Config::default().cases / 5120;
    let mut refused = 0;
    for _ in 0..count.max(500) {
        let mut mutant = bytes.clone();
        for _ in 0..1 + (noise.unit() * 4.0) as usize {
            let at = (noise.unit() * mutant.len() as f32) as usize % mutant.len();
            mutant[at] = match (noise.unit() * 4.0) as u32 {
                0 => 0xff,
                1 => 0,
                2 => mutant[at] ^ (1 << ((noise.unit() * 8.0) as u32 % 8)),
                _ => (noise.unit() * 256.0) as u8,
            };
        }
        match PackedFile::from_bytes(&mutant) {
            Ok(file) => {
                for clip in &file.clips {
                    for time in [-1.0, 0.0, 0.31, 0.6, 1e30] {
                        let whole = sampled(clip, time);
                        assert_eq!(whole.len(), clip.joints());
                        clip.sample_joint(time, clip.joints() - 1);
                    }
                    // Times that do not ascend any more are refused, not worse.
                    let _ = clip.unpack();
                }
            }
            Err(error) => {
                refused += 1;
                let text = error.to_string();
                assert!(
                    text.contains("byte ") || error == PackedError::NotSinew,
                    "{text}"
                );
            }
        }
    }
    assert!(refused > 100, "only {refused} were refused");
}
