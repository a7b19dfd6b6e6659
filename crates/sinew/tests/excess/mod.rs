//! Angle by which a rotation exceeds its limits, in `f64` and without library code.

#![allow(dead_code, reason = "each test uses its part of it")]

use glam::{Quat, Vec3};
use sinew::skeleton::limits::{AngleRange, RotationLimit};
use sinew::transform::{Axis, EulerOrder};
use std::f64::consts::{PI, TAU};

/// Quaternion as x, y, z, w.
pub type Q = [f64; 4];

pub fn wide(q: Quat) -> Q {
    let q = q.to_array().map(f64::from);
    let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
    q.map(|c| c / length)
}

pub fn times(a: Q, b: Q) -> Q {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b;
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

pub fn turn_from_rest(rest: Quat, now: Quat) -> Q {
    let [x, y, z, w] = wide(rest);
    times([-x, -y, -z, w], wide(now))
}

pub fn angle_between(a: Quat, b: Quat) -> f64 {
    let [x, y, z, w] = turn_from_rest(a, b);
    2.0 * (x * x + y * y + z * z).sqrt().atan2(w.abs())
}

/// Distance of an angle from a range on the circle.
pub fn outside(angle: f64, range: &AngleRange) -> f64 {
    outside_of(angle, f64::from(range.min_rad), f64::from(range.max_rad))
}

fn outside_of(angle: f64, min: f64, max: f64) -> f64 {
    let up = (angle - min).rem_euclid(TAU);
    if up <= max - min {
        return 0.0;
    }
    (up - (max - min)).min(TAU - up).max(0.0)
}

fn matrix([x, y, z, w]: Q) -> [[f64; 3]; 3] {
    let rotated = |v: [f64; 3]| {
        let r = times(
            times([x, y, z, w], [v[0], v[1], v[2], 0.0]),
            [-x, -y, -z, w],
        );
        [r[0], r[1], r[2]]
    };
    let columns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(rotated);
    [0, 1, 2].map(|r| [0, 1, 2].map(|c| columns[c][r]))
}

/// Angle by which a rotation exceeds its limits.
pub fn excess(turn: &RotationLimit, q: Q) -> f64 {
    let about = |axis: Vec3| {
        let axis = axis.to_array().map(f64::from);
        let length = axis.iter().map(|c| c * c).sum::<f64>().sqrt();
        let along = (q[0] * axis[0] + q[1] * axis[1] + q[2] * axis[2]) / length;
        let bone = (along * along + q[3] * q[3]).sqrt();
        let across = (1.0 - bone * bone).max(0.0).sqrt();
        // The sine is accurate for small angles, the cosine for other angles.
        let exact: f64 = [0, 1, 2]
            .map(|i| q[i] - along * axis[i] / length)
            .iter()
            .map(|c| c * c)
            .sum();
        let across = if across < 0.5 { exact.sqrt() } else { across };
        (2.0 * along.atan2(q[3]), 2.0 * across.atan2(bone), bone)
    };
    match turn {
        RotationLimit::Free => 0.0,
        RotationLimit::Fixed => {
            2.0 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2])
                .sqrt()
                .atan2(q[3].abs())
        }
        RotationLimit::Hinge { axis, range } => {
            let (twist, swing, _) = about(*axis);
            swing.max(outside(twist, range))
        }
        RotationLimit::Ball {
            axis,
            swing_rad,
            twist,
        } => {
            let (twisted, swing, bone) = about(*axis);
            // The twist has less effect near a swing of 180°.
            (swing - f64::from(*swing_rad)).max(outside(twisted, twist) * bone)
        }
        RotationLimit::Saddle { axes, ranges } => {
            let (i, j) = (axes[0].index(), axes[1].index());
            let (m, k) = (matrix(q), 3 - i - j);
            let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
            // Ri maps axis j to its column in R = Ri Rj. Rj maps axis i to its row.
            let outer = (sign * m[k][j]).atan2(m[j][j]);
            let inner = (sign * m[i][k]).atan2(m[i][i]);
            let off_plane = m[i][j].abs();
            off_plane
                .max(outside(outer, &ranges[0]))
                .max(outside(inner, &ranges[1]))
        }
        RotationLimit::Euler { order, ranges } => euler_excess(*order, ranges, matrix(q)),
        RotationLimit::Framed(framed) => {
            let back = |[x, y, z, w]: Q| [-x, -y, -z, w];
            let (axes, rest) = (wide(framed.frame.axes), wide(framed.frame.rest));
            excess(
                &framed.rotation,
                times(times(rest, back(axes)), times(q, axes)),
            )
        }
    }
}

fn euler_excess(order: EulerOrder, ranges: &[AngleRange; 3], m: [[f64; 3]; 3]) -> f64 {
    let [i, j, l] = order.axes().map(Axis::index);
    let k = 3 - i - j;
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    let (a, b, c, spread);
    if i == l {
        spread = (m[j][i].powi(2) + m[k][i].powi(2)).sqrt();
        b = spread.atan2(m[i][i]);
        a = m[j][i].atan2(-sign * m[k][i]);
        c = m[i][j].atan2(sign * m[i][k]);
    } else {
        spread = (m[i][i].powi(2) + m[i][j].powi(2)).sqrt();
        b = (sign * m[i][k]).atan2(spread);
        a = (-sign * m[j][k]).atan2(m[k][k]);
        c = (-sign * m[i][j]).atan2(m[i][i]);
    }
    let other_b = if i == l { -b } else { PI - b };
    let of = |a: f64, b: f64, c: f64| {
        // At gimbal lock, only the sum or difference of the outer angles is known.
        let outer = if spread < 1e-5 {
            let together = (m[k][j] * sign).atan2(m[j][j]);
            let (min, max) = (ranges[2].min_rad, ranges[2].max_rad);
            let adds = if i == l {
                m[i][i] > 0.0
            } else {
                (sign * m[i][k] > 0.0) == (sign > 0.0)
            };
            let (low, high) = if adds { (min, max) } else { (-max, -min) };
            let low = f64::from(ranges[0].min_rad) + f64::from(low);
            let high = f64::from(ranges[0].max_rad) + f64::from(high);
            outside_of(together, low, high)
        } else {
            (outside(a, &ranges[0]) * spread).max(outside(c, &ranges[2]) * spread)
        };
        outside(b, &ranges[1]).max(outer)
    };
    of(a, b, c).min(of(a + PI, other_b, c + PI))
}
