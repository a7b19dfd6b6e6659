//! Forward kinematics with SIMD. It computes the matrices of sixteen joints at a time. It then
//! composes the matrices level by level from the root, so that siblings do not wait for each other.
//! It uses only `+`, `−` and `×`, in the order of
//! [`Transform::to_affine`](crate::Transform::to_affine) and of the product of [`Affine`]. All
//! instruction sets therefore give the same bits.

use super::local::{BLOCK, PoseBlock};
use fearless_simd::f32x16;
use fearless_simd::prelude::*;
use fearless_simd_macros::simd;
use sinew_math::affine_lanes::{compose, store};
use sinew_math::hierarchy::Hierarchy;
use sinew_math::transform::Affine;

/// Length of `locals` in [`forward`], in rows of four numbers.
pub(crate) fn rows_for(joints: usize) -> usize {
    3 * joints.next_multiple_of(BLOCK)
}

/// Writes `model_from_joint` of all joints. `locals` is working memory of [`rows_for`] rows.
#[simd]
pub(crate) fn forward<S: Simd>(
    simd: S,
    hierarchy: &Hierarchy,
    blocks: &[PoseBlock],
    model_from_root: &Affine,
    locals: &mut [[f32; 4]],
    out: &mut [Affine],
) {
    // All first rows of `parent_from_joint`, followed by all second rows and all third rows.
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
        // A split store would also split the shuffles before it.
        for four in 0..4 {
            by_joint[four].store_slice(&mut out[16 * four..16 * four + 16]);
        }
    }
}
