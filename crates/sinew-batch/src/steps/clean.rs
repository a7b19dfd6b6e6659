//! `clean`: cleans captured motion, and measures it before and after.

use crate::clips::chosen_clips;
use crate::error::StepError;
use crate::notation::{Scale, TimeRange};
use crate::units::motion_metres;
use serde::Deserialize;
use sinew::{Clip, Skeleton};
use sinew_io::{Import, leave_out_calibration};
use sinew_rig::clean::{CleanOptions, CleanReport, MotionError, clean};
use sinew_rig::motion::{MotionOptions, MotionReport, measure_motion};

/// Options of cleaning.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Clean {
    /// Clean only this clip, given by name or number. Default: all clips
    #[cfg_attr(feature = "clap", arg(long, value_name = "CLIP"))]
    pub clip: Option<String>,
    /// Keep a first frame that is a T pose for calibration
    #[cfg_attr(feature = "clap", arg(long))]
    pub keep_first: bool,
    /// Do not fill gaps, in which a joint keeps its value or has no keys
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_gaps: bool,
    /// Do not replace spikes
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_spikes: bool,
    /// Do not filter noise
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "cutoff"))]
    pub no_filter: bool,
    /// The cut-off of the filter in hertz. Default: found for each joint from its noise
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "HERTZ", allow_negative_numbers = true)
    )]
    pub cutoff: Option<f64>,
    /// Do not bring rotations within the limits of joints
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_limits: bool,
    /// Do not hold standing feet, and do not move the hips
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_feet: bool,
    /// The height of the floor in metres. Feet that stand lower are raised
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "HEIGHT",
            conflicts_with = "no_feet",
            allow_negative_numbers = true
        )
    )]
    pub floor: Option<f64>,
    /// Clean only between two times in seconds, like 0.5..2
    #[cfg_attr(feature = "clap", arg(long, value_name = "FROM..TO"))]
    pub range: Option<TimeRange>,
    /// Metres per unit of the file, such as 0.01 for centimetres, for measures and --floor. `auto` uses the unit that
    /// the file states, or one that makes the skeleton as tall as a person
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "FACTOR",
            default_value_t = Clean::default().scale,
            allow_negative_numbers = true
        )
    )]
    pub scale: Scale,
}

impl Default for Clean {
    fn default() -> Self {
        Self {
            clip: None,
            keep_first: false,
            no_gaps: false,
            no_spikes: false,
            no_filter: false,
            cutoff: None,
            no_limits: false,
            no_feet: false,
            floor: None,
            range: None,
            scale: Scale::Auto,
        }
    }
}

/// A clean clip.
#[derive(Debug)]
pub struct CleanClip {
    /// Index in the character.
    pub index: usize,
    /// Measures before.
    pub before: MotionReport,
    /// Measures after, with the clip before as reference.
    pub after: MotionReport,
    /// What each step did.
    pub steps: CleanReport,
}

/// What cleaning did.
#[derive(Debug)]
pub struct Cleaned {
    /// Clips that were cleaned, at least one.
    pub clips: Vec<CleanClip>,
    /// Clips whose first frame, a T pose for calibration, was left out.
    pub left_out: Vec<String>,
}

impl Clean {
    /// Options that exclude each other. The command line refuses them in its own words.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        match self {
            Self {
                no_filter: true,
                cutoff: Some(_),
                ..
            } => Err("`no-filter` leaves no use for `cutoff`; remove one of them"),
            Self {
                no_feet: true,
                floor: Some(_),
                ..
            } => Err("`no-feet` leaves no use for `floor`; remove one of them"),
            _ => Ok(()),
        }
    }

    /// Cleans the chosen clips of a character. `name` is the name of the file, for notes.
    ///
    /// # Errors
    /// [`StepError`] if no clip moves, or a clip or option is not valid.
    pub fn run(
        &self,
        import: &mut Import,
        name: &str,
        notes: &mut Vec<String>,
    ) -> Result<Cleaned, StepError> {
        if import.character.clips.is_empty() && self.clip.is_none() {
            return Err(StepError::NoClips(", so nothing moves".to_owned()));
        }
        let wanted = chosen_clips(import, self.clip.as_deref())?;
        let left_out = if self.keep_first {
            Vec::new()
        } else {
            leave_out_calibration(import, &wanted, None).0
        };
        notes.extend(left_out.iter().map(|clip| format!(
            "{name}: the first frame of clip \"{clip}\" is a T pose for calibration and is left out; --keep-first keeps it"
        )));
        let metres = motion_metres(self.scale, import);
        let character = &mut import.character;
        let mut clips = Vec::new();
        for index in wanted {
            let clip = &character.clips[index];
            match self.clean_one(&character.skeleton, clip, metres) {
                Ok((clip, done)) => {
                    character.clips[index] = clip;
                    // Layers correct the motion before.
                    character.layers.retain(|layers| layers.clip != index);
                    clips.push(CleanClip { index, ..done });
                }
                Err(MotionError::Still { .. }) if self.clip.is_none() => notes.push(format!(
                    "{name}: clip \"{}\" has fewer than two keys and is not changed",
                    clip.name
                )),
                Err(error) => return Err(error.into()),
            }
        }
        if clips.is_empty() {
            return Err(StepError::Still);
        }
        Ok(Cleaned { clips, left_out })
    }

    fn clean_one(
        &self,
        skeleton: &Skeleton,
        clip: &Clip,
        metres: f64,
    ) -> Result<(Clip, CleanClip), MotionError> {
        let floor = self.floor.map(|floor| floor / metres);
        let options = CleanOptions::new()
            .gaps(!self.no_gaps)
            .spikes(!self.no_spikes)
            .filter(!self.no_filter)
            .cutoff_hz(self.cutoff)
            .limits(!self.no_limits)
            .feet(!self.no_feet)
            .floor(floor)
            .range_secs(self.range.map(|range| range.0));
        let measures = MotionOptions::new().metres(Some(metres)).floor(floor);
        let before = measure_motion(skeleton, clip, None, &measures)?;
        let done = clean(skeleton, clip, &options)?;
        let after = measure_motion(skeleton, &done.clip, Some((skeleton, clip)), &measures)?;
        let clean = CleanClip {
            index: 0,
            before,
            after,
            steps: done.report,
        };
        Ok((done.clip, clean))
    }
}
