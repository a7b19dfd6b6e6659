//! Time of the library for what `PackedClip.sample` does: prints the minimum in milliseconds, first into one pose after the
//! other, then into arrays. `ratios.py` runs it.
//!
//! usage: packed FILE.sinew TIMES (little-endian f64)

use sinew::LocalPose;
use sinew::batch::{FramesMut, sample_times};
use sinew::clip::packed::PackedFile;
use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() {
    let files: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    let [clip, times] = files.as_slice() else {
        eprintln!("usage: packed FILE.sinew TIMES");
        return;
    };
    let bytes = std::fs::read(clip).expect("the file of a clip");
    let times = std::fs::read(times).expect("the file of times");
    let times: Vec<f64> = times
        .as_chunks::<8>()
        .0
        .iter()
        .map(|b| f64::from_le_bytes(*b))
        .collect();
    let file = PackedFile::from_bytes(&bytes).expect("a packed file");
    let (clip, skeleton) = (&file.clips[0], &file.skeleton);
    let mut pose = LocalPose::identity(skeleton.len());
    let poses = least_ms(|| {
        for time in &times {
            clip.sample(*time, &mut pose);
            black_box(&pose);
        }
    });
    let arrays = least_ms(|| {
        let frames = times.len() * skeleton.len();
        let (mut rotations, mut translations) = (vec![[0.0; 4]; frames], vec![[0.0; 3]; frames]);
        let out = FramesMut {
            rotations: &mut rotations,
            translations: Some(&mut translations),
            scales: None,
        };
        sample_times(clip, skeleton, &times, out).expect("a clip of this skeleton");
        black_box((rotations, translations));
    });
    println!("{poses} {arrays}");
}

fn least_ms(mut work: impl FnMut()) -> f64 {
    let (mut least, end) = (f64::INFINITY, Instant::now() + Duration::from_secs(2));
    while Instant::now() < end {
        let start = Instant::now();
        work();
        least = least.min(1e3 * start.elapsed().as_secs_f64());
    }
    least
}
