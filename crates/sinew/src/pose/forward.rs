//! Forward kinematics at speed: sixteen joints at a time become rows of matrices, which are then composed
//! from the root outward, level by level of the tree, so that neighbours do not wait for each other.
//!
//! Only `+`, `−` and `×`, in the order of [`Transform::to_affine`](crate::Transform::to_affine) and of
//! the product of [`Affine`]: every instruction set gives the bits that those give.

use super::{BLOCK, PoseBlock};
use crate::hierarchy::Hierarchy;
use crate::transform::Affine;
use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, f32x16, mask32x4, mask32x8, u8x32};
use fearless_simd_macros::simd;

/// How many rows of four numbers [`forward`] works in, for so many joints.
pub(crate) fn rows_for(joints: usize) -> usize {
    3 * joints.next_multiple_of(BLOCK)
}

/// Added to a number, changes not even the sign of zero.
const NOTHING: f32 = -0.0;

/// Writes `model_from_joint` of every joint; `locals` is working memory, [`rows_for`] them.
#[simd]
pub(crate) fn forward<S: Simd>(
    simd: S,
    hierarchy: &Hierarchy,
    blocks: &[PoseBlock],
    model_from_root: &Affine,
    locals: &mut [[f32; 4]],
    out: &mut [Affine],
) {
    // The first row of every joint's `parent_from_joint`, the second ones, the third ones.
    let (first, others) = locals.split_at_mut(locals.len() / 3);
    let (second, third) = others.split_at_mut(first.len());
    let rows = first.chunks_exact_mut(BLOCK);
    let rows = rows.zip(second.chunks_exact_mut(BLOCK));
    let rows = rows.zip(third.chunks_exact_mut(BLOCK));
    for (block, ((first, second), third)) in blocks.iter().zip(rows) {
        local_rows(simd, block, [first, second, third]);
    }
    let joints = out.len();
    let (first, second, third) = (&first[..joints], &second[..joints], &third[..joints]);
    let roots = joints - hierarchy.by_depth().len();
    for joint in hierarchy.roots().take(roots) {
        let local = Affine::from_rows([first[joint], second[joint], third[joint]]);
        out[joint] = *model_from_root * local;
    }
    for &[joint, parent] in hierarchy.by_depth() {
        let (joint, parent) = (joint as usize, parent as usize);
        let local = [&first[joint], &second[joint], &third[joint]];
        let product = compose(simd, &out[parent], local);
        store(product, &mut out[joint]);
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
        let Some(map) = maps.get(joint) else {
            panic!("joint {joint} of {}", maps.len());
        };
        let product = compose(simd, map, [r0, r1, r2]);
        store(product, out);
    }
}

#[inline(always)]
fn store<S: Simd>((first_two, last): (f32x8<S>, f32x4<S>), out: &mut Affine) {
    let rows = out.rows.as_flattened_mut();
    first_two.store_slice(&mut rows[..8]);
    last.store_slice(&mut rows[8..]);
}

#[inline(always)]
fn local_rows<S: Simd>(simd: S, block: &PoseBlock, rows: [&mut [[f32; 4]]; 3]) {
    let load = |row: &[f32; BLOCK]| f32x16::load_array_ref(simd, row);
    let rotation = [
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
    let linear = super::lanes::linear_rows(simd, rotation, scale);
    for (i, rows) in rows.into_iter().enumerate() {
        let [x, y, z] = linear[i];
        let by_joint = super::lanes::transpose([x, y, z, load(&block.translation[i])]);
        let out = rows.as_flattened_mut();
        // Whole stores: taken apart, the shuffles before them are done piece by piece.
        for four in 0..4 {
            by_joint[four].store_slice(&mut out[16 * four..16 * four + 16]);
        }
    }
}

/// The product of a map and one given by its rows: two rows and one. Loads are in the pieces that [`store`]
/// writes, or parts of them: one that spans stores has to wait for both.
#[inline(always)]
fn compose<S: Simd>(simd: S, parent: &Affine, local: [&[f32; 4]; 3]) -> (f32x8<S>, f32x4<S>) {
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

/// The bytes of one element of every row, for all four places of the row.
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
