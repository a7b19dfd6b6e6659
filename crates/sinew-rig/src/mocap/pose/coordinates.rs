//! Coordinates of a joint: the fewest numbers that describe its rotation within its limits, and
//! their axes. A hinge has one angle, a saddle two, Euler angles three. A ball joint has the
//! rotation vector of its swing and the angle of its twist. A free joint has a rotation vector.
//! Balls are singular at a swing of 180°, Euler angles at gimbal lock; both exceed human limits.

use glam::{DMat3, DQuat, DVec3, Vec3};
use sinew::skeleton::limits::{AngleRange, RotationLimit};
use sinew::transform::Axis;
use std::f64::consts::{PI, TAU};

#[derive(Clone, Debug)]
pub(crate) enum Coordinates {
    /// Successive rotations, outermost first. Each has an axis and a min and max angle, in radians.
    Rotations(Vec<(DVec3, [f64; 2])>),
    /// Swing about two axes perpendicular to the bone, then twist about the bone.
    Ball {
        axis: DVec3,
        across: [DVec3; 2],
        swing_rad: f64,
        twist: [f64; 2],
    },
    Free,
    /// Coordinates of another kind, with rotated axes and another zero.
    Framed {
        axes_from_joint: DQuat,
        rest_from_stated: DQuat,
        stated: Box<Self>,
    },
}

impl Coordinates {
    pub fn new(limit: &RotationLimit) -> Self {
        match limit {
            RotationLimit::Fixed => Self::Rotations(Vec::new()),
            RotationLimit::Hinge { axis, range } => {
                Self::Rotations(vec![(unit(*axis), ends(range))])
            }
            RotationLimit::Saddle { axes, ranges } => Self::Rotations(rotations(axes, ranges)),
            RotationLimit::Euler { order, ranges } => {
                Self::Rotations(rotations(&order.axes(), ranges))
            }
            RotationLimit::Ball {
                axis,
                swing_rad,
                twist,
            } => {
                let axis = unit(*axis);
                let (a, b) = axis.any_orthonormal_pair();
                Self::Ball {
                    axis,
                    across: [a, b],
                    swing_rad: f64::from(*swing_rad).min(PI),
                    twist: ends(twist),
                }
            }
            RotationLimit::Free => Self::Free,
            RotationLimit::Framed(framed) => {
                let frame = framed.frame;
                let [axes, rest] = [frame.axes, frame.rest].map(|q| q.as_dquat().normalize());
                Self::Framed {
                    axes_from_joint: axes.inverse(),
                    rest_from_stated: axes * rest.inverse(),
                    stated: Box::new(Self::new(&framed.rotation)),
                }
            }
        }
    }

    pub fn count(&self) -> usize {
        match self {
            Self::Rotations(rotations) => rotations.len(),
            Self::Ball { .. } | Self::Free => 3,
            Self::Framed { stated, .. } => stated.count(),
        }
    }

    /// Rotation relative to rest.
    pub fn rotation(&self, q: &[f64]) -> DQuat {
        match self {
            Self::Rotations(rotations) => {
                let each = rotations
                    .iter()
                    .zip(q)
                    .map(|((axis, _), &a)| about(*axis, a));
                each.fold(DQuat::IDENTITY, |all, each| all * each)
            }
            Self::Ball { axis, across, .. } => {
                exp(across[0] * q[0] + across[1] * q[1]) * about(*axis, q[2])
            }
            Self::Free => exp(DVec3::new(q[0], q[1], q[2])),
            Self::Framed {
                axes_from_joint,
                rest_from_stated,
                stated,
            } => *rest_from_stated * stated.rotation(q) * *axes_from_joint,
        }
    }

    /// Rotation relative to rest, and the axis of each number in the rest frame.
    pub fn rotation_and_axes(&self, q: &[f64]) -> (DQuat, [DVec3; 3]) {
        let mut axes = [DVec3::ZERO; 3];
        match self {
            Self::Rotations(rotations) => {
                let mut outer = DQuat::IDENTITY;
                for (i, (axis, _)) in rotations.iter().enumerate() {
                    (axes[i], outer) = match i {
                        0 => (*axis, about(*axis, q[i])),
                        _ => (outer * *axis, outer * about(*axis, q[i])),
                    };
                }
                (outer, axes)
            }
            Self::Ball { axis, across, .. } => {
                let swing = Vector::new(across[0] * q[0] + across[1] * q[1]);
                let [first, second] = across.map(|axis| swing.rotated_about(axis));
                let rotation = swing.rotation * about(*axis, q[2]);
                (rotation, [first, second, swing.rotation * *axis])
            }
            Self::Free => {
                let vector = Vector::new(DVec3::new(q[0], q[1], q[2]));
                let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| vector.rotated_about(axis));
                (vector.rotation, axes)
            }
            Self::Framed {
                axes_from_joint,
                rest_from_stated,
                stated,
            } => {
                let (rotation, axes) = stated.rotation_and_axes(q);
                let axes = axes.map(|axis| *rest_from_stated * axis);
                (*rest_from_stated * rotation * *axes_from_joint, axes)
            }
        }
    }

    /// Clamps the numbers to the limits.
    pub fn clamp(&self, q: &mut [f64]) {
        match self {
            Self::Rotations(rotations) => {
                for ((_, [low, high]), q) in rotations.iter().zip(q) {
                    *q = q.max(*low).min(*high);
                }
            }
            Self::Ball {
                swing_rad, twist, ..
            } => {
                let swing = (q[0] * q[0] + q[1] * q[1]).sqrt();
                if swing > *swing_rad {
                    q[0] *= swing_rad / swing;
                    q[1] *= swing_rad / swing;
                }
                q[2] = q[2].max(twist[0]).min(twist[1]);
            }
            Self::Free => {
                // The equivalent shorter vector, long before the singularity at 360°.
                let angle = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]).sqrt();
                if angle > 1.25 * PI {
                    q.iter_mut().for_each(|q| *q *= 1.0 - TAU / angle);
                }
            }
            Self::Framed { stated, .. } => stated.clamp(q),
        }
    }

    /// Min and max of a number. Infinite for a number without its own range.
    pub fn range(&self, nth: usize) -> [f64; 2] {
        match self {
            Self::Rotations(rotations) => rotations[nth].1,
            Self::Ball { twist, .. } if nth == 2 => *twist,
            Self::Ball { .. } | Self::Free => [f64::NEG_INFINITY, f64::INFINITY],
            Self::Framed { stated, .. } => stated.range(nth),
        }
    }

    /// Max length of the vector of the first two numbers, if they are a swing.
    pub fn rim(&self) -> Option<f64> {
        match self {
            Self::Ball { swing_rad, .. } => Some(*swing_rad),
            Self::Rotations(_) | Self::Free => None,
            Self::Framed { stated, .. } => stated.rim(),
        }
    }

    /// Vector of a free rotation, or its equivalent, whichever is nearer to `reference`.
    pub fn nearest_branch(&self, q: &[f64], reference: &[f64]) -> [f64; 3] {
        if let Self::Framed { stated, .. } = self {
            return stated.nearest_branch(q, reference);
        }
        let mut nearest = [0.0; 3];
        nearest[..q.len()].copy_from_slice(q);
        if matches!(self, Self::Free) {
            let r = DVec3::from_array(nearest);
            let reference = DVec3::new(reference[0], reference[1], reference[2]);
            let angle = r.length();
            if angle > 0.0 {
                let other = r * (1.0 - TAU / angle);
                if other.distance_squared(reference) < r.distance_squared(reference) {
                    nearest = other.to_array();
                }
            }
        }
        nearest
    }

    /// Numbers within the limits whose rotation is nearest to `rotation`.
    pub fn numbers_of(&self, rotation: DQuat) -> [f64; 3] {
        let mut q = [0.0; 3];
        let count = self.count();
        for _ in 0..24 {
            let (here, axes) = self.rotation_and_axes(&q[..count]);
            let off = log(rotation * here.inverse());
            if off.length() < 1e-10 {
                break;
            }
            // Damping handles gimbal lock and unreachable rotations. Missing axes are zero.
            let axes = DMat3::from_cols_array_2d(&axes.map(|axis| axis.to_array()));
            let across = axes.transpose();
            let step = (across * axes + DMat3::IDENTITY * 1e-3).inverse() * (across * off);
            for (q, step) in q[..count].iter_mut().zip(step.to_array()) {
                *q += step;
            }
            self.clamp(&mut q[..count]);
        }
        q
    }
}

fn rotations(axes: &[Axis], ranges: &[AngleRange]) -> Vec<(DVec3, [f64; 2])> {
    let axes = axes.iter().map(|axis| axis.vector().as_dvec3());
    axes.zip(ranges.iter().map(ends)).collect()
}

fn ends(range: &AngleRange) -> [f64; 2] {
    let (low, high) = (f64::from(range.min_rad), f64::from(range.max_rad));
    if high - low >= TAU {
        [f64::NEG_INFINITY, f64::INFINITY]
    } else {
        [low, high]
    }
}

fn unit(axis: Vec3) -> DVec3 {
    axis.as_dvec3().try_normalize().unwrap_or(DVec3::Y)
}

pub(crate) fn about(axis: DVec3, angle_rad: f64) -> DQuat {
    let (sin, cos) = libm::sincos(0.5 * angle_rad);
    let v = axis * sin;
    DQuat::from_xyzw(v.x, v.y, v.z, cos)
}

pub(crate) fn exp(r: DVec3) -> DQuat {
    let angle = r.length();
    if angle > 0.0 {
        about(r / angle, angle)
    } else {
        DQuat::IDENTITY
    }
}

/// Shortest rotation vector of a rotation.
pub(crate) fn log(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = DVec3::new(q.x, q.y, q.z);
    let sin = v.length();
    if sin > 0.0 {
        v * (2.0 * libm::atan2(sin, q.w) / sin)
    } else {
        DVec3::ZERO
    }
}

struct Vector {
    vector: DVec3,
    rotation: DQuat,
    jacobian: [f64; 2],
}

impl Vector {
    fn new(vector: DVec3) -> Self {
        let t2 = vector.length_squared();
        let t = t2.sqrt();
        let (sin, cos) = libm::sincos(0.5 * t);
        let v = if t > 0.0 {
            vector * (sin / t)
        } else {
            DVec3::ZERO
        };
        let jacobian = if t2 < 1e-8 {
            [0.5 - t2 / 24.0, 1.0 / 6.0 - t2 / 120.0]
        } else {
            [2.0 * sin * sin / t2, (t - 2.0 * sin * cos) / (t2 * t)]
        };
        Self {
            vector,
            rotation: DQuat::from_xyzw(v.x, v.y, v.z, cos),
            jacobian,
        }
    }

    /// Axis of the change of the rotation when the vector grows along `v`.
    fn rotated_about(&self, v: DVec3) -> DVec3 {
        let rv = self.vector.cross(v);
        v + rv * self.jacobian[0] + self.vector.cross(rv) * self.jacobian[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use sinew::skeleton::limits::{FramedRotation, RotationFrame};
    use sinew::transform::EulerOrder;

    fn kinds() -> Vec<Coordinates> {
        let wide = AngleRange::degrees(-100.0, 100.0);
        [
            RotationLimit::Hinge {
                axis: Vec3::new(1.0, 2.0, 0.5),
                range: wide,
            },
            RotationLimit::Saddle {
                axes: [Axis::X, Axis::Y],
                ranges: [wide; 2],
            },
            RotationLimit::Euler {
                order: EulerOrder::XYZ,
                ranges: [wide; 3],
            },
            RotationLimit::Ball {
                axis: Vec3::Y,
                swing_rad: 2.5,
                twist: wide,
            },
            RotationLimit::Free,
            RotationLimit::Framed(Box::new(FramedRotation {
                frame: RotationFrame {
                    axes: Quat::from_xyzw(0.5, -0.5, 0.1, 0.7).normalize(),
                    rest: Quat::from_xyzw(0.2, 0.1, -0.4, 0.9).normalize(),
                },
                rotation: RotationLimit::Saddle {
                    axes: [Axis::X, Axis::Z],
                    ranges: [wide; 2],
                },
            })),
        ]
        .iter()
        .map(Coordinates::new)
        .collect()
    }

    #[test]
    fn axes_are_the_axes_of_the_rotation() {
        for kind in kinds() {
            let q = &[0.7, -0.9, 0.4][..kind.count()];
            let (rotation, axes) = kind.rotation_and_axes(q);
            assert!(
                (rotation.dot(kind.rotation(q)) - 1.0).abs() < 1e-14,
                "{kind:?}"
            );
            for i in 0..q.len() {
                let step = 1e-6;
                let moved = |by: f64| {
                    let mut q = q.to_vec();
                    q[i] += by;
                    kind.rotation(&q)
                };
                let slope = log(moved(step) * moved(-step).inverse()) / (2.0 * step);
                assert!((slope - axes[i]).length() < 1e-8, "{kind:?} {i}");
            }
        }
    }

    #[test]
    fn numbers_come_back_from_their_rotation() {
        for kind in kinds() {
            let q = &[0.7, -0.9, 0.4][..kind.count()];
            let back = kind.numbers_of(kind.rotation(q));
            for i in 0..q.len() {
                assert!((back[i] - q[i]).abs() < 1e-6, "{kind:?}: {back:?}");
            }
        }
    }

    #[test]
    fn a_free_rotation_has_two_vectors() {
        let there = [3.0, 0.0, 0.0];
        let other = Coordinates::Free.nearest_branch(&there, &[-3.2, 0.0, 0.0]);
        assert!((other[0] - (3.0 - TAU)).abs() < 1e-12);
        let (a, b) = (
            Coordinates::Free.rotation(&there),
            Coordinates::Free.rotation(&other),
        );
        assert!(a.dot(b).abs() > 1.0 - 1e-12);
    }
}
