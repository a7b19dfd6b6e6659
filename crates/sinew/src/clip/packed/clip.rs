use super::decode;
use super::motion::{Channel, Kind, Motion};
use super::read::extras::Extras;
use crate::clip::keyed::{Curve, Event, MorphTrack};
use crate::pose::{JointSet, LocalPose, PoseMismatch};
use sinew_math::dispatch;
use sinew_math::simd::Level;
use sinew_math::transform::Transform;

/// Compressed, immutable clip. Sampling takes the same time everywhere in the clip.
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
#[doc(alias = "compression")]
#[doc(alias = "compressed animation")]
pub struct PackedClip<'a> {
    pub(super) motion: Motion<'a>,
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

    pub(super) fn motions(&self) -> impl Iterator<Item = &Motion<'a>> {
        std::iter::once(&self.motion).chain(&self.finer)
    }

    /// Name of the clip.
    pub fn name(&self) -> &str {
        &self.extras.name
    }

    /// Events, ascending in time.
    pub fn events(&self) -> &[Event] {
        &self.extras.events
    }

    /// Continuous signals.
    pub fn curves(&self) -> &[Curve] {
        &self.extras.curves
    }

    /// Morph weights of mesh instances.
    pub fn morphs(&self) -> &[MorphTrack] {
        &self.extras.morphs
    }

    /// Number of joints.
    pub fn joints(&self) -> usize {
        self.motion.head.joints
    }

    /// Number of frames. Tracks with finer frames have a higher number.
    pub fn frames(&self) -> usize {
        self.motion.head.frames
    }

    /// Frames per second. Tracks with finer frames have a higher rate.
    pub fn frames_per_sec(&self) -> f64 {
        self.motion.head.frames_per_sec
    }

    /// Number of packed translation, rotation and scale tracks.
    pub fn packed_tracks(&self) -> [usize; 3] {
        let mut tracks = [0; 3];
        for kinds in self.motions().flat_map(|motion| &motion.kinds) {
            for (tracks, kind) in tracks.iter_mut().zip(kinds) {
                *tracks += usize::from(*kind == Kind::Packed);
            }
        }
        tracks
    }

    /// Duration in seconds.
    pub fn duration_secs(&self) -> f32 {
        self.motion.head.duration_secs
    }

    /// Size of the motion chunks in bytes.
    pub fn motion_bytes(&self) -> usize {
        self.motions().map(|m| m.bytes.len()).sum()
    }

    /// Max error that was requested, in units of the skeleton.
    pub fn max_error(&self) -> f32 {
        self.motion.head.max_error
    }

    /// Measured error, in units of the skeleton (`sinew_pack::object_space_error`).
    pub fn measured_error(&self) -> f32 {
        self.motion.head.measured_error
    }

    /// Shell distance at which the error was measured, in units of the skeleton.
    pub fn shell(&self) -> f32 {
        self.motion.head.shell
    }

    /// Same clip with its own copy of the bytes.
    pub fn into_owned(self) -> PackedClip<'static> {
        PackedClip {
            motion: self.motion.into_owned(),
            finer: self.finer.into_iter().map(Motion::into_owned).collect(),
            extras: self.extras,
            level: self.level,
        }
    }

    /// Same clip with another instruction set for sampling. The poses are the same.
    pub fn at_level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// Instruction set for sampling.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Writes the whole pose at a time in seconds, clamped to the clip. Allocates only if the
    /// number of joints of the pose changes.
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

    /// Writes only the joints in `mask`, at a time in seconds, clamped to the clip.
    ///
    /// # Errors
    /// If the pose or `mask` has another number of joints than the clip. The pose does not change.
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

    /// Local transform of one joint at a time in seconds, clamped to the clip.
    pub fn sample_joint(&self, joint: usize, time_secs: f64) -> Transform {
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
