//! One track to knots and residuals of as few bits as the errors allow.
//!
//! For every basis the knots are fitted and rounded to bytes, and the basis that leaves the fewest bits
//! is kept. Then steps are made as coarse as the joint's points allow: all three together, then each
//! alone. A frame's digits are the best of the eight around its target: the ones that keep the worst
//! point nearest to its place, whatever that does to the components.

use super::aim::{Aim, cross, rotate};
use super::basis::Basis;
use super::code::{self, Code};
use super::fit::Fit;
use super::frames::{Local, Map, distance, unit};
use super::motion::{SEGMENT, low_from_code};
use crate::transform::quat_f64::QuatF64;

/// How many eighths of an octave steps may become coarser or finer than first thought.
const COARSER: i32 = 20;
const FINER: i32 = -24;
/// What a joint may always add to the errors from above, over the bound.
const ROOM: f64 = 0.12;
/// The most that children may be handed, over the bound.
const MOST_PASSED_ON: f64 = 0.85;

/// The residuals of a track: a head a segment, three digits a frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Residuals {
    pub heads: Vec<u16>,
    pub digits: Vec<[u32; 3]>,
}

impl Residuals {
    pub fn bits(&self) -> usize {
        let segments = self.digits.chunks(SEGMENT).zip(&self.heads);
        let bits =
            segments.map(|(frames, &head)| 16 + frames.len() * Code::of(head).bits() as usize);
        bits.sum()
    }

    /// How many bits residuals of these sizes would take; `None` when they do not fit.
    pub fn bits_for(targets: &[[f64; 3]], steps: [f64; 3]) -> Option<usize> {
        let mut bits = 0;
        for frames in targets.chunks(SEGMENT) {
            let head = head_for(frames, steps)?;
            bits += 16 + frames.len() * Code::of(head).bits() as usize;
        }
        Some(bits)
    }
}

/// The head for residuals up to the largest of some frames.
pub(super) fn head_for(targets: &[[f64; 3]], steps: [f64; 3]) -> Option<u16> {
    let wanted = [0, 1, 2].map(|c| {
        let largest = targets.iter().fold(0.0_f64, |m, t| m.max(t[c].abs()));
        // More than any head has, also when it is not finite.
        (2.0 * largest / steps[c]).ceil().clamp(1.0, 1e9) as u32
    });
    if targets.iter().flatten().any(|t| !t.is_finite()) {
        return None;
    }
    code::head_for(wanted)
}

/// The value of a digit.
pub(super) fn value(digit: u32, base: u32, step: f64) -> f64 {
    (f64::from(digit) - 0.5 * (f64::from(base) - 1.0)) * step
}

/// The digit below a value, which the next may be nearer to.
fn digit_below(target: f64, base: u32, step: f64) -> u32 {
    let place = (target / step + 0.5 * (f64::from(base) - 1.0)).floor();
    place.clamp(0.0, f64::from(base - 1)) as u32
}

pub(super) fn nearest_digit(target: f64, base: u32, step: f64) -> u32 {
    digit_below(target + 0.5 * step, base, step)
}

/// A packed rotation track.
#[derive(Clone, Debug)]
pub(super) struct RotationTrack {
    pub basis: Basis,
    pub scale_codes: [u8; 4],
    pub low_codes: [i16; 4],
    pub step_codes: [u8; 3],
    pub knots: Vec<[u8; 4]>,
    pub residuals: Residuals,
}

/// What a rotation track is to be made of: one value an instant (frames and half way between).
pub(super) struct RotationJob<'j> {
    /// Turns to aim for, at frames, each on the side of the one before.
    pub targets: &'j [QuatF64],
    /// Decoded `model_from_parent`.
    pub parents: &'j [Map],
    /// The decoded translation and scale of the joint; the rotation is not read.
    pub locals: &'j [Local],
    /// True `model_from_joint`.
    pub truths: &'j [Map],
    /// When no scale is about: the decoded turn of the parent, and the true one of the joint.
    pub turns: Option<(&'j [QuatF64], &'j [QuatF64])>,
    pub aim: &'j Aim,
}

/// The spline of a rotation track, before residuals.
struct Spline {
    track: RotationTrack,
    /// At frames, of any length.
    values: Vec<QuatF64>,
    /// Half turns that are left to make.
    targets: Vec<[f64; 3]>,
}

impl Spline {
    /// `None` when the basis cannot hold the motion.
    fn new(fit: &Fit, targets: &[QuatF64]) -> Option<Self> {
        let component = |q: &QuatF64, c: usize| if c < 3 { q.v[c] } else { q.w };
        let mut track = RotationTrack {
            basis: fit.basis,
            scale_codes: [0; 4],
            low_codes: [0; 4],
            step_codes: [0; 3],
            knots: vec![[0; 4]; fit.basis.knots(targets.len())],
            residuals: Residuals::default(),
        };
        let mut values = vec![[0.0; 4]; targets.len()];
        for c in 0..4 {
            let mut knots = fit.knots(|frame| component(&targets[frame], c));
            let (low, high) = extent(&knots)?;
            if low < -1.99 || high > 1.99 {
                return None;
            }
            track.low_codes[c] = (low * 16384.0).floor() as i16;
            let low = f64::from(low_from_code(track.low_codes[c]));
            track.scale_codes[c] = code::small_float_above((high - low) / 255.0)?;
            let scale = f64::from(code::small_float(track.scale_codes[c]));
            for (knot, out) in knots.iter_mut().zip(&mut track.knots) {
                out[c] = ((*knot - low) / scale).round().clamp(0.0, 255.0) as u8;
                *knot = low + scale * f64::from(out[c]);
            }
            for (frame, value) in values.iter_mut().enumerate() {
                value[c] = fit.at(&knots, frame);
            }
        }
        let values: Vec<QuatF64> = values
            .iter()
            .map(|&[x, y, z, w]| QuatF64 { v: [x, y, z], w })
            .collect();
        let left = |(value, target): (&QuatF64, &QuatF64)| {
            let left = value.conjugate().mul(*target);
            left.v.map(|c| c / left.w)
        };
        let targets = values.iter().zip(targets).map(left).collect();
        Some(Self {
            track,
            values,
            targets,
        })
    }
}

pub(super) fn extent(values: &[f64]) -> Option<(f64, f64)> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (low.is_finite() && high.is_finite()).then_some((low, high))
}

impl RotationJob<'_> {
    /// The track of the fewest bits that keeps every point where it may be, and what it decodes to at
    /// every instant; `None` when there is none.
    pub fn encode(&self, fits: &[Fit]) -> Option<(RotationTrack, Vec<QuatF64>)> {
        let steps = self.aim.steps();
        let mut splines: Vec<(usize, Spline)> = Vec::new();
        for fit in fits {
            let Some(spline) = Spline::new(fit, self.targets) else {
                continue;
            };
            if let Some(bits) = Residuals::bits_for(&spline.targets, steps) {
                splines.push((bits + 32 * spline.track.knots.len(), spline));
            }
        }
        splines.sort_by_key(|s| s.0);
        let allowed = self.allowed();
        splines
            .iter()
            .find_map(|(_, spline)| self.encode_spline(spline, steps, &allowed))
    }

    /// The coarsest steps for one spline.
    fn encode_spline(
        &self,
        spline: &Spline,
        steps: [f64; 3],
        allowed: &[f64],
    ) -> Option<(RotationTrack, Vec<QuatF64>)> {
        let first = steps.map(|s| i32::from(code::small_float_below(s)));
        let coarsest = match self.aim.care < 1.0 {
            true => steps.map(|s| code::small_float_below(s * self.aim.care)),
            false => [u8::MAX; 3],
        };
        let limited =
            |codes: [i32; 3]| [0, 1, 2].map(|c| codes[c].clamp(0, i32::from(coarsest[c])) as u8);
        let all = |change: i32| limited(first.map(|s| s + change));
        // By halving.
        let (mut fine, mut coarse) = (FINER, COARSER);
        let mut found = None;
        let mut change = 0;
        while fine < coarse {
            match self.residuals(spline, all(change), allowed) {
                Some(residuals) => {
                    found = Some((all(change), residuals));
                    fine = change + 1;
                }
                None => coarse = change,
            }
            change = (fine + coarse).div_euclid(2);
        }
        let (mut codes, mut residuals) = found?;
        for axis in 0..3 {
            for by in [4, 2, 1] {
                let mut next = codes;
                next[axis] = next[axis].saturating_add(by).min(coarsest[axis]);
                if let Some(better) = self.residuals(spline, next, allowed)
                    && better.bits() <= residuals.bits()
                {
                    (codes, residuals) = (next, better);
                }
            }
        }
        let mut track = spline.track.clone();
        track.step_codes = codes;
        let decoded = decoded(spline, &residuals, codes);
        track.residuals = residuals;
        Some((track, decoded))
    }

    /// Residuals with these steps; `None` when a point comes to lie too far off.
    fn residuals(&self, spline: &Spline, codes: [u8; 3], allowed: &[f64]) -> Option<Residuals> {
        let steps = codes.map(|c| f64::from(code::small_float(c)));
        let mut residuals = Residuals::default();
        let mut before: Option<QuatF64> = None;
        for (segment, targets) in spline.targets.chunks(SEGMENT).enumerate() {
            let head = head_for(targets, steps)?;
            let bases = Code::of(head).bases;
            residuals.heads.push(head);
            for (index, target) in targets.iter().enumerate() {
                let frame = segment * SEGMENT + index;
                let digits = self.digits(spline, frame, *target, bases, steps);
                let now = [0, 1, 2].map(|c| value(digits[c], bases[c], steps[c]));
                let turn = turned(spline.values[frame], now);
                if !self.holds(2 * frame, turn, allowed) {
                    return None;
                }
                if let Some(before) = before
                    && !self.holds(2 * frame - 1, between(before, turn), allowed)
                {
                    return None;
                }
                before = Some(turn);
                residuals.digits.push(digits);
            }
        }
        Some(residuals)
    }

    /// How far each point may be off at each instant: what its joint allows, or a little more than what
    /// comes from above and no turn can make good.
    fn allowed(&self) -> Vec<f64> {
        let max_error = self.aim.max_error;
        let mut allowed = Vec::with_capacity(self.truths.len() * self.aim.points.len());
        for instant in 0..self.truths.len() {
            let target = self.targets[instant / 2];
            let turn = match instant % 2 {
                0 => target,
                _ => between(target, self.targets[instant / 2 + 1]),
            };
            let found = self.map(instant, turn);
            for p in &self.aim.points {
                let truth = self.truths[instant].point(p.place);
                let least = distance(found.point(p.place), truth) + ROOM * max_error;
                // A point that is nobody's origin must be right in the end.
                let most = if p.allowed < max_error {
                    MOST_PASSED_ON * max_error
                } else {
                    max_error
                };
                allowed.push(p.allowed.max(least.min(most)));
            }
        }
        allowed
    }

    fn map(&self, instant: usize, turn: QuatF64) -> Map {
        let local = Local {
            rotation: turn,
            ..self.locals[instant]
        };
        self.parents[instant].with(&local)
    }

    /// Whether every point lies near enough at an instant.
    fn holds(&self, instant: usize, turn: QuatF64, allowed: &[f64]) -> bool {
        let found = self.map(instant, turn);
        let truth = &self.truths[instant];
        let points = &self.aim.points;
        let allowed = &allowed[instant * points.len()..];
        points
            .iter()
            .zip(allowed)
            .all(|(p, allowed)| distance(found.point(p.place), truth.point(p.place)) <= *allowed)
    }

    fn digits(
        &self,
        spline: &Spline,
        frame: usize,
        target: [f64; 3],
        bases: [u32; 3],
        steps: [f64; 3],
    ) -> [u32; 3] {
        let Some((parent_turns, true_turns)) = self.turns else {
            return [0, 1, 2].map(|c| nearest_digit(target[c], bases[c], steps[c]));
        };
        let instant = 2 * frame;
        let into_joint = true_turns[instant].conjugate();
        let origin = self.parents[instant].point(self.locals[instant].translation);
        let truth = self.truths[instant].origin;
        let off = rotate(into_joint, [0, 1, 2].map(|c| origin[c] - truth[c]));
        let before_residual = into_joint
            .mul(parent_turns[instant])
            .mul(spline.values[frame]);
        let below = [0, 1, 2].map(|c| digit_below(target[c], bases[c], steps[c]));
        let mut best = ([0; 3], f64::INFINITY);
        for corner in 0..8_u32 {
            let digits = [0, 1, 2].map(|c| (below[c] + (corner >> c & 1)).min(bases[c] - 1));
            let half = [0, 1, 2].map(|c| value(digits[c], bases[c], steps[c]));
            let error = before_residual.mul(QuatF64 { v: half, w: 1.0 });
            let turn = error.v.map(|c| 2.0 * c / error.w);
            let mut worst = 0.0_f64;
            for p in &self.aim.points {
                let moved = cross(turn, p.place);
                let d = [0, 1, 2].map(|c| off[c] + moved[c]);
                let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                worst = worst.max(square / (p.allowed * p.allowed));
            }
            if worst < best.1 {
                best = (digits, worst);
            }
        }
        best.0
    }
}

fn turned(spline: QuatF64, half: [f64; 3]) -> QuatF64 {
    unit(spline.mul(QuatF64 { v: half, w: 1.0 }))
}

/// Half way from one frame to the next, as the decoder joins them.
fn between(a: QuatF64, b: QuatF64) -> QuatF64 {
    unit(QuatF64 {
        v: [0, 1, 2].map(|c| a.v[c] + b.v[c]),
        w: a.w + b.w,
    })
}

/// What a track decodes to at every instant.
fn decoded(spline: &Spline, residuals: &Residuals, codes: [u8; 3]) -> Vec<QuatF64> {
    let steps = codes.map(|c| f64::from(code::small_float(c)));
    let mut all: Vec<QuatF64> = Vec::new();
    for (frame, digits) in residuals.digits.iter().enumerate() {
        let bases = Code::of(residuals.heads[frame / SEGMENT]).bases;
        let half = [0, 1, 2].map(|c| value(digits[c], bases[c], steps[c]));
        let turn = turned(spline.values[frame], half);
        if let Some(before) = all.last() {
            all.push(between(*before, turn));
        }
        all.push(turn);
    }
    all
}
