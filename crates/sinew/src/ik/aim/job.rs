//! An aim as data: joints, line of sight, target; and its report.

use crate::ik::tip::Tip;
use glam::Vec3;

/// A joint that takes part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The joint.
    pub joint: usize,
    /// Its part of the whole turn; all of them sum to at most 1, and what they leave is not done.
    pub part: f32,
}

/// The up direction of an aim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Up {
    /// The axis that is to point up, in the last joint's frame.
    pub axis: Vec3,
    /// Up, in the model.
    pub direction_in_model: Vec3,
}

/// An aim: the joints that turn, and the point that they look at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim<'a> {
    /// The joints that turn, from the body outward, each below the one before; at most 64.
    pub shares: &'a [Share],
    /// Begin of the line of sight, on the last of those joints or on one below.
    pub eye: Tip,
    /// The line of sight, in the frame of the joint that carries the eye.
    pub axis: Vec3,
    /// The point to look at, in the model.
    pub target_in_model: Vec3,
    /// The way up; without it, joints swing and do not roll.
    pub up: Option<Up>,
    /// Part of the turn that is made, from 0 to 1; limits hold at its end. The report is that of the whole turn.
    pub weight: f32,
}

impl<'a> Aim<'a> {
    /// A look of an eye along an axis of its joint, at all of the turn and with no way up.
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

    /// The same with a way up.
    #[must_use]
    pub fn up(mut self, up: Up) -> Self {
        self.up = Some(up);
        self
    }

    /// The same with the part of the turn that is made, from 0 to 1.
    #[must_use]
    pub fn weight(mut self, weight: f32) -> Self {
        self.weight = weight;
        self
    }
}

/// The report of an aim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AimReport {
    /// True when the line of sight meets the target, to a thousandth of a radian.
    pub reached: bool,
    /// The angle between the line of sight and the target, as seen from the eye; 0 when it is nothing
    /// beyond rounding.
    pub off_rad: f32,
    /// Bit `i` says that limits hold back joint `i` of the shares.
    pub at_limits: u64,
}
