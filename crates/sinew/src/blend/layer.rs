use super::additive::AdditivePose;
use super::mask::Mask;
use crate::pose::LocalPose;

/// Max weight of a layer or an addition.
pub const MAX_WEIGHT: f32 = 1e6;

/// Pose or difference of poses with its weight.
#[derive(Debug)]
pub struct Layer<'a, P = LocalPose> {
    /// Pose or difference.
    pub pose: &'a P,
    /// Weight in [0, [`MAX_WEIGHT`]]; for an addition, −[`MAX_WEIGHT`] is the min.
    pub weight: f32,
    /// Factor of the weight per joint; `None` is 1 for all joints.
    pub mask: Option<&'a Mask>,
}

// Derives would require `P: Clone` and `P: Copy`.
impl<P> Clone for Layer<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<P> Copy for Layer<'_, P> {}

/// Difference with its weight; a negative weight subtracts.
pub type Addition<'a> = Layer<'a, AdditivePose>;

impl<'a, P> Layer<'a, P> {
    /// Layer for all joints.
    pub fn new(pose: &'a P, weight: f32) -> Self {
        Self {
            pose,
            weight,
            mask: None,
        }
    }

    /// The same layer with a mask.
    pub fn masked(self, mask: &'a Mask) -> Self {
        Self {
            mask: Some(mask),
            ..self
        }
    }
}
