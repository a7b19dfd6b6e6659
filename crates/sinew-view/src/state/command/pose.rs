use crate::state::posing::PoseTool;
use glam::Quat;
use serde::{Deserialize, Serialize};
use sinew_edit::Space;

/// Change of the pose by hand, or of the tools for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum PoseCommand {
    /// Rotates a joint of the shown file, up to its limits. Applied after the clips.
    Turn {
        /// Index of the joint.
        joint: usize,
        /// Rotation x, y, z, w in the frame of the joint. `[0, 0, 0, 1]` removes it.
        rotation: Quat,
    },
    /// Removes all rotations by hand.
    ResetTurns,
    /// Sets the tool at the selected joint.
    PoseTool {
        /// The tool.
        tool: PoseTool,
    },
    /// Sets the frame of the tool.
    PoseSpace {
        /// The frame.
        space: Space,
    },
    /// Stops joints at their limits, or lets them pass.
    PoseLimits {
        /// True to stop.
        on: bool,
    },
    /// Pins a joint: it stays while another one is pulled.
    PinJoint {
        /// Index of the joint.
        joint: usize,
        /// True to pin, false to let go.
        on: bool,
    },
    /// Keeps the shown pose for [`PoseCommand::PastePose`].
    CopyPose,
    /// Gives joints of the shown file the copied pose, by name. One edit.
    PastePose,
}
