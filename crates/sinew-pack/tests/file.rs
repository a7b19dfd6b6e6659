//! Files of packed clips: round trips, and corrupt bytes.

use crate::noise::{METRES, Noise, bits, chain, noisy_clip, sampled};
use glam::Vec3;
use proptest::test_runner::Config;
use sinew::clip::packed::{PackedError, PackedFile};
use sinew::clip::{Curve, MorphTrack};
use sinew::transform::quat;
use sinew::{Clip, Interpolation, LocalPose, Skeleton, Track};
use sinew_pack::{file_bytes, pack, pack_file};

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
    let bytes = file_bytes(&skeleton, &[&packed.clip, &packed.clip]).unwrap();
    (skeleton, clip, bytes)
}

#[test]
fn several_clips_are_packed_at_once_and_errors_name_the_clip() {
    let (skeleton, clip, bytes) = rich_file();
    let mut clips = [clip.clone(), clip];
    assert_eq!(pack_file(&skeleton, &clips, &METRES), Ok(bytes));
    clips[1].name = "odd".into();
    clips[1].joint_mut(11).rotation = clips[1].joint_mut(0).rotation.clone();
    let refused = pack_file(&skeleton, &clips, &METRES).unwrap_err();
    let expected = "clip \"odd\": there is a track for joint 11, but the skeleton has 11 joints";
    assert_eq!(refused.to_string(), expected);
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
    sinew::sample(&unpacked, &skeleton, 0.25, &mut pose).unwrap();
    for joint in 0..11 {
        let (a, b) = (
            pose.get(joint).rotation,
            sampled(read, 0.25).get(joint).rotation,
        );
        assert!(quat::angle_between(a, b) < 1e-3);
    }
}

#[test]
fn other_bytes_are_refused_by_name_and_location() {
    let (_, _, bytes) = rich_file();
    assert_eq!(
        PackedFile::from_bytes(b"glTF").unwrap_err(),
        PackedError::NotSinew
    );
    let mut later = bytes.clone();
    later[4] = 9;
    let error = PackedFile::from_bytes(&later).unwrap_err();
    assert_eq!(error, PackedError::Version { found: 9, known: 4 });
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
        // A file cut between two clips is a file with one clip.
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
                        clip.sample_joint(clip.joints() - 1, time);
                    }
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
