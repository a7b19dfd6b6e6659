//! A camera that turns about a point.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// A camera that turns about a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrbitCamera {
    /// What is in the middle.
    pub target: Vec3,
    /// Round the vertical, from the figure's front.
    pub azimuth_rad: f32,
    /// Above the horizon.
    pub elevation_rad: f32,
    /// From the target to the eye.
    pub distance: f32,
    /// From the lower to the upper edge of the picture.
    pub fov_y_rad: f32,
    /// Perspective or not.
    pub projection: Projection,
    /// How fast it turns by itself, in radians per second; 0 not at all.
    pub turntable_rad_per_sec: f32,
}

impl Default for OrbitCamera {
    fn default() -> Self {
        Self {
            target: Vec3::new(0.0, 0.9, 0.0),
            azimuth_rad: 0.55,
            elevation_rad: 0.18,
            distance: 4.5,
            fov_y_rad: sinew_gpu::FOV_Y_RAD,
            projection: Projection::Perspective,
            turntable_rad_per_sec: 0.0,
        }
    }
}

/// How depth is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Projection {
    /// What is far is small.
    #[default]
    Perspective,
    /// What is far is as large as what is near.
    Orthographic,
}

/// A view of the usual tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// From the figure's front.
    Front,
    /// From behind it.
    Back,
    /// From its left.
    Left,
    /// From its right.
    Right,
    /// From above.
    Top,
    /// From below.
    Bottom,
    /// As files open.
    Home,
}
