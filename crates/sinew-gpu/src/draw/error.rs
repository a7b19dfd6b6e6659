use super::camera::Camera;
use crate::device::error::GpuError;
use sinew::binding::BindingError;
use sinew::scene::SceneError;
use sinew::{CharacterError, DeformError};
use thiserror::Error;

/// Reason why a picture could not be drawn.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The GPU failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A character could not be posed.
    #[error(transparent)]
    Deform(#[from] DeformError),
    /// The parts of a character are inconsistent.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// A scene cannot be drawn.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A picture has no pixels or too many.
    #[error(
        "a picture of {width} × {height} pixels is not possible; each side must have 1 to {max_side} pixels, and the picture at most {max_pixels}"
    )]
    Size {
        /// Pixels per row.
        width: u32,
        /// Number of rows.
        height: u32,
        /// Max number of pixels per side.
        max_side: u32,
        /// Max number of pixels of the picture.
        max_pixels: u64,
    },
    /// The character is not the one that was uploaded.
    #[error("this object was made from another character: the meshes differ")]
    OtherCharacter,
    /// The CPU gave vertices to a character that the GPU skins.
    #[error(
        "the vertices of this character are computed on the GPU; set a pose instead, or make it with the quaternion method"
    )]
    SkinnedOnGpu,
    /// A camera is not finite, has eye and target at the same position, or has no depth range.
    #[error("the camera sees nothing: {camera:?}")]
    Camera {
        /// Rejected camera.
        camera: Camera,
    },
    /// A binding refers to an item that neither the character nor the stage has.
    #[error(transparent)]
    Binding(#[from] BindingError),
    /// An image could not be decoded.
    #[error("image \"{name}\" was left out: {why}")]
    Image {
        /// Name of the image.
        name: String,
        /// Reason that the decoder gave.
        why: String,
    },
}
