//! Converts frames to tracks of a clip.

use crate::retarget::body::model_pose::Local;
use crate::retarget::error::RetargetError;
use crate::retarget::feet::foot_lock_keys::Tangents;
use glam::{DQuat, DVec3, Quat, Vec3};
use sinew::{Clip, Interpolation, Skeleton, Track, TrackError};
use std::sync::Arc;

/// Tracks for channels that differ from rest. At inserted frames, only joints with tangents get
/// keys, so that other joints keep regular key times.
pub(crate) fn baked(
    skeleton: &Skeleton,
    source: &Clip,
    times: &[f32],
    frames: &[Vec<Local>],
    tangents: &Tangents,
    is_between: &[bool],
) -> Result<Clip, RetargetError> {
    let mut clip = Clip::new(source.name.clone());
    clip.events = source.events.clone();
    clip.curves = source.curves.clone();
    let mut rows: Vec<Arc<Vec<f32>>> = Vec::new();
    let all = frames;
    for joint in 0..skeleton.len() {
        let has_key = |f: &usize| !is_between[*f] || tangents.contains_key(&joint);
        let own: Vec<usize> = (0..all.len()).filter(has_key).collect();
        let times = shared(&mut rows, own.iter().map(|&f| times[f]).collect());
        let frames: Vec<&Vec<Local>> = own.iter().map(|&f| &all[f]).collect();
        let rest = skeleton.rest().get(joint);
        let mut rotations: Vec<Quat> = Vec::with_capacity(frames.len());
        for frame in &frames {
            let rotation = frame[joint].rotation.as_quat();
            let before = rotations.last().copied().unwrap_or(rest.rotation);
            rotations.push(if before.dot(rotation) < 0.0 {
                -rotation
            } else {
                rotation
            });
        }
        let vectors = |of: fn(&Local) -> DVec3| -> Vec<Vec3> {
            frames.iter().map(|f| of(&f[joint]).as_vec3()).collect()
        };
        let (positions, scales) = (vectors(|l| l.translation), vectors(|l| l.scale));
        let named = |source| RetargetError::NotFinite {
            joint: skeleton.name(joint).to_owned(),
            source,
        };
        // A joint that differs from rest only by rounding gets no track.
        let rotated = rotations
            .iter()
            .any(|q| !q.abs_diff_eq(rest.rotation, 1e-7));
        let vector_track = |keys: &[Vec3], rest: Vec3| {
            let moved = keys.iter().any(|v| *v != rest);
            let (times, keys) = shortened(&times, keys);
            moved
                .then(|| Track::vectors(times, keys, Interpolation::Linear))
                .transpose()
        };
        let translation = vector_track(&positions, rest.translation).map_err(named)?;
        let scale = vector_track(&scales, rest.scale).map_err(named)?;
        let rotation = rotated.then(|| match tangents.get(&joint) {
            Some(tangents) => cubic(
                &times,
                &rotations,
                frames.iter().map(|f| f[joint].rotation),
                own.iter().map(|&f| tangents[f]),
            ),
            None => {
                let (key_times, keys) = shortened(&times, &rotations);
                Track::rotations(key_times, keys, Interpolation::Slerp)
            }
        });
        let rotation = rotation.transpose().map_err(named)?;
        if translation.is_some() || rotation.is_some() || scale.is_some() {
            let tracks = clip.joint_mut(joint);
            (tracks.translation, tracks.rotation, tracks.scale) = (translation, rotation, scale);
        }
    }
    clip.fit_duration();
    clip.duration_secs = clip.duration_secs.max(source.duration_secs);
    Ok(clip)
}

fn shared(rows: &mut Vec<Arc<Vec<f32>>>, times: Vec<f32>) -> Arc<Vec<f32>> {
    if let Some(row) = rows.iter().find(|row| ***row == times) {
        return row.clone();
    }
    rows.push(Arc::new(times));
    rows[rows.len() - 1].clone()
}

/// Cubic track with the tangents of `frames`. Neighbours in `rotations` have matching signs.
fn cubic(
    times: &Arc<Vec<f32>>,
    rotations: &[Quat],
    frames: impl Iterator<Item = DQuat>,
    tangents: impl Iterator<Item = [DQuat; 2]>,
) -> Result<Track, TrackError> {
    let mut values = Vec::with_capacity(12 * rotations.len());
    for ((rotation, frame), [before, after]) in rotations.iter().zip(frames).zip(tangents) {
        let side = if frame.as_quat().dot(*rotation) < 0.0 {
            -1.0
        } else {
            1.0
        };
        values.extend((before * side).as_quat().to_array());
        values.extend(rotation.to_array());
        values.extend((after * side).as_quat().to_array());
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
