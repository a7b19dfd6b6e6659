//! Low-pass filter without lag: a Butterworth filter of order 2, forward and backward (Winter 2009).

use libm::{pow, tan};
use std::f64::consts::{PI, SQRT_2};

/// Max cut-off, as a fraction of the frame rate. Half the rate is the highest frequency of a signal.
const MAX_CUTOFF: f64 = 0.4;

pub(crate) struct LowPass {
    /// Weights of the input at this frame, one before and two before.
    input: [f64; 3],
    /// Weights of the output one and two frames before.
    output: [f64; 2],
    /// Frames added at each end, over which the filter settles.
    pad: usize,
}

impl LowPass {
    /// Filter with a cut-off in hertz, clamped to [`MAX_CUTOFF`]. Both passes together keep 0.707 of
    /// the amplitude at the cut-off.
    pub fn new(cutoff_hz: f64, fps: f64) -> Self {
        let cutoff = (cutoff_hz / fps).clamp(1e-6, MAX_CUTOFF);
        // Each pass has a higher cut-off, so that two passes have the requested one.
        let omega = tan(PI * cutoff) / pow(SQRT_2 - 1.0, 0.25);
        let squared = omega * omega;
        let scale = 1.0 / (1.0 + SQRT_2 * omega + squared);
        Self {
            input: [squared * scale, 2.0 * squared * scale, squared * scale],
            output: [
                2.0 * (1.0 - squared) * scale,
                -(1.0 - SQRT_2 * omega + squared) * scale,
            ],
            pad: (1.5 / cutoff).ceil().min(1e4) as usize,
        }
    }

    /// Filters values. Beyond each end, they continue as their mirror image about the end,
    /// so that a steady slope stays.
    pub fn apply(&self, values: &mut [f64]) {
        let last = values.len().saturating_sub(1);
        if last < 2 {
            return;
        }
        let pad = self.pad.min(last);
        let mut all = Vec::with_capacity(values.len() + 2 * pad);
        all.extend((1..=pad).rev().map(|k| 2.0 * values[0] - values[k]));
        all.extend_from_slice(values);
        all.extend((1..=pad).map(|k| 2.0 * values[last] - values[last - k]));
        self.pass(&mut all);
        all.reverse();
        self.pass(&mut all);
        all.reverse();
        values.copy_from_slice(&all[pad..=pad + last]);
    }

    fn pass(&self, values: &mut [f64]) {
        let mut before = [values[0]; 2];
        let mut out = [values[0]; 2];
        for value in values {
            let now = *value;
            let sum = self.input[0] * now
                + self.input[1] * before[0]
                + self.input[2] * before[1]
                + self.output[0] * out[0]
                + self.output[1] * out[1];
            before = [now, before[0]];
            out = [sum, out[0]];
            *value = sum;
        }
    }
}

/// Filters each component of vectors or quaternions.
pub(crate) fn low_pass<const N: usize>(filter: &LowPass, values: &mut [[f64; N]]) {
    let mut one = vec![0.0; values.len()];
    for component in 0..N {
        for (to, from) in one.iter_mut().zip(values.iter()) {
            *to = from[component];
        }
        filter.apply(&mut one);
        for (to, from) in values.iter_mut().zip(&one) {
            to[component] = *from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amplitude_after(hz: f64, cutoff_hz: f64) -> [f64; 2] {
        let phase = |frame: usize| 2.0 * PI * hz * frame as f64 / 120.0;
        let mut wave: Vec<f64> = (0..1200).map(|f| phase(f).sin()).collect();
        LowPass::new(cutoff_hz, 120.0).apply(&mut wave);
        // The parts of the result in phase with the wave, and a quarter of a period late.
        [f64::sin, f64::cos].map(|of| {
            let parts = (300..900).map(|f| wave[f] * of(phase(f)));
            parts.sum::<f64>() / 300.0
        })
    }

    #[test]
    fn the_cutoff_keeps_the_root_of_a_half_and_nothing_is_late() {
        for hz in [2.0, 6.0, 12.0] {
            let [along, late] = amplitude_after(hz, hz);
            assert!((along - 0.5_f64.sqrt()).abs() < 1e-3, "{hz}: {along}");
            assert!(late.abs() < 1e-3, "{hz}: {late}");
        }
        assert!(amplitude_after(1.0, 6.0)[0] > 0.999);
        assert!(amplitude_after(30.0, 6.0)[0].abs() < 0.002);
    }

    #[test]
    fn a_slope_stays_up_to_its_ends() {
        let line: Vec<f64> = (0..50).map(|f| 3.0 - 0.25 * f64::from(f)).collect();
        let mut filtered = line.clone();
        LowPass::new(5.0, 60.0).apply(&mut filtered);
        let off = line.iter().zip(&filtered).map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f64::max) < 1e-3);
        let mut short = [1.0, 2.0];
        LowPass::new(5.0, 60.0).apply(&mut short);
        assert_eq!(short, [1.0, 2.0]);
    }
}
