use crate::ik::tip::Tip;
use glam::Vec3;

/// Two-bone chain and its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "limb ik")]
#[doc(alias = "ik")]
pub struct TwoBone {
    /// Index of the joint at the body: shoulder or hip.
    pub upper: usize,
    /// Index of the elbow or knee. Joints between `upper` and `lower` do not rotate.
    pub lower: usize,
    /// Point that should reach the goal. `lower` or a descendant carries it.
    pub tip: Tip,
    /// Goal position in model space.
    pub goal_in_model: Vec3,
    /// Point in model space toward which the elbow points. With `None`, the elbow keeps its plane.
    pub pole_in_model: Option<Vec3>,
    /// Bend axis of a straight elbow, in the parent frame of the elbow. A hinge uses its own axis.
    /// With `None`, the pole decides, or else the axis is arbitrary.
    pub bend_axis: Option<Vec3>,
    /// Fraction of the reach, in [0, 1], over which the arm slows down before it is straight. This
    /// avoids a snap, but the tip does not reach goals in that range. Default 0.
    pub soft: f32,
    /// Fraction of the rotation to apply, in [0, 1]. Limits and report are for the full rotation.
    pub weight: f32,
}

impl TwoBone {
    /// Chain and goal without a pole, with weight 1.
    pub const fn new(upper: usize, lower: usize, tip: Tip, goal_in_model: Vec3) -> Self {
        Self {
            upper,
            lower,
            tip,
            goal_in_model,
            pole_in_model: None,
            bend_axis: None,
            soft: 0.0,
            weight: 1.0,
        }
    }

    /// Sets the weight, in [0, 1].
    #[must_use]
    pub const fn weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// Result of a two-bone solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneReport {
    /// True if the tip is at its goal within a ten-thousandth of the length of both bones.
    pub reached: bool,
    /// Distance from the tip to the goal in model space. 0 if only rounding remains.
    pub residual: f32,
    /// True if limits stop the upper joint.
    pub upper_at_limit: bool,
    /// True if limits stop the lower joint.
    pub lower_at_limit: bool,
}
