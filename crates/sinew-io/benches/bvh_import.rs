//! Time to import a BVH file of twenty minutes, and its ratio to the time for splitting the text
//! and parsing the numbers, for the fastest of many runs.
//! Run with `cargo bench -p sinew-io --bench bvh_import`.

use sinew_io::bvh;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

const JOINTS: usize = 60;
const FRAMES: usize = 36_000;

fn main() {
    let text = file();
    println!(
        "BVH of {:.1} MB: {JOINTS} joints, {FRAMES} frames",
        text.len() as f64 / 1e6
    );
    let floor = best(|| {
        let numbers = text.split_ascii_whitespace();
        black_box(numbers.filter_map(|n| n.parse::<f64>().ok()).sum::<f64>());
    });
    let import = best(|| {
        black_box(bvh::import_bytes(text.as_bytes()).expect("imports"));
    });
    println!("parse the numbers  {:>8.2} ms", floor * 1e3);
    println!(
        "import             {:>8.2} ms   {:.2} times that",
        import * 1e3,
        import / floor
    );
}

fn file() -> String {
    let mut text =
        "HIERARCHY\nROOT root\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
            .to_owned();
    for joint in 0..JOINTS {
        let _ = writeln!(
            text,
            "JOINT {joint}\n{{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation"
        );
    }
    text.push_str(&"}\n".repeat(JOINTS + 1));
    let _ = writeln!(text, "MOTION\nFrames: {FRAMES}\nFrame Time: 0.0333333");
    for frame in 0..FRAMES {
        for channel in 0..3 * (JOINTS + 1) {
            let number = ((frame * 7 + channel * 31) % 36_000) as f64 / 100.0 - 180.0;
            let _ = write!(text, "{number:.4} ");
        }
        text.push('\n');
    }
    text
}

fn best(mut job: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        job();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}
