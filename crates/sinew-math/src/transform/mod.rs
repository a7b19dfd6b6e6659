//! Transforms between frames: translation · rotation · scale, and 3×4 maps.
//!
//! A transform `a_from_b` maps coordinates in frame `b` to coordinates in frame `a`. Operations
//! have a fixed order, so poses are the same bits on every machine. `glam` types only store values.

mod affine;
mod axis;
mod euler;
pub mod polar;
pub mod quat;
#[doc(hidden)]
pub mod quat_f64;
#[doc(hidden)]
pub mod quat_lanes;

pub use affine::Affine;
pub use axis::Axis;
pub use euler::{EulerOrder, product_of_rotations};

use glam::{Quat, Vec3};
use thiserror::Error;

/// Translation · rotation · scale. A point is scaled first, then rotated, then translated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Position of the frame's origin in its parent.
    pub translation: Vec3,
    /// Rotation of the frame in its parent, a unit quaternion.
    pub rotation: Quat,
    /// Scale along the frame's own axes. Negative values mirror.
    pub scale: Vec3,
}

/// Reason why a transform cannot be part of a pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TransformError {
    /// Number that is infinite or NaN.
    #[error("the transform has a number that is not finite")]
    NotFinite,
    /// Rotation of another length than 1.
    #[error("the rotation of the transform is not a unit quaternion; normalise it")]
    NotUnit,
}

impl Transform {
    /// Frame that coincides with its parent.
    pub const IDENTITY: Self = Self {
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    };

    /// Translation only.
    #[inline]
    pub const fn from_translation(translation: Vec3) -> Self {
        Self {
            translation,
            ..Self::IDENTITY
        }
    }

    /// Rotation only.
    #[inline]
    pub const fn from_rotation(rotation: Quat) -> Self {
        Self {
            rotation,
            ..Self::IDENTITY
        }
    }

    /// Rotation and translation, scale 1.
    #[inline]
    pub const fn from_rotation_translation(rotation: Quat, translation: Vec3) -> Self {
        Self {
            translation,
            rotation,
            scale: Vec3::ONE,
        }
    }

    /// Transform as a 3×4 map.
    #[inline]
    pub fn to_affine(&self) -> Affine {
        let r = quat::to_rows(self.rotation);
        let (t, s) = (self.translation, self.scale);
        Affine::from_rows([
            [r[0][0] * s.x, r[0][1] * s.y, r[0][2] * s.z, t.x],
            [r[1][0] * s.x, r[1][1] * s.y, r[1][2] * s.z, t.y],
            [r[2][0] * s.x, r[2][1] * s.y, r[2][2] * s.z, t.z],
        ])
    }

    /// Nearest translation · rotation · scale, and the shear that it omits.
    ///
    /// The decomposition is polar (`affine = rotation · stretch`). A mirrored map gives a proper
    /// rotation and three negative scales. The shear is the max share of a mapped axis that points
    /// away from that axis, from 0 (exact) to 1.
    #[inline]
    pub fn from_affine(affine: &Affine) -> (Self, f32) {
        let split = polar::decompose(affine.linear_f64());
        let p = split.stretch;
        let shear = (0..3).map(|axis| left_out(&p, axis)).fold(0.0, f64::max);
        let transform = Self {
            translation: affine.translation(),
            rotation: split.rotation_quat(),
            scale: Vec3::new(p[0][0] as f32, p[1][1] as f32, p[2][2] as f32),
        };
        (transform, shear as f32)
    }

    /// `self · inner`. `None` if the scale of `self` is not uniform, because the product may shear.
    #[inline]
    pub fn compose(&self, inner: &Self) -> Option<Self> {
        let (s, t) = (self.scale, inner.translation);
        let moved = quat::rotate(self.rotation, Vec3::new(s.x * t.x, s.y * t.y, s.z * t.z));
        self.scales_evenly().then(|| Self {
            translation: Vec3::new(
                self.translation.x + moved.x,
                self.translation.y + moved.y,
                self.translation.z + moved.z,
            ),
            rotation: quat::mul(self.rotation, inner.rotation),
            scale: Vec3::new(
                s.x * inner.scale.x,
                s.y * inner.scale.y,
                s.z * inner.scale.z,
            ),
        })
    }

    /// Inverse. `None` if the scale is zero, or not uniform. A non-uniform scale may give a shear.
    #[inline]
    pub fn inverse(&self) -> Option<Self> {
        let rotation = quat::conjugate(self.rotation);
        let (t, s) = (self.translation, self.scale);
        let turned = quat::rotate(rotation, t);
        let inverse = Self {
            translation: Vec3::new(-turned.x / s.x, -turned.y / s.y, -turned.z / s.z),
            rotation,
            scale: Vec3::new(1.0 / s.x, 1.0 / s.y, 1.0 / s.z),
        };
        (self.scales_evenly() && inverse.is_finite()).then_some(inverse)
    }

    #[inline]
    fn scales_evenly(&self) -> bool {
        let s = self.scale;
        let off = (s.x - s.y).abs().max((s.x - s.z).abs());
        off <= 1e-6 * s.x.abs()
    }

    /// True if every component is finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }

    /// This transform, for poses that a program gives. The library itself does not check poses.
    ///
    /// # Errors
    /// If a number is not finite, or the length of the rotation is not within 0.01 of 1.
    pub fn checked(self) -> Result<Self, TransformError> {
        if !self.is_finite() {
            return Err(TransformError::NotFinite);
        }
        match quat::is_unit(self.rotation) {
            true => Ok(self),
            false => Err(TransformError::NotUnit),
        }
    }

    /// Interpolates from `self` (`t` = 0) to `other` (`t` = 1), rotations by the shorter arc.
    #[inline]
    pub fn interpolate(&self, other: &Self, t: f32) -> Self {
        Self {
            translation: lerp(self.translation, other.translation, t),
            rotation: quat::slerp(self.rotation, other.rotation, t),
            scale: lerp(self.scale, other.scale, t),
        }
    }
}

/// Share of a stretched axis that points away from that axis.
fn left_out(stretch: &[[f64; 3]; 3], axis: usize) -> f64 {
    let image = stretch.map(|row| row[axis]);
    // Scaled to unit size, so that squares neither overflow nor vanish.
    let largest = image.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    let squares = image.map(|x| (x / largest) * (x / largest));
    let whole: f64 = squares.iter().sum();
    ((whole - squares[axis]) / whole).sqrt()
}

impl Default for Transform {
    #[inline]
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// `a + (b − a) · t`, component by component.
#[inline]
pub fn lerp(a: Vec3, b: Vec3, t: f32) -> Vec3 {
    Vec3::new(
        a.x + (b.x - a.x) * t,
        a.y + (b.y - a.y) * t,
        a.z + (b.z - a.z) * t,
    )
}
