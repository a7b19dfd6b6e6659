//! Joint data in SIMD lanes of `f32`, for the fast paths (`quick`) of the two-bone and aim solvers.
//! A fast path needs free joints without scale and a reachable goal away from singularities. The
//! `f64` solvers handle all other cases, including NaN. The quaternions that rotate the direction
//! `from` to the direction `to` form a plane through zero. The map `q ↦ to · q · from⁻¹` is the
//! reflection in this plane. The normalized sum `q + to · q · from⁻¹` is therefore the rotation in
//! this plane that is nearest to `q`.

use crate::pose::{BLOCK, PoseBlock};
use fearless_simd::f32x4;
use fearless_simd::prelude::*;
use glam::Vec3;
use sinew_math::transform::Affine;
use sinew_math::transform::quat_lanes::{cross, dot, splat, vector};

/// Min product of lengths in the fast paths. Smaller products lose precision in `f32`.
pub(super) const TINY: f32 = 1e-30;

#[derive(Clone, Copy)]
pub(super) struct LaneIndex {
    pub block: usize,
    lane: usize,
}

impl LaneIndex {
    #[inline(always)]
    pub fn of(joint: usize) -> Self {
        Self {
            block: joint / BLOCK,
            lane: joint % BLOCK,
        }
    }

    #[inline(always)]
    pub fn translation<S: Simd>(self, simd: S, block: &PoseBlock) -> f32x4<S> {
        let [x, y, z] = &block.translation;
        vector(simd, [x[self.lane], y[self.lane], z[self.lane]])
    }

    #[inline(always)]
    pub fn rotation<S: Simd>(self, simd: S, block: &PoseBlock) -> f32x4<S> {
        let [x, y, z, w] = &block.rotation;
        [x[self.lane], y[self.lane], z[self.lane], w[self.lane]].simd_into(simd)
    }

    #[inline(always)]
    pub fn is_unscaled(self, block: &PoseBlock) -> bool {
        let [x, y, z] = &block.scale;
        let is_one = |row: &[f32; BLOCK]| row[self.lane].to_bits() == 1.0_f32.to_bits();
        is_one(x) && is_one(y) && is_one(z)
    }

    #[inline(always)]
    pub fn write<S: Simd>(self, blocks: &mut [PoseBlock], rotation: f32x4<S>) {
        if let Some(block) = blocks.get_mut(self.block) {
            let [x, y, z, w] = &mut block.rotation;
            let numbers: [f32; 4] = rotation.into();
            [x[self.lane], y[self.lane], z[self.lane], w[self.lane]] = numbers;
        }
    }
}

pub(super) struct Inverse<S: Simd> {
    origin: [f32; 3],
    columns: [f32x4<S>; 3],
    /// Determinant of the frame. `columns` hold the inverse times the determinant.
    determinant: f32,
    /// True unless the frame is mirrored or almost flat.
    pub is_usual: bool,
}

impl<S: Simd> Inverse<S> {
    #[inline(always)]
    pub fn new(simd: S, model_from_here: &Affine) -> Self {
        let [a, b, c] = &model_from_here.rows;
        let origin = [a[3], b[3], c[3]];
        let (a, b, c) = (
            f32x4::from_slice(simd, a),
            f32x4::from_slice(simd, b),
            f32x4::from_slice(simd, c),
        );
        let columns = [cross(b, c), cross(c, a), cross(a, b)];
        let determinant = dot(a, columns[0]);
        Self {
            origin,
            columns,
            determinant,
            is_usual: determinant > 0.0
                && determinant * determinant > 1e-2 * (dot(a, a) * dot(b, b) * dot(c, c)),
        }
    }

    /// Vector from `from`, a point in this frame, to `in_model`. The result is in this frame.
    #[inline(always)]
    pub fn point(&self, in_model: Vec3, from: f32x4<S>) -> f32x4<S> {
        let [a, b, c] = self.columns;
        let [x, y, z] = self.origin;
        let (x, y, z) = (in_model.x - x, in_model.y - y, in_model.z - z);
        let scaled = a * splat(a, x) + b * splat(a, y) + c * splat(a, z);
        scaled * splat(a, 1.0 / self.determinant) - from
    }
}
