use glam::Quat;
use serde::{Deserialize, Serialize};

/// A change of the pose by hand, on top of the clips that play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum PoseCommand {
    /// Rotates a joint of the shown file, up to its limits.
    Turn {
        /// Index of the joint.
        joint: usize,
        /// Rotation x, y, z, w relative to the clip, in the frame of the joint. `[0, 0, 0, 1]` removes it.
        rotation: Quat,
    },
    /// Removes all rotations by hand.
    ResetTurns,
}
