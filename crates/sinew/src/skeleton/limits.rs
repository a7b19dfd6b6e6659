//! The limits of a joint: its [`Freedom`] is which turns it makes, how far, and along which axes it slides.
//!
//! Angles are measured from the rest pose, in the joint's own frame: a joint's rotation is
//! `rest · turn`, and the limits are on `turn`. `nearest_turn` finds the nearest allowed one. Nothing here
//! runs by itself: sampling gives what the clip holds, and limits act only where someone calls for them.

pub use super::turn::{AngleRange, FramedTurn, Turn, TurnFrame};

use super::nearest_turn;
use glam::{Quat, Vec3};
use sinew_math::transform::quat_f64::{QuatF64, unit};
use sinew_math::transform::{Transform, quat};
use thiserror::Error;

/// Turns and slides that a joint can make.
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

/// The reason why limits contradict themselves.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum LimitError {
    /// The lowest angle is above the highest, or one is not finite.
    #[error("the range from {min_rad} to {max_rad} rad is empty or not finite")]
    EmptyRange {
        /// Lowest.
        min_rad: f32,
        /// Highest.
        max_rad: f32,
    },
    /// An axis of no direction.
    #[error("the axis has no direction")]
    ZeroAxis,
    /// A saddle of one axis only.
    #[error("a saddle needs two different axes")]
    SameAxis,
    /// A frame that does not turn, or in another frame.
    #[error("the frame of a turn has two rotations of unit length, and no other frame in it")]
    BadFrame,
}

/// Distance from its limits at which a joint still counts as within them: more than `f32` products of unit
/// quaternions go astray, less than anyone can see.
const ROUNDING_RAD: f64 = 8e-7;

impl Freedom {
    /// The count of numbers that state the joint: its degrees of freedom.
    pub fn count(&self) -> usize {
        self.turn.count() + self.slides.iter().filter(|&&s| s).count()
    }

    /// Refuses limits that contradict themselves.
    pub fn check(&self) -> Result<(), LimitError> {
        match &self.turn {
            Turn::Framed(framed) if framed.frame.is_unit() => check_turn(&framed.turn),
            turn => check_turn(turn),
        }
    }

    /// `now` with rotation and translation within the limits; scale is never touched. The limits must
    /// pass [`Freedom::check`], as those of every skeleton have.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew::Transform;
    /// use sinew::skeleton::limits::{AngleRange, Freedom, Turn};
    /// use sinew::transform::Axis;
    /// let elbow = Freedom {
    ///     turn: Turn::Hinge { axis: Vec3::Z, range: AngleRange::degrees(0.0, 150.0) },
    ///     slides: [false; 3],
    /// };
    /// let bent_back = Transform::from_rotation(Axis::Z.turn(-0.5));
    /// assert_eq!(elbow.clamp(&Transform::IDENTITY, &bent_back), Transform::IDENTITY);
    /// ```
    pub fn clamp(&self, rest: &Transform, now: &Transform) -> Transform {
        Transform {
            translation: self.clamp_translation(rest.translation, now.translation),
            rotation: self.clamp_rotation(rest.rotation, now.rotation),
            scale: now.scale,
        }
    }

    /// `now` itself, to the bit, when it is within the limits; otherwise an allowed rotation near
    /// it: angles stop at the nearer end of their range, and a ball keeps the direction that it
    /// swings in. Both must be of unit length; a rotation without a direction is left as it is.
    pub fn clamp_rotation(&self, rest: Quat, now: Quat) -> Quat {
        let wide_rest = QuatF64::from_quat(rest);
        let from_rest = wide_rest.conjugate().mul(QuatF64::from_quat(now));
        let Some(turn) = from_rest.normalized() else {
            return now;
        };
        let allowed = nearest_turn::nearest(&self.turn, turn);
        if allowed.angle_to(turn) <= ROUNDING_RAD {
            return now;
        }
        quat::aligned(wide_rest.mul(allowed).to_quat(), now)
    }

    /// `now` along the axes that slide, `rest` along the others.
    pub fn clamp_translation(&self, rest: Vec3, now: Vec3) -> Vec3 {
        let (rest, mut allowed) = (rest.to_array(), now.to_array());
        for axis in 0..3 {
            if !self.slides[axis] && allowed[axis] != rest[axis] {
                allowed[axis] = rest[axis];
            }
        }
        Vec3::from_array(allowed)
    }
}

/// A turn that is not framed.
fn check_turn(turn: &Turn) -> Result<(), LimitError> {
    match turn {
        Turn::Framed(_) => Err(LimitError::BadFrame),
        Turn::Fixed | Turn::Free => Ok(()),
        Turn::Hinge { axis, range } => {
            check_axis(*axis)?;
            check_range(range)
        }
        Turn::Saddle { axes, ranges } => {
            if axes[0] == axes[1] {
                return Err(LimitError::SameAxis);
            }
            ranges.iter().try_for_each(check_range)
        }
        Turn::Ball {
            axis,
            swing_rad,
            twist,
        } => {
            check_axis(*axis)?;
            check_range(&AngleRange {
                min_rad: 0.0,
                max_rad: *swing_rad,
            })?;
            check_range(twist)
        }
        Turn::Euler { ranges, .. } => ranges.iter().try_for_each(check_range),
    }
}

fn check_axis(axis: Vec3) -> Result<(), LimitError> {
    unit(axis).map(|_| ()).ok_or(LimitError::ZeroAxis)
}

fn check_range(range: &AngleRange) -> Result<(), LimitError> {
    let AngleRange { min_rad, max_rad } = *range;
    if min_rad <= max_rad && min_rad.is_finite() && max_rad.is_finite() {
        Ok(())
    } else {
        Err(LimitError::EmptyRange { min_rad, max_rad })
    }
}
