//! A rotation track as lines between knots, plus residuals.
//! A quaternion of any length gives the same rotation. One component, the *anchor*, may therefore
//! stay near its line. The other three components approximate the quaternion scaled to that anchor.
//! The anchor needs bits only if unequal lengths of frames would distort the values between them.

use super::fit::Fit;
use crate::bytes::code;
use sinew::clip::packed::format::{Code, SEGMENT, Spacing, low_from_code, small_float};
use sinew_math::transform::quat_f64::QuatF64;
use std::ops::Range;

/// Residuals of a track: a head per segment, and digits per frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Residuals {
    pub heads: Vec<u16>,
    pub digits: Vec<[u32; 4]>,
}

impl Residuals {
    /// Size in bits for this many frames.
    pub fn bits(&self, frames: usize) -> usize {
        let bits = self.heads.iter().enumerate().map(|(segment, &head)| {
            let frames = SEGMENT.min(frames - segment * SEGMENT);
            16 + frames * Code::of(head).bits() as usize
        });
        bits.sum()
    }
}

/// Number of levels that covers all targets. Out of range if a target is not finite.
pub(crate) fn levels_for(targets: impl Iterator<Item = f64>, step: f64) -> u32 {
    let largest = targets.fold(0.0_f64, |max, target| {
        if target.is_finite() {
            max.max(target.abs())
        } else {
            f64::INFINITY
        }
    });
    (2.0 * largest / step).ceil().clamp(1.0, 1e9) as u32
}

pub(crate) fn value(digit: u32, base: u32, step: f64) -> f64 {
    (f64::from(digit) - 0.5 * (f64::from(base) - 1.0)) * step
}

pub(crate) fn digit_below(target: f64, base: u32, step: f64) -> u32 {
    let level = (target / step + 0.5 * (f64::from(base) - 1.0)).floor();
    level.clamp(0.0, f64::from(base - 1)) as u32
}

pub(crate) fn nearest_digit(target: f64, base: u32, step: f64) -> u32 {
    digit_below(target + 0.5 * step, base, step)
}

#[derive(Clone, Debug)]
pub(crate) struct RotationTrack {
    pub spacing: Spacing,
    pub scale_codes: [u8; 4],
    pub low_codes: [i16; 4],
    pub step_codes: [u8; 4],
    pub knots: Vec<[u8; 4]>,
    pub residuals: Residuals,
}

/// Lines between the knots of a rotation track, before residuals.
pub(crate) struct Line<'t> {
    pub track: RotationTrack,
    /// Quaternions of any length at the frames.
    values: Vec<[f64; 4]>,
    /// Quaternions that the lines approximate.
    pub targets: &'t [[f64; 4]],
    pub anchor: Option<usize>,
}

impl<'t> Line<'t> {
    /// Lines that fit `targets`. `None` if knots cannot hold the motion.
    pub fn new(fit: &Fit, targets: &'t [[f64; 4]], anchor: Option<usize>) -> Option<Self> {
        let mut track = RotationTrack {
            spacing: fit.spacing,
            scale_codes: [0; 4],
            low_codes: [0; 4],
            step_codes: [0; 4],
            knots: vec![[0; 4]; fit.spacing.knots(targets.len())],
            residuals: Residuals::default(),
        };
        let mut values = vec![[0.0; 4]; targets.len()];
        for c in 0..4 {
            let mut knots = fit.knots(|frame| targets[frame][c]);
            let (low, high) = extent(&knots)?;
            if low < -1.99 || high > 1.99 {
                return None;
            }
            track.low_codes[c] = (low * 16384.0).floor() as i16;
            let low = f64::from(low_from_code(track.low_codes[c]));
            track.scale_codes[c] = code::small_float_above((high - low) / 255.0)?;
            let scale = f64::from(small_float(track.scale_codes[c]));
            for (knot, out) in knots.iter_mut().zip(&mut track.knots) {
                out[c] = ((*knot - low) / scale).round().clamp(0.0, 255.0) as u8;
                *knot = low + scale * f64::from(out[c]);
            }
            for (frame, value) in values.iter_mut().enumerate() {
                value[c] = fit.at(&knots, frame);
            }
        }
        Some(Self {
            track,
            values,
            targets,
            anchor,
        })
    }

    /// Head of a segment and the target residuals of its frames. `None` if they do not fit.
    pub fn segment(&self, segment: usize, steps: [f64; 4]) -> Option<(u16, Vec<[f64; 4]>)> {
        let frames = self.frames(segment);
        let left = |frame: usize, length: f64| -> [f64; 4] {
            let (target, value) = (self.targets[frame], self.values[frame]);
            [0, 1, 2, 3].map(|c| length * target[c] - value[c])
        };
        let mut expected: Vec<[f64; 4]> = frames.clone().map(|f| left(f, 1.0)).collect();
        if let Some(anchor) = self.anchor {
            let step = steps[anchor];
            let levels = levels_for(expected.iter().map(|w| w[anchor]), step);
            let base = levels.min(1 << code::MAX_BITS).next_power_of_two();
            for (frame, expected) in frames.zip(&mut expected) {
                let found = value(nearest_digit(expected[anchor], base, step), base, step);
                let length = (self.values[frame][anchor] + found) / self.targets[frame][anchor];
                *expected = left(frame, length);
                expected[anchor] = found;
            }
        }
        let levels = |c: usize| levels_for(expected.iter().map(|w| w[c]), steps[c]);
        let head = code::head_for([levels(0), levels(1), levels(2), levels(3)])?;
        Some((head, expected))
    }

    pub fn frames(&self, segment: usize) -> Range<usize> {
        segment * SEGMENT..self.targets.len().min((segment + 1) * SEGMENT)
    }

    pub fn segments(&self) -> usize {
        self.targets.len().div_ceil(SEGMENT)
    }

    /// Size in bits, including knots. `None` if residuals do not fit.
    pub fn bits(&self, steps: [f64; 4]) -> Option<usize> {
        let mut bits = 32 * self.track.knots.len();
        for segment in 0..self.segments() {
            let (head, targets) = self.segment(segment, steps)?;
            bits += 16 + targets.len() * Code::of(head).bits() as usize;
        }
        Some(bits)
    }

    /// Decoded quaternion of a frame, of any length.
    pub fn with(
        &self,
        frame: usize,
        digits: [u32; 4],
        bases: [u32; 4],
        steps: [f64; 4],
    ) -> QuatF64 {
        let line = self.values[frame];
        let [x, y, z, w] = [0, 1, 2, 3].map(|c| line[c] + value(digits[c], bases[c], steps[c]));
        QuatF64 { v: [x, y, z], w }
    }
}

/// Component with the largest min magnitude, that magnitude, and the max step between frames.
pub(crate) fn anchor_of(targets: &[[f64; 4]]) -> (usize, f64, f64) {
    let smallest = |c: usize| targets.iter().map(|t| t[c].abs()).fold(1.0, f64::min);
    let mut best = (0, smallest(0));
    for c in 1..4 {
        if smallest(c) > best.1 {
            best = (c, smallest(c));
        }
    }
    let apart = targets.windows(2).map(|pair| {
        let square = |c: usize| (pair[1][c] - pair[0][c]) * (pair[1][c] - pair[0][c]);
        (square(0) + square(1) + square(2) + square(3)).sqrt()
    });
    (best.0, best.1, apart.fold(0.0, f64::max))
}

pub(crate) fn extent(values: &[f64]) -> Option<(f64, f64)> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (low.is_finite() && high.is_finite()).then_some((low, high))
}
