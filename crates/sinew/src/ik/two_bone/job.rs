//! A two-bone chain and its goal as data, and the report of a solve.

use crate::ik::tip::Tip;
use glam::Vec3;

/// A two-bone chain and its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone {
    /// The joint at the body: shoulder or hip.
    pub upper: usize,
    /// The joint that bends: elbow or knee. Joints between the two keep still.
    pub lower: usize,
    /// The point that is to reach: carried by `lower` or by a joint below it.
    pub tip: Tip,
    /// The position to reach, in the model.
    pub goal_in_model: Vec3,
    /// A point of the model that the elbow points to; without one it stays in its plane.
    pub pole_in_model: Option<Vec3>,
    /// Axis that the elbow bends about when it is straight, in the frame of the joint above it; a hinge
    /// always has its own axis. Without one: an axis that suits the pole, or any that fits.
    pub bend_axis: Option<Vec3>,
    /// The part of the reach, from 0 to 1, over which the arm slows down before it is straight,
    /// so that it does not snap; the tip then stops short of goals at the end of its reach.
    pub soft: f32,
    /// Part of the turn that is made, from 0 to 1; limits hold at its end. The report is that of the whole turn.
    pub weight: f32,
}

impl TwoBone {
    /// To a goal, without a pole and all the way.
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

    /// The same, that much of the way.
    #[must_use]
    pub const fn weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }
}

/// The report of a two-bone solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneReport {
    /// True when the tip is at its goal, to a ten-thousandth of the two bones' length.
    pub reached: bool,
    /// Distance from there, in the model, beyond rounding.
    pub residual: f32,
    /// True when limits hold the upper joint back.
    pub upper_at_limit: bool,
    /// True when limits hold the lower joint back.
    pub lower_at_limit: bool,
}
