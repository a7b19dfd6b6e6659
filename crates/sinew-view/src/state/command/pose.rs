use glam::Quat;
use serde::{Deserialize, Serialize};

/// Change of the pose by hand, applied after the clips.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum PoseCommand {
    /// Rotates a joint of the shown file, up to its limits.
    Turn {
        /// Index of the joint.
        joint: usize,
        /// Rotation x, y, z, w in the frame of the joint. `[0, 0, 0, 1]` removes it.
        rotation: Quat,
    },
    /// Removes all rotations by hand.
    ResetTurns,
}
