//! Forward kinematics of sixteen characters in SIMD lanes. Each number of a joint is a row of
//! sixteen, so no shuffles are needed. The order of operations is that of [`super::forward`].

use fearless_simd::f32x16;
use fearless_simd::prelude::*;
use fearless_simd_macros::simd;
use sinew_math::hierarchy::Hierarchy;
use sinew_math::simd::Row;
use sinew_math::transform::Affine;
use std::ops::{Add, Mul, Sub};

pub(crate) type LocalLanes = [Row; 10];
/// The 3×4 map of a joint by rows, for sixteen characters.
pub(crate) type ModelLanes = [Row; 12];

pub(crate) fn read_one(models: &[ModelLanes], lane: usize, out: &mut [Affine]) {
    for (out, joint) in out.iter_mut().zip(models) {
        for (x, row) in out.rows.as_flattened_mut().iter_mut().zip(joint) {
            *x = row.0[lane];
        }
    }
}

#[inline(always)]
pub(super) fn transpose<S: Simd, V: SimdBase<S>>([a, b, c, d]: [V; 4]) -> [V; 4] {
    let (ac, bd) = (a.zip_low(c), b.zip_low(d));
    let (ac_high, bd_high) = (a.zip_high(c), b.zip_high(d));
    [
        ac.zip_low(bd),
        ac.zip_high(bd),
        ac_high.zip_low(bd_high),
        ac_high.zip_high(bd_high),
    ]
}

#[simd]
pub(crate) fn forward<S: Simd>(
    simd: S,
    hierarchy: &Hierarchy,
    locals: &[LocalLanes],
    model_from_root: &Affine,
    models: &mut [ModelLanes],
) {
    let load = |row: &Row| f32x16::from_slice(simd, &row.0);
    for (joint, local) in locals.iter().enumerate() {
        let translation = [load(&local[0]), load(&local[1]), load(&local[2])];
        let rotation = [
            load(&local[3]),
            load(&local[4]),
            load(&local[5]),
            load(&local[6]),
        ];
        let scale = [load(&local[7]), load(&local[8]), load(&local[9])];
        let b = linear_rows(simd, rotation, scale);
        let (before, rest) = models.split_at_mut(joint);
        let parent = hierarchy.parent(joint).map(|parent| &before[parent]);
        for i in 0..3 {
            let splat = |k: usize| f32x16::splat(simd, model_from_root.rows[i][k]);
            let a = match parent {
                Some(parent) => [
                    load(&parent[4 * i]),
                    load(&parent[4 * i + 1]),
                    load(&parent[4 * i + 2]),
                    load(&parent[4 * i + 3]),
                ],
                None => [splat(0), splat(1), splat(2), splat(3)],
            };
            for k in 0..3 {
                let sum = (a[0] * b[0][k] + a[1] * b[1][k]) + a[2] * b[2][k];
                sum.store_slice(&mut rest[0][4 * i + k].0);
            }
            let first = a[0] * translation[0] + a[1] * translation[1];
            let sum = first + (a[2] * translation[2] + a[3]);
            sum.store_slice(&mut rest[0][4 * i + 3].0);
        }
    }
}

/// Matrices of rotations and scales, as in [`Transform::to_affine`](crate::Transform::to_affine).
#[inline(always)]
pub(super) fn linear_rows<S: Simd, V>(
    simd: S,
    [x, y, z, w]: [V; 4],
    [sx, sy, sz]: [V; 3],
) -> [[V; 3]; 3]
where
    V: SimdBase<S, Element = f32> + Add<Output = V> + Sub<Output = V> + Mul<Output = V>,
{
    let one = V::splat(simd, 1.0);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    [
        [(one - (yy + zz)) * sx, (xy - wz) * sy, (xz + wy) * sz],
        [(xy + wz) * sx, (one - (xx + zz)) * sy, (yz - wx) * sz],
        [(xz - wy) * sx, (yz + wx) * sy, (one - (xx + yy)) * sz],
    ]
}
