//! Poses from markers: least squares over the whole body, within the limits of its joints.
//!
//! Levenberg (1944) and Marquardt (1963), with an analytic Jacobian; numbers at an end of their range
//! that would be driven beyond it are held, and every step is put back within the limits (a cone's rim
//! by projection). A marker far off counts less (Huber 1964).

use super::body::{Body, MarkerFrame};
use super::normal::{Met, Normal};
use super::pull::Pull;

/// A pose that leaves markers so far off on average is tried for again from another start.
const POOR_RMS_M: f64 = 0.02;
/// A step that makes a pose better by less than this part of what it costs is the last.
const LITTLE: f64 = 1e-7;

/// Solves frames of a body; what it needs for one serves the next.
pub(super) struct Solver<'a> {
    body: &'a Body,
    /// The pose so far.
    met: Met,
    next: Met,
    normal: Normal,
    factor: Vec<f64>,
    step: Vec<f64>,
    rest: Vec<f64>,
}

impl<'a> Solver<'a> {
    pub fn new(body: &'a Body) -> Self {
        Self {
            body,
            met: Met::default(),
            next: Met::default(),
            normal: Normal::default(),
            factor: Vec::new(),
            step: Vec::new(),
            rest: body.rest(),
        }
    }

    /// The pose of a frame, near another where several fit alike.
    pub fn solve(&mut self, seen: &MarkerFrame, before: &[f64], pull: &Pull) -> &Met {
        self.improve(before, seen, pull);
        if self.met.rms() > POOR_RMS_M {
            for base in [before.to_vec(), self.rest.clone()] {
                if let Some(start) = self.body.start(seen, &base) {
                    let best = std::mem::take(&mut self.met);
                    self.improve(&start, seen, pull);
                    if self.met.cost >= best.cost {
                        self.met = best;
                    }
                }
            }
        }
        &self.met
    }

    /// The pose that fits best, from a start.
    fn improve(&mut self, start: &[f64], seen: &MarkerFrame, pull: &Pull) {
        let body = self.body;
        self.met.q.clear();
        self.met.q.extend_from_slice(start);
        self.met.measure(body, seen, pull);
        self.normal.fill(body, &self.met, pull, true);
        let mut damping = 1e-4;
        for _ in 0..40 {
            if !self.normal.factor(body, damping, &mut self.factor) {
                break;
            }
            self.step.clone_from(&self.normal.right);
            body.tree.solve(&self.factor, &mut self.step);
            self.next.q.clear();
            let moved = self.met.q.iter().zip(&self.step).map(|(q, s)| q + s);
            self.next.q.extend(moved);
            body.clamp(&mut self.next.q);
            self.next.measure(body, seen, pull);
            if self.next.cost < self.met.cost {
                let gain = self.met.cost - self.next.cost;
                std::mem::swap(&mut self.met, &mut self.next);
                if gain < LITTLE * self.met.cost + 1e-12 {
                    break;
                }
                damping = (damping * 0.1).max(1e-9);
                self.normal.fill(body, &self.met, pull, true);
            } else {
                damping *= 10.0;
                if damping > 1e6 || self.step.iter().all(|s| s.abs() < 1e-9) {
                    break;
                }
            }
        }
    }

    /// Which numbers the markers of the frame that was solved last leave open: those of whose variance they
    /// leave more than this part.
    pub fn unseen(&mut self, pull: &Pull, part: f64) -> Vec<bool> {
        let body = self.body;
        self.normal.fill(body, &self.met, pull, false);
        if !self.normal.factor(body, 0.0, &mut self.factor) {
            return vec![false; body.count];
        }
        let variance = body.tree.inverse_diagonal(&mut self.factor);
        let open = |(variance, weight): (&f64, &f64)| variance * weight > part;
        variance.iter().zip(&pull.weight).map(open).collect()
    }
}
