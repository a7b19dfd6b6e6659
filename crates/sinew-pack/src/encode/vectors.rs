//! Encodes translation and scale tracks as knots of two bytes per component, plus residuals.

use super::fit::Fit;
use super::lines::{Residuals, extent, levels_for, nearest_digit, value};
use crate::bytes::code;
use sinew::clip::packed::format::{Code, SEGMENT, Spacing, small_float};

#[derive(Clone, Debug)]
pub(crate) struct VectorTrack {
    pub spacing: Spacing,
    pub step_codes: [u8; 3],
    pub low: [f32; 3],
    pub scale: [f32; 3],
    pub knots: Vec<[u16; 3]>,
    pub residuals: Residuals,
}

/// Vector track with one step for all components, and its decoded frames. `None` on overflow.
pub(crate) fn vector_track(
    targets: &[[f64; 3]],
    step: f64,
    fits: &[Fit],
) -> Option<(VectorTrack, Vec<[f64; 3]>)> {
    let step_code = code::small_float_below(step);
    let step = f64::from(small_float(step_code));
    let steps = [step; 3];
    let mut best: Option<(usize, VectorTrack, Vec<[f64; 3]>)> = None;
    for fit in fits {
        let mut track = VectorTrack {
            spacing: fit.spacing,
            step_codes: [step_code; 3],
            low: [0.0; 3],
            scale: [0.0; 3],
            knots: vec![[0; 3]; fit.spacing.knots(targets.len())],
            residuals: Residuals::default(),
        };
        let mut values = vec![[0.0; 3]; targets.len()];
        for c in 0..3 {
            let mut knots = fit.knots(|frame| targets[frame][c]);
            let (low, high) = extent(&knots)?;
            track.low[c] = low as f32;
            let low = f64::from(track.low[c]);
            track.scale[c] = ((high - low).max(1e-30) / 65534.0) as f32;
            let scale = f64::from(track.scale[c]);
            for (knot, out) in knots.iter_mut().zip(&mut track.knots) {
                out[c] = ((*knot - low) / scale).round().clamp(0.0, 65535.0) as u16;
                *knot = low + scale * f64::from(out[c]);
            }
            for (frame, value) in values.iter_mut().enumerate() {
                value[c] = fit.at(&knots, frame);
            }
        }
        let left: Vec<[f64; 3]> = values
            .iter()
            .zip(targets)
            .map(|(value, target)| [0, 1, 2].map(|c| target[c] - value[c]))
            .collect();
        let mut heads = Vec::new();
        for left in left.chunks(SEGMENT) {
            heads.push(code::head_for(levels(left, steps)));
        }
        let Some(heads) = heads.into_iter().collect::<Option<Vec<u16>>>() else {
            continue;
        };
        track.residuals.heads = heads;
        let bits = track.residuals.bits(targets.len());
        let bits = bits + 48 * track.knots.len();
        if best.as_ref().is_some_and(|b| bits >= b.0) {
            continue;
        }
        for (segment, left) in left.chunks(SEGMENT).enumerate() {
            let bases = Code::of(track.residuals.heads[segment]).bases;
            for (index, left) in left.iter().enumerate() {
                let [x, y, z] = [0, 1, 2].map(|c| nearest_digit(left[c], bases[c], step));
                let digits = [x, y, z, 0];
                let frame = segment * SEGMENT + index;
                for c in 0..3 {
                    values[frame][c] += value(digits[c], bases[c], step);
                }
                track.residuals.digits.push(digits);
            }
        }
        best = Some((bits, track, values));
    }
    best.map(|(_, track, values)| (track, values))
}

fn levels(left: &[[f64; 3]], steps: [f64; 3]) -> [u32; 4] {
    let [x, y, z] = [0, 1, 2].map(|c| levels_for(left.iter().map(|left| left[c]), steps[c]));
    [x, y, z, 1]
}
