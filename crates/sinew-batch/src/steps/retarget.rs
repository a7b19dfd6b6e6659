//! `retarget`: transfers motions to another character.

use crate::clips::{chosen_clips, free_name, times_outside};
use crate::error::StepError;
use crate::notation::{Scale, some_seconds};
use crate::units;
use serde::Deserialize;
use sinew::{Character, Clip, Skeleton};
use sinew_io::{FileReport, Import, leave_out_calibration};
use sinew_rig::retarget::{
    NameMap, Pair, RetargetOptions, RetargetReport, Retargeter, Stance, check_limbs,
    names_of_pairs, pair_joints, pairs_from_names, stance_of,
};
use sinew_samples::mannequin::Mannequin;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Options of retargeting.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Retarget {
    /// The character that receives the motion: a file, or `mannequin` for the built-in character
    #[cfg_attr(feature = "clap", arg(long, value_name = "CHARACTER"))]
    pub onto: PathBuf,
    /// Retarget only this clip, given by name or number. Default: all clips
    #[cfg_attr(feature = "clap", arg(long, value_name = "CLIP"))]
    pub clip: Option<String>,
    /// A JSON file with the joint map: {"source joint": "target joint" or null, …}. Source joints belong to the motion,
    /// target joints to the character. Default: joints are paired by name
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub map: Option<PathBuf>,
    /// Continue even if most arm and leg joints of the motion have no counterpart. With --map this is not checked
    #[cfg_attr(feature = "clap", arg(long))]
    pub partial: bool,
    /// Remove the clips that the character already has. Otherwise the new clips are added after them
    #[cfg_attr(feature = "clap", arg(long))]
    pub replace: bool,
    /// Do not lock the feet to the ground; they may slide
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_feet: bool,
    /// Move each hand to its position in the motion, measured from the shoulder in arm lengths, within the limits of
    /// joints. Otherwise hands follow the rotations of the arms
    #[cfg_attr(feature = "clap", arg(long))]
    pub hands: bool,
    /// The factor from lengths of the motion to lengths of the character. Default: the ratio of hip heights. `auto`
    /// uses the units of both files, so that a metre stays a metre
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FACTOR", allow_negative_numbers = true)
    )]
    pub scale: Option<Scale>,
    /// The time whose pose is used as the rest pose of the motion, such as 0 for a T pose in the first frame. Needed if
    /// the rest pose of the file is not a standing pose
    #[serde(deserialize_with = "some_seconds")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "SECONDS", value_parser = crate::notation::seconds, allow_negative_numbers = true)
    )]
    pub rest_time: Option<f64>,
    /// Keep the first frame even if it is a T pose for calibration, as in the CMU captures. Default: leave it out
    #[cfg_attr(feature = "clap", arg(long))]
    pub keep_first: bool,
}

/// A character that receives motions, prepared once.
#[derive(Debug)]
pub struct Receiver {
    options: Retarget,
    onto: Import,
    map: Option<NameMap>,
}

/// A character with retargeted clips.
#[derive(Debug)]
pub struct Retargeted {
    /// The character.
    pub import: Import,
    /// Index and report of each new clip, at least one.
    pub reports: Vec<(usize, RetargetReport)>,
    /// Legs that motion and character stand on.
    pub stances: [Option<Stance>; 2],
    /// Clips whose first frame, a T pose for calibration, was left out.
    pub left_out: Vec<String>,
}

/// The built-in character, as if it were imported. It is computed only once.
pub fn mannequin() -> Import {
    static MADE: OnceLock<Character> = OnceLock::new();
    let made = MADE.get_or_init(|| Mannequin::default().build());
    Import {
        character: made.clone(),
        report: FileReport::default(),
        source: None,
        exporter: None,
        format: None,
        avatar: None,
    }
}

/// Reads a joint map from JSON. `name` is the name of the file, for the error.
///
/// # Errors
/// [`StepError::Refused`] with the expected form.
pub fn read_map(text: &[u8], name: &str) -> Result<NameMap, StepError> {
    serde_json::from_slice(text).map_err(|error| {
        let wanted = "{\"source joint\": \"target joint\", \"other\": null}";
        StepError::Refused(format!(
            "{name}: a joint map is JSON such as {wanted}: {error}"
        ))
    })
}

impl Retarget {
    /// Prepares the character that receives motions. `map` is the content of the file of [`Retarget::map`].
    pub fn receiver(&self, onto: Import, map: Option<NameMap>) -> Receiver {
        Receiver {
            options: self.clone(),
            onto,
            map,
        }
    }
}

impl Receiver {
    /// Pairs the joints of a motion, named `name`, with those of the character: by the map, or by name.
    fn pairs(&self, source: &Skeleton, name: &str) -> Result<Vec<Pair>, StepError> {
        let target = &self.onto.character.skeleton;
        let onto = self.options.onto.display();
        let (pairs, what) = match (&self.map, &self.options.map) {
            (Some(map), path) => {
                let path = path.as_ref().map(|path| path.display().to_string());
                let pairs = pairs_from_names(source, target, map);
                (pairs, path.unwrap_or_default())
            }
            (None, _) => {
                let what = format!("{name} onto {onto}, without --map");
                (pair_joints(source, target), what)
            }
        };
        pairs.map_err(|cause| StepError::Pairs {
            what,
            cause,
            way_out: "",
        })
    }

    /// The joint map of a motion, named `name`, as [`read_map`] reads it.
    ///
    /// # Errors
    /// [`StepError::Pairs`] if joints are unknown.
    pub fn map(&self, source: &Skeleton, name: &str) -> Result<NameMap, StepError> {
        let pairs = self.pairs(source, name)?;
        Ok(names_of_pairs(
            source,
            &self.onto.character.skeleton,
            &pairs,
        ))
    }

    /// Retargets the chosen clips of a motion, named `name`. Reports the completed fraction, in [0, 1], to `watch`.
    ///
    /// # Errors
    /// [`StepError`] if there is no clip, joints cannot be paired, or an option is not valid.
    pub fn run(
        &self,
        mut motion: Import,
        name: &str,
        notes: &mut Vec<String>,
        watch: &mut dyn FnMut(f32),
    ) -> Result<Retargeted, StepError> {
        let clips = self.clips(&motion)?;
        self.swapped(notes);
        let scale = self.scale(&motion, name, notes);
        let times = self.options.rest_time.as_slice();
        for &clip in &clips {
            notes.extend(times_outside(&motion.character.clips[clip], times));
        }
        let target = &self.onto.character.skeleton;
        let stances = [&motion.character.skeleton, target].map(stance_of);
        notes.extend(self.legs_differ(name, stances));
        let mut options = RetargetOptions::default()
            .feet(!self.options.no_feet)
            .hands(self.options.hands)
            .scale(scale)
            .rest_secs(self.options.rest_time);
        let mut left_out = Vec::new();
        if !self.options.keep_first {
            (left_out, options.rest_secs) =
                leave_out_calibration(&mut motion, &clips, options.rest_secs);
        }
        notes.extend(left_out.iter().map(|clip| format!(
            "{name}: the first frame of clip \"{clip}\" is a T pose for calibration and is left out; --keep-first keeps it"
        )));
        let from = &motion.character;
        let pairs = self.checked_pairs(&from.skeleton, name)?;
        let retargeter = Retargeter::new(&from.skeleton, target, &pairs, &options)?;
        let mut done = Vec::new();
        for (nth, &clip) in clips.iter().enumerate() {
            let clip = &from.clips[clip];
            let mut part = |part: f32| watch((nth as f32 + part) / clips.len() as f32);
            let one = retargeter.retarget_watched(clip, &mut part);
            let one = one.map_err(|error| StepError::from(error).of_clip(&clip.name))?;
            done.push((one.clip, one.report));
        }
        let mut import = self.onto.clone();
        let reports = add(&mut import.character, done, self.options.replace);
        Ok(Retargeted {
            import,
            reports,
            stances,
            left_out,
        })
    }

    fn clips(&self, motion: &Import) -> Result<Vec<usize>, StepError> {
        if motion.character.clips.is_empty() {
            let swapped = match self.onto.character.clips.len() {
                0 => "",
                _ => {
                    "; the character has clips: if you swapped the two files, give the motion first and the \
                     character after --onto"
                }
            };
            return Err(StepError::NoClips(format!(" to retarget{swapped}")));
        }
        Ok(chosen_clips(motion, self.options.clip.as_deref())?)
    }

    fn swapped(&self, notes: &mut Vec<String>) {
        if self.onto.character.meshes.is_empty() {
            notes.push(format!(
                "{} has no mesh, so it will not be visible; if it is the motion, give it first and the character after --onto",
                self.options.onto.display()
            ));
        }
    }

    fn legs_differ(&self, motion: &str, stances: [Option<Stance>; 2]) -> Option<String> {
        let onto = self.options.onto.display().to_string();
        let motion = motion.to_owned();
        let (four, two) = match stances {
            [Some(Stance::FourLegs), Some(Stance::TwoLegs)] => (motion, onto),
            [Some(Stance::TwoLegs), Some(Stance::FourLegs)] => (onto, motion),
            _ => return None,
        };
        Some(format!(
            "{four} stands on four legs and {two} on two: arms are paired with front legs, and the gait is not adapted"
        ))
    }

    /// Scale that the user requests from motion to character. Adds a note for each file that is probably not in metres.
    fn scale(&self, motion: &Import, name: &str, notes: &mut Vec<String>) -> Option<f32> {
        let onto = self.options.onto.display().to_string();
        let both = [(motion, name), (&self.onto, &*onto)];
        match self.options.scale {
            Some(Scale::Auto) => {
                let [motion, onto] = both.map(|(import, name)| {
                    let (metres, note) = units::metres(Scale::Auto, import, name);
                    notes.extend(note);
                    metres
                });
                Some((motion / onto) as f32)
            }
            Some(Scale::Factor(factor)) => Some(factor as f32),
            None => {
                let whats = [
                    "the path of the hips is scaled by the hip height, so no option is needed",
                    "the output has the same unit; `sinew convert --scale auto` converts it to metres",
                ];
                for ((import, name), what) in both.into_iter().zip(whats) {
                    notes.extend(units::doubt_and(import, name, what));
                }
                None
            }
        }
    }

    /// Pairs joints, and refuses pairs without most arm and leg joints.
    pub(super) fn checked_pairs(
        &self,
        source: &Skeleton,
        name: &str,
    ) -> Result<Vec<Pair>, StepError> {
        let pairs = self.pairs(source, name)?;
        if !self.options.partial && self.map.is_none() {
            check_limbs(source, &self.onto.character.skeleton, &pairs).map_err(|cause| {
                StepError::Pairs {
                    what: format!("{name} onto {}", self.options.onto.display()),
                    cause,
                    way_out: " (--write-map FILE writes a map to edit, --map FILE reads it; or add --partial)",
                }
            })?;
        }
        Ok(pairs)
    }
}

/// Adds clips under unused names.
fn add(
    onto: &mut Character,
    retargeted: Vec<(Clip, RetargetReport)>,
    replace: bool,
) -> Vec<(usize, RetargetReport)> {
    if replace {
        onto.clips.clear();
        onto.layers.clear();
    }
    let own = onto.clips.len();
    let mut reports = Vec::new();
    for (mut clip, report) in retargeted {
        clip.name = free_name(&clip.name, &onto.clips[..own]);
        reports.push((onto.clips.len(), report));
        onto.clips.push(clip);
    }
    reports
}
