//! Commands of joints.

use glam::Quat;
use serde::{Deserialize, Serialize};

/// A change of the pose by hand, on top of the clips that play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum PoseCommand {
    /// Rotates a joint of the shown file.
    Turn {
        /// Its index.
        joint: usize,
        /// Rotation from the one that plays, in the joint's own frame: x, y, z, w. None with `[0, 0, 0, 1]`.
        rotation: Quat,
    },
    /// Leaves all joints to the clips.
    ResetTurns,
}
