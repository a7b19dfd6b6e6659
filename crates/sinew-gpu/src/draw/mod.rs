//! What is drawn, and in what light and from where: characters and scenes on the GPU, their materials,
//! lamps, cameras, lines and letters.

pub(crate) mod camera;
pub(crate) mod character;
pub(crate) mod crowd;
mod crowd_bounds;
mod crowd_order;
pub(crate) mod dust;
pub(crate) mod error;
pub(crate) mod file_lights;
pub(crate) mod instance;
pub(crate) mod light;
pub(crate) mod material;
pub(crate) mod overlay;
pub(crate) mod paint;
pub(crate) mod scene;
mod simplify;
mod skinned;
pub(crate) mod stage_curves;
pub(crate) mod stroke_font;
pub(crate) mod surfaces;
mod tangents;
mod texture;
pub(crate) mod weight_colors;

pub use camera::{Camera, FOV_Y_RAD, Framing, corners, direction};
pub use character::GpuCharacter;
pub use crowd::DrawnCrowd;
pub use dust::{Dust, DustParticle};
pub use error::RenderError;
pub use file_lights::file_lamps;
pub use instance::Instance;
pub use light::{Lamp, LampPosition, Lighting, MAX_LAMPS};
pub use overlay::{Line, axes_lines, skeleton_lines};
pub use paint::Paint;
pub use scene::{GpuScene, SceneMaterial};
pub use stage_curves::{LightCurves, MaterialCurves, StageCurves};
pub use stroke_font::{draw_outlined_text, draw_text, text_width};
pub use weight_colors::{WeightColors, joint_color};
