//! Time of a frame of the window while the user scrubs: the mannequin, shadow, grid, 1280 × 720.
//!
//! `cargo bench -p sinew-view --bench scrub`

use divan::Bencher;
use sinew_gpu::Gpu;
use sinew_view::headless::Headless;
use sinew_view::script::Step;
use sinew_view::{PlaybackCommand, Session};
use std::sync::Arc;

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 60)]
fn scrub_1280_720(bencher: Bencher<'_, '_>) {
    let gpu = Arc::new(Gpu::new().expect("a device"));
    let mut window = Headless::new(Session::default(), gpu.clone(), [1280, 720], 1.0);
    let window = window.as_mut().expect("a window");
    window.screenshot().expect("a first picture");
    let mut time_secs = 0.0;
    bencher.bench_local(|| {
        time_secs = (time_secs + 0.037) % 0.9;
        let seek = Step::Do(PlaybackCommand::Seek { time_secs }.into());
        window.step(&seek).expect("a step");
        window.frame(1.0 / 60.0).expect("a frame");
        gpu.wait().expect("an end");
    });
}

/// Only the panels, because nothing has changed.
#[divan::bench(sample_count = 20)]
fn still_1280_720(bencher: Bencher<'_, '_>) {
    let gpu = Arc::new(Gpu::new().expect("a device"));
    let mut window = Headless::new(Session::default(), gpu.clone(), [1280, 720], 1.0);
    let window = window.as_mut().expect("a window");
    window
        .step(&Step::Do(PlaybackCommand::Pause.into()))
        .expect("a step");
    window.screenshot().expect("a first picture");
    bencher.bench_local(|| {
        window.frame(1.0 / 60.0).expect("a frame");
        gpu.wait().expect("an end");
    });
}
