//! Converts the `f64` numbers of `ufbx` to `f32`. Numbers that are not finite become zero.

use glam::{Quat, Vec2, Vec3, Vec4};
use sinew::{Affine, Transform};

pub(super) fn number(value: f64) -> f32 {
    let value = value as f32;
    if value.is_finite() { value } else { 0.0 }
}

pub(super) fn vec2(v: ufbx::Vec2) -> Vec2 {
    Vec2::new(number(v.x), number(v.y))
}

pub(super) fn vec3(v: ufbx::Vec3) -> Vec3 {
    Vec3::new(number(v.x), number(v.y), number(v.z))
}

pub(super) fn vec4(v: ufbx::Vec4) -> Vec4 {
    Vec4::new(number(v.x), number(v.y), number(v.z), number(v.w))
}

/// Normalises a rotation. Zero becomes the identity.
pub(super) fn quat(q: ufbx::Quat) -> Quat {
    let length = (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w).sqrt();
    if length.is_finite() && length > 1e-9 {
        let [x, y, z, w] = [q.x, q.y, q.z, q.w].map(|part| number(part / length));
        Quat::from_xyzw(x, y, z, w)
    } else {
        Quat::IDENTITY
    }
}

pub(super) fn transform(t: &ufbx::Transform) -> Transform {
    Transform {
        translation: vec3(t.translation),
        rotation: quat(t.rotation),
        scale: vec3(t.scale),
    }
}

pub(super) fn affine(m: &ufbx::Matrix) -> Affine {
    let row = |row: [f64; 4]| row.map(number);
    Affine::from_rows([
        row([m.m00, m.m01, m.m02, m.m03]),
        row([m.m10, m.m11, m.m12, m.m13]),
        row([m.m20, m.m21, m.m22, m.m23]),
    ])
}

pub(super) fn is_finite(m: &ufbx::Matrix) -> bool {
    let parts = [
        m.m00, m.m01, m.m02, m.m03, m.m10, m.m11, m.m12, m.m13, m.m20, m.m21, m.m22, m.m23,
    ];
    parts.iter().all(|part| (*part as f32).is_finite())
}

/// Normalises a vector. Zero becomes z.
pub(super) fn unit(v: Vec3) -> Vec3 {
    v.normalize_or(Vec3::Z)
}
