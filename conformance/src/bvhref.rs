//! bvhref/1: joint positions of a BVH file at a few frames. End Sites count as joints.

use crate::Outcome;
use anyhow::{Context, Result, ensure};
use glam::{DVec3, Vec3};
use serde::Deserialize;
use sinew::Method;
use std::path::Path;

/// Max error, relative to the skeleton's height.
const TOLERANCE: f64 = 1e-4;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reference {
    file: String,
    frames: usize,
    frame_time: f64,
    joints: Vec<Joint>,
    samples: Vec<Sample>,
}

#[derive(Deserialize)]
struct Joint {
    name: String,
    parent: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sample {
    frame: usize,
    world_position: Vec<[f64; 3]>,
    world_matrix0: [f64; 16],
}

pub fn run(folder: &Path, text: &str) -> Result<Outcome> {
    let reference: Reference = serde_json::from_str(text).context("not in the bvhref/1 layout")?;
    let import = sinew_io::import(folder.join(&reference.file))?;
    let character = import.character;
    ensure!(
        character.nodes.len() == reference.joints.len(),
        "{} joints",
        character.nodes.len()
    );
    for (node, joint) in character.nodes.iter().zip(&reference.joints) {
        let parent = usize::try_from(joint.parent).ok();
        let is_same = node.name == joint.name && node.parent == parent;
        ensure!(is_same, "joint {} is not {}", node.name, joint.name);
    }
    let clip = character.clips.first().context("no clip")?;
    let last = reference.frames.saturating_sub(1) as f64 * reference.frame_time;
    let off = (f64::from(clip.duration_secs) - last).abs();
    ensure!(off < 1e-6 * last.max(1.0), "{} s", clip.duration_secs);

    let first = reference.samples.first().context("no samples")?;
    let height = height(&first.world_position);
    let mut worst = 0.0_f64;
    for sample in &reference.samples {
        let time = sample.frame as f64 * reference.frame_time;
        let worlds = sinew::deform(&character, Some(0), time, Method::Linear)?.node_worlds;
        for (found, wanted) in worlds.iter().zip(&sample.world_position) {
            let found = found.transform_point(Vec3::ZERO).as_dvec3();
            worst = worst.max(found.distance(DVec3::from_array(*wanted)) / height);
        }
        let found = worlds[0].to_cols_array();
        let axes = found.iter().zip(&sample.world_matrix0).take(12);
        worst = axes.fold(worst, |worst, (found, wanted)| {
            worst.max((f64::from(*found) - wanted).abs())
        });
        ensure!(worst.is_finite(), "a position is not finite");
    }
    Ok(Outcome::Measured {
        error: worst,
        tolerance: TOLERANCE,
    })
}

/// Longest side of the bounding box of the joints. The reference does not state the up axis.
fn height(positions: &[[f64; 3]]) -> f64 {
    let positions = positions.iter().map(|p| DVec3::from_array(*p));
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = positions.fold(none, |(low, high), p| (low.min(p), high.max(p)));
    (high - low).max_element()
}
