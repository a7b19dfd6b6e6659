//! Rigid motions as dual quaternions (Kavan, Collins, Žára and O'Sullivan 2008, "Geometric skinning
//! with approximate dual quaternion blending"). A sum of dual quaternions is a rigid motion only
//! after division by the length of its real part.

use crate::transform::quat::{add_scaled, conjugate, dot, mul, rotate, scaled};
use crate::transform::{Affine, quat};
use glam::{Quat, Vec3};

/// Dual quaternion `real + ε dual`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuat {
    /// Rotation.
    pub real: Quat,
    /// Half the translation times the rotation, as quaternions.
    pub dual: Quat,
}

impl DualQuat {
    /// Identity: no motion.
    pub const IDENTITY: Self = Self {
        real: Quat::IDENTITY,
        dual: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
    };

    /// Zero, the start of weighted sums.
    pub const ZERO: Self = Self {
        real: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
        dual: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
    };

    /// Rotation by the unit quaternion `rotation`, then `translation`.
    #[inline]
    pub fn new(rotation: Quat, translation: Vec3) -> Self {
        let t = Quat::from_xyzw(translation.x, translation.y, translation.z, 0.0);
        Self {
            real: rotation,
            dual: scaled(mul(t, rotation), 0.5),
        }
    }

    /// `self + other · weight`.
    #[inline]
    pub fn add_scaled(&self, other: &Self, weight: f32) -> Self {
        Self {
            real: add_scaled(self.real, other.real, weight),
            dual: add_scaled(self.dual, other.dual, weight),
        }
    }

    /// Division by the length of the real part. `None` if it is zero, as in a sum that cancels out.
    #[inline]
    pub fn normalized(&self) -> Option<Self> {
        let length = dot(self.real, self.real).sqrt();
        // Larger than the rounding error of a sum of two unit quaternions that are 180° apart.
        (length > 1e-6 && length.is_finite()).then(|| Self {
            real: scaled(self.real, 1.0 / length),
            dual: scaled(self.dual, 1.0 / length),
        })
    }

    /// Motion that applies `other` first, then `self`.
    #[inline]
    pub fn compose(&self, other: &Self) -> Self {
        Self {
            real: mul(self.real, other.real),
            dual: add_scaled(mul(self.real, other.dual), mul(self.dual, other.real), 1.0),
        }
    }

    /// Inverse of a unit dual quaternion.
    #[inline]
    pub fn conjugate(&self) -> Self {
        Self {
            real: conjugate(self.real),
            dual: conjugate(self.dual),
        }
    }

    /// Translation. The real part must have unit length. Ignores a dual part parallel to it.
    #[inline]
    pub fn translation(&self) -> Vec3 {
        let (q, e) = (self.real, self.dual);
        Vec3::new(
            2.0 * (q.w * e.x - e.w * q.x + q.y * e.z - q.z * e.y),
            2.0 * (q.w * e.y - e.w * q.y + q.z * e.x - q.x * e.z),
            2.0 * (q.w * e.z - e.w * q.z + q.x * e.y - q.y * e.x),
        )
    }

    /// Rotates and moves a point. The real part must have unit length.
    #[inline]
    pub fn transform_point(&self, p: Vec3) -> Vec3 {
        let (r, t) = (rotate(self.real, p), self.translation());
        Vec3::new(r.x + t.x, r.y + t.y, r.z + t.z)
    }

    /// Rotates a direction. The real part must have unit length.
    #[inline]
    pub fn transform_vector(&self, v: Vec3) -> Vec3 {
        rotate(self.real, v)
    }

    /// Motion as a 3×4 map.
    #[inline]
    pub fn to_affine(&self) -> Affine {
        let (r, t) = (quat::to_rows(self.real), self.translation());
        Affine::from_rows([
            [r[0][0], r[0][1], r[0][2], t.x],
            [r[1][0], r[1][1], r[1][2], t.y],
            [r[2][0], r[2][1], r[2][2], t.z],
        ])
    }

    /// `self` or its negation, whichever has the real part nearer to `reference`.
    #[inline]
    pub fn aligned(&self, reference: Quat) -> Self {
        if dot(self.real, reference) < 0.0 {
            Self {
                real: quat::negate(self.real),
                dual: quat::negate(self.dual),
            }
        } else {
            *self
        }
    }
}
