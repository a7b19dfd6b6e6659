//! Clips packed small, at an error that was measured: `PackedClip`, its encoder and the `.sinew` file.
//!
//! A track is straight lines between knots of four bytes each, plus a residual of a few bits a frame whose
//! precision is chosen joint by joint. Joints are encoded parents first, each aiming to put itself right
//! on top of what its ancestors decoded to, so errors do not add up along a chain. Whatever cannot be
//! had within the bound that way is kept as it was. See [`pack`] and [`PackedFile`].

mod aim;
mod basis;
mod bytes;
mod code;
mod decode;
mod decoded;
mod encode;
mod extras;
mod file;
mod finite;
mod fit;
mod frames;
mod joints;
mod limits;
mod measure;
mod motion;
mod plan;
mod quantise;
mod rows;
mod scalar;
mod source;
mod vectors;
mod write;

pub use bytes::PackedError;
pub use encode::{PackOptions, PackReport, Packed, pack};
pub use file::PackedFile;
pub use measure::object_space_error;
pub use plan::Kept;

use super::{Clip, Curve, Event, Interpolation, JointTracks, MorphTrack, Track, TrackError};
use crate::pose::LocalPose;
use crate::simd::Level;
use crate::transform::Transform;
use extras::Extras;
use fearless_simd::dispatch;
use motion::{CHANNELS, Channel, Kind, Motion};
use std::borrow::Cow;
use std::sync::Arc;
use thiserror::Error;

/// Why a clip cannot be packed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PackError {
    /// A bound or shell that is no length.
    #[error("the {what} must be a length above 0, not {found}")]
    NotALength {
        /// Which option.
        what: &'static str,
        /// What was given.
        found: f32,
    },
    /// Keys hold `model_from_joint`.
    #[error("the clip is in model space; sample it into local transforms first")]
    ModelSpace,
    /// A track of a joint that the skeleton does not have.
    #[error("there is a track for joint {joint}, and the skeleton has {joints} joints")]
    NoSuchJoint {
        /// The track's joint.
        joint: usize,
        /// How many there are.
        joints: usize,
    },
    /// A track that does not have the width of what it drives.
    #[error("joint {joint}: a track has {found} numbers a key and not {wanted}")]
    Width {
        /// The track's joint.
        joint: usize,
        /// What the channel needs.
        wanted: usize,
        /// What the track has.
        found: usize,
    },
    /// Clip and skeleton differ.
    #[error("the clip was packed for {found} joints, and the skeleton has {wanted}")]
    Joints {
        /// Joints of the skeleton.
        wanted: usize,
        /// Joints of the clip.
        found: usize,
    },
    /// A bound that the clip's own numbers are too coarse for.
    #[error(
        "the bound of {asked} is finer than the clip's own numbers: as it is, it is within {reached}; ask for no less than that"
    )]
    TooFine {
        /// The bound.
        asked: f32,
        /// What it comes to with every track as it is.
        reached: f32,
    },
    /// Numbers so large that what lies between keys is none.
    #[error(
        "joint {joint}: the numbers of a track are so large that it is not finite between keys; scale the clip down"
    )]
    NotFinite {
        /// The track's joint.
        joint: usize,
    },
    /// More than four gigabytes.
    #[error("the clip does not fit into a file of four gigabytes; split it")]
    TooLarge,
}

/// A clip that is small, immutable and sampled from any time alike.
///
/// ```
/// use sinew::clip::packed::{PackOptions, PackedFile, pack};
/// use sinew::{LocalPose, examples};
/// let character = examples::humanoid_character();
/// let (skeleton, clip) = (&character.skeleton, &character.clips[0]);
/// let packed = pack(skeleton, clip, &PackOptions::default())?;
/// assert!(packed.report.measured_error <= 1e-4);
///
/// let bytes = PackedFile::to_bytes(skeleton, &[&packed.clip])?;
/// let file = PackedFile::from_bytes(&bytes)?;
/// let mut pose = LocalPose::identity(file.skeleton.len());
/// file.clips[0].sample(0.3, &mut pose);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PackedClip<'a> {
    motion: Motion<'a>,
    extras: Extras,
    level: Level,
}

impl<'a> PackedClip<'a> {
    fn new(motion: Motion<'a>, extras: Extras) -> Self {
        Self {
            motion,
            extras,
            level: Level::best(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.extras.name
    }

    /// Discrete signals, ascending in time.
    pub fn events(&self) -> &[Event] {
        &self.extras.events
    }

    /// Continuous extra channels.
    pub fn curves(&self) -> &[Curve] {
        &self.extras.curves
    }

    /// Morph weights.
    pub fn morphs(&self) -> &[MorphTrack] {
        &self.extras.morphs
    }

    /// How many joints it poses.
    pub fn joints(&self) -> usize {
        self.motion.head.joints
    }

    /// How many frames the packed tracks have.
    pub fn frames(&self) -> usize {
        self.motion.head.frames
    }

    /// Frames a second.
    pub fn frames_per_sec(&self) -> f64 {
        self.motion.head.frames_per_sec
    }

    /// How long it lasts.
    pub fn duration_secs(&self) -> f32 {
        self.motion.head.duration_secs
    }

    /// What it takes: the motion chunk.
    pub fn motion_bytes(&self) -> usize {
        self.motion.bytes.len()
    }

    /// The error that was asked for, in the unit of the skeleton.
    pub fn max_error(&self) -> f32 {
        self.motion.head.max_error
    }

    /// The error that was measured when it was packed; see [`object_space_error`].
    pub fn measured_error(&self) -> f32 {
        self.motion.head.measured_error
    }

    /// How far from the joints the error was measured.
    pub fn shell(&self) -> f32 {
        self.motion.head.shell
    }

    /// The same clip without a borrow.
    pub fn into_owned(self) -> PackedClip<'static> {
        let Self {
            motion,
            extras,
            level,
        } = self;
        PackedClip {
            motion: Motion {
                bytes: Cow::Owned(motion.bytes.into_owned()),
                head: motion.head,
                kinds: motion.kinds,
                still: motion.still,
                rotation_tracks: motion.rotation_tracks,
                blocks: motion.blocks,
                vectors: motion.vectors,
                last_intervals: motion.last_intervals,
                segments: motion.segments,
                codes_at: motion.codes_at,
                places: motion.places,
                raw: motion.raw,
            },
            extras,
            level,
        }
    }

    /// The same clip, sampled on another instruction set: the same bits, at another speed.
    pub fn at_level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// The instruction set that it is sampled on.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Writes the whole pose at a time. A time outside the clip gives its nearest end; loops are the
    /// player's business.
    ///
    /// A pose of another size is made to fit; otherwise nothing is allocated.
    pub fn sample(&self, time_secs: f64, pose: &mut LocalPose) {
        pose.copy_from(&self.motion.still);
        let (motion, level) = (&self.motion, self.level.0);
        dispatch!(level, simd => decode::pose(simd, motion, time_secs, None, pose));
        for raw in &self.motion.raw {
            raw.sample(time_secs, pose);
        }
    }

    /// Writes the joints that `mask` says, at a time; the others are left as they are. Pose and mask
    /// must have the clip's joints.
    pub fn sample_masked(&self, time_secs: f64, mask: &[bool], pose: &mut LocalPose) {
        assert_eq!(mask.len(), self.joints(), "mask and clip differ");
        assert_eq!(pose.len(), self.joints(), "pose and clip differ");
        for joint in (0..mask.len()).filter(|&j| mask[j]) {
            pose.set(joint, self.motion.still.get(joint));
        }
        let (motion, level) = (&self.motion, self.level.0);
        dispatch!(level, simd => decode::pose(simd, motion, time_secs, Some(mask), pose));
        for raw in self.motion.raw.iter().filter(|r| mask[r.joint]) {
            raw.sample(time_secs, pose);
        }
    }

    /// One joint at a time.
    pub fn sample_joint(&self, time_secs: f64, joint: usize) -> Transform {
        let motion = &self.motion;
        let mut local = motion.still.get(joint);
        let [translation, rotation, scale] = motion.kinds[joint].map(|k| k == Kind::Packed);
        let vector = |channel| scalar::vector_of(motion, time_secs, joint, channel);
        if let Some(found) = translation.then(|| vector(Channel::Translation)).flatten() {
            local.translation = found;
        }
        if let Some(found) = rotation
            .then(|| scalar::rotation(motion, time_secs, joint))
            .flatten()
        {
            local.rotation = found;
        }
        if let Some(found) = scale.then(|| vector(Channel::Scale)).flatten() {
            local.scale = found;
        }
        for raw in motion.raw.iter().filter(|r| r.joint == joint) {
            match raw.channel {
                Channel::Translation => local.translation = raw.track.sample_vector(time_secs),
                Channel::Rotation => local.rotation = raw.track.sample_rotation(time_secs),
                Channel::Scale => local.scale = raw.track.sample_vector(time_secs),
            }
        }
        local
    }

    /// The times of its frames, if it has packed tracks.
    fn frame_times(&self) -> Vec<f32> {
        let head = &self.motion.head;
        let time = |frame: usize| head.start_secs + frame as f64 / head.frames_per_sec;
        let frames = if self.motion.segments.is_empty() {
            0
        } else {
            head.frames
        };
        (0..frames).map(|f| time(f) as f32).collect()
    }

    /// A clip to edit: a key a frame for packed tracks, one for constants, the others as they were. It is within the stated
    /// error, too.
    pub fn unpack(&self) -> Result<Clip, TrackError> {
        let motion = &self.motion;
        let mut clip = Clip::new(self.name());
        clip.events.clone_from(&self.extras.events);
        clip.curves.clone_from(&self.extras.curves);
        clip.morphs.clone_from(&self.extras.morphs);
        clip.duration_secs = self.duration_secs();
        let head = &motion.head;
        let time = |frame: usize| head.start_secs + frame as f64 / head.frames_per_sec;
        let times = Arc::new(self.frame_times());
        // Only what moves is written down for every frame.
        let of_kind = |wanted: Kind| {
            let joints = motion.kinds.iter().enumerate();
            joints.flat_map(move |(joint, kinds)| {
                let channels = CHANNELS.into_iter().zip(*kinds);
                let channels = channels.filter(move |c| c.1 == wanted);
                channels.map(move |c| (joint, c.0))
            })
        };
        let mut packed: Vec<_> = of_kind(Kind::Packed).map(|c| (c, Vec::new())).collect();
        let mut pose = motion.still.clone();
        for frame in 0..times.len() {
            self.sample(time(frame), &mut pose);
            for ((joint, channel), values) in &mut packed {
                channel.put(&pose.get(*joint), values);
            }
        }
        for ((joint, channel), values) in packed {
            let track = channel.track(times.clone(), values)?;
            *channel.slot(clip.joint_mut(joint)) = Some(track);
        }
        let at_start = Arc::new(vec![0.0]);
        for (joint, channel) in of_kind(Kind::Constant) {
            let mut values = Vec::new();
            channel.put(&motion.still.get(joint), &mut values);
            let track = channel.track(at_start.clone(), values)?;
            *channel.slot(clip.joint_mut(joint)) = Some(track);
        }
        for raw in &motion.raw {
            *raw.channel.slot(clip.joint_mut(raw.joint)) = Some(raw.track.clone());
        }
        // Rounded, or as a file has it, the last key can be past what the file says.
        let declared = clip.duration_secs;
        clip.fit_duration();
        clip.duration_secs = clip.duration_secs.max(declared);
        Ok(clip)
    }
}

impl Channel {
    /// This channel of a transform, as numbers.
    fn put(self, transform: &Transform, values: &mut Vec<f32>) {
        match self {
            Self::Translation => values.extend(transform.translation.to_array()),
            Self::Rotation => values.extend(transform.rotation.to_array()),
            Self::Scale => values.extend(transform.scale.to_array()),
        }
    }

    fn track(self, times: Arc<Vec<f32>>, values: Vec<f32>) -> Result<Track, TrackError> {
        match self {
            Self::Rotation => Track::new(times, values, 4, Interpolation::Slerp),
            _ => Track::new(times, values, 3, Interpolation::Linear),
        }
    }

    fn slot(self, tracks: &mut JointTracks) -> &mut Option<Track> {
        match self {
            Self::Translation => &mut tracks.translation,
            Self::Rotation => &mut tracks.rotation,
            Self::Scale => &mut tracks.scale,
        }
    }
}

impl motion::RawTrack {
    fn sample(&self, time_secs: f64, pose: &mut LocalPose) {
        match self.channel {
            Channel::Translation => {
                pose.set_translation(self.joint, self.track.sample_vector(time_secs))
            }
            Channel::Rotation => {
                pose.set_rotation(self.joint, self.track.sample_rotation(time_secs))
            }
            Channel::Scale => pose.set_scale(self.joint, self.track.sample_vector(time_secs)),
        }
    }
}
