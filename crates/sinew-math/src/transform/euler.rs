//! Rotations about coordinate axes, in any order. Angles are computed in `f64`.
//!
//! `XYZ` is the product `Rx · Ry · Rz`, which applies the last axis first, as motion captures do.

use super::axis::Axis;
use super::quat;
use super::quat_f64::QuatF64;
use glam::Quat;

impl Axis {
    /// Rotation about this axis by an angle in radians.
    #[inline]
    pub fn rotation(self, angle_rad: f32) -> Quat {
        quat::from_axis_angle(self.vector(), angle_rad)
    }
}

/// Order of three axes, one of the twelve Euler and Tait–Bryan orders. Neighbouring axes differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EulerOrder([Axis; 3]);

impl EulerOrder {
    /// `Rx · Ry · Rz`
    pub const XYZ: Self = Self([Axis::X, Axis::Y, Axis::Z]);
    /// `Rz · Rx · Ry`, usual for motion capture.
    pub const ZXY: Self = Self([Axis::Z, Axis::X, Axis::Y]);
    /// `Rz · Ry · Rx`
    pub const ZYX: Self = Self([Axis::Z, Axis::Y, Axis::X]);

    /// Order of these axes. `None` for equal neighbours, which cannot give all rotations.
    #[inline]
    pub fn new(axes: [Axis; 3]) -> Option<Self> {
        (axes[0] != axes[1] && axes[1] != axes[2]).then_some(Self(axes))
    }

    /// Axes, outermost first.
    #[inline]
    pub const fn axes(self) -> [Axis; 3] {
        self.0
    }

    /// Product of the three rotations, with angles in the order of the axes.
    #[inline]
    pub fn to_quat(self, angles_rad: [f32; 3]) -> Quat {
        let [a, b, c] = self.0;
        quat::mul(
            quat::mul(a.rotation(angles_rad[0]), b.rotation(angles_rad[1])),
            c.rotation(angles_rad[2]),
        )
    }

    /// Angles of a unit quaternion, in radians. The first and third are in [−π, π]. The second is
    /// in [−π/2, π/2] if all axes differ, or in [0, π] if the first axis repeats. At gimbal lock,
    /// the third angle is 0. Near gimbal lock, only the product of the rotations is accurate.
    #[inline]
    pub fn from_quat(self, rotation: Quat) -> [f32; 3] {
        self.angles(QuatF64::from_quat(rotation)).map(|a| a as f32)
    }

    /// [`EulerOrder::from_quat`] without rounding to `f32`.
    pub fn angles(self, rotation: QuatF64) -> [f64; 3] {
        let r = rotation.to_rows();
        let [i, j, third] = self.0.map(Axis::index);
        let k = 3 - i - j;
        let sign = if (j + 3 - i) % 3 == 1 { 1.0 } else { -1.0 };
        // R = Ri(a) Rj(b) R·(c): one column (or row) holds only a and b, or b and c.
        let (middle, sin_a, cos_a, spread) = if i == third {
            let spread = (r[j][i] * r[j][i] + r[k][i] * r[k][i]).sqrt();
            let middle = libm::atan2(spread, r[i][i]);
            (middle, r[j][i], -sign * r[k][i], spread)
        } else {
            let spread = (r[i][i] * r[i][i] + r[i][j] * r[i][j]).sqrt();
            let middle = libm::atan2(sign * r[i][k], spread);
            (middle, -sign * r[j][k], r[k][k], spread)
        };
        let first = if spread > 1e-7 {
            libm::atan2(sin_a, cos_a)
        } else {
            libm::atan2(sign * r[k][j], r[j][j])
        };
        // After undoing the first two rotations, a rotation about the third axis remains.
        let left = rotated_back(&rotated_back(&r, i, first), j, middle);
        let (m, n) = ((third + 1) % 3, (third + 2) % 3);
        let last = libm::atan2(left[n][m], left[m][m]);
        [first, middle, last]
    }
}

/// Product of rotations about coordinate axes, the first outermost, with angles in radians.
/// Computed in `f64` and rounded once.
///
/// ```
/// use sinew_math::transform::{Axis, EulerOrder, product_of_rotations};
/// let product = product_of_rotations([(Axis::Z, 0.3), (Axis::X, 0.2)]);
/// let angles = EulerOrder::ZXY.from_quat(product);
/// assert!((angles[0] - 0.3).abs() < 1e-6 && (angles[1] - 0.2).abs() < 1e-6);
/// ```
#[inline]
pub fn product_of_rotations(rotations_rad: impl IntoIterator<Item = (Axis, f64)>) -> Quat {
    let rotations = rotations_rad.into_iter();
    let product = rotations.fold(QuatF64::IDENTITY, |outer, (axis, angle_rad)| {
        outer.mul(axis.rotation_f64(angle_rad))
    });
    // Non-finite angles give the identity.
    product.normalized().unwrap_or(QuatF64::IDENTITY).to_quat()
}

fn rotated_back(m: &[[f64; 3]; 3], axis: usize, angle: f64) -> [[f64; 3]; 3] {
    let (s, c) = (libm::sin(angle), libm::cos(angle));
    let (p, q) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut out = *m;
    for column in 0..3 {
        out[p][column] = c * m[p][column] + s * m[q][column];
        out[q][column] = c * m[q][column] - s * m[p][column];
    }
    out
}
