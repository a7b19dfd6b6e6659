//! skinref/1: node matrices and skinned vertices of a glTF file at a few times.

use crate::Outcome;
use anyhow::{Context, Result, bail, ensure};
use glam::DVec3;
use serde::Deserialize;
use sinew::{Affine, Deformed, Method};
use sinew_io::gltf::accessor::Decoder;
use sinew_io::gltf::load::{Container, load};
use sinew_io::gltf::schema::{Interpolation, TargetPath};
use std::path::Path;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reference {
    file: String,
    clip: Option<ClipName>,
    vertex_stride: usize,
    meshes: Vec<MeshName>,
    node_indices: Vec<usize>,
    samples: Vec<Sample>,
}

#[derive(Deserialize)]
struct ClipName {
    index: usize,
    duration: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MeshName {
    node: usize,
    mesh: usize,
    primitive: usize,
    vertex_count: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sample {
    t: f64,
    node_world: Vec<[f64; 16]>,
    meshes: Vec<MeshSample>,
}

#[derive(Deserialize)]
struct MeshSample {
    min: [f64; 3],
    max: [f64; 3],
    positions: Vec<f64>,
}

pub fn run(folder: &Path, text: &str) -> Result<Outcome> {
    let reference: Reference = serde_json::from_str(text).context("not in the skinref/1 layout")?;
    let path = folder.join(&reference.file);
    let import = sinew_io::gltf::import(&path)?;
    let character = import.character;
    let clip = reference.clip.as_ref();
    if let Some(clip) = clip {
        let ours = character.clips.get(clip.index).context("no such clip")?;
        let off = (f64::from(ours.duration_secs) - clip.duration).abs();
        ensure!(off < 1e-6, "clip lasts {} s", ours.duration_secs);
    }
    let extent = extent(&reference);
    let mut worst = 0.0_f64;
    for sample in &reference.samples {
        let deformed = sinew::deform(&character, clip.map(|c| c.index), sample.t, Method::Linear)?;
        worst = worst.max(mesh_error(&reference, sample, &deformed)? / extent);
        for (&node, wanted) in reference.node_indices.iter().zip(&sample.node_world) {
            let found = deformed.node_worlds.get(node).context("no such node")?;
            worst = worst.max(matrix_error(found, wanted, extent));
        }
    }
    // The reference does not normalise rotation keys that were rounded.
    let tolerance = if keys_off_unit(&path)? > 1e-5 {
        5e-4
    } else {
        1e-5
    };
    Ok(Outcome::Measured {
        error: worst,
        tolerance,
    })
}

/// Max deviation from 1 of the length of the rotation keys in a file.
fn keys_off_unit(path: &Path) -> Result<f64> {
    let bytes = std::fs::read(path)?;
    let loaded = load(&bytes, Container::of_path(path), path.parent())?;
    let (mut report, mut budget) = (loaded.report, loaded.budget);
    let mut decoder = Decoder::new(&loaded.document, &loaded.buffers, &mut budget, &mut report);
    let mut worst = 0.0_f64;
    for animation in &loaded.document.animations {
        for channel in &animation.channels {
            let target = channel.target.as_ref().and_then(|t| t.path);
            let sampler = channel
                .sampler
                .and_then(|s| animation.samplers.get(s as usize));
            let (Some(TargetPath::Rotation), Some(sampler)) = (target, sampler) else {
                continue;
            };
            let Some(output) = sampler.output else {
                continue;
            };
            // A cubic key has an in-tangent, a value and an out-tangent.
            let is_cubic = sampler.interpolation == Some(Interpolation::CubicSpline);
            let keys = decoder.elements::<[f32; 4], f32>(output)?;
            let keys = keys
                .iter()
                .enumerate()
                .filter(|(i, _)| !is_cubic || i % 3 == 1);
            for (_, key) in keys {
                let square: f64 = key.iter().map(|&x| f64::from(x).powi(2)).sum();
                worst = worst.max((square.sqrt() - 1.0).abs());
            }
        }
    }
    Ok(worst)
}

fn extent(reference: &Reference) -> f64 {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for mesh in reference.samples.iter().flat_map(|s| &s.meshes) {
        low = low.min(DVec3::from_array(mesh.min));
        high = high.max(DVec3::from_array(mesh.max));
    }
    let diagonal = (high - low).length();
    if diagonal.is_finite() && diagonal > 0.0 {
        diagonal
    } else {
        1.0
    }
}

fn mesh_error(reference: &Reference, sample: &Sample, deformed: &Deformed) -> Result<f64> {
    let mut worst = 0.0_f64;
    for (name, wanted) in reference.meshes.iter().zip(&sample.meshes) {
        let found = deformed
            .primitives
            .iter()
            .find(|p| (p.node, p.mesh, p.primitive) == (name.node, name.mesh, name.primitive));
        let Some(found) = found else {
            bail!("node {} carries no primitive {}", name.node, name.primitive);
        };
        let count = found.positions.len();
        ensure!(count == name.vertex_count, "{count} vertices");
        let wanted = wanted.positions.chunks_exact(3);
        let listed = name.vertex_count.div_ceil(reference.vertex_stride);
        ensure!(
            wanted.len() == listed,
            "{} reference positions",
            wanted.len()
        );
        let found = found.positions.iter().step_by(reference.vertex_stride);
        for (found, wanted) in found.zip(wanted) {
            let error = found.as_dvec3().distance(DVec3::from_slice(wanted));
            ensure!(error.is_finite(), "a position is not finite");
            worst = worst.max(error);
        }
    }
    Ok(worst)
}

/// Error of the translation relative to the extent, or of the linear part relative to its size.
fn matrix_error(found: &Affine, wanted: &[f64; 16], extent: f64) -> f64 {
    let found = found.to_cols_array();
    let size = wanted[..12].iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let errors = found.iter().zip(wanted).enumerate();
    errors.fold(0.0, |worst, (place, (found, wanted))| {
        let unit = if place < 12 {
            size
        } else {
            extent.max(wanted.abs())
        };
        worst.max((f64::from(*found) - wanted).abs() / unit)
    })
}
