mod clock;
mod graph_player;
mod layer_player;
mod layering;
mod parameters;
mod player_signals;
mod signals;
mod sources;
mod workspace;

pub use graph_player::{FiredEvent, GraphPlayer, PlayingClip};
pub use workspace::Workspace;
