use super::camera::Camera;
use crate::device::error::GpuError;
use sinew::binding::BindingError;
use sinew::scene::SceneError;
use sinew::{CharacterError, DeformError};
use thiserror::Error;

/// Reason why a scene could not be drawn as a picture.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The GPU failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// A character could not be posed.
    #[error(transparent)]
    Deform(#[from] DeformError),
    /// Parts of a character are inconsistent.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// A scene cannot be drawn.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A picture is empty or too large.
    #[error(
        "a picture of {width} × {height} pixels is not possible; each side must have 1 to {max_side} pixels, and the picture at most {max_pixels}"
    )]
    Size {
        /// Pixels per row.
        width: u32,
        /// Number of rows.
        height: u32,
        /// Max pixels per side.
        max_side: u32,
        /// Max pixels of the whole picture.
        max_pixels: u64,
    },
    /// The character is not the one that was uploaded.
    #[error("this object was made from another character: the meshes differ")]
    OtherCharacter,
    /// Vertices from the CPU were given to a character that the GPU skins.
    #[error(
        "the vertices of this character are computed on the GPU; set a pose instead, or make it with the quaternion method"
    )]
    SkinnedOnGpu,
    /// A camera is not finite, has its target at its eye, or has no depth range.
    #[error("the camera sees nothing: {camera:?}")]
    Camera {
        /// Camera that was rejected.
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
        /// Reason of the decoder.
        why: String,
    },
}
