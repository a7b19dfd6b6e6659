//! Bytes as choices and numbers, for input without a file format. After the end, values are 0.

use glam::{Quat, Vec3};
use sinew::Transform;

/// The unused bytes.
pub struct Dice<'a>(pub &'a [u8]);

impl Dice<'_> {
    /// Takes the next byte. 0 after the last byte.
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    /// Integer in [0, `end`).
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    /// Random truth value.
    pub fn coin(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// Number between −2 and 2, sometimes tiny, huge, infinite or NaN.
    pub fn number(&mut self) -> f32 {
        match self.byte() {
            255 => f32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()]),
            254 => 1e-30,
            253 => 1e30,
            252 => f32::MAX,
            251 => f32::MIN_POSITIVE,
            byte => (f32::from(byte) - 120.0) / 60.0,
        }
    }

    /// Same as `number`, but 0 instead of infinity or NaN.
    pub fn finite(&mut self) -> f32 {
        let number = self.number();
        if number.is_finite() { number } else { 0.0 }
    }

    /// Vector of three finite numbers.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.finite(), self.finite(), self.finite())
    }

    /// Unit quaternion.
    pub fn rotation(&mut self) -> Quat {
        let turn = |number: f32| number.clamp(-2.0, 2.0);
        let (axis, w) = (self.vector(), self.finite());
        let four = Quat::from_xyzw(turn(axis.x), turn(axis.y), turn(axis.z), turn(w));
        match four.length() > 1e-3 {
            true => four.normalize(),
            false => Quat::IDENTITY,
        }
    }

    /// Transform, mostly without scale.
    pub fn transform(&mut self) -> Transform {
        Transform {
            translation: self.vector(),
            rotation: self.rotation(),
            scale: match self.below(8) {
                0 => self.vector(),
                _ => Vec3::ONE,
            },
        }
    }
}
