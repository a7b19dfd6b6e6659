//! Sixteen joints of a dual quaternion palette, with one row per number.

use super::joint::DualQuatJoint;
use glam::{Quat, Vec3};
use sinew_math::simd::{LANES, Row};
use sinew_math::transform::Affine;

/// First row of the quaternion q, which has either sign.
pub(super) const ROTATION: usize = 0;
/// The upper triangle of the symmetric matrix S.
pub(super) const STRETCH: usize = 4;
/// The scale σ.
pub(super) const SCALE: usize = 10;
/// 1 for joints with a uniform scale, else 0.
pub(super) const UNIFORM: usize = 11;
/// The bind position c.
pub(super) const CENTRE: usize = 12;
/// The posed position d.
pub(super) const POSITION: usize = 15;
const ROWS: usize = 18;

/// Rows of numbers, in the order of the constants above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct JointBlock(pub [Row; ROWS]);

impl JointBlock {
    pub const ZERO: Self = Self([Row([0.0; LANES]); ROWS]);

    pub fn centre(&self, lane: usize) -> Vec3 {
        Vec3::from_array(self.get(CENTRE, lane))
    }

    /// Joint in a lane, given the sign of its quaternion: 1 or −1.
    pub fn joint(&self, lane: usize, sign: f32) -> DualQuatJoint {
        let [qx, qy, qz, qw] = self.get(ROTATION, lane);
        let [xx, xy, xz, yy, yz, zz, scale, uniform, x, y, z] = self.get(STRETCH, lane);
        let row = |a: f32, b: f32, c: f32| [a, b, c, -(a * x + b * y + c * z)];
        DualQuatJoint {
            rotation: Quat::from_xyzw(qx * sign, qy * sign, qz * sign, qw * sign),
            stretch: Affine::from_rows([row(xx, xy, xz), row(xy, yy, yz), row(xz, yz, zz)]),
            scale,
            bind_position: Vec3::new(x, y, z),
            position: Vec3::from_array(self.get(POSITION, lane)),
            is_uniform: uniform != 0.0,
        }
    }

    /// Writes the rotation, stretch and scale of a joint.
    pub fn set_split(&mut self, lane: usize, joint: &DualQuatJoint) {
        let [[xx, xy, xz, _], [_, yy, yz, _], [_, _, zz, _]] = joint.stretch.rows;
        self.set(ROTATION, lane, joint.rotation.to_array());
        self.set(STRETCH, lane, [xx, xy, xz, yy, yz, zz]);
        self.set(SCALE, lane, [joint.scale]);
        self.set(UNIFORM, lane, [f32::from(u8::from(joint.is_uniform))]);
    }

    pub fn set<const N: usize>(&mut self, first: usize, lane: usize, numbers: [f32; N]) {
        for (row, number) in self.0[first..].iter_mut().zip(numbers) {
            row.0[lane] = number;
        }
    }

    fn get<const N: usize>(&self, first: usize, lane: usize) -> [f32; N] {
        let mut numbers = [0.0; N];
        for (number, row) in numbers.iter_mut().zip(&self.0[first..]) {
            *number = row.0[lane];
        }
        numbers
    }
}
