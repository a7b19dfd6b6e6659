//! `mocap`: fits a body to markers.

use super::retarget::{Receiver, Retarget, mannequin};
use crate::error::StepError;
use serde::Deserialize;
use sinew::{Character, Skeleton};
use sinew_io::Import;
use sinew_rig::mocap::{Capture, Fit, MarkerSet, Progress, Trial};
use sinew_samples::mannequin::Mannequin;
use std::collections::HashSet;
use std::path::PathBuf;

/// Max root mean square distance of markers from the fitted body, in metres. A good fit is within the width of a hand.
const FARTHEST_M: f64 = 0.15;

/// Options of motion capture.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Mocap {
    /// The character to animate: `mannequin`, or a file with a character. If it does not have the joints of the marker
    /// set, the motion is found on the mannequin and retargeted, as by `sinew retarget`
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "CHARACTER", default_value = "mannequin")
    )]
    pub onto: PathBuf,
    /// A JSON file with the joint and position of each marker. Default: Plug-in Gait, and plates of four markers per
    /// segment
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub markers: Option<PathBuf>,
    /// A static trial: a C3D file in which the subject stands still. It gives the size of the subject
    #[serde(rename = "static")]
    #[cfg_attr(feature = "clap", arg(long = "static", value_name = "FILE"))]
    pub still: Option<PathBuf>,
    /// Make each bone of the left side as long as the same bone of the right side
    #[cfg_attr(feature = "clap", arg(long))]
    pub symmetric: bool,
}

impl Default for Mocap {
    fn default() -> Self {
        Self {
            onto: "mannequin".into(),
            markers: None,
            still: None,
            symmetric: false,
        }
    }
}

/// A character that gets the motion of markers, prepared once.
#[derive(Debug)]
pub struct Capturer {
    name: String,
    onto: Import,
    markers: MarkerSet,
    still: Option<Trial>,
    symmetric: bool,
}

/// A character with the motion of markers.
#[derive(Debug)]
pub struct Captured {
    /// The character, with one clip.
    pub import: Import,
    /// The fit.
    pub fit: Fit,
    /// True if the character has other joints than the marker set, so that the motion was retargeted.
    pub retargeted: bool,
}

/// The built-in character with empty hands, as if it were imported.
pub fn figure() -> Import {
    let figure = Mannequin {
        sword: false,
        ..Mannequin::default()
    };
    Import {
        character: figure.build(),
        ..mannequin()
    }
}

impl Mocap {
    /// Prepares the character. `markers` and `still` are the contents of the files that the options name.
    pub fn capturer(
        &self,
        onto: Import,
        markers: Option<MarkerSet>,
        still: Option<Trial>,
    ) -> Capturer {
        Capturer {
            name: self.onto.display().to_string(),
            onto,
            markers: markers.unwrap_or_else(MarkerSet::standard),
            still,
            symmetric: self.symmetric,
        }
    }
}

impl Capturer {
    /// Fits the body to a trial. `clip` is the name of the new clip. Adds a note for each remarkable fact.
    ///
    /// # Errors
    /// [`StepError`] if the body cannot be fitted, the markers are far from it, or the motion cannot be retargeted.
    pub fn run(
        &self,
        trial: &Trial,
        clip: Option<&str>,
        notes: &mut Vec<String>,
        watch: impl FnMut(Progress),
    ) -> Result<Captured, StepError> {
        let own = &self.onto.character.skeleton;
        let figure = match has_joints(own, &self.markers) {
            true => None,
            false => Some(figure().character.skeleton).filter(|it| has_joints(it, &self.markers)),
        };
        if let Some(figure) = &figure {
            let pairs = self.receiver().checked_pairs(figure, "the motion");
            pairs.map_err(by_hand)?;
        }
        let capture = Capture {
            still: self.still.as_ref(),
            symmetric: self.symmetric,
            ..Capture::new(figure.as_ref().unwrap_or(own), &self.markers, trial)
        };
        let fit = capture.fit(watch)?;
        if fit.report.rms_m > FARTHEST_M {
            return Err(StepError::Refused(format!(
                "the markers are {:.0} mm from their positions on a body of {:.0} % of the size of the template; the unit of the file (POINT:UNITS) is probably wrong, or the labels belong to another marker set",
                1e3 * fit.report.rms_m,
                100.0 * fit.report.size,
            )));
        }
        let clip = clip.unwrap_or(&fit.clip.name);
        let retargeted = figure.is_some();
        let import = match retargeted {
            true => self.retarget(&fit, clip, notes)?,
            false => self.put_on(&fit, clip)?,
        };
        Ok(Captured {
            import,
            fit,
            retargeted,
        })
    }

    fn put_on(&self, fit: &Fit, clip: &str) -> Result<Import, StepError> {
        let mut new = fit.onto(&self.onto.character.skeleton)?;
        clip.clone_into(&mut new.name);
        let mut import = self.onto.clone();
        import.character.clips = vec![new];
        import.character.layers.clear();
        Ok(import)
    }

    /// Retargets the motion from the subject, who has the joints of the mannequin.
    fn retarget(
        &self,
        fit: &Fit,
        clip: &str,
        notes: &mut Vec<String>,
    ) -> Result<Import, StepError> {
        notes.push(format!(
            "{} does not have the joints of the marker set: the motion is found on the mannequin and retargeted",
            self.name
        ));
        let mut subject = Character::from_skeleton(fit.skeleton.clone());
        subject.clips = vec![fit.clip.clone()];
        clip.clone_into(&mut subject.clips[0].name);
        let motion = Import {
            character: subject,
            ..mannequin()
        };
        let done = self.receiver().run(motion, clip, notes, &mut |_| {});
        Ok(done.map_err(by_hand)?.import)
    }

    fn receiver(&self) -> Receiver {
        let options = Retarget {
            onto: self.name.clone().into(),
            replace: true,
            ..Retarget::default()
        };
        options.receiver(self.onto.clone(), None)
    }
}

fn by_hand(error: StepError) -> StepError {
    StepError::Refused(format!(
        "{error}; to choose joints by hand, run `sinew mocap` onto the mannequin, then `sinew retarget` with --map"
    ))
}

/// True if the skeleton has at least half of the joints of the marker set.
fn has_joints(skeleton: &Skeleton, set: &MarkerSet) -> bool {
    let joints: HashSet<&str> = set.markers.iter().map(|m| m.joint.as_str()).collect();
    let known = joints.iter().filter(|name| skeleton.find(name).is_some());
    2 * known.count() >= joints.len()
}
