//! One track to knots and residuals of as few bits as the errors allow.
//!
//! For every spacing of knots they are fitted and rounded to bytes, and the one that leaves the fewest bits
//! is kept. Then steps are made as coarse as the joint's points allow: all together, then each
//! alone. A frame's digits are the best around its target: the ones that keep the worst
//! point nearest to its place, whatever that does to the components.
//!
//! A turn is a direction in four-dimensional space, so one component, the *anchor*, may stay near where the line has it:
//! the others are aimed at the multiple of the turn that has this anchor. It takes bits only where frames of
//! unequal lengths would pull what lies between them out of place.

use super::aim::{Aim, cross, rotate};
use super::basis::Spacing;
use super::code::{self, Code};
use super::fit::Fit;
use super::frames::{Local, Map, distance, near_side, unit};
use super::motion::{SEGMENT, low_from_code};
use crate::transform::quat_f64::QuatF64;
use std::ops::Range;

/// An anchor is this large in every frame.
const LEAST_ANCHOR: f64 = 0.3;
/// The most that an anchor's step is coarser than the others'.
const COARSEST_ANCHOR: f64 = 128.0;
/// How many eighths of an octave steps may become coarser or finer than first thought.
const COARSER: i32 = 20;
const FINER: i32 = -24;
/// What a joint may always add to the errors from above, over the bound.
const ROOM: f64 = 0.12;
/// The most that children may be handed, over the bound.
const MOST_PASSED_ON: f64 = 0.85;

/// The residuals of a track: a head a segment, digits a frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Residuals {
    pub heads: Vec<u16>,
    pub digits: Vec<[u32; 4]>,
}

impl Residuals {
    /// For so many frames.
    pub fn bits(&self, frames: usize) -> usize {
        let bits = self.heads.iter().enumerate().map(|(segment, &head)| {
            let frames = SEGMENT.min(frames - segment * SEGMENT);
            16 + frames * Code::of(head).bits() as usize
        });
        bits.sum()
    }
}

/// How many levels it takes to come near to all of these; more than there are when one is not finite.
pub(super) fn levels_for(targets: impl Iterator<Item = f64>, step: f64) -> u32 {
    let largest = targets.fold(0.0_f64, |most, target| match target.is_finite() {
        true => most.max(target.abs()),
        false => f64::INFINITY,
    });
    (2.0 * largest / step).ceil().clamp(1.0, 1e9) as u32
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
    pub spacing: Spacing,
    pub scale_codes: [u8; 4],
    pub low_codes: [i16; 4],
    pub step_codes: [u8; 4],
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
    /// When the clip must be within the bound unpacked, too: `model_from_parent` as it is then.
    pub even_parents: Option<&'j [Map]>,
    pub aim: &'j Aim,
}

/// How far each point may be off at each instant, sampled and unpacked.
struct Allowed {
    sampled: Vec<f64>,
    even: Vec<f64>,
}

/// The lines between the knots of a rotation track, before residuals.
struct Line<'t> {
    track: RotationTrack,
    /// At frames, of any length.
    values: Vec<[f64; 4]>,
    /// What they should be.
    targets: &'t [[f64; 4]],
    anchor: Option<usize>,
}

impl<'t> Line<'t> {
    /// `None` when knots cannot hold the motion.
    fn new(fit: &Fit, targets: &'t [[f64; 4]], anchor: Option<usize>) -> Option<Self> {
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
            let scale = f64::from(code::small_float(track.scale_codes[c]));
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

    /// The head of a segment and what residuals of its frames to aim for; `None` when they do not fit.
    fn segment(&self, segment: usize, steps: [f64; 4]) -> Option<(u16, Vec<[f64; 4]>)> {
        let frames = self.frames(segment);
        let left = |frame: usize, length: f64| -> [f64; 4] {
            let (target, value) = (self.targets[frame], self.values[frame]);
            [0, 1, 2, 3].map(|c| length * target[c] - value[c])
        };
        let mut wanted: Vec<[f64; 4]> = frames.clone().map(|f| left(f, 1.0)).collect();
        if let Some(anchor) = self.anchor {
            let step = steps[anchor];
            let levels = levels_for(wanted.iter().map(|w| w[anchor]), step);
            let base = levels.min(1 << code::MOST_BITS).next_power_of_two();
            for (frame, wanted) in frames.zip(&mut wanted) {
                let found = value(nearest_digit(wanted[anchor], base, step), base, step);
                let length = (self.values[frame][anchor] + found) / self.targets[frame][anchor];
                *wanted = left(frame, length);
                wanted[anchor] = found;
            }
        }
        let levels = |c: usize| levels_for(wanted.iter().map(|w| w[c]), steps[c]);
        let head = code::head_for([levels(0), levels(1), levels(2), levels(3)])?;
        Some((head, wanted))
    }

    fn frames(&self, segment: usize) -> Range<usize> {
        segment * SEGMENT..self.targets.len().min((segment + 1) * SEGMENT)
    }

    fn segments(&self) -> usize {
        self.targets.len().div_ceil(SEGMENT)
    }

    /// How many bits it takes, knots too; `None` when residuals do not fit.
    fn bits(&self, steps: [f64; 4]) -> Option<usize> {
        let mut bits = 32 * self.track.knots.len();
        for segment in 0..self.segments() {
            let (head, targets) = self.segment(segment, steps)?;
            bits += 16 + targets.len() * Code::of(head).bits() as usize;
        }
        Some(bits)
    }

    /// What a frame decodes to, of any length.
    fn with(&self, frame: usize, digits: [u32; 4], bases: [u32; 4], steps: [f64; 4]) -> QuatF64 {
        let line = self.values[frame];
        let [x, y, z, w] = [0, 1, 2, 3].map(|c| line[c] + value(digits[c], bases[c], steps[c]));
        QuatF64 { v: [x, y, z], w }
    }
}

/// The component that is least near to zero, how near it comes, and how far frames are apart.
fn anchor_of(targets: &[[f64; 4]]) -> (usize, f64, f64) {
    let least = |c: usize| targets.iter().map(|t| t[c].abs()).fold(1.0, f64::min);
    let mut best = (0, least(0));
    for c in 1..4 {
        if least(c) > best.1 {
            best = (c, least(c));
        }
    }
    let apart = targets.windows(2).map(|pair| {
        let square = |c: usize| (pair[1][c] - pair[0][c]) * (pair[1][c] - pair[0][c]);
        (square(0) + square(1) + square(2) + square(3)).sqrt()
    });
    (best.0, best.1, apart.fold(0.0, f64::max))
}

pub(super) fn extent(values: &[f64]) -> Option<(f64, f64)> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (low.is_finite() && high.is_finite()).then_some((low, high))
}

impl RotationJob<'_> {
    /// The track of the fewest bits that keeps every point where it may be, and what it decodes to at
    /// every instant, sampled and unpacked; `None` when there is none.
    pub fn encode(&self, fits: &[Fit]) -> Option<(RotationTrack, Vec<[QuatF64; 2]>)> {
        let numbers = |q: &QuatF64| [q.v[0], q.v[1], q.v[2], q.w];
        let targets: Vec<[f64; 4]> = self.targets.iter().map(numbers).collect();
        let step = self.aim.steps().into_iter().fold(1.0, f64::min);
        let mut steps = [step; 4];
        let (anchor, least, apart) = anchor_of(&targets);
        let anchor = (least >= LEAST_ANCHOR).then_some(anchor);
        if let Some(anchor) = anchor {
            // Frames of unequal lengths are not half way where those at unit length are; who is asked to take care evens them.
            let care = self.aim.care * self.aim.care;
            let coarsest = match self.even_parents {
                Some(_) => (COARSEST_ANCHOR * care).max(1.0),
                None => COARSEST_ANCHOR,
            };
            steps[anchor] *= (least / apart.max(1e-6)).clamp(1.0, coarsest);
        }
        let mut lines: Vec<(usize, Line<'_>)> = Vec::new();
        for fit in fits {
            if let Some(line) = Line::new(fit, &targets, anchor)
                && let Some(bits) = line.bits(steps)
            {
                lines.push((bits, line));
            }
        }
        lines.sort_by_key(|s| s.0);
        let allowed = Allowed {
            sampled: self.allowed(self.parents),
            even: self.even_parents.map_or_else(Vec::new, |p| self.allowed(p)),
        };
        lines
            .iter()
            .find_map(|(_, line)| self.encode_line(line, steps, &allowed))
    }

    /// The coarsest steps for one line.
    fn encode_line(
        &self,
        line: &Line<'_>,
        steps: [f64; 4],
        allowed: &Allowed,
    ) -> Option<(RotationTrack, Vec<[QuatF64; 2]>)> {
        let first = steps.map(|s| i32::from(code::small_float_below(s)));
        let coarsest = match self.aim.care < 1.0 {
            true => steps.map(|s| code::small_float_below(s * self.aim.care)),
            false => [u8::MAX; 4],
        };
        let limited =
            |codes: [i32; 4]| [0, 1, 2, 3].map(|c| codes[c].clamp(0, i32::from(coarsest[c])) as u8);
        let all = |change: i32| limited(first.map(|s| s + change));
        // By halving.
        let (mut fine, mut coarse) = (FINER, COARSER);
        let mut found = None;
        let mut change = 0;
        while fine < coarse {
            match self.residuals(line, all(change), allowed) {
                Some(residuals) => {
                    found = Some((all(change), residuals));
                    fine = change + 1;
                }
                None => coarse = change,
            }
            change = (fine + coarse).div_euclid(2);
        }
        let (mut codes, mut residuals) = found?;
        let frames = line.targets.len();
        for component in 0..4 {
            for by in [8, 4, 2, 1] {
                let mut next = codes;
                next[component] = next[component].saturating_add(by).min(coarsest[component]);
                if let Some(better) = self.residuals(line, next, allowed)
                    && better.bits(frames) <= residuals.bits(frames)
                {
                    (codes, residuals) = (next, better);
                }
            }
        }
        let mut track = line.track.clone();
        track.step_codes = codes;
        let decoded = decoded(line, &residuals, codes);
        track.residuals = residuals;
        Some((track, decoded))
    }

    /// Residuals with these steps; `None` when a point comes to lie too far off.
    fn residuals(&self, line: &Line<'_>, codes: [u8; 4], allowed: &Allowed) -> Option<Residuals> {
        let steps = codes.map(|c| f64::from(code::small_float(c)));
        let mut residuals = Residuals::default();
        let mut before: Option<QuatF64> = None;
        for segment in 0..line.segments() {
            let (head, targets) = line.segment(segment, steps)?;
            let bases = Code::of(head).bases;
            residuals.heads.push(head);
            for (frame, target) in line.frames(segment).zip(targets) {
                let digits = self.digits(line, frame, target, bases, steps);
                let turn = line.with(frame, digits, bases, steps);
                if !self.holds(2 * frame, unit(turn), self.parents, &allowed.sampled) {
                    return None;
                }
                if let Some(before) = before
                    && !self.holds_between(2 * frame - 1, before, turn, allowed)
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
    fn allowed(&self, parents: &[Map]) -> Vec<f64> {
        let max_error = self.aim.max_error;
        let mut allowed = Vec::with_capacity(self.truths.len() * self.aim.points.len());
        for instant in 0..self.truths.len() {
            let target = self.targets[instant / 2];
            let turn = match instant % 2 {
                0 => target,
                _ => between(target, self.targets[instant / 2 + 1]),
            };
            let found = self.map(instant, turn, parents);
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

    fn map(&self, instant: usize, turn: QuatF64, parents: &[Map]) -> Map {
        let local = Local {
            rotation: turn,
            ..self.locals[instant]
        };
        parents[instant].with(&local)
    }

    /// Whether every point lies near enough half way from one frame to the next, as it is sampled and, if asked for, as it is
    /// unpacked.
    fn holds_between(
        &self,
        instant: usize,
        before: QuatF64,
        after: QuatF64,
        allowed: &Allowed,
    ) -> bool {
        let sampled = between(before, after);
        self.holds(instant, sampled, self.parents, &allowed.sampled)
            && self.even_parents.is_none_or(|parents| {
                let even = evenly_between(before, after);
                self.holds(instant, even, parents, &allowed.even)
            })
    }

    /// Whether every point lies near enough at an instant.
    fn holds(&self, instant: usize, turn: QuatF64, parents: &[Map], allowed: &[f64]) -> bool {
        let found = self.map(instant, turn, parents);
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
        line: &Line<'_>,
        frame: usize,
        target: [f64; 4],
        bases: [u32; 4],
        steps: [f64; 4],
    ) -> [u32; 4] {
        let nearest = [0, 1, 2, 3].map(|c| nearest_digit(target[c], bases[c], steps[c]));
        let Some((parent_turns, true_turns)) = self.turns else {
            return nearest;
        };
        let instant = 2 * frame;
        let into_joint = true_turns[instant].conjugate();
        let origin = self.parents[instant].point(self.locals[instant].translation);
        let truth = self.truths[instant].origin;
        let off = rotate(into_joint, [0, 1, 2].map(|c| origin[c] - truth[c]));
        let into_joint = into_joint.mul(parent_turns[instant]);
        let below = [0, 1, 2, 3].map(|c| digit_below(target[c], bases[c], steps[c]));
        let mut best = (nearest, f64::INFINITY);
        for corner in 0..16_u32 {
            let mut digits = [0, 1, 2, 3].map(|c| (below[c] + (corner >> c & 1)).min(bases[c] - 1));
            if let Some(anchor) = line.anchor {
                // Each of the others once.
                if corner >> anchor & 1 != 0 {
                    continue;
                }
                digits[anchor] = nearest[anchor];
            }
            let error = into_joint.mul(line.with(frame, digits, bases, steps));
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

/// Half way from one frame to the next, as the decoder joins them: it does not bring them to unit length first.
fn between(a: QuatF64, b: QuatF64) -> QuatF64 {
    unit(QuatF64 {
        v: [0, 1, 2].map(|c| a.v[c] + b.v[c]),
        w: a.w + b.w,
    })
}

/// Half way from one frame to the next, as the unpacked clip joins them: at unit length, along the shorter arc.
fn evenly_between(a: QuatF64, b: QuatF64) -> QuatF64 {
    let (a, b) = (unit(a), unit(b));
    between(a, near_side(b, a))
}

/// What a track decodes to at every instant, sampled and unpacked: between frames that brings them to unit length first.
fn decoded(line: &Line<'_>, residuals: &Residuals, codes: [u8; 4]) -> Vec<[QuatF64; 2]> {
    let steps = codes.map(|c| f64::from(code::small_float(c)));
    let mut all: Vec<[QuatF64; 2]> = Vec::new();
    let mut before = None;
    for (frame, digits) in residuals.digits.iter().enumerate() {
        let bases = Code::of(residuals.heads[frame / SEGMENT]).bases;
        let turn = line.with(frame, *digits, bases, steps);
        if let Some(before) = before {
            all.push([between(before, turn), evenly_between(before, turn)]);
        }
        all.push([unit(turn); 2]);
        before = Some(turn);
    }
    all
}
