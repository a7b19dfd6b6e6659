//! From a trial to a skeleton of the subject's size and its motion, with a report.

use super::body::{Attached, Body, ROOT, Seen};
use super::calibrate::calibrate;
use super::solve::{Motion, rms, solve};
use super::{Gap, Marker, MarkerSet, Sighting, Trial};
use glam::DVec3;
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Joint, Skeleton, SkeletonError, Track, TrackError, Transform};
use std::sync::Arc;
use thiserror::Error;

/// Farther than that from the origin nothing was seen, in metres.
const FARTHEST_M: f32 = 1000.0;
/// A still trial shows one pose; more frames of it would only count it more often.
const MOST_STILL_FRAMES: usize = 20;

/// What is fitted to what.
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
    /// In proportions that are near the subject's, of any size, with the limits that hold.
    pub skeleton: &'a Skeleton,
    /// Where markers are on that skeleton.
    pub markers: &'a MarkerSet,
    /// The motion.
    pub trial: &'a Trial,
    /// The subject standing still, if that was captured too.
    pub still: Option<&'a Trial>,
    /// Whether bones of the left and of the right side are of one length.
    pub symmetric: bool,
}

/// A skeleton of the subject's size, its motion, and how well they meet the markers.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The joints of the template, in the subject's lengths.
    pub skeleton: Skeleton,
    /// Rotations of the joints that markers tell about, and where the root is.
    pub clip: Clip,
    /// The markers where they sit on the subject.
    pub markers: MarkerSet,
    /// The known markers without gaps: where one was not seen, where the fitted body has it.
    pub filled: Trial,
    /// How it went.
    pub report: FitReport,
}

/// How a fit went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitReport {
    /// Root mean square of the distances of all markers from where the fitted body has them, in metres.
    pub rms_m: f64,
    /// The same for every frame.
    pub frame_rms_m: Vec<f64>,
    /// Every marker that was used.
    pub markers: Vec<MarkerReport>,
    /// Labels of the trial that the set does not have, or has already had.
    pub unknown_labels: Vec<String>,
    /// Labels of the set that are not in the trial.
    pub missing_labels: Vec<String>,
    /// Sightings that were no numbers, or kilometres away: taken for gaps.
    pub impossible_sightings: usize,
    /// Joints in frames whose markers do not tell them: drawn from the frames around.
    pub carried: Vec<Carried>,
    /// Lengths of bones that were fitted.
    pub bones: Vec<Bone>,
}

/// How well a marker is met.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerReport {
    /// Its label in the trial.
    pub label: String,
    /// The joint that it moves with.
    pub joint: String,
    /// Root mean square of its distances, in metres.
    pub rms_m: f64,
    /// The largest of them.
    pub max_m: f64,
    /// Where it was not seen, and was filled in.
    pub gaps: Vec<Gap>,
}

/// Frames in which no marker told how a joint is turned.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// The joint.
    pub joint: String,
    /// When.
    pub gap: Gap,
}

/// A fitted bone.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// The joint at its end.
    pub joint: String,
    /// From the parent joint, in metres.
    pub length_m: f64,
    /// Its length over the template's.
    pub of_template: f64,
}

/// Why nothing was fitted.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FitError {
    /// A trial without frames.
    #[error("the trial has no frames")]
    NoFrames,
    /// A rate that gives no times.
    #[error("the trial has {rate_hz} frames a second; that should be a number above 0")]
    Rate {
        /// What it is.
        rate_hz: f64,
    },
    /// No label in common.
    #[error(
        "none of the trial's labels ({found}) is in the marker set ({wanted}); write a marker file with the trial's labels"
    )]
    NoKnownLabels {
        /// Labels of the trial.
        found: String,
        /// Labels of the set.
        wanted: String,
    },
    /// The set is made for another skeleton.
    #[error(
        "the marker set puts \"{label}\" on the joint \"{joint}\", and none of its joints is in the skeleton ({known}); write a marker file with the skeleton's joints"
    )]
    NoKnownJoints {
        /// The first label in common.
        label: String,
        /// Its joint.
        joint: String,
        /// Joints that there are.
        known: String,
    },
    /// A place that is no number.
    #[error("the offset of marker \"{label}\" is not finite; correct the marker set")]
    BadOffset {
        /// Which.
        label: String,
    },
    /// Not enough to place a body.
    #[error(
        "in no frame are three known markers seen that do not lie on one line, so nothing says where the body is; {markers} known markers are in the trial"
    )]
    NeverPlaced {
        /// How many are known at all.
        markers: usize,
    },
    /// What came out is no skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// What came out is no motion.
    #[error(transparent)]
    Track(#[from] TrackError),
}

/// A marker of the set that is in the trial and on the skeleton.
struct Known {
    marker: Marker,
    column: usize,
}

impl<'a> Capture<'a> {
    /// With neither a still trial nor equal sides.
    pub fn new(skeleton: &'a Skeleton, markers: &'a MarkerSet, trial: &'a Trial) -> Self {
        Self {
            skeleton,
            markers,
            trial,
            still: None,
            symmetric: false,
        }
    }

    /// Scales the skeleton to the subject and solves for the motion; `done` is told how many frames are.
    ///
    /// # Errors
    /// [`FitError`] says what the trial or the set lacks.
    pub fn fit(&self, mut done: impl FnMut(usize)) -> Result<Fit, FitError> {
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
        let other_side = self.symmetric.then(|| other_sides(self.skeleton));
        let body = calibrate(&template, &shown, other_side.as_deref());
        let mut count = 0;
        let motion = solve(&body, &frames, || {
            count += 1;
            done(count);
        });
        let motion = motion.ok_or(FitError::NeverPlaced {
            markers: known.len(),
        })?;
        self.describe(&template, &body, &known, &frames, &motion, &mut report);
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
                        None => elsewhere = Some(elsewhere.unwrap_or_else(|| marker.clone())),
                    }
                }
                _ => report.unknown_labels.push(label.clone()),
            }
        }
        let in_trial = |m: &&Marker| {
            let labels = self.trial.labels().iter();
            !labels.clone().any(|l| l.eq_ignore_ascii_case(&m.label))
        };
        let missing = self.markers.markers.iter().filter(in_trial);
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
                wanted: some(self.markers.markers.iter().map(|m| m.label.as_str())),
            }),
        }
    }

    fn still_frames(&self, known: &[Known]) -> Vec<Seen> {
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
        let step = frames.len().div_ceil(MOST_STILL_FRAMES).max(1);
        frames.into_iter().step_by(step).collect()
    }

    fn describe(
        &self,
        template: &Body,
        body: &Body,
        known: &[Known],
        frames: &[Seen],
        motion: &Motion,
        report: &mut FitReport,
    ) {
        let poses = || frames.iter().zip(&motion.poses);
        report.frame_rms_m = poses().map(|(seen, q)| rms(body, q, seen)).collect();
        let mut sums = vec![(0.0, 0.0_f64, 0_u32); known.len()];
        for (seen, q) in poses() {
            let placed = body.place(q);
            for (marker, seen) in seen.iter().enumerate() {
                if let Some(seen) = seen {
                    let off = body.marker(&placed, marker).distance(*seen);
                    let (sum, max, count) = &mut sums[marker];
                    (*sum, *max, *count) = (*sum + off * off, max.max(off), *count + 1);
                }
            }
        }
        let all = sums
            .iter()
            .fold((0.0, 0), |all, s| (all.0 + s.0, all.1 + s.2));
        report.rms_m = (all.0 / f64::from(all.1.max(1))).sqrt();
        let markers = known.iter().zip(sums).enumerate();
        report.markers = markers
            .map(|(m, (k, (sum, max_m, count)))| MarkerReport {
                label: k.marker.label.clone(),
                joint: k.marker.joint.clone(),
                rms_m: (sum / f64::from(count.max(1))).sqrt(),
                max_m,
                gaps: runs(frames.len(), |f| frames[f][m].is_none()),
            })
            .collect();
        for (joint, segment) in body.segments.iter().enumerate().filter(|(_, s)| s.moves) {
            let name = || self.skeleton.name(joint).to_owned();
            let own = segment.first..segment.first + segment.coordinates.count();
            let gaps = runs(frames.len(), |f| {
                motion.carried[f][own.clone()].contains(&true)
            });
            let carried = gaps.into_iter().map(|gap| Carried { joint: name(), gap });
            report.carried.extend(carried);
            let before = template.segments[joint].offset.length();
            if segment.parent.is_some() && before > 0.0 {
                report.bones.push(Bone {
                    joint: name(),
                    length_m: segment.offset.length(),
                    of_template: segment.offset.length() / before,
                });
            }
        }
    }
}

impl Fit {
    /// The motion for a skeleton with the joints of the template, such as the template itself: turns as
    /// they are, the way of the root as much longer as that skeleton stands higher.
    pub fn onto(&self, skeleton: &Skeleton) -> Result<Clip, FitError> {
        let ratio = match (stands(skeleton), stands(&self.skeleton)) {
            (there, here) if there > 1e-6 && here > 1e-6 => there / here,
            _ => 1.0,
        };
        let mut clip = Clip::new(self.clip.name.clone());
        for tracks in &self.clip.joints {
            let Some(joint) = skeleton.find(self.skeleton.name(tracks.joint)) else {
                continue;
            };
            let out = clip.joint_mut(joint);
            out.rotation = tracks.rotation.clone();
            if let Some(way) = &tracks.translation {
                let values: Vec<f32> = way.values().iter().map(|v| v * ratio).collect();
                let times = way.times().clone();
                out.translation = Some(Track::new(times, values, 3, Interpolation::Linear)?);
            }
        }
        clip.fit_duration();
        Ok(clip)
    }
}

/// How high the root is above the lowest joint at rest.
fn stands(skeleton: &Skeleton) -> f32 {
    let model = skeleton.rest_model();
    let height = |joint: usize| model.get(joint).transform_point(glam::Vec3::ZERO).y;
    let lowest = (0..skeleton.len())
        .map(height)
        .fold(f32::INFINITY, f32::min);
    height(0) - lowest
}

/// A few of many names.
fn some<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const SAID: usize = 8;
    let names: Vec<&str> = names.collect();
    match names.len() {
        0 => "there are none".to_owned(),
        1..=SAID => names.join(", "),
        all => format!("{} and {} more", names[..SAID].join(", "), all - SAID),
    }
}

/// Where every known marker was seen in every frame.
fn frames(trial: &Trial, columns: &[Option<usize>], impossible: &mut usize) -> Vec<Seen> {
    let mut seen = |frame: usize, column: &Option<usize>| -> Option<DVec3> {
        let position = trial.position(frame, (*column)?)?;
        // A comparison that is false for what is no number.
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

/// Frames that follow each other and are all so.
fn runs(frames: usize, is_so: impl Fn(usize) -> bool) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = Vec::new();
    for frame in (0..frames).filter(|&f| is_so(f)) {
        match gaps.last_mut() {
            Some(gap) if gap.first_frame + gap.frames == frame => gap.frames += 1,
            _ => gaps.push(Gap {
                first_frame: frame,
                frames: 1,
            }),
        }
    }
    gaps
}

/// For every joint the one on the other side, or itself.
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
    // Only where both say so of each other.
    let mutual = |joint: usize| match others[others[joint]] == joint {
        true => others[joint],
        false => joint,
    };
    (0..skeleton.len()).map(mutual).collect()
}

/// The skeleton in the subject's lengths, standing as high as that makes it.
fn subject(skeleton: &Skeleton, template: &Body, body: &Body) -> Result<Skeleton, FitError> {
    let stands = |body: &Body| {
        let placed = body.place(&body.rest());
        let low = placed
            .centres
            .iter()
            .fold(f64::INFINITY, |low, c| low.min(c.y));
        placed.centres[0].y - low
    };
    let ratio = match stands(template) > 1e-6 {
        true => stands(body) / stands(template),
        false => 1.0,
    };
    let joints = body.segments.iter().enumerate().map(|(joint, segment)| {
        let offset = match segment.parent {
            Some(_) => segment.offset,
            None => template.segments[joint].offset * ratio,
        };
        let mut freedom = skeleton.freedom(joint).clone();
        if segment.parent.is_none() {
            freedom.slides = [true; 3];
        }
        let rest = Transform::from_rotation_translation(segment.rest.as_quat(), offset.as_vec3());
        Joint::new(skeleton.name(joint), segment.parent, rest).with_freedom(freedom)
    });
    Ok(Skeleton::new(joints.collect())?.0)
}

fn clip(body: &Body, motion: &Motion, rate_hz: f64) -> Result<Clip, TrackError> {
    let frames = motion.poses.len();
    let times: Vec<f32> = (0..frames).map(|f| (f as f64 / rate_hz) as f32).collect();
    let times = Arc::new(times);
    let mut clip = Clip::new("mocap");
    for (joint, _) in body.segments.iter().enumerate().filter(|(_, s)| s.moves) {
        let mut values = Vec::with_capacity(4 * frames);
        let mut before = glam::Quat::IDENTITY;
        for q in &motion.poses {
            let turn = quat::aligned(body.local(joint, q).normalize().as_quat(), before);
            values.extend(turn.to_array());
            before = turn;
        }
        let track = Track::new(times.clone(), values, 4, Interpolation::Linear)?;
        clip.joint_mut(joint).rotation = Some(track);
    }
    let way = motion.poses.iter().flat_map(|q| &q[..ROOT]);
    let way: Vec<f32> = way.map(|&x| x as f32).collect();
    clip.joint_mut(0).translation = Some(Track::new(times, way, 3, Interpolation::Linear)?);
    clip.fit_duration();
    Ok(clip)
}

fn filled(trial: &Trial, body: &Body, known: &[Known], frames: &[Seen], motion: &Motion) -> Trial {
    let labels = known.iter().map(|k| k.marker.label.clone()).collect();
    let mut out = Trial::new(trial.rate_hz, labels);
    for (frame, q) in motion.poses.iter().enumerate() {
        let placed = body.place(q);
        let row: Vec<Option<Sighting>> = known
            .iter()
            .enumerate()
            .map(|(m, k)| match frames[frame][m] {
                Some(_) => trial.frame(frame)[k.column],
                None => Some(Sighting {
                    position: body.marker(&placed, m).as_vec3(),
                    residual: 0.0,
                }),
            })
            .collect();
        out.push(&row);
    }
    out
}
