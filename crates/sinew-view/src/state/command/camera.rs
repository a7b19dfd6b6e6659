use crate::state::camera::{Preset, Projection};
use serde::{Deserialize, Serialize};

/// Change of the camera.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum CameraCommand {
    /// Orbits the camera about its target.
    Orbit {
        /// Angle to the right, in radians.
        right_rad: f32,
        /// Angle up, in radians.
        up_rad: f32,
    },
    /// Moves camera and target. The unit is the height of the picture.
    Pan {
        /// Distance to the right.
        right: f32,
        /// Distance up.
        up: f32,
    },
    /// Changes the distance to the target.
    Zoom {
        /// Magnification. Above 1, the camera moves closer.
        factor: f32,
    },
    /// Goes to a standard view.
    Preset {
        /// Standard view.
        preset: Preset,
    },
    /// Frames the selection, or everything if nothing is selected.
    Frame,
    /// Sets the aspect ratio of a pane, which framing uses.
    Aspect {
        /// Width divided by height, in [0.01, 100].
        aspect: f32,
    },
    /// Sets the projection.
    Projection {
        /// Perspective or orthographic.
        projection: Projection,
    },
    /// Starts an automatic orbit.
    Turntable {
        /// Speed, in radians per second. 0 stops the orbit.
        rad_per_sec: f32,
    },
}
