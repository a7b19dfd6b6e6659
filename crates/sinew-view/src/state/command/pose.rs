use crate::state::posing::PoseTool;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};
use sinew_edit::Space;

/// Change of the pose by hand, or of the tools for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum PoseCommand {
    /// Poses a joint of the shown file by a rotation on top of the clip, up to its limits. One edit.
    Turn {
        /// Index of the joint.
        joint: usize,
        /// Rotation x, y, z, w in the frame of the joint. `[0, 0, 0, 1]` resets the joint.
        rotation: Quat,
    },
    /// Resets the pose of all joints. One edit.
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
    /// Locks a joint: it does not rotate while another one is pulled.
    LockJoint {
        /// Index of the joint.
        joint: usize,
        /// True to lock, false to let go.
        on: bool,
    },
    /// Keeps the rotation of a pulled joint in model space, or lets it follow its limb.
    KeepRotation {
        /// True to keep it.
        on: bool,
    },
    /// Sets the point to which the knee or elbow of a pulled limb bends.
    Pole {
        /// Index of the joint at the end of the limb.
        joint: usize,
        /// Position in model space, `None` to remove the pole.
        position: Option<Vec3>,
    },
    /// Keeps the shown pose for [`PoseCommand::PastePose`].
    CopyPose,
    /// Gives joints of the shown file the copied pose, by name. One edit.
    PastePose,
}
