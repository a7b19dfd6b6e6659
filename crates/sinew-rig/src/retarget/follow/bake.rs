//! Converts frames to tracks of a clip.

use crate::retarget::body::frames::Frames;
use crate::retarget::body::model_pose::Local;
use crate::retarget::error::RetargetError;
use crate::retarget::feet::foot_lock_keys::Tangents;
use glam::{DQuat, Quat, Vec3};
use sinew::clip::JointTracks;
use sinew::{Clip, Interpolation, Skeleton, Track, TrackError, Transform};
use std::sync::Arc;

/// Frames of legs, which may be more than those of other joints, and their tangents.
pub(crate) struct LegKeys {
    pub times: Arc<Vec<f32>>,
    /// Joints of the frames.
    pub joints: Vec<usize>,
    pub frames: Frames,
    /// Tangents of some of the joints. The others get keys only at the frames of the body.
    pub tangents: Tangents,
}

/// Tracks for channels that differ from rest.
pub(crate) fn baked(
    skeleton: &Skeleton,
    source: &Clip,
    times: &Arc<Vec<f32>>,
    frames: &[&[Local]],
    legs: Option<&LegKeys>,
) -> Result<Clip, RetargetError> {
    let mut clip = Clip::new(source.name.clone());
    clip.events = source.events.clone();
    clip.curves = source.curves.clone();
    let mut keys = Keys::default();
    for joint in 0..skeleton.len() {
        let rest = skeleton.rest().get(joint);
        let leg = legs.and_then(|legs| {
            let tangents = legs.tangents.get(&joint)?;
            Some((legs, tangents, legs.joints.binary_search(&joint).ok()?))
        });
        let tracks = match leg {
            Some((legs, tangents, place)) => {
                keys.set(&rest, legs.frames.rows().map(|row| &row[place]));
                let frames = legs.frames.rows().map(|row| row[place].rotation);
                keys.tracks(joint, &rest, &legs.times, |times, rotations| {
                    cubic(times, rotations, frames, tangents)
                })
            }
            None => {
                keys.set(&rest, frames.iter().map(|row| &row[joint]));
                keys.tracks(joint, &rest, times, |times, rotations| {
                    let (times, keys) = shortened(times, rotations);
                    Track::rotations(times, keys, Interpolation::Slerp)
                })
            }
        };
        let tracks = tracks.map_err(|source| RetargetError::NotFinite {
            joint: skeleton.name(joint).to_owned(),
            source,
        })?;
        if tracks.translation.is_some() || tracks.rotation.is_some() || tracks.scale.is_some() {
            clip.joints.push(tracks);
        }
    }
    clip.fit_duration();
    clip.duration_secs = clip.duration_secs.max(source.duration_secs);
    Ok(clip)
}

/// Keys of one joint.
#[derive(Default)]
struct Keys {
    translations: Vec<Vec3>,
    rotations: Vec<Quat>,
    scales: Vec<Vec3>,
}

impl Keys {
    /// Neighbouring rotations, and the first and the rest rotation, get matching signs.
    fn set<'a>(&mut self, rest: &Transform, locals: impl Iterator<Item = &'a Local>) {
        self.translations.clear();
        self.rotations.clear();
        self.scales.clear();
        let mut before = rest.rotation;
        for local in locals {
            let rotation = local.rotation.as_quat();
            let is_opposite = before.dot(rotation) < 0.0;
            before = if is_opposite { -rotation } else { rotation };
            self.rotations.push(before);
            self.translations.push(local.translation.as_vec3());
            self.scales.push(local.scale.as_vec3());
        }
    }

    fn tracks(
        &self,
        joint: usize,
        rest: &Transform,
        times: &Arc<Vec<f32>>,
        rotation: impl FnOnce(&Arc<Vec<f32>>, &[Quat]) -> Result<Track, TrackError>,
    ) -> Result<JointTracks, TrackError> {
        let vectors = |keys: &[Vec3], rest: Vec3| {
            let moved = keys.iter().any(|v| *v != rest);
            let track = moved.then(|| {
                let (times, keys) = shortened(times, keys);
                Track::vectors(times, keys, Interpolation::Linear)
            });
            track.transpose()
        };
        // A joint that differs from rest only by rounding gets no track.
        let is_rest = |q: &Quat| q.abs_diff_eq(rest.rotation, 1e-7);
        let rotated = !self.rotations.iter().all(is_rest);
        Ok(JointTracks {
            joint,
            translation: vectors(&self.translations, rest.translation)?,
            scale: vectors(&self.scales, rest.scale)?,
            rotation: rotated
                .then(|| rotation(times, &self.rotations))
                .transpose()?,
        })
    }
}

/// Cubic track with the tangents of `frames`. Neighbours in `rotations` have matching signs.
fn cubic(
    times: &Arc<Vec<f32>>,
    rotations: &[Quat],
    frames: impl Iterator<Item = DQuat>,
    tangents: &[[DQuat; 2]],
) -> Result<Track, TrackError> {
    let mut values = Vec::with_capacity(12 * rotations.len());
    for ((rotation, frame), [before, after]) in rotations.iter().zip(frames).zip(tangents) {
        let side = if frame.as_quat().dot(*rotation) < 0.0 {
            -1.0
        } else {
            1.0
        };
        values.extend((*before * side).as_quat().to_array());
        values.extend(rotation.to_array());
        values.extend((*after * side).as_quat().to_array());
    }
    Track::new(times.clone(), values, 4, Interpolation::CubicHermite)
}

fn shortened<'a, T: PartialEq>(times: &Arc<Vec<f32>>, keys: &'a [T]) -> (Arc<Vec<f32>>, &'a [T]) {
    if keys.iter().all(|k| *k == keys[0]) {
        (Arc::new(vec![times[0]]), &keys[..1])
    } else {
        (times.clone(), keys)
    }
}
