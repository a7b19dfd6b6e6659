//! Editing of the keys of a track. Automatic tangents of cubic tracks are slopes of the parabola
//! through a key and its neighbours, with limits against overshoot (Fritsch and Carlson 1980).

use super::key::KeyError;
use crate::clip::track::{Interpolation, Track, TrackError};
use glam::Quat;
use sinew_math::transform::quat;
use std::sync::Arc;

impl Track {
    /// Sets a key. An existing key at that time is replaced. Returns the index of the key. Automatic tangents beside it
    /// follow; tangents set by hand stay, also those of a replaced key.
    ///
    /// ```
    /// use sinew::{Interpolation, Track};
    /// let mut height = Track::new(vec![0.0, 2.0], vec![1.0, 3.0], 1, Interpolation::Linear)?;
    /// assert_eq!(height.insert_key(1.0, &[5.0])?, 1);
    /// assert_eq!(height.move_key(1, 3.0)?, 2);
    /// height.delete_key(0)?;
    /// assert_eq!(height.times()[..], [2.0, 3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_key(&mut self, time_secs: f32, value: &[f32]) -> Result<usize, KeyError> {
        check_time(time_secs)?;
        if value.len() != self.width() || value.iter().any(|v| !v.is_finite()) {
            return Err(KeyError::BadValue);
        }
        let mut keys = Keys::of(self);
        let index = keys.times.partition_point(|&t| t < time_secs);
        keys.insert(index, time_secs, value);
        *self = keys.into_track()?;
        Ok(index)
    }

    /// Moves a key with its value to another time, even past other keys. Returns its new index.
    pub fn move_key(&mut self, key: usize, time_secs: f32) -> Result<usize, KeyError> {
        check_time(time_secs)?;
        self.check_key(key)?;
        let taken = self.times().iter().position(|&t| t == time_secs);
        if let Some(key) = taken.filter(|&other| other != key) {
            return Err(KeyError::Taken { key, time_secs });
        }
        let mut keys = Keys::of(self);
        let value = self.key(key).to_vec();
        keys.remove(key);
        let index = keys.times.partition_point(|&t| t < time_secs);
        keys.insert(index, time_secs, &value);
        *self = keys.into_track()?;
        Ok(index)
    }

    /// Deletes a key. Deleting the only key is an error.
    pub fn delete_key(&mut self, key: usize) -> Result<(), KeyError> {
        self.check_key(key)?;
        if self.keys() == 1 {
            return Err(TrackError::Empty.into());
        }
        let mut keys = Keys::of(self);
        keys.remove(key);
        *self = keys.into_track()?;
        Ok(())
    }

    /// Same keys with another interpolation. Tangents are computed if the interpolation needs them.
    pub fn with_interpolation(&self, interpolation: Interpolation) -> Self {
        let mut keys = Keys::of(self);
        let values = (0..self.keys()).flat_map(|key| self.key(key).iter().copied());
        let values: Vec<f32> = values.collect();
        keys.interpolation = interpolation;
        keys.values.clear();
        for value in values.chunks_exact(keys.width) {
            keys.values.extend_from_slice(&keys.element(value));
        }
        for key in 0..keys.times.len() {
            keys.smooth(key);
        }
        // Always succeeds: the keys come from a track.
        keys.into_track().unwrap_or_else(|_| self.clone())
    }

    pub(super) fn check_key(&self, key: usize) -> Result<(), KeyError> {
        let keys = self.keys();
        if key < keys {
            Ok(())
        } else {
            Err(KeyError::NoSuchKey { key, keys })
        }
    }
}

pub(super) fn check_time(time_secs: f32) -> Result<(), KeyError> {
    if time_secs.is_finite() && time_secs >= 0.0 {
        Ok(())
    } else {
        Err(KeyError::BadTime { time_secs })
    }
}

pub(super) struct Keys {
    pub times: Vec<f32>,
    pub values: Vec<f32>,
    width: usize,
    interpolation: Interpolation,
}

impl Keys {
    pub fn of(track: &Track) -> Self {
        Self {
            times: track.times().to_vec(),
            values: track.values().to_vec(),
            width: track.width(),
            interpolation: track.interpolation(),
        }
    }

    pub fn into_track(mut self) -> Result<Track, TrackError> {
        // Tracks are kept for long; an inserted key would leave room for as many again.
        self.times.shrink_to_fit();
        self.values.shrink_to_fit();
        let (times, values) = (Arc::new(self.times), Arc::new(self.values));
        Track::new(times, values, self.width, self.interpolation)
    }

    pub fn range(&self, key: usize) -> std::ops::Range<usize> {
        key * self.per_key()..(key + 1) * self.per_key()
    }

    fn per_key(&self) -> usize {
        self.width * self.interpolation.elements_per_key()
    }

    fn element(&self, value: &[f32]) -> Vec<f32> {
        let zero = vec![0.0; self.width];
        match self.interpolation {
            Interpolation::CubicHermite => [&zero[..], value, &zero[..]].concat(),
            _ => value.to_vec(),
        }
    }

    /// Inserts a key before an index, or replaces the value of the key that has its time there.
    fn insert(&mut self, index: usize, time_secs: f32, value: &[f32]) {
        let is_there = self.times.get(index) == Some(&time_secs);
        let next = index + usize::from(is_there);
        let follows = [
            index > 0 && self.is_automatic(index - 1),
            !is_there || self.is_automatic(index),
            self.is_automatic(next),
        ];
        let own = self.range(index);
        if is_there {
            let at = own.start + (own.len() - self.width) / 2;
            self.values[at..at + self.width].copy_from_slice(value);
        } else {
            let element = self.element(value);
            self.times.insert(index, time_secs);
            self.values.splice(own.start..own.start, element);
        }
        for (offset, follows) in follows.into_iter().enumerate() {
            if follows {
                self.smooth(index + offset - 1);
            }
        }
    }

    fn remove(&mut self, index: usize) {
        let follows = [
            index > 0 && self.is_automatic(index - 1),
            self.is_automatic(index + 1),
        ];
        self.values.drain(self.range(index));
        self.times.remove(index);
        for (offset, follows) in follows.into_iter().enumerate() {
            if follows {
                self.smooth(index + offset - 1);
            }
        }
    }

    /// True if the tangents of a key are those that its neighbours give.
    pub fn is_automatic(&self, key: usize) -> bool {
        self.has_tangents(key)
            && (0..self.width).all(|c| {
                let slope = self.slope(key, c);
                [0, 2]
                    .iter()
                    .all(|side| self.values[(3 * key + side) * self.width + c] == slope)
            })
    }

    fn has_tangents(&self, key: usize) -> bool {
        self.interpolation == Interpolation::CubicHermite && key < self.times.len()
    }

    /// Computes the tangents of a key, if it has any.
    pub fn smooth(&mut self, key: usize) {
        if self.has_tangents(key) {
            for c in 0..self.width {
                let slope = self.slope(key, c);
                self.values[3 * key * self.width + c] = slope;
                self.values[(3 * key + 2) * self.width + c] = slope;
            }
        }
    }

    /// Slope of the parabola through a key and its neighbours, limited against overshoot. 0 at both ends.
    fn slope(&self, key: usize, c: usize) -> f32 {
        if key == 0 || key + 1 == self.times.len() {
            return 0.0;
        }
        let value = |k: usize| self.values[(3 * k + 1) * self.width + c];
        let slope = |a: usize, b: usize| (value(b) - value(a)) / (self.times[b] - self.times[a]);
        let (before, after) = (slope(key - 1, key), slope(key, key + 1));
        let left = self.times[key] - self.times[key - 1];
        let right = self.times[key + 1] - self.times[key];
        let steep = (before * right + after * left) / (left + right);
        let most = 3.0 * before.abs().min(after.abs());
        if before * after <= 0.0 {
            0.0
        } else {
            steep.max(-most).min(most)
        }
    }
}

impl Track {
    /// Puts each rotation key in the hemisphere of the key before, so that cubics take the shorter
    /// arc. Tangents change sign with their keys. If only one of two neighbours changes sign, the
    /// tangents of both are recomputed.
    pub(super) fn on_one_side(&self) -> Self {
        // Most tracks need no change; they keep their arrays.
        if !self.changes_sides() {
            return self.clone();
        }
        let mut keys = Keys::of(self);
        let per_key = keys.per_key();
        let mut has_turned = vec![false; self.keys()];
        let mut before: Option<Quat> = None;
        for key in 0..self.keys() {
            let v = self.key(key);
            let now = Quat::from_xyzw(v[0], v[1], v[2], v[3]);
            let aligned = before.map_or(now, |before| quat::aligned(now, before));
            if aligned != now {
                has_turned[key] = true;
                let range = key * per_key..(key + 1) * per_key;
                keys.values[range].iter_mut().for_each(|x| *x = -*x);
            }
            before = Some(aligned);
        }
        for key in 1..self.keys() {
            if has_turned[key] != has_turned[key - 1] {
                keys.smooth(key - 1);
                keys.smooth(key);
            }
        }
        // Always succeeds: only signs changed.
        keys.into_track().unwrap_or_else(|_| self.clone())
    }

    fn changes_sides(&self) -> bool {
        let key = |key: usize| {
            let v = self.key(key);
            Quat::from_xyzw(v[0], v[1], v[2], v[3])
        };
        (1..self.keys()).any(|k| quat::aligned(key(k), key(k - 1)) != key(k))
    }
}
