//! Smooths noise by a smoothing spline with a key per frame (Whittaker 1923, Eilers 2003).
//!
//! The smooth signal has the least sum of the squares of its distances from the keys and, times a
//! stiffness, of its third differences. Keys of gaps and spikes do not count. The most likely
//! stiffness (restricted maximum likelihood, Wahba 1985) tells noise from motion. In a short clip
//! this is uncertain, so the usual noise of all joints counts as much as that of the channel.

use super::channel::{Channel, distance};
use super::spikes::median;
use libm::{asin, log, pow};
use std::f64::consts::{PI, SQRT_2};

/// Order of the differences.
const ORDER: usize = 3;
const DIFFERENCE: [f64; ORDER + 1] = [-1.0, 3.0, -3.0, 1.0];
/// Exponents of 10 of the stiffnesses that are tried: the lowest, the step and the count.
const LOWEST: f64 = -2.0;
const STEP: f64 = 0.5;
const COUNT: usize = 20;
/// Min number of keys that count.
const FEWEST: usize = 10;
/// Stiffness, relative to the most likely one. The error hardly rises, and jerk falls.
const STIFFER: f64 = 5.0;
/// Time on each side over which the roughness of the motion is measured, in seconds, and part of
/// the mean roughness that is added to it.
const LOCAL_SECS: f64 = 0.15;
const EVEN: f64 = 0.1;

/// Likelihood of each stiffness for a channel.
pub(super) struct Fits<const N: usize> {
    counts: Vec<bool>,
    /// Mean of the keys that count.
    centre: [f64; N],
    /// Least sums of squares per stiffness and component, and logarithms of determinants.
    costs: Vec<[f64; N]>,
    determinants: Vec<f64>,
    /// Deviation of the noise.
    pub noise: f64,
    /// Median distance of the keys from the smooth signal.
    pub usual: f64,
}

impl<const N: usize> Fits<N> {
    /// `None` if few keys count.
    pub fn of(channel: &Channel<N>) -> Option<Self> {
        let counts: Vec<bool> = channel.flaws.iter().map(Option::is_none).collect();
        let count = counts.iter().filter(|c| **c).count();
        if count < FEWEST {
            return None;
        }
        let known = || channel.values.iter().zip(&counts).filter(|(_, c)| **c);
        let centre =
            std::array::from_fn(|c| known().map(|(v, _)| v[c]).sum::<f64>() / count as f64);
        let mut fits = Self {
            centre,
            costs: Vec::with_capacity(COUNT),
            determinants: Vec::with_capacity(COUNT),
            noise: 0.0,
            usual: 0.0,
            counts,
        };
        let rows = fits.rows(channel);
        let mut smooths = Vec::with_capacity(COUNT);
        for k in 0..COUNT {
            let factor = Factor::new(&fits.counts, &vec![stiffness(k); rows.len() - ORDER]);
            let smooth = factor.solve(rows.clone());
            fits.costs.push(fits.cost(&rows, &smooth, stiffness(k)));
            fits.determinants.push(factor.log_determinant());
            smooths.push(smooth);
        }
        let best: [usize; N] = std::array::from_fn(|c| fits.likeliest(c, 0.0));
        fits.noise = median(
            (0..N)
                .map(|c| fits.variance(best[c], c, 0.0).sqrt())
                .collect(),
        );
        let smooth = |frame: usize| std::array::from_fn(|c| smooths[best[c]][frame][c]);
        let counted = (0..rows.len()).filter(|f| fits.counts[*f]);
        fits.usual = median(counted.map(|f| distance(&rows[f], &smooth(f))).collect());
        Some(fits)
    }

    /// Keys relative to their mean. 0 for keys that do not count.
    fn rows(&self, channel: &Channel<N>) -> Vec<[f64; N]> {
        let rows = channel.values.iter().zip(&self.counts);
        let row = |(value, counts): (&[f64; N], &bool)| {
            let weight = f64::from(u8::from(*counts));
            std::array::from_fn(|c| weight * (value[c] - self.centre[c]))
        };
        rows.map(row).collect()
    }

    fn cost(&self, rows: &[[f64; N]], smooth: &[[f64; N]], stiffness: f64) -> [f64; N] {
        std::array::from_fn(|c| {
            let far = rows.iter().zip(smooth).zip(&self.counts);
            let far = far.filter(|(_, counts)| **counts);
            let far: f64 = far.map(|((a, b), _)| (a[c] - b[c]) * (a[c] - b[c])).sum();
            far + stiffness * roughness(smooth, c).iter().sum::<f64>()
        })
    }

    /// Variance of the noise at a stiffness. `usual` is the usual variance, or 0 if it is not known.
    fn variance(&self, k: usize, component: usize, usual: f64) -> f64 {
        let count = self.counts.iter().filter(|c| **c).count() as f64;
        let more = if usual > 0.0 { count } else { 0.0 };
        let sum = self.costs[k][component] + more * usual;
        (sum / (count - ORDER as f64 + more)).max(1e-18)
    }

    /// Index of the most likely stiffness.
    fn likeliest(&self, component: usize, usual: f64) -> usize {
        let count = self.counts.iter().filter(|c| **c).count() as f64;
        let count = if usual > 0.0 { 2.0 * count } else { count };
        let unlikely = |k: usize| {
            let prior = (self.counts.len() - ORDER) as f64 * log(stiffness(k));
            let variance = self.variance(k, component, usual);
            self.determinants[k] - prior + (count - ORDER as f64) * log(variance)
        };
        let unlikely: Vec<f64> = (0..COUNT).map(unlikely).collect();
        let all = 0..COUNT;
        all.min_by(|a, b| unlikely[*a].total_cmp(&unlikely[*b]))
            .unwrap_or(0)
    }

    /// Smooths the channel, stiffer where the motion is even. `noise` is the usual deviation of the
    /// noise. Returns the cut-off: the frequency, in hertz, of which 0.707 of the amplitude stays.
    pub fn smooth(&self, channel: &mut Channel<N>, noise: f64, fps: f64) -> f64 {
        let rows = self.rows(channel);
        let mut least = f64::INFINITY;
        for c in 0..N {
            let chosen = STIFFER * stiffness(self.likeliest(c, noise * noise));
            let one: Vec<[f64; 1]> = rows.iter().map(|row| [row[c]]).collect();
            let even = vec![chosen; rows.len() - ORDER];
            let first = Factor::new(&self.counts, &even).solve(one.clone());
            let local = local_stiffness(&roughness(&first, 0), chosen, fps);
            let smooth = Factor::new(&self.counts, &local).solve(one);
            for (value, smooth) in channel.values.iter_mut().zip(smooth) {
                value[c] = self.centre[c] + smooth[0];
            }
            least = least.min(chosen);
        }
        cutoff(least, fps)
    }
}

/// Smooths a channel with a cut-off in hertz, at most 0.4 of the frame rate.
pub(super) fn smooth_at<const N: usize>(channel: &mut Channel<N>, cutoff_hz: f64, fps: f64) {
    if channel.values.len() <= ORDER {
        return;
    }
    let wave = 2.0 * libm::sin(PI * (cutoff_hz / fps).min(0.4));
    let stiffness = (SQRT_2 - 1.0) / wave.powi(2 * ORDER as i32);
    let counts = vec![true; channel.values.len()];
    let factor = Factor::new(&counts, &vec![stiffness; counts.len() - ORDER]);
    channel.values = factor.solve(std::mem::take(&mut channel.values));
}

fn stiffness(k: usize) -> f64 {
    pow(10.0, LOWEST + STEP * k as f64)
}

fn cutoff(stiffness: f64, fps: f64) -> f64 {
    let wave = pow((SQRT_2 - 1.0) / stiffness, 0.5 / ORDER as f64);
    fps / PI * asin((0.5 * wave).min(1.0))
}

/// Squares of the third differences.
fn roughness<const N: usize>(values: &[[f64; N]], component: usize) -> Vec<f64> {
    let third = |four: &[[f64; N]]| {
        let parts = four.iter().zip(DIFFERENCE).map(|(v, d)| d * v[component]);
        parts.sum::<f64>().powi(2)
    };
    values.windows(ORDER + 1).map(third).collect()
}

/// Stiffness per third difference, in inverse proportion to the roughness near it.
fn local_stiffness(rough: &[f64], stiffness: f64, fps: f64) -> Vec<f64> {
    let half = ((LOCAL_SECS * fps) as usize).max(3);
    let mut sums = vec![0.0];
    for value in rough {
        sums.push(sums[sums.len() - 1] + value);
    }
    let mean = sums[rough.len()] / rough.len() as f64;
    if mean.is_nan() || mean <= 0.0 {
        return vec![stiffness; rough.len()];
    }
    let local = |at: usize| {
        let near = at.saturating_sub(half)..(at + half + 1).min(rough.len());
        (sums[near.end] - sums[near.start]) / near.len() as f64
    };
    (0..rough.len())
        .map(|at| stiffness * (1.0 + EVEN) * mean / (local(at) + EVEN * mean))
        .collect()
}

/// Factors of a symmetric matrix: the diagonal, then the lower factor from its diagonal leftward.
pub(super) struct Factor {
    rows: Vec<[f64; ORDER + 1]>,
}

impl Factor {
    /// Matrix of the keys that count and of third differences, each with its stiffness.
    fn new(counts: &[bool], stiffness: &[f64]) -> Self {
        let weights = counts.iter().map(|counts| f64::from(u8::from(*counts)));
        Self::weighted(&weights.collect::<Vec<f64>>(), stiffness)
    }

    /// Matrix of keys with weights.
    pub fn weighted(weights: &[f64], stiffness: &[f64]) -> Self {
        let row = |weight: &f64| [*weight, 0.0, 0.0, 0.0];
        let mut rows: Vec<[f64; ORDER + 1]> = weights.iter().map(row).collect();
        for (first, stiffness) in stiffness.iter().enumerate() {
            for i in 0..=ORDER {
                for back in 0..=i {
                    rows[first + i][back] += stiffness * DIFFERENCE[i] * DIFFERENCE[i - back];
                }
            }
        }
        for row in 0..rows.len() {
            let reach = ORDER.min(row);
            for back in (1..=reach).rev() {
                let known = (back + 1..=reach)
                    .map(|far| rows[row][far] * rows[row - back][far - back] * rows[row - far][0]);
                rows[row][back] = (rows[row][back] - known.sum::<f64>()) / rows[row - back][0];
            }
            let known = (1..=reach).map(|back| rows[row][back].powi(2) * rows[row - back][0]);
            rows[row][0] -= known.sum::<f64>();
        }
        Self { rows }
    }

    fn log_determinant(&self) -> f64 {
        self.rows.iter().map(|row| log(row[0])).sum()
    }

    pub fn solve<const N: usize>(&self, mut values: Vec<[f64; N]>) -> Vec<[f64; N]> {
        for row in 0..values.len() {
            for back in 1..=ORDER.min(row) {
                for c in 0..N {
                    values[row][c] -= self.rows[row][back] * values[row - back][c];
                }
            }
        }
        for row in (0..values.len()).rev() {
            for c in 0..N {
                values[row][c] /= self.rows[row][0];
                for ahead in 1..=ORDER.min(values.len() - 1 - row) {
                    values[row][c] -= self.rows[row + ahead][ahead] * values[row + ahead][c];
                }
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FPS: f64 = 60.0;

    fn channel(value: impl Fn(usize) -> f64) -> Channel<1> {
        Channel {
            joint: 0,
            values: (0..600).map(|frame| [value(frame)]).collect(),
            flaws: vec![None; 600],
        }
    }

    fn wave(hz: f64) -> impl Fn(usize) -> f64 {
        move |frame| (2.0 * PI * hz * frame as f64 / FPS).sin()
    }

    /// Even number in [-0.5, 0.5) for each frame.
    fn noise(frame: usize) -> f64 {
        let bits = (frame as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let bits = (bits ^ (bits >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (bits >> 40) as f64 / (1 << 24) as f64 - 0.5
    }

    #[test]
    fn a_given_cutoff_keeps_the_root_of_a_half() {
        for hz in [2.0, 6.0, 12.0] {
            let mut smooth = channel(wave(hz));
            smooth_at(&mut smooth, hz, FPS);
            let along = (150..450).map(|frame| smooth.values[frame][0] * wave(hz)(frame));
            let kept = along.sum::<f64>() / 150.0;
            assert!((kept - 0.5_f64.sqrt()).abs() < 1e-3, "{hz}: {kept}");
        }
        let stiffness = (SQRT_2 - 1.0) / (2.0 * (PI * 6.0 / FPS).sin()).powi(6);
        assert!((cutoff(stiffness, FPS) - 6.0).abs() < 1e-9);
    }

    #[test]
    fn noise_is_told_from_motion() {
        let deviation = 0.1 / 12.0_f64.sqrt();
        let mut noisy = channel(|frame| wave(1.0)(frame) + 0.1 * noise(frame));
        noisy.values[100] = [9.0];
        noisy.flaws[100] = Some(crate::clean::channel::Flaw::Spike);
        let fits = Fits::of(&noisy).expect("many keys");
        assert!((fits.noise / deviation - 1.0).abs() < 0.1, "{}", fits.noise);
        let hz = fits.smooth(&mut noisy, fits.noise, FPS);
        assert!((1.0..10.0).contains(&hz), "{hz}");
        let off = (0..600).map(|frame| (noisy.values[frame][0] - wave(1.0)(frame)).powi(2));
        let off = (off.sum::<f64>() / 600.0).sqrt();
        assert!(off < 0.4 * deviation, "{off}");
        assert!((noisy.values[100][0] - wave(1.0)(100)).abs() < 0.05);
        // Motion without noise has none.
        let fits = Fits::of(&channel(wave(1.0))).expect("many keys");
        assert!(fits.usual < 1e-3, "{}", fits.usual);
    }
}
