//! The report of a transfer.

use super::feet::contact::Contact;
use glam::Quat;
use sinew::Clip;
use sinew::skeleton::{Role, Side};

/// A pair by its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPair {
    /// The role of both, where that is known.
    pub role: Option<Role>,
    /// The source's joint.
    pub source: String,
    /// The target's joint.
    pub target: String,
}

/// The feet of one side.
#[derive(Clone, Debug, PartialEq)]
pub struct FootSlideReport {
    /// The side.
    pub side: Side,
    /// The contacts of the source's foot, in frames of the new clip: its keys, of which it may have more than the
    /// source.
    pub contacts: Vec<Contact>,
    /// The greatest speed of the target's foot while it should stand, as the joints alone would have it.
    pub slide_before: f32,
    /// The same in the clip, between its keys as well.
    pub slide_after: f32,
}

/// A hand that was brought to where the source's is.
#[derive(Clone, Debug, PartialEq)]
pub struct HandReport {
    /// The side.
    pub side: Side,
    /// From the source's span of arms to the target's.
    pub scale: f32,
    /// The farthest that it would have been from there by the rotations of its joints alone.
    pub off_before: f32,
    /// The farthest that it is.
    pub off_after: f32,
}

impl FootSlideReport {
    /// In how many frames of the new clip it stands; as these are not evenly far apart, this is no measure of time.
    pub fn contact_frames(&self) -> usize {
        self.contacts.iter().map(|c| c.last - c.first + 1).sum()
    }
}

/// The report of retargeting; lengths are the target's.
#[derive(Clone, Debug, PartialEq)]
pub struct RetargetReport {
    /// The pairs: who follows whom.
    pub pairs: Vec<NamedPair>,
    /// Joints of the target that share out what happens between two pairs.
    pub shared: Vec<String>,
    /// Joints of the source that nothing follows.
    pub unused_source: Vec<String>,
    /// Joints of the target that stay at rest on their parents.
    pub resting_target: Vec<String>,
    /// From the source's lengths to the target's, for where the hips go.
    pub scale: f32,
    /// `target_from_source`: what the world was turned by.
    pub rotation: Quat,
    /// True when the two are one skeleton at one scale, so that lengths of bones are carried over too.
    pub same_skeleton: bool,
    /// The number of frames of the new clip: the keys of a track that changes, the source's and those between.
    pub frames: usize,
    /// Those feet that both have.
    pub feet: Vec<FootSlideReport>,
    /// Those hands that were brought to their positions, when that was asked for.
    pub hands: Vec<HandReport>,
    /// The max distance that the hips had to go down for a foot to reach its position.
    pub hips_lowered: f32,
    /// Frames in which a foot did not reach its position all the same; of those before any were put between for
    /// standing feet.
    pub unreached_frames: usize,
}

/// A motion for another body, and what was found on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Retargeted {
    /// For the target's skeleton, with the source's key times and some between where a standing foot needs them;
    /// events and curves are the source's.
    pub clip: Clip,
    /// The report of the transfer.
    pub report: RetargetReport,
}
