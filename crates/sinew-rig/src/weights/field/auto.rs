//! `auto` and `heat`: curves over joints, and what a position sees of them through the solid.
//!
//! What an artist paints is mostly rigid, with a fall-off about joints. Bézier curves give that shape, and choose the
//! wrong bone where another limb is near; diffusion through the solid knows what is on this side of a gap, and blurs.
//! So every cell of the solid and every vertex gets the weights of the curves that it sees nearest, and diffusion
//! evens these out over about three fifths of the distance to the bone.

use super::heat::diffuse;
use super::visibility::Visibility;
use crate::solid::Solid;
use crate::weights::pieces::bodies::Bodies;
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;
use glam::DVec3;

/// Cells along the longest side of the mesh: enough to part the legs and the arms from the trunk.
const RESOLUTION: usize = 64;
/// The min of them.
const COARSEST: usize = 4;
/// The strength with which a cell holds on to its own weights: they spread over distance / √2.5.
const AUTO_HOLD: f64 = 2.5;
/// The same for plain heat, as Baran and Popović have it.
const HEAT_HOLD: f64 = 1.0;

/// Cells that are enough for any shape; a figure with limbs has a quarter of them.
const MAX_CELLS: usize = 1 << 15;
/// Cells that are enough for few vertices, which say little about a shape: so many for each, and a few to begin with.
const CELLS_PER_POINT: usize = 24;
const FEW_CELLS: usize = 256;
/// The min part of its box that a solid fills, to begin no finer than need be.
const MIN_FILL: f64 = 1.0 / 16.0;
/// Weights that diffusion may hold at once, a number for every cell and joint.
const MAX_WEIGHTS: usize = 1 << 26;

/// The solid, coarser for shapes without limbs, of few vertices and for skeletons of thousands of joints.
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
    // At least the coarsest also where there is no size.
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

/// Curves where a position sees them, evened out.
pub(crate) fn weights(shape: &Shape, bodies: &Bodies, watch: &dyn Fn(f64)) -> Rows {
    let mut sight = Visibility::new(shape, bodies);
    sight.measure_limbs(shape);
    let alone = |point: DVec3, rows: &mut Rows| sight.blend(point, rows);
    diffuse(shape, &bodies.solid, alone, AUTO_HOLD, watch)
}

/// Heat from the one bone that a position sees nearest.
pub(crate) fn heat(shape: &Shape, bodies: &Bodies, watch: &dyn Fn(f64)) -> Rows {
    let mut sight = Visibility::new(shape, bodies);
    let alone = |point: DVec3, rows: &mut Rows| sight.nearest_bone(point, rows);
    diffuse(shape, &bodies.solid, alone, HEAT_HOLD, watch)
}
