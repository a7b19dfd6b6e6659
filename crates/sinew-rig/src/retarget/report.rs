//! Report of retargeting.

use super::feet::contact::Contact;
use glam::Quat;
use sinew::Clip;
use sinew::skeleton::{Role, Side};

/// A pair by its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPair {
    /// Role of both, if known.
    pub role: Option<Role>,
    /// Name of the source's joint.
    pub source: String,
    /// Name of the target's joint.
    pub target: String,
}

/// Foot lock of one side. Speeds are in the target's unit per second.
#[derive(Clone, Debug, PartialEq)]
pub struct FootSlideReport {
    /// Side of the body.
    pub side: Side,
    /// Contacts of the source's foot, in frames of the new clip, which may have more keys than the source.
    pub contacts: Vec<Contact>,
    /// Max speed of the target's foot during contacts, before correction.
    pub slide_before: f32,
    /// Max speed during contacts in the clip, also between keys.
    pub slide_after: f32,
}

/// A hand that was brought to the source's position. Distances are in the target's unit.
#[derive(Clone, Debug, PartialEq)]
pub struct HandReport {
    /// Side of the body.
    pub side: Side,
    /// Ratio of the target's arm span to the source's.
    pub scale: f32,
    /// Max distance from the goal before correction.
    pub off_before: f32,
    /// Max distance from the goal in the clip.
    pub off_after: f32,
}

impl FootSlideReport {
    /// Number of contact frames in the new clip. Frames are not evenly spaced, so this does not measure time.
    pub fn contact_frames(&self) -> usize {
        self.contacts.iter().map(|c| c.last - c.first + 1).sum()
    }
}

/// Report of retargeting. Lengths are in the target's unit.
#[derive(Clone, Debug, PartialEq)]
pub struct RetargetReport {
    /// Pairs of joints by name.
    pub pairs: Vec<NamedPair>,
    /// Joints of the target that interpolate between two pairs.
    pub shared: Vec<String>,
    /// Joints of the source that no joint follows.
    pub unused_source: Vec<String>,
    /// Joints of the target that stay at rest on their parents.
    pub resting_target: Vec<String>,
    /// Factor from the source's lengths to the target's, for the path of the hips.
    pub scale: f32,
    /// `target_from_source`: rotation between the two worlds.
    pub rotation: Quat,
    /// True if both are the same skeleton at the same scale, so that bone lengths carry over too.
    pub same_skeleton: bool,
    /// Number of frames of the new clip, inserted ones included.
    pub frames: usize,
    /// Feet that both bodies have.
    pub feet: Vec<FootSlideReport>,
    /// Hands that were brought to their positions, when requested.
    pub hands: Vec<HandReport>,
    /// Max distance that the hips went down for a foot to reach its position.
    pub hips_lowered: f32,
    /// Number of frames in which a foot did not reach its position, not counting inserted frames.
    pub unreached_frames: usize,
}

/// A retargeted motion with its report.
#[derive(Clone, Debug, PartialEq)]
pub struct Retargeted {
    /// Clip for the target's skeleton, with the source's key times and inserted ones for standing feet. Events and
    /// curves are the source's.
    pub clip: Clip,
    /// Pairs, scale and corrections of the transfer.
    pub report: RetargetReport,
}
