//! Arithmetic on joints in lanes of `f32`. No operation is fused, so every instruction set gives
//! the same bits. There are no closures: a call that is not inlined costs ten times the work.

use fearless_simd::prelude::*;
use sinew_math::simd::{LANES, Row, transposed_blocks};
use sinew_math::transform::Affine;

pub(super) type Linear<V> = [V; 9];

/// Squared step of Newton's iteration below which the next step is only rounding.
const LAST_STEP: f32 = 1e-7;

/// Max number of Newton steps. Only nearly flat maps take so many.
const MAX_STEPS: usize = 12;

#[inline(always)]
pub(super) fn load<S: Simd, V: SimdFloat<S, Element = f32>, const N: usize>(
    simd: S,
    rows: &[Row],
    first: usize,
) -> [V; N] {
    let mut some = [V::splat(simd, 0.0); N];
    for i in 0..N {
        some[i] = V::from_slice(simd, &rows[i].0[first..first + V::LEN]);
    }
    some
}

#[inline(always)]
pub(super) fn store<S: Simd, V: SimdFloat<S, Element = f32>, const N: usize>(
    rows: &mut [Row],
    first: usize,
    values: [V; N],
) {
    for i in 0..N {
        values[i].store_slice(&mut rows[i].0[first..first + V::LEN]);
    }
}

/// Row of four numbers of each of as many maps as a vector has lanes: all first numbers, all second, all third, all
/// fourth.
#[inline(always)]
pub(super) fn columns<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    maps: &[&Affine; LANES],
    row: usize,
) -> [V; 4] {
    let mut fours = [V::splat(simd, 0.0); 4];
    for k in 0..4 {
        let mut lanes = [0.0; LANES];
        for block in 0..V::LEN / 4 {
            let four = &maps[4 * block + k].rows[row];
            lanes[4 * block..4 * block + 4].copy_from_slice(four);
        }
        fours[k] = V::from_slice(simd, &lanes[..V::LEN]);
    }
    transposed_blocks(simd, fours)
}

/// Real parts of the motions of as many joints as a vector has lanes: x, y, z and w.
#[inline(always)]
pub(super) fn quaternions<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    motions: &[[f32; 8]],
    which: &[usize],
) -> [V; 4] {
    let mut fours = [V::splat(simd, 0.0); 4];
    for k in 0..4 {
        let mut lanes = [0.0; LANES];
        for block in 0..V::LEN / 4 {
            let four = &motions[which[4 * block + k]][..4];
            lanes[4 * block..4 * block + 4].copy_from_slice(four);
        }
        fours[k] = V::from_slice(simd, &lanes[..V::LEN]);
    }
    transposed_blocks(simd, fours)
}

/// Writes four numbers of each of as many joints as a vector has lanes, into rows of `N` numbers from `first`. Stops at
/// the last row.
#[inline(always)]
pub(super) fn write_fours<S: Simd, V: SimdFloat<S, Element = f32>, const N: usize>(
    simd: S,
    numbers: [V; 4],
    out: &mut [[f32; N]],
    first: usize,
) {
    let fours = transposed_blocks(simd, numbers);
    for block in 0..V::LEN / 4 {
        for k in 0..4 {
            if let Some(out) = out.get_mut(4 * block + k) {
                let four = &fours[k].as_slice()[4 * block..4 * block + 4];
                out[first..first + 4].copy_from_slice(four);
            }
        }
    }
}

#[inline(always)]
pub(super) fn dot<S: Simd, V: SimdFloat<S, Element = f32>>(a: [V; 3], b: [V; 3]) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) fn cross<S: Simd, V: SimdFloat<S, Element = f32>>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// ½ t q for a vector t.
#[inline(always)]
pub(super) fn half_product<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    t: [V; 3],
    q: [V; 4],
) -> [V; 4] {
    let half = V::splat(simd, 0.5);
    let t = [t[0] * half, t[1] * half, t[2] * half];
    [
        t[0] * q[3] + t[1] * q[2] - t[2] * q[1],
        t[1] * q[3] + t[2] * q[0] - t[0] * q[2],
        t[2] * q[3] + t[0] * q[1] - t[1] * q[0],
        -(t[0] * q[0] + t[1] * q[1] + t[2] * q[2]),
    ]
}

#[inline(always)]
pub(super) fn scaled<S: Simd, V: SimdFloat<S, Element = f32>>(
    mut m: Linear<V>,
    by: V,
) -> Linear<V> {
    for i in 0..9 {
        m[i] *= by;
    }
    m
}

/// The inverse, transposed, times the determinant.
#[inline(always)]
fn cofactors<S: Simd, V: SimdFloat<S, Element = f32>>(m: &Linear<V>) -> Linear<V> {
    let (x, y, z) = ([m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]]);
    let (a, b, c) = (cross(y, z), cross(z, x), cross(x, y));
    [a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]]
}

#[inline(always)]
pub(super) fn determinant<S: Simd, V: SimdFloat<S, Element = f32>>(m: &Linear<V>) -> V {
    let (x, y, z) = ([m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]]);
    dot(x, cross(y, z))
}

#[inline(always)]
fn column<S: Simd, V: SimdFloat<S, Element = f32>>(m: &Linear<V>, i: usize) -> [V; 3] {
    [m[i], m[3 + i], m[6 + i]]
}

/// A third of the sum of squares of a map, and the max difference of `AᵀA` from that times I.
#[inline(always)]
pub(super) fn mean_square<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    m: &Linear<V>,
) -> (V, V) {
    let (x, y, z) = (column(m, 0), column(m, 1), column(m, 2));
    let (xx, yy, zz) = (dot(x, x), dot(y, y), dot(z, z));
    let mean = (xx + yy + zz) * V::splat(simd, 1.0 / 3.0);
    let across = dot(x, y).abs().max(dot(x, z).abs());
    let across = across.max(dot(y, z).abs());
    let along = (xx - mean).abs().max((yy - mean).abs());
    (mean, across.max(along).max((zz - mean).abs()))
}

/// Nearest rotation to each map with a positive determinant, in the chosen lanes. Other lanes keep
/// the map. Newton's iteration X ← (X + X⁻ᵀ)/2 (Higham 1986); each lane stops separately.
#[inline(always)]
pub(super) fn nearest_rotation<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    map: Linear<V>,
    requested: V::Mask,
) -> Linear<V> {
    let (mut x, mut is_moving) = (map, requested);
    let half = V::splat(simd, 0.5);
    for _ in 0..MAX_STEPS {
        let cof = cofactors(&x);
        let det = dot([x[0], x[1], x[2]], [cof[0], cof[1], cof[2]]);
        let inverse = half / det;
        let mut step = V::splat(simd, 0.0);
        for i in 0..9 {
            let next = x[i] * half + cof[i] * inverse;
            let change = next - x[i];
            step += change * change;
            x[i] = is_moving.select(next, x[i]);
        }
        is_moving &= step.simd_gt(V::splat(simd, LAST_STEP));
        if is_moving.all_false() {
            break;
        }
    }
    x
}

/// Upper triangle of (`RᵀA` + `AᵀR`)/2, times a number.
#[inline(always)]
pub(super) fn symmetric_part<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    r: &Linear<V>,
    a: &Linear<V>,
    by: V,
) -> [V; 6] {
    let half = by * V::splat(simd, 0.5);
    let (r0, r1, r2) = (column(r, 0), column(r, 1), column(r, 2));
    let (a0, a1, a2) = (column(a, 0), column(a, 1), column(a, 2));
    [
        dot(r0, a0) * by,
        (dot(r0, a1) + dot(r1, a0)) * half,
        (dot(r0, a2) + dot(r2, a0)) * half,
        dot(r1, a1) * by,
        (dot(r1, a2) + dot(r2, a1)) * half,
        dot(r2, a2) * by,
    ]
}

/// The cube root of numbers in [0.05, 1], by Halley's iteration. Each step cubes the error.
#[inline(always)]
pub(super) fn cube_root<S: Simd, V: SimdFloat<S, Element = f32>>(simd: S, x: V) -> V {
    let mut root = x * V::splat(simd, 0.65) + V::splat(simd, 0.37);
    for _ in 0..2 {
        let cube = root * root * root;
        root *= (cube + x + x) / (cube + cube + x);
    }
    root
}

/// The unit quaternion of a rotation, from its largest component (Shepperd 1978).
#[inline(always)]
pub(super) fn quaternion<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    m: &Linear<V>,
) -> [V; 4] {
    let one = V::splat(simd, 1.0);
    let (p, q, r) = (m[7] - m[5], m[2] - m[6], m[3] - m[1]);
    let (a, b, c) = (m[1] + m[3], m[2] + m[6], m[5] + m[7]);
    let (sum, difference) = (m[4] + m[8], m[4] - m[8]);
    let (more, less) = (one + m[0], one - m[0]);
    let (w, x, y, z) = (more + sum, more - sum, less + difference, less - difference);
    let (is_x, is_z) = (x.simd_gt(w), z.simd_gt(y));
    let mut from_w = [p, q, r, w];
    let mut from_y = [a, y, c, q];
    let (from_x, from_z) = ([x, a, b, p], [b, c, z, r]);
    for i in 0..4 {
        from_w[i] = is_x.select(from_x[i], from_w[i]);
        from_y[i] = is_z.select(from_z[i], from_y[i]);
    }
    let is_y = is_z.select(z, y).simd_gt(is_x.select(x, w));
    let mut out = from_w;
    for i in 0..4 {
        out[i] = is_y.select(from_y[i], from_w[i]);
    }
    let square = out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3];
    let scale = one / square.sqrt();
    for i in 0..4 {
        out[i] *= scale;
    }
    out
}
