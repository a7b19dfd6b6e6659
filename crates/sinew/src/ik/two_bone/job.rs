use crate::ik::tip::Tip;
use glam::Vec3;

/// Two-bone chain and its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "limb ik")]
#[doc(alias = "ik")]
pub struct TwoBone {
    /// Joint at the body: shoulder or hip.
    pub upper: usize,
    /// Joint that bends: elbow or knee. Joints between the two do not rotate.
    pub lower: usize,
    /// Point that should reach the goal, carried by `lower` or a descendant.
    pub tip: Tip,
    /// Goal in model space.
    pub goal_in_model: Vec3,
    /// Point in model space that the elbow points to; without one the elbow stays in its plane.
    pub pole_in_model: Option<Vec3>,
    /// Bend axis of a straight elbow, in the frame of the joint above it; a hinge uses its own axis. By default it
    /// follows the pole, or is arbitrary.
    pub bend_axis: Option<Vec3>,
    /// Fraction of the reach, in [0, 1], over which the arm slows down before it is straight. It avoids a snap, but
    /// the tip stops short of goals there. Default 0.
    pub soft: f32,
    /// Fraction of the rotation that is applied, in [0, 1]. Limits and the report are for the full rotation.
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
    /// True if the tip is at its goal within a ten-thousandth of the two bones' length.
    pub reached: bool,
    /// Distance from the tip to the goal in model space; 0 if only rounding remains.
    pub residual: f32,
    /// True if limits hold the upper joint back.
    pub upper_at_limit: bool,
    /// True if limits hold the lower joint back.
    pub lower_at_limit: bool,
}
