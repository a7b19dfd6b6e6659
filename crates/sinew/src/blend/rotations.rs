//! Rotations as vectors: axis times half the angle, the logarithm of the quaternion. Unlike
//! quaternions, vectors add in any order and scale at constant speed. Angles are halved until a
//! short series is exact to the last bit. Nothing is fused, so all machines give the same bits.

use crate::pose::BLOCK;
use fearless_simd::f32x16;
use fearless_simd::prelude::*;

pub(super) type Quats<S> = [f32x16<S>; 4];
pub(super) type Vectors<S> = [f32x16<S>; 3];

/// Squared length below which a sum of rotations counts as zero.
pub(super) const VANISHED: f32 = 1e-12;

#[inline(always)]
pub(super) fn load<S: Simd, const N: usize>(simd: S, rows: &[[f32; BLOCK]; N]) -> [f32x16<S>; N] {
    let mut lanes = [f32x16::splat(simd, 0.0); N];
    for n in 0..N {
        lanes[n] = f32x16::load_array_ref(simd, &rows[n]);
    }
    lanes
}

#[inline(always)]
pub(super) fn store<S: Simd, const N: usize>(lanes: [f32x16<S>; N], rows: &mut [[f32; BLOCK]; N]) {
    for n in 0..N {
        lanes[n].store_array(&mut rows[n]);
    }
}

#[inline(always)]
pub(super) fn add<S: Simd, const N: usize>(
    sum: &mut [f32x16<S>; N],
    lanes: [f32x16<S>; N],
    weight: f32x16<S>,
) {
    for n in 0..N {
        sum[n] += lanes[n] * weight;
    }
}

#[inline(always)]
pub(super) fn scaled<S: Simd, const N: usize>(
    lanes: [f32x16<S>; N],
    scale: f32x16<S>,
) -> [f32x16<S>; N] {
    let mut out = lanes;
    for n in 0..N {
        out[n] = lanes[n] * scale;
    }
    out
}

#[inline(always)]
pub(super) fn dot<S: Simd>(a: Quats<S>, b: Quats<S>) -> f32x16<S> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

#[inline(always)]
pub(super) fn mul<S: Simd>(a: Quats<S>, b: Quats<S>) -> Quats<S> {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

/// `a · b⁻¹` for unit `b`.
#[inline(always)]
pub(super) fn mul_inverse<S: Simd>(a: Quats<S>, b: Quats<S>) -> Quats<S> {
    mul(a, [-b[0], -b[1], -b[2], b[3]])
}

#[inline(always)]
pub(super) fn with_sign<S: Simd>(simd: S, q: Quats<S>, sign: f32x16<S>) -> Quats<S> {
    scaled(q, f32x16::splat(simd, 1.0).copysign(sign))
}

#[inline(always)]
fn polynomial<S: Simd, const N: usize>(simd: S, x: f32x16<S>, c: &[f32; N]) -> f32x16<S> {
    let mut sum = f32x16::splat(simd, c[N - 1]);
    for n in (0..N - 1).rev() {
        sum = sum * x + c[n];
    }
    sum
}

/// cos √x
const COS: [f32; 7] = [
    1.0,
    -1.0 / 2.0,
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40_320.0,
    -1.0 / 3_628_800.0,
    1.0 / 479_001_600.0,
];
/// sin √x / √x
const SINC: [f32; 7] = [
    1.0,
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5_040.0,
    1.0 / 362_880.0,
    -1.0 / 39_916_800.0,
    1.0 / 6_227_020_800.0,
];
/// atan √x / √x
const ATAN: [f32; 8] = [
    1.0,
    -1.0 / 3.0,
    1.0 / 5.0,
    -1.0 / 7.0,
    1.0 / 9.0,
    -1.0 / 11.0,
    1.0 / 13.0,
    -1.0 / 15.0,
];

/// Quaternion of a rotation vector. The angle is clamped to 360°.
#[inline(always)]
pub(super) fn exp<S: Simd>(simd: S, rotation_vector: Vectors<S>) -> Quats<S> {
    let [x, y, z] = rotation_vector;
    let square = x * x + y * y + z * z;
    let most = f32x16::splat(simd, std::f32::consts::PI);
    let is_over = square.simd_gt(most * most);
    let hold = is_over.select(most / square.sqrt(), f32x16::splat(simd, 1.0));
    // Square of a quarter of the angle, up to (90°)².
    let quarter = square * (hold * hold) * 0.25;
    let (sinc, cos) = (
        polynomial(simd, quarter, &SINC),
        polynomial(simd, quarter, &COS),
    );
    let along = sinc * cos * hold;
    let w = cos * cos * 2.0 - 1.0;
    [x * along, y * along, z * along, w]
}

/// Rotation vector of a nonzero quaternion, with its sign. Exact to the last bits up to 180°.
#[inline(always)]
pub(super) fn log<S: Simd>(q: Quats<S>) -> Vectors<S> {
    let [x, y, z, w] = q;
    let square = x * x + y * y + z * z;
    let past_cosine = (square + w * w).sqrt() + w;
    let tan_square = square / (past_cosine * past_cosine);
    // tan(h/4) = tan(h/2) / (1 + √(1 + tan²(h/2)))
    let halving = (tan_square + 1.0).sqrt() + 1.0;
    let series = polynomial(q[0].simd, tan_square / (halving * halving), &ATAN);
    let along = series * 4.0 / (past_cosine * halving);
    [x * along, y * along, z * along]
}
