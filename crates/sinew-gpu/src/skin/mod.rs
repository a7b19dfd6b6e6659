//! Skin-once: one dispatch skins all instances into one buffer, which every pass then reads.
//!
//! [`SkinMesh`] packs a primitive. [`Skinner`] holds packed meshes and shaders. [`SkinBatch`] holds
//! instances, their palettes and the output buffers. [`GpuCrowd`] combines all three for a crowd of
//! one [`Rig`](sinew::Rig). The results match those of [`sinew::skin`].
//!
//! ```
//! use sinew::skin::{Order, Palette, PaletteRef};
//! use sinew::{Method};
//! use sinew_samples::humanoid_character;
//! use sinew_gpu::{Gpu, GpuError, PaletteSlot, SkinBatch, SkinInstance, SkinMesh, SkinOptions, Skinner};
//!
//! let gpu = match Gpu::new() {
//!     Err(GpuError::NoAdapter) => return Ok(()),
//!     other => other?,
//! };
//! let person = humanoid_character();
//! let mesh = SkinMesh::new(&person.meshes[0].primitives[0], Method::Linear, Order::Plan)?;
//! let skinner = Skinner::new(&gpu, &[mesh])?;
//!
//! let joints = person.skins[0].joints.len();
//! let palettes = [PaletteSlot { method: Method::Linear, joints }];
//! let instances = [SkinInstance { mesh: 0, palette: 0 }];
//! let mut batch = SkinBatch::new(&gpu, &skinner, &palettes, &instances, SkinOptions::default())?;
//!
//! // Every frame: pose, palette, dispatch; then the passes.
//! let mut palette = Palette::default();
//! palette.update(&person.skins[0], person.skeleton.rest_model().as_slice())?;
//! batch.set_palette(0, PaletteRef::Linear(palette.as_slice()))?;
//! let mut encoder = gpu.encoder();
//! batch.encode(&gpu, &mut encoder, None)?;
//! // pass.set_vertex_buffer(0, batch.vertices().slice(batch.vertex_bytes(0)));
//! gpu.submit(encoder);
//! gpu.wait()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod arrange;
pub(crate) mod batch;
pub(crate) mod crowd;
mod dispatch;
mod layout;
mod locals;
pub(crate) mod mesh;
mod morphs;
mod pairs;
pub(crate) mod skinner;
pub(crate) mod vertex;
mod work;

pub use arrange::{PaletteSlot, SkinInstance};
pub use batch::{SkinBatch, SkinOptions};
pub use crowd::GpuCrowd;
pub use mesh::SkinMesh;
pub use skinner::Skinner;
