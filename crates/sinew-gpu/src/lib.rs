//! Characters on the GPU: skinned once per frame, then read by every pass as static meshes.
//!
//! ```no_run
//! let gpu = sinew_gpu::Gpu::new()?;
//! println!("{}", gpu.name());
//! # Ok::<(), sinew_gpu::GpuError>(())
//! ```
//!
//! Each module uses only modules before it in this list: `device`, `image`, [`skin`], `draw`,
//! `render`, `studio`.

mod device;
mod draw;
mod image;
mod render;
pub mod skin;
mod studio;

pub use device::{ADAPTER_VARIABLE, Gpu, GpuError, Readback, Timer};
pub use draw::{
    Camera, DrawnCrowd, Dust, DustParticle, FOV_Y_RAD, Framing, GpuCharacter, GpuScene, Instance,
    Lamp, LampPosition, LightCurves, Lighting, Line, MAX_LAMPS, MaterialCurves, Paint, RenderError,
    SceneMaterial, StageCurves, WeightColors, axes_lines, corners, direction, draw_outlined_text,
    draw_text, driven_lamps, file_lamps, joint_color, skeleton_lines, text_width,
};
pub use image::{
    ApngWriter, Encoding, EnvironmentMap, GifWriter, HdrError, MAX_PIXELS, PendingPicture, Picture,
    Pixels, linear_to_srgb, read_png, read_texture, read_texture_later, srgb_to_linear, write_jpeg,
    write_png,
};
pub use render::{
    Background, Environment, Floor, PendingTimings, Renderer, Shading, Stage, Target, Timings,
    ToneMap, View,
};
pub use sinew::character::{UV_IDENTITY, UvTransform};
pub use skin::vertex::{SkinnedTangent, SkinnedVertex, SurfaceVertex};
pub use skin::{GpuCrowd, PaletteSlot, SkinBatch, SkinInstance, SkinMesh, SkinOptions, Skinner};
pub use studio::{
    Backdrop, FloorHeight, Framed, Front, FrontRule, Shot, ShotOptions, find_front, grid_spacing,
    label, method_name,
};

pub use wgpu;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
