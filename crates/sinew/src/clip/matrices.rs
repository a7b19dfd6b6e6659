use super::keyed::{Clip, ClipSpace};
use super::track::{Interpolation, Track, TrackError, check_times};
use glam::{Quat, Vec3};
use sinew_math::transform::{Affine, Transform, quat};
use std::sync::Arc;

impl Clip {
    /// Converts sampled matrices to tracks. `frames[f * joints + j]` is joint `j` at `times[f]`, in
    /// `space`. Polar decomposition splits each matrix into translation, rotation and scale. The
    /// second value is the largest shear that was dropped (see [`Transform::from_affine`]).
    /// Rotations interpolate along the shorter arc. A constant channel keeps a single key.
    pub fn from_matrices(
        name: impl Into<String>,
        space: ClipSpace,
        times: Vec<f32>,
        joints: usize,
        frames: &[Affine],
    ) -> Result<(Self, f32), TrackError> {
        let expected = times.len().saturating_mul(joints);
        if frames.len() != expected {
            return Err(TrackError::Count {
                keys: times.len(),
                width: joints,
                interpolation: Interpolation::Slerp,
                expected,
                found: frames.len(),
            });
        }
        if let Some(index) = frames.iter().position(|f| !f.is_finite()) {
            return Err(TrackError::NotFinite {
                key: index / joints,
            });
        }
        // A constant channel keeps only its first time, which would hide bad times.
        check_times(&times)?;
        let times = Arc::new(times);
        let mut clip = Self::new(name);
        clip.space = space;
        let mut worst_shear = 0.0_f32;
        for joint in 0..joints {
            let column = frames.iter().skip(joint).step_by(joints);
            let (mut moves, mut turns, mut scales) = (Vec::new(), Vec::<Quat>::new(), Vec::new());
            for frame in column {
                let (split, shear) = Transform::from_affine(frame);
                worst_shear = worst_shear.max(shear);
                moves.push(split.translation);
                let before = turns.last().copied().unwrap_or(Quat::IDENTITY);
                turns.push(quat::aligned(split.rotation, before));
                scales.push(split.scale);
            }
            let tracks = clip.joint_mut(joint);
            tracks.translation = Some(vector_track(&times, &moves)?);
            tracks.rotation = Some(match constant(&turns) {
                Some(key) => Track::rotations(vec![times[0]], &[key], Interpolation::Slerp)?,
                None => Track::rotations(times.clone(), &turns, Interpolation::Slerp)?,
            });
            tracks.scale = Some(vector_track(&times, &scales)?);
        }
        clip.fit_duration();
        clip.duration_secs = clip.duration_secs.max(times.last().copied().unwrap_or(0.0));
        Ok((clip, worst_shear))
    }
}

fn vector_track(times: &Arc<Vec<f32>>, keys: &[Vec3]) -> Result<Track, TrackError> {
    match constant(keys) {
        Some(key) => Track::vectors(vec![times[0]], &[key], Interpolation::Linear),
        None => Track::vectors(times.clone(), keys, Interpolation::Linear),
    }
}

fn constant<T: PartialEq + Copy>(keys: &[T]) -> Option<T> {
    let first = *keys.first()?;
    keys.iter().all(|k| *k == first).then_some(first)
}
