//! Frames per second of fits on one core: synthetic trials, and shared captures if they exist.

#[path = "../tests/made_capture/mod.rs"]
mod made_capture;

use divan::Bencher;
use divan::counter::ItemsCount;
use made_capture::{Dice, noisy, perfect, subject};
use sinew::{Skeleton, sample};
use sinew_rig::mocap::{Capture, MarkerSet, Trial};
use sinew_samples::mannequin::Mannequin;
use std::path::Path;

const RATE_HZ: f64 = 120.0;

fn main() {
    divan::main();
}

/// Walk of a subject up to a tenth off the template, with 1 mm of noise and gaps.
fn walk(set: &MarkerSet, frames: usize) -> (Skeleton, Trial) {
    let person = Mannequin {
        edge_scale: 2.0,
        ..Mannequin::default()
    };
    let person = person.build();
    let clip = person.clips.iter().find(|c| c.name == "walk");
    let clip = clip.expect("it walks");
    let mut dice = Dice(1);
    let (truth, on_it) = subject(&person.skeleton, set, 0.1, &mut dice);
    let pose = |frame: usize| {
        let mut pose = truth.rest().clone();
        let time = (frame as f64 / RATE_HZ) % f64::from(clip.duration_secs);
        sample(clip, &truth, time, &mut pose).unwrap();
        pose
    };
    let poses: Vec<_> = (0..frames).map(pose).collect();
    let clean = perfect(&truth, &on_it, &poses, RATE_HZ);
    let seen = noisy(&clean, 0.001, 0.05, 10, &mut dice);
    (person.skeleton, seen)
}

fn run(bencher: Bencher<'_, '_>, skeleton: &Skeleton, set: &MarkerSet, trial: &Trial) {
    let capture = Capture::new(skeleton, set, trial);
    bencher
        .counter(ItemsCount::new(trial.frames()))
        .bench(|| capture.fit(|_| ()).expect("a fit"));
}

#[divan::bench(args = [400, 2000], sample_count = 3, sample_size = 1)]
fn plates(bencher: Bencher<'_, '_>, frames: usize) {
    let set = MarkerSet::plates();
    let (skeleton, trial) = walk(&set, frames);
    run(bencher, &skeleton, &set, &trial);
}

#[divan::bench(args = [400, 2000], sample_count = 3, sample_size = 1)]
fn plug_in_gait(bencher: Bencher<'_, '_>, frames: usize) {
    let set = MarkerSet::plug_in_gait();
    let (skeleton, trial) = walk(&set, frames);
    run(bencher, &skeleton, &set, &trial);
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn shared_movement(bencher: Bencher<'_, '_>) {
    let file = "../../../shared/conformance/c3d/pycgm_movement.c3d";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if !file.exists() {
        println!("skipped: {} is not there", file.display());
        return;
    }
    let trial = sinew_io::c3d::import(&file).expect("a capture").trial;
    let skeleton = sinew_rig::template::Biped::default().template();
    let skeleton = skeleton.skeleton().expect("the biped is a skeleton");
    run(bencher, &skeleton, &MarkerSet::standard(), &trial);
}
