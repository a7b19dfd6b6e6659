//! Frame rate for the export of a clip.

use sinew::clip::Clip;
use sinew::{Interpolation, Track};

/// Rate of clips whose keys are not evenly spaced, in frames per second.
const DEFAULT_FPS: f64 = 60.0;

/// Max frame time, in seconds. Readers may take a larger number for a rate.
const LONG_FRAME_SECS: f64 = 1.0;

/// Max number of frames of a clip that gets frames between sparse keys.
const MAX_BETWEEN: f64 = 1e5;

/// Min rate at which curved motion between frames is not visible, in frames per second.
const SMOOTH_FPS: f64 = 24.0;

/// Up to this rate, in frames per second, most frames may be without a key.
const DENSE_FPS: f64 = 240.0;

/// Above this rate, in frames per second, only the keys of most tracks get frames.
const FINE_FPS: f64 = 120.0;

/// Max relative difference of two times that count as equal.
const ROUNDING: f64 = 2e-6;

pub(super) struct Rate {
    pub(super) frame_secs: f64,
    pub(super) frames: usize,
    /// True if some keys are not at a frame, or the motion between keys is not linear.
    pub(super) is_resampled: bool,
}

impl Rate {
    /// Chooses the requested rate, the rate of evenly spaced keys, or 60 frames per second.
    pub(super) fn of(clip: &Clip, fps: Option<f64>) -> Self {
        let own = own_rate(clip);
        let Some(fps) = fps else {
            return own.unwrap_or_else(|| Self::at(clip, DEFAULT_FPS.recip()));
        };
        match own {
            Some(own) if (own.frame_secs * fps - 1.0).abs() < 1e-6 => own,
            _ => Self::at(clip, fps.recip()),
        }
    }

    /// Frames from 0 to the end of the clip. The last frame may be just after the end.
    fn at(clip: &Clip, frame_secs: f64) -> Self {
        let last = (f64::from(clip.duration_secs) / frame_secs - 1e-4).ceil();
        Self {
            frame_secs,
            frames: last.max(0.0) as usize + 1,
            is_resampled: true,
        }
    }

    /// Time of a frame, in seconds. Bit-exact for keys at the rate of the clip.
    pub(super) fn time_secs(&self, frame: usize) -> f64 {
        f64::from((frame as f64 * self.frame_secs) as f32)
    }
}

fn tracks(clip: &Clip) -> impl Iterator<Item = &Track> {
    let tracks = clip.joints.iter();
    let tracks = tracks.flat_map(|j| [&j.translation, &j.rotation, &j.scale]);
    tracks.flatten()
}

fn own_rate(clip: &Clip) -> Option<Rate> {
    let mut times: Vec<f32> = tracks(clip)
        .flat_map(|track| track.times().iter().copied())
        .collect();
    times.push(clip.duration_secs);
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    let last = f64::from(*times.last()?);
    if last <= 0.0 {
        return Some(Rate {
            frame_secs: 1.0 / 30.0,
            frames: 1,
            is_resampled: false,
        });
    }
    let mut distinct = vec![0.0];
    for time in times.iter().copied().map(f64::from) {
        if distinct
            .last()
            .is_some_and(|before| time - before > ROUNDING * time)
        {
            distinct.push(time);
        }
    }
    let gaps = distinct.windows(2).map(|pair| pair[1] - pair[0]);
    let steps = (last / gaps.fold(f64::INFINITY, f64::min)).round();
    let frame_secs = last / steps;
    let is_frame = |time: &f64| (time / frame_secs - (time / frame_secs).round()).abs() < 0.01;
    let fps = frame_secs.recip();
    let is_dense = fps <= DENSE_FPS || steps <= 2.0 * distinct.len() as f64;
    let is_straight = |track: &Track| {
        let straight = [Interpolation::Linear, Interpolation::Slerp];
        straight.contains(&track.interpolation())
    };
    let straight = tracks(clip).all(is_straight);
    if !distinct.iter().all(is_frame) || !is_dense {
        return None;
    }
    if let Some(parts) = usual_parts(clip, frame_secs) {
        return Some(Rate::at(clip, parts * frame_secs));
    }
    let frame_secs = shortest(frame_secs, &times);
    // Clips with scale get more frames, because scaled joints do not move in straight lines.
    let is_scaled = clip.joints.iter().any(|joint| joint.scale.is_some());
    let is_straight = straight && !is_scaled && frame_secs < LONG_FRAME_SECS;
    let is_fine = fps >= SMOOTH_FPS || is_straight;
    let parts = (frame_secs * DEFAULT_FPS - 1e-6).ceil();
    let parts = if is_fine || steps * parts > MAX_BETWEEN {
        1.0
    } else {
        parts
    };
    Some(Rate {
        frame_secs: frame_secs / parts,
        frames: (steps * parts) as usize + 1,
        is_resampled: !straight || parts > 1.0,
    })
}

/// Number of frames per key of a typical track. `None` unless the rate is above [`FINE_FPS`].
fn usual_parts(clip: &Clip, frame_secs: f64) -> Option<f64> {
    if frame_secs.recip() <= 1.01 * FINE_FPS {
        return None;
    }
    let gap = |track: &Track| match track.times().as_slice() {
        [first, between @ .., last] => Some(f64::from(last - first) / (between.len() + 1) as f64),
        _ => None,
    };
    let mut gaps: Vec<f64> = tracks(clip).filter_map(gap).collect();
    gaps.sort_unstable_by(f64::total_cmp);
    let parts = (gaps.get(gaps.len() / 2)? / frame_secs).round();
    let is_smooth = (parts * frame_secs).recip() >= SMOOTH_FPS;
    (parts > 1.0 && is_smooth).then_some(parts)
}

/// Frame time with the fewest digits that reproduces every key time exactly, or `frame_secs`.
fn shortest(frame_secs: f64, times: &[f32]) -> f64 {
    let candidates = (2..=14).filter_map(|digits| format!("{frame_secs:.digits$}").parse().ok());
    let mut candidates = candidates.filter(|secs: &f64| *secs > 0.0);
    let meets = |secs: &f64| {
        let is_met = |&time: &f32| ((f64::from(time) / frame_secs).round() * secs) as f32 == time;
        times.iter().all(is_met)
    };
    candidates.find(meets).unwrap_or(frame_secs)
}
