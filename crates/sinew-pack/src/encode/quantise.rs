//! Encodes one track as knots and residuals, in as few bits as the errors allow. Fits knots for
//! every spacing, rounds them to bytes and takes the spacing with the fewest bits. Then coarsens
//! the steps as far as the points of the joint allow, first together, then one by one. Each frame
//! takes the digits near its target that give the smallest error at the worst point.

use super::compensation::Compensation;
use super::fit::Fit;
use super::lines::{Line, Residuals, RotationTrack, anchor_of, digit_below, nearest_digit};
use crate::bytes::code;
use crate::sampled::frames::{Local, Map, cross, distance, near_side, rotate, unit};
use crate::sampled::source::arc;
use sinew::clip::packed::format::{Code, SEGMENT, small_float};
use sinew_math::transform::quat_f64::QuatF64;
use std::cell::Cell;

/// Min magnitude of an anchor over all frames.
const MIN_ANCHOR: f64 = 0.3;
/// Max ratio of the anchor's step to the other steps.
const COARSEST_ANCHOR: f64 = 128.0;
/// Range of the search for steps, in eighths of an octave from the first estimate.
const COARSER: i32 = 20;
const FINER: i32 = -24;
/// Error that a joint may always add to the errors of its ancestors, as a fraction of the bound.
const OWN_SHARE: f64 = 0.12;
/// Max error passed on to children, as a fraction of the bound.
const MAX_PASSED_ON: f64 = 0.85;

/// Input of a rotation track: one value per instant (frames of the finest row and midpoints).
pub(crate) struct RotationJob<'j> {
    /// Number of instants between frames: two on the finest row.
    pub apart: usize,
    /// Number of instants from one check to the next: a divisor of `apart`, at least 1.
    pub looked_at: usize,
    /// Target rotations at frames, each with the sign that is nearer to the previous target.
    pub targets: &'j [QuatF64],
    /// Decoded maps `model_from_parent`.
    pub parents: &'j [Map],
    /// Decoded translation and scale of the joint. The rotation is not read.
    pub locals: &'j [Local],
    /// True maps `model_from_joint`.
    pub truths: &'j [Map],
    /// Decoded rotations of the parent and true rotations of the joint. `None` if a scale is not 1.
    pub rotations: Option<(&'j [QuatF64], &'j [QuatF64])>,
    /// Unpacked `model_from_parent`, if the unpacked clip must also keep to the bound.
    pub even_parents: Option<&'j [Map]>,
    pub compensation: &'j Compensation,
    pub misses: &'j Misses,
}

/// Tracks of a rotation that missed the bound, over all tries.
#[derive(Clone, Default)]
pub(crate) struct Misses {
    /// Frame at which the last of them missed it. The next track is checked there first.
    frame: Cell<usize>,
    /// True if the residuals of three in four spacings or more needed too many bits.
    pub are_cramped: Cell<bool>,
}

#[cfg(test)]
thread_local! {
    /// Number of frames that were encoded on this thread, over all tries.
    pub(crate) static FRAMES: Cell<usize> = const { Cell::new(0) };
}

struct Allowed {
    sampled: Vec<f64>,
    even: Vec<f64>,
}

impl RotationJob<'_> {
    /// Track with the fewest bits that keeps every point within its max error. Also returns the
    /// sampled and the unpacked value at every instant. `None` if no track does.
    pub fn encode(&self, fits: &[Fit]) -> Option<(RotationTrack, Vec<[QuatF64; 2]>)> {
        let numbers = |q: &QuatF64| [q.v[0], q.v[1], q.v[2], q.w];
        let targets: Vec<[f64; 4]> = self.targets.iter().map(numbers).collect();
        let step = self.compensation.steps().into_iter().fold(1.0, f64::min);
        let mut steps = [step; 4];
        let (anchor, smallest, apart) = anchor_of(&targets);
        let anchor = (smallest >= MIN_ANCHOR).then_some(anchor);
        if let Some(anchor) = anchor {
            // Unequal lengths of frames shift the midpoint. A smaller care factor reduces this.
            let care = self.compensation.care * self.compensation.care;
            let coarsest = match self.even_parents {
                Some(_) => (COARSEST_ANCHOR * care).max(1.0),
                None => COARSEST_ANCHOR,
            };
            steps[anchor] *= (smallest / apart.max(1e-6)).clamp(1.0, coarsest);
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
        let track = lines
            .iter()
            .find_map(|(_, line)| self.encode_line(line, steps, &allowed));
        if track.is_none() && 4 * lines.len() <= fits.len() {
            self.misses.are_cramped.set(true);
        }
        track
    }

    fn encode_line(
        &self,
        line: &Line<'_>,
        steps: [f64; 4],
        allowed: &Allowed,
    ) -> Option<(RotationTrack, Vec<[QuatF64; 2]>)> {
        let first = steps.map(|s| i32::from(code::small_float_below(s)));
        let coarsest = if self.compensation.care < 1.0 {
            steps.map(|s| code::small_float_below(s * self.compensation.care))
        } else {
            [u8::MAX; 4]
        };
        let limited =
            |codes: [i32; 4]| [0, 1, 2, 3].map(|c| codes[c].clamp(0, i32::from(coarsest[c])) as u8);
        let all = |change: i32| limited(first.map(|s| s + change));
        let (mut fine, mut coarse) = (FINER, COARSER);
        let mut found: Option<([u8; 4], Residuals)> = None;
        let mut missed = None;
        let mut change = 0;
        while fine < coarse {
            let codes = all(change);
            // Limits make many changes equal.
            if found.as_ref().is_some_and(|f| f.0 == codes) {
                fine = change + 1;
            } else if missed != Some(codes)
                && let Some(residuals) = self.residuals(line, codes, allowed)
            {
                found = Some((codes, residuals));
                fine = change + 1;
            } else {
                missed = Some(codes);
                coarse = change;
            }
            change = (fine + coarse).div_euclid(2);
        }
        let (mut codes, mut residuals) = found?;
        let frames = line.targets.len();
        for component in 0..4 {
            for by in [8, 4, 2, 1] {
                let mut next = codes;
                next[component] = next[component].saturating_add(by).min(coarsest[component]);
                if next != codes
                    && let Some(better) = self.residuals(line, next, allowed)
                    && better.bits(frames) <= residuals.bits(frames)
                {
                    (codes, residuals) = (next, better);
                }
            }
        }
        let mut track = line.track.clone();
        track.step_codes = codes;
        let decoded = decoded(line, &residuals, codes, self.apart);
        track.residuals = residuals;
        Some((track, decoded))
    }

    /// Residuals with these steps. `None` if a point is too far from its true position.
    fn residuals(&self, line: &Line<'_>, codes: [u8; 4], allowed: &Allowed) -> Option<Residuals> {
        let steps = codes.map(|c| f64::from(small_float(c)));
        let hard_frame = self.misses.frame.get().min(line.targets.len() - 1);
        if !self.holds_at(line, hard_frame, steps, allowed)? {
            return None;
        }
        let mut residuals = Residuals::default();
        let mut before: Option<QuatF64> = None;
        for segment in 0..line.segments() {
            let (head, targets) = line.segment(segment, steps)?;
            let bases = Code::of(head).bases;
            residuals.heads.push(head);
            for (frame, target) in line.frames(segment).zip(targets) {
                let digits = self.digits(line, frame, target, bases, steps);
                let rotation = line.with(frame, digits, bases, steps);
                if !self.holds_until(frame, before, rotation, allowed) {
                    self.misses.frame.set(frame);
                    return None;
                }
                before = Some(rotation);
                residuals.digits.push(digits);
            }
        }
        Some(residuals)
    }

    /// True if every point is near enough at a frame, and between it and the frame before. `None` if residuals do
    /// not fit.
    fn holds_at(
        &self,
        line: &Line<'_>,
        frame: usize,
        steps: [f64; 4],
        allowed: &Allowed,
    ) -> Option<bool> {
        let rotation = |frame: usize| {
            let (head, targets) = line.segment(frame / SEGMENT, steps)?;
            let bases = Code::of(head).bases;
            let digits = self.digits(line, frame, targets[frame % SEGMENT], bases, steps);
            Some(line.with(frame, digits, bases, steps))
        };
        let before = match frame.checked_sub(1) {
            Some(before) => Some(rotation(before)?),
            None => None,
        };
        Some(self.holds_until(frame, before, rotation(frame)?, allowed))
    }

    fn holds_until(
        &self,
        frame: usize,
        before: Option<QuatF64>,
        rotation: QuatF64,
        allowed: &Allowed,
    ) -> bool {
        let instant = self.apart * frame;
        self.holds(instant, unit(rotation), self.parents, &allowed.sampled)
            && before.is_none_or(|before| {
                self.holds_between(instant - self.apart, before, rotation, allowed)
            })
    }

    /// Max error of each point at each instant. It is the max error of the joint, or slightly more than the
    /// error of its ancestors that no rotation can correct.
    fn allowed(&self, parents: &[Map]) -> Vec<f64> {
        let max_error = self.compensation.max_error;
        let looks = self.truths.len().div_ceil(self.looked_at);
        let mut allowed = Vec::with_capacity(looks * self.compensation.points.len());
        for instant in (0..self.truths.len()).step_by(self.looked_at) {
            let frame = instant / self.apart;
            let rotation = match instant % self.apart {
                0 => self.targets[frame],
                past => {
                    let along = past as f64 / self.apart as f64;
                    between(self.targets[frame], self.targets[frame + 1], along)
                }
            };
            let found = self.map(instant, rotation, parents);
            for p in &self.compensation.points {
                let truth = self.truths[instant].point(p.position);
                let needed = distance(found.point(p.position), truth) + OWN_SHARE * max_error;
                // Children can correct errors at their origins, up to a limit.
                let max = if p.allowed < max_error {
                    MAX_PASSED_ON * max_error
                } else {
                    max_error
                };
                allowed.push(p.allowed.max(needed.min(max)));
            }
        }
        allowed
    }

    fn map(&self, instant: usize, rotation: QuatF64, parents: &[Map]) -> Map {
        let local = Local {
            rotation,
            ..self.locals[instant]
        };
        parents[instant].with(&local)
    }

    /// True if every point is near enough between two frames, as sampled and as unpacked.
    fn holds_between(
        &self,
        instant: usize,
        before: QuatF64,
        after: QuatF64,
        allowed: &Allowed,
    ) -> bool {
        let mut looks = (self.looked_at..self.apart).step_by(self.looked_at);
        looks.all(|past| {
            let (instant, along) = (instant + past, past as f64 / self.apart as f64);
            let sampled = between(before, after, along);
            self.holds(instant, sampled, self.parents, &allowed.sampled)
                && self.even_parents.is_none_or(|parents| {
                    let even = evenly_between(before, after, along);
                    self.holds(instant, even, parents, &allowed.even)
                })
        })
    }

    fn holds(&self, instant: usize, rotation: QuatF64, parents: &[Map], allowed: &[f64]) -> bool {
        let found = self.map(instant, rotation, parents);
        let truth = &self.truths[instant];
        let points = &self.compensation.points;
        let allowed = &allowed[instant / self.looked_at * points.len()..];
        points.iter().zip(allowed).all(|(p, allowed)| {
            distance(found.point(p.position), truth.point(p.position)) <= *allowed
        })
    }

    fn digits(
        &self,
        line: &Line<'_>,
        frame: usize,
        target: [f64; 4],
        bases: [u32; 4],
        steps: [f64; 4],
    ) -> [u32; 4] {
        #[cfg(test)]
        FRAMES.set(FRAMES.get() + 1);
        let nearest = [0, 1, 2, 3].map(|c| nearest_digit(target[c], bases[c], steps[c]));
        let Some((parent_rotations, true_rotations)) = self.rotations else {
            return nearest;
        };
        let instant = self.apart * frame;
        let into_joint = true_rotations[instant].conjugate();
        let origin = self.parents[instant].point(self.locals[instant].translation);
        let truth = self.truths[instant].origin;
        let off = rotate(into_joint, [0, 1, 2].map(|c| origin[c] - truth[c]));
        let into_joint = into_joint.mul(parent_rotations[instant]);
        let below = [0, 1, 2, 3].map(|c| digit_below(target[c], bases[c], steps[c]));
        let mut best = (nearest, f64::INFINITY);
        for corner in 0..16_u32 {
            let mut digits = [0, 1, 2, 3].map(|c| (below[c] + (corner >> c & 1)).min(bases[c] - 1));
            if let Some(anchor) = line.anchor {
                if corner >> anchor & 1 != 0 {
                    continue;
                }
                digits[anchor] = nearest[anchor];
            }
            let error = into_joint.mul(line.with(frame, digits, bases, steps));
            let axis_angle = error.v.map(|c| 2.0 * c / error.w);
            let mut worst = 0.0_f64;
            for p in &self.compensation.points {
                let moved = cross(axis_angle, p.position);
                let d = [0, 1, 2].map(|c| off[c] + moved[c]);
                let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                worst = worst.max(square / (p.allowed * p.allowed));
                if worst >= best.1 {
                    break;
                }
            }
            if worst < best.1 {
                best = (digits, worst);
            }
        }
        best.0
    }
}

/// Interpolates as the decoder does, without normalising the frames first.
fn between(a: QuatF64, b: QuatF64, along: f64) -> QuatF64 {
    let back = 1.0 - along;
    unit(QuatF64 {
        v: [0, 1, 2].map(|c| back * a.v[c] + along * b.v[c]),
        w: back * a.w + along * b.w,
    })
}

/// Interpolates as the unpacked clip does: at unit length, along the shorter arc.
fn evenly_between(a: QuatF64, b: QuatF64, along: f64) -> QuatF64 {
    let (a, b) = (unit(a), unit(b));
    let b = near_side(b, a);
    // At the midpoint, chord and arc are equal.
    if along == 0.5 {
        between(a, b, along)
    } else {
        arc(a, b, along)
    }
}

/// Sampled and unpacked values of a track at every instant. Unpacking normalises frames first.
fn decoded(
    line: &Line<'_>,
    residuals: &Residuals,
    codes: [u8; 4],
    apart: usize,
) -> Vec<[QuatF64; 2]> {
    let steps = codes.map(|c| f64::from(small_float(c)));
    let mut all: Vec<[QuatF64; 2]> = Vec::new();
    let mut before = None;
    for (frame, digits) in residuals.digits.iter().enumerate() {
        let bases = Code::of(residuals.heads[frame / SEGMENT]).bases;
        let rotation = line.with(frame, *digits, bases, steps);
        if let Some(before) = before {
            for past in 1..apart {
                let along = past as f64 / apart as f64;
                all.push([
                    between(before, rotation, along),
                    evenly_between(before, rotation, along),
                ]);
            }
        }
        all.push([unit(rotation); 2]);
        before = Some(rotation);
    }
    all
}
