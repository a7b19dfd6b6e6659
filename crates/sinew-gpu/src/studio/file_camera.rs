//! View through a camera of the file.

use crate::draw::camera::Camera;
use glam::Vec3;
use sinew::character::{self, Lens};
use sinew::{Affine, Character, ModelPose};

/// Distance of the eye of a parallel camera, in half heights of its picture. Lines then converge by 1 % at most.
const PARALLEL: f32 = 199.0;

/// View through a camera of the file for a pose. A roll of the camera is not shown. A parallel camera is drawn from far
/// away. `radius` is the size of the scene.
pub(super) fn file_camera(
    camera: &character::Camera,
    character: &Character,
    pose: &ModelPose,
    world_from_model: &Affine,
    radius: f32,
) -> Camera {
    let worlds = character.node_worlds(pose);
    let node = camera.node.and_then(|node| worlds.get(node));
    let world_from_node = *world_from_model * node.copied().unwrap_or(Affine::IDENTITY);
    let at = world_from_node.translation();
    let along = world_from_node
        .transform_vector(Vec3::NEG_Z)
        .normalize_or(Vec3::NEG_Z);
    let least = 1e-3 * radius;
    let near = if camera.near.is_finite() {
        camera.near.max(least)
    } else {
        least
    };
    let endless = near + 100.0 * radius + at.length();
    let far = if camera.far > near {
        camera.far.min(1e6 * near)
    } else {
        endless
    };
    let far = if camera.far.is_finite() { far } else { endless };
    let (back, fov_y_rad) = match camera.lens {
        Lens::Perspective { fov_y_rad } => (0.0, fov_y_rad.clamp(0.01, 3.0)),
        Lens::Orthographic {
            half_size: [_, half],
        } => {
            let half = half.abs().max(least);
            (PARALLEL * half, 2.0 * (1.0 / PARALLEL).atan())
        }
    };
    let eye = at - along * back;
    Camera {
        eye,
        target: at + along * radius.max(near),
        fov_y_rad,
        near: back + near,
        far: back + far,
    }
}
