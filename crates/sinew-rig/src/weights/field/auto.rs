//! Methods `auto` and `heat`: curves over joints, visible through the solid.
//! Weights by artists are mostly rigid and blend near joints. Bézier curves have that shape, but
//! choose the wrong bone near another limb. Diffusion through the solid respects gaps, but blurs.
//! So every cell and vertex gets the weights of its nearest visible curves. Diffusion then smooths
//! them over about three fifths of the distance to the bone.

use super::heat::diffuse;
use super::visibility::Visibility;
use crate::solid::Solid;
use crate::weights::pieces::bodies::Bodies;
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;
use glam::DVec3;

/// Number of cells along the longest side of the mesh, enough to separate limbs from the trunk.
const RESOLUTION: usize = 64;
const COARSEST: usize = 4;
/// Strength with which a cell keeps its weights. They spread over the distance to the bone / √2.5.
const AUTO_HOLD: f64 = 2.5;
const HEAT_HOLD: f64 = 1.0;

/// Max number of cells. A figure with limbs has a quarter of this number.
const MAX_CELLS: usize = 1 << 15;
/// Max number of cells per vertex, plus a few, as few vertices describe only a coarse shape.
const CELLS_PER_POINT: usize = 24;
const FEW_CELLS: usize = 256;
/// Assumed min fraction of its box that a solid fills, so that the first grid is not too fine.
const MIN_FILL: f64 = 1.0 / 16.0;
/// Max number of weights during diffusion: one per cell and joint.
const MAX_WEIGHTS: usize = 1 << 26;

/// Solid of a shape, coarser without limbs, with few vertices or with thousands of joints.
pub(crate) fn solid(shape: &Shape) -> Solid {
    let enough = FEW_CELLS + CELLS_PER_POINT * shape.points.len();
    let most = MAX_CELLS.min(enough).min(MAX_WEIGHTS / shape.joints.max(1));
    let (low, high) = shape.points.iter().fold(
        (DVec3::INFINITY, DVec3::NEG_INFINITY),
        |(low, high), &point| (low.min(point), high.max(point)),
    );
    let sides = (high - low) / (high - low).max_element();
    let cubes = sides
        .max(DVec3::splat(1.0 / RESOLUTION as f64))
        .element_product();
    let finest = (most as f64 / MIN_FILL / cubes).cbrt();
    let mut resolution = RESOLUTION.min(finest as usize).max(COARSEST);
    loop {
        let solid = Solid::new(&shape.points, &shape.triangles, resolution);
        let cells = solid.is_solid.iter().filter(|is_solid| **is_solid).count();
        if cells <= most || resolution <= COARSEST {
            return solid;
        }
        resolution = (resolution * 3 / 4).max(COARSEST);
    }
}

pub(crate) fn weights(shape: &Shape, bodies: &Bodies, watch: &dyn Fn(f64)) -> Rows {
    let mut sight = Visibility::new(shape, bodies);
    sight.measure_limbs(shape);
    let alone = |point: DVec3, rows: &mut Rows| sight.blend(point, rows);
    diffuse(shape, &bodies.solid, alone, AUTO_HOLD, watch)
}

pub(crate) fn heat(shape: &Shape, bodies: &Bodies, watch: &dyn Fn(f64)) -> Rows {
    let mut sight = Visibility::new(shape, bodies);
    let alone = |point: DVec3, rows: &mut Rows| sight.nearest_bone(point, rows);
    diffuse(shape, &bodies.solid, alone, HEAT_HOLD, watch)
}
