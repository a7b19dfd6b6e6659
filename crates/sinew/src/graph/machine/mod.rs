//! State machines as data, from files or from the builder. They refer to everything by name.

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
