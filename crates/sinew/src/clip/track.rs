//! One signal sampled at keys, and how it is put together again between them.
//!
//! Keys may stand at any times, ascending. Quadratic is the parabola through a segment's two keys
//! and the next one; Catmull–Rom is the cubic whose tangents are those of the parabolas through
//! three neighbouring keys (Catmull and Rom 1974, for uneven times); cubic Hermite has its tangents
//! in the keys, as glTF lays them out: in-tangent, value, out-tangent.

use glam::{Quat, Vec3};
use sinew_math::transform::quat;
use std::sync::Arc;
use thiserror::Error;

/// What happens between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The earlier key holds.
    Step,
    /// A straight line; for rotations the chord, normalised.
    Linear,
    /// For rotations the arc at constant speed; a straight line for anything else.
    Slerp,
    /// A parabola.
    Quadratic,
    /// A cubic with tangents in the keys; rotations are normalised afterwards.
    CubicHermite,
    /// A cubic with tangents found from the neighbouring keys; rotations are normalised afterwards.
    CatmullRom,
}

impl Interpolation {
    /// How many stored elements make a key: three when it carries tangents.
    pub const fn elements_per_key(self) -> usize {
        match self {
            Self::CubicHermite => 3,
            _ => 1,
        }
    }
}

/// Why keys do not make a track.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TrackError {
    /// No keys.
    #[error("a track needs at least one key")]
    Empty,
    /// Elements of no width.
    #[error("a track's elements need at least one number each")]
    ZeroWidth,
    /// Times and values do not match.
    #[error(
        "{keys} keys of {width} numbers with {interpolation:?} need {wanted} numbers, not {found}"
    )]
    Count {
        /// Number of key times.
        keys: usize,
        /// Numbers an element.
        width: usize,
        /// What was asked for.
        interpolation: Interpolation,
        /// What that needs.
        wanted: usize,
        /// What was given.
        found: usize,
    },
    /// Room for another number of values than the track has.
    #[error("there is room for {found} numbers where the track has {wanted} per key")]
    OutputWidth {
        /// Room that there is.
        found: usize,
        /// Numbers per key.
        wanted: usize,
    },
    /// Times that do not ascend.
    #[error("key {key} at {time_secs} s does not come after the one before it")]
    NotAscending {
        /// Which key.
        key: usize,
        /// Its time.
        time_secs: f32,
    },
    /// A time or value that is not finite.
    #[error("key {key} is not finite")]
    NotFinite {
        /// Which key.
        key: usize,
    },
}

/// Keys of one signal of any width. Times and values are shared, not copied, between tracks that
/// were stored once.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    times: Arc<Vec<f32>>,
    values: Arc<Vec<f32>>,
    width: usize,
    interpolation: Interpolation,
}

impl Track {
    /// Checks and takes keys; `values` holds `width` numbers an element, one element a key, or three
    /// (in-tangent, value, out-tangent) for cubic Hermite.
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
        let wanted = times.len().saturating_mul(per_key);
        if values.len() != wanted {
            return Err(TrackError::Count {
                keys: times.len(),
                width,
                interpolation,
                wanted,
                found: values.len(),
            });
        }
        check_times(&times)?;
        if let Some(place) = values.iter().position(|v| !v.is_finite()) {
            return Err(TrackError::NotFinite {
                key: place / per_key,
            });
        }
        Ok(Self {
            times,
            values,
            width,
            interpolation,
        })
    }

    /// Keys of rotations.
    pub fn rotations(
        times: impl Into<Arc<Vec<f32>>>,
        keys: &[Quat],
        interpolation: Interpolation,
    ) -> Result<Self, TrackError> {
        let values: Vec<f32> = keys.iter().flat_map(|q| q.to_array()).collect();
        Self::new(times, values, 4, interpolation)
    }

    /// Keys of vectors.
    pub fn vectors(
        times: impl Into<Arc<Vec<f32>>>,
        keys: &[Vec3],
        interpolation: Interpolation,
    ) -> Result<Self, TrackError> {
        let values: Vec<f32> = keys.iter().flat_map(|v| v.to_array()).collect();
        Self::new(times, values, 3, interpolation)
    }

    /// The key times, ascending.
    pub fn times(&self) -> &Arc<Vec<f32>> {
        &self.times
    }

    /// The stored numbers, tangents included.
    pub fn values(&self) -> &Arc<Vec<f32>> {
        &self.values
    }

    /// Numbers an element.
    pub fn width(&self) -> usize {
        self.width
    }

    /// What happens between keys.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// The last key's time.
    pub fn end_secs(&self) -> f32 {
        self.times[self.times.len() - 1]
    }

    /// How many keys there are.
    pub fn keys(&self) -> usize {
        self.times.len()
    }

    /// A key's value, without its tangents.
    pub fn key(&self, key: usize) -> &[f32] {
        match self.interpolation {
            Interpolation::CubicHermite => self.element(3 * key + 1),
            _ => self.element(key),
        }
    }

    fn element(&self, element: usize) -> &[f32] {
        &self.values[element * self.width..(element + 1) * self.width]
    }

    /// The same times with other numbers: `change` is given every element, and whether it is a tangent.
    pub(super) fn map_elements(&self, mut change: impl FnMut(bool, &mut [f32])) -> Self {
        let mut values = self.values.to_vec();
        for (place, element) in values.chunks_exact_mut(self.width).enumerate() {
            let is_tangent = self.interpolation.elements_per_key() == 3 && place % 3 != 1;
            change(is_tangent, element);
        }
        Self {
            values: Arc::new(values),
            ..self.clone()
        }
    }

    /// The segment that holds `time_secs`, as its first key and how far along (0 to 1); outside the
    /// keys, the nearest one holds.
    pub(super) fn locate(&self, time_secs: f64) -> (usize, f64) {
        let after = self.times.partition_point(|&t| f64::from(t) <= time_secs);
        let last = self.times.len() - 1;
        match after {
            0 => (0, 0.0),
            after if after > last => (last, 0.0),
            after => {
                let (t0, t1) = (
                    f64::from(self.times[after - 1]),
                    f64::from(self.times[after]),
                );
                (after - 1, (time_secs - t0) / (t1 - t0))
            }
        }
    }

    /// The signal at a time: at a key exactly that key, outside the keys the nearest one.
    /// `out` must have the track's width. Rotations want [`Track::sample_rotation`].
    ///
    /// # Errors
    /// When `out` has another length than the track's width.
    pub fn sample(&self, time_secs: f64, out: &mut [f32]) -> Result<(), TrackError> {
        if out.len() != self.width {
            return Err(TrackError::OutputWidth {
                found: out.len(),
                wanted: self.width,
            });
        }
        self.sample_components(time_secs, out);
        Ok(())
    }

    /// The same for an `out` of the track's width.
    pub(super) fn sample_components(&self, time_secs: f64, out: &mut [f32]) {
        let (key, along) = self.locate(time_secs);
        if along == 0.0 || self.interpolation == Interpolation::Step {
            out.copy_from_slice(self.key(key));
            return;
        }
        let along = along as f32;
        for (c, out) in out.iter_mut().enumerate() {
            *out = self.component(key, along, c, |k| self.key(k)[c]);
        }
    }

    /// A vector track at a time; `None` for a track that has not three numbers per key.
    pub fn sample_vector(&self, time_secs: f64) -> Option<Vec3> {
        let mut out = [0.0; 3];
        if self.width != out.len() {
            return None;
        }
        self.sample_components(time_secs, &mut out);
        Some(Vec3::from_array(out))
    }

    /// A rotation track (of width 4) at a time, of unit length if its keys are. Keys on the far side
    /// of the sphere are taken from the near one, except for cubic Hermite, whose tangents belong to
    /// the keys as they are. `None` for a track that has not four numbers per key.
    pub fn sample_rotation(&self, time_secs: f64) -> Option<Quat> {
        (self.width == 4).then(|| self.rotation_at(time_secs))
    }

    fn rotation_at(&self, time_secs: f64) -> Quat {
        let quat_at = |k: usize| {
            let v = self.key(k);
            Quat::from_xyzw(v[0], v[1], v[2], v[3])
        };
        let (key, along) = self.locate(time_secs);
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
                // Each on the side of its neighbour nearer to `a`, so that a turn of over 90° a key goes on
                // the same way round.
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

    /// One number of the signal between `key` and the next, `along` of the way; `value` gives that
    /// number at a key.
    fn component(&self, key: usize, along: f32, c: usize, value: impl Fn(usize) -> f32) -> f32 {
        let (v0, v1) = (value(key), value(key + 1));
        let (t0, t1) = (self.times[key], self.times[key + 1]);
        let span = t1 - t0;
        match self.interpolation {
            Interpolation::Step => v0,
            Interpolation::Linear | Interpolation::Slerp => v0 + (v1 - v0) * along,
            Interpolation::Quadratic => {
                let chord = (v1 - v0) / span;
                // The parabola's second divided difference, with the next key or else the one before.
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

    /// How fast the numbers of a track with tangents change at a time, a second.
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

    /// The slope at a key of the parabola through it and its two neighbours; at an end, of the
    /// chord to its only neighbour.
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

/// Refuses times that are not finite or do not ascend.
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

/// The cubic from `v0` with slope `m0` to `v1` with slope `m1`, slopes over the unit interval.
fn hermite(v0: f32, m0: f32, v1: f32, m1: f32, t: f32) -> f32 {
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * v0
        + (t3 - 2.0 * t2 + t) * m0
        + (3.0 * t2 - 2.0 * t3) * v1
        + (t3 - t2) * m1
}
