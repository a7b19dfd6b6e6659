//! Draws a stage as a picture: shadow map, mirror, main pass, bloom, tone mapping.

pub(crate) mod environment;
pub(crate) mod floor;
mod formats;
mod frame;
mod passes;
mod pipelines;
pub(crate) mod renderer;
pub(crate) mod shading;
pub(crate) mod stage;
mod targets;
pub(crate) mod timings;

pub use environment::Environment;
pub use floor::Floor;
pub use renderer::Renderer;
pub use shading::{Shading, ToneMap};
pub use stage::{Background, Stage, View};
pub use targets::Target;
pub use timings::{PendingTimings, Timings};
