//! Report of a retargeted clip.

use super::feet::contact::Contact;
use glam::Quat;
use sinew::Clip;
use sinew::skeleton::{Role, Side};

/// A pair of joints by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPair {
    /// Role of both joints, if known.
    pub role: Option<Role>,
    /// Name of the source joint.
    pub source: String,
    /// Name of the target joint.
    pub target: String,
}

/// Foot lock of one side. Speeds are in the length unit of the target per second.
#[derive(Clone, Debug, PartialEq)]
pub struct FootSlideReport {
    /// Side of the body.
    pub side: Side,
    /// True for a front leg of an animal.
    pub is_front: bool,
    /// Contacts of the source foot, in frames of the new clip, which may have more keys.
    pub contacts: Vec<Contact>,
    /// Max speed of the foot of the target during contacts, before correction.
    pub slide_before: f32,
    /// Max speed of the foot of the target during contacts, in the new clip and also between keys.
    pub slide_after: f32,
}

/// Hand that was moved to the position of the source. Distances are in the unit of the target.
#[derive(Clone, Debug, PartialEq)]
pub struct HandReport {
    /// Side of the body.
    pub side: Side,
    /// Ratio of the arm span of the target to that of the source.
    pub scale: f32,
    /// Max distance from the goal before correction.
    pub off_before: f32,
    /// Max distance from the goal in the new clip.
    pub off_after: f32,
}

impl FootSlideReport {
    /// Number of contact frames in the new clip. Not a time: frames are not evenly spaced.
    pub fn contact_frames(&self) -> usize {
        self.contacts.iter().map(|c| c.last - c.first + 1).sum()
    }
}

/// Pairs, scale and corrections of a retargeted clip. Lengths are in the unit of the target.
#[derive(Clone, Debug, PartialEq)]
pub struct RetargetReport {
    /// Pairs of joints by name.
    pub pairs: Vec<NamedPair>,
    /// Joints of the target that are interpolated between two pairs.
    pub shared: Vec<String>,
    /// Joints of the source that no joint follows.
    pub unused_source: Vec<String>,
    /// Joints of the target that keep their rest rotation relative to their parent.
    pub resting_target: Vec<String>,
    /// Factor from lengths of the source to lengths of the target. It scales the path of the hips.
    pub scale: f32,
    /// Rotation from the world axes of the source to those of the target (`target_from_source`).
    pub rotation: Quat,
    /// True if both skeletons and their scales are equal. Bone lengths are then transferred too.
    pub same_skeleton: bool,
    /// True for animals whose parts were paired by the shape of the bodies.
    pub by_shape: bool,
    /// Number of frames of the new clip, inserted frames included.
    pub frames: usize,
    /// Foot lock of each foot that both bodies have.
    pub feet: Vec<FootSlideReport>,
    /// Hands that were moved to the positions of the source, if requested.
    pub hands: Vec<HandReport>,
    /// Max distance that the hips were lowered so that a foot reached its position.
    pub hips_lowered: f32,
    /// Number of frames in which a foot did not reach its position. Inserted frames do not count.
    pub unreached_frames: usize,
}

/// A retargeted clip with its report.
#[derive(Clone, Debug, PartialEq)]
pub struct Retargeted {
    /// Clip for the skeleton of the target, with the events and curves of the source. It has the
    /// key times of the source, and more keys for standing feet.
    pub clip: Clip,
    /// Pairs, scale and corrections.
    pub report: RetargetReport,
}
