use glam::Vec3;

/// Coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// (1, 0, 0)
    X,
    /// (0, 1, 0)
    Y,
    /// (0, 0, 1)
    Z,
}

impl Axis {
    /// Unit vector.
    #[inline]
    pub const fn vector(self) -> Vec3 {
        match self {
            Self::X => Vec3::X,
            Self::Y => Vec3::Y,
            Self::Z => Vec3::Z,
        }
    }

    /// Index of the axis: 0 for X, 1 for Y, 2 for Z.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Unit vector in `f64`.
    #[doc(hidden)]
    #[inline]
    pub fn unit_f64(self) -> [f64; 3] {
        self.vector().to_array().map(f64::from)
    }
}
