//! What a joint can do, as data: which turns, how far, and whether it slides.
//!
//! Angles are measured from the rest pose, in the joint's own frame: a joint's rotation is
//! `rest · turn`, and the limits are on `turn`. How the nearest allowed turn is found is in
//! `nearest_turn`. Nothing here runs by itself: sampling gives what the clip holds, and limits act
//! only where someone calls for them.

use super::nearest_turn;
pub use super::turn_frame::{FramedTurn, TurnFrame};
use glam::{Quat, Vec3};
use sinew_math::transform::quat_f64::{QuatF64, unit};
use sinew_math::transform::{Axis, EulerOrder, Transform, quat};
use std::f64::consts::{PI, TAU};
use thiserror::Error;

/// Lowest and highest angle, in radians. Angles that differ by whole turns are the same, and a range
/// as wide as a turn is no limit.
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

    /// Whether it is less than the whole turn.
    pub fn ends(&self) -> bool {
        f64::from(self.max_rad) - f64::from(self.min_rad) < TAU
    }

    /// The angle itself when it lies in the range, give or take whole turns; otherwise the end that
    /// is nearer on the circle.
    pub(crate) fn nearest(&self, angle_rad: f64) -> f64 {
        let (min, max) = (f64::from(self.min_rad), f64::from(self.max_rad));
        if max - min >= TAU {
            return angle_rad;
        }
        let (middle, reach) = (0.5 * (min + max), 0.5 * (max - min));
        let off = libm::remainder(angle_rad - middle, TAU);
        middle + off.max(-reach).min(reach)
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
    /// One of the others about other axes or from another zero: as many degrees of freedom as that has.
    Framed(Box<FramedTurn>),
}

impl Turn {
    /// How many numbers state it.
    pub fn count(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Hinge { .. } => 1,
            Self::Saddle { .. } => 2,
            Self::Ball { .. } | Self::Euler { .. } | Self::Free => 3,
            Self::Framed(framed) => framed.turn.count(),
        }
    }

    /// The turn at given angles, in the order in which it states them: one of a hinge, two of a saddle, three of Euler turns;
    /// three about x, y and z (`Rx · Ry · Rz`) of a ball and where it is free. `None` for another number of angles.
    ///
    /// ```
    /// use sinew::skeleton::limits::Turn;
    /// use sinew::transform::Axis;
    /// use glam::Vec3;
    /// let elbow = Turn::Hinge { axis: Vec3::Z * 2.0, range: sinew::skeleton::limits::AngleRange::FULL };
    /// assert_eq!(elbow.at(&[0.7]), Some(Axis::Z.turn(0.7)));
    /// assert_eq!(elbow.at(&[0.7, 0.1]), None);
    /// ```
    pub fn at(&self, angles_rad: &[f32]) -> Option<Quat> {
        Some(match (self, angles_rad) {
            (Self::Fixed, []) => Quat::IDENTITY,
            (Self::Hinge { axis, .. }, [angle]) => {
                let axis = unit(*axis)?.map(|x| x as f32);
                quat::from_axis_angle(Vec3::from_array(axis), *angle)
            }
            (Self::Saddle { axes, .. }, [outer, inner]) => {
                quat::mul(axes[0].turn(*outer), axes[1].turn(*inner))
            }
            (Self::Euler { order, .. }, [a, b, c]) => order.to_quat([*a, *b, *c]),
            (Self::Ball { .. } | Self::Free, [x, y, z]) => EulerOrder::XYZ.to_quat([*x, *y, *z]),
            (Self::Framed(framed), angles) => {
                let stated = QuatF64::from_quat(framed.turn.at(angles)?);
                framed.frame.wide().turn(stated).to_quat()
            }
            _ => return None,
        })
    }

    /// Whether an angle of it ends somewhere. A joint that does not turn at all, or freely about the axes
    /// that it has, is not limited.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew::skeleton::limits::{AngleRange, Turn};
    /// let hinge = |range| Turn::Hinge { axis: Vec3::X, range };
    /// assert!(hinge(AngleRange::degrees(-8.0, 150.0)).is_limited());
    /// assert!(!hinge(AngleRange::FULL).is_limited());
    /// ```
    pub fn is_limited(&self) -> bool {
        match self {
            Self::Fixed | Self::Free => false,
            Self::Hinge { range, .. } => range.ends(),
            Self::Saddle { ranges, .. } => ranges.iter().any(AngleRange::ends),
            Self::Euler { ranges, .. } => ranges.iter().any(AngleRange::ends),
            Self::Ball {
                swing_rad, twist, ..
            } => f64::from(*swing_rad) < PI || twist.ends(),
            Self::Framed(framed) => framed.turn.is_limited(),
        }
    }
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

/// How far from its limits a joint still counts as within them: more than `f32` products of unit
/// quaternions go astray, less than anyone can see.
const ROUNDING_RAD: f64 = 8e-7;

impl Freedom {
    /// How many numbers the joint's state takes.
    pub fn count(&self) -> usize {
        self.turn.count() + self.slides.iter().filter(|&&s| s).count()
    }

    /// Whether the limits make sense.
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
