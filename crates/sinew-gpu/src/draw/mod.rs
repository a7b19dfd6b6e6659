//! Items to draw: characters, crowds, scenes, surfaces, lamps, cameras, lines and letters.

pub(crate) mod camera;
pub(crate) mod crowd;
pub(crate) mod error;
pub(crate) mod figure;
pub(crate) mod light;
pub(crate) mod marks;
pub(crate) mod scene;
pub(crate) mod stage_curves;
pub(crate) mod surface;

pub use camera::{Camera, FOV_Y_RAD, Framing, corners, direction};
pub use crowd::drawn::DrawnCrowd;
pub use error::RenderError;
pub use figure::character::GpuCharacter;
pub use light::file_lights::{driven_lamps, file_lamps};
pub use light::lighting::{Lamp, LampPosition, Lighting, MAX_LAMPS};
pub use marks::dust::{Dust, DustParticle};
pub use marks::lines::{Line, axes_lines, skeleton_lines};
pub use marks::stroke_font::{draw_outlined_text, draw_text, text_width};
pub use scene::{GpuScene, SceneMaterial};
pub use stage_curves::{LightCurves, MaterialCurves, StageCurves};
pub use surface::instance::Instance;
pub use surface::paint::Paint;
pub use surface::weight_colors::{WeightColors, joint_color};
