//! Commands of the camera.

use crate::state::camera::{Preset, Projection};
use serde::{Deserialize, Serialize};

/// A change of the camera.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum CameraCommand {
    /// Turns the camera about its target.
    Orbit {
        /// Angle to the right.
        right_rad: f32,
        /// Angle up.
        up_rad: f32,
    },
    /// Moves the camera and its target, in heights of the picture.
    Pan {
        /// To the right.
        right: f32,
        /// Up.
        up: f32,
    },
    /// Moves the camera to its target.
    Zoom {
        /// Factor by which it comes nearer; below 1 it goes away.
        factor: f32,
    },
    /// Goes to a view.
    Preset {
        /// The view.
        preset: Preset,
    },
    /// Brings the selection into the picture; everything without one.
    Frame,
    /// Sets the shape of a pane, which things are brought into.
    Aspect {
        /// Width by height: 0.01 to 100.
        aspect: f32,
    },
    /// Sets the projection.
    Projection {
        /// Perspective or orthographic.
        projection: Projection,
    },
    /// Lets the camera turn by itself.
    Turntable {
        /// Speed; 0 not at all.
        rad_per_sec: f32,
    },
}
