//! dqsref/1: dual quaternion skinning by another program, with its matrices and weights.

use crate::Outcome;
use anyhow::{Context, Result, ensure};
use glam::{DVec3, Vec3};
use serde::Deserialize;
use sinew::skin::{DualQuatPalette, Vertices, VerticesMut, dual_quat};
use sinew::{Affine, Influences};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reference {
    skin_matrices: Vec<[f64; 16]>,
    rest_positions: Vec<[f64; 3]>,
    weights: Vec<Vec<f64>>,
    expected: Vec<[f64; 3]>,
}

pub fn run(text: &str) -> Result<Outcome> {
    let reference: Reference = serde_json::from_str(text).context("not in the dqsref/1 layout")?;
    let palette: Vec<Affine> = reference
        .skin_matrices
        .iter()
        .map(|m| Affine::from_cols_array(&m.map(|x| x as f32)))
        .collect();
    let lists: Vec<Vec<(u16, f32)>> = reference
        .weights
        .iter()
        .map(|row| (0..).zip(row.iter().map(|&w| w as f32)).collect())
        .collect();
    let (influences, _) = Influences::from_lists(&lists, palette.len())?;
    let to_vec3 = |p: &[f64; 3]| DVec3::from_array(*p).as_vec3();
    let rest: Vec<Vec3> = reference.rest_positions.iter().map(to_vec3).collect();
    // The matrices are rigid, so the bind positions of the joints have no effect.
    let palette = DualQuatPalette::from_matrices(&palette, &vec![Vec3::ZERO; palette.len()])
        .expect("a position for each matrix");
    let mut positions = rest.clone();
    let mut out = VerticesMut {
        positions: &mut positions,
        normals: None,
        tangents: None,
    };
    let bind = Vertices {
        positions: &rest,
        normals: None,
        tangents: None,
    };
    dual_quat(&palette, &influences, &bind, &mut out)?;
    let wanted = &reference.expected;
    ensure!(
        wanted.len() == positions.len(),
        "{} positions",
        wanted.len()
    );
    let (low, high) = wanted
        .iter()
        .map(|p| DVec3::from_array(*p))
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
            (low.min(p), high.max(p))
        });
    let errors = positions
        .iter()
        .zip(wanted)
        .map(|(found, wanted)| found.as_dvec3().distance(DVec3::from_array(*wanted)));
    let worst = errors.fold(0.0, f64::max);
    Ok(Outcome::Measured {
        error: worst / (high - low).length(),
        tolerance: 1e-5,
    })
}
