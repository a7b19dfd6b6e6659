//! Poses from markers: least squares over the whole body, within the limits of its joints.
//!
//! Levenberg (1944) and Marquardt (1963), with an analytic Jacobian; numbers at an end of their range
//! that would be driven beyond it are held, and every step is put back within the limits (a cone's rim
//! by projection). A marker far off counts less (Huber 1964).

use super::body::{Body, MarkerFrame};
use super::bounded::Bounded;
use super::damping::Damping;
use super::normal::{Met, Normal};
use super::pull::Pull;

/// A pose that leaves markers farther off is poor.
const POOR_RMS_M: f64 = 0.02;

/// The effort that goes into a pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// A step that makes a pose better by less than this part of what it costs is the last.
    little: f64,
    max_steps: usize,
    /// A pose that leaves markers so far off on average, in metres, is tried for again from other starts.
    poor_rms_m: f64,
}

impl Effort {
    /// Until nothing changes.
    pub const FULL: Self = Self {
        little: 1e-7,
        max_steps: 40,
        poor_rms_m: POOR_RMS_M,
    };
    /// To begin from.
    pub const ROUGH: Self = Self {
        little: 1e-3,
        max_steps: 40,
        poor_rms_m: POOR_RMS_M,
    };
    /// A pose that is all but there.
    pub const AFTER: Self = Self {
        little: 1e-3,
        max_steps: 3,
        poor_rms_m: POOR_RMS_M,
    };
}

impl Effort {
    /// The same, with other starts only where markers are farther off than this by a fifth.
    pub fn unless_poorer_than(self, rms_m: f64) -> Self {
        Self {
            poor_rms_m: self.poor_rms_m.max(1.2 * rms_m),
            ..self
        }
    }
}

/// Solves frames; what it needs for one serves the next.
#[derive(Default)]
pub(crate) struct Solver {
    /// The pose so far.
    pub met: Met,
    next: Met,
    normal: Normal,
    bounded: Bounded,
    factor: Vec<f64>,
}

impl Solver {
    /// The pose of a frame, near another where several fit alike.
    pub fn solve(
        &mut self,
        body: &Body,
        seen: &MarkerFrame,
        before: &[f64],
        pull: &Pull,
        effort: Effort,
    ) -> &Met {
        self.begin(before);
        self.improve(body, seen, pull, effort);
        if self.met.rms() > effort.poor_rms_m {
            for base in [before.to_vec(), body.rest()] {
                if let Some(start) = body.start(seen, &base) {
                    let best = std::mem::take(&mut self.met);
                    self.begin(&start);
                    self.improve(body, seen, pull, effort);
                    if self.met.cost >= best.cost {
                        self.met = best;
                    }
                }
            }
        }
        &self.met
    }

    /// Puts the pose where to begin.
    fn begin(&mut self, start: &[f64]) {
        self.met.q.clear();
        self.met.q.extend_from_slice(start);
    }

    /// Makes the pose fit better.
    pub fn improve(&mut self, body: &Body, seen: &MarkerFrame, pull: &Pull, effort: Effort) {
        self.met.measure(body, seen, pull);
        self.normal.fill(body, &self.met, pull, true);
        let mut damping = Damping::new();
        for _ in 0..effort.max_steps {
            let (normal, q) = (&self.normal, &self.met.q);
            let bounded = &mut self.bounded;
            let right = &normal.right;
            if !bounded.step(body, normal, right, damping.part, q, &mut self.next.q) {
                break;
            }
            self.next.measure(body, seen, pull);
            let gain = self.met.cost - self.next.cost;
            if gain > 0.0 {
                damping.accept(gain / bounded.promise(body, normal));
                std::mem::swap(&mut self.met, &mut self.next);
                if gain < effort.little * self.met.cost + 1e-12 {
                    break;
                }
                self.normal.fill(body, &self.met, pull, true);
            } else {
                let mut moved = self.next.q.iter().zip(&self.met.q);
                if !damping.refuse() || moved.all(|(a, b)| (a - b).abs() < 1e-9) {
                    break;
                }
            }
        }
    }

    /// The numbers that the markers of the frame that was solved last leave open: those of whose variance they leave
    /// more than this part.
    pub fn unseen(&mut self, body: &Body, pull: &Pull, part: f64) -> Vec<bool> {
        self.normal.fill(body, &self.met, pull, false);
        let normal = &self.normal;
        if !normal.factor(body, 0.0, &normal.held, &mut self.factor) {
            return vec![false; body.count];
        }
        let variance = body.tree.inverse_diagonal(&mut self.factor);
        let open = |(variance, weight): (&f64, &f64)| variance * weight > part;
        variance.iter().zip(&pull.weight).map(open).collect()
    }
}
