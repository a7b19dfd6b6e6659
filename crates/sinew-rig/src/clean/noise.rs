//! Filters noise, with a cut-off for each joint by residual analysis (Winter 2009).
//!
//! The residual is the distance between a signal and the filtered signal. At high cut-offs it is
//! noise alone, and falls along a line. This line, continued to a cut-off of 0, gives the noise of
//! the whole signal. The chosen cut-off has a residual of this size: as much signal is lost as
//! noise is kept. Whether there is noise at all is judged by the median, because noise is everywhere.

use super::channel::Channel;
use crate::motion::low_pass::{LowPass, MAX_CUTOFF, low_pass};

/// Cut-offs that are tried, in hertz: the lowest, the highest and the step.
const LOWEST_HZ: f64 = 2.0;
const HIGHEST_HZ: f64 = 30.0;
const STEP_HZ: f64 = 1.0;
/// Part of the cut-offs, from the highest down, on the line of noise.
const TAIL: f64 = 0.4;

/// Cut-off in hertz. `None` if the noise is below `least`.
pub(super) fn cutoff<const N: usize>(values: &[[f64; N]], fps: f64, least: f64) -> Option<f64> {
    let highest = HIGHEST_HZ.min(MAX_CUTOFF * fps);
    let count = ((highest - LOWEST_HZ) / STEP_HZ).floor();
    if count < 4.0 {
        return None;
    }
    let cutoffs: Vec<f64> = (0..=count as usize)
        .map(|k| LOWEST_HZ + STEP_HZ * k as f64)
        .collect();
    let residuals: Vec<[f64; 2]> = cutoffs
        .iter()
        .map(|hz| residuals(values, *hz, fps))
        .collect();
    let from = cutoffs.len() - ((TAIL * cutoffs.len() as f64) as usize).max(3);
    let [residuals, usual] = [0, 1].map(|k| residuals.iter().map(|r| r[k]).collect::<Vec<_>>());
    if intercept(&cutoffs[from..], &usual[from..]) < least {
        return None;
    }
    let noise = intercept(&cutoffs[from..], &residuals[from..]);
    let chosen = residuals.iter().position(|r| *r <= noise)?;
    let Some(before) = chosen.checked_sub(1) else {
        return Some(LOWEST_HZ);
    };
    let part = (residuals[before] - noise) / (residuals[before] - residuals[chosen]).max(1e-12);
    Some(cutoffs[before] + STEP_HZ * part)
}

/// Root of the mean of the squares of what the filter removes, and of their median. The median does
/// not see a jump or a short fast motion.
fn residuals<const N: usize>(values: &[[f64; N]], hz: f64, fps: f64) -> [f64; 2] {
    let mut filtered = values.to_vec();
    low_pass(&LowPass::new(hz, fps), &mut filtered);
    let squares = values.iter().zip(&filtered).map(|(a, b)| {
        let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
        squares.sum::<f64>()
    });
    let mut squares: Vec<f64> = squares.collect();
    let mean = squares.iter().sum::<f64>() / squares.len() as f64;
    let middle = squares.len() / 2;
    let median = *squares.select_nth_unstable_by(middle, f64::total_cmp).1;
    [mean.sqrt(), median.sqrt()]
}

/// Value at 0 of the line through points, by least squares.
fn intercept(x: &[f64], y: &[f64]) -> f64 {
    let count = x.len() as f64;
    let [mx, my] = [x, y].map(|v| v.iter().sum::<f64>() / count);
    let spread: f64 = x.iter().map(|x| (x - mx) * (x - mx)).sum();
    let slope = x
        .iter()
        .zip(y)
        .map(|(x, y)| (x - mx) * (y - my))
        .sum::<f64>()
        / spread;
    my - slope * mx
}

pub(super) fn filter<const N: usize>(channel: &mut Channel<N>, cutoff_hz: f64, fps: f64) {
    low_pass(&LowPass::new(cutoff_hz, fps), &mut channel.values);
}
