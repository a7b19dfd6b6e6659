//! A packed clip: what it says of itself, and its poses.

use super::decode;
use super::motion::{Channel, Kind, Motion};
use super::read::extras::Extras;
use crate::clip::keyed::{Curve, Event, MorphTrack};
use crate::pose::{JointSet, LocalPose, PoseMismatch};
use sinew_math::dispatch;
use sinew_math::simd::Level;
use sinew_math::transform::Transform;

/// A clip that is small, immutable and sampled from any time alike.
///
/// ```
/// use sinew::LocalPose;
/// use sinew::clip::packed::PackedFile;
/// use sinew_pack::{PackOptions, pack, file_bytes};
/// let character = sinew_samples::humanoid_character();
/// let (skeleton, clip) = (&character.skeleton, &character.clips[0]);
/// let packed = pack(skeleton, clip, &PackOptions::default())?;
/// assert!(packed.report.measured_error <= 1e-4);
///
/// let bytes = file_bytes(skeleton, &[&packed.clip])?;
/// let file = PackedFile::from_bytes(&bytes)?;
/// let mut pose = LocalPose::identity(file.skeleton.len());
/// file.clips[0].sample(0.3, &mut pose);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PackedClip<'a> {
    pub(super) motion: Motion<'a>,
    /// Tracks at finer frames; most clips have none.
    pub(super) finer: Vec<Motion<'a>>,
    pub(super) extras: Extras,
    level: Level,
}

impl<'a> PackedClip<'a> {
    pub(super) fn new(motion: Motion<'a>, extras: Extras) -> Self {
        Self {
            motion,
            finer: Vec::new(),
            extras,
            level: Level::best(),
        }
    }

    /// The main motion, then those with finer frames.
    pub(super) fn motions(&self) -> impl Iterator<Item = &Motion<'a>> {
        std::iter::once(&self.motion).chain(&self.finer)
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

    /// The number of joints that it poses.
    pub fn joints(&self) -> usize {
        self.motion.head.joints
    }

    /// The number of frames of the packed tracks, but for those at finer ones.
    pub fn frames(&self) -> usize {
        self.motion.head.frames
    }

    /// The rate of these frames.
    pub fn frames_per_sec(&self) -> f64 {
        self.motion.head.frames_per_sec
    }

    /// The numbers of translations, rotations and scales that move from frame to frame, which a pose is decoded from.
    pub fn packed_tracks(&self) -> [usize; 3] {
        let mut tracks = [0; 3];
        for kinds in self.motions().flat_map(|motion| &motion.kinds) {
            for (tracks, kind) in tracks.iter_mut().zip(kinds) {
                *tracks += usize::from(*kind == Kind::Packed);
            }
        }
        tracks
    }

    /// Its length.
    pub fn duration_secs(&self) -> f32 {
        self.motion.head.duration_secs
    }

    /// Its size in bytes: the motion chunk, and those of finer frames.
    pub fn motion_bytes(&self) -> usize {
        self.motions().map(|m| m.bytes.len()).sum()
    }

    /// The error that was asked for, in the unit of the skeleton.
    pub fn max_error(&self) -> f32 {
        self.motion.head.max_error
    }

    /// The error that was measured when it was packed; see `sinew_pack::object_space_error`.
    pub fn measured_error(&self) -> f32 {
        self.motion.head.measured_error
    }

    /// The distance from the joints at which the error was measured.
    pub fn shell(&self) -> f32 {
        self.motion.head.shell
    }

    /// The same clip without a borrow.
    pub fn into_owned(self) -> PackedClip<'static> {
        PackedClip {
            motion: self.motion.into_owned(),
            finer: self.finer.into_iter().map(Motion::into_owned).collect(),
            extras: self.extras,
            level: self.level,
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
        let level = self.level;
        for motion in self.motions() {
            dispatch!(level, simd => decode::pose(simd, motion, time_secs, None, pose));
        }
        for raw in &self.motion.raw {
            raw.sample(time_secs, pose);
        }
    }

    /// Writes the joints that are in `mask`, at a time; the others are left as they are. Pose and mask
    /// must have the clip's joints.
    ///
    /// # Errors
    /// When one of them has not; nothing is changed then.
    pub fn sample_masked(
        &self,
        time_secs: f64,
        mask: &JointSet,
        pose: &mut LocalPose,
    ) -> Result<(), PoseMismatch> {
        PoseMismatch::check(mask.joints(), self.joints())?;
        PoseMismatch::check(pose.len(), self.joints())?;
        mask.copy(self.motion.still.blocks(), pose.blocks_mut());
        let level = self.level;
        for motion in self.motions() {
            dispatch!(level, simd => decode::pose(simd, motion, time_secs, Some(mask), pose));
        }
        for raw in self.motion.raw.iter().filter(|r| mask.contains(r.joint)) {
            raw.sample(time_secs, pose);
        }
        Ok(())
    }

    /// One joint at a time.
    pub fn sample_joint(&self, time_secs: f64, joint: usize) -> Transform {
        let mut local = self.motion.still.get(joint);
        for motion in self.motions() {
            let [translation, rotation, scale] = motion.kinds[joint].map(|k| k == Kind::Packed);
            let vector = |channel| decode::vector(motion, time_secs, joint, channel);
            if let Some(found) = translation.then(|| vector(Channel::Translation)).flatten() {
                local.translation = found;
            }
            if let Some(found) = rotation
                .then(|| decode::rotation(motion, time_secs, joint))
                .flatten()
            {
                local.rotation = found;
            }
            if let Some(found) = scale.then(|| vector(Channel::Scale)).flatten() {
                local.scale = found;
            }
        }
        for raw in self.motion.raw.iter().filter(|r| r.joint == joint) {
            raw.sample_onto(time_secs, &mut local);
        }
        local
    }
}
