//! Coordinates of the rotation of a joint, one per degree of freedom. Limits become bounds of the
//! coordinates. The coordinates are angles, or for a ball joint a swing vector within a disc and a
//! twist. A free joint uses no coordinates. It rotates by small vectors. The derivative of a swing
//! vector is the left Jacobian of the rotation group (Solà et al. 2018, "A micro Lie theory").

use super::frame::{Vec3F64, length};
use crate::skeleton::limits::{AngleRange, RotationLimit};
use crate::skeleton::nearest_rotation::{nearest, nearest_euler_angles};
use sinew_math::transform::EulerOrder;
use sinew_math::transform::quat_f64::{QuatF64, across, add_scaled, cross, dot, scaled, unit};
use std::f64::consts::{PI, TAU};

#[derive(Clone, Debug)]
pub(super) enum Angles {
    Fixed,
    /// One to three rotations about given axes. The first axis is the outermost.
    Rotations {
        axes: [Vec3F64; 3],
        ranges: [AngleRange; 3],
        count: usize,
        order: Option<EulerOrder>,
    },
    Ball {
        axis: Vec3F64,
        /// Two unit vectors perpendicular to the axis, along which the swing vector is measured.
        across: [Vec3F64; 2],
        cone_rad: f64,
        twist: AngleRange,
    },
    Free,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub rotation: QuatF64,
    /// Coordinates. Unused for free joints.
    pub angles: [f64; 3],
}

impl State {
    pub const REST: Self = Self {
        rotation: QuatF64::IDENTITY,
        angles: [0.0; 3],
    };
}

/// Rotation axis of each coordinate, in the rest frame, and the range of its step, down and up.
#[derive(Clone, Copy, Debug)]
pub(super) struct JacobianAxes {
    pub axes: [Vec3F64; 3],
    pub step_ranges: [[f64; 2]; 3],
}

const UNBOUNDED: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
const LOCKED: AngleRange = AngleRange {
    min_rad: 0.0,
    max_rad: 0.0,
};

impl Angles {
    pub fn new(rotation: &RotationLimit) -> Self {
        let none = [0.0; 3];
        match rotation {
            RotationLimit::Fixed => Self::Fixed,
            RotationLimit::Free => Self::Free,
            RotationLimit::Framed(framed) => Self::new(&framed.rotation),
            RotationLimit::Hinge { axis, range } => {
                unit(*axis).map_or(Self::Fixed, |axis| Self::Rotations {
                    axes: [axis, none, none],
                    ranges: [*range, LOCKED, LOCKED],
                    count: 1,
                    order: None,
                })
            }
            RotationLimit::Saddle { axes, ranges } => Self::Rotations {
                axes: [axes[0].unit_f64(), axes[1].unit_f64(), none],
                ranges: [ranges[0], ranges[1], LOCKED],
                count: 2,
                order: None,
            },
            RotationLimit::Euler { order, ranges } => Self::Rotations {
                axes: order.axes().map(|axis| axis.unit_f64()),
                ranges: *ranges,
                count: 3,
                order: Some(*order),
            },
            RotationLimit::Ball {
                axis,
                swing_rad,
                twist,
            } => unit(*axis).map_or(Self::Fixed, |axis| {
                let first = across(axis);
                Self::Ball {
                    axis,
                    across: [first, cross(axis, first)],
                    cone_rad: f64::from(*swing_rad),
                    twist: *twist,
                }
            }),
        }
    }

    /// Number of coordinates.
    pub fn count(&self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Rotations { count, .. } => *count,
            Self::Ball { .. } | Self::Free => 3,
        }
    }

    /// Allowed state nearest to a rotation. These angles must have been made from `limits`.
    pub fn nearest(&self, limits: &RotationLimit, rotation: QuatF64) -> State {
        match self {
            Self::Fixed => State::REST,
            Self::Free => State {
                rotation,
                angles: [0.0; 3],
            },
            Self::Rotations {
                axes,
                ranges,
                count,
                order,
            } => {
                let angles = match (count, order, limits) {
                    (1, ..) => [ranges[0].nearest(rotation.angle_about(axes[0])), 0.0, 0.0],
                    (_, Some(order), _) => nearest_euler_angles(rotation, *order, ranges).1,
                    (_, None, RotationLimit::Saddle { axes, .. }) => {
                        let [outer, inner] = rotation.angles_about_pair(*axes);
                        [ranges[0].nearest(outer), ranges[1].nearest(inner), 0.0]
                    }
                    _ => [0.0; 3],
                };
                self.state(angles)
            }
            Self::Ball {
                axis,
                across,
                cone_rad,
                twist,
            } => {
                let allowed = nearest(limits, rotation);
                let twist_rad = twist.nearest(allowed.angle_about(*axis));
                let back = QuatF64::from_axis_angle(*axis, twist_rad).conjugate();
                let swing = allowed.mul(back);
                let swing = if swing.w < 0.0 {
                    swing.negated()
                } else {
                    swing
                };
                let flat = across.map(|a| dot(swing.v, a));
                let sine = (flat[0] * flat[0] + flat[1] * flat[1]).sqrt();
                let angle = (2.0 * libm::atan2(sine, swing.w)).min(*cone_rad);
                let scale = if sine > 0.0 { angle / sine } else { 0.0 };
                self.state([flat[0] * scale, flat[1] * scale, twist_rad])
            }
        }
    }

    /// State with the given coordinates, clamped to the limits.
    pub fn state(&self, mut angles: [f64; 3]) -> State {
        match self {
            Self::Fixed | Self::Free => State::REST,
            Self::Rotations {
                axes,
                ranges,
                count,
                ..
            } => {
                let mut rotation = QuatF64::IDENTITY;
                for i in 0..*count {
                    angles[i] = kept(&ranges[i], angles[i]);
                    rotation = rotation.mul(QuatF64::from_axis_angle(axes[i], angles[i]));
                }
                State { rotation, angles }
            }
            Self::Ball {
                axis,
                across,
                cone_rad,
                twist,
            } => {
                let [x, y, _] = angles;
                let long = (x * x + y * y).sqrt();
                // Beyond 180°, the swing in the opposite direction is shorter.
                let wrapped = libm::remainder(long, TAU);
                let within = wrapped.max(-*cone_rad).min(*cone_rad);
                if within != long {
                    angles = [x / long * within, y / long * within, angles[2]];
                }
                angles[2] = kept(twist, angles[2]);
                let rotation =
                    swing_of(across, &angles).mul(QuatF64::from_axis_angle(*axis, angles[2]));
                State { rotation, angles }
            }
        }
    }

    /// Moves a state by a step along its [`JacobianAxes`].
    pub fn step(&self, state: &State, step: [f64; 3]) -> State {
        match self {
            Self::Fixed => *state,
            Self::Free => {
                let angle = length(step);
                let rotation = if angle > 0.0 {
                    QuatF64::from_axis_angle(step.map(|c| c / angle), angle).mul(state.rotation)
                } else {
                    state.rotation
                };
                State {
                    rotation: rotation.normalized().unwrap_or(state.rotation),
                    ..*state
                }
            }
            Self::Rotations { .. } => self.state([0, 1, 2].map(|i| state.angles[i] + step[i])),
            Self::Ball { .. } => {
                let [out, along] = radial(&state.angles);
                self.state([
                    state.angles[0] + step[0] * out[0] + step[1] * along[0],
                    state.angles[1] + step[0] * out[1] + step[1] * along[1],
                    state.angles[2] + step[2],
                ])
            }
        }
    }

    pub fn jacobian_axes(&self, state: &State) -> JacobianAxes {
        let mut jacobian_axes = JacobianAxes {
            axes: [[0.0; 3]; 3],
            step_ranges: [[0.0; 2]; 3],
        };
        let angles = &state.angles;
        match self {
            Self::Fixed => {}
            Self::Free => {
                jacobian_axes.axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
                jacobian_axes.step_ranges = [UNBOUNDED; 3];
            }
            Self::Rotations {
                axes,
                ranges,
                count,
                ..
            } => {
                let mut outer = QuatF64::IDENTITY;
                for i in 0..*count {
                    jacobian_axes.axes[i] = outer.rotate(axes[i]);
                    jacobian_axes.step_ranges[i] = step_range(&ranges[i], angles[i]);
                    if i + 1 < *count {
                        outer = outer.mul(QuatF64::from_axis_angle(axes[i], angles[i]));
                    }
                }
            }
            Self::Ball {
                axis,
                across,
                cone_rad,
                twist,
            } => {
                // The cone bounds the outward step. The step along the rim has no bound.
                let long = (angles[0] * angles[0] + angles[1] * angles[1]).sqrt();
                let swing = swing_of(across, angles);
                for (i, d) in radial(angles).into_iter().enumerate() {
                    let direction = add_scaled(scaled(across[0], d[0]), across[1], d[1]);
                    jacobian_axes.axes[i] = left_jacobian(swing, long, direction);
                }
                jacobian_axes.step_ranges[0] = if *cone_rad >= PI {
                    UNBOUNDED
                } else {
                    [-cone_rad - long, cone_rad - long]
                };
                jacobian_axes.step_ranges[1] = UNBOUNDED;
                jacobian_axes.axes[2] = swing.rotate(*axis);
                jacobian_axes.step_ranges[2] = step_range(twist, angles[2]);
            }
        }
        jacobian_axes
    }

    /// Random allowed state, from three numbers in [0, 1).
    pub fn random(&self, parts: [f64; 3]) -> State {
        match self {
            Self::Fixed => State::REST,
            Self::Free => {
                let axis = [parts[0] - 0.5, parts[1] - 0.5, parts[2] - 0.5];
                let long = length(axis);
                let axis = if long > 0.0 {
                    axis.map(|c| c / long)
                } else {
                    [1.0, 0.0, 0.0]
                };
                State {
                    rotation: QuatF64::from_axis_angle(axis, PI * (2.0 * parts[0] - 1.0)),
                    angles: [0.0; 3],
                }
            }
            Self::Rotations { ranges, .. } => {
                self.state([0, 1, 2].map(|i| between(&ranges[i], parts[i])))
            }
            Self::Ball {
                cone_rad, twist, ..
            } => {
                let angle = cone_rad.min(PI) * parts[0].sqrt();
                let (s, c) = (libm::sin(TAU * parts[1]), libm::cos(TAU * parts[1]));
                self.state([angle * c, angle * s, between(twist, parts[2])])
            }
        }
    }

    /// True if a coordinate is at a limit.
    pub fn is_at_limit(&self, state: &State) -> bool {
        let at = |range: &AngleRange, angle: f64| {
            let [down, up] = step_range(range, angle);
            -down < 1e-6 || up < 1e-6
        };
        match self {
            Self::Fixed | Self::Free => false,
            Self::Rotations { ranges, count, .. } => (0..*count)
                .any(|i| ranges[i].min_rad < ranges[i].max_rad && at(&ranges[i], state.angles[i])),
            Self::Ball {
                cone_rad, twist, ..
            } => {
                let [x, y, twist_rad] = state.angles;
                let long = (x * x + y * y).sqrt();
                (*cone_rad < PI && *cone_rad > 0.0 && cone_rad - long < 1e-6)
                    || (twist.min_rad < twist.max_rad && at(twist, twist_rad))
            }
        }
    }
}

fn kept(range: &AngleRange, angle: f64) -> f64 {
    let (min, max) = (f64::from(range.min_rad), f64::from(range.max_rad));
    if max - min >= TAU {
        angle
    } else {
        angle.max(min).min(max)
    }
}

fn step_range(range: &AngleRange, angle: f64) -> [f64; 2] {
    let (min, max) = (f64::from(range.min_rad), f64::from(range.max_rad));
    if max - min >= TAU {
        UNBOUNDED
    } else {
        [(min - angle).min(0.0), (max - angle).max(0.0)]
    }
}

fn between(range: &AngleRange, part: f64) -> f64 {
    let (min, max) = (f64::from(range.min_rad), f64::from(range.max_rad));
    min + (max - min).min(TAU) * part
}

/// Unit vectors along and across a swing vector. For zero swing, the basis vectors.
pub(super) fn radial(angles: &[f64; 3]) -> [[f64; 2]; 2] {
    let [x, y, _] = *angles;
    let long = (x * x + y * y).sqrt();
    if long < 1e-9 {
        return [[1.0, 0.0], [0.0, 1.0]];
    }
    [[x / long, y / long], [-y / long, x / long]]
}

pub(super) fn swing_of(across: &[Vec3F64; 2], angles: &[f64; 3]) -> QuatF64 {
    let vector = add_scaled(scaled(across[0], angles[0]), across[1], angles[1]);
    let angle = length(vector);
    if angle > 0.0 {
        QuatF64::from_axis_angle(vector.map(|c| c / angle), angle)
    } else {
        QuatF64::IDENTITY
    }
}

/// Rotation axis of a change of the swing vector, for a swing and its angle.
fn left_jacobian(swing: QuatF64, angle: f64, direction: Vec3F64) -> Vec3F64 {
    // First order in half the swing vector.
    if angle < 1e-6 {
        return add_scaled(direction, cross(swing.v, direction), 1.0);
    }
    let (sine, inverse) = (length(swing.v), 1.0 / angle);
    let axis = scaled(swing.v, 1.0 / sine);
    // sin(angle) and 1 − cos(angle), from the sine and cosine of half the angle.
    let s = 2.0 * sine * swing.w * inverse;
    let c = 2.0 * sine * sine * inverse;
    let along = dot(axis, direction) * (1.0 - s);
    let rotated = add_scaled(scaled(direction, s), axis, along);
    add_scaled(rotated, cross(axis, direction), c)
}
