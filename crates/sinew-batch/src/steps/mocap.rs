//! `mocap`: fits a body to markers.

use crate::error::StepError;
use serde::Deserialize;
use sinew_io::Import;
use sinew_rig::mocap::{Capture, Fit, MarkerSet, Progress, Trial};
use std::path::PathBuf;

/// Max root mean square distance of markers from the fitted body, in metres. A good fit is within the width of a hand.
const FARTHEST_M: f64 = 0.15;

/// Options of motion capture.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Mocap {
    /// The character to animate: `mannequin`, or a file with a character that has the joints of the marker set
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
            onto,
            markers: markers.unwrap_or_else(MarkerSet::standard),
            still,
            symmetric: self.symmetric,
        }
    }
}

impl Capturer {
    /// Fits the body to a trial. `clip` is the name of the new clip.
    ///
    /// # Errors
    /// [`StepError`] if the body cannot be fitted, or the markers are far from it.
    pub fn run(
        &self,
        trial: &Trial,
        clip: Option<&str>,
        watch: impl FnMut(Progress),
    ) -> Result<Captured, StepError> {
        let skeleton = &self.onto.character.skeleton;
        let capture = Capture {
            still: self.still.as_ref(),
            symmetric: self.symmetric,
            ..Capture::new(skeleton, &self.markers, trial)
        };
        let fit = capture.fit(watch)?;
        if fit.report.rms_m > FARTHEST_M {
            return Err(StepError::Refused(format!(
                "the markers are {:.0} mm from their positions on a body of {:.0} % of the size of the template; the unit of the file (POINT:UNITS) is probably wrong, or the labels belong to another marker set",
                1e3 * fit.report.rms_m,
                100.0 * fit.report.size,
            )));
        }
        let mut new = fit.onto(skeleton)?;
        if let Some(name) = clip {
            name.clone_into(&mut new.name);
        }
        let mut import = self.onto.clone();
        import.character.clips = vec![new];
        import.character.layers.clear();
        Ok(Captured { import, fit })
    }
}
