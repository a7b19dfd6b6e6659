//! Vectors and quaternions in four lanes of `f32`, for solvers that run thousands of times a frame.
//! Sums have a fixed order and the same bits on all levels. Lane four of a vector is arbitrary.

use fearless_simd::f32x4;
use fearless_simd::prelude::*;

/// Vector of three numbers, with 0 in the fourth lane.
#[inline(always)]
pub fn vector<S: Simd>(simd: S, [x, y, z]: [f32; 3]) -> f32x4<S> {
    [x, y, z, 0.0].simd_into(simd)
}

#[inline(always)]
pub fn splat<S: Simd>(v: f32x4<S>, x: f32) -> f32x4<S> {
    f32x4::splat(v.token(), x)
}

/// Dot product of the first three lanes.
#[inline(always)]
pub fn dot<S: Simd>(a: f32x4<S>, b: f32x4<S>) -> f32 {
    let products: [f32; 4] = (a * b).into();
    products[0] + products[1] + products[2]
}

/// Dot product of four lanes.
#[inline(always)]
pub fn dot_quat<S: Simd>(a: f32x4<S>, b: f32x4<S>) -> f32 {
    let products: [f32; 4] = (a * b).into();
    (products[0] + products[2]) + (products[1] + products[3])
}

#[inline(always)]
fn yzx<S: Simd>(v: f32x4<S>) -> f32x4<S> {
    let simd = v.token();
    let [x, y, z, w]: [f32; 4] = v.into();
    [y, z, x, w].simd_into(simd)
}

/// Cross product. The fourth lane is 0 if all numbers are finite.
#[inline(always)]
pub fn cross<S: Simd>(a: f32x4<S>, b: f32x4<S>) -> f32x4<S> {
    yzx(a * yzx(b) - yzx(a) * b)
}

/// Product `q · v`, with the vector `v` as a quaternion whose w is 0.
#[inline(always)]
pub fn mul_vector<S: Simd>(q: f32x4<S>, v: f32x4<S>) -> f32x4<S> {
    mul_numbers(q, [v[0], v[1], v[2]])
}

/// Product `q · v`, with the vector `v` given as three numbers.
#[inline(always)]
pub fn mul_numbers<S: Simd>(q: f32x4<S>, [x, y, z]: [f32; 3]) -> f32x4<S> {
    let (x, y, z) = (splat(q, x), splat(q, y), splat(q, z));
    let [wzyx, zwxy, yxwz] = turned_lanes(q);
    let x = wzyx * (x * signs(q, [1.0, 1.0, -1.0, -1.0]));
    let y = zwxy * (y * signs(q, [-1.0, 1.0, 1.0, -1.0]));
    let z = yxwz * (z * signs(q, [1.0, -1.0, 1.0, -1.0]));
    x + y + z
}

/// Product `v · q`, with the vector `v` as a quaternion whose w is 0.
#[inline(always)]
pub fn vector_mul<S: Simd>(v: f32x4<S>, q: f32x4<S>) -> f32x4<S> {
    let [x, y, z] = components(v);
    let [wzyx, zwxy, yxwz] = turned_lanes(q);
    let x = wzyx * (x * signs(q, [1.0, -1.0, 1.0, -1.0]));
    let y = zwxy * (y * signs(q, [1.0, 1.0, -1.0, -1.0]));
    let z = yxwz * (z * signs(q, [-1.0, 1.0, 1.0, -1.0]));
    x + y + z
}

#[inline(always)]
fn signs<S: Simd>(v: f32x4<S>, signs: [f32; 4]) -> f32x4<S> {
    signs.simd_into(v.token())
}

#[inline(always)]
fn components<S: Simd>(v: f32x4<S>) -> [f32x4<S>; 3] {
    let simd = v.token();
    let [x, y, z, _]: [f32; 4] = v.into();
    [
        f32x4::splat(simd, x),
        f32x4::splat(simd, y),
        f32x4::splat(simd, z),
    ]
}

/// Lanes permuted as in products with i, j and k, without the signs.
#[inline(always)]
fn turned_lanes<S: Simd>(q: f32x4<S>) -> [f32x4<S>; 3] {
    let simd = q.token();
    let [x, y, z, w]: [f32; 4] = q.into();
    [
        [w, z, y, x].simd_into(simd),
        [z, w, x, y].simd_into(simd),
        [y, x, w, z].simd_into(simd),
    ]
}

/// `q · v · q⁻¹` for a unit quaternion.
#[inline(always)]
pub fn rotate<S: Simd>(q: f32x4<S>, v: f32x4<S>) -> f32x4<S> {
    let t = cross(q, v) + splat(q, q[3]) * v;
    v + splat(q, 2.0) * cross(q, t)
}
