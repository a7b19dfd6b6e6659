//! Solves poses from markers: least squares over the whole body, within its joint limits.
//! The method of Levenberg (1944) and Marquardt (1963), with an analytic Jacobian. Numbers that
//! would leave their range are held. Every step is clamped to the limits; at the rim of a cone, it
//! is projected. Distant markers count less (Huber 1964).

use super::body::{Body, MarkerFrame};
use super::bounded::Bounded;
use super::damping::Damping;
use super::normal::{Met, Normal};
use super::pull::Pull;

/// Max marker error of a good pose, in metres (root mean square).
const POOR_RMS_M: f64 = 0.02;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Relative gain below which the iteration stops.
    little: f64,
    max_steps: usize,
    /// Error in metres, root mean square, above which other starts are tried.
    poor_rms_m: f64,
}

impl Effort {
    /// Effort until convergence.
    pub const FULL: Self = Self {
        little: 1e-7,
        max_steps: 40,
        poor_rms_m: POOR_RMS_M,
    };
    /// Effort for a starting pose.
    pub const ROUGH: Self = Self {
        little: 1e-3,
        max_steps: 40,
        poor_rms_m: POOR_RMS_M,
    };
    /// Effort to refine a nearly correct pose.
    pub const AFTER: Self = Self {
        little: 1e-3,
        max_steps: 3,
        poor_rms_m: POOR_RMS_M,
    };
}

impl Effort {
    /// Effort that tries other starts only above 1.2 times `rms_m`, in metres.
    pub fn unless_poorer_than(self, rms_m: f64) -> Self {
        Self {
            poor_rms_m: self.poor_rms_m.max(1.2 * rms_m),
            ..self
        }
    }
}

#[derive(Default)]
pub(crate) struct Solver {
    /// Current pose.
    pub met: Met,
    next: Met,
    normal: Normal,
    bounded: Bounded,
    factor: Vec<f64>,
}

impl Solver {
    /// Solves the pose of a frame. If several poses fit equally well, the result is near `before`.
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

    fn begin(&mut self, start: &[f64]) {
        self.met.q.clear();
        self.met.q.extend_from_slice(start);
    }

    /// Improves the current pose.
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

    /// True for each number if the last frame leaves more than the fraction `part` of its variance.
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
