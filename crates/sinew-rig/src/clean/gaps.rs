//! Finds gaps, and fills them and removed spikes.
//!
//! In a gap a joint keeps its value to the last bit while it moves before and after, as programs
//! write it when they lose sight of a joint; or keys are missing. A joint that rests does so, too. But
//! in noise nothing rests, and without noise only a gap ends with a jump. A cubic fills the gap. Its
//! slopes are those of the frames beside the gap.

use super::channel::{Channel, Flaw, distance};
use super::report::FillReport;
use super::spikes::median;

/// Min number of equal keys after the first one.
const EQUAL: usize = 3;
/// Max share of keys equal to the key before, of a joint that moves.
const STILL: f64 = 0.5;
/// Max distance of equal values.
const SAME: f64 = 1e-9;
/// Step at the end of a gap, relative to the steps beside the gap.
const JUMP: f64 = 2.0;
/// Max duration of a gap that is filled, in seconds.
const LONGEST_SECS: f64 = 1.0;
/// Time beside a gap that gives the slope, in seconds.
const SLOPE_SECS: f64 = 0.05;
/// Duration of a gap, in seconds, from which on slopes count less, so that the cubic does not swing.
const STEADY_SECS: f64 = 0.3;

/// Marks keys that repeat the key before. `least` is the deviation from which on a channel has noise.
pub(super) fn find_gaps<const N: usize>(channel: &mut Channel<N>, least: f64) {
    let values = &channel.values;
    let repeats: Vec<bool> = (0..values.len())
        .map(|f| f > 0 && distance(&values[f], &values[f - 1]) < SAME)
        .collect();
    let count = repeats.iter().filter(|r| **r).count();
    let mut frame = 0;
    let mut runs = Vec::new();
    while frame < repeats.len() {
        let run = repeats[frame..].iter().take_while(|r| **r).count();
        if run >= EQUAL {
            runs.push(frame..frame + run);
        }
        frame += run.max(1);
    }
    let in_runs: usize = runs.iter().map(ExactSizeIterator::len).sum();
    // A joint that often rests for a moment has no gaps. Long gaps alone do not make it one.
    if (count - in_runs) as f64 > STILL * 0.5 * values.len() as f64
        || in_runs as f64 > STILL * values.len() as f64
    {
        return;
    }
    let is_noisy = noise(values, &repeats) >= least;
    let step = |frame: usize| match frame {
        0 => 0.0,
        _ => values
            .get(frame)
            .map_or(0.0, |v| distance(v, &values[frame - 1])),
    };
    runs.retain(|run| {
        let beside = step(run.start - 1).max(step(run.end + 1));
        is_noisy || step(run.end) > JUMP * beside
    });
    for run in runs {
        channel.flaws[run].fill(Some(Flaw::Gap));
    }
}

/// Usual deviation of each key, from third differences.
fn noise<const N: usize>(values: &[[f64; N]], repeats: &[bool]) -> f64 {
    let moves = |frame: &usize| !repeats[*frame..*frame + 4].contains(&true);
    let third = |frame: usize| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| &values[frame + k]);
        let third: [f64; N] = std::array::from_fn(|i| d[i] - a[i] + 3.0 * (b[i] - c[i]));
        distance(&third, &[0.0; N])
    };
    let frames = 0..values.len().saturating_sub(3);
    // The squares of the weights of a third difference add up to 20.
    median(frames.filter(moves).map(third).collect()) / 20_f64.sqrt()
}

/// Fills runs of marked keys. A run with a gap in it counts as a gap. Removes the marks of gaps that
/// stay.
pub(super) fn fill<const N: usize>(
    channel: &mut Channel<N>,
    fps: f64,
    [gaps, spikes]: [&mut FillReport; 2],
) {
    let mut filled = [false; 2];
    let mut frame = 0;
    while frame < channel.flaws.len() {
        let flaws = &channel.flaws[frame..];
        let run = flaws.iter().take_while(|flaw| flaw.is_some()).count();
        if run > 0 {
            let is_gap = flaws[..run].contains(&Some(Flaw::Gap));
            let report = if is_gap { &mut *gaps } else { &mut *spikes };
            let after = frame + run;
            let secs = run as f64 / fps;
            if frame == 0 || after == channel.flaws.len() || secs > LONGEST_SECS {
                report.left += 1;
                if is_gap {
                    channel.flaws[frame..after].fill(None);
                }
            } else {
                fill_run(channel, frame, after, fps);
                filled[usize::from(!is_gap)] = true;
                report.runs += 1;
                report.keys += run;
                report.longest_secs = report.longest_secs.max(secs);
            }
        }
        frame += run.max(1);
    }
    gaps.joints += usize::from(filled[0]);
    spikes.joints += usize::from(filled[1]);
}

fn fill_run<const N: usize>(channel: &mut Channel<N>, first: usize, after: usize, fps: f64) {
    let reach = ((SLOPE_SECS * fps).round() as usize).max(2);
    let known = |f: &usize| channel.flaws[*f].is_none();
    let before: Vec<usize> = (0..first).rev().take_while(known).take(reach).collect();
    let behind: Vec<usize> = (after..channel.values.len())
        .take_while(known)
        .take(reach)
        .collect();
    let span = (after - first + 1) as f64;
    let steady = (STEADY_SECS * fps / span).min(1.0);
    let [from, to] = [channel.values[first - 1], channel.values[after]];
    let slopes = [before, behind].map(|frames| slope(&channel.values, &frames));
    for frame in first..after {
        let t = (frame + 1 - first) as f64 / span;
        let (t2, t3) = (t * t, t * t * t);
        for c in 0..N {
            let [out, into] = [slopes[0][c], slopes[1][c]].map(|slope| slope * span * steady);
            channel.values[frame][c] = from[c] * (2.0 * t3 - 3.0 * t2 + 1.0)
                + out * (t3 - 2.0 * t2 + t)
                + to[c] * (3.0 * t2 - 2.0 * t3)
                + into * (t3 - t2);
        }
    }
}

/// Slope per frame by least squares. 0 for fewer than two frames.
fn slope<const N: usize>(values: &[[f64; N]], frames: &[usize]) -> [f64; N] {
    let count = frames.len() as f64;
    let middle = frames.iter().map(|f| *f as f64).sum::<f64>() / count;
    let spread: f64 = frames.iter().map(|f| (*f as f64 - middle).powi(2)).sum();
    std::array::from_fn(|c| {
        if spread == 0.0 || frames.is_empty() {
            return 0.0;
        }
        let moments = frames.iter().map(|f| (*f as f64 - middle) * values[*f][c]);
        moments.sum::<f64>() / spread
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gaps(value: impl Fn(usize) -> f64) -> Vec<usize> {
        let mut channel = Channel {
            joint: 0,
            values: (0..90).map(|frame| [value(frame)]).collect(),
            flaws: vec![None; 90],
        };
        find_gaps(&mut channel, 1e-3);
        (0..90).filter(|f| channel.flaws[*f].is_some()).collect()
    }

    #[test]
    fn a_joint_that_rests_has_no_gap() {
        // It slows down to rest, and starts again.
        let swing = |frame: usize| (0.05 * frame as f64).sin();
        let rests = |frame: usize| {
            let after = frame.saturating_sub(50) as f64;
            (30.0 - frame.min(30) as f64).powi(2) * 1e-3 + after * after * 1e-3
        };
        assert!(gaps(rests).is_empty());
        // The same run within a swing ends with a jump.
        let lost = |frame: usize| swing(if (30..50).contains(&frame) { 29 } else { frame });
        assert_eq!(gaps(lost), (30..50).collect::<Vec<_>>());
        // In noise, nothing rests.
        let noise = |frame: usize| 0.01 * ((frame * frame * 7 % 13) as f64 / 13.0);
        let noisy = |frame: usize| noise(if (30..50).contains(&frame) { 29 } else { frame });
        assert_eq!(gaps(noisy), (30..50).collect::<Vec<_>>());
    }
}
