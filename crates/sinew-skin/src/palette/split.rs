//! Splits the maps of sixteen joints into rotations, stretches and scales, for kernels.
//!
//! Let m² be a third of the sum of squares of a map, and A the map divided by m. If |`AᵀA` − I| is
//! only rounding, A is a rotation and σ = m. Otherwise the rotation is the one nearest to A, and σ
//! is m times the cube root of A's determinant. Mirrored maps are negated first.

use super::block::{CENTRE, JointBlock, POSITION, ROTATION, SCALE, STRETCH, UNIFORM};
use super::joint::ROTATION_TOLERANCE;
use super::lanes::{
    Linear, columns, cube_root, determinant, dot, half_product, load, mean_square,
    nearest_rotation, quaternion, quaternions, scaled, store, symmetric_part, write_fours,
};
use fearless_simd::f32x8;
use fearless_simd::prelude::*;
use sinew_math::simd::{LANES, Row};
use sinew_math::transform::Affine;

/// Product of two unit quaternions below which a fixed tilt chooses the sign: nearly half a rotation.
pub(super) const MIN_SIDE: f32 = 1e-4;

/// Count of numbers per joint: q and ½ d q; the upper triangle of S, and −S c; c; σ; ½ q c.
pub(crate) const NUMBERS: usize = 25;

/// The maps of sixteen joints, number by number: three rows of four.
pub(super) type Maps = [Row; 12];

/// Determinant of A below which `f32` rounds too much. A rotation has 1; a map that scales one
/// direction three times as much as the others has 0.43.
const MIN_DETERMINANT: f32 = 0.05;

/// Unit dual quaternions of sixteen joints with their own scale as s: real parts, then dual parts.
pub(super) type Motions = [[f32; 8]; LANES];

/// Signs of sixteen quaternions, 1 or −1. 0 for a joint that the lanes cannot split.
pub(super) type Signs = Row;

/// Transposes up to sixteen maps into rows of numbers. Lanes without a map stay unchanged.
pub(super) fn by_numbers(maps: &[Affine], out: &mut Maps) {
    for (lane, map) in maps.iter().enumerate().take(LANES) {
        for (row, number) in out.iter_mut().zip(map.rows.as_flattened()) {
            row.0[lane] = *number;
        }
    }
}

/// Splits the products of the maps of up to sixteen joints and their inverse binds, and writes the motions of the
/// joints. `which` has sixteen joints, of which `count` matter.
#[inline(always)]
pub(super) fn split_products<S: Simd>(
    simd: S,
    (model_from_joint, which, count): (&[Affine], &[usize], usize),
    inverse_binds: &Maps,
    block: &mut JointBlock,
    (motions, signs): (&mut Motions, &mut Signs),
) {
    for first in (0..LANES.min(count)).step_by(S::f32s::LEN) {
        let b: [S::f32s; 12] = load(simd, inverse_binds, first);
        let mut product = b;
        let mut maps = [&Affine::IDENTITY; LANES];
        for (map, &joint) in maps[..S::f32s::LEN].iter_mut().zip(&which[first..]) {
            *map = &model_from_joint[joint];
        }
        for row in 0..3 {
            let a = columns::<S, S::f32s>(simd, &maps, row);
            for k in 0..4 {
                let last = a[2] * b[8 + k];
                let last = if k == 3 { last + a[3] } else { last };
                product[4 * row + k] = (a[0] * b[k] + a[1] * b[4 + k]) + last;
            }
        }
        split(simd, product, block, (motions, signs), first);
    }
}

#[inline(always)]
pub(super) fn split_maps<S: Simd>(
    simd: S,
    maps: &Maps,
    block: &mut JointBlock,
    (motions, signs): (&mut Motions, &mut Signs),
) {
    for first in (0..LANES).step_by(S::f32s::LEN) {
        let map = load(simd, maps, first);
        split::<S, S::f32s>(simd, map, block, (motions, signs), first);
    }
}

#[inline(always)]
fn split<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    map: [V; 12],
    block: &mut JointBlock,
    out: (&mut Motions, &mut Signs),
    first: usize,
) {
    let one = V::splat(simd, 1.0);
    let none = V::splat(simd, 0.0);
    let k: Linear<V> = [
        map[0], map[1], map[2], map[4], map[5], map[6], map[8], map[9], map[10],
    ];
    let (mean, off) = mean_square(simd, &k);
    let size = mean.sqrt();
    let det = determinant(&k);
    let signed_size = size.copysign(det);
    let over_size = one / signed_size;
    let a = scaled(k, over_size);
    let is_uniform = off.simd_lt(mean * V::splat(simd, ROTATION_TOLERANCE as f32));
    // False for numbers that are not finite.
    let volume = size * mean;
    let is_split = det.abs().simd_gt(volume * V::splat(simd, MIN_DETERMINANT))
        & volume.simd_lt(V::splat(simd, f32::MAX));

    let rounding = V::splat(simd, 0.5 * ROTATION_TOLERANCE as f32);
    let is_one = (signed_size - one).abs().simd_le(rounding);
    let mut scale = is_one.select(one, signed_size);
    let mut stretch = [scale, none, none, scale, none, scale];
    let mut rotation = a;
    let is_stretched = is_split & !is_uniform;
    if is_stretched.any_true() {
        rotation = nearest_rotation(simd, a, is_stretched);
        let own = symmetric_part(simd, &rotation, &a, signed_size);
        for i in 0..6 {
            stretch[i] = is_stretched.select(own[i], stretch[i]);
        }
        let part = cube_root(simd, det.abs() / volume);
        scale = is_stretched.select(signed_size * part, scale);
    }
    let q = quaternion(simd, &rotation);

    let rows = &mut block.0;
    let c: [V; 3] = load(simd, &rows[CENTRE..], first);
    // d, and d − σ R c for joints with S = σ I.
    let (mut d, mut t) = (c, c);
    let rate = scale * over_size;
    for i in 0..3 {
        let from_centre = dot([map[4 * i], map[4 * i + 1], map[4 * i + 2]], c);
        d[i] = from_centre + map[4 * i + 3];
        t[i] = d[i] - from_centre * rate;
    }
    store(&mut rows[ROTATION..], first, q);
    let signs = std::slice::from_mut(out.1);
    store(signs, first, [is_split.select(one, none)]);
    store(&mut rows[STRETCH..], first, stretch);
    let uniform = (is_split & is_uniform).select(one, none);
    store(&mut rows[SCALE..], first, [scale]);
    store(&mut rows[UNIFORM..], first, [uniform]);
    store(&mut rows[POSITION..], first, d);
    let motions = &mut out.0[first..first + V::LEN];
    write_fours(simd, q, motions, 0);
    write_fours(simd, half_product(simd, t, q), motions, 4);
}

/// Signs of up to sixteen quaternions relative to the joints beside them, 1 or −1, where the lanes
/// could split the joint. Returns false, and leaves signs, where one must be found in `f64` or by a tilt.
#[inline(always)]
pub(super) fn relative_signs<S: Simd>(
    simd: S,
    motions: &[[f32; 8]],
    (beside, count): (&[usize], usize),
    block: &JointBlock,
    signs: &mut Signs,
) -> bool {
    let one = S::f32s::splat(simd, 1.0);
    let mut are_found = true;
    for first in (0..LANES.min(count)).step_by(S::f32s::LEN) {
        let own: [S::f32s; 4] = load(simd, &block.0[ROTATION..], first);
        let other = quaternions::<S, S::f32s>(simd, motions, &beside[first..]);
        let [is_split]: [S::f32s; 1] = load(simd, std::slice::from_ref(signs), first);
        let side = own[0] * other[0] + own[1] * other[1] + own[2] * other[2] + own[3] * other[3];
        // 0 or not a number for joints that are not split.
        let least = S::f32s::splat(simd, MIN_SIDE);
        if (side * is_split).abs().simd_ge(least).all_true() {
            store(std::slice::from_mut(signs), first, [one.copysign(side)]);
        } else {
            are_found = false;
        }
    }
    are_found
}

#[inline(always)]
pub(super) fn sign_motions<S: Simd>(simd: S, motions: &mut [[f32; 8]], signs: &[f32]) {
    for (motion, &sign) in motions.iter_mut().zip(signs) {
        let signed = f32x8::from_slice(simd, motion) * f32x8::splat(simd, sign);
        signed.store_slice(motion);
    }
}

#[inline(always)]
pub(super) fn write_rows<S: Simd>(
    simd: S,
    block: &JointBlock,
    signs: &Signs,
    out: &mut [[f32; NUMBERS]],
) {
    for first in (0..LANES.min(out.len())).step_by(S::f32s::LEN) {
        let out = &mut out[first..];
        let numbers = numbers_of::<S, S::f32s>(simd, block, signs, first);
        for at in (0..NUMBERS - 1).step_by(4) {
            let four = [
                numbers[at],
                numbers[at + 1],
                numbers[at + 2],
                numbers[at + 3],
            ];
            write_fours(simd, four, out, at);
        }
        for (out, last) in out.iter_mut().zip(numbers[NUMBERS - 1].as_slice()) {
            out[NUMBERS - 1] = *last;
        }
    }
}

#[inline(always)]
fn numbers_of<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    block: &JointBlock,
    signs: &Signs,
    first: usize,
) -> [V; NUMBERS] {
    let rows = &block.0;
    let [x, y, z, w]: [V; 4] = load(simd, &rows[ROTATION..], first);
    let [sign]: [V; 1] = load(simd, std::slice::from_ref(signs), first);
    let q = [x * sign, y * sign, z * sign, w * sign];
    let d: [V; 3] = load(simd, &rows[POSITION..], first);
    let c: [V; 3] = load(simd, &rows[CENTRE..], first);
    let [xx, xy, xz, yy, yz, zz, scale]: [V; 7] = load(simd, &rows[STRETCH..], first);
    let dual = half_product(simd, d, q);
    // ½ q c is the conjugate of −½ c q*.
    let lever = half_product(simd, c, [-q[0], -q[1], -q[2], q[3]]);
    [
        q[0],
        q[1],
        q[2],
        q[3],
        dual[0],
        dual[1],
        dual[2],
        dual[3],
        xx,
        xy,
        xz,
        yy,
        yz,
        zz,
        -dot([xx, xy, xz], c),
        -dot([xy, yy, yz], c),
        -dot([xz, yz, zz], c),
        c[0],
        c[1],
        c[2],
        scale,
        lever[0],
        lever[1],
        lever[2],
        -lever[3],
    ]
}
