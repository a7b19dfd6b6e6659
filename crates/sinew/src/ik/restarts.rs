//! Restarts: other states within the limits of a joint, for solvers that are stuck at limits.

use super::angles::{Angles, State, radial};
use crate::skeleton::limits::AngleRange;
use sinew_math::transform::quat_f64::QuatF64;
use std::f64::consts::{PI, TAU};

/// Number of restarts per angle: both ends and the middle of its range.
const RESTARTS_PER_ANGLE: usize = 3;

pub(super) const RESTARTS: usize = 3 * RESTARTS_PER_ANGLE;

impl Angles {
    /// Allowed state far from `state`, selected by `nth`. `None` if it equals `state`.
    pub fn restart(&self, state: &State, nth: usize) -> Option<State> {
        let mut angles = state.angles;
        match self {
            Self::Fixed => return None,
            Self::Free => {
                let mut half = QuatF64::IDENTITY;
                half.v[nth % 3] = 1.0;
                half.w = 0.0;
                return Some(State {
                    rotation: state.rotation.mul(half),
                    ..*state
                });
            }
            Self::Rotations { ranges, count, .. } => {
                let i = nth / RESTARTS_PER_ANGLE;
                if i >= *count {
                    return None;
                }
                angles[i] = angle_within(&ranges[i], angles[i], nth % RESTARTS_PER_ANGLE)?;
            }
            Self::Ball { twist, .. } if nth < RESTARTS_PER_ANGLE => {
                angles[2] = angle_within(twist, angles[2], nth)?;
            }
            Self::Ball { cone_rad, .. } => {
                let rim = 0.9 * cone_rad.min(PI);
                let [out, along] = radial(&angles);
                let [x, y] = match nth - RESTARTS_PER_ANGLE {
                    0 => [0.0, 0.0],
                    1 => [-rim * out[0], -rim * out[1]],
                    2 => [rim * along[0], rim * along[1]],
                    3 => [-rim * along[0], -rim * along[1]],
                    _ => [rim * out[0], rim * out[1]],
                };
                angles = [x, y, angles[2]];
            }
        }
        Some(self.state(angles))
    }
}

fn angle_within(range: &AngleRange, angle: f64, nth: usize) -> Option<f64> {
    let (min, max) = (f64::from(range.min_rad), f64::from(range.max_rad));
    if max - min >= TAU {
        return Some(angle + 0.25 * TAU * (nth + 1) as f64);
    }
    let other = min + (max - min) * 0.5 * nth as f64;
    ((other - angle).abs() > 0.1).then_some(other)
}
