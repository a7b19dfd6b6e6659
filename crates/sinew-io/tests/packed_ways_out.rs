//! The error bound of a packed clip holds for sampling, unpacking and export as GLB.

use crate::apart;
use crate::foreign::{foreign, foreign_files};

use apart::{found, models, moments, shell_error, truth};
use glam::{Quat, Vec3};
use sinew::clip::packed::PackedFile;
use sinew::transform::quat;
use sinew::{Character, Clip, Interpolation, Joint, LocalPose, Skeleton, Track, Transform, sample};
use sinew_io::gltf::{ExportOptions, import_bytes, to_glb};
use sinew_pack::{Kept, PackError, PackOptions, PackReport, file_bytes, pack};
use std::sync::Arc;

/// Max errors, in the unit of the skeleton: sampled, unpacked, and exported as GLB.
struct Errors {
    sampled: f64,
    unpacked: f64,
    exported: f64,
    report: PackReport,
}

impl Errors {
    fn worst(&self) -> f64 {
        self.sampled.max(self.unpacked).max(self.exported)
    }
}

/// Measures at keys, and between keys: half way for linear sampling, else at `parts` times.
fn errors(skeleton: &Skeleton, clip: &Clip, options: &PackOptions, parts: usize) -> Errors {
    let packed = pack(skeleton, clip, options).unwrap();
    let bytes = file_bytes(skeleton, &[&packed.clip]).unwrap();
    let file = PackedFile::from_bytes(&bytes).unwrap();
    let unpacked = file.clips[0].unpack().unwrap();
    let mut character = sinew_io::import_bytes(&bytes).unwrap().character;
    assert_eq!(character.clips[0].joints, unpacked.joints);
    character.clips[0].events.clear();
    let glb = to_glb(&character, &ExportOptions::default()).unwrap();
    let glb = import_bytes(&glb, None).unwrap().character;
    // Joints without motion are plain nodes in the GLB file.
    let in_glb: Vec<Option<usize>> = (0..skeleton.len())
        .map(|joint| {
            let same = |j: &usize| glb.skeleton.name(*j) == skeleton.name(joint);
            let mut found = (0..glb.skeleton.len()).filter(same);
            found.next().filter(|_| found.next().is_none())
        })
        .collect();

    let shell = f64::from(options.shell);
    let worst = |times: &[f64], out: &mut dyn FnMut(f64, &mut LocalPose)| {
        let mut pose = LocalPose::identity(skeleton.len());
        let mut worst = 0.0_f64;
        for &time in times {
            let wanted = models(skeleton, &truth(skeleton, clip, time));
            out(time, &mut pose);
            let got = models(skeleton, &found(&pose));
            for (a, b) in wanted.iter().zip(&got) {
                worst = worst.max(shell_error(a, b, shell));
            }
        }
        worst
    };
    let dense = moments(clip, parts);
    let sampled = worst(&moments(clip, 2), &mut |time, pose| {
        file.clips[0].sample(time, pose);
    });
    let unpacked = worst(&dense, &mut |time, pose| {
        sample(&unpacked, skeleton, time, pose).unwrap();
    });
    let mut other = LocalPose::identity(glb.skeleton.len());
    let exported = worst(&dense, &mut |time, pose| {
        match glb.clips.first() {
            Some(clip) => sample(clip, &glb.skeleton, time, &mut other).unwrap(),
            None => other.copy_from(glb.skeleton.rest()),
        }
        for (joint, same) in in_glb.iter().enumerate() {
            let local = same.map_or(skeleton.rest().get(joint), |same| other.get(same));
            pose.set(joint, local);
        }
    });
    Errors {
        sampled,
        unpacked,
        exported,
        report: packed.report,
    }
}

fn arm(joints: usize) -> Skeleton {
    let joint = |j: usize| {
        let rest = Transform::from_translation(Vec3::new(0.0, 0.3, 0.0));
        Joint::new(format!("joint {j}"), j.checked_sub(1), rest)
    };
    Skeleton::new((0..joints).map(joint).collect()).unwrap().0
}

fn row(frames: usize, fps: f32) -> Vec<f32> {
    (0..frames).map(|f| f as f32 / fps).collect()
}

fn rotation(joint: usize, secs: f32) -> Quat {
    let axis = Vec3::new(1.0, 0.3 * joint as f32, 0.5 - 0.2 * joint as f32);
    quat::from_axis_angle(axis, 0.8 * (3.0 * secs + joint as f32).sin())
}

fn rotation_track(joint: usize, times: Vec<f32>, interpolation: Interpolation) -> Track {
    let keys: Vec<Quat> = times.iter().map(|&t| rotation(joint, t)).collect();
    let track = Track::rotations(times, &keys, Interpolation::Slerp).unwrap();
    track.with_interpolation(interpolation)
}

fn wave(skeleton: &Skeleton) -> Clip {
    let mut clip = Clip::new("wave");
    let times = Arc::new(row(121, 60.0));
    for joint in 0..skeleton.len() {
        let keys: Vec<Quat> = times.iter().map(|&t| rotation(joint, t)).collect();
        let track = Track::rotations(times.clone(), &keys, Interpolation::Slerp);
        clip.joint_mut(joint).rotation = Some(track.unwrap());
    }
    let keys: Vec<Vec3> = (times.iter())
        .map(|&t| Vec3::new(t, 0.3 + 0.05 * (9.0 * t).sin(), 0.0))
        .collect();
    let track = Track::vectors(times, &keys, Interpolation::Linear);
    clip.joint_mut(0).translation = Some(track.unwrap());
    clip.fit_duration();
    clip
}

/// Packs at 1, 0.1 and 0.01 mm and checks all three results. Returns the reports.
#[track_caller]
fn held(skeleton: &Skeleton, clip: &Clip, what: &str) -> [PackReport; 3] {
    [1e-3, 1e-4, 1e-5].map(|max_error| {
        let options = PackOptions::new().max_error(max_error).shell(0.03);
        let errors = errors(skeleton, clip, &options, 8);
        let Errors {
            sampled,
            unpacked,
            exported,
            report,
        } = &errors;
        println!(
            "{what} at {max_error}: {} bytes, kept {:?}, off by {sampled:.7} sampled, {unpacked:.7} unpacked, {exported:.7} as GLB, stated {:.7}",
            report.motion_bytes, report.kept, report.measured_error
        );
        assert!(errors.worst() <= f64::from(max_error), "{what}");
        let stated = f64::from(report.measured_error);
        assert!(*sampled <= stated, "{what}: {sampled} of {stated}");
        // Between keys, the encoder samples at other times.
        let worst = errors.worst();
        assert!(worst <= 1.001 * stated, "{what}: {worst} of {stated}");
        errors.report
    })
}

#[test]
fn a_regular_clip_holds_its_bound_by_every_way_out() {
    let skeleton = arm(8);
    for report in held(&skeleton, &wave(&skeleton), "regular") {
        assert!(report.kept.is_empty());
        assert!(report.motion_bytes * 6 < report.raw_bytes);
    }
}

#[test]
fn one_key_between_frames_in_one_track_costs_little() {
    let skeleton = arm(8);
    let plain = wave(&skeleton);
    let mut clip = plain.clone();
    let mut times = row(121, 60.0);
    times.insert(41, 40.5 / 60.0);
    clip.joint_mut(5).rotation = Some(rotation_track(5, times, Interpolation::Slerp));
    let plain = held(&skeleton, &plain, "regular");
    for (report, plain) in held(&skeleton, &clip, "half-step key").iter().zip(plain) {
        assert_eq!(report.kept, []);
        assert!(report.motion_bytes * 3 < 4 * plain.motion_bytes);
    }
}

#[test]
fn curved_tracks_are_sampled_at_frames() {
    let skeleton = arm(8);
    for interpolation in [Interpolation::CubicHermite, Interpolation::CatmullRom] {
        let mut clip = wave(&skeleton);
        for joint in [2, 3, 6] {
            let track = rotation_track(joint, row(121, 60.0), interpolation);
            clip.joint_mut(joint).rotation = Some(track);
        }
        let plain = held(&skeleton, &wave(&skeleton), "regular");
        for (report, plain) in held(&skeleton, &clip, "curves on frames").iter().zip(plain) {
            // The packer uses finer frames or the original curves, whichever is smaller.
            let curves: usize = (clip.joints.iter())
                .filter_map(|j| j.rotation.as_ref())
                .filter(|t| t.interpolation() == interpolation)
                .map(|t| 4 * t.values().len())
                .sum();
            assert!(report.motion_bytes < plain.motion_bytes + curves + 600);
        }
        for tracks in &mut clip.joints {
            let times: Vec<f32> = (0..81)
                .map(|k| k as f32 / 40.0 + if k % 3 == 1 { 0.004 } else { 0.0 })
                .collect();
            tracks.rotation = Some(rotation_track(tracks.joint, times, interpolation));
        }
        let [coarse, fine, _] = held(&skeleton, &clip, "curves at uneven times");
        // At 0.1 mm, some tracks that stop at every key are too sharp for finer frames.
        assert_eq!(coarse.kept, []);
        assert!(fine.kept.len() <= 2, "{:?}", fine.kept);
    }
}

#[test]
fn jumps_stay_where_they_are() {
    let skeleton = arm(8);
    let mut clip = wave(&skeleton);
    let cut = vec![0.0, 0.507, 1.003];
    clip.joint_mut(4).rotation = Some(rotation_track(4, cut.clone(), Interpolation::Step));
    let still = Track::vectors(vec![0.1, 0.9], &[Vec3::X; 2], Interpolation::Step);
    clip.joint_mut(7).translation = Some(still.unwrap());
    for report in held(&skeleton, &clip, "steps") {
        let wanted = [(4, sinew::clip::Channel::Rotation, Kept::Steps)];
        assert_eq!(report.kept, wanted);
        assert_eq!(report.channels[3], 1);
    }
    let packed = pack(&skeleton, &clip, &PackOptions::default()).unwrap();
    for time in cut {
        let time = f64::from(time);
        for time in [time.next_down(), time] {
            let wanted = clip.joint(4).unwrap().rotation.as_ref().unwrap();
            let found = packed.clip.sample_joint(4, time).rotation;
            assert_eq!(found, wanted.sample_rotation(time).unwrap());
        }
    }
}

#[test]
fn tracks_at_other_rates_share_a_row() {
    let skeleton = arm(8);
    for (fps, what) in [
        (30.0, "30 and 60"),
        (24.0, "24 and 60"),
        (120.0, "120 and 60"),
    ] {
        let mut clip = wave(&skeleton);
        for joint in [1, 6] {
            let times = row(2 * fps as usize + 1, fps);
            clip.joint_mut(joint).rotation =
                Some(rotation_track(joint, times, Interpolation::Slerp));
        }
        for report in held(&skeleton, &clip, what) {
            assert!(
                report.kept.iter().all(|k| k.2 == Kept::Size),
                "{what}: {:?}",
                report.kept
            );
            assert!(
                report.motion_bytes * 4 < report.raw_bytes,
                "{what}: {report:?}"
            );
        }
    }
}

#[test]
fn a_few_keys_of_a_curve_stay_keys() {
    let skeleton = arm(3);
    let mut clip = Clip::new("ease");
    let track = rotation_track(1, vec![0.0, 1.3, 2.0], Interpolation::CubicHermite);
    clip.joint_mut(1).rotation = Some(track.clone());
    clip.fit_duration();
    for report in held(&skeleton, &clip, "three keys") {
        assert!(report.motion_bytes < 400, "{report:?}");
    }
}

#[test]
fn a_bound_below_what_the_keys_can_say_is_refused() {
    let skeleton = arm(8);
    let options = PackOptions::new().max_error(1e-8).shell(0.03);
    let error = pack(&skeleton, &wave(&skeleton), &options).unwrap_err();
    let PackError::TooFine { requested, reached } = error else {
        panic!("{error}");
    };
    assert!(
        requested == 1e-8 && reached > requested && reached < 1e-5,
        "{reached}"
    );
    assert!(
        error.to_string().contains("the smallest possible bound"),
        "{error}"
    );
}

/// Scale that makes a captured figure 1.75 m tall.
fn to_metres(character: &Character, scales: &serde_json::Value, name: &str) -> f64 {
    let known = scales["clips"].as_array().unwrap().iter();
    let known = known.clone().find(|c| c["file"] == name);
    let skeleton = &character.skeleton;
    known.map_or_else(
        || {
            let rest = models(skeleton, &found(skeleton.rest()));
            let heights = rest.iter().map(|m| m.translation.y);
            let high = heights.clone().fold(f64::MIN, f64::max);
            let low = heights.fold(f64::MAX, f64::min);
            // One joint alone does not show the unit.
            let tall = high - low;
            if tall > 1e-6 { 1.75 / tall } else { 0.01 }
        },
        |c| c["scale_to_metres"].as_f64().unwrap(),
    )
}

#[test]
fn captured_clips_hold_their_bounds_by_every_way_out() {
    let Some(folder) = foreign("") else { return };
    let text = std::fs::read_to_string(folder.join("compression.json")).unwrap();
    let scales: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut missed = Vec::new();
    for path in foreign_files("bvh", &["bvh"]) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let import = sinew_io::import(&path).unwrap();
        let (skeleton, clip) = (&import.character.skeleton, &import.character.clips[0]);
        let scale = to_metres(&import.character, &scales, name);
        for millimetres in [1.0, 0.1, 0.01] {
            let options = PackOptions::new()
                .max_error((millimetres * 1e-3 / scale) as f32)
                .shell((0.03 / scale) as f32);
            let begin = std::time::Instant::now();
            let errors = errors(skeleton, clip, &options, 2);
            let [sampled, unpacked, exported, stated] = [
                errors.sampled,
                errors.unpacked,
                errors.exported,
                f64::from(errors.report.measured_error),
            ]
            .map(|error| error * scale * 1e3);
            println!(
                "{name} at {millimetres} mm: {} bytes, {} kept, off by {sampled:.5} sampled, {unpacked:.5} unpacked, {exported:.5} as GLB, stated {stated:.5} mm; {:.1} s",
                errors.report.motion_bytes,
                errors.report.kept.len(),
                begin.elapsed().as_secs_f64()
            );
            let worst = sampled.max(unpacked).max(exported);
            if worst > millimetres || worst > 1.001 * stated || !errors.report.kept.is_empty() {
                missed.push(format!("{name} at {millimetres} mm"));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}
