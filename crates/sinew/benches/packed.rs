//! Decoding packed clips, for comparing changes to it; `sinew bench` prints it beside a plain loop.
//!
//! `cargo bench -p sinew --bench packed`

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew::LocalPose;
use sinew::clip::packed::PackedClip;
use sinew_pack::{PackOptions, pack};
use sinew_samples::MotionLoad;

fn main() {
    divan::main();
}

fn packed(frames: usize) -> PackedClip<'static> {
    let load = MotionLoad::new(frames);
    let packed = pack(&load.skeleton, &load.clip, &PackOptions::default());
    packed.expect("made to be packed").clip
}

fn decode(bencher: Bencher, frames: usize, step: f64) {
    let clip = packed(frames);
    let duration = f64::from(clip.duration_secs());
    let mut pose = LocalPose::identity(clip.joints());
    let mut time = 0.0;
    bencher
        .counter(ItemsCount::new(clip.joints()))
        .bench_local(|| {
            time += step;
            if time > duration {
                time -= duration;
            }
            clip.sample(divan::black_box(time), &mut pose);
        });
}

#[divan::bench(args = [300, 3000])]
fn forward(bencher: Bencher, frames: usize) {
    decode(bencher, frames, 0.7 / 60.0);
}

/// Golden steps through the clip come near every time and never twice near the same.
#[divan::bench(args = [300, 3000])]
fn random(bencher: Bencher, frames: usize) {
    decode(bencher, frames, frames as f64 / 60.0 * 0.618_033_988_75);
}
