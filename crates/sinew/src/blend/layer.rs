//! Layers of a blend: a pose or a difference of poses, its weight, and the joints that it is for.

use super::additive::AdditivePose;
use super::mask::Mask;
use crate::pose::LocalPose;

/// The largest weight of a layer or an addition: a million.
pub const MAX_WEIGHT: f32 = 1e6;

/// A pose, or a difference of poses, and its weight.
#[derive(Debug)]
pub struct Layer<'a, P = LocalPose> {
    /// The pose or difference.
    pub pose: &'a P,
    /// From 0 to [`MAX_WEIGHT`].
    pub weight: f32,
    /// The part of the weight that each joint takes; all of it when there is none.
    pub mask: Option<&'a Mask>,
}

// Derived, these would ask for poses that can be copied.
impl<P> Clone for Layer<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<P> Copy for Layer<'_, P> {}

/// A difference and its weight: a negative one takes away.
pub type Addition<'a> = Layer<'a, AdditivePose>;

impl<'a, P> Layer<'a, P> {
    /// A layer for all joints.
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
