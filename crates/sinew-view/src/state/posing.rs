use super::{Selection, State};
use glam::Vec3;
use serde::{Deserialize, Serialize};
use sinew::clip::OverLimit;
use sinew_edit::{JointValue, Moment, Name, Space};
use std::collections::{BTreeMap, BTreeSet};
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
    /// Joints of the shown file that do not rotate while another one is pulled.
    pub locks: BTreeSet<usize>,
    /// Points in model space to which the middle joints of limbs bend, by the joint at the end.
    pub poles: BTreeMap<usize, Vec3>,
    /// True if a pulled joint keeps its rotation in model space.
    pub keeps_rotation: bool,
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

    /// Moves pins, locks and poles to other joints. Those without a joint end.
    pub(crate) fn keep_joints(&mut self, same: impl Fn(usize) -> Option<usize>) {
        for joints in [&mut self.pins, &mut self.locks] {
            *joints = joints.iter().filter_map(|&joint| same(joint)).collect();
        }
        let poles = self.poles.iter();
        self.poles = poles
            .filter_map(|(&joint, &pole)| Some((same(joint)?, pole)))
            .collect();
    }

    /// Joints with a pin, a lock or a pole.
    pub(crate) fn held(&self) -> impl Iterator<Item = usize> + '_ {
        let held = self.pins.iter().chain(&self.locks);
        held.chain(self.poles.keys()).copied()
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
