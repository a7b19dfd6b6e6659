use crate::ik::tip::Tip;
use glam::Vec3;

/// Joint that takes part in an aim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Index of the joint.
    pub joint: usize,
    /// Fraction of the whole rotation, 0 or more. The fractions of all shares sum to at most 1.
    /// With a lower sum, the line of sight does not reach the target.
    pub part: f32,
}

/// Up direction of an aim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Up {
    /// Axis that should point up, in the frame of the joint of the eye.
    pub axis: Vec3,
    /// Direction that is up, in model space.
    pub direction_in_model: Vec3,
}

/// Joints that rotate, and the target that they look at.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "look at")]
#[doc(alias = "aim constraint")]
pub struct Aim<'a> {
    /// Joints that rotate, 1 to 64, from the body outward, each below the joint before.
    pub shares: &'a [Share],
    /// Start of the line of sight, carried by the last joint of the shares or a descendant.
    pub eye: Tip,
    /// Direction of the line of sight, in the frame of the joint of the eye.
    pub axis: Vec3,
    /// Target position in model space.
    pub target_in_model: Vec3,
    /// Up direction. With `None`, the joints swing but do not roll.
    pub up: Option<Up>,
    /// Fraction of the rotation to apply, in [0, 1]. Limits and report are for the full rotation.
    pub weight: f32,
}

impl<'a> Aim<'a> {
    /// Aim along an axis of the joint of the eye, with weight 1 and no up direction.
    pub fn new(shares: &'a [Share], eye: Tip, axis: Vec3, target_in_model: Vec3) -> Self {
        Self {
            shares,
            eye,
            axis,
            target_in_model,
            up: None,
            weight: 1.0,
        }
    }

    /// Sets the up direction.
    #[must_use]
    pub fn up(mut self, up: Up) -> Self {
        self.up = Some(up);
        self
    }

    /// Sets the weight, in [0, 1].
    #[must_use]
    pub fn weight(mut self, weight: f32) -> Self {
        self.weight = weight;
        self
    }
}

/// Result of an aim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimReport {
    /// True if the line of sight meets the target within 0.001 rad.
    pub reached: bool,
    /// Angle at the eye between the line of sight and the target, in radians. 0 up to rounding.
    pub off_rad: f32,
    /// Joints that limits stop. Bit `i` is set for joint `i` of the shares.
    pub at_limits: u64,
}
