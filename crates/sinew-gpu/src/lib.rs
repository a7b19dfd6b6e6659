//! Characters on the GPU: skinned once a frame, then read by every pass as if they stood still.
//!
//! ```no_run
//! let gpu = sinew_gpu::Gpu::new()?;
//! println!("{}", gpu.name());
//! # Ok::<(), sinew_gpu::GpuError>(())
//! ```

mod adapter;
mod bind;
mod camera;
mod error;
mod figure;
mod gpu;
mod grove;
mod heat;
mod instance;
mod light;
mod material;
mod overlay;
mod picture;
mod png_file;
mod props;
mod puffs;
mod render;
mod shot;
pub mod skin;
mod skinned;
mod stroke_font;
mod surfaces;
mod texture;
mod timer;
mod vertex;

pub use adapter::ADAPTER_VARIABLE;
pub use camera::{Camera, FOV_Y_RAD, Framing, corners, direction};
pub use error::GpuError;
pub use figure::Figure;
pub use gpu::Gpu;
pub use grove::GroveShow;
pub use heat::Heat;
pub use instance::Instance;
pub use light::{Lamp, LampPlace, Lighting, MOST_LAMPS};
pub use overlay::{Line, axes_lines, skeleton_lines};
pub use picture::Picture;
pub use png_file::{ApngWriter, read_png, write_png};
pub use props::{PropMaterial, Props};
pub use puffs::{Puff, Puffs};
pub use render::{Background, Floor, RenderError, Renderer, Stage, Timings, View};
pub use shot::{Backdrop, Shot, ShotOptions, label, method_name};
pub use sinew::character::{UV_IDENTITY, UvTransform};
pub use skin::{PaletteSlot, SkinBatch, SkinInstance, SkinMesh, SkinOptions, Skinner};
pub use stroke_font::{draw_text, text_width};
pub use texture::{Encoding, Pixels, linear_to_srgb, srgb_to_linear};
pub use timer::Timer;
pub use vertex::{SkinnedTangent, SkinnedVertex, SurfaceVertex};

pub use wgpu;
