//! Cutting, reversing and resampling of clips. On a tie, a cut rounds times down and a join rounds
//! them up. Cutting at keys and joining again therefore restores the clip to the bit.

use crate::clip::keyed::{Clip, Curve, Event, JointTracks, MorphTrack};
use crate::clip::track::{Interpolation, Track};
use std::sync::Arc;
use thiserror::Error;

const MAX_KEYS: f64 = 10_000_000.0;

/// Error while a clip is edited.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ClipEditError {
    /// Time range that is empty or outside the clip.
    #[error(
        "the clip lasts {duration_secs} s, so a part from {from_secs} to {to_secs} s cannot be cut from it"
    )]
    NoPart {
        /// Start of the range, in seconds.
        from_secs: f32,
        /// End of the range, in seconds.
        to_secs: f32,
        /// Duration of the clip, in seconds.
        duration_secs: f32,
    },
    /// Key rate that is not positive, or that gives too many keys.
    #[error("a clip of {duration_secs} s cannot be sampled with {fps} keys per second")]
    Rate {
        /// Keys per second that were requested.
        fps: f64,
        /// Duration of the clip, in seconds.
        duration_secs: f32,
    },
    /// Clips in different spaces: one local, one model.
    #[error("one clip is in local space and the other in model space")]
    Spaces,
    /// Track that differs in kind between the clips or is missing in one.
    #[error(
        "{channel} is {here} in one clip and {there} in the other; resample both at the same rate first"
    )]
    Tracks {
        /// Name of the channel.
        channel: String,
        /// Kind of the track in the first clip.
        here: String,
        /// Kind of the track in the second clip.
        there: String,
    },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Numbers,
    Rotation,
}

impl Clip {
    /// Part of the clip between two times in seconds. It starts at 0 and has keys at both ends.
    /// Near the ends, parabolas and splines change, because they lose the keys beyond.
    ///
    /// # Errors
    /// If the times are not ascending within the clip.
    pub fn trimmed(&self, from_secs: f32, to_secs: f32) -> Result<Self, ClipEditError> {
        if !(from_secs >= 0.0 && from_secs < to_secs && to_secs <= self.duration_secs) {
            return Err(ClipEditError::NoPart {
                from_secs,
                to_secs,
                duration_secs: self.duration_secs,
            });
        }
        let events = self.events.iter();
        let within = events.filter(|e| (from_secs..=to_secs).contains(&e.time_secs));
        let mut part = self.map_tracks(|track, kind| cut(track, kind, from_secs, to_secs));
        part.events = within
            .map(|event| Event {
                time_secs: earlier(event.time_secs, from_secs),
                name: event.name.clone(),
            })
            .collect();
        part.duration_secs = earlier(to_secs, from_secs);
        Ok(part)
    }

    /// Same clip played backwards.
    pub fn reversed(&self) -> Self {
        let end = self.duration_secs;
        let mut back = self.map_tracks(|track, _| turn_round(track, end));
        back.events.reverse();
        for event in &mut back.events {
            event.time_secs = earlier(end, event.time_secs);
        }
        back
    }

    /// Same motion with `fps` keys per second in every track and linear interpolation. The first
    /// key is at 0, the last at the end. Tracks with one key and step tracks do not change.
    ///
    /// # Errors
    /// If the rate is not positive or gives too many keys.
    pub fn resampled(&self, fps: f64) -> Result<Self, ClipEditError> {
        let duration = f64::from(self.duration_secs);
        let frames = (duration * fps).round();
        if !(fps > 0.0 && frames < MAX_KEYS) {
            return Err(ClipEditError::Rate {
                fps,
                duration_secs: self.duration_secs,
            });
        }
        let mut times: Vec<f32> = Vec::new();
        for frame in 0..=frames.max(1.0) as usize {
            let time = (frame as f64 / fps).min(duration) as f32;
            if times.last().is_none_or(|&last| last < time) {
                times.push(time);
            }
        }
        if let Some(last) = times.last_mut() {
            *last = self.duration_secs;
        }
        let times = Arc::new(times);
        Ok(self.map_tracks(|track, kind| {
            if track.keys() == 1 || track.interpolation() == Interpolation::Step {
                return track.clone();
            }
            let mut values = Vec::with_capacity(times.len() * track.width());
            for &time in times.iter() {
                values.extend(value_at(track, kind, time));
            }
            let between = match kind {
                Kind::Numbers => Interpolation::Linear,
                Kind::Rotation => Interpolation::Slerp,
            };
            let made = Track::new(times.clone(), values, track.width(), between);
            made.unwrap_or_else(|_| track.clone())
        }))
    }

    fn map_tracks(&self, change: impl Fn(&Track, Kind) -> Track) -> Self {
        let numbers = |track: &Track| change(track, Kind::Numbers);
        let joints = self.joints.iter().map(|tracks| JointTracks {
            joint: tracks.joint,
            translation: tracks.translation.as_ref().map(numbers),
            rotation: tracks.rotation.as_ref().map(|t| change(t, Kind::Rotation)),
            scale: tracks.scale.as_ref().map(numbers),
        });
        let morphs = self.morphs.iter().map(|morph| MorphTrack {
            weights: numbers(&morph.weights),
            ..morph.clone()
        });
        let curves = self.curves.iter().map(|curve| Curve {
            track: numbers(&curve.track),
            ..curve.clone()
        });
        Self {
            joints: joints.collect(),
            morphs: morphs.collect(),
            curves: curves.collect(),
            ..self.clone()
        }
    }
}

/// `f32` nearest to `time − by`, the lower one on a tie.
fn earlier(time: f32, by: f32) -> f32 {
    let exact = f64::from(time) - f64::from(by);
    let near = exact as f32;
    let below = near.next_down();
    match exact - f64::from(below) <= f64::from(near) - exact && near > 0.0 {
        true => below,
        false => near,
    }
}

fn value_at(track: &Track, kind: Kind, time_secs: f32) -> Vec<f32> {
    let time = f64::from(time_secs);
    match (kind, track.sample_rotation(time)) {
        (Kind::Rotation, Some(rotation)) => rotation.to_array().to_vec(),
        _ => {
            let mut value = vec![0.0; track.width()];
            track.sample_components(time, &mut value);
            value
        }
    }
}

fn cut(track: &Track, kind: Kind, from: f32, to: f32) -> Track {
    if track.keys() == 1 {
        let time = track.times()[0].min(earlier(to, from));
        let moved = Track::new(
            vec![time],
            track.values().clone(),
            track.width(),
            track.interpolation(),
        );
        return moved.unwrap_or_else(|_| track.clone());
    }
    let per_key = track.width() * track.interpolation().elements_per_key();
    let has_tangents = track.interpolation() == Interpolation::CubicHermite;
    let between = |time: f32| -> Vec<f32> {
        if !has_tangents {
            return value_at(track, kind, time);
        }
        let mut value = vec![0.0; track.width()];
        track.sample_components(f64::from(time), &mut value);
        let slope = track.hermite_slope(f64::from(time));
        [slope.clone(), value, slope].concat()
    };
    let keys = track.times();
    let inside = keys
        .iter()
        .copied()
        .filter(|time| (from..=to).contains(time));
    let mut at: Vec<f32> = [from].into_iter().chain(inside).chain([to]).collect();
    at.dedup();
    // A spline of rotations is shorter than unit length between keys. Close keys reduce the error.
    if kind == Kind::Rotation && has_tangents {
        let is_short = |time: f32| {
            let square: f32 = between(time)[4..8].iter().map(|c| c * c).sum();
            !keys.contains(&time) && (square - 1.0).abs() > 1e-3
        };
        let last = at.len() - 2;
        let parts = at.windows(2).enumerate().flat_map(|(nth, way)| {
            let is_cut = (nth == 0 && is_short(from)) || (nth == last && is_short(to));
            let parts: u8 = if is_cut { 16 } else { 1 };
            let (begin, length) = (way[0], way[1] - way[0]);
            (0..parts).map(move |part| begin + length * f32::from(part) / f32::from(parts))
        });
        at = parts.chain([to]).collect();
    }
    let (mut times, mut values) = (Vec::new(), Vec::new());
    for time in at {
        times.push(earlier(time, from));
        match keys.binary_search_by(|key| key.total_cmp(&time)) {
            Ok(key) => {
                values.extend_from_slice(&track.values()[key * per_key..(key + 1) * per_key]);
            }
            Err(_) => values.extend(between(time)),
        }
    }
    // Merges keys that are too close together for `f32` times.
    let mut kept: Vec<usize> = (0..times.len()).collect();
    kept.dedup_by(|later, before| times[*later] <= times[*before]);
    let values = kept
        .iter()
        .flat_map(|&k| values[k * per_key..(k + 1) * per_key].to_vec());
    let values: Vec<f32> = values.collect();
    let times: Vec<f32> = kept.iter().map(|&k| times[k]).collect();
    let made = Track::new(times, values, track.width(), track.interpolation());
    made.unwrap_or_else(|_| track.clone())
}

fn turn_round(track: &Track, end: f32) -> Track {
    let times: Vec<f32> = track
        .times()
        .iter()
        .rev()
        .map(|&t| earlier(end, t))
        .collect();
    let elements = track.values().chunks_exact(track.width()).rev();
    let mut values: Vec<f32> = elements.flatten().copied().collect();
    let mut interpolation = track.interpolation();
    match interpolation {
        // Reversal has swapped the tangents of each key. Slopes change sign.
        Interpolation::CubicHermite => {
            for (index, element) in values.chunks_exact_mut(track.width()).enumerate() {
                if index % 3 != 1 {
                    element.iter_mut().for_each(|v| *v = -*v);
                }
            }
        }
        // A reversed step holds the value of the key after it, so values shift by one key.
        Interpolation::Step if track.keys() > 1 => {
            values.rotate_left(track.width());
            let len = values.len();
            values.copy_within(
                len - 2 * track.width()..len - track.width(),
                len - track.width(),
            );
        }
        // A reversed parabola would need the key before the segment. A spline is close to it.
        Interpolation::Quadratic => interpolation = Interpolation::CatmullRom,
        _ => {}
    }
    let made = Track::new(times, values, track.width(), interpolation);
    made.unwrap_or_else(|_| track.clone())
}
