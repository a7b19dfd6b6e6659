//! Differences between two poses, to be laid over a third.

use super::difference::{self, AdditiveBlock};
use crate::pose::{BLOCK, LocalPose, PoseMismatch};
use bytemuck::Zeroable;
use glam::Vec3;
use sinew_math::dispatch;
use sinew_math::simd::Level;

/// The difference between two poses, all of it vectors: they add in any order, half the weight is
/// half the way at the same speed, and a negative weight takes away what a positive one adds.
///
/// Made against a reference: the pose that the motion is meant to be added to, or, for a motion that
/// stands for itself, the clip's own first frame.
///
/// ```
/// use sinew::blend::AdditivePose;
/// use sinew::{LocalPose, sample};
/// use sinew_samples::humanoid_character;
/// let person = humanoid_character();
/// let (clip, skeleton) = (&person.clips[0], &person.skeleton);
/// let [mut first, mut now] = [(); 2].map(|_| LocalPose::identity(skeleton.len()));
/// sample(clip, skeleton, 0.0, &mut first);
/// sample(clip, skeleton, 0.3, &mut now);
/// let since_first = AdditivePose::between(&first, &now);
/// let sway = AdditivePose::between(skeleton.rest(), &now);
/// # assert_ne!(since_first, sway);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AdditivePose {
    blocks: Vec<AdditiveBlock>,
    len: usize,
}

impl AdditivePose {
    /// No difference.
    pub fn none(len: usize) -> Self {
        Self {
            blocks: vec![AdditiveBlock::zeroed(); len.div_ceil(BLOCK)],
            len,
        }
    }

    /// The difference that takes `reference` to `pose`, which must have as many joints.
    ///
    /// # Errors
    /// When they differ in that.
    pub fn between(reference: &LocalPose, pose: &LocalPose) -> Result<Self, PoseMismatch> {
        let mut difference = Self::none(pose.len());
        difference.set_between(Level::best(), reference, pose)?;
        Ok(difference)
    }

    /// [`AdditivePose::between`] in place, every frame; allocates only when the number of joints changes.
    /// The level changes no bit.
    ///
    /// # Errors
    /// When the poses differ in joints; nothing is changed then.
    pub fn set_between(
        &mut self,
        level: Level,
        reference: &LocalPose,
        pose: &LocalPose,
    ) -> Result<(), PoseMismatch> {
        PoseMismatch::check(pose.len(), reference.len())?;
        self.len = pose.len();
        let blocks = pose.blocks().len();
        self.blocks.resize(blocks, AdditiveBlock::zeroed());
        let (reference, pose, out) = (reference.blocks(), pose.blocks(), &mut self.blocks[..]);
        dispatch!(level, simd => difference::between(simd, reference, pose, out));
        Ok(())
    }

    /// The number of joints.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True for a difference of no joints.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The translation of a joint, in its parent's frame.
    pub fn translation(&self, joint: usize) -> Vec3 {
        self.vector(joint, |block| &block.translation, 1.0)
    }

    /// The rotation of a joint in its parent's frame: the axis, as long as the angle.
    pub fn turn_rad(&self, joint: usize) -> Vec3 {
        self.vector(joint, |block| &block.turn, 2.0)
    }

    /// By what part a joint's scale grows: 0 leaves it, 1 doubles it.
    pub fn growth(&self, joint: usize) -> Vec3 {
        self.vector(joint, |block| &block.growth, 1.0)
    }

    fn vector(
        &self,
        joint: usize,
        rows: impl Fn(&AdditiveBlock) -> &[[f32; BLOCK]; 3],
        times: f32,
    ) -> Vec3 {
        assert!(joint < self.len, "joint {joint} of {}", self.len);
        let rows = rows(&self.blocks[joint / BLOCK]);
        Vec3::from_array(rows.map(|row| row[joint % BLOCK] * times))
    }

    pub(crate) fn blocks(&self) -> &[AdditiveBlock] {
        &self.blocks
    }

    pub(super) fn blocks_mut(&mut self) -> &mut [AdditiveBlock] {
        &mut self.blocks
    }
}
