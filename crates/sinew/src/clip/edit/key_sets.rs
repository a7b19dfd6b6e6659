//! Editing of several keys of a track at once: other times, other tangents, fewer keys. Keys whose tangents are
//! automatic keep automatic tangents; tangents that a person has set stay.

use super::key::KeyError;
use super::track_keys::{Keys, check_time};
use crate::clip::track::{Interpolation, Track, TrackError};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Kind of the tangents of a key in a cubic Hermite track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[doc(alias = "handle")]
pub enum TangentKind {
    /// Slopes follow the neighbouring keys, without overshoot.
    Auto,
    /// Slopes of 0 per second.
    Flat,
    /// Slopes of the straight lines to both neighbours.
    Linear,
    /// Equal slopes on both sides, set by hand.
    Aligned,
    /// Slopes set by hand, different on both sides.
    Free,
}

impl Track {
    /// Moves keys to other times, with their values and tangents. `time_secs` maps old times to new ones. Slopes
    /// are divided by `slower`, the factor by which the keys move apart.
    ///
    /// # Errors
    /// If a key does not exist, a new time is negative or not finite, or two keys would have the same time.
    pub fn retime_keys(
        &mut self,
        keys: &BTreeSet<usize>,
        slower: f32,
        time_secs: impl Fn(f32) -> f32,
    ) -> Result<(), KeyError> {
        if !(slower.is_finite() && slower > 0.0) {
            return Err(KeyError::BadValue);
        }
        if self.interpolation() != Interpolation::CubicHermite {
            return self.retime_plain(keys, time_secs);
        }
        let mut rows = self.rows();
        for &key in keys {
            self.check_key(key)?;
            let row = &mut rows[key];
            row.time_secs = time_secs(row.time_secs);
            check_time(row.time_secs)?;
            let width = self.width();
            if let Some((before, after)) = row.elements.split_at_mut_checked(width)
                && after.len() == 2 * width
            {
                let slopes = before.iter_mut().chain(&mut after[width..]);
                slopes.for_each(|slope| *slope /= slower);
            }
        }
        self.set_rows(rows)
    }

    /// Moves keys of a track without tangents. The values are shared as long as the keys keep their order.
    fn retime_plain(
        &mut self,
        keys: &BTreeSet<usize>,
        time_secs: impl Fn(f32) -> f32,
    ) -> Result<(), KeyError> {
        let mut times = self.times().to_vec();
        for &key in keys {
            self.check_key(key)?;
            times[key] = time_secs(times[key]);
            check_time(times[key])?;
        }
        let mut order: Vec<usize> = (0..times.len()).collect();
        order.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
        let mut same = order.windows(2).enumerate();
        if let Some((key, pair)) = same.find(|(_, pair)| times[pair[0]] == times[pair[1]]) {
            let time_secs = times[pair[0]];
            return Err(KeyError::Taken { key, time_secs });
        }
        let values = if order.is_sorted() {
            self.values().clone()
        } else {
            let values = order.iter().flat_map(|&key| self.key(key));
            Arc::new(values.copied().collect())
        };
        let times: Vec<f32> = order.into_iter().map(|key| times[key]).collect();
        *self = Self::new(times, values, self.width(), self.interpolation())?;
        Ok(())
    }

    /// Sets keys of another track of the same width. Keys at the same times are replaced. `interpolation` stays.
    ///
    /// # Errors
    /// If the widths differ or a time is negative.
    pub fn paste_keys(&mut self, other: &Self) -> Result<(), KeyError> {
        if other.width() != self.width() {
            return Err(KeyError::BadValue);
        }
        let other = if other.interpolation() == self.interpolation() {
            other.clone()
        } else {
            other.with_interpolation(self.interpolation())
        };
        let pasted = other.rows();
        for row in &pasted {
            check_time(row.time_secs)?;
        }
        let is_replaced = |row: &Row| {
            let mut pasted = pasted.iter();
            pasted.any(|new| new.time_secs == row.time_secs)
        };
        let mut rows = self.rows();
        rows.retain(|row| !is_replaced(row));
        rows.extend(pasted);
        self.set_rows(rows)
    }

    /// The given keys as a track of their own. `None` if there are none.
    pub fn only_keys(&self, keys: &BTreeSet<usize>) -> Option<Self> {
        let rows = self.rows().into_iter().enumerate();
        let rows = rows.filter(|(key, _)| keys.contains(key));
        let mut track = self.clone();
        track.replace(rows.map(|(_, row)| row).collect()).ok()?;
        Some(track)
    }

    /// The track without the given keys. `None` if none is left.
    pub fn without_keys(&self, keys: &BTreeSet<usize>) -> Option<Self> {
        let rows = self.rows().into_iter().enumerate();
        let rows = rows.filter(|(key, _)| !keys.contains(key));
        let mut track = self.clone();
        track.set_rows(rows.map(|(_, row)| row).collect()).ok()?;
        Some(track)
    }

    /// Kind of the tangents of a key. `None` if the key does not exist or the track has no tangents.
    pub fn tangent_kind(&self, key: usize) -> Option<TangentKind> {
        if self.interpolation() != Interpolation::CubicHermite || key >= self.keys() {
            return None;
        }
        let [before, after] = self.tangents(key)?;
        Some(if Keys::of(self).is_automatic(key) {
            TangentKind::Auto
        } else if before.iter().chain(after).all(|&slope| slope == 0.0) {
            TangentKind::Flat
        } else if self
            .chords(key)
            .iter()
            .flatten()
            .eq(before.iter().chain(after))
        {
            TangentKind::Linear
        } else if before == after {
            TangentKind::Aligned
        } else {
            TangentKind::Free
        })
    }

    /// Slopes before and after a key, per second. `None` if the track stores none.
    pub fn tangents(&self, key: usize) -> Option<[&[f32]; 2]> {
        let width = self.width();
        let all = match self.interpolation() {
            Interpolation::CubicHermite => {
                self.values().get(3 * key * width..3 * (key + 1) * width)?
            }
            _ => return None,
        };
        Some([&all[..width], &all[2 * width..]])
    }

    /// Sets the slopes before and after a key, per second. A track of another interpolation becomes cubic first.
    ///
    /// # Errors
    /// If the key does not exist, or the slopes have another width or are not finite.
    pub fn set_tangents(
        &mut self,
        key: usize,
        before: &[f32],
        after: &[f32],
    ) -> Result<(), KeyError> {
        self.check_key(key)?;
        let width = self.width();
        let is_bad =
            |slopes: &[f32]| slopes.len() != width || slopes.iter().any(|s| !s.is_finite());
        if is_bad(before) || is_bad(after) {
            return Err(KeyError::BadValue);
        }
        let mut rows = self.as_cubic().rows();
        rows[key].elements[..width].copy_from_slice(before);
        rows[key].elements[2 * width..].copy_from_slice(after);
        rows[key].is_auto = false;
        self.interpolate_as(Interpolation::CubicHermite);
        self.replace(rows)
    }

    /// Sets tangents of a kind that follows from the keys: automatic, flat or linear. `Aligned` takes the mean of the
    /// slopes of both sides, `Free` changes nothing. A track of another interpolation becomes cubic first.
    ///
    /// # Errors
    /// If the key does not exist.
    pub fn set_tangent_kind(&mut self, key: usize, kind: TangentKind) -> Result<(), KeyError> {
        self.check_key(key)?;
        let cubic = self.as_cubic();
        let zero = vec![0.0; self.width()];
        match kind {
            TangentKind::Auto => {
                let mut rows = cubic.rows();
                rows[key].is_auto = true;
                self.interpolate_as(Interpolation::CubicHermite);
                self.set_rows(rows)
            }
            TangentKind::Flat => self.set_tangents(key, &zero, &zero),
            TangentKind::Linear => {
                let [before, after] = cubic.chords(key);
                self.set_tangents(key, &before, &after)
            }
            TangentKind::Aligned => {
                let [before, after] = cubic.tangents(key).unwrap_or([&zero, &zero]);
                let mean = before.iter().zip(after).map(|(a, b)| 0.5 * (a + b));
                let mean: Vec<f32> = mean.collect();
                self.set_tangents(key, &mean, &mean)
            }
            TangentKind::Free => {
                *self = cubic;
                Ok(())
            }
        }
    }

    fn as_cubic(&self) -> Self {
        match self.interpolation() {
            Interpolation::CubicHermite => self.clone(),
            _ => self.with_interpolation(Interpolation::CubicHermite),
        }
    }

    fn interpolate_as(&mut self, interpolation: Interpolation) {
        if self.interpolation() != interpolation {
            *self = self.with_interpolation(interpolation);
        }
    }

    /// Slopes of the lines to the neighbours. At an end, the line on the other side serves for both.
    fn chords(&self, key: usize) -> [Vec<f32>; 2] {
        let last = self.keys() - 1;
        let chord = |a: usize, b: usize| -> Vec<f32> {
            let span = self.times()[b] - self.times()[a];
            let ends = self.key(a).iter().zip(self.key(b));
            ends.map(|(a, b)| if span > 0.0 { (b - a) / span } else { 0.0 })
                .collect()
        };
        let after = chord(key, (key + 1).min(last));
        let before = chord(key.saturating_sub(1), key);
        match (key == 0, key == last) {
            (true, true) => [before, after],
            (true, false) => [after.clone(), after],
            (false, true) => [before.clone(), before],
            (false, false) => [before, after],
        }
    }

    fn rows(&self) -> Vec<Row> {
        let per_key = self.width() * self.interpolation().elements_per_key();
        let keys = Keys::of(self);
        let rows = self.times().iter().zip(self.values().chunks_exact(per_key));
        rows.enumerate()
            .map(|(key, (&time_secs, elements))| Row {
                time_secs,
                elements: elements.to_vec(),
                is_auto: keys.is_automatic(key),
            })
            .collect()
    }

    /// Replaces all keys and computes automatic tangents again.
    fn set_rows(&mut self, mut rows: Vec<Row>) -> Result<(), KeyError> {
        rows.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        if let Some(key) = rows
            .windows(2)
            .position(|w| w[0].time_secs == w[1].time_secs)
        {
            let time_secs = rows[key].time_secs;
            return Err(KeyError::Taken { key, time_secs });
        }
        self.replace(rows)
    }

    fn replace(&mut self, rows: Vec<Row>) -> Result<(), KeyError> {
        if rows.is_empty() {
            return Err(TrackError::Empty.into());
        }
        let mut keys = Keys::of(self);
        keys.times = rows.iter().map(|row| row.time_secs).collect();
        keys.values = rows
            .iter()
            .flat_map(|row| row.elements.iter().copied())
            .collect();
        let automatic = rows.iter().enumerate().filter(|(_, row)| row.is_auto);
        automatic.for_each(|(key, _)| keys.smooth(key));
        *self = keys.into_track()?;
        Ok(())
    }
}

/// A key with its tangents.
struct Row {
    time_secs: f32,
    elements: Vec<f32>,
    is_auto: bool,
}
