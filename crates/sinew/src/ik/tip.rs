//! The point of a chain that wants to be somewhere.

use glam::Vec3;

/// A point that is carried by a joint and wants to be somewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tip {
    /// The joint that carries it.
    pub joint: usize,
    /// Its position in that joint's frame.
    pub offset: Vec3,
}

impl Tip {
    /// The joint's own origin.
    pub const fn of(joint: usize) -> Self {
        Self {
            joint,
            offset: Vec3::ZERO,
        }
    }
}
