//! Palette of dual quaternion skinning: a rigid motion and a stretch per joint.
//!
//! Let c be the bind position of a joint and d its posed position. Then K(x) = R S (x − c) + d,
//! with a rotation R and a symmetric S (polar decomposition; for a mirrored joint R = −U and S =
//! −P). The scale σ of the joint is the signed cube root of K's determinant. Distances of a vertex
//! from its joints are measured in their shared scale, s = Σ w σ. The vertex first moves to Σ w S
//! (x − c) + s Σ w c, and then by the blend of the unit dual quaternions of (R, d − s R c). Their
//! dual part is ½ d q − s ½ q c, so both terms are blended separately and s is applied at the end.
//! No formula divides by a scale, so a joint with scale zero needs no special case.

use super::block::{CENTRE, JointBlock, SCALE, UNIFORM};
use super::joint::DualQuatJoint;
use super::matrices::Skin;
use super::signs::{SignChain, split_alone};
use super::split::{
    Motions, NUMBERS, Signs, by_numbers, relative_signs, sign_motions, split_maps, split_products,
    write_rows,
};
use crate::error::SkinError;
use fearless_simd::prelude::*;
use glam::{Quat, Vec3};
use sinew_math::simd::{LANES, Level, Row};
use sinew_math::transform::Affine;
use sinew_math::{Hierarchy, dispatch};
use std::sync::Arc;

/// Relative difference below which two scales are equal: the rounding of forward kinematics.
const SAME_SCALE: f32 = 2e-6;

/// Palette for dual quaternion skinning, with signs that the pose fixes.
///
/// A rotation has two quaternions, q and −q. The choice decides in which direction a blend rotates.
/// Each joint takes the quaternion nearer to the quaternion of its parent, parents first. So signs
/// depend only on the pose, not on vertices or the order of influences.
#[derive(Clone, Debug)]
#[doc(alias = "skinning matrix")]
pub struct DualQuatPalette {
    len: usize,
    /// Joints of the skin, then the other joints of the skeleton that pass signs on.
    blocks: Vec<JointBlock>,
    common_scale: Option<f32>,
    /// Motions of the joints in `blocks`, and the signs of their quaternions.
    motions: Vec<Motions>,
    signs: Vec<Signs>,
    /// All numbers of each joint that kernels read. Out of date while all joints share a scale.
    rows: Vec<[f32; NUMBERS]>,
    /// Shared by all clones, such as the characters of a crowd.
    chain: Option<Arc<SignChain>>,
}

impl PartialEq for DualQuatPalette {
    fn eq(&self, other: &Self) -> bool {
        self.chain == other.chain && self.joints().eq(other.joints())
    }
}

impl DualQuatPalette {
    /// Creates the palette of a skin at rest. `rest` is `model_from_joint` of every joint of the
    /// skeleton. [`DualQuatPalette::update`] sets another pose.
    ///
    /// # Errors
    /// If hierarchy and rest pose differ in length, or the skin refers to a missing joint.
    pub fn new(hierarchy: &Hierarchy, rest: &[Affine], skin: &Skin) -> Result<Self, SkinError> {
        skin.check(rest.len())?;
        let (found, expected) = (rest.len(), hierarchy.len());
        if found != expected {
            return Err(SkinError::OtherSkeleton { found, expected });
        }
        let (chain, bind_positions) = SignChain::new(hierarchy, rest, skin);
        let mut palette = Self::at(skin.joints.len(), &bind_positions);
        palette.chain = Some(Arc::new(chain));
        palette.rows = vec![[0.0; NUMBERS]; palette.len];
        palette.update(rest)?;
        Ok(palette)
    }

    /// Creates a palette from matrices without a hierarchy. Each vertex then chooses signs relative
    /// to its heaviest influence, which can tear the skin. Prefer [`DualQuatPalette::new`].
    ///
    /// # Errors
    /// If there is not one bind position per matrix.
    pub fn from_matrices(
        model_from_bind: &[Affine],
        bind_positions: &[Vec3],
    ) -> Result<Self, SkinError> {
        if model_from_bind.len() != bind_positions.len() {
            return Err(SkinError::InverseBinds {
                found: bind_positions.len(),
                expected: model_from_bind.len(),
            });
        }
        let mut palette = Self::at(model_from_bind.len(), bind_positions);
        for (nth, chunk) in model_from_bind.chunks(LANES).enumerate() {
            let (block, motions) = (&mut palette.blocks[nth], &mut palette.motions[nth]);
            let signs = &mut palette.signs[nth];
            let mut maps = [Row([0.0; LANES]); 12];
            by_numbers(chunk, &mut maps);
            dispatch!(Level::best(), simd => simd.vectorize(#[inline(always)] || {
                split_maps(simd, &maps, block, (&mut *motions, &mut *signs));
            }));
            for (lane, map) in chunk.iter().enumerate() {
                if signs.0[lane] == 0.0 {
                    motions[lane] = split_alone(block, lane, map, Quat::IDENTITY);
                    signs.0[lane] = 1.0;
                }
            }
        }
        palette.common_scale = palette.find_common_scale();
        Ok(palette)
    }

    /// Joints at their bind positions. The first `len` joints belong to the skin.
    fn at(len: usize, bind_positions: &[Vec3]) -> Self {
        let mut blocks = vec![JointBlock::ZERO; bind_positions.len().div_ceil(LANES)];
        for (entry, position) in bind_positions.iter().enumerate() {
            blocks[entry / LANES].set(CENTRE, entry % LANES, position.to_array());
        }
        Self {
            len,
            motions: vec![[[0.0; 8]; LANES]; blocks.len()],
            signs: vec![Row([0.0; LANES]); blocks.len()],
            blocks,
            common_scale: None,
            rows: Vec::new(),
            chain: None,
        }
    }

    /// Fills the palette for a pose, without allocation. No effect on a palette from matrices.
    ///
    /// # Errors
    /// If the pose has another number of joints than the skeleton. The palette is then unchanged.
    pub fn update(&mut self, model_from_joint: &[Affine]) -> Result<(), SkinError> {
        self.update_at(Level::best(), model_from_joint)
    }

    /// Like [`DualQuatPalette::update`], with a given instruction set. All sets give the same bits.
    ///
    /// # Errors
    /// As [`DualQuatPalette::update`].
    pub fn update_at(
        &mut self,
        level: Level,
        model_from_joint: &[Affine],
    ) -> Result<(), SkinError> {
        let Some(chain) = &self.chain else {
            return Ok(());
        };
        let (found, expected) = (model_from_joint.len(), chain.skeleton_len());
        if found != expected {
            return Err(SkinError::OtherSkeleton { found, expected });
        }
        // Taken for the call, because a shared count would cost as much as a joint.
        if let Some(chain) = self.chain.take() {
            dispatch!(level, simd => simd.vectorize(#[inline(always)] || {
                self.fill(simd, model_from_joint, &chain);
            }));
            self.chain = Some(chain);
        }
        Ok(())
    }

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, model_from_joint: &[Affine], chain: &SignChain) {
        let (blocks, motions, signs) = (&mut *self.blocks, &mut *self.motions, &mut *self.signs);
        let joints = chain.joints.chunks(LANES).zip(&chain.inverse_bind_blocks);
        let outs = motions.iter_mut().zip(&mut *signs);
        let mut left = chain.len();
        for (((which, binds), block), out) in joints.zip(&mut *blocks).zip(outs) {
            split_products(simd, (model_from_joint, which, left), binds, block, out);
            left = left.saturating_sub(LANES);
        }
        let mut are_found = true;
        let mut left = chain.len();
        let beside = chain.beside.chunks(LANES).zip(&*blocks).zip(&mut *signs);
        for ((beside, block), signs) in beside {
            let motions = motions.as_flattened();
            are_found &= relative_signs(simd, motions, (beside, left), block, signs);
            left = left.saturating_sub(LANES);
        }
        if !are_found || !chain.multiply(motions, signs) {
            chain.fix(model_from_joint, blocks, motions, signs);
        }
        let signs_in_order: &[f32] = bytemuck::cast_slice(signs);
        let motions_in_order = &mut motions.as_flattened_mut()[..chain.len()];
        sign_motions(simd, motions_in_order, signs_in_order);
        self.common_scale = self.find_common_scale();
        if self.common_scale.is_none() {
            let blocks = self.blocks.iter().zip(&self.signs);
            for ((block, signs), rows) in blocks.zip(self.rows.chunks_mut(LANES)) {
                write_rows(simd, block, signs, rows);
            }
        }
    }

    #[inline(always)]
    fn find_common_scale(&self) -> Option<f32> {
        let Some(scale) = self.scale(0) else {
            return Some(1.0);
        };
        let near = SAME_SCALE * scale.abs();
        let mut left = self.len;
        for block in &self.blocks {
            let count = left.min(LANES);
            left -= count;
            let (scales, uniform) = (&block.0[SCALE].0[..count], &block.0[UNIFORM].0[..count]);
            // No early exit, so that it compiles to vector instructions.
            let alike = scales
                .iter()
                .zip(uniform)
                .fold(true, |alike, (other, uniform)| {
                    alike & (*uniform != 0.0) & ((other - scale).abs() <= near)
                });
            if !alike {
                return None;
            }
        }
        Some(scale)
    }

    fn scale(&self, index: usize) -> Option<f32> {
        (index < self.len).then(|| self.blocks[index / LANES].0[SCALE].0[index % LANES])
    }

    /// Scale that all joints share, if all are uniform and equal. 1 if all joints are rigid.
    pub fn common_scale(&self) -> Option<f32> {
        self.common_scale
    }

    pub(crate) fn common_scale_of(&self, joints: &[u16]) -> Option<f32> {
        let Some(&first) = joints.first() else {
            return Some(1.0);
        };
        let scale = self.scale(usize::from(first))?;
        let near = SAME_SCALE * scale.abs();
        let is_alike = |&joint: &u16| {
            let (block, lane) = (usize::from(joint) / LANES, usize::from(joint) % LANES);
            let rows = &self.blocks[block].0;
            rows[UNIFORM].0[lane] != 0.0 && (rows[SCALE].0[lane] - scale).abs() <= near
        };
        joints.iter().all(is_alike).then_some(scale)
    }

    /// Unit dual quaternion of each joint, with the scale of the joint as s: real part, then dual
    /// part. With a [`DualQuatPalette::common_scale`], skinning needs nothing else.
    pub fn motions(&self) -> &[[f32; 8]] {
        &self.motions.as_flattened()[..self.len]
    }

    /// All numbers of each joint: q and ½ d q; xx, xy, xz, yy, yz and zz of S, and −S c; c; σ; ½ q
    /// c. Empty with a [`DualQuatPalette::common_scale`], and for a palette made from matrices.
    pub fn rows(&self) -> &[[f32; NUMBERS]] {
        match self.common_scale {
            Some(_) => &[],
            None => &self.rows,
        }
    }

    /// The number of joints in the skin.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no joints.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The joint at an index of the skin.
    ///
    /// # Panics
    /// If the skin has no such joint.
    pub fn joint(&self, index: usize) -> DualQuatJoint {
        assert!(index < self.len, "joint {index} of {}", self.len);
        let (block, lane) = (index / LANES, index % LANES);
        self.blocks[block].joint(lane, self.signs[block].0[lane])
    }

    /// The joints, in the order of the skin.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = DualQuatJoint> + '_ {
        (0..self.len).map(|index| self.joint(index))
    }

    /// True if the pose fixes the signs. Otherwise each vertex chooses its signs.
    pub fn signs_are_fixed(&self) -> bool {
        self.chain.is_some()
    }
}
