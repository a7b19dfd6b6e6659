use super::error::BatchError;
use crate::pose::{BLOCK, LocalPose};
use glam::{Quat, Vec3};
use sinew_math::transform::quat;

/// Number of rotations that are tested at once.
const CHUNK: usize = 64;

/// Translations of [`Frames`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Translations<'a> {
    /// Translations of the rest pose.
    #[default]
    Rest,
    /// Translation of the root in each frame. Other joints are at rest.
    Root(&'a [[f32; 3]]),
    /// Translation of every joint in each frame.
    All(&'a [[f32; 3]]),
}

/// Local poses of many frames, as arrays of the caller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frames<'a> {
    /// Unit quaternion x, y, z, w of every joint in each frame.
    pub rotations: &'a [[f32; 4]],
    /// Translations.
    pub translations: Translations<'a>,
    /// Scale of every joint in each frame. `None` keeps the scales of the rest pose.
    pub scales: Option<&'a [[f32; 3]]>,
}

impl<'a> Frames<'a> {
    /// Frames with translations and scales of the rest pose.
    pub fn new(rotations: &'a [[f32; 4]]) -> Self {
        Self {
            rotations,
            translations: Translations::Rest,
            scales: None,
        }
    }

    /// Sets the translations.
    #[must_use]
    pub fn translations(self, translations: Translations<'a>) -> Self {
        Self {
            translations,
            ..self
        }
    }

    /// Number of frames of a skeleton with so many joints.
    ///
    /// # Errors
    /// If the arrays do not fit the skeleton or each other.
    pub fn count(&self, joints: usize) -> Result<usize, BatchError> {
        let found = self.rotations.len();
        if joints == 0 || !found.is_multiple_of(joints) {
            let what = "rotations";
            return Err(BatchError::Ragged {
                what,
                found,
                joints,
            });
        }
        let (frames, every) = (found / joints, "frames × joints");
        match self.translations {
            Translations::Rest => {}
            Translations::Root(root) => {
                BatchError::check("translations", root.len(), frames, "one per frame")?;
            }
            Translations::All(all) => {
                BatchError::check("translations", all.len(), found, every)?;
            }
        }
        if let Some(scales) = self.scales {
            BatchError::check("scales", scales.len(), found, every)?;
        }
        Ok(frames)
    }

    /// Number of frames, if all rotations are unit quaternions, too.
    pub(super) fn checked(&self, joints: usize) -> Result<usize, BatchError> {
        let frames = self.count(joints)?;
        let is_off = |q: &[f32; 4]| !quat::is_unit(Quat::from_array(*q));
        for (number, chunk) in self.rotations.chunks(CHUNK).enumerate() {
            // No branch within a chunk, so that vectors of quaternions are tested at once.
            if chunk.iter().fold(false, |any, q| any | is_off(q)) {
                let within = chunk.iter().position(is_off).unwrap_or(0);
                let index = number * CHUNK + within;
                return Err(BatchError::NotUnit { index });
            }
        }
        Ok(frames)
    }

    /// Overwrites the channels of a frame that have arrays. [`Frames::count`] must have passed.
    pub(super) fn write(&self, frame: usize, pose: &mut LocalPose) {
        let joints = pose.len();
        let range = frame * joints..(frame + 1) * joints;
        let rotations = self.rotations[range.clone()].chunks(BLOCK);
        for (block, rotations) in pose.blocks_mut().iter_mut().zip(rotations) {
            spread(rotations, &mut block.rotation);
        }
        match self.translations {
            Translations::Rest => {}
            Translations::Root(root) => pose.set_translation(0, Vec3::from_array(root[frame])),
            Translations::All(all) => {
                let blocks = pose.blocks_mut().iter_mut();
                for (block, values) in blocks.zip(all[range.clone()].chunks(BLOCK)) {
                    spread(values, &mut block.translation);
                }
            }
        }
        if let Some(scales) = self.scales {
            let blocks = pose.blocks_mut().iter_mut();
            for (block, values) in blocks.zip(scales[range].chunks(BLOCK)) {
                spread(values, &mut block.scale);
            }
        }
    }
}

/// One element per joint, to one row per component.
fn spread<const N: usize>(values: &[[f32; N]], rows: &mut [[f32; BLOCK]; N]) {
    // A constant length lets the compiler unroll full blocks.
    if let Ok(values) = <&[[f32; N]; BLOCK]>::try_from(values) {
        for (lane, value) in values.iter().enumerate() {
            for c in 0..N {
                rows[c][lane] = value[c];
            }
        }
        return;
    }
    for (lane, value) in values.iter().enumerate() {
        for c in 0..N {
            rows[c][lane] = value[c];
        }
    }
}

/// One row per component, to one element per joint.
pub(super) fn gather<const N: usize>(rows: &[[f32; BLOCK]; N], values: &mut [[f32; N]]) {
    if let Ok(values) = <&mut [[f32; N]; BLOCK]>::try_from(&mut *values) {
        for (lane, value) in values.iter_mut().enumerate() {
            for c in 0..N {
                value[c] = rows[c][lane];
            }
        }
        return;
    }
    for (lane, value) in values.iter_mut().enumerate() {
        for c in 0..N {
            value[c] = rows[c][lane];
        }
    }
}
