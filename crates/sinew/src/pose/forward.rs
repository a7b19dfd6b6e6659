//! Forward kinematics at speed: blocks of eight joints become rows of matrices, which are then composed
//! from the root outward, level by level of the tree, so that neighbours do not wait for each other.
//!
//! Only `+`, `−` and `×`, in the order of [`Transform::to_affine`](crate::Transform::to_affine) and of
//! the product of [`Affine`]: every instruction set gives the bits that those give.

use super::{BLOCK, PoseBlock};
use crate::hierarchy::Hierarchy;
use crate::transform::Affine;
use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, f32x16, mask32x16, u8x64};
use fearless_simd_macros::simd;

/// `parent_from_joint` of eight joints by rows: `rows[i][joint]`.
pub(super) type LocalRows = [[[f32; 4]; BLOCK]; 3];

/// Added to a number, changes not even the sign of zero.
const NOTHING: f32 = -0.0;

/// Writes `model_from_joint` of every joint; `locals` is working memory, as long as `blocks`.
#[simd]
pub(super) fn forward<S: Simd>(
    simd: S,
    hierarchy: &Hierarchy,
    blocks: &[PoseBlock],
    model_from_root: &Affine,
    locals: &mut [LocalRows],
    out: &mut [Affine],
) {
    for (block, rows) in blocks.iter().zip(locals.iter_mut()) {
        local_rows(simd, block, rows);
    }
    for joint in hierarchy.roots() {
        let [r0, r1, r2] = &locals[joint / BLOCK];
        let lane = joint % BLOCK;
        out[joint] = *model_from_root * Affine::from_rows([r0[lane], r1[lane], r2[lane]]);
    }
    for &[joint, parent] in hierarchy.by_depth() {
        let (joint, parent) = (joint as usize, parent as usize);
        let ([r0, r1, r2], lane) = (&locals[joint / BLOCK], joint % BLOCK);
        let product = compose(simd, &out[parent], [&r0[lane], &r1[lane], &r2[lane]]);
        store(simd, product, &mut out[joint]);
    }
}

/// `out[i] = maps[which[i]] · then[i]`, for as many as there are of all three.
#[simd]
pub(crate) fn products<S: Simd>(
    simd: S,
    maps: &[Affine],
    which: &[usize],
    then: &[Affine],
    out: &mut [Affine],
) {
    for ((&joint, then), out) in which.iter().zip(then).zip(out) {
        let [r0, r1, r2] = &then.rows;
        let product = compose(simd, &maps[joint], [r0, r1, r2]);
        store(simd, product, out);
    }
}

#[inline(always)]
fn store<S: Simd>(simd: S, map: f32x16<S>, out: &mut Affine) {
    let (first_two, last) = simd.split_f32x16(map);
    let (last, _) = simd.split_f32x8(last);
    let rows = out.rows.as_flattened_mut();
    first_two.store_slice(&mut rows[..8]);
    last.store_slice(&mut rows[8..]);
}

#[inline(always)]
fn local_rows<S: Simd>(simd: S, block: &PoseBlock, rows: &mut LocalRows) {
    let load = |row: &[f32; BLOCK]| f32x8::from_slice(simd, row);
    let [x, y, z, w] = [
        load(&block.rotation[0]),
        load(&block.rotation[1]),
        load(&block.rotation[2]),
        load(&block.rotation[3]),
    ];
    let scale = [
        load(&block.scale[0]),
        load(&block.scale[1]),
        load(&block.scale[2]),
    ];
    let linear = super::lanes::linear_rows(simd, [x, y, z, w], scale);
    for i in 0..3 {
        let [a, b, c] = linear[i];
        let ((a0, a1), (b0, b1)) = (simd.split_f32x8(a), simd.split_f32x8(b));
        let (c0, c1) = simd.split_f32x8(c);
        let (t0, t1) = simd.split_f32x8(load(&block.translation[i]));
        let (low, high) = rows[i].split_at_mut(4);
        let low = low.as_flattened_mut().first_chunk_mut();
        let high = high.as_flattened_mut().first_chunk_mut();
        if let (Some(low), Some(high)) = (low, high) {
            simd.store_four_interleaved_f32x4([a0, b0, c0, t0], low);
            simd.store_four_interleaved_f32x4([a1, b1, c1, t1], high);
        }
    }
}

/// The product of a map and one given by its rows: three rows and one to ignore.
#[inline(always)]
fn compose<S: Simd>(simd: S, parent: &Affine, local: [&[f32; 4]; 3]) -> f32x16<S> {
    // In the two pieces that `store` writes: a load that spans stores has to wait for both.
    let rows = parent.rows.as_flattened();
    let first_two = f32x8::from_slice(simd, &rows[..8]);
    let last = f32x8::block_splat(f32x4::from_slice(simd, &rows[8..]));
    let a = simd.combine_f32x8(first_two, last);
    let spread = |k: usize| {
        if S::f32s::LEN >= 8 {
            a.swizzle_dyn_within_blocks(u8x64::from_slice(simd, &COLUMNS[k]))
        } else {
            // Narrow instruction sets load single numbers faster than they shuffle bytes.
            let r2 = f32x4::splat(simd, rows[8 + k]);
            let first_two =
                simd.combine_f32x4(f32x4::splat(simd, rows[k]), f32x4::splat(simd, rows[4 + k]));
            simd.combine_f32x8(first_two, simd.combine_f32x4(r2, r2))
        }
    };
    let row = |i: usize| f32x16::block_splat(f32x4::from_slice(simd, local[i]));
    let translations = mask32x16::from_slice(simd, &IS_TRANSLATION);
    let translation = translations.select(a, f32x16::splat(simd, NOTHING));
    (spread(0) * row(0) + spread(1) * row(1)) + (spread(2) * row(2) + translation)
}

const COLUMNS: [[u8; 64]; 3] = [column(0), column(1), column(2)];

/// The bytes of one element of every row, for all four places of the row.
const fn column(column: u8) -> [u8; 64] {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = 4 * column + (i % 4) as u8;
        i += 1;
    }
    bytes
}

const IS_TRANSLATION: [i32; 16] = [0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1];
