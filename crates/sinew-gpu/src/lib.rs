//! Characters on the GPU: skinned once a frame, then read by every pass as if they stood still.
//!
//! ```no_run
//! let gpu = sinew_gpu::Gpu::new()?;
//! println!("{}", gpu.name());
//! # Ok::<(), sinew_gpu::GpuError>(())
//! ```

mod adapter;
mod error;
mod gpu;
pub mod skin;
mod timer;
mod vertex;

pub use adapter::ADAPTER_VARIABLE;
pub use error::GpuError;
pub use gpu::Gpu;
pub use skin::{PaletteSlot, SkinBatch, SkinInstance, SkinMesh, SkinOptions, Skinner};
pub use timer::Timer;
pub use vertex::{SkinnedTangent, SkinnedVertex, SurfaceVertex};

pub use wgpu;
