//! Benchmark of packing clips.
//!
//! `cargo bench -p sinew-pack --bench encode`

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew_pack::{PackOptions, pack};
use sinew_samples::MotionLoad;

fn main() {
    divan::main();
}

#[divan::bench(args = [300], sample_count = 5)]
fn encode(bencher: Bencher<'_, '_>, frames: usize) {
    let load = MotionLoad::new(frames);
    bencher
        .counter(ItemsCount::new(load.skeleton.len() * frames))
        .bench_local(|| pack(&load.skeleton, &load.clip, &PackOptions::default()));
}
