//! Rotation of one joint towards a target within its limits, for `ccd` and `fabrik`.

use super::angles::{Angles, State, swing_of};
use super::frame::Vec3F64;
use crate::skeleton::limits::RotationLimit;
use sinew_math::transform::quat_f64::{QuatF64, across, add_scaled, cross, dot};
use std::f64::consts::TAU;

impl Angles {
    /// Rotates the joint so that its point `from` comes as close as limits allow to `to`, and never
    /// farther away. Both points are in the rest frame.
    pub fn align(
        &self,
        limits: &RotationLimit,
        state: &State,
        from: Vec3F64,
        to: Vec3F64,
    ) -> State {
        match self {
            Self::Fixed => *state,
            Self::Free => {
                let now = state.rotation.rotate(from);
                let rotation = QuatF64::arc(now, to, || across(now)).mul(state.rotation);
                State {
                    rotation: rotation.normalized().unwrap_or(state.rotation),
                    ..*state
                }
            }
            Self::Rotations {
                axes,
                ranges,
                count,
                ..
            } => {
                let mut angles = state.angles;
                for i in (0..*count).rev() {
                    let rotation = |k: usize| QuatF64::from_axis_angle(axes[k], angles[k]);
                    let inner = (i + 1..*count).fold(QuatF64::IDENTITY, |q, k| q.mul(rotation(k)));
                    let outer = (0..i).fold(QuatF64::IDENTITY, |q, k| q.mul(rotation(k)));
                    let (from, to) = (inner.rotate(from), outer.conjugate().rotate(to));
                    if let Some(best) = best_angle(axes[i], from, to) {
                        angles[i] = ranges[i].nearest(best);
                    }
                }
                self.state(angles)
            }
            Self::Ball {
                axis,
                across: basis,
                cone_rad,
                twist,
            } => {
                let now = state.rotation.rotate(from);
                let expected = QuatF64::arc(now, to, || across(now)).mul(state.rotation);
                let met = self.nearest(limits, expected);
                let gain = |s: &State| dot(s.rotation.rotate(from), to);
                let mut best = if gain(&met) >= gain(state) {
                    met
                } else {
                    *state
                };
                if best.rotation.angle_to(expected) < 1e-9 {
                    return best;
                }
                let [x, y, twist_rad] = best.angles;
                let long = (x * x + y * y).sqrt();
                if long > 0.0 {
                    let direction = [x / long, y / long];
                    let about =
                        add_scaled(basis[0].map(|c| c * direction[0]), basis[1], direction[1]);
                    let carried = QuatF64::from_axis_angle(*axis, twist_rad).rotate(from);
                    if let Some(angle) = best_angle(about, carried, to) {
                        let angle = libm::remainder(angle, TAU).max(-*cone_rad).min(*cone_rad);
                        best = self.state([direction[0] * angle, direction[1] * angle, twist_rad]);
                    }
                }
                let back = swing_of(basis, &best.angles).conjugate();
                if let Some(angle) = best_angle(*axis, from, back.rotate(to)) {
                    let [x, y, _] = best.angles;
                    best = self.state([x, y, twist.nearest(angle)]);
                }
                if gain(&best) >= gain(state) {
                    best
                } else {
                    *state
                }
            }
        }
    }
}

/// Angle about a unit axis that rotates `from` closest to `to`. `None` if every angle does.
fn best_angle(axis: Vec3F64, from: Vec3F64, to: Vec3F64) -> Option<f64> {
    let (along_from, along_to) = (dot(axis, from), dot(axis, to));
    let cosine = dot(from, to) - along_from * along_to;
    let sine = dot(axis, cross(from, to));
    let size = dot(from, from) * dot(to, to);
    (cosine * cosine + sine * sine > 1e-20 * size).then(|| libm::atan2(sine, cosine))
}
