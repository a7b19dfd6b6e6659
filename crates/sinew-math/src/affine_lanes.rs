//! Products of 3×4 maps with SIMD. One vector holds two rows, a second vector holds the third row.
//! Operations and their order match the product of [`Affine`], so all levels give the same bits.

use crate::transform::Affine;
use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, mask32x4, mask32x8, u8x32};
use fearless_simd_macros::simd;

/// Addend that changes no number, not even the sign of zero.
const NOTHING: f32 = -0.0;

/// Writes `out[i] = maps[which[i]] · then[i]`, over the shortest slice. Skips indices out of range.
#[simd]
pub fn products<S: Simd>(
    simd: S,
    maps: &[Affine],
    which: &[usize],
    then: &[Affine],
    out: &mut [Affine],
) {
    for ((&joint, then), out) in which.iter().zip(then).zip(out) {
        let [r0, r1, r2] = &then.rows;
        let Some(map) = maps.get(joint) else {
            continue;
        };
        let product = compose(simd, map, [r0, r1, r2]);
        store(product, out);
    }
}

/// Writes a product from [`compose`] to a map.
#[inline(always)]
pub fn store<S: Simd>((first_two, last): (f32x8<S>, f32x4<S>), out: &mut Affine) {
    let rows = out.rows.as_flattened_mut();
    first_two.store_slice(&mut rows[..8]);
    last.store_slice(&mut rows[8..]);
}

/// Product of a map and three rows. Its loads match the stores of [`store`], to avoid stalls.
#[inline(always)]
pub fn compose<S: Simd>(simd: S, parent: &Affine, local: [&[f32; 4]; 3]) -> (f32x8<S>, f32x4<S>) {
    let rows = parent.rows.as_flattened();
    let first_two = f32x8::from_slice(simd, &rows[..8]);
    let spread = |k: usize| {
        if S::f32s::LEN >= 8 {
            first_two.swizzle_dyn_within_blocks(u8x32::from_slice(simd, &COLUMNS[k]))
        } else {
            // Narrow instruction sets load single numbers faster than they shuffle bytes.
            simd.combine_f32x4(f32x4::splat(simd, rows[k]), f32x4::splat(simd, rows[4 + k]))
        }
    };
    let row = |i: usize| f32x4::from_slice(simd, local[i]);
    let twice = |i: usize| f32x8::block_splat(row(i));
    let is_last = mask32x8::from_slice(simd, &IS_TRANSLATION);
    let translation = is_last.select(first_two, f32x8::splat(simd, NOTHING));
    let above =
        (spread(0) * twice(0) + spread(1) * twice(1)) + (spread(2) * twice(2) + translation);

    let last = |k: usize| f32x4::splat(simd, rows[8 + k]);
    let is_last = mask32x4::from_slice(simd, &IS_TRANSLATION[..4]);
    let translation = is_last.select(last(3), f32x4::splat(simd, NOTHING));
    let below = (last(0) * row(0) + last(1) * row(1)) + (last(2) * row(2) + translation);
    (above, below)
}

const COLUMNS: [[u8; 32]; 3] = [column(0), column(1), column(2)];

/// Shuffle that repeats one element of each row in all four lanes.
const fn column(column: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 32 {
        bytes[i] = 4 * column + (i % 4) as u8;
        i += 1;
    }
    bytes
}

const IS_TRANSLATION: [i32; 8] = [0, 0, 0, -1, 0, 0, 0, -1];
