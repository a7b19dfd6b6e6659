//! Bundle adjustment: one least squares over parameters of the body and the poses of some frames.
//!
//! Levenberg–Marquardt; poses are eliminated frame by frame (the Schur complement: Triggs, McLauchlan,
//! Hartley and Fitzgibbon, Bundle Adjustment: A Modern Synthesis, 2000).

use super::body::{Body, Placed, Seen};
use super::cholesky::Cholesky;
use super::solve::{Normal, Pull, robust};
use glam::DVec3;

/// What is sought beside the poses.
pub(super) enum Parameter {
    /// The length of some bones, of that in the template.
    Bone(Vec<usize>),
    /// The size of some segments with their markers, of that in the template.
    Size(Vec<usize>),
    /// How far a marker is from its place on a segment of that size, along an axis, in metres.
    Marker(usize, usize),
}

pub(super) struct Sought {
    pub parameter: Parameter,
    pub value: f64,
    pub prior: f64,
    /// Of the prior.
    pub spread: f64,
}

/// The system of a frame with the poses taken out, and what is needed to find its pose again.
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
    pub sought: Vec<Sought>,
    pub frames: Vec<&'a Seen>,
    /// Of these frames.
    pub poses: Vec<Vec<f64>>,
}

impl<'a> Bundle<'a> {
    pub fn new(
        body: Body,
        sought: Vec<Sought>,
        frames: Vec<&'a Seen>,
        poses: Vec<Vec<f64>>,
    ) -> Self {
        let base = body.clone();
        Self {
            body,
            base,
            sought,
            frames,
            poses,
        }
    }

    /// Levenberg–Marquardt over parameters and poses.
    pub fn adjust(&mut self, most_steps: usize) {
        let mut damping = 1e-4;
        let mut cost = self.cost(&self.poses);
        for _ in 0..most_steps {
            let Some((changes, moved)) = self.step(damping) else {
                return;
            };
            let before: Vec<f64> = self.sought.iter().map(|s| s.value).collect();
            for (sought, change) in self.sought.iter_mut().zip(&changes) {
                sought.value += change;
                if !matches!(sought.parameter, Parameter::Marker(..)) {
                    sought.value = sought.value.clamp(0.5, 2.0);
                }
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
                for (sought, before) in self.sought.iter_mut().zip(before) {
                    sought.value = before;
                }
                self.apply();
                damping *= 10.0;
            }
        }
    }

    /// Makes the body what the parameters say. Sizes come before places.
    fn apply(&mut self) {
        let Self { body, base, .. } = self;
        for (marker, base) in body.markers.iter_mut().zip(&base.markers) {
            marker.offset = base.offset;
        }
        for Sought {
            parameter, value, ..
        } in &self.sought
        {
            match parameter {
                Parameter::Bone(segments) => {
                    for &s in segments {
                        body.segments[s].offset = base.segments[s].offset * *value;
                    }
                }
                Parameter::Size(segments) => {
                    let markers = body.markers.iter_mut();
                    for marker in markers.filter(|m| segments.contains(&m.segment)) {
                        marker.offset *= *value;
                    }
                }
                Parameter::Marker(marker, axis) => body.markers[*marker].offset[*axis] += value,
            }
        }
    }

    fn cost(&self, poses: &[Vec<f64>]) -> f64 {
        let body = &self.body;
        let off = |s: &Sought| (s.value - s.prior) / s.spread;
        let priors: f64 = self.sought.iter().map(|s| off(s) * off(s)).sum();
        let frames = self.frames.iter().zip(poses).map(|(seen, q)| {
            let placed = body.place(q);
            let markers = seen.iter().enumerate().filter_map(|(marker, seen)| {
                Some(robust(body.marker(&placed, marker) - (*seen)?).0)
            });
            let mut right = vec![0.0; body.count];
            markers.sum::<f64>() + still(body).add(body, q, &mut right)
        });
        priors + frames.sum::<f64>()
    }

    /// The system with the poses taken out, and what was taken out of every frame.
    fn reduce(&self, damping: f64) -> Option<(System, Vec<Eliminated>)> {
        let count = self.sought.len();
        let index = Index::new(&self.body, &self.sought);
        let mut system = System {
            matrix: vec![0.0; count * count],
            right: vec![0.0; count],
        };
        for (i, s) in self.sought.iter().enumerate() {
            let weight = 1.0 / (s.spread * s.spread);
            system.matrix[i * count + i] = weight;
            system.right[i] = weight * (s.prior - s.value);
        }
        let eliminated = (0..self.frames.len())
            .map(|frame| self.eliminate(frame, &index, damping, &mut system))
            .collect::<Option<_>>()?;
        Some((system, eliminated))
    }

    /// Changes of the parameters, and the poses that go with them.
    fn step(&self, damping: f64) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let count = self.sought.len();
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
            let mut moved: Vec<f64> = q.iter().zip(&step).map(|(q, s)| q + s).collect();
            self.body.clamp(&mut moved);
            moved
        });
        let moved = moved.collect();
        Some((changes, moved))
    }

    /// The variance that frames and priors leave of every parameter.
    pub fn variances(&self) -> Option<Vec<f64>> {
        let (system, _) = self.reduce(0.0)?;
        Some(Cholesky::new(&system.matrix, self.sought.len())?.inverse_diagonal())
    }

    /// Adds a frame to the system, less what its pose can make good.
    fn eliminate(
        &self,
        frame: usize,
        index: &Index,
        damping: f64,
        System { matrix, right }: &mut System,
    ) -> Option<Eliminated> {
        let (body, base) = (&self.body, &self.base);
        let (seen, q) = (self.frames[frame], &self.poses[frame]);
        let (n, count) = (body.count, right.len());
        let mut normal = Normal::new(body, q, seen, &still(body));
        let mut coupling = vec![0.0; n * count];
        let placed = body.place(q);
        let (mut of_pose, mut of_body) = (Vec::new(), Vec::new());
        for (marker, seen) in seen.iter().enumerate() {
            let Some(seen) = seen else { continue };
            let at = body.marker(&placed, marker);
            let off = at - *seen;
            let (_, counts) = robust(off);
            body.columns(&placed, marker, at, &mut of_pose);
            index.columns(body, base, &placed, marker, &mut of_body);
            for &(i, a) in &of_body {
                right[i] -= counts * a.dot(off);
                for &(j, b) in &of_body {
                    matrix[i * count + j] += counts * a.dot(b);
                }
                for &(k, b) in &of_pose {
                    coupling[k * count + i] += counts * a.dot(b);
                }
            }
        }
        let blocked = body.blocked(q, &normal.right);
        for i in 0..n {
            normal.matrix[i * n + i] *= 1.0 + damping;
            if blocked[i] {
                for j in 0..n {
                    (normal.matrix[i * n + j], normal.matrix[j * n + i]) = (0.0, 0.0);
                }
                (normal.matrix[i * n + i], normal.right[i]) = (1.0, 0.0);
                coupling[i * count..][..count].fill(0.0);
            }
        }
        let factor = Cholesky::new(&normal.matrix, n)?;
        factor.forward(&mut normal.right);
        factor.forward_rows(&mut coupling, count);
        for (row, reduced) in coupling.chunks_exact(count).zip(&normal.right) {
            for (i, &a) in row.iter().enumerate().filter(|(_, a)| **a != 0.0) {
                right[i] -= a * reduced;
                // The lower half is enough.
                for (out, b) in matrix[i * count..][..=i].iter_mut().zip(row) {
                    *out -= a * b;
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

/// Every pose is drawn to rest, wherever the root is, by so little that all frames together do not turn
/// the markers of a last segment, which could as well be turned instead of its joint.
fn still(body: &Body) -> Pull {
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

/// Which parameter, if any, is a bone's length, a segment's size, a marker's place.
struct Index {
    bone: Vec<Option<usize>>,
    size: Vec<Option<usize>>,
    marker: Vec<Option<usize>>,
}

impl Index {
    fn new(body: &Body, sought: &[Sought]) -> Self {
        let mut index = Self {
            bone: vec![None; body.segments.len()],
            size: vec![None; body.segments.len()],
            marker: vec![None; body.markers.len()],
        };
        for (i, sought) in sought.iter().enumerate() {
            match &sought.parameter {
                Parameter::Bone(all) => all.iter().for_each(|&s| index.bone[s] = Some(i)),
                Parameter::Size(all) => all.iter().for_each(|&s| index.size[s] = Some(i)),
                Parameter::Marker(marker, 0) => index.marker[*marker] = Some(i),
                Parameter::Marker(..) => {}
            }
        }
        index
    }

    /// How a marker moves with each parameter that moves it.
    fn columns(
        &self,
        body: &Body,
        base: &Body,
        placed: &Placed,
        marker: usize,
        out: &mut Vec<(usize, DVec3)>,
    ) {
        out.clear();
        let segment = body.markers[marker].segment;
        let rotation = placed.rotations[segment];
        if let Some(size) = self.size[segment] {
            out.push((size, rotation * base.markers[marker].offset));
        }
        if let Some(first) = self.marker[marker] {
            for (axis, unit) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
                out.push((first + axis, rotation * unit));
            }
        }
        let mut at = segment;
        while let Some(parent) = body.segments[at].parent {
            if let Some(bone) = self.bone[at] {
                out.push((bone, placed.rotations[parent] * base.segments[at].offset));
            }
            at = parent;
        }
    }
}
