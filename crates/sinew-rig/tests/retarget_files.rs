//! Motion files of many makers on the mannequin, if the conformance files exist.

use crate::foreign::foreign_files;
use crate::people;

use glam::Vec3;
use people::model_places;
use sinew::transform::quat::angle_between;
use sinew::{Clip, Interpolation, Skeleton};
use sinew_rig::retarget::{
    Contact, RetargetOptions, Retargeted, Role, find_roles, pair_joints, retarget,
};
use sinew_rig::template::Biped;
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    foreign_files("bvh", &["bvh"])
}

fn name(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Captures of people; the others are hand-made tests of the format.
const CAPTURED: [&str; 7] = [
    "animateddrawings_fair1_dab",
    "cmu_02_03",
    "cmu_09_01",
    "pybvh_example",
    "pybvh_test3",
    "pymo_AV_8Walk_Meredith",
    "threejs_pirouette",
];

#[test]
fn captured_feet_that_stand_move_at_most_a_centimetre_a_second() {
    let body = Biped::default().template().skeleton().unwrap();
    let roles = find_roles(&body);
    let mut stood = 0;
    for path in files()
        .iter()
        .filter(|p| CAPTURED.contains(&name(p).as_str()))
    {
        let file = sinew_io::import(path).unwrap().character;
        let pairs = pair_joints(&file.skeleton, &body).unwrap();
        let clip = &file.clips[0];
        let frames = people::times(clip).len();
        let Retargeted { clip, report } = retarget(
            &file.skeleton,
            clip,
            &body,
            &pairs,
            &RetargetOptions::default(),
        )
        .unwrap();
        let name = name(path);
        println!(
            "{name}: {} pairs, scale {:.4}, {} frames, hips lowered {:.3}, {} unreached, at rest {:?}, not followed {:?}",
            report.pairs.len(),
            report.scale,
            report.frames,
            report.hips_lowered,
            report.unreached_frames,
            report.resting_target,
            report.unused_source,
        );
        let times = people::times(&clip);
        for tracks in &clip.joints {
            for track in [&tracks.translation, &tracks.rotation]
                .into_iter()
                .flatten()
            {
                let is_leg = track.interpolation() == Interpolation::CubicHermite;
                let own = if track.keys() == 1 { 1 } else { frames };
                let what = body.name(tracks.joint);
                assert!(
                    is_leg || track.keys() == own,
                    "{name}: {what}: {}",
                    track.keys()
                );
            }
        }
        let places = model_places(&body, &clip, &times);
        let head = roles.joint(Role::Head).unwrap();
        let up = places
            .iter()
            .map(|p| (p[head] - p[0]).normalize().y)
            .sum::<f32>()
            / places.len() as f32;
        assert!(up > 0.8, "{name}: {up}");
        let high = places.iter().map(|p| p[0].y).fold(0.0, f32::max);
        assert!((0.75..1.5).contains(&high), "{name}: hips at {high}");
        for foot in &report.feet {
            println!(
                "  {:?}: {} contacts, {} frames, {:.4} m/s before, {:.6} after",
                foot.side,
                foot.contacts.len(),
                foot.contact_frames(),
                foot.slide_before,
                foot.slide_after
            );
            stood += foot.contact_frames();
            let ball = roles.joint(Role::Toes(foot.side)).unwrap();
            let fastest = fastest_step(&places, &foot.contacts, &times, ball);
            assert!(fastest < 0.01, "{name}, {:?}: {fastest} m/s", foot.side);
            let (between, strayed) = between_frames(&clip, &body, &foot.contacts, &times, ball);
            println!(
                "  {:.3} mm and {between:.5} m/s between frames",
                strayed * 1e3
            );
            assert!(between < 0.004, "{name}, {:?}: {between} m/s", foot.side);
            assert!(strayed < 2e-5, "{name}, {:?}: {strayed} m", foot.side);
        }
    }
    if !files().is_empty() {
        assert!(stood > 1000, "only {stood} frames in which a foot stands");
    }
}

fn fastest_step(places: &[Vec<Vec3>], contacts: &[Contact], times: &[f32], joint: usize) -> f32 {
    let frames = contacts.iter().flat_map(|c| c.first..c.last);
    let speed =
        |f: usize| places[f][joint].distance(places[f + 1][joint]) / (times[f + 1] - times[f]);
    frames.map(speed).fold(0.0, f32::max)
}

/// Max speed at eight times between frames, and max distance from the start of the contact.
fn between_frames(
    clip: &Clip,
    body: &Skeleton,
    contacts: &[Contact],
    times: &[f32],
    joint: usize,
) -> (f32, f32) {
    let (mut fastest, mut farthest) = (0.0_f32, 0.0_f32);
    for contact in contacts {
        let stands = model_places(body, clip, &[times[contact.first]])[0][joint];
        for f in contact.first..contact.last {
            let step = (times[f + 1] - times[f]) / 8.0;
            let moments: Vec<f32> = (0..=8).map(|k| times[f] + step * k as f32).collect();
            let places = model_places(body, clip, &moments);
            for place in places.windows(2) {
                let way = place[0][joint].distance(place[1][joint]);
                fastest = fastest.max(way / step);
            }
            let off = places.iter().map(|place| place[joint].distance(stands));
            farthest = off.fold(farthest, f32::max);
        }
    }
    (fastest, farthest)
}

#[test]
fn every_file_onto_itself_is_what_it_was() {
    for path in files() {
        let file = sinew_io::import(&path).unwrap().character;
        let (skeleton, name) = (&file.skeleton, name(&path));
        let Ok(pairs) = pair_joints(skeleton, skeleton) else {
            assert!(name.starts_with("bvh_anim_test"), "{name} has no roles");
            continue;
        };
        let done = retarget(
            skeleton,
            &file.clips[0],
            skeleton,
            &pairs,
            &RetargetOptions::default(),
        )
        .unwrap();
        let times = people::times(&file.clips[0]);
        let middles = times.windows(2).map(|t| 0.5 * (t[0] + t[1]));
        let times: Vec<f32> = times.iter().copied().chain(middles).collect();
        let [before, after] =
            [&file.clips[0], &done.clip].map(|clip| people::poses(skeleton, clip, &times));
        for (a, b) in before.iter().zip(&after) {
            for (a, b) in a.iter().zip(b.iter()) {
                let turned = (a.rotation - b.rotation)
                    .length()
                    .min((a.rotation + b.rotation).length());
                let moved = a.translation.distance(b.translation) / (1.0 + a.translation.length());
                assert!(turned < 1e-5 && moved < 1e-5, "{name}: {turned} {moved}");
            }
        }
    }
}

#[test]
fn captured_hands_come_to_their_places_within_limits_and_without_jumps() {
    let body = Biped::default().template().skeleton().unwrap();
    let roles = find_roles(&body);
    for path in files()
        .iter()
        .filter(|p| CAPTURED.contains(&name(p).as_str()))
    {
        let file = sinew_io::import(path).unwrap().character;
        let pairs = pair_joints(&file.skeleton, &body).unwrap();
        let carried = |hands: bool| {
            let options = RetargetOptions::default().hands(hands).feet(false);
            retarget(&file.skeleton, &file.clips[0], &body, &pairs, &options).unwrap()
        };
        let (free, held) = (carried(false), carried(true));
        let times = people::times(&held.clip);
        let fastest = |clip: &Clip| {
            let poses = people::poses(&body, clip, &times);
            let steps = poses.windows(2).zip(times.windows(2));
            let speeds = steps.flat_map(|(pose, time)| {
                let turn = |joint| {
                    let [a, b] = [0, 1].map(|k: usize| pose[k].get(joint).rotation);
                    angle_between(a, b) / (time[1] - time[0])
                };
                (0..body.len()).map(turn).collect::<Vec<f32>>()
            });
            speeds.fold(0.0, f32::max)
        };
        let (before, after) = (fastest(&free.clip), fastest(&held.clip));
        println!("{}: {:?}", name(path), held.report.hands);
        println!("  {before:.1} rad/s before, {after:.1} after");
        assert!(after < 1.1 * before + 1.0, "{before} {after}");
        assert_eq!(held.report.hands.len(), 2);
        for hand in &held.report.hands {
            assert!(hand.off_before > 0.01 && hand.off_after < 1e-3, "{hand:?}");
            for part in [Role::UpperArm, Role::LowerArm, Role::Hand] {
                let joint = roles.joint(part(hand.side)).unwrap();
                let rest = body.rest().get(joint).rotation;
                for pose in people::poses(&body, &held.clip, &times) {
                    let now = pose.get(joint).rotation;
                    let allowed = body.freedom(joint).clamp_rotation(rest, now);
                    let beyond = angle_between(now, allowed);
                    assert!(beyond < 1e-5, "{}: {beyond}", body.name(joint));
                }
            }
        }
    }
}
