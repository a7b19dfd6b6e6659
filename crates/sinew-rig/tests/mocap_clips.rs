//! Fits to clips of the mannequin, in which many joints hardly rotate, with misplaced markers.

use crate::made_capture;

use glam::Vec3;
use made_capture::compare::{Off, compare};
use made_capture::{Dice, motion, noisy, perfect, subject};
use sinew::{Clip, LocalPose, Skeleton, sample};
use sinew_rig::mocap::{Capture, MarkerSet};
use sinew_samples::mannequin::Mannequin;

const RATE_HZ: f64 = 100.0;
const FRAMES: usize = 400;

fn looped(clip: &Clip, skeleton: &Skeleton) -> Vec<LocalPose> {
    let pose = |frame: usize| {
        let mut pose = skeleton.rest().clone();
        let time = (frame as f64 / RATE_HZ) % f64::from(clip.duration_secs);
        sample(clip, skeleton, time, &mut pose).unwrap();
        pose
    };
    (0..FRAMES).map(pose).collect()
}

/// A subject up to 15 % off the template, with plates of four markers, each `misplaced` metres off,
/// 1 mm of noise, and 5 % of sightings lost in gaps of ten frames.
fn off(
    template: &Skeleton,
    misplaced: f32,
    dice: &mut Dice,
    moves: impl Fn(&Skeleton, &mut Dice) -> Vec<LocalPose>,
) -> Off {
    let set = MarkerSet::plates();
    let (truth, mut on_it) = subject(template, &set, 0.15, dice);
    for marker in &mut on_it.markers {
        marker.offset += misplaced * Vec3::from_array(std::array::from_fn(|_| dice.normal()));
    }
    let moved = moves(&truth, dice);
    let clean = perfect(&truth, &on_it, &moved, RATE_HZ);
    let seen = noisy(&clean, 0.001, 0.05, 10, dice);
    let fit = Capture::new(template, &set, &seen).fit(|_| ());
    compare(&truth, &moved, &seen, &clean, &fit.expect("a fit"))
}

/// All clips in `make soak`, otherwise three.
#[test]
fn the_mannequins_own_clips_are_found_from_noisy_markers() {
    let person = Mannequin {
        edge_scale: 2.0,
        ..Mannequin::default()
    };
    let person = person.build();
    let all = std::env::var_os("PROPTEST_CASES").is_some();
    let some = ["idle", "walk", "sword form"];
    let clips = person
        .clips
        .iter()
        .filter(|c| all || some.contains(&&*c.name));
    let clips: Vec<&Clip> = clips.collect();
    assert_eq!(
        clips.len(),
        if all { person.clips.len() } else { some.len() }
    );
    for (seed, clip) in (0..).zip(clips) {
        let off = off(&person.skeleton, 0.0, &mut Dice(seed), |truth, _| {
            looped(clip, truth)
        });
        println!("{}: {off:?}", clip.name);
        assert!(off.positions_mm < 5.0, "{}: {off:?}", clip.name);
        assert!(off.worst_bone.1 < 0.01, "{}: {off:?}", clip.name);
        assert!(
            off.swing_deg < 2.0 && off.twist_deg < 3.0,
            "{}: {off:?}",
            clip.name
        );
        assert!(off.filled_mm < 10.0, "{}: {off:?}", clip.name);
    }
}

/// The position of a marker in the set counts as far as the other markers support it.
#[test]
fn markers_that_sit_elsewhere_are_found_where_joints_turn() {
    let template = sinew_rig::template::Biped::default().template();
    let template = template.skeleton().expect("the biped is a skeleton");
    let misplaced = 0.005;
    let off = off(&template, misplaced, &mut Dice(3), |truth, dice| {
        motion(truth, FRAMES, RATE_HZ as f32, dice)
    });
    println!("{misplaced}: {off:?}");
    assert!(off.positions_mm < 5.0, "{misplaced}: {off:?}");
    assert!(off.worst_bone.1 < 0.01, "{misplaced}: {off:?}");
    assert!(
        off.swing_deg < 2.0 && off.twist_deg < 3.0,
        "{misplaced}: {off:?}"
    );
    assert!(off.filled_mm < 10.0, "{misplaced}: {off:?}");
}
