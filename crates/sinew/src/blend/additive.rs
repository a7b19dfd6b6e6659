use super::difference::{self, AdditiveBlock};
use crate::pose::{BLOCK, LocalPose, PoseMismatch};
use bytemuck::Zeroable;
use glam::Vec3;
use sinew_math::dispatch;
use sinew_math::simd::Level;

/// Difference between two poses, stored as vectors. Differences add up in any order and scale with
/// a weight. A negative weight subtracts the difference.
///
/// The reference pose can be the rest pose, the first frame of a clip or any other pose.
///
/// ```
/// use sinew::blend::AdditivePose;
/// use sinew::{LocalPose, sample};
/// use sinew_samples::humanoid_character;
/// let person = humanoid_character();
/// let (clip, skeleton) = (&person.clips[0], &person.skeleton);
/// let [mut first, mut now] = [(); 2].map(|_| LocalPose::identity(skeleton.len()));
/// sample(clip, skeleton, 0.0, &mut first)?;
/// sample(clip, skeleton, 0.3, &mut now)?;
/// let since_first = AdditivePose::between(&first, &now);
/// let sway = AdditivePose::between(skeleton.rest(), &now);
/// # assert_ne!(since_first, sway);
/// # Ok::<(), sinew::clip::ClipMismatch>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "additive animation")]
pub struct AdditivePose {
    blocks: Vec<AdditiveBlock>,
    len: usize,
}

impl AdditivePose {
    /// Zero difference for `len` joints.
    pub fn none(len: usize) -> Self {
        Self {
            blocks: vec![AdditiveBlock::zeroed(); len.div_ceil(BLOCK)],
            len,
        }
    }

    /// Difference that changes `reference` to `pose`.
    ///
    /// # Errors
    /// If the poses have different numbers of joints.
    pub fn between(reference: &LocalPose, pose: &LocalPose) -> Result<Self, PoseMismatch> {
        let mut difference = Self::none(pose.len());
        difference.set_between(Level::best(), reference, pose)?;
        Ok(difference)
    }

    /// Sets `self` to the result of [`AdditivePose::between`]. `level` selects the instruction set.
    /// Allocates only if the number of joints changes.
    ///
    /// # Errors
    /// If the poses have different numbers of joints; `self` is then unchanged.
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

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no joints.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Translation that is added to a joint, in the frame of its parent.
    pub fn translation(&self, joint: usize) -> Vec3 {
        self.vector(joint, |block| &block.translation, 1.0)
    }

    /// Rotation of a joint in the frame of its parent, as axis times angle in radians.
    pub fn rotation_rad(&self, joint: usize) -> Vec3 {
        self.vector(joint, |block| &block.rotation_vector, 2.0)
    }

    /// Relative change of the scale of a joint, per axis. 0 keeps the scale, 1 doubles it.
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
