//! Result of a fit: a skeleton scaled to the subject, its motion, and markers without gaps.

use super::error::FitError;
use super::markers::{Marker, MarkerSet};
use super::motion::Motion;
use super::pose::body::{Body, MarkerFrame, Placed, ROOT};
use super::report::FitReport;
use sinew::markers::{Sighting, Trial};
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Joint, Skeleton, Track, TrackError, Transform};
use std::sync::Arc;

pub(super) struct Known {
    pub marker: Marker,
    pub column: usize,
}

/// A skeleton scaled to the subject, its motion, and the error of the fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Joints of the template, with the bone lengths of the subject.
    pub skeleton: Skeleton,
    /// Rotations of the joints that markers determine, and the position of the root.
    pub clip: Clip,
    /// Fitted marker positions on the subject.
    pub markers: MarkerSet,
    /// Known markers of the trial. Positions on the fitted body fill the gaps.
    pub filled: Trial,
    /// Errors, gaps and bone lengths of the fit.
    pub report: FitReport,
}

impl Fit {
    /// Clip for another skeleton with the same joints, such as the template. Keeps the rotations.
    /// Scales the path of the root by its rest height.
    pub fn onto(&self, skeleton: &Skeleton) -> Result<Clip, FitError> {
        let ratio = match (stands(skeleton), stands(&self.skeleton)) {
            (there, here) if there > 1e-6 && here > 1e-6 => there / here,
            _ => 1.0,
        };
        let mut clip = Clip::new(self.clip.name.clone());
        for tracks in &self.clip.joints {
            let known =
                (tracks.joint < self.skeleton.len()).then(|| self.skeleton.name(tracks.joint));
            let Some(joint) = known.and_then(|name| skeleton.find(name)) else {
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

fn stands(skeleton: &Skeleton) -> f32 {
    let model = skeleton.rest_model();
    let height = |joint: usize| model.get(joint).transform_point(glam::Vec3::ZERO).y;
    let lowest = (0..skeleton.len())
        .map(height)
        .fold(f32::INFINITY, f32::min);
    height(0) - lowest
}

pub(super) fn subject(
    skeleton: &Skeleton,
    template: &Body,
    body: &Body,
) -> Result<Skeleton, FitError> {
    let ratio = if template.stands() > 1e-6 {
        body.stands() / template.stands()
    } else {
        1.0
    };
    let joints = body.segments.iter().enumerate().map(|(joint, segment)| {
        let offset = match segment.parent {
            Some(_) => segment.offset,
            None => template.segments[joint].offset * ratio,
        };
        let mut freedom = skeleton.freedom(joint).clone();
        if segment.parent.is_none() {
            freedom.slides = [true; 3];
            freedom.slide_range = None;
        }
        let rest = Transform::from_rotation_translation(segment.rest.as_quat(), offset.as_vec3());
        Joint {
            name: skeleton.name(joint).to_owned(),
            parent: segment.parent,
            rest,
            freedom,
            role: skeleton.role(joint),
            deforms: skeleton.deforms(joint),
        }
    });
    Ok(Skeleton::new(joints.collect())?.0)
}

pub(super) fn clip(body: &Body, motion: &Motion, rate_hz: f64) -> Result<Clip, TrackError> {
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

pub(super) fn filled(
    trial: &Trial,
    body: &Body,
    known: &[Known],
    frames: &[MarkerFrame],
    motion: &Motion,
) -> Trial {
    let labels = known.iter().map(|k| k.marker.label.clone()).collect();
    let mut out = Trial::new(trial.rate_hz, labels);
    let mut placed = Placed::default();
    for (frame, q) in motion.poses.iter().enumerate() {
        body.pose_into(q, &mut placed);
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
        out.push(&row).expect("a row has an entry for every label");
    }
    out
}
