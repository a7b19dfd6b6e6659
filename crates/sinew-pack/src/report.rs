//! Report of packing a clip.

use crate::bytes::extras::extras_bytes;
use crate::bytes::limits::{limit_bytes, slide_bytes};
use crate::encode::motion_chunk::CodedJoint;
use crate::encode::plan::{JointPlan, Kept, Plan};
use crate::file::skeleton_bytes;
use crate::options::PackOptions;
use sinew::clip::packed::PackedClip;
use sinew::clip::packed::format::{Kind, chunks};
use sinew::clip::{Channel, Clip, Track};
use sinew::skeleton::Skeleton;

/// Report of packing a clip. Sizes are in bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct PackReport {
    /// Size of the motion chunks: tracks, ranges and times.
    pub motion_bytes: usize,
    /// Size of the skeleton chunk, including names.
    pub skeleton_bytes: usize,
    /// Size of the chunk with the clip's name, events, curves and morph weights.
    pub extras_bytes: usize,
    /// Size without packing: 40 bytes (ten floats) per joint and key of the longest track.
    pub raw_bytes: usize,
    /// Max error that was requested, in the unit of the skeleton.
    pub max_error: f32,
    /// Measured error ([`crate::object_space_error`]), up to `max_error`, in the same unit.
    /// Includes the rounding of the clip's own numbers if that exceeds 1 % of the bound.
    pub measured_error: f32,
    /// Numbers of channels at rest, constant, packed and unchanged, in this order.
    pub channels: [usize; 4],
    /// Number of packed channels on finer frames than the main row.
    pub finer: usize,
    /// Indices of joints with an unchanged channel.
    pub raw_joints: Vec<usize>,
    /// Every unchanged channel with its reason, in joint order.
    pub kept: Vec<(usize, Channel, Kept)>,
}

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
    let max_keys = tracks.flatten().map(Track::keys).max();
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
        skeleton_bytes: skeleton_bytes(skeleton).len()
            + limit_bytes(skeleton).len()
            + slide_bytes(skeleton).len(),
        extras_bytes: extras_bytes(packed).len(),
        raw_bytes: 40 * joints.len() * max_keys.unwrap_or(1),
        max_error: options.max_error,
        measured_error: packed.measured_error(),
        channels,
        finer,
        raw_joints,
        kept,
    }
}
