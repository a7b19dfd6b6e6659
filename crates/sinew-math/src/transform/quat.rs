//! Quaternion arithmetic in a fixed order, with the same bits on every machine.
//!
//! `glam::Quat` only stores values. Conversions from matrices follow Shepperd 1978. Angles use
//! `atan2`, because `acos` loses half the digits near 0.

use super::quat_f64;
use glam::{Quat, Vec3};

/// Product `a · b`: applies `b` first, then `a`.
#[inline]
pub fn mul(a: Quat, b: Quat) -> Quat {
    Quat::from_xyzw(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    )
}

/// Inverse of a unit quaternion.
#[inline]
pub fn conjugate(q: Quat) -> Quat {
    Quat::from_xyzw(-q.x, -q.y, -q.z, q.w)
}

/// Component-wise negation: the same rotation.
#[inline]
pub fn negate(q: Quat) -> Quat {
    Quat::from_xyzw(-q.x, -q.y, -q.z, -q.w)
}

/// Four-dimensional dot product.
#[inline]
pub fn dot(a: Quat, b: Quat) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
}

/// Max difference of the squared length of a unit quaternion from 1. Keys of 8 bits in files have up
/// to 0.015.
const UNIT_TOLERANCE: f32 = 0.02;

/// True if the length of `q` is within 0.01 of 1.
#[inline]
pub fn is_unit(q: Quat) -> bool {
    (dot(q, q) - 1.0).abs() <= UNIT_TOLERANCE
}

/// `q · s`, component by component.
#[inline]
pub fn scaled(q: Quat, s: f32) -> Quat {
    Quat::from_xyzw(q.x * s, q.y * s, q.z * s, q.w * s)
}

/// `a + b · s`, component by component.
#[inline]
pub fn add_scaled(a: Quat, b: Quat, s: f32) -> Quat {
    Quat::from_xyzw(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s, a.w + b.w * s)
}

/// Unit quaternion in the direction of `q`. The identity if `q` is zero or not finite.
#[inline]
pub fn normalized(q: Quat) -> Quat {
    let length = dot(q, q).sqrt();
    if length > 0.0 && length.is_finite() {
        Quat::from_xyzw(q.x / length, q.y / length, q.z / length, q.w / length)
    } else {
        Quat::IDENTITY
    }
}

/// Rotation by `angle_rad` about `axis`, which may have any length. The identity for a zero axis.
#[inline]
pub fn from_axis_angle(axis: Vec3, angle_rad: f32) -> Quat {
    let Some(axis) = quat_f64::unit(axis) else {
        return Quat::IDENTITY;
    };
    let half = angle_rad * 0.5;
    let s = libm::sinf(half);
    let [x, y, z] = axis.map(|c| c as f32 * s);
    Quat::from_xyzw(x, y, z, libm::cosf(half))
}

/// `q · v · q⁻¹` for a unit quaternion: `v + 2 q_v × (q_v × v + q_w v)`.
#[inline]
pub fn rotate(q: Quat, v: Vec3) -> Vec3 {
    let tx = q.y * v.z - q.z * v.y + q.w * v.x;
    let ty = q.z * v.x - q.x * v.z + q.w * v.y;
    let tz = q.x * v.y - q.y * v.x + q.w * v.z;
    Vec3::new(
        v.x + 2.0 * (q.y * tz - q.z * ty),
        v.y + 2.0 * (q.z * tx - q.x * tz),
        v.z + 2.0 * (q.x * ty - q.y * tx),
    )
}

/// Rotation matrix of a unit quaternion, by rows.
#[inline]
pub fn to_rows(q: Quat) -> [[f32; 3]; 3] {
    let (x2, y2, z2) = (q.x + q.x, q.y + q.y, q.z + q.z);
    let (xx, yy, zz) = (q.x * x2, q.y * y2, q.z * z2);
    let (xy, xz, yz) = (q.x * y2, q.x * z2, q.y * z2);
    let (wx, wy, wz) = (q.w * x2, q.w * y2, q.w * z2);
    [
        [1.0 - (yy + zz), xy - wz, xz + wy],
        [xy + wz, 1.0 - (xx + zz), yz - wx],
        [xz - wy, yz + wx, 1.0 - (xx + yy)],
    ]
}

/// Unit quaternion of a rotation matrix by rows, from its largest component, accurate at 180°.
pub fn from_rows(m: &[[f64; 3]; 3]) -> Quat {
    let trace = m[0][0] + m[1][1] + m[2][2];
    let (x, y, z, w);
    if trace > 0.0 {
        let s = (trace + 1.0).sqrt() * 2.0;
        w = 0.25 * s;
        x = (m[2][1] - m[1][2]) / s;
        y = (m[0][2] - m[2][0]) / s;
        z = (m[1][0] - m[0][1]) / s;
    } else if m[0][0] >= m[1][1] && m[0][0] >= m[2][2] {
        let s = (1.0 + m[0][0] - m[1][1] - m[2][2]).max(0.0).sqrt() * 2.0;
        w = (m[2][1] - m[1][2]) / s;
        x = 0.25 * s;
        y = (m[0][1] + m[1][0]) / s;
        z = (m[0][2] + m[2][0]) / s;
    } else if m[1][1] >= m[2][2] {
        let s = (1.0 + m[1][1] - m[0][0] - m[2][2]).max(0.0).sqrt() * 2.0;
        w = (m[0][2] - m[2][0]) / s;
        x = (m[0][1] + m[1][0]) / s;
        y = 0.25 * s;
        z = (m[1][2] + m[2][1]) / s;
    } else {
        let s = (1.0 + m[2][2] - m[0][0] - m[1][1]).max(0.0).sqrt() * 2.0;
        w = (m[1][0] - m[0][1]) / s;
        x = (m[0][2] + m[2][0]) / s;
        y = (m[1][2] + m[2][1]) / s;
        z = 0.25 * s;
    }
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if length > 0.0 && length.is_finite() {
        let unit = |c: f64| (c / length) as f32;
        Quat::from_xyzw(unit(x), unit(y), unit(z), unit(w))
    } else {
        Quat::IDENTITY
    }
}

/// `q` or `−q`, whichever is nearer to `reference`.
#[inline]
pub fn aligned(q: Quat, reference: Quat) -> Quat {
    if dot(q, reference) < 0.0 {
        negate(q)
    } else {
        q
    }
}

/// Normalised linear interpolation along the shorter arc. Its speed is not constant.
#[inline]
pub fn nlerp(a: Quat, b: Quat, t: f32) -> Quat {
    let b = aligned(b, a);
    normalized(Quat::from_xyzw(
        a.x + (b.x - a.x) * t,
        a.y + (b.y - a.y) * t,
        a.z + (b.z - a.z) * t,
        a.w + (b.w - a.w) * t,
    ))
}

/// Interpolation along the shorter arc between unit quaternions, at constant speed.
///
/// Also interpolates the length, so that the length does not jump at rounded keys of a file.
#[inline]
pub fn slerp(a: Quat, b: Quat, t: f32) -> Quat {
    let b = aligned(b, a);
    let cosine = dot(a, b);
    // For so small an angle, the sines would divide 0 by 0. The chord has a length error of 3e-7.
    let (wa, wb) = if cosine > 0.999_999 {
        (1.0 - t, t)
    } else {
        let s = ((1.0 - cosine) * (1.0 + cosine)).sqrt();
        let half_angle = libm::atan2f(s, cosine);
        (
            libm::sinf((1.0 - t) * half_angle) / s,
            libm::sinf(t * half_angle) / s,
        )
    };
    add_scaled(scaled(a, wa), b, wb)
}

/// Angle of the rotation from `a` to `b`, in radians in `[0, π]`, whatever their signs.
#[inline]
pub fn angle_between(a: Quat, b: Quat) -> f32 {
    2.0 * half_angle_between(a, aligned(b, a))
}

fn half_angle_between(a: Quat, b: Quat) -> f32 {
    let difference = add_scaled(a, b, -1.0);
    let sum = add_scaled(a, b, 1.0);
    2.0 * libm::atan2f(dot(difference, difference).sqrt(), dot(sum, sum).sqrt())
}
