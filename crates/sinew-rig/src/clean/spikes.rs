//! Finds spikes: keys that jump away from the motion on both sides, and back.
//!
//! The known keys beside a key predict it: a cubic through two on each side. A fast swing is smooth,
//! so it is near its prediction, or else its neighbours move as fast. A spike is far from both.

use super::channel::{Channel, Flaw, distance};

/// Number of keys on each side whose distances are usual.
const AROUND: usize = 8;
/// Distance of a spike from its prediction, relative to the usual distance, to the steps beside it,
/// and at the ends of a clip, where one side predicts, to the least distance.
const TIMES: f64 = 6.0;
const STEPS: f64 = 2.0;
const ENDS: f64 = 3.0;
/// Min cosine of the angle between the ways from a spike to both neighbours.
const BACK: f64 = 0.5;
/// Distance of a key that stands out without the spike beside it, relative to that of the spike.
const OWN: f64 = 0.5;
/// 1, and the sum of the squares of the weights of two keys on each side at even times.
const EVEN_SQUARES: f64 = 1.0 + 34.0 / 36.0;
/// Max number of times that spikes are found. A large one hides smaller ones near it.
const ROUNDS: usize = 8;

/// Marks spikes. `least` is the min distance of a spike from its prediction. Gaps do not count.
pub(super) fn find_spikes<const N: usize>(channel: &mut Channel<N>, least: f64) {
    for _ in 0..ROUNDS {
        let known = channel.flaws.iter().zip(&channel.values);
        let known = known.enumerate().filter(|(_, (flaw, _))| flaw.is_none());
        let known: Vec<(usize, [f64; N])> = known.map(|(f, (_, value))| (f, *value)).collect();
        if known.len() < AROUND {
            return;
        }
        let off: Vec<f64> = (0..known.len()).map(|k| off(&known, k, None)).collect();
        let found = (0..known.len()).filter(|k| stands_out(&known, &off, *k, least));
        let found: Vec<usize> = found.map(|k| known[k].0).collect();
        if found.is_empty() {
            return;
        }
        for frame in found {
            channel.flaws[frame] = Some(Flaw::Spike);
        }
    }
}

/// Distance of a key from the polynomial through the keys beside it, but not through `without`. Far
/// from those keys, as beside a gap, the polynomial is uncertain, and the distance counts less.
fn off<const N: usize>(known: &[(usize, [f64; N])], k: usize, without: Option<usize>) -> f64 {
    let other = |other: &usize| Some(*other) != without;
    let mut before: Vec<usize> = (0..k).rev().filter(other).take(2).collect();
    let mut after: Vec<usize> = (k + 1..known.len()).filter(other).take(2).collect();
    // A straight line where a side has too few keys.
    if !before.is_empty() && !after.is_empty() && before.len() + after.len() < 4 {
        before.truncate(1);
        after.truncate(1);
    }
    let is_end = before.is_empty() || after.is_empty();
    let beside: Vec<usize> = before.into_iter().chain(after).collect();
    let time = |k: usize| known[k].0 as f64;
    let mut predicted = [0.0; N];
    let mut squares = 1.0;
    for &node in &beside {
        let others = beside.iter().filter(|other| **other != node);
        let weight = others
            .map(|&other| (time(k) - time(other)) / (time(node) - time(other)))
            .product::<f64>();
        squares += weight * weight;
        for (sum, value) in predicted.iter_mut().zip(&known[node].1) {
            *sum += weight * value;
        }
    }
    let certain = if is_end {
        1.0
    } else {
        (EVEN_SQUARES / squares).sqrt()
    };
    certain * distance(&known[k].1, &predicted)
}

fn stands_out<const N: usize>(
    known: &[(usize, [f64; N])],
    off: &[f64],
    k: usize,
    least: f64,
) -> bool {
    let last = known.len() - 1;
    let near = k.saturating_sub(AROUND)..(k + AROUND).min(last) + 1;
    // A spike makes the keys beside it stand out, too.
    let is_larger = |other: usize| off[other] > off[k];
    let of_its_own = |other: usize| self::off(known, other, Some(k)) > OWN * off[k];
    if off[k].is_nan()
        || off[k] <= least
        || near
            .clone()
            .any(|other| is_larger(other) && of_its_own(other))
    {
        return false;
    }
    let value = |k: usize| &known[k].1;
    let before = k.checked_sub(2).map(|other| (other, k - 1));
    let after = (k + 2 <= last).then_some((k + 1, k + 2));
    let steps = [before, after].into_iter().flatten();
    let steps = steps.map(|(a, b)| distance(value(a), value(b)) / (known[b].0 - known[a].0) as f64);
    let fastest = steps.fold(0.0, f64::max);
    let jumps = if k == 0 || k == last {
        off[k] > ENDS * least
    } else {
        let ways = [k - 1, k + 1].map(|other| distance(value(k), value(other)));
        let along: f64 = (0..N)
            .map(|c| (value(k)[c] - value(k - 1)[c]) * (value(k)[c] - value(k + 1)[c]))
            .sum();
        ways[0].min(ways[1]) > least.max(off[k] / STEPS) && along > BACK * ways[0] * ways[1]
    };
    let far = near.filter(|other| other.abs_diff(k) > 2);
    jumps
        && off[k] > STEPS * fastest
        && off[k] > TIMES * median(far.map(|other| off[other]).collect())
}

/// 0 without values.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Swings of 120° at 30 keys per second, 2.5 times a second, with spikes of 30° and more.
    fn found(spikes: &[usize]) -> Vec<usize> {
        let swing = |frame: usize| 0.5 * (frame as f64 * 2.5 / 30.0 * std::f64::consts::TAU).sin();
        let mut channel = Channel {
            joint: 0,
            values: (0..120).map(|frame| [swing(frame), 0.0]).collect(),
            flaws: vec![None; 120],
        };
        for frame in spikes {
            channel.values[*frame][1] += 0.5;
        }
        find_spikes(&mut channel, 0.052);
        let is_spike = |frame: &usize| channel.flaws[*frame].is_some();
        (0..120).filter(is_spike).collect()
    }

    #[test]
    fn spikes_stand_out_from_fast_swings() {
        for spikes in [&[][..], &[40], &[0, 41, 60, 119], &[20, 23]] {
            assert_eq!(found(spikes), spikes);
        }
    }

    #[test]
    fn a_jump_that_stays_is_no_spike_and_a_spike_beside_a_gap_is_one() {
        let channel = |value: &dyn Fn(usize) -> f64| Channel {
            joint: 0,
            values: (0..60).map(|frame| [value(frame)]).collect(),
            flaws: vec![None; 60],
        };
        // Swings back a little just before the jump, as an arm that whips around.
        let jump = |frame: usize| match frame {
            0..27 => 0.8,
            27 => 0.75,
            28 => 0.65,
            29 => 0.52,
            _ => 1.0 - 0.1 * (frame - 30).min(4) as f64,
        };
        let mut whip = channel(&jump);
        find_spikes(&mut whip, 0.052);
        assert!(whip.flaws.iter().all(Option::is_none));
        let swing = |frame: usize| (0.1 * frame as f64).sin();
        let mut gap = channel(&|f| swing(f) + 0.5 * f64::from(u8::from(f == 29)));
        gap.flaws[31..37].fill(Some(Flaw::Gap));
        find_spikes(&mut gap, 0.052);
        let is_spike = |f: &usize| matches!(gap.flaws[*f], Some(Flaw::Spike));
        assert_eq!((0..60).filter(is_spike).collect::<Vec<_>>(), [29]);
    }
}
