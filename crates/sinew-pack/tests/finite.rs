//! Packed clips are finite at every time. Packing and reading refuse clips that are not.

use glam::{Quat, Vec3};
use sinew::clip::packed::{PackedError, PackedFile};
use sinew::clip::{Curve, MorphTrack};
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Joint, LocalPose, Skeleton, Track, Transform};
use sinew_pack::{PackError, PackOptions, file_bytes, pack};

fn arm() -> Skeleton {
    let joint = |j: usize| {
        let rest = Transform::from_translation(Vec3::new(0.0, 0.3, 0.0));
        Joint::new(format!("joint {j}"), j.checked_sub(1), rest)
    };
    Skeleton::new((0..3).map(joint).collect()).unwrap().0
}

/// Clip with a packed translation, an unchanged stepped translation, and rotations.
fn clip() -> Clip {
    let mut clip = Clip::new("reach");
    let times: Vec<f32> = (0..40).map(|f| f as f32 / 30.0).collect();
    let positions = |k: f32| -> Vec<Vec3> {
        let position = |t: &f32| Vec3::new((k * t).sin(), 0.3 + 0.1 * (5.0 * t).cos(), *t);
        times.iter().map(position).collect()
    };
    let track = Track::vectors(times.clone(), &positions(3.0), Interpolation::Linear);
    clip.joint_mut(0).translation = Some(track.unwrap());
    let track = Track::vectors(times.clone(), &positions(2.0), Interpolation::Step);
    clip.joint_mut(1).translation = Some(track.unwrap());
    let rotation = |t: &f32| quat::from_axis_angle(Vec3::X, (4.0 * t).sin());
    let rotations: Vec<Quat> = times.iter().map(rotation).collect();
    let track = Track::rotations(times.clone(), &rotations, Interpolation::Slerp);
    clip.joint_mut(2).rotation = Some(track.unwrap());
    let track = Track::new(times, vec![0.7519531; 40], 1, Interpolation::Linear);
    clip.curves.push(Curve {
        name: "glow".to_owned(),
        track: track.unwrap(),
    });
    clip.fit_duration();
    clip
}

fn finer_clip() -> Clip {
    let mut clip = clip();
    let times: Vec<f32> = (0..52).map(|k| k as f32 / 40.0).collect();
    let position = |t: &f32| Vec3::new(0.05 * (9.0 * t).sin(), 0.3, *t);
    let positions: Vec<Vec3> = times.iter().map(position).collect();
    let track = Track::vectors(times, &positions, Interpolation::CatmullRom);
    clip.joint_mut(0).translation = Some(track.unwrap());
    clip.fit_duration();
    clip
}

fn file(clip: &Clip) -> Vec<u8> {
    let skeleton = arm();
    let packed = pack(&skeleton, clip, &PackOptions::default()).unwrap();
    file_bytes(&skeleton, &[&packed.clip]).unwrap()
}

fn is_finite(file: &PackedFile<'_>) -> bool {
    let mut pose = LocalPose::identity(file.skeleton.len());
    file.clips.iter().all(|clip| {
        let mut times = (0..200).map(|k| f64::from(k) * 0.0071);
        times.all(|time| {
            clip.sample(time, &mut pose);
            let is_finite = |t: Transform| {
                t.translation.is_finite() && t.rotation.is_finite() && t.scale.is_finite()
            };
            let curves = clip.curves().iter().all(|curve| {
                let mut out = vec![0.0; curve.track.width()];
                curve.track.sample(time, &mut out).expect("of its width");
                out.iter().all(|v| v.is_finite())
            });
            pose.iter().all(is_finite) && curves
        })
    })
}

#[test]
fn a_file_is_refused_or_finite_whichever_number_is_made_large() {
    for (clip, version) in [(clip(), 2), (finer_clip(), 3)] {
        let bytes = file(&clip);
        assert_eq!(bytes[4], version);
        large_numbers(&bytes);
    }
}

fn large_numbers(bytes: &[u8]) {
    let mut refused: Vec<String> = Vec::new();
    for at in 12..bytes.len() - 4 {
        for large in [f32::MAX, f32::MIN] {
            let mut patched = bytes.to_vec();
            patched[at..at + 4].copy_from_slice(&large.to_le_bytes());
            match PackedFile::from_bytes(&patched) {
                Ok(file) => assert!(is_finite(&file), "{large} at byte {at}"),
                Err(PackedError::NotFinite { clip, name, track }) => {
                    assert_eq!((clip, name.as_str()), (0, "reach"));
                    refused.push(track);
                }
                Err(_) => {}
            }
        }
    }
    refused.sort();
    refused.dedup();
    let has = |what: &str| refused.iter().any(|track| track.contains(what));
    assert!(has("translation of \"joint 0\""), "{refused:?}");
    assert!(has("curve \"glow\""), "{refused:?}");
}

#[test]
fn keys_too_large_to_join_are_refused_and_large_ones_packed_to_finite() {
    let skeleton = arm();
    let mut clip = clip();
    for interpolation in [
        Interpolation::Step,
        Interpolation::Linear,
        Interpolation::CatmullRom,
    ] {
        let keys = [Vec3::splat(3e38), Vec3::splat(-3e38), Vec3::ZERO];
        let track = Track::vectors(vec![0.0, 0.5, 1.0], &keys, interpolation).unwrap();
        clip.joint_mut(1).translation = Some(track);
        let error = pack(&skeleton, &clip, &PackOptions::default()).unwrap_err();
        assert_eq!(error, PackError::NotFinite { joint: 1 });
        assert!(error.to_string().contains("scale the clip down"), "{error}");
    }
    let keys = [Vec3::splat(1e30), Vec3::splat(-1e30), Vec3::ZERO];
    let track = Track::vectors(vec![0.0, 0.5, 1.0], &keys, Interpolation::Linear).unwrap();
    clip.joint_mut(1).translation = Some(track);
    if let Ok(packed) = pack(&skeleton, &clip, &PackOptions::default()) {
        let bytes = file_bytes(&skeleton, &[&packed.clip]).unwrap();
        assert!(is_finite(&PackedFile::from_bytes(&bytes).unwrap()));
    }
}

#[test]
fn curves_and_morphs_count_too() {
    let skeleton = arm();
    let mut clip = clip();
    let track = Track::new(vec![0.0, 1.0], vec![3e38, -3e38], 1, Interpolation::Linear).unwrap();
    clip.morphs.push(MorphTrack {
        node: 5,
        weights: track,
    });
    let packed = pack(&skeleton, &clip, &PackOptions::default()).unwrap();
    let bytes = file_bytes(&skeleton, &[&packed.clip]).unwrap();
    let error = PackedFile::from_bytes(&bytes).unwrap_err();
    assert!(
        error.to_string().contains("morph weights of node 5"),
        "{error}"
    );
}
