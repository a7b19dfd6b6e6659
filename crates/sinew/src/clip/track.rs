//! Tracks: keys of one signal, and the interpolation between them. Key times ascend and may be
//! uneven. Quadratic interpolation is the parabola through the two keys of a segment and the next
//! key. Catmull–Rom is a cubic. Its tangent at a key is that of the parabola through the key and
//! its two neighbours (Catmull and Rom 1974, for uneven times). Cubic Hermite stores tangents as in
//! glTF: in-tangent, value, out-tangent.

use glam::{Quat, Vec3};
use sinew_math::transform::quat;
use std::sync::Arc;
use thiserror::Error;

/// Interpolation between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Interpolation {
    /// Holds the value of the earlier key.
    Step,
    /// Straight line. Rotations are normalized.
    Linear,
    /// Arc at constant speed for rotations, straight line for other values.
    Slerp,
    /// Parabola through the two keys and the key after them.
    Quadratic,
    /// Cubic with stored tangents. Rotations are normalized.
    CubicHermite,
    /// Cubic with tangents from neighbouring keys. Rotations are normalized.
    CatmullRom,
}

impl Interpolation {
    /// Number of stored elements per key: 3 with tangents, otherwise 1.
    pub const fn elements_per_key(self) -> usize {
        match self {
            Self::CubicHermite => 3,
            _ => 1,
        }
    }
}

/// Error while a track is made or sampled.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TrackError {
    /// Track without keys.
    #[error("a track needs at least one key")]
    Empty,
    /// Track with a width of 0.
    #[error("a track's elements need at least one number each")]
    ZeroWidth,
    /// Number of values that does not match the number of times.
    #[error(
        "{keys} keys of {width} numbers with {interpolation:?} need {expected} numbers, not {found}"
    )]
    Count {
        /// Number of key times.
        keys: usize,
        /// Numbers per element.
        width: usize,
        /// Interpolation that was given.
        interpolation: Interpolation,
        /// Number of values needed.
        expected: usize,
        /// Number of values given.
        found: usize,
    },
    /// Output slice that does not match the width.
    #[error("the output has {found} numbers, but a key of the track has {expected}")]
    OutputWidth {
        /// Length of the slice.
        found: usize,
        /// Numbers per key.
        expected: usize,
    },
    /// Times that do not ascend.
    #[error("key {key} at {time_secs} s is not later than the key before it")]
    NotAscending {
        /// Index of the key.
        key: usize,
        /// Time of the key, in seconds.
        time_secs: f32,
    },
    /// Time or value that is not finite.
    #[error("key {key} is not finite")]
    NotFinite {
        /// Index of the key.
        key: usize,
    },
}

/// Keys of one signal of any width. Clones share times and values.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "fcurve")]
#[doc(alias = "animation curve")]
pub struct Track {
    times: Arc<Vec<f32>>,
    values: Arc<Vec<f32>>,
    width: usize,
    interpolation: Interpolation,
}

impl Track {
    /// Creates a track and checks its keys. Each element has `width` numbers. A key has one
    /// element, or three for cubic Hermite: in-tangent, value and out-tangent.
    pub fn new(
        times: impl Into<Arc<Vec<f32>>>,
        values: impl Into<Arc<Vec<f32>>>,
        width: usize,
        interpolation: Interpolation,
    ) -> Result<Self, TrackError> {
        let (times, values) = (times.into(), values.into());
        if times.is_empty() {
            return Err(TrackError::Empty);
        }
        if width == 0 {
            return Err(TrackError::ZeroWidth);
        }
        let per_key = width.saturating_mul(interpolation.elements_per_key());
        let expected = times.len().saturating_mul(per_key);
        if values.len() != expected {
            return Err(TrackError::Count {
                keys: times.len(),
                width,
                interpolation,
                expected,
                found: values.len(),
            });
        }
        check_times(&times)?;
        if let Some(index) = values.iter().position(|v| !v.is_finite()) {
            return Err(TrackError::NotFinite {
                key: index / per_key,
            });
        }
        Ok(Self {
            times,
            values,
            width,
            interpolation,
        })
    }

    /// Track of rotations, of width 4.
    pub fn rotations(
        times: impl Into<Arc<Vec<f32>>>,
        keys: &[Quat],
        interpolation: Interpolation,
    ) -> Result<Self, TrackError> {
        let values: Vec<f32> = keys.iter().flat_map(|q| q.to_array()).collect();
        Self::new(times, values, 4, interpolation)
    }

    /// Track of vectors, of width 3.
    pub fn vectors(
        times: impl Into<Arc<Vec<f32>>>,
        keys: &[Vec3],
        interpolation: Interpolation,
    ) -> Result<Self, TrackError> {
        let values: Vec<f32> = keys.iter().flat_map(|v| v.to_array()).collect();
        Self::new(times, values, 3, interpolation)
    }

    /// Key times in seconds, ascending.
    pub fn times(&self) -> &Arc<Vec<f32>> {
        &self.times
    }

    /// Stored numbers, including tangents.
    pub fn values(&self) -> &Arc<Vec<f32>> {
        &self.values
    }

    /// Numbers per element.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Interpolation between keys.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Time of the last key, in seconds.
    pub fn end_secs(&self) -> f32 {
        self.times[self.times.len() - 1]
    }

    /// Number of keys.
    pub fn keys(&self) -> usize {
        self.times.len()
    }

    /// Value of a key, without its tangents.
    pub fn key(&self, key: usize) -> &[f32] {
        match self.interpolation {
            Interpolation::CubicHermite => self.element(3 * key + 1),
            _ => self.element(key),
        }
    }

    fn element(&self, element: usize) -> &[f32] {
        &self.values[element * self.width..(element + 1) * self.width]
    }

    /// Changes every element and keeps the times. `change` also receives true for tangents.
    pub(super) fn map_elements(&self, mut change: impl FnMut(bool, &mut [f32])) -> Self {
        let mut values = self.values.to_vec();
        for (index, element) in values.chunks_exact_mut(self.width).enumerate() {
            let is_tangent = self.interpolation.elements_per_key() == 3 && index % 3 != 1;
            change(is_tangent, element);
        }
        Self {
            values: Arc::new(values),
            ..self.clone()
        }
    }

    /// First key of the segment at `time_secs`, and the fraction of the segment in [0, 1], clamped.
    pub(super) fn locate(&self, time_secs: f64) -> (usize, f64) {
        let after = self.times.partition_point(|&t| f64::from(t) <= time_secs);
        located(&self.times, after, time_secs)
    }

    /// Writes the value at a time in seconds. Values at keys are exact. Outside the keys, the value
    /// is that of the nearest key. For rotations, use [`Track::sample_rotation`].
    ///
    /// # Errors
    /// If the length of `out` is not the width of the track.
    pub fn sample(&self, time_secs: f64, out: &mut [f32]) -> Result<(), TrackError> {
        if out.len() != self.width {
            return Err(TrackError::OutputWidth {
                found: out.len(),
                expected: self.width,
            });
        }
        self.sample_components(time_secs, out);
        Ok(())
    }

    pub(super) fn sample_components(&self, time_secs: f64, out: &mut [f32]) {
        self.components_at(self.locate(time_secs), out);
    }

    /// Value at a key and a fraction from [`Track::locate`].
    pub(super) fn components_at(&self, (key, along): (usize, f64), out: &mut [f32]) {
        if along == 0.0 || self.interpolation == Interpolation::Step {
            out.copy_from_slice(self.key(key));
            return;
        }
        let along = along as f32;
        for (c, out) in out.iter_mut().enumerate() {
            *out = self.component(key, along, c, |k| self.key(k)[c]);
        }
    }

    /// Vector at a time in seconds. `None` if the width is not 3.
    pub fn sample_vector(&self, time_secs: f64) -> Option<Vec3> {
        let mut out = [0.0; 3];
        if self.width != out.len() {
            return None;
        }
        self.sample_components(time_secs, &mut out);
        Some(Vec3::from_array(out))
    }

    /// Rotation at a time in seconds, of unit length if the keys are. `None` if the width is not 4.
    /// Except for cubic Hermite, neighbouring keys are first brought to one hemisphere.
    pub fn sample_rotation(&self, time_secs: f64) -> Option<Quat> {
        (self.width == 4).then(|| self.rotation_at(self.locate(time_secs)))
    }

    /// Rotation at a key and a fraction from [`Track::locate`]. The width must be 4.
    pub(super) fn rotation_at(&self, (key, along): (usize, f64)) -> Quat {
        let quat_at = |k: usize| {
            let v = self.key(k);
            Quat::from_xyzw(v[0], v[1], v[2], v[3])
        };
        let a = quat_at(key);
        if along == 0.0 || self.interpolation == Interpolation::Step {
            return a;
        }
        let along = along as f32;
        match self.interpolation {
            Interpolation::Step => a,
            Interpolation::Linear => quat::nlerp(a, quat_at(key + 1), along),
            Interpolation::Slerp => quat::slerp(a, quat_at(key + 1), along),
            Interpolation::CubicHermite => {
                let c = |c| self.component(key, along, c, |k| self.key(k)[c]);
                quat::normalized(Quat::from_xyzw(c(0), c(1), c(2), c(3)))
            }
            Interpolation::Quadratic | Interpolation::CatmullRom => {
                // Each key is aligned with its neighbour nearer to `a`, for large rotations.
                let b = quat::aligned(quat_at(key + 1), a);
                let near = |k: usize| match k {
                    _ if k == key + 1 => b,
                    _ if k == key + 2 => quat::aligned(quat_at(k), b),
                    _ => quat::aligned(quat_at(k), a),
                };
                let c = |c: usize| self.component(key, along, c, |k| near(k).to_array()[c]);
                quat::normalized(Quat::from_xyzw(c(0), c(1), c(2), c(3)))
            }
        }
    }

    /// Component `c` at the fraction `along` after `key`. `value` returns the component at a key.
    fn component(&self, key: usize, along: f32, c: usize, value: impl Fn(usize) -> f32) -> f32 {
        let (v0, v1) = (value(key), value(key + 1));
        let (t0, t1) = (self.times[key], self.times[key + 1]);
        let span = t1 - t0;
        match self.interpolation {
            Interpolation::Step => v0,
            Interpolation::Linear | Interpolation::Slerp => v0 + (v1 - v0) * along,
            Interpolation::Quadratic => {
                let chord = (v1 - v0) / span;
                // Second divided difference, with the key after the segment or else before it.
                let bend = if key + 2 < self.times.len() {
                    let t2 = self.times[key + 2];
                    ((value(key + 2) - v1) / (t2 - t1) - chord) / (t2 - t0)
                } else if key > 0 {
                    let before = self.times[key - 1];
                    (chord - (v0 - value(key - 1)) / (t0 - before)) / (t1 - before)
                } else {
                    0.0
                };
                let dt = along * span;
                v0 + dt * (chord + bend * (dt - span))
            }
            Interpolation::CubicHermite => {
                let out_tangent = self.element(3 * key + 2)[c] * span;
                let in_tangent = self.element(3 * key + 3)[c] * span;
                hermite(v0, out_tangent, v1, in_tangent, along)
            }
            Interpolation::CatmullRom => {
                let m0 = self.tangent(key, &value) * span;
                let m1 = self.tangent(key + 1, &value) * span;
                hermite(v0, m0, v1, m1, along)
            }
        }
    }

    pub(super) fn hermite_slope(&self, time_secs: f64) -> Vec<f32> {
        let (key, along) = self.locate(time_secs);
        let next = (key + 1).min(self.keys() - 1);
        let span = f64::from(self.times[next]) - f64::from(self.times[key]);
        if span <= 0.0 {
            return vec![0.0; self.width];
        }
        let (t, t2) = (along, along * along);
        let slope = |c: usize| {
            let [v0, v1] = [key, next].map(|k| f64::from(self.key(k)[c]));
            let m0 = f64::from(self.element(3 * key + 2)[c]);
            let m1 = f64::from(self.element(3 * next)[c]);
            let chord = (v1 - v0) / span;
            let slope = (6.0 * t - 6.0 * t2) * chord
                + (3.0 * t2 - 4.0 * t + 1.0) * m0
                + (3.0 * t2 - 2.0 * t) * m1;
            slope as f32
        };
        (0..self.width).map(slope).collect()
    }

    /// Slope at a key of the parabola through it and its neighbours. At an end, slope of the chord.
    fn tangent(&self, key: usize, value: impl Fn(usize) -> f32) -> f32 {
        let slope = |a: usize, b: usize| (value(b) - value(a)) / (self.times[b] - self.times[a]);
        let last = self.times.len() - 1;
        if key == 0 {
            slope(0, 1)
        } else if key == last {
            slope(last - 1, last)
        } else {
            let before = self.times[key] - self.times[key - 1];
            let after = self.times[key + 1] - self.times[key];
            (slope(key - 1, key) * after + slope(key, key + 1) * before) / (before + after)
        }
    }
}

/// As [`Track::locate`], if `after` keys are not later than `time_secs`.
#[inline(always)]
pub(super) fn located(times: &[f32], after: usize, time_secs: f64) -> (usize, f64) {
    let last = times.len() - 1;
    match after {
        0 => (0, 0.0),
        after if after > last => (last, 0.0),
        after => {
            let (t0, t1) = (f64::from(times[after - 1]), f64::from(times[after]));
            (after - 1, (time_secs - t0) / (t1 - t0))
        }
    }
}

pub(super) fn check_times(times: &[f32]) -> Result<(), TrackError> {
    if let Some(key) = times.iter().position(|t| !t.is_finite()) {
        return Err(TrackError::NotFinite { key });
    }
    match times.windows(2).position(|w| w[1] <= w[0]) {
        Some(before) => Err(TrackError::NotAscending {
            key: before + 1,
            time_secs: times[before + 1],
        }),
        None => Ok(()),
    }
}

fn hermite(v0: f32, m0: f32, v1: f32, m1: f32, t: f32) -> f32 {
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * v0
        + (t3 - 2.0 * t2 + t) * m0
        + (3.0 * t2 - 2.0 * t3) * v1
        + (t3 - t2) * m1
}
