//! Nearest allowed rotation for each kind of joint. Distances are angles between rotations,
//! computed in `f64` with `atan2`. At gimbal lock and at a swing of 180°, many angles give the same
//! rotation. Any such angles within the ranges are valid.

use super::rotation_limit::{AngleRange, RotationLimit};
use sinew_math::transform::EulerOrder;
use sinew_math::transform::quat_f64::{QuatF64, dot, unit};
use std::f64::consts::PI;

/// Allowed rotation near the unit quaternion `q`: `q` itself, up to rounding, if it is allowed.
pub(crate) fn nearest(limit: &RotationLimit, q: QuatF64) -> QuatF64 {
    match limit {
        RotationLimit::Free => q,
        RotationLimit::Fixed => QuatF64::IDENTITY,
        RotationLimit::Hinge { axis, range } => unit(*axis).map_or(QuatF64::IDENTITY, |axis| {
            QuatF64::from_axis_angle(axis, range.nearest(q.angle_about(axis)))
        }),
        RotationLimit::Saddle { axes, ranges } => {
            let [outer, inner] = q.angles_about_pair(*axes);
            let outer = axes[0].rotation_f64(ranges[0].nearest(outer));
            outer.mul(axes[1].rotation_f64(ranges[1].nearest(inner)))
        }
        RotationLimit::Ball {
            axis,
            swing_rad,
            twist,
        } => unit(*axis).map_or(QuatF64::IDENTITY, |axis| {
            nearest_on_ball(q, axis, f64::from(*swing_rad), twist)
        }),
        RotationLimit::Euler { order, ranges } => nearest_euler(q, *order, ranges),
        RotationLimit::Framed(framed) => {
            let frame = framed.frame.wide();
            frame.rotation(nearest(&framed.rotation, frame.stated(q)))
        }
    }
}

fn nearest_on_ball(q: QuatF64, axis: [f64; 3], cone_rad: f64, range: &AngleRange) -> QuatF64 {
    let found = q.angle_about(axis);
    let twist = QuatF64::from_axis_angle(axis, range.nearest(found));
    let swung = |twist: QuatF64| within_cone(q.mul(twist.conjugate()), axis, cone_rad);
    // Near a swing of 180°, every twist has a matching swing.
    let matched = swung(twist).mul(twist);
    if matched.angle_to(q) < 1e-6 {
        matched
    } else {
        swung(QuatF64::from_axis_angle(axis, found)).mul(twist)
    }
}

fn within_cone(q: QuatF64, axis: [f64; 3], cone_rad: f64) -> QuatF64 {
    let along = dot(q.v, axis);
    let across = [0, 1, 2].map(|i| q.v[i] - along * axis[i]);
    let sine = dot(across, across).sqrt();
    if sine == 0.0 {
        return QuatF64::IDENTITY;
    }
    let direction = across.map(|c| c / if q.w < 0.0 { -sine } else { sine });
    let swing_rad = 2.0 * libm::atan2(sine, q.w.abs());
    QuatF64::from_axis_angle(direction, swing_rad.min(cone_rad))
}

fn nearest_euler(q: QuatF64, order: EulerOrder, ranges: &[AngleRange; 3]) -> QuatF64 {
    nearest_euler_angles(q, order, ranges).0
}

/// Allowed rotation near `q`, and its angles, which are within the ranges.
pub(crate) fn nearest_euler_angles(
    q: QuatF64,
    order: EulerOrder,
    ranges: &[AngleRange; 3],
) -> (QuatF64, [f64; 3]) {
    let [outer, middle, inner] = order.axes();
    let [a, b, c] = order.angles(q);
    // Each rotation has two sets of angles.
    let other_b = if outer == inner { -b } else { PI - b };
    let mut best = (f64::INFINITY, QuatF64::IDENTITY, [0.0; 3]);
    let mut offer = |candidate: QuatF64, angles: [f64; 3]| {
        let off = candidate.angle_to(q);
        if off < best.0 {
            best = (off, candidate, angles);
        }
    };
    for [a, b, c] in [[a, b, c], [a + PI, other_b, c + PI]] {
        let b = ranges[1].nearest(b);
        let turn_b = middle.rotation_f64(b);
        // At gimbal lock, only the sum or difference of the outer angles is known. Fixing either
        // angle first, in both sets, finds a pair in range if there is one.
        let first = ranges[0].nearest(a);
        let turn_ab = outer.rotation_f64(first).mul(turn_b);
        let left = turn_ab.conjugate().mul(q).angle_about(inner.unit_f64());
        let last = ranges[2].nearest(left);
        offer(turn_ab.mul(inner.rotation_f64(last)), [first, b, last]);
        let last = ranges[2].nearest(c);
        let turn_bc = turn_b.mul(inner.rotation_f64(last));
        let left = q.mul(turn_bc.conjugate()).angle_about(outer.unit_f64());
        let first = ranges[0].nearest(left);
        offer(outer.rotation_f64(first).mul(turn_bc), [first, b, last]);
    }
    (best.1, best.2)
}
