//! `measure --motion`: measures clips without a mesh.

use crate::clips::find_clip;
use crate::error::StepError;
use crate::notation::Scale;
use crate::units::motion_metres;
use serde::Deserialize;
use sinew_io::Import;
use sinew_rig::motion::{MotionOptions, MotionReport, measure_motion};

/// Options of measuring motion.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Measure {
    /// The clip, by name or number. Default: the first clip, or the rest pose if there is none
    #[cfg_attr(feature = "clap", arg(long, value_name = "CLIP"))]
    pub clip: Option<String>,
    /// Metres per unit of the file, such as 0.01 for centimetres. All lengths in the file are multiplied by this factor
    /// first; lengths in other options are in metres. `auto` uses the unit that the file states. If the file states none,
    /// `auto` uses a unit that makes the skeleton as tall as a person
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "FACTOR",
            default_value_t = Measure::default().scale,
            allow_negative_numbers = true
        )
    )]
    pub scale: Scale,
    /// Measure the motion instead of the deformation: slide of standing feet, floor, limits, jerk, speed. Needs no mesh.
    /// Every frame is measured. Without --scale, the unit is the one that makes the skeleton as tall as a person
    #[cfg_attr(
        feature = "clap",
        arg(long, conflicts_with_all = ["method", "fps", "fail_if"])
    )]
    pub motion: bool,
    /// With --motion: the height of the floor in metres. Default: found from standing feet
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "HEIGHT",
            requires = "motion",
            allow_negative_numbers = true
        )
    )]
    pub floor: Option<f64>,
}

impl Default for Measure {
    fn default() -> Self {
        Self {
            clip: None,
            scale: Scale::Factor(1.0),
            motion: false,
            floor: None,
        }
    }
}

impl Measure {
    /// Recipes measure motion only.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        if self.motion {
            Ok(())
        } else {
            Err("a recipe can measure motion only; add `motion = true`")
        }
    }

    /// Index of the clip to measure.
    ///
    /// # Errors
    /// [`StepError`] if there is no such clip.
    pub fn index(&self, import: &Import) -> Result<usize, StepError> {
        match &self.clip {
            Some(wanted) => Ok(find_clip(&import.character, wanted)?),
            None if import.character.clips.is_empty() => {
                Err(StepError::NoClips(", so nothing moves".to_owned()))
            }
            None => Ok(0),
        }
    }

    /// Measures the clip, and compares it with the same clip of a reference.
    ///
    /// # Errors
    /// [`StepError`] if there is no such clip, or it does not move.
    pub fn run(
        &self,
        import: &Import,
        reference: Option<&Import>,
    ) -> Result<(usize, MotionReport), StepError> {
        let index = self.index(import)?;
        let reference = match reference {
            Some(other) => Some((other, self.index(other)?)),
            None => None,
        };
        let reference =
            reference.map(|(other, at)| (&other.character.skeleton, &other.character.clips[at]));
        let metres = motion_metres(self.scale, import);
        let options = MotionOptions::new()
            .metres(Some(metres))
            .floor(self.floor.map(|floor| floor / metres));
        let character = &import.character;
        let clip = &character.clips[index];
        let found = measure_motion(&character.skeleton, clip, reference, &options)?;
        Ok((index, found))
    }
}
