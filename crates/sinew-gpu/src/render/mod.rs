//! From what stands on a stage to a picture: shadow map, mirror, main pass, bloom, tone mapping.

pub(crate) mod floor;
mod frame;
mod pipelines;
mod post;
mod quads;
pub(crate) mod renderer;
mod shadow;
mod sky;
pub(crate) mod stage;
mod targets;
pub(crate) mod timings;

pub use floor::Floor;
pub use renderer::Renderer;
pub use stage::{Background, Stage, View};
pub use targets::Target;
pub use timings::Timings;
