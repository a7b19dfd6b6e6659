//! The turns that a joint can make, as data: about which axes, and how far.
//!
//! Angles are measured from the rest pose, in the joint's own frame, unless a [`TurnFrame`] says otherwise: a template's
//! limits on a file's joint, whose axes and rest pose someone else chose.

use glam::{Quat, Vec3};
use sinew_math::transform::quat_f64::{QuatF64, unit};
use sinew_math::transform::{Axis, EulerOrder, quat};
use std::f64::consts::{PI, TAU};

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

    /// True when it is less than the whole turn.
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
        /// Its ends.
        range: AngleRange,
    },
    /// About one coordinate axis and then another, like a wrist: two degrees of freedom.
    Saddle {
        /// Outer and inner axis; the rotation is `outer · inner`.
        axes: [Axis; 2],
        /// Ends about each.
        ranges: [AngleRange; 2],
    },
    /// In every direction, like a shoulder: three degrees of freedom. The rotation is
    /// `swing · twist`, with the twist about the bone's own axis.
    Ball {
        /// The bone's own axis, in the joint's frame; any length but zero.
        axis: Vec3,
        /// Half the opening of the cone that the bone's axis stays in.
        swing_rad: f32,
        /// Ends about the bone's own axis.
        twist: AngleRange,
    },
    /// Three turns about coordinate axes: three degrees of freedom.
    Euler {
        /// The axes, outermost first.
        order: EulerOrder,
        /// Ends about each.
        ranges: [AngleRange; 3],
    },
    /// Anything: three degrees of freedom.
    Free,
    /// One of the others about other axes or from another zero: as many degrees of freedom as that has.
    Framed(Box<FramedTurn>),
}

impl Turn {
    /// The count of numbers that state it: its degrees of freedom.
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

    /// True when an angle of it ends somewhere. A joint that does not turn at all, or freely about the axes
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

/// Axes and zero that a limit's angles are measured about and from, where these are not the joint's own axes and its rest.
///
/// A joint's turn from its rest is `axes · rest⁻¹ · stated · axes⁻¹`, and the limits are on `stated`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnFrame {
    /// `joint_from_axes`, of unit length.
    pub axes: Quat,
    /// The joint's rest pose as stated in these axes; of unit length.
    pub rest: Quat,
}

/// A turn in a frame of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct FramedTurn {
    /// Axes and zero of its angles.
    pub frame: TurnFrame,
    /// The turn as stated there; not framed once more.
    pub turn: Turn,
}

impl TurnFrame {
    pub(super) fn is_unit(&self) -> bool {
        // Of no number that is not finite is this true.
        let is_unit = |q: Quat| (quat::dot(q, q) - 1.0).abs() <= 1e-3;
        is_unit(self.axes) && is_unit(self.rest)
    }

    pub(crate) fn wide(&self) -> WideFrame {
        let unit = |q: Quat| {
            let unit = QuatF64::from_quat(q).normalized();
            unit.unwrap_or(QuatF64::IDENTITY)
        };
        let axes = unit(self.axes);
        WideFrame {
            axes,
            zero: axes.mul(unit(self.rest).conjugate()),
        }
    }
}

/// A [`TurnFrame`] to compute with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WideFrame {
    pub axes: QuatF64,
    /// `axes · rest⁻¹`: turns directions of what is stated into the frame of the joint's rest.
    pub zero: QuatF64,
}

impl WideFrame {
    /// The stated turn of a joint's turn.
    pub fn stated(&self, turn: QuatF64) -> QuatF64 {
        self.zero.conjugate().mul(turn).mul(self.axes)
    }

    /// The joint's turn of a stated one.
    pub fn turn(&self, stated: QuatF64) -> QuatF64 {
        self.zero.mul(stated).mul(self.axes.conjugate())
    }
}
