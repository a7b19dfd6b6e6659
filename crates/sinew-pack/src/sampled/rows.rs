//! Rows of frames at which a clip may be packed. The coarsest row holds the keys of most tracks: it
//! is regular, or the key times themselves if most keys are at uneven times. Tracks with other keys,
//! or with curves, are sampled at its frames. A track for which this is too coarse uses a row that
//! is finer by an integer factor.

use super::source::is_straight;
use sinew::clip::packed::format::MAX_FRAMES;
use sinew::clip::{Clip, Interpolation, Track};
use std::sync::Arc;

/// Max distance of a key from its frame in a regular row, in frames.
pub(crate) const OFF_ROW: f64 = 2e-3;
/// Fraction by which keys may outnumber frames before a finer row is needed.
const FEW: f64 = 0.5;
/// Max number of frames per key of the longest track.
const MAX_PER_KEY: usize = 32;
/// Factors by which a row may be finer than the keys require.
const FINER: [usize; 5] = [1, 2, 4, 8, 16];

/// Factor by which the keys of all tracks may outnumber those of the longest, for a row at uneven times.
const MAX_UNEVEN: usize = 2;

/// Rows of one choice, as frame times, coarsest first. Each row is finer than the previous row by an
/// integer factor. An empty row packs nothing.
pub(crate) struct Rows {
    pub times: Vec<Vec<f32>>,
    /// True if the chunks must list the times of their frames.
    pub are_uneven: bool,
}

/// Choices of rows at which to pack a clip. A choice has only one row if every track, except
/// stepped tracks, has straight lines between keys on that row. If the first choice adds frames to
/// the clip's own row, the second is that row alone.
pub(crate) fn choices(clip: &Clip) -> Vec<Rows> {
    let uneven = uneven_row(clip);
    let are_uneven = uneven.is_some();
    let choices = choices_on(clip, uneven.unwrap_or_else(|| own_row(clip)));
    let rows = |times| Rows { times, are_uneven };
    choices.into_iter().map(rows).collect()
}

/// Times of the keys of all linear and slerp tracks, if most of them are at uneven times that tracks share.
fn uneven_row(clip: &Clip) -> Option<Vec<f32>> {
    let arrays = straight_times(clip);
    let (most, _) = arrays
        .iter()
        .max_by_key(|(times, tracks)| times.len() * tracks)?;
    let all = all_times(&arrays);
    let longest = arrays.iter().map(|a| a.0.len()).max()?;
    let is_uneven = !is_regular(most) && !is_regular(&all);
    let is_shared = all.len() <= MAX_FRAMES.min(MAX_UNEVEN * longest);
    (is_uneven && is_shared).then_some(all)
}

fn choices_on(clip: &Clip, own: Vec<f32>) -> Vec<Vec<Vec<f32>>> {
    let is_off = |t: &&Track| t.interpolation() != Interpolation::Step && !is_on(t, &own);
    let off: Vec<&Track> = moving(clip).filter(is_off).collect();
    if off.is_empty() {
        let coarse = coarser(clip, &own);
        return vec![coarse.into_iter().chain([own]).collect()];
    }
    let first = off.iter().map(|t| t.times()[0]).fold(f32::MAX, f32::min);
    let last = off.iter().map(|t| t.end_secs()).fold(f32::MIN, f32::max);
    let spacing = |t: &&Track| f64::from(t.end_secs() - t.times()[0]) / (t.keys() - 1) as f64;
    let closest = off.iter().map(spacing).fold(f64::INFINITY, f64::min);
    let max_keys = moving(clip).map(Track::keys).max().unwrap_or(0);
    let max_frames = max_keys.saturating_mul(MAX_PER_KEY).min(MAX_FRAMES);
    let (coarse, keys) = match row_of(&own) {
        Some((_, step)) => {
            let keys = (step / closest - FEW).ceil().max(1.0);
            (longer(&own, first, last, max_frames), keys)
        }
        None => {
            let secs = f64::from(last) - f64::from(first);
            let steps = (secs / closest - OFF_ROW).ceil().max(1.0);
            (finer(&[first, last], steps, max_frames), 1.0)
        }
    };
    let Some(coarse) = coarse else {
        return vec![vec![own]];
    };
    let mut rows = vec![coarse];
    for parts in FINER.map(|times| keys * times as f64) {
        if parts > 1.0 {
            rows.extend(finer(&rows[0], parts, max_frames));
        }
    }
    if own.is_empty() {
        vec![rows]
    } else {
        vec![rows, vec![own]]
    }
}

/// Extends a row to cover `first` to `last`. `None` above `max_frames`: short files must be fast.
fn longer(row: &[f32], first: f32, last: f32, max_frames: usize) -> Option<Vec<f32>> {
    let (start, step) = row_of(row)?;
    let end = f64::from(row[row.len() - 1]);
    let frames = |secs: f64| (secs / step - OFF_ROW).ceil().max(0.0);
    let (before, after) = (
        frames(start - f64::from(first)),
        frames(f64::from(last) - end),
    );
    let count = before + row.len() as f64 + after;
    if count.is_nan() || count > max_frames as f64 {
        return None;
    }
    let mut times = Vec::with_capacity(count as usize);
    times.extend(
        (1..=before as usize)
            .rev()
            .map(|f| (start - f as f64 * step) as f32),
    );
    times.extend(row);
    times.extend((1..=after as usize).map(|f| (end + f as f64 * step) as f32));
    times.is_sorted_by(|a, b| a < b).then_some(times)
}

fn finer(row: &[f32], parts: f64, max_frames: usize) -> Option<Vec<f32>> {
    let count = (row.len() as f64 - 1.0) * parts + 1.0;
    if count.is_nan() || count > max_frames as f64 {
        return None;
    }
    let between = row.windows(2).flat_map(|pair| {
        let [a, b] = [pair[0], pair[1]].map(f64::from);
        (0..parts as usize).map(move |part| (a + (b - a) * part as f64 / parts) as f32)
    });
    let times: Vec<f32> = between.chain(row.last().copied()).collect();
    times.is_sorted_by(|a, b| a < b).then_some(times)
}

/// Row with the keys of most tracks, if it is every n-th frame of `own`. Other tracks need `own`.
fn coarser(clip: &Clip, own: &[f32]) -> Option<Vec<f32>> {
    let arrays = straight_times(clip);
    let tracks: usize = arrays.iter().map(|a| a.1).sum();
    let (times, _) = arrays.into_iter().find(|a| 2 * a.1 >= tracks)?;
    let stride = (own.len() - 1) / (times.len() - 1);
    let is_row = stride > 1 && times.iter().eq(own.iter().step_by(stride));
    is_row.then(|| times.to_vec())
}

/// True for a constant track, or straight lines with keys on the frames of a row.
pub(crate) fn is_on(track: &Track, row: &[f32]) -> bool {
    let is_frame = |t: &f32| row.binary_search_by(|f| f.total_cmp(t)).is_ok();
    track.keys() == 1 || is_straight(track) && track.times().iter().all(is_frame)
}

fn moving(clip: &Clip) -> impl Iterator<Item = &Track> {
    let joints = clip.joints.iter();
    let tracks = joints.flat_map(|j| [&j.translation, &j.rotation, &j.scale]);
    tracks.flatten().filter(|t| t.keys() > 1)
}

/// Key times of linear and slerp tracks, with the number of tracks that share each.
fn straight_times(clip: &Clip) -> Vec<(&Arc<Vec<f32>>, usize)> {
    let mut arrays: Vec<(&Arc<Vec<f32>>, usize)> = Vec::new();
    for track in moving(clip).filter(|t| is_straight(t)) {
        match arrays.iter_mut().find(|a| a.0 == track.times()) {
            Some(known) => known.1 += 1,
            None => arrays.push((track.times(), 1)),
        }
    }
    arrays
}

/// Key times of all linear and slerp tracks, if they are regular. Otherwise the regular times that
/// most tracks share, or an empty list.
fn own_row(clip: &Clip) -> Vec<f32> {
    let mut arrays = straight_times(clip);
    let all = all_times(&arrays);
    let fits = |times: &[f32]| is_regular(times) && times.len() <= MAX_FRAMES;
    if fits(&all) {
        return all;
    }
    arrays.retain(|a| fits(a.0));
    arrays
        .into_iter()
        .max_by_key(|a| a.1)
        .map_or_else(Vec::new, |a| a.0.to_vec())
}

fn all_times(arrays: &[(&Arc<Vec<f32>>, usize)]) -> Vec<f32> {
    let mut all: Vec<f32> = arrays.iter().flat_map(|a| a.0.iter().copied()).collect();
    all.sort_unstable_by(f32::total_cmp);
    all.dedup();
    all
}

fn is_regular(times: &[f32]) -> bool {
    let Some((first, step)) = row_of(times) else {
        return false;
    };
    let off = |(f, t): (usize, &f32)| (f64::from(*t) - first - f as f64 * step).abs();
    times
        .iter()
        .enumerate()
        .map(off)
        .all(|off| off <= OFF_ROW * step)
}

pub(crate) fn row_of(times: &[f32]) -> Option<(f64, f64)> {
    let (first, last) = (f64::from(*times.first()?), f64::from(*times.last()?));
    let steps = times.len().checked_sub(1).filter(|&s| s > 0)?;
    Some((first, (last - first) / steps as f64))
}

impl Rows {
    /// Regular times near the rounded times of the coarsest row. `None` if these are already regular, or uneven.
    pub fn snapped(&self) -> Option<Self> {
        let times = &self.times[0];
        if self.are_uneven || fitted(times).is_some() {
            return None;
        }
        let (first, step) = row_of(times)?;
        let frames = 0..times.len();
        let regular: Vec<f32> = frames.map(|f| (first + f as f64 * step) as f32).collect();
        let are_times = regular.is_sorted_by(|a, b| a < b);
        are_times.then(|| Self {
            times: vec![regular],
            are_uneven: false,
        })
    }
}

/// Like [`row_of`], but with a step that reproduces each time exactly. `None` if no step does.
pub(crate) fn fitted(times: &[f32]) -> Option<(f64, f64)> {
    let first = f64::from(*times.first()?);
    let (mut low, mut high) = (0.0, f64::INFINITY);
    for (frame, &time) in times.iter().enumerate().skip(1) {
        let half = |next: f32| 0.5 * (f64::from(time) + f64::from(next)) - first;
        low = f64::max(low, half(time.next_down()) / frame as f64);
        high = f64::min(high, half(time.next_up()) / frame as f64);
    }
    (times.len() > 1 && low <= high).then_some((first, 0.5 * (low + high)))
}
