//! Box around posed positions, computed while they are skinned.

use super::lanes::{load, store};
use crate::plan::Block;
use fearless_simd::f32x16;
use fearless_simd::prelude::*;
use fearless_simd_macros::simd;
use glam::Vec3;
use sinew_math::dispatch;
use sinew_math::simd::{LANES, Level, Row};

/// A box around posed vertices, with sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The corner with the lowest coordinates.
    pub min: Vec3,
    /// The corner with the highest coordinates.
    pub max: Vec3,
}

impl Bounds {
    /// The box around both boxes.
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct RowBounds {
    min: Block,
    max: Block,
}

impl RowBounds {
    pub const EMPTY: Self = Self {
        min: [Row([f32::INFINITY; LANES]); 3],
        max: [Row([f32::NEG_INFINITY; LANES]); 3],
    };

    pub fn add(&mut self, level: Level, blocks: &[Block]) {
        dispatch!(level, simd => widen(simd, self, blocks));
    }

    /// Bounds of both inputs.
    #[cfg(feature = "rayon")]
    pub fn union(&self, other: &Self) -> Self {
        let mut both = *self;
        for axis in 0..3 {
            for lane in 0..LANES {
                let (min, max) = (&mut both.min[axis].0[lane], &mut both.max[axis].0[lane]);
                *min = min.min(other.min[axis].0[lane]);
                *max = max.max(other.max[axis].0[lane]);
            }
        }
        both
    }

    pub fn finish(&self) -> Option<Bounds> {
        // Adding 0 turns -0 into 0, so that the order of vertices does not matter.
        let low = |row: &Row| {
            row.0
                .iter()
                .fold(f32::INFINITY, |m, &x| if x < m { x } else { m })
                + 0.0
        };
        let high = |row: &Row| {
            row.0
                .iter()
                .fold(f32::NEG_INFINITY, |m, &x| if x > m { x } else { m })
                + 0.0
        };
        let bounds = Bounds {
            min: Vec3::from_array([0, 1, 2].map(|axis| low(&self.min[axis]))),
            max: Vec3::from_array([0, 1, 2].map(|axis| high(&self.max[axis]))),
        };
        (bounds.min.x <= bounds.max.x).then_some(bounds)
    }
}

/// Lower of two values, or the second value if the first is NaN, as the x86 instruction does.
#[inline(always)]
fn lower<S: Simd>(x: f32x16<S>, than: f32x16<S>) -> f32x16<S> {
    if cfg!(target_arch = "x86_64") {
        x.min(than)
    } else {
        x.simd_lt(than).select(x, than)
    }
}

#[inline(always)]
fn higher<S: Simd>(x: f32x16<S>, than: f32x16<S>) -> f32x16<S> {
    if cfg!(target_arch = "x86_64") {
        x.max(than)
    } else {
        x.simd_gt(than).select(x, than)
    }
}

/// [`RowBounds::add`] for a known instruction set.
#[simd]
pub(crate) fn widen<S: Simd>(simd: S, bounds: &mut RowBounds, blocks: &[Block]) {
    let (mut min, mut max) = (load(simd, &bounds.min), load(simd, &bounds.max));
    for block in blocks {
        let p = load(simd, block);
        for axis in 0..3 {
            min[axis] = lower(p[axis], min[axis]);
            max[axis] = higher(p[axis], max[axis]);
        }
    }
    store(&mut bounds.min, min);
    store(&mut bounds.max, max);
}
