use super::additive::AdditivePose;
use super::mask::Mask;
use crate::pose::LocalPose;

/// Max weight of a layer or an addition.
pub const MAX_WEIGHT: f32 = 1e6;

/// Pose or difference of poses, with a weight.
#[derive(Debug)]
pub struct Layer<'a, P = LocalPose> {
    /// Pose or difference.
    pub pose: &'a P,
    /// Weight in [0, [`MAX_WEIGHT`]]. An addition may have a weight down to −[`MAX_WEIGHT`].
    pub weight: f32,
    /// Factor of the weight per joint, in [0, 1]. `None` means 1 for all joints.
    pub mask: Option<&'a Mask>,
}

// Derives would require `P: Clone` and `P: Copy`.
impl<P> Clone for Layer<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<P> Copy for Layer<'_, P> {}

/// Difference of poses with a weight. A negative weight subtracts.
pub type Addition<'a> = Layer<'a, AdditivePose>;

impl<'a, P> Layer<'a, P> {
    /// Layer for all joints, without a mask.
    pub fn new(pose: &'a P, weight: f32) -> Self {
        Self {
            pose,
            weight,
            mask: None,
        }
    }

    /// Same layer with a mask.
    pub fn masked(self, mask: &'a Mask) -> Self {
        Self {
            mask: Some(mask),
            ..self
        }
    }
}
