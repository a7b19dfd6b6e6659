use glam::Vec3;

/// Point that a joint carries and that should reach a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tip {
    /// Index of the joint that carries the point.
    pub joint: usize,
    /// Position in the frame of that joint.
    pub offset: Vec3,
}

impl Tip {
    /// Tip at the joint's origin.
    pub const fn of(joint: usize) -> Self {
        Self {
            joint,
            offset: Vec3::ZERO,
        }
    }
}
