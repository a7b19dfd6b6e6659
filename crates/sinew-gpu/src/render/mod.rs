//! From what stands on a stage to a picture: shadow map, mirror, main pass, bloom, tone mapping.

mod attachments;
pub(crate) mod environment;
pub(crate) mod floor;
mod frame;
mod frame_group;
mod frames;
mod open;
mod pipelines;
mod post;
mod quads;
pub(crate) mod renderer;
mod shadow;
mod sky;
pub(crate) mod stage;
mod targets;
pub(crate) mod timings;

pub use environment::Environment;
pub use floor::Floor;
pub use renderer::Renderer;
pub use stage::{Background, Shading, Stage, ToneMap, View};
pub use targets::Target;
pub use timings::Timings;
