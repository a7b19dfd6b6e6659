//! Bundle adjustment: one least-squares fit of the parameters of the body and the poses of some
//! frames, by Levenberg–Marquardt. Poses are eliminated frame by frame (Schur complement: Triggs,
//! `McLauchlan`, Hartley and Fitzgibbon, Bundle Adjustment: A Modern Synthesis, 2000).

use super::eliminate::{Eliminated, Elimination, System};
use super::parameters::{FitParameter, Moves, Parameter};
use crate::mocap::pose::body::{Body, MarkerFrame};
use crate::mocap::pose::damping::Damping;
use crate::mocap::pose::normal::{MARKER_M, Met, Miss};
use crate::mocap::pose::pull::Pull;
use crate::mocap::pose::solve::{Effort, Solver};
use crate::mocap::pose::tree::Tree;
use glam::DVec3;

/// Min factor on a length of the template.
const MIN_FACTOR: f64 = 0.5;
const MAX_FACTOR: f64 = 2.0;

pub(super) struct Bundle<'a> {
    pub body: Body,
    base: Body,
    axes: Vec<DVec3>,
    pub parameters: Vec<FitParameter>,
    pub frames: Vec<&'a MarkerFrame>,
    met: Vec<Met>,
    /// Factor on the variance of a sighting, relative to [`MARKER_M`] squared.
    pub doubt: f64,
    pull: Pull,
    system: System,
    elimination: Elimination,
    eliminated: Vec<Eliminated>,
    solver: Solver,
}

impl<'a> Bundle<'a> {
    pub fn new(
        body: Body,
        parameters: Vec<FitParameter>,
        frames: Vec<&'a MarkerFrame>,
        poses: Vec<Vec<f64>>,
    ) -> Self {
        let base = body.clone();
        let axes = axes(&base);
        let moves = Moves::new(&base, &axes, &parameters);
        let met = poses.into_iter().map(|q| Met {
            q,
            ..Met::default()
        });
        let mut bundle = Self {
            elimination: Elimination::new(&body, moves, parameters.len()),
            system: System::new(parameters.len()),
            eliminated: vec![Eliminated::default(); frames.len()],
            solver: Solver::default(),
            pull: Pull::faint(&body),
            axes,
            body,
            base,
            parameters,
            frames,
            met: met.collect(),
            doubt: 1.0,
        };
        bundle.apply();
        for (met, seen) in bundle.met.iter_mut().zip(&bundle.frames) {
            met.measure(&bundle.body, seen, &bundle.pull);
        }
        bundle
    }

    /// Parameters, frames and poses of the frames.
    pub fn into_poses(self) -> (Vec<FitParameter>, Vec<&'a MarkerFrame>, Vec<Vec<f64>>) {
        let poses = self.met.into_iter().map(|met| met.q);
        (self.parameters, self.frames, poses.collect())
    }

    /// Levenberg–Marquardt over parameters and poses, until a step reduces the cost by less than
    /// the fraction `little`. Poses are improved separately after each step. Otherwise limits and
    /// rotations, which the linear system ignores, would undo the gain (embedded iterations: Jeong
    /// et al., Pushing the Envelope of Modern Methods for Bundle Adjustment, 2012).
    pub fn adjust(&mut self, max_steps: usize, little: f64) {
        let mut damping = Damping::new();
        let mut cost = self.cost(&self.met);
        let mut next = self.met.clone();
        for _ in 0..max_steps {
            let Some(changes) = self.step(damping.part, &mut next) else {
                return;
            };
            let before: Vec<f64> = self.parameters.iter().map(|s| s.value).collect();
            for (parameters, change) in self.parameters.iter_mut().zip(&changes) {
                parameters.value += change;
            }
            self.apply();
            for (next, seen) in next.iter_mut().zip(&self.frames) {
                std::mem::swap(next, &mut self.solver.met);
                self.solver
                    .improve(&self.body, seen, &self.pull, Effort::AFTER);
                std::mem::swap(next, &mut self.solver.met);
            }
            let now = self.cost(&next);
            if now < cost {
                let gain = cost - now;
                std::mem::swap(&mut self.met, &mut next);
                cost = now;
                damping.accept(1.0);
                if gain < little * cost {
                    return;
                }
            } else {
                for (parameters, before) in self.parameters.iter_mut().zip(before) {
                    parameters.value = before;
                }
                self.apply();
                if !damping.refuse() {
                    return;
                }
            }
        }
    }

    fn apply(&mut self) {
        let Self { body, base, .. } = self;
        let mut bones = vec![1.0; base.segments.len()];
        let mut along = bones.clone();
        let mut across = bones.clone();
        for parameters in &self.parameters {
            if let Parameter::Lengths(lengths) = &parameters.parameter {
                for &(s, share) in &lengths.bones {
                    bones[s] += share * parameters.value;
                }
                for &(s, share) in &lengths.along {
                    along[s] += share * parameters.value;
                }
                for &(s, share) in &lengths.across {
                    across[s] += share * parameters.value;
                }
            }
        }
        let within = |factor: f64| factor.clamp(MIN_FACTOR, MAX_FACTOR);
        for (s, base) in base.segments.iter().enumerate() {
            body.segments[s].offset = base.offset * within(bones[s]);
        }
        for (marker, base) in body.markers.iter_mut().zip(&base.markers) {
            let s = marker.segment;
            let part = base.offset.dot(self.axes[s]) * self.axes[s];
            marker.offset = part * within(along[s]) + (base.offset - part) * within(across[s]);
        }
        for parameters in &self.parameters {
            if let Parameter::Marker(marker, axis) = parameters.parameter {
                body.markers[marker].offset[axis] += parameters.value;
            }
        }
    }

    fn cost(&self, met: &[Met]) -> f64 {
        let off = |s: &FitParameter| s.value / s.spread;
        let priors: f64 = self.parameters.iter().map(|s| off(s) * off(s)).sum();
        self.doubt * priors + met.iter().map(|met| met.cost).sum::<f64>()
    }

    fn reduce(&mut self, damping: f64) -> Option<()> {
        let system = &mut self.system;
        system.clear();
        for (i, s) in self.parameters.iter().enumerate() {
            let weight = self.doubt / (s.spread * s.spread);
            system.matrix[system.tree.diagonal(i)] = weight;
            system.right[i] = -weight * s.value;
        }
        let body = &self.body;
        for (met, frame) in self.met.iter().zip(&mut self.eliminated) {
            frame.normal.fill(body, met, &self.pull, true);
            if !self
                .elimination
                .eliminate(body, met, frame, damping, system)
            {
                return None;
            }
        }
        Some(())
    }

    fn step(&mut self, damping: f64, next: &mut [Met]) -> Option<Vec<f64>> {
        self.reduce(damping)?;
        let System {
            tree,
            matrix,
            right,
        } = &mut self.system;
        for i in 0..tree.len() {
            matrix[tree.diagonal(i)] *= 1.0 + damping;
        }
        let mut changes = right.clone();
        if !tree.factor(matrix) {
            return None;
        }
        tree.solve(matrix, &mut changes);
        for ((met, frame), next) in self.met.iter().zip(&self.eliminated).zip(next) {
            let elimination = &mut self.elimination;
            if !elimination.follow(&self.body, met, frame, damping, &changes, &mut next.q) {
                return None;
            }
        }
        Some(changes)
    }

    /// Remaining variances of the parameters. `None` if the system cannot be factored.
    pub fn open(&mut self) -> Option<ParameterVariances> {
        self.reduce(0.0)?;
        let mut factor = self.system.matrix.clone();
        let tree = self.system.tree.clone();
        tree.factor(&mut factor).then_some(ParameterVariances {
            tree,
            factor,
            doubt: self.doubt,
        })
    }

    /// Residuals of the sightings. Sliding skin and joints that are not true balls add to the
    /// camera noise, with errors that are similar in consecutive frames.
    pub fn left(&self) -> Residuals {
        let body = &self.body;
        let (mut sightings, mut squares) = (0, 0.0);
        let (mut products, mut of_pairs) = (0.0, 0.0);
        // Last frame that saw each marker, and its error in that frame.
        let mut before = vec![(usize::MAX, DVec3::ZERO); body.markers.len()];
        for (frame, met) in self.met.iter().enumerate() {
            for &Miss { marker, off, .. } in &met.misses {
                squares += off.length_squared();
                sightings += 1;
                let (last, a) = before[marker];
                if last.wrapping_add(1) == frame {
                    products += a.dot(off);
                    of_pairs += 0.5 * (a.length_squared() + off.length_squared());
                }
                before[marker] = (frame, off);
            }
        }
        // Each number of a pose uses one degree of freedom.
        let (frames, numbers) = (self.frames.len() as f64, 3.0 * f64::from(sightings));
        let free = (numbers - frames * body.count as f64).max(numbers / 3.0);
        let alike = if of_pairs > 0.0 {
            (products / of_pairs).clamp(0.0, 1.0 - 1.0 / frames)
        } else {
            0.0
        };
        Residuals {
            variance: squares / free.max(1.0),
            alike,
        }
    }
}

pub(super) struct Residuals {
    /// Variance per axis, in square metres.
    variance: f64,
    /// Fraction of the variance shared with the next frame, in [0, 1].
    pub alike: f64,
}

impl Residuals {
    /// Factor on the variance of a sighting, relative to [`MARKER_M`] squared. Correlated frames
    /// count as the equivalent number of independent frames (Bartlett 1935).
    pub fn doubt(&self) -> f64 {
        let frames_for_one = (1.0 + self.alike) / (1.0 - self.alike);
        (self.variance * frames_for_one / (MARKER_M * MARKER_M)).max(1.0)
    }
}

pub(super) struct ParameterVariances {
    tree: Tree,
    factor: Vec<f64>,
    doubt: f64,
}

impl ParameterVariances {
    /// Variance of each parameter.
    pub fn variances(&self) -> Vec<f64> {
        let diagonal = self.tree.inverse_diagonal(&mut self.factor.clone());
        diagonal.into_iter().map(|v| self.doubt * v).collect()
    }

    /// Variance of a weighted sum of parameters.
    pub fn variance_of(&self, mut shares: Vec<f64>) -> f64 {
        self.tree.up(&self.factor, &mut shares);
        self.doubt * shares.iter().map(|x| x * x).sum::<f64>()
    }
}

/// Direction of the bone that leaves each segment. Zero for no bone, or for several bones.
fn axes(body: &Body) -> Vec<DVec3> {
    let axis = |segment: usize| {
        let next = body.only_next(segment);
        let offset = next.map_or(DVec3::ZERO, |next| body.segments[next].offset);
        offset.normalize_or_zero()
    };
    (0..body.segments.len()).map(axis).collect()
}
