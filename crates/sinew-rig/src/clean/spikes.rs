//! Finds spikes: keys far from the median of the keys around them (Hampel 1974).

use super::channel::{Channel, Flaw, distance};

/// Half of the time around a key, in seconds, and its min number of frames.
const HALF_SECS: f64 = 0.05;
const HALF_FRAMES: usize = 3;
/// Distance of a spike from the median, relative to the usual distance there.
const TIMES: f64 = 6.0;

/// Marks spikes. `least` is the min distance of a spike from the median. Gaps do not count.
pub(super) fn find_spikes<const N: usize>(channel: &mut Channel<N>, fps: f64, least: f64) {
    let half = ((HALF_SECS * fps).round() as usize).max(HALF_FRAMES);
    let count = channel.values.len();
    let known: Vec<bool> = channel.flaws.iter().map(Option::is_none).collect();
    let around = |frame: usize| {
        let near = frame.saturating_sub(half)..(frame + half + 1).min(count);
        near.filter(|f| known[*f])
    };
    let far: Vec<f64> = (0..count)
        .map(|frame| {
            let value = |c: usize| around(frame).map(move |f| (f, c));
            let values = &channel.values;
            let middle = std::array::from_fn(|c| median(value(c).map(|(f, c)| values[f][c])));
            distance(&values[frame], &middle)
        })
        .collect();
    for frame in (0..count).filter(|f| known[*f]) {
        let usual = median(around(frame).map(|f| far[f]));
        if far[frame] > least.max(TIMES * usual) {
            channel.flaws[frame] = Some(Flaw::Spike);
        }
    }
}

/// 0 without values.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}
