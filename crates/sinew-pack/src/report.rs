//! The report of packing a clip.

use crate::bytes::extras::extras_bytes;
use crate::bytes::limits::limit_bytes;
use crate::encode::motion_chunk::CodedJoint;
use crate::encode::plan::{JointPlan, Kept, Plan};
use crate::file::skeleton_bytes;
use crate::options::PackOptions;
use sinew::clip::packed::PackedClip;
use sinew::clip::packed::format::{Kind, chunks};
use sinew::clip::{Channel, Clip, Track};
use sinew::skeleton::Skeleton;

/// The report of packing.
#[derive(Clone, Debug, PartialEq)]
pub struct PackReport {
    /// The motion chunks: tracks, ranges and times.
    pub motion_bytes: usize,
    /// The chunk of the skeleton and its names.
    pub skeleton_bytes: usize,
    /// The chunk of the clip's name, events, curves and morph weights.
    pub extras_bytes: usize,
    /// Forty bytes a joint for every key of the track that has the most: translation, rotation and scale as they are.
    pub raw_bytes: usize,
    /// The error that was asked for.
    pub max_error: f32,
    /// The error that was measured, see [`crate::object_space_error`], and the rounding of the clip's own numbers if
    /// that is over a hundredth of the bound. At most `max_error`.
    pub measured_error: f32,
    /// Channels at rest, constant, packed, and kept as they were.
    pub channels: [usize; 4],
    /// The number of the packed ones that are at finer frames than the others.
    pub finer: usize,
    /// Joints with a channel that was kept as it was.
    pub raw_joints: Vec<usize>,
    /// Every channel that was kept as it was, and why, in order of joints.
    pub kept: Vec<(usize, Channel, Kept)>,
}

/// The report of a clip whose joints were packed by these plans.
pub(crate) fn report(
    skeleton: &Skeleton,
    clip: &Clip,
    packed: &PackedClip<'_>,
    joints: &[CodedJoint],
    plans: &[JointPlan],
    options: &PackOptions,
) -> PackReport {
    let tracks = clip.joints.iter();
    let tracks = tracks.flat_map(|j| [&j.translation, &j.rotation, &j.scale]);
    let most_keys = tracks.flatten().map(Track::keys).max();
    let (mut channels, mut finer) = ([0; 4], 0);
    for (index, chunk) in chunks(packed).enumerate() {
        for kind in chunk.kinds().iter().flatten() {
            match index {
                0 => channels[*kind as usize] += 1,
                _ => finer += usize::from(*kind == Kind::Packed),
            }
        }
    }
    channels[Kind::Rest as usize] -= finer;
    channels[Kind::Packed as usize] += finer;
    let mut kept = Vec::new();
    for (joint, (coded, plan)) in joints.iter().zip(plans).enumerate() {
        let channels = [
            (
                coded.translation.raw(),
                plan.translation,
                Channel::Translation,
            ),
            (coded.rotation.raw(), plan.rotation, Channel::Rotation),
            (coded.scale.raw(), plan.scale, Channel::Scale),
        ];
        for (raw, plan, channel) in channels {
            if raw.is_some() {
                let why = match plan {
                    Plan::Raw(why) => why,
                    _ => Kept::Bound,
                };
                kept.push((joint, channel, why));
            }
        }
    }
    let mut raw_joints: Vec<usize> = kept.iter().map(|k| k.0).collect();
    raw_joints.dedup();
    PackReport {
        motion_bytes: packed.motion_bytes(),
        skeleton_bytes: skeleton_bytes(skeleton).len() + limit_bytes(skeleton).len(),
        extras_bytes: extras_bytes(packed).len(),
        raw_bytes: 40 * joints.len() * most_keys.unwrap_or(1),
        max_error: options.max_error,
        measured_error: packed.measured_error(),
        channels,
        finer,
        raw_joints,
        kept,
    }
}
