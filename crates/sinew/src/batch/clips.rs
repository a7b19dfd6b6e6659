use super::error::BatchError;
use super::frames::{Frames, Translations};
use crate::clip::{Clip, Interpolation, Track, TrackError};
use std::sync::Arc;

/// Largest difference of the squared length of a quaternion from 1 that counts as rounding.
const ROUNDING: f32 = 1e-6;

impl Clip {
    /// Clip with a key per frame, at times in seconds that ascend. Rotations interpolate along the
    /// shorter arc, other values linearly. Rotations that are not of unit length are normalized. A
    /// channel without an array gets no track and keeps the rest pose. A constant channel keeps a
    /// single key.
    ///
    /// ```
    /// use sinew::Clip;
    /// use sinew::batch::Frames;
    /// let spin = [[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0]];
    /// let clip = Clip::from_frames("spin", vec![0.0, 0.5], 1, &Frames::new(&spin))?;
    /// assert_eq!(clip.duration_secs, 0.5);
    /// assert_eq!(clip.joint(0).unwrap().rotation.as_ref().unwrap().keys(), 2);
    /// # Ok::<(), sinew::batch::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// If arrays do not fit, times do not ascend, or a value is zero as a rotation or not finite.
    pub fn from_frames(
        name: impl Into<String>,
        times_secs: Vec<f32>,
        joints: usize,
        frames: &Frames<'_>,
    ) -> Result<Self, BatchError> {
        let count = frames.count(joints)?;
        BatchError::check("times", times_secs.len(), count, "one per frame")?;
        // A constant channel keeps only its first time, which would hide bad times.
        let zeros = vec![0.0; count];
        Track::new(times_secs.clone(), zeros, 1, Interpolation::Step).map_err(BatchError::Times)?;
        let last = times_secs.last().copied().unwrap_or(0.0);
        let times = Arc::new(times_secs);
        let mut clip = Self::new(name);
        for joint in 0..joints {
            let column = |values: &[[f32; 3]]| column(values, joint, joints);
            let translations = match frames.translations {
                Translations::Root(root) if joint == 0 => Some(root.to_vec()),
                Translations::All(all) => Some(column(all)),
                _ => None,
            };
            let scales = frames.scales.map(column);
            let rotations = rotations(frames.rotations, joint, joints)?;
            let error = |channel| {
                move |source| BatchError::Track {
                    channel,
                    joint,
                    source,
                }
            };
            let track = |values: Option<Vec<[f32; 3]>>, channel| {
                let track = values.map(|values| track(&times, &values, Interpolation::Linear));
                track.transpose().map_err(error(channel))
            };
            let tracks = clip.joint_mut(joint);
            tracks.translation = track(translations, "the translation")?;
            tracks.scale = track(scales, "the scale")?;
            let rotation = self::track(&times, &rotations, Interpolation::Slerp);
            tracks.rotation = Some(rotation.map_err(error("the rotation"))?);
        }
        clip.duration_secs = last.max(0.0);
        Ok(clip)
    }
}

fn column<const N: usize>(values: &[[f32; N]], joint: usize, joints: usize) -> Vec<[f32; N]> {
    values.iter().skip(joint).step_by(joints).copied().collect()
}

fn rotations(
    values: &[[f32; 4]],
    joint: usize,
    joints: usize,
) -> Result<Vec<[f32; 4]>, BatchError> {
    let mut column = column(values, joint, joints);
    for (frame, q) in column.iter_mut().enumerate() {
        let squared: f32 = q.iter().map(|c| c * c).sum();
        if (squared - 1.0).abs() <= ROUNDING {
            continue;
        }
        let length = squared.sqrt();
        if !(length > 0.0 && length.is_finite()) {
            let index = frame * joints + joint;
            return Err(BatchError::NoRotation { index });
        }
        *q = q.map(|c| c / length);
    }
    Ok(column)
}

fn track<const N: usize>(
    times: &Arc<Vec<f32>>,
    values: &[[f32; N]],
    interpolation: Interpolation,
) -> Result<Track, TrackError> {
    let is_constant = values.iter().all(|value| *value == values[0]);
    match values {
        [first, ..] if is_constant => Track::new(vec![times[0]], first.to_vec(), N, interpolation),
        _ => Track::new(
            times.clone(),
            values.as_flattened().to_vec(),
            N,
            interpolation,
        ),
    }
}
