//! From a clip to a packed one whose error has been measured.
//!
//! Joints are encoded parents first, each on top of what its ancestors decode to. How much of the error
//! a joint may pass on to its children is tried out, and the result is decoded and measured. When it
//! misses the bound, it is done again more carefully, and in the end with the worst tracks as they were.

use super::extras::Extras;
use super::joints::Encoder;
use super::motion::{Head, Motion};
use super::write::{Coded, CodedJoint, motion_bytes};
use super::{PackError, PackedClip, measure, plan};
use crate::clip::{Clip, ClipSpace, Track};
use crate::skeleton::Skeleton;
use std::borrow::Cow;

/// What is left for `f32` arithmetic in the decoder.
const MARGIN: f64 = 0.997;
/// Parts of the bound that a joint may hand down, tried in turn.
const PASSED_ON: [f64; 3] = [0.38, 0.52, 0.68];
/// How often all is done again more carefully before tracks are kept as they were.
const TRIES: usize = 5;

/// How small, and measured how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackOptions {
    /// The largest displacement in object space, in the unit of the skeleton: a tenth of a millimetre by
    /// default, for skeletons in metres.
    pub max_error: f32,
    /// How far from a joint its points are, along each axis: three centimetres by default.
    pub shell: f32,
}

impl Default for PackOptions {
    fn default() -> Self {
        Self {
            max_error: 1e-4,
            shell: 0.03,
        }
    }
}

/// A packed clip and how it was got.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The clip.
    pub clip: PackedClip<'static>,
    /// What it took.
    pub report: PackReport,
}

/// What packing came to.
#[derive(Clone, Debug, PartialEq)]
pub struct PackReport {
    /// The motion chunk: tracks, ranges and times.
    pub motion_bytes: usize,
    /// The chunk of the skeleton and its names.
    pub skeleton_bytes: usize,
    /// The chunk of the clip's name, events, curves and morph weights.
    pub extras_bytes: usize,
    /// Forty bytes a joint a frame: translation, rotation and scale as they are.
    pub raw_bytes: usize,
    /// What was asked for.
    pub max_error: f32,
    /// What was measured; see [`super::object_space_error`]. At most `max_error`, unless that is below
    /// what `f32` can tell apart.
    pub measured_error: f32,
    /// Channels at rest, constant, packed, and kept as they were.
    pub channels: [usize; 4],
    /// Joints with a channel that was kept as it was.
    pub raw_joints: Vec<usize>,
}

/// Packs a clip for its skeleton: the smallest that strays by at most `options.max_error` anywhere.
///
/// Tracks that are not joined by straight lines or arcs (steps, cubics), whose keys stand on no regular
/// row of frames, or that the bound leaves no other choice for, are kept as they are.
pub fn pack(skeleton: &Skeleton, clip: &Clip, options: &PackOptions) -> Result<Packed, PackError> {
    check(skeleton, clip, options)?;
    let shell = f64::from(options.shell);
    let bound = f64::from(options.max_error);
    let mut encoder = Encoder::new(skeleton, clip, shell, bound);
    let mut careful = MARGIN;
    let mut tries = 0;
    loop {
        let is_lossy = plan::is_lossy(&encoder.plans, clip);
        let mut best: Option<(usize, Vec<CodedJoint>)> = None;
        for passed_on in PASSED_ON {
            let joints = encoder.encode(bound * careful, passed_on);
            let size = motion_bytes(&encoder.head(options, 0.0), &joints).len();
            if best.as_ref().is_none_or(|b| size < b.0) {
                best = Some((size, joints));
            }
            if !is_lossy {
                break;
            }
        }
        let joints = best.map(|b| b.1).unwrap_or_default();
        let mut packed = build(skeleton, clip, &encoder.head(options, 0.0), &joints)?;
        let (error, worst_joint) = measure::worst(skeleton, clip, &packed, options.shell);
        if error <= bound || !is_lossy {
            // Rounded up, so that what the file says holds.
            let error = error.min(f64::from(f32::MAX)) as f32;
            let measured = error.next_up().min(options.max_error.max(error));
            packed = build(skeleton, clip, &encoder.head(options, measured), &joints)?;
            let report = report(skeleton, &packed, &joints, options);
            return Ok(Packed {
                clip: packed,
                report,
            });
        }
        tries += 1;
        if tries < TRIES {
            careful *= (0.97 * bound / error).clamp(0.5, 0.97);
        } else {
            plan::keep_raw(&mut encoder.plans, clip, skeleton, worst_joint);
        }
    }
}

fn check(skeleton: &Skeleton, clip: &Clip, options: &PackOptions) -> Result<(), PackError> {
    for (what, found) in [("bound", options.max_error), ("shell", options.shell)] {
        if !(found > 0.0 && found.is_finite()) {
            return Err(PackError::NotALength { what, found });
        }
    }
    if clip.space == ClipSpace::Model {
        return Err(PackError::ModelSpace);
    }
    let joints = skeleton.len();
    for tracks in &clip.joints {
        let joint = tracks.joint;
        if joint >= joints {
            return Err(PackError::NoSuchJoint { joint, joints });
        }
        let channels = [
            (&tracks.translation, 3),
            (&tracks.rotation, 4),
            (&tracks.scale, 3),
        ];
        for (track, wanted) in channels {
            let found = track.as_ref().map_or(wanted, Track::width);
            if found != wanted {
                return Err(PackError::Width {
                    joint,
                    wanted,
                    found,
                });
            }
        }
    }
    Ok(())
}

fn build(
    skeleton: &Skeleton,
    clip: &Clip,
    head: &Head,
    joints: &[CodedJoint],
) -> Result<PackedClip<'static>, PackError> {
    let bytes = Cow::Owned(motion_bytes(head, joints));
    // Only counts over four gigabytes do not come back as they were written.
    let motion = Motion::from_bytes(bytes, 0, skeleton.rest()).map_err(|_| PackError::TooLarge)?;
    Ok(PackedClip::new(motion, Extras::of(clip)))
}

fn report(
    skeleton: &Skeleton,
    packed: &PackedClip<'_>,
    joints: &[CodedJoint],
    options: &PackOptions,
) -> PackReport {
    let mut extras = Vec::new();
    packed.extras.write(&mut extras);
    let mut channels = [0; 4];
    for kind in packed.motion.kinds.iter().flatten() {
        channels[*kind as usize] += 1;
    }
    let is_raw = |joint: &CodedJoint| {
        matches!(joint.translation, Coded::Raw(_))
            || matches!(joint.rotation, Coded::Raw(_))
            || matches!(joint.scale, Coded::Raw(_))
    };
    PackReport {
        motion_bytes: packed.motion_bytes(),
        skeleton_bytes: super::file::skeleton_bytes(skeleton).len()
            + super::limits::limit_bytes(skeleton).len(),
        extras_bytes: extras.len(),
        raw_bytes: 40 * joints.len() * packed.frames().max(1),
        max_error: options.max_error,
        measured_error: packed.measured_error(),
        channels,
        raw_joints: (0..joints.len()).filter(|&j| is_raw(&joints[j])).collect(),
    }
}
