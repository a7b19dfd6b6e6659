use glam::Vec3;

/// Point that a joint carries and that should reach a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tip {
    /// Index of the joint that carries the point.
    pub joint: usize,
    /// Position of the point in the frame of the joint.
    pub offset: Vec3,
}

impl Tip {
    /// Tip at the origin of the joint.
    pub const fn of(joint: usize) -> Self {
        Self {
            joint,
            offset: Vec3::ZERO,
        }
    }
}
