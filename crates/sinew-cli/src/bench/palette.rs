//! Palettes of the mannequin by method, with joints that are rigid, scaled uniformly, scaled differently or sheared.

use super::table::{Bench, Row};
use anyhow::{Context, Result};
use glam::Vec3;
use sinew::skin::{DualQuatPalette, Palette};
use sinew::{Affine, LocalPose, ModelPose, sample};
use sinew_samples::mannequin::Mannequin;
use std::hint::black_box;

const KINDS: [&str; 4] = ["rigid", "uniform", "uneven", "sheared"];
const METHODS: [&str; 2] = ["lbs", "dqs"];
/// Number of calls that are timed together, because one call takes little longer than reading the clock.
const CALLS: usize = 16;

pub fn run(bench: &mut Bench<'_>) -> Result<()> {
    for kind in KINDS {
        let names = METHODS.map(|method| format!("palette/{kind}/{method}"));
        let wanted = [bench.wants(&names[0]), bench.wants(&names[1])];
        if !wanted.contains(&true) {
            continue;
        }
        let (items, secs) = times(bench, kind)?;
        for (case, name) in names.into_iter().enumerate() {
            if wanted[case] {
                bench.add(Row {
                    name,
                    items,
                    ns_per_item: secs[case] * 1e9 / items as f64,
                    times_linear: Some(secs[case] / secs[0]),
                    level: bench.level.name(),
                    ..Row::default()
                });
            }
        }
    }
    Ok(())
}

fn times(bench: &Bench<'_>, kind: &str) -> Result<(usize, [f64; 2])> {
    let character = Mannequin::default().build();
    let (skeleton, skin) = (&character.skeleton, &character.skins[0]);
    let walk = character.find_clip("walk").context("the mannequin walks")?;
    let mut local = LocalPose::identity(skeleton.len());
    sample(&character.clips[walk], skeleton, 0.3, &mut local)?;
    for joint in 0..skeleton.len() {
        let sign = if joint % 2 == 0 { 1.0 } else { -1.0 };
        let scale = match kind {
            "rigid" => Vec3::ONE,
            "uniform" => Vec3::splat(if joint == 0 { 0.01 } else { 1.0 }),
            "uneven" => Vec3::splat(1.0 + 0.05 * sign),
            _ => Vec3::new(1.0 + 0.05 * sign, 1.0 - 0.03 * sign, 1.0),
        };
        local.set_scale(joint, scale);
    }
    let mut pose = ModelPose::identity(0);
    pose.update(skeleton.hierarchy(), &local, &Affine::IDENTITY)?;
    let mut matrices = Palette::default();
    let mut dual =
        DualQuatPalette::new(skeleton.hierarchy(), skeleton.rest_model().as_slice(), skin)?;
    let level = bench.level;
    let secs = bench.fastest([
        &mut || {
            for _ in 0..CALLS {
                let done =
                    black_box(&mut matrices).update_at(level, skin, black_box(pose.as_slice()));
                done.expect("of this skeleton");
            }
        },
        &mut || {
            for _ in 0..CALLS {
                let done = black_box(&mut dual).update_at(level, black_box(pose.as_slice()));
                done.expect("of this skeleton");
            }
        },
    ]);
    Ok((skin.joints.len(), secs.map(|secs| secs / CALLS as f64)))
}
