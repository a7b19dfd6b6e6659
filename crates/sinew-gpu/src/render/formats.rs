//! Formats and sample counts of render targets.

use wgpu::TextureFormat;

pub(super) const HDR_FORMAT: TextureFormat = TextureFormat::Rgba16Float;
/// Depth from the camera, and in the reflection of the floor.
pub(super) const DEPTH_FORMAT: TextureFormat = TextureFormat::Depth32Float;
pub(super) const SHADOW_FORMAT: TextureFormat = TextureFormat::Depth32Float;
/// Ambient occlusion: the part that is not occluded, in [0, 1].
pub(super) const OCCLUSION_FORMAT: TextureFormat = TextureFormat::R8Unorm;
pub(super) const PICTURE_FORMAT: TextureFormat = TextureFormat::Rgba8UnormSrgb;

/// Samples per pixel of the main pass. Every WebGPU device supports four.
pub(super) const SAMPLES: u32 = 4;
pub(super) const MAX_HALVINGS: usize = 5;
pub(super) const MAX_LAYERS: u32 = 256;
