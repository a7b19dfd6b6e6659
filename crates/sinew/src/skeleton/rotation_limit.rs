//! Rotations that a joint can make: axes and ranges. Angles are relative to the rest pose, in the
//! frame of the joint or of a [`RotationFrame`].

use glam::{Quat, Vec3};
use sinew_math::transform::quat_f64::{QuatF64, unit};
use sinew_math::transform::{Axis, EulerOrder, quat};
use std::f64::consts::{PI, TAU};

/// Min and max angle in radians, modulo 2π. A range of 2π or more means no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleRange {
    /// Min angle, in radians.
    pub min_rad: f32,
    /// Max angle, in radians.
    pub max_rad: f32,
}

impl AngleRange {
    /// All angles.
    pub const FULL: Self = Self {
        min_rad: -std::f32::consts::PI,
        max_rad: std::f32::consts::PI,
    };

    /// Range from angles in degrees.
    pub fn degrees(min: f32, max: f32) -> Self {
        Self {
            min_rad: min.to_radians(),
            max_rad: max.to_radians(),
        }
    }

    /// True if the range is less than 2π.
    pub fn ends(&self) -> bool {
        f64::from(self.max_rad) - f64::from(self.min_rad) < TAU
    }

    /// `angle_rad` if it is in the range modulo 2π, otherwise the nearer end.
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

/// Rotations that a joint can make, relative to rest.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "ragdoll")]
#[doc(alias = "constraint")]
#[doc(alias = "joint limit")]
pub enum RotationLimit {
    /// No rotation: no degree of freedom.
    Fixed,
    /// Rotation about one axis, like an elbow: one degree of freedom.
    Hinge {
        /// Axis in the frame of the joint, of any length except 0.
        axis: Vec3,
        /// Range of the angle.
        range: AngleRange,
    },
    /// Rotation about two coordinate axes, like a wrist: two degrees of freedom.
    Saddle {
        /// Outer and inner axis. The rotation is `outer · inner`.
        axes: [Axis; 2],
        /// Range of the angle about each axis.
        ranges: [AngleRange; 2],
    },
    /// Swing and a twist about the bone (`swing · twist`), like a shoulder: three degrees of
    /// freedom.
    Ball {
        /// Axis of the bone in the frame of the joint, of any length except 0.
        axis: Vec3,
        /// Max angle between the axis of the bone and its rest direction, in radians.
        swing_rad: f32,
        /// Range of the angle about the axis of the bone.
        twist: AngleRange,
    },
    /// Rotation about three coordinate axes: three degrees of freedom.
    Euler {
        /// Axes, the outermost first.
        order: EulerOrder,
        /// Range of the angle about each axis.
        ranges: [AngleRange; 3],
    },
    /// Any rotation: three degrees of freedom.
    Free,
    /// Another variant in a separate frame, with the same degrees of freedom.
    Framed(Box<FramedRotation>),
}

impl RotationLimit {
    /// Number of degrees of freedom.
    pub fn count(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Hinge { .. } => 1,
            Self::Saddle { .. } => 2,
            Self::Ball { .. } | Self::Euler { .. } | Self::Free => 3,
            Self::Framed(framed) => framed.rotation.count(),
        }
    }

    /// Rotation at angles in radians: one for a hinge, two for a saddle, three for Euler axes. Ball
    /// and free joints need three angles, for `Rx · Ry · Rz`. `None` for another number of angles.
    ///
    /// ```
    /// use sinew::skeleton::limits::RotationLimit;
    /// use sinew::transform::Axis;
    /// use glam::Vec3;
    /// let elbow = RotationLimit::Hinge { axis: Vec3::Z * 2.0, range: sinew::skeleton::limits::AngleRange::FULL };
    /// assert_eq!(elbow.at(&[0.7]), Some(Axis::Z.rotation(0.7)));
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
                quat::mul(axes[0].rotation(*outer), axes[1].rotation(*inner))
            }
            (Self::Euler { order, .. }, [a, b, c]) => order.to_quat([*a, *b, *c]),
            (Self::Ball { .. } | Self::Free, [x, y, z]) => EulerOrder::XYZ.to_quat([*x, *y, *z]),
            (Self::Framed(framed), angles) => {
                let stated = QuatF64::from_quat(framed.rotation.at(angles)?);
                framed.frame.wide().rotation(stated).to_quat()
            }
            _ => return None,
        })
    }

    /// Angles in radians that [`RotationLimit::at`] takes for a rotation from rest. Those of a hinge or
    /// saddle are near the middle of its range. Of a rotation that the joint cannot make, only the
    /// part about its axes counts.
    pub fn angles(&self, rotation: Quat) -> Vec<f32> {
        let about = |axis: Vec3, range: &AngleRange| {
            let along = rotation.x * axis.x + rotation.y * axis.y + rotation.z * axis.z;
            let angle = 2.0 * libm::atan2f(along, rotation.w);
            let middle = 0.5 * (range.min_rad + range.max_rad);
            let turn = std::f32::consts::TAU;
            angle + turn * ((middle - angle) / turn).round()
        };
        let euler = |order: EulerOrder| {
            let angles = order.angles(QuatF64::from_quat(rotation));
            angles.map(|angle| angle as f32).to_vec()
        };
        match self {
            Self::Fixed => Vec::new(),
            Self::Hinge { axis, range } => {
                let axis = unit(*axis).unwrap_or_default().map(|x| x as f32);
                vec![about(Vec3::from_array(axis), range)]
            }
            Self::Saddle { axes, ranges } => {
                let angles = axes.iter().zip(ranges);
                angles
                    .map(|(axis, range)| about(axis.vector(), range))
                    .collect()
            }
            Self::Euler { order, .. } => euler(*order),
            Self::Ball { .. } | Self::Free => euler(EulerOrder::XYZ),
            Self::Framed(framed) => {
                let stated = framed.frame.wide().stated(QuatF64::from_quat(rotation));
                framed.rotation.angles(stated.to_quat())
            }
        }
    }

    /// True if the range of an angle is limited. False for fixed joints and unlimited axes.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew::skeleton::limits::{AngleRange, RotationLimit};
    /// let hinge = |range| RotationLimit::Hinge { axis: Vec3::X, range };
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
            Self::Framed(framed) => framed.rotation.is_limited(),
        }
    }
}

/// Frame of the angles of a limit, if it differs from the rest frame of the joint. The rotation
/// from rest is `axes · rest⁻¹ · stated · axes⁻¹`. Limits apply to `stated`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationFrame {
    /// Rotation `joint_from_axes`, of unit length.
    pub axes: Quat,
    /// Rest rotation of the joint relative to these axes, of unit length.
    pub rest: Quat,
}

/// Rotation limit in a separate frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FramedRotation {
    /// Axes and zero rotation of the angles.
    pub frame: RotationFrame,
    /// Limit in this frame. It must not be [`RotationLimit::Framed`].
    pub rotation: RotationLimit,
}

impl RotationFrame {
    pub(super) fn is_unit(&self) -> bool {
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

#[derive(Clone, Copy, Debug)]
pub(crate) struct WideFrame {
    pub axes: QuatF64,
    /// `axes · rest⁻¹`, which maps stated directions to the frame of the joint at rest.
    pub zero: QuatF64,
}

impl WideFrame {
    /// Converts the rotation of the joint to the stated rotation.
    pub fn stated(&self, turn: QuatF64) -> QuatF64 {
        self.zero.conjugate().mul(turn).mul(self.axes)
    }

    /// Converts the stated rotation to the rotation of the joint.
    pub fn rotation(&self, stated: QuatF64) -> QuatF64 {
        self.zero.mul(stated).mul(self.axes.conjugate())
    }
}
