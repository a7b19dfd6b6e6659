//! The orbiting camera as the renderer has it.

use crate::state::{OrbitCamera, Projection};
use glam::{Mat4, Vec2, Vec3};
use sinew_gpu::{Camera, direction};

/// The angle of view that stands for none: from so far away, what is far is as large as what is near within a hundredth.
const ORTHOGRAPHIC_RAD: f32 = 0.01;

/// The camera, carried along with a figure that is put onto the floor. `radius` is about how large the figure is.
pub fn camera(orbit: &OrbitCamera, lift: Vec3, radius: f32) -> Camera {
    let from = direction(orbit.azimuth_rad, orbit.elevation_rad);
    let (fov_y_rad, distance) = match orbit.projection {
        Projection::Perspective => (orbit.fov_y_rad, orbit.distance),
        Projection::Orthographic => {
            let half_height = orbit.distance * (orbit.fov_y_rad / 2.0).tan();
            (
                ORTHOGRAPHIC_RAD,
                half_height / (ORTHOGRAPHIC_RAD / 2.0).tan(),
            )
        }
    };
    let target = orbit.target + lift;
    // All of the figure and of its floor, and what is before it.
    let behind = distance + radius * 40.0;
    let before = match orbit.projection {
        Projection::Perspective => (distance * 0.02).max(behind * 1e-5),
        Projection::Orthographic => (distance - radius * 40.0).max(behind * 1e-3),
    };
    Camera {
        eye: target + from * distance,
        target,
        fov_y_rad,
        near: before,
        far: behind,
    }
}

/// Where a point is seen, in parts of the picture's width and height from its upper left corner; nowhere behind the camera.
pub fn on_screen(clip_from_world: &Mat4, point: Vec3) -> Option<Vec2> {
    let clip = *clip_from_world * point.extend(1.0);
    let at = clip.truncate().truncate() / clip.w * Vec2::new(0.5, -0.5) + 0.5;
    (clip.w > 0.0 && at.is_finite()).then_some(at)
}
