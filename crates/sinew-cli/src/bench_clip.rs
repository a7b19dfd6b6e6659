//! Rows of `sinew bench` for clips: a pose from a packed clip, forward and from anywhere, beside a plain
//! loop over frames that were never packed.

use anyhow::Result;
use sinew::LocalPose;
use sinew::clip::packed::{PackOptions, PackedClip, pack};
use sinew::examples::MotionLoad;
use sinew::pose::{BLOCK, PoseBlock};
use sinew::simd::Level;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Ten seconds at sixty a second.
const FRAMES: usize = 600;
const TIMES: usize = 512;

pub const NAMES: [&str; 2] = ["clip/decode/forward", "clip/decode/random"];

/// Seconds a pose, packed and plain, and how many joints it has.
pub struct Timing {
    pub packed_secs: f64,
    pub plain_secs: f64,
    pub joints: usize,
    pub level: Level,
}

pub fn decode(name: &str, level: Option<Level>, budget: Duration) -> Result<Timing> {
    let load = MotionLoad::new(FRAMES);
    let packed = pack(&load.skeleton, &load.clip, &PackOptions::default())?;
    let clip = match level {
        Some(level) => packed.clip.at_level(level),
        None => packed.clip,
    };
    let duration = f64::from(clip.duration_secs());
    let times: Vec<f64> = (0..TIMES)
        .map(|n| match name.ends_with("random") {
            true => (n as f64 * 0.618_033_988_75).fract() * duration,
            false => n as f64 / TIMES as f64 * duration,
        })
        .collect();
    let mut pose = LocalPose::identity(clip.joints());
    let mut plain = PlainFrames::new(&clip);
    let (mut packed_secs, mut plain_secs) = (f64::INFINITY, f64::INFINITY);
    let begin = Instant::now();
    // In turn, so that a slow moment of the machine falls on both alike.
    while begin.elapsed() < budget || packed_secs.is_infinite() {
        packed_secs = packed_secs.min(seconds(|| {
            for &time in &times {
                clip.sample(black_box(time), &mut pose);
                black_box(&mut pose);
            }
        }));
        plain_secs = plain_secs.min(seconds(|| {
            for &time in &times {
                plain.sample(black_box(time));
            }
        }));
    }
    Ok(Timing {
        packed_secs: packed_secs / TIMES as f64,
        plain_secs: plain_secs / TIMES as f64,
        joints: clip.joints(),
        level: clip.level(),
    })
}

fn seconds(job: impl FnOnce()) -> f64 {
    let start = Instant::now();
    job();
    start.elapsed().as_secs_f64()
}

/// What a Rust user writes by hand today: every frame as it is, two of them interpolated.
struct PlainFrames {
    blocks: Vec<PoseBlock>,
    per_frame: usize,
    frames_per_sec: f64,
    out: Vec<PoseBlock>,
}

impl PlainFrames {
    fn new(clip: &PackedClip<'_>) -> Self {
        let mut pose = LocalPose::identity(clip.joints());
        let mut blocks = Vec::new();
        for frame in 0..clip.frames() {
            clip.sample(frame as f64 / clip.frames_per_sec(), &mut pose);
            blocks.extend_from_slice(pose.blocks());
        }
        Self {
            per_frame: pose.blocks().len(),
            frames_per_sec: clip.frames_per_sec(),
            out: pose.blocks().to_vec(),
            blocks,
        }
    }

    fn sample(&mut self, time_secs: f64) {
        let place = time_secs * self.frames_per_sec;
        let frame = (place as usize).min(self.blocks.len() / self.per_frame - 2);
        let t = (place - frame as f64) as f32;
        let (first, second) =
            self.blocks[frame * self.per_frame..][..2 * self.per_frame].split_at(self.per_frame);
        for ((a, b), out) in first.iter().zip(second).zip(&mut self.out) {
            for c in 0..3 {
                for l in 0..BLOCK {
                    let (x, y) = (a.translation[c][l], b.translation[c][l]);
                    out.translation[c][l] = x + (y - x) * t;
                    let (x, y) = (a.scale[c][l], b.scale[c][l]);
                    out.scale[c][l] = x + (y - x) * t;
                }
            }
            let mut square = [0.0; BLOCK];
            for c in 0..4 {
                for l in 0..BLOCK {
                    let (x, y) = (a.rotation[c][l], b.rotation[c][l]);
                    let along = x + (y - x) * t;
                    out.rotation[c][l] = along;
                    square[l] += along * along;
                }
            }
            for square in &mut square {
                *square = 1.0 / square.sqrt();
            }
            for row in &mut out.rotation {
                for (value, over_length) in row.iter_mut().zip(square) {
                    *value *= over_length;
                }
            }
        }
        black_box(&mut self.out);
    }
}
