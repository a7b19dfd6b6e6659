use crate::pose::BLOCK;
use crate::skeleton::Skeleton;
use bytemuck::{Pod, Zeroable};
use thiserror::Error;

/// Mask weight outside [0, 1].
#[derive(Clone, Debug, PartialEq, Error)]
#[error("joint {joint}: the weights of a mask must be from 0 to 1, not {weight}")]
pub struct MaskError {
    /// Index of the joint.
    pub joint: usize,
    /// Weight that was given.
    pub weight: f32,
}

#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct MaskBlock(pub [f32; BLOCK]);

/// Weights in [0, 1], one per joint.
///
/// ```
/// use sinew::blend::Mask;
/// use sinew_samples::humanoid_character;
/// let skeleton = humanoid_character().skeleton;
/// let arm = skeleton.find("left_upper_arm").unwrap();
/// let only_arm = Mask::below(&skeleton, arm);
/// assert_eq!(only_arm.iter().sum::<f32>(), 2.0);
/// assert_eq!(only_arm.inverted().get(arm), 0.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "avatar mask")]
#[doc(alias = "bone mask")]
#[doc(alias = "layered blend per bone")]
pub struct Mask {
    blocks: Vec<MaskBlock>,
    len: usize,
}

impl Mask {
    /// Mask with given weights. [`crate::JointMap::per_joint`] converts them to another skeleton.
    pub fn new(weights: &[f32]) -> Result<Self, MaskError> {
        if let Some(joint) = weights.iter().position(|w| !(0.0..=1.0).contains(w)) {
            let weight = weights[joint];
            return Err(MaskError { joint, weight });
        }
        let mut blocks = vec![MaskBlock([0.0; BLOCK]); weights.len().div_ceil(BLOCK)];
        for (joint, weight) in weights.iter().enumerate() {
            // Adding 0 removes negative zeros, so that equal masks have equal bits.
            blocks[joint / BLOCK].0[joint % BLOCK] = weight + 0.0;
        }
        let len = weights.len();
        Ok(Self { blocks, len })
    }

    /// Weight 1 for `joint` and its descendants, 0 for other joints.
    pub fn below(skeleton: &Skeleton, joint: usize) -> Self {
        let mut weights = vec![0.0; skeleton.len()];
        weights[joint] = 1.0;
        for below in joint + 1..skeleton.len() {
            if let Some(parent) = skeleton.parent(below) {
                weights[below] = weights[parent];
            }
        }
        Self::new(&weights).expect("0 and 1 are weights")
    }

    /// Mask with 1 − weight per joint. A mask and its inverse split a skeleton between two layers.
    pub fn inverted(&self) -> Self {
        let weights: Vec<f32> = self.iter().map(|w| 1.0 - w).collect();
        Self::new(&weights).expect("1 minus a weight is a weight")
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no joints.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Weight of a joint.
    pub fn get(&self, joint: usize) -> f32 {
        assert!(joint < self.len, "joint {joint} of {}", self.len);
        self.blocks[joint / BLOCK].0[joint % BLOCK]
    }

    /// Weights in joint order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        (0..self.len).map(|joint| self.get(joint))
    }

    pub(crate) fn blocks(&self) -> &[MaskBlock] {
        &self.blocks
    }
}
