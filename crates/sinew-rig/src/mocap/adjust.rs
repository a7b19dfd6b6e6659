//! Bundle adjustment: one least squares over parameters of the body and the poses of some frames.
//!
//! Levenberg–Marquardt; poses are eliminated frame by frame (the Schur complement: Triggs, McLauchlan,
//! Hartley and Fitzgibbon, Bundle Adjustment: A Modern Synthesis, 2000).

use super::body::{Body, MarkerFrame};
use super::cholesky::Cholesky;
use super::parameters::{FitParameter, Index, Parameter};
use super::solve::{MARKER_M, Normal, Pull, robust};
use glam::DVec3;

/// No length is farther from the template's than that.
const MIN_FACTOR: f64 = 0.5;
const MAX_FACTOR: f64 = 2.0;

/// The system of a frame with the poses taken out, and what is needed to find its pose again; numbers of
/// the pose in the order of [`Normal`].
struct Eliminated {
    factor: Cholesky,
    /// `L⁻¹ · B`, a row a number of the pose.
    coupling: Vec<f64>,
    /// `L⁻¹ · right`.
    right: Vec<f64>,
}

/// What is fitted, to what, and how far it is.
pub(super) struct Bundle<'a> {
    pub body: Body,
    /// What lengths, sizes and places are changes of.
    pub base: Body,
    /// For every segment the direction of its own bone, or zero.
    pub axes: Vec<DVec3>,
    pub parameters: Vec<FitParameter>,
    pub frames: Vec<&'a MarkerFrame>,
    /// Of these frames.
    pub poses: Vec<Vec<f64>>,
    /// How many times less a sighting counts than [`MARKER_M`] says.
    pub doubt: f64,
}

impl<'a> Bundle<'a> {
    pub fn new(
        body: Body,
        parameters: Vec<FitParameter>,
        frames: Vec<&'a MarkerFrame>,
        poses: Vec<Vec<f64>>,
    ) -> Self {
        let base = body.clone();
        let mut bundle = Self {
            axes: axes(&base),
            body,
            base,
            parameters,
            frames,
            poses,
            doubt: 1.0,
        };
        bundle.apply();
        bundle
    }

    /// Levenberg–Marquardt over parameters and poses.
    pub fn adjust(&mut self, max_steps: usize) {
        let mut damping = 1e-4;
        let mut cost = self.cost(&self.poses);
        for _ in 0..max_steps {
            let Some((changes, moved)) = self.step(damping) else {
                return;
            };
            let before: Vec<f64> = self.parameters.iter().map(|s| s.value).collect();
            for (parameters, change) in self.parameters.iter_mut().zip(&changes) {
                parameters.value += change;
            }
            self.apply();
            let now = self.cost(&moved);
            if now < cost {
                let gain = cost - now;
                self.poses = moved;
                cost = now;
                damping = (damping * 0.1).max(1e-9);
                if gain < 1e-5 * cost {
                    return;
                }
            } else {
                for (parameters, before) in self.parameters.iter_mut().zip(before) {
                    parameters.value = before;
                }
                self.apply();
                damping *= 10.0;
            }
        }
    }

    /// Makes the body what the parameters say.
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

    fn cost(&self, poses: &[Vec<f64>]) -> f64 {
        let body = &self.body;
        let off = |s: &FitParameter| s.value / s.spread;
        let priors: f64 = self.parameters.iter().map(|s| off(s) * off(s)).sum();
        let priors = self.doubt * priors;
        let frames = self.frames.iter().zip(poses).map(|(seen, q)| {
            let placed = body.place(q);
            let markers = seen.iter().enumerate().filter_map(|(marker, seen)| {
                Some(robust(body.marker(&placed, marker) - (*seen)?).0)
            });
            let mut right = vec![0.0; body.count];
            markers.sum::<f64>() + no_pull(body).add(body, q, &mut right)
        });
        priors + frames.sum::<f64>()
    }

    /// The system with the poses taken out, and what was taken out of every frame.
    fn reduce(&self, damping: f64) -> Option<(System, Vec<Eliminated>)> {
        let count = self.parameters.len();
        let index = Index::new(&self.body, &self.parameters);
        let mut system = System {
            matrix: vec![0.0; count * count],
            right: vec![0.0; count],
        };
        for (i, s) in self.parameters.iter().enumerate() {
            let weight = self.doubt / (s.spread * s.spread);
            system.matrix[i * count + i] = weight;
            system.right[i] = -weight * s.value;
        }
        let eliminated = (0..self.frames.len())
            .map(|frame| self.eliminate(frame, &index, damping, &mut system))
            .collect::<Option<_>>()?;
        Some((system, eliminated))
    }

    /// Changes of the parameters, and the poses that go with them.
    fn step(&self, damping: f64) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let count = self.parameters.len();
        let (System { mut matrix, right }, frames) = self.reduce(damping)?;
        for i in 0..count {
            matrix[i * count + i] *= 1.0 + damping;
        }
        let mut changes = right;
        Cholesky::new(&matrix, count)?.solve(&mut changes);
        let moved = frames.iter().zip(&self.poses).map(|(frame, q)| {
            let mut step = frame.right.clone();
            for (step, row) in step.iter_mut().zip(frame.coupling.chunks_exact(count)) {
                *step -= row.iter().zip(&changes).map(|(a, b)| a * b).sum::<f64>();
            }
            frame.factor.backward(&mut step);
            step.reverse();
            let mut moved: Vec<f64> = q.iter().zip(&step).map(|(q, s)| q + s).collect();
            self.body.clamp(&mut moved);
            moved
        });
        let moved = moved.collect();
        Some((changes, moved))
    }

    /// What frames and priors leave open of the parameters: the variance of any sum of them.
    pub fn open(&self) -> Option<ParameterVariances> {
        let (system, _) = self.reduce(0.0)?;
        let factor = Cholesky::new(&system.matrix, self.parameters.len())?;
        Some(ParameterVariances {
            factor,
            doubt: self.doubt,
        })
    }

    /// What is left of the sightings: skin that slides and joints that are no balls leave more than cameras
    /// do, and much the same in frames that follow each other.
    pub fn left(&self) -> Residuals {
        let body = &self.body;
        let (mut sightings, mut squares) = (0, 0.0);
        let (mut products, mut of_pairs) = (0.0, 0.0);
        let mut before: MarkerFrame = vec![None; body.markers.len()];
        for (seen, q) in self.frames.iter().zip(&self.poses) {
            let placed = body.place(q);
            for (marker, seen) in seen.iter().enumerate() {
                let off = seen.map(|seen| body.marker(&placed, marker) - seen);
                if let Some(off) = off {
                    squares += off.length_squared();
                    sightings += 1;
                }
                if let (Some(a), Some(b)) = (before[marker], off) {
                    products += a.dot(b);
                    of_pairs += 0.5 * (a.length_squared() + b.length_squared());
                }
                before[marker] = off;
            }
        }
        // Each pose takes its numbers from those of the frame.
        let (frames, numbers) = (self.frames.len() as f64, 3.0 * f64::from(sightings));
        let free = (numbers - frames * body.count as f64).max(numbers / 3.0);
        let alike = match of_pairs > 0.0 {
            true => (products / of_pairs).clamp(0.0, 1.0 - 1.0 / frames),
            false => 0.0,
        };
        Residuals {
            variance: squares / free.max(1.0),
            alike,
        }
    }

    /// Adds a frame to the system, less what its pose can make good.
    fn eliminate(
        &self,
        frame: usize,
        index: &Index,
        damping: f64,
        System { matrix, right }: &mut System,
    ) -> Option<Eliminated> {
        let body = &self.body;
        let (seen, q) = (self.frames[frame], &self.poses[frame]);
        let (n, count) = (body.count, right.len());
        let mut normal = Normal::new(body, q, seen, &no_pull(body));
        let mut coupling = vec![0.0; n * count];
        let placed = body.place(q);
        let (mut of_pose, mut of_body) = (Vec::new(), Vec::new());
        for (marker, seen) in seen.iter().enumerate() {
            let Some(seen) = seen else { continue };
            let at = body.marker(&placed, marker);
            let off = at - *seen;
            let (_, counts) = robust(off);
            body.columns(&placed, marker, at, &mut of_pose);
            index.columns(
                [body, &self.base],
                &self.axes,
                &placed,
                marker,
                &mut of_body,
            );
            for &(i, a) in &of_body {
                right[i] -= counts * a.dot(off);
                // The lower half is enough.
                for &(j, b) in of_body.iter().filter(|(j, _)| *j <= i) {
                    matrix[i * count + j] += counts * a.dot(b);
                }
                for &(k, b) in &of_pose {
                    coupling[(n - 1 - k) * count + i] += counts * a.dot(b);
                }
            }
        }
        let blocked = normal.damp(body, q, damping);
        for (row, _) in (coupling.chunks_exact_mut(count).zip(blocked)).filter(|(_, held)| *held) {
            row.fill(0.0);
        }
        let factor = Cholesky::new(&normal.matrix, n)?;
        factor.forward(&mut normal.right);
        factor.forward_rows(&mut coupling, count);
        let mut some: Vec<(usize, f64)> = Vec::with_capacity(count);
        for (row, reduced) in coupling.chunks_exact(count).zip(&normal.right) {
            some.clear();
            some.extend((row.iter().copied().enumerate()).filter(|(_, a)| *a != 0.0));
            for (nth, &(i, a)) in some.iter().enumerate() {
                right[i] -= a * reduced;
                let out = &mut matrix[i * count..][..count];
                for &(j, b) in &some[..=nth] {
                    out[j] -= a * b;
                }
            }
        }
        Some(Eliminated {
            factor,
            coupling,
            right: normal.right,
        })
    }
}

/// What is left of sightings.
pub(super) struct Residuals {
    /// In each direction, in square metres.
    variance: f64,
    /// How much it is the same in the next frame, 0 to 1.
    pub alike: f64,
}

impl Residuals {
    /// How many times less sightings should count than [`MARKER_M`] says. Of frames that leave the same, as
    /// many count as are independent (Bartlett 1935).
    pub fn doubt(&self) -> f64 {
        let frames_for_one = (1.0 + self.alike) / (1.0 - self.alike);
        (self.variance * frames_for_one / (MARKER_M * MARKER_M)).max(1.0)
    }
}

/// The variances of parameters.
pub(super) struct ParameterVariances {
    factor: Cholesky,
    doubt: f64,
}

impl ParameterVariances {
    /// Of each parameter.
    pub fn variances(&self) -> Vec<f64> {
        let diagonal = self.factor.inverse_diagonal();
        diagonal.into_iter().map(|v| self.doubt * v).collect()
    }

    /// Of a sum of parameters, each with its share.
    pub fn variance_of(&self, mut shares: Vec<f64>) -> f64 {
        self.factor.forward(&mut shares);
        self.doubt * shares.iter().map(|x| x * x).sum::<f64>()
    }
}

/// For every segment the direction of the one bone that goes on from it, or zero where several or none do.
fn axes(body: &Body) -> Vec<DVec3> {
    let axis = |segment: usize| {
        let next = body.only_next(segment);
        let offset = next.map_or(DVec3::ZERO, |next| body.segments[next].offset);
        offset.normalize_or_zero()
    };
    (0..body.segments.len()).map(axis).collect()
}

/// Every pose is drawn to rest, wherever the root is, by so little that all frames together do not turn
/// the markers of a last segment, which could as well be turned instead of its joint.
fn no_pull(body: &Body) -> Pull {
    let mut pull = Pull::new(body, &body.rest());
    let root_end = super::body::ROOT + body.segments[0].coordinates.count();
    pull.weight[..root_end].fill(1e-6);
    pull.weight[root_end..].fill(1e-3);
    pull
}

/// The normal equations of all parameters, the lower half of the matrix.
struct System {
    matrix: Vec<f64>,
    right: Vec<f64>,
}
