//! Bytes as choices and numbers, for what has no file format. Any bytes will do; when they run out, all is zero.

use glam::{Quat, Vec3};
use sinew::Transform;

/// Bytes not yet used.
pub struct Dice<'a>(pub &'a [u8]);

impl Dice<'_> {
    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    /// A number from 0 up to but without `end`.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    /// A coin.
    pub fn coin(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// A number between −2 and 2 most of the time, and now and then one that is hard to compute with.
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

    /// The same, but never infinite and never not a number.
    pub fn finite(&mut self) -> f32 {
        let number = self.number();
        if number.is_finite() { number } else { 0.0 }
    }

    /// Three of them.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.finite(), self.finite(), self.finite())
    }

    /// A turn.
    pub fn rotation(&mut self) -> Quat {
        let turn = |number: f32| number.clamp(-2.0, 2.0);
        let (axis, w) = (self.vector(), self.finite());
        let four = Quat::from_xyzw(turn(axis.x), turn(axis.y), turn(axis.z), turn(w));
        match four.length() > 1e-3 {
            true => four.normalize(),
            false => Quat::IDENTITY,
        }
    }

    /// Mostly without scale.
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
