//! Formats of the textures that are drawn into, and the counts that go with them.

use wgpu::TextureFormat;

/// Linear light, before it is brought into the range of a screen.
pub(super) const HDR_FORMAT: TextureFormat = TextureFormat::Rgba16Float;
/// Depth as the camera and the floor's mirror see it.
pub(super) const DEPTH_FORMAT: TextureFormat = TextureFormat::Depth32Float;
/// Depth as the sun sees it.
pub(super) const SHADOW_FORMAT: TextureFormat = TextureFormat::Depth32Float;
/// The part of the light from everywhere that reaches a position, 0 to 1.
pub(super) const OPEN_FORMAT: TextureFormat = TextureFormat::R8Unorm;
/// The finished picture, as it is read back.
pub(super) const PICTURE_FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;

/// Samples a pixel in the main pass; every WebGPU device has four.
pub(super) const SAMPLES: u32 = 4;
/// Max count of times that bloom halves a picture.
pub(super) const MAX_HALVINGS: usize = 5;
/// Max count of pictures that are laid over each other.
pub(super) const MAX_LAYERS: u32 = 256;
