//! Jobs on poses, beside plain loops over `Transform`s.

use super::{Row, seconds};
use anyhow::Result;
use glam::{Quat, Vec3};
use sinew::blend::{BlendJob, Layer};
use sinew::simd::Level;
use sinew::{LocalPose, Transform};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Two poses by weight.
pub const BLEND: &str = "pose/blend";

/// As many as a game character of today has.
const JOINTS: usize = 67;

/// Poses that are blended in one measurement, so that reading the clock is nothing beside it.
const REPEATS: usize = 64;

/// Smooth turns, other ones for every seed.
fn transforms(seed: f32) -> Vec<Transform> {
    let joint = |j: usize| {
        let phase = seed + j as f32;
        Transform {
            translation: Vec3::new(phase.sin(), phase.cos(), 0.5),
            rotation: Quat::from_rotation_x(phase.sin()) * Quat::from_rotation_y(0.3 * seed),
            scale: Vec3::ONE,
        }
    };
    (0..JOINTS).map(joint).collect()
}

pub fn blend(level: Level, budget: Duration) -> Result<Row> {
    let (a, b, mut out) = (transforms(0.1), transforms(0.7), transforms(0.0));
    let [rest, pose_a, pose_b] = [&out, &a, &b].map(|t| LocalPose::from_transforms(t));
    let mut blended = rest.clone();
    let mut ours = || -> Result<()> {
        let mut layers = [Layer::new(&pose_a, 0.7), Layer::new(&pose_b, 0.3)];
        let job = BlendJob::new(&rest, black_box(&mut layers));
        BlendJob { level, ..job }.run(black_box(&mut blended))?;
        Ok(())
    };
    ours()?;
    // It ran once already, so it runs.
    let mut many = || (0..REPEATS).for_each(|_| _ = ours());
    let mut plain = || {
        for _ in 0..REPEATS {
            let (a, b) = black_box((&a, &b));
            for ((a, b), out) in a.iter().zip(b).zip(&mut out) {
                *out = Transform {
                    translation: a.translation.lerp(b.translation, 0.3),
                    rotation: a.rotation.lerp(b.rotation, 0.3),
                    scale: a.scale.lerp(b.scale, 0.3),
                };
            }
            black_box(&mut out);
        }
    };
    let (mut job, mut glam) = (f64::INFINITY, f64::INFINITY);
    let begin = Instant::now();
    while begin.elapsed() < budget || job.is_infinite() {
        job = job.min(seconds(&mut many));
        glam = glam.min(seconds(&mut plain));
    }
    Ok(Row {
        name: BLEND.to_owned(),
        influences: None,
        items: JOINTS,
        ns_per_item: job * 1e9 / (REPEATS * JOINTS) as f64,
        times_copy: None,
        times_glam: job / glam,
        level: level.name(),
    })
}
