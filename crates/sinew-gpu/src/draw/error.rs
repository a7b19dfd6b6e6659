//! Why a picture could not be made.

use super::camera::Camera;
use crate::device::error::GpuError;
use sinew::binding::BindingError;
use sinew::scene::SceneError;
use sinew::{CharacterError, DeformError};
use thiserror::Error;

/// A failure between a scene and its picture.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The GPU.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A character that cannot be posed.
    #[error(transparent)]
    Deform(#[from] DeformError),
    /// A character whose parts do not fit together.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// A scene that cannot be drawn.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A picture of no pixels, or of more than a texture can have.
    #[error(
        "a picture of {width} × {height} cannot be made: 1 to {most} pixels a side can, and {max_pixels} \
         in all"
    )]
    Size {
        /// Pixels per row.
        width: u32,
        /// Rows.
        height: u32,
        /// The device's limit.
        most: u32,
        /// Max count of pixels of the whole picture.
        max_pixels: u64,
    },
    /// Another character than the one that was taken to the GPU.
    #[error("the character is not the one that this was made from: its meshes are others")]
    OtherCharacter,
    /// Vertices moved on the CPU for a character whose vertices the GPU moves.
    #[error("the GPU moves this character: pose it, or make it with the quaternion method")]
    SkinnedOnGpu,
    /// A camera whose numbers are none, that looks at where it stands, or that sees no depth.
    #[error("the camera sees nothing: {camera:?}")]
    Camera {
        /// The camera.
        camera: Camera,
    },
    /// A binding that names what is neither in the character nor on its stage.
    #[error(transparent)]
    Binding(#[from] BindingError),
    /// An image that cannot be decoded.
    #[error("image \"{name}\" is left out: {why}")]
    Image {
        /// Its name.
        name: String,
        /// The reason.
        why: String,
    },
}
