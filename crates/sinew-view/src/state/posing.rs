use super::{Selection, State};
use serde::{Deserialize, Serialize};
use sinew::clip::OverLimit;
use sinew_edit::{JointValue, Moment, Name, Space};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Tools for poses, and what they apply to.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Posing {
    /// Tool at the selected joint.
    pub tool: PoseTool,
    /// Frame of the tool.
    pub space: Space,
    /// True if joints may pass their limits.
    pub is_unlimited: bool,
    /// Joints of the shown file that stay at their position while another one is pulled.
    pub pins: BTreeSet<usize>,
    /// Pose that was copied last. Stays when another file is shown.
    pub copied: Arc<Vec<JointValue>>,
}

impl Posing {
    /// Treatment of values beyond the limits of joints.
    pub fn limits(&self) -> OverLimit {
        match self.is_unlimited {
            true => OverLimit::Allow,
            false => OverLimit::Clamp,
        }
    }
}

/// Tool that changes the pose in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PoseTool {
    /// No tool: the pointer selects joints and orbits the camera.
    Select,
    /// Rings that rotate.
    #[default]
    Rotate,
    /// Arrows that move.
    Move,
    /// Boxes that scale.
    Scale,
    /// Inverse kinematics: the joint follows the pointer, and the joints above it rotate.
    Pull,
}

impl PoseTool {
    /// All tools.
    pub const ALL: [Self; 5] = [
        Self::Select,
        Self::Rotate,
        Self::Move,
        Self::Scale,
        Self::Pull,
    ];

    /// Name in the window.
    pub fn name(self) -> &'static str {
        match self {
            Self::Select => "Select",
            Self::Rotate => "Rotate",
            Self::Move => "Move",
            Self::Scale => "Scale",
            Self::Pull => "Pull",
        }
    }
}

impl State {
    /// Selected joints, the one with the tool first.
    pub fn selected_joints(&self) -> Vec<usize> {
        match self.selection {
            Selection::Joint(joint) => {
                let further = self.further_joints.iter().copied();
                std::iter::once(joint).chain(further).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Time of the clip that plays, for edits of the pose over it.
    pub fn moment(&self) -> Option<Moment> {
        let clip = self.playback.clip?;
        Some(Moment {
            clip: Name::Index(clip),
            time_secs: self.playback.time_secs as f32,
        })
    }
}
