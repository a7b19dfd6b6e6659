//! State machines as data, made in code or read from files. They refer to all items by name.

#[cfg(feature = "json")]
mod json;
mod layer;
mod state;
mod state_machine;

#[cfg(feature = "json")]
pub use json::JsonError;
pub use layer::{EventPayload, GraphLayer, LayerMode, MaskPart, Reference};
pub use state::{Condition, Motion, Point, Point2d, Start, State, Transition, TransitionKind};
pub use state_machine::{Parameter, StateMachine};
