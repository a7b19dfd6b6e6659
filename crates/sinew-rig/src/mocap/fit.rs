//! Fits a skeleton, scaled to the subject, and its motion to a trial.

use super::calibrate::{Calibrated, calibrate};
use super::error::FitError;
use super::markers::{Marker, MarkerSet};
use super::motion::solve;
use super::outcome::{Fit, Known, clip, filled, subject};
use super::pose::body::{Attached, Body, MarkerFrame};
use super::report::FitReport;
use glam::DVec3;
use sinew::Skeleton;
use sinew::markers::Trial;

/// Max absolute coordinate of a valid sighting, in metres.
const FARTHEST_M: f32 = 1000.0;
/// Max number of frames used from a still trial, in which further frames add nothing.
const MAX_STILL_FRAMES: usize = 20;

/// A motion capture: a skeleton, its marker set, and the trials to fit.
///
/// ```
/// use sinew_rig::mocap::{Capture, MarkerSet, Sighting, Trial};
/// use sinew_rig::template::Biped;
/// let skeleton = Biped::default().template().skeleton()?;
/// let set = MarkerSet::plates();
/// let labels = set.markers.iter().map(|m| m.label.clone()).collect();
/// let mut trial = Trial::new(100.0, labels);
/// let model = skeleton.rest_model();
/// let seen = |m: &sinew_rig::mocap::Marker| {
///     let joint = model.get(skeleton.find(&m.joint)?);
///     Some(Sighting { position: joint.transform_point(m.offset), residual: 0.0 })
/// };
/// trial.push(&set.markers.iter().map(seen).collect::<Vec<_>>());
/// let fit = Capture::new(&skeleton, &set, &trial).fit(|_| ())?;
/// assert!(fit.report.rms_m < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Capture<'a> {
    /// Template skeleton of any size, with similar proportions. Its joint limits apply.
    pub skeleton: &'a Skeleton,
    /// Positions of the markers on the template skeleton.
    pub markers: &'a MarkerSet,
    /// Motion to fit.
    pub trial: &'a Trial,
    /// Optional trial in which the subject stands still.
    pub still: Option<&'a Trial>,
    /// True if left and right bones get equal lengths. Default false.
    pub symmetric: bool,
}

/// Progress of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// Completed fraction of the search for bone lengths, in [0, 1].
    Size(f64),
    /// Number of solved frames. This phase follows the search for bone lengths.
    Frames(usize),
}

impl<'a> Capture<'a> {
    /// Creates a capture without a still trial. Left and right bones may differ in length.
    pub fn new(skeleton: &'a Skeleton, markers: &'a MarkerSet, trial: &'a Trial) -> Self {
        Self {
            skeleton,
            markers,
            trial,
            still: None,
            symmetric: false,
        }
    }

    /// Scales the skeleton to the subject and solves for the motion. `done` receives the progress.
    ///
    /// # Errors
    /// [`FitError`] describes the problem with the trial or the marker set.
    pub fn fit(&self, mut done: impl FnMut(Progress)) -> Result<Fit, FitError> {
        let rate_hz = self.trial.rate_hz;
        if !(rate_hz.is_finite() && rate_hz > 0.0) {
            return Err(FitError::Rate { rate_hz });
        }
        if self.trial.frames() == 0 {
            return Err(FitError::NoFrames);
        }
        let mut report = FitReport::default();
        let known = self.known(&mut report)?;
        let attached = known.iter().filter_map(|k| {
            Some(Attached {
                segment: self.skeleton.find(&k.marker.joint)?,
                offset: k.marker.offset.as_dvec3(),
            })
        });
        let template = Body::new(self.skeleton, attached.collect());
        let columns: Vec<Option<usize>> = known.iter().map(|k| Some(k.column)).collect();
        let frames = frames(self.trial, &columns, &mut report.impossible_sightings);

        let mut shown = self.still_frames(&known);
        shown.extend(frames.iter().cloned());
        let other_side = other_sides(self.skeleton);
        let sized = calibrate(
            &template,
            &shown,
            &other_side,
            self.symmetric,
            &mut |part| {
                done(Progress::Size(part));
            },
        );
        let Calibrated {
            body,
            size,
            determined,
        } = sized;
        report.size = size;
        let mut count = 0;
        let motion = solve(&body, &frames, || {
            count += 1;
            done(Progress::Frames(count));
        });
        let motion = motion.ok_or(FitError::NeverPlaced {
            markers: known.len(),
        })?;
        let used: Vec<Marker> = known.iter().map(|k| k.marker.clone()).collect();
        report.measure(self.skeleton, &body, &used, &frames, &motion);
        report.list_bones(self.skeleton, [&template, &body], &determined);
        Ok(Fit {
            skeleton: subject(self.skeleton, &template, &body)?,
            clip: clip(&body, &motion, rate_hz)?,
            markers: MarkerSet {
                markers: (known.iter().zip(&body.markers))
                    .map(|(k, fitted)| Marker {
                        offset: fitted.offset.as_vec3(),
                        ..k.marker.clone()
                    })
                    .collect(),
            },
            filled: filled(self.trial, &body, &known, &frames, &motion),
            report,
        })
    }

    fn known(&self, report: &mut FitReport) -> Result<Vec<Known>, FitError> {
        let mut known: Vec<Known> = Vec::new();
        let mut elsewhere: Option<Marker> = None;
        for (column, label) in self.trial.labels().iter().enumerate() {
            let taken = |k: &Known| k.marker.label.eq_ignore_ascii_case(label);
            match self.markers.find(label) {
                Some(marker) if !known.iter().any(taken) => {
                    if !marker.offset.is_finite() {
                        let label = label.clone();
                        return Err(FitError::BadOffset { label });
                    }
                    match self.skeleton.find(&marker.joint) {
                        Some(_) => known.push(Known {
                            marker: marker.clone(),
                            column,
                        }),
                        None => {
                            report.unknown_labels.push(label.clone());
                            elsewhere = Some(elsewhere.unwrap_or_else(|| marker.clone()));
                        }
                    }
                }
                _ => report.unknown_labels.push(label.clone()),
            }
        }
        let is_missing = |m: &&Marker| {
            let labels = self.trial.labels().iter();
            !labels.clone().any(|l| l.eq_ignore_ascii_case(&m.label))
        };
        let missing = self.markers.markers.iter().filter(is_missing);
        report.missing_labels = missing.map(|m| m.label.clone()).collect();
        match (known.is_empty(), elsewhere) {
            (false, _) => Ok(known),
            (true, Some(Marker { label, joint, .. })) => Err(FitError::NoKnownJoints {
                label,
                joint,
                known: some((0..self.skeleton.len()).map(|j| self.skeleton.name(j))),
            }),
            (true, None) => Err(FitError::NoKnownLabels {
                found: some(self.trial.labels().iter().map(String::as_str)),
                expected: some(self.markers.markers.iter().map(|m| m.label.as_str())),
            }),
        }
    }

    fn still_frames(&self, known: &[Known]) -> Vec<MarkerFrame> {
        let Some(still) = self.still else {
            return Vec::new();
        };
        let column = |k: &Known| {
            let labels = still.labels().iter();
            labels
                .clone()
                .position(|l| l.eq_ignore_ascii_case(&k.marker.label))
        };
        let columns: Vec<Option<usize>> = known.iter().map(column).collect();
        let frames = frames(still, &columns, &mut 0);
        let step = frames.len().div_ceil(MAX_STILL_FRAMES).max(1);
        frames.into_iter().step_by(step).collect()
    }
}

fn some<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const SAID: usize = 8;
    let names: Vec<&str> = names.collect();
    match names.len() {
        0 => "there are none".to_owned(),
        1..=SAID => names.join(", "),
        all => format!("{} and {} more", names[..SAID].join(", "), all - SAID),
    }
}

fn frames(trial: &Trial, columns: &[Option<usize>], impossible: &mut usize) -> Vec<MarkerFrame> {
    let mut seen = |frame: usize, column: &Option<usize>| -> Option<DVec3> {
        let position = trial.position(frame, (*column)?)?;
        if position.abs().max_element() <= FARTHEST_M && position.is_finite() {
            return Some(position.as_dvec3());
        }
        *impossible += 1;
        None
    };
    (0..trial.frames())
        .map(|frame| columns.iter().map(|c| seen(frame, c)).collect())
        .collect()
}

fn other_sides(skeleton: &Skeleton) -> Vec<usize> {
    let other = |joint: usize| {
        let name = skeleton.name(joint);
        let swapped = [
            ("left", "right"),
            ("Left", "Right"),
            ("right", "left"),
            ("Right", "Left"),
        ];
        let swapped = swapped
            .iter()
            .find(|(from, _)| name.contains(from))
            .map(|(from, to)| name.replacen(from, to, 1));
        swapped
            .and_then(|name| skeleton.find(&name))
            .unwrap_or(joint)
    };
    let others: Vec<usize> = (0..skeleton.len()).map(other).collect();
    let mutual = |joint: usize| {
        if others[others[joint]] == joint {
            others[joint]
        } else {
            joint
        }
    };
    (0..skeleton.len()).map(mutual).collect()
}
