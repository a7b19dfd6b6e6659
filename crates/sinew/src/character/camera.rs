//! Cameras of a file.

/// Camera at a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Name that bindings refer to.
    pub name: String,
    /// Index of the first node with this camera. The camera looks along -Z of the node.
    pub node: Option<usize>,
    /// Projection.
    pub lens: Lens,
    /// Distance of the near plane, in units of the file.
    pub near: f32,
    /// Distance of the far plane, in units of the file. Infinity if there is none.
    pub far: f32,
}

/// Projection of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// Central projection.
    Perspective {
        /// Vertical angle of view, in radians.
        fov_y_rad: f32,
    },
    /// Parallel projection.
    Orthographic {
        /// Half the width and half the height that the camera shows, in units of the file.
        half_size: [f32; 2],
    },
}
