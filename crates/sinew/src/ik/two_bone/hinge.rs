//! Hinge elbows with any axis and a range, in closed form.

use crate::ik::frame::Vec3F64;
use crate::skeleton::limits::AngleRange;
use sinew_math::transform::quat_f64::{cross, dot};
use std::f64::consts::TAU;

/// Tip that rotates about an axis at the end of a bone, in the rest frame of the hinge. The squared
/// distance of the tip from the start of the bone is `|bone|² + |tip|² + 2 (fixed + amplitude ·
/// cos(angle − straight))`.
pub(super) struct Hinge {
    pub bone: Vec3F64,
    pub axis: Vec3F64,
    pub tip: Vec3F64,
}

impl Hinge {
    /// Angle in a range that gives the distance nearest to the desired distance. Of two such
    /// angles, the one nearest to `now`. True if the range prevents the exact distance.
    pub fn angle_within(&self, range: &AngleRange, distance_squared: f64, now: f64) -> (f64, bool) {
        let Self { bone, axis, tip } = *self;
        let fixed = dot(bone, axis) * dot(tip, axis);
        let (cosine, sine) = (dot(bone, tip) - fixed, dot(bone, cross(axis, tip)));
        let amplitude = (cosine * cosine + sine * sine).sqrt();
        let expected = 0.5 * (distance_squared - dot(bone, bone) - dot(tip, tip)) - fixed;
        if amplitude == 0.0 {
            return (range.nearest(now), false);
        }
        let expected = (expected / amplitude).clamp(-1.0, 1.0);
        let straight = libm::atan2(sine, cosine);
        let off = libm::atan2(((1.0 - expected) * (1.0 + expected)).sqrt(), expected);
        let candidate = |side: f64| {
            let aimed = straight + side * off;
            let angle = range.nearest(aimed);
            let miss = (libm::cos(angle - straight) - expected).abs();
            let held = libm::remainder(angle - aimed, TAU).abs() > 1e-9;
            (angle, held, miss, libm::remainder(angle - now, TAU).abs())
        };
        let (a, b) = (candidate(1.0), candidate(-1.0));
        let b_is_better = b.2 < a.2 - 1e-12 || (b.2 <= a.2 + 1e-12 && b.3 < a.3);
        let best = if b_is_better { b } else { a };
        (best.0, best.1)
    }
}
