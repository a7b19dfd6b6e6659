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

/// Levenberg–Marquardt over parameters, which are those of `base` where they are sizes, and poses.
pub(super) fn adjust(
    body: &mut Body,
    base: &Body,
    sought: &mut [Sought],
    frames: &[&Seen],
    poses: &mut Vec<Vec<f64>>,
    most_steps: usize,
) {
    let mut damping = 1e-4;
    let mut cost = total(body, sought, frames, poses);
    for _ in 0..most_steps {
        let Some((changes, moved)) = step(body, base, sought, frames, poses, damping) else {
            return;
        };
        let before: Vec<f64> = sought.iter().map(|s| s.value).collect();
        for (sought, change) in sought.iter_mut().zip(&changes) {
            sought.value += change;
            if !matches!(sought.parameter, Parameter::Marker(..)) {
                sought.value = sought.value.clamp(0.5, 2.0);
            }
        }
        apply(body, base, sought);
        let now = total(body, sought, frames, &moved);
        if now < cost {
            let gain = cost - now;
            *poses = moved;
            cost = now;
            damping = (damping * 0.1).max(1e-9);
            if gain < 1e-5 * cost {
                return;
            }
        } else {
            for (sought, before) in sought.iter_mut().zip(before) {
                sought.value = before;
            }
            apply(body, base, sought);
            damping *= 10.0;
        }
    }
}

fn apply(body: &mut Body, base: &Body, sought: &[Sought]) {
    for Sought {
        parameter, value, ..
    } in sought
    {
        match parameter {
            Parameter::Bone(segments) => {
                for &s in segments {
                    body.segments[s].offset = base.segments[s].offset * *value;
                }
            }
            Parameter::Size(segments) => {
                let markers = body.markers.iter_mut().zip(&base.markers);
                for (marker, base) in markers.filter(|(m, _)| segments.contains(&m.segment)) {
                    marker.offset = base.offset * *value;
                }
            }
            // Sizes come before places.
            Parameter::Marker(marker, axis) => body.markers[*marker].offset[*axis] += value,
        }
    }
}

fn total(body: &Body, sought: &[Sought], frames: &[&Seen], poses: &[Vec<f64>]) -> f64 {
    let off = |s: &Sought| (s.value - s.prior) / s.spread;
    let priors: f64 = sought.iter().map(|s| off(s) * off(s)).sum();
    let frames = frames.iter().zip(poses).map(|(seen, q)| {
        let placed = body.place(q);
        let markers = seen
            .iter()
            .enumerate()
            .filter_map(|(marker, seen)| Some(robust(body.marker(&placed, marker) - (*seen)?).0));
        let mut right = vec![0.0; body.count];
        markers.sum::<f64>() + still(body).add(body, q, &mut right)
    });
    priors + frames.sum::<f64>()
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

/// The system of all parameters with the poses taken out, its lower half, and what was taken out.
struct Reduced {
    matrix: Vec<f64>,
    right: Vec<f64>,
    frames: Vec<Eliminated>,
}

fn reduce(
    body: &Body,
    base: &Body,
    sought: &[Sought],
    frames: &[&Seen],
    poses: &[Vec<f64>],
    damping: f64,
) -> Option<Reduced> {
    let count = sought.len();
    let index = Index::new(body, sought);
    let mut matrix = vec![0.0; count * count];
    let mut right = vec![0.0; count];
    for (i, s) in sought.iter().enumerate() {
        let weight = 1.0 / (s.spread * s.spread);
        matrix[i * count + i] = weight;
        right[i] = weight * (s.prior - s.value);
    }
    let mut eliminated = Vec::with_capacity(frames.len());
    for (seen, q) in frames.iter().zip(poses) {
        let frame = eliminate(
            body,
            base,
            &index,
            seen,
            q,
            damping,
            &mut matrix,
            &mut right,
        )?;
        eliminated.push(frame);
    }
    Some(Reduced {
        matrix,
        right,
        frames: eliminated,
    })
}

/// Changes of the parameters, and the poses that go with them.
fn step(
    body: &Body,
    base: &Body,
    sought: &[Sought],
    frames: &[&Seen],
    poses: &[Vec<f64>],
    damping: f64,
) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let count = sought.len();
    let Reduced {
        mut matrix,
        mut right,
        frames,
    } = reduce(body, base, sought, frames, poses, damping)?;
    for i in 0..count {
        matrix[i * count + i] *= 1.0 + damping;
    }
    Cholesky::new(&matrix, count)?.solve(&mut right);
    let moved = frames.iter().zip(poses).map(|(frame, q)| {
        let mut step = frame.right.clone();
        for (step, row) in step.iter_mut().zip(frame.coupling.chunks_exact(count)) {
            *step -= row.iter().zip(&right).map(|(a, b)| a * b).sum::<f64>();
        }
        frame.factor.backward(&mut step);
        let mut moved: Vec<f64> = q.iter().zip(&step).map(|(q, s)| q + s).collect();
        body.clamp(&mut moved);
        moved
    });
    let moved = moved.collect();
    Some((right, moved))
}

/// The variance that frames and priors leave of every parameter.
pub(super) fn variances(
    body: &Body,
    base: &Body,
    sought: &[Sought],
    frames: &[&Seen],
    poses: &[Vec<f64>],
) -> Option<Vec<f64>> {
    let reduced = reduce(body, base, sought, frames, poses, 0.0)?;
    Some(Cholesky::new(&reduced.matrix, sought.len())?.inverse_diagonal())
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

#[expect(clippy::too_many_arguments, reason = "the system is added to in place")]
fn eliminate(
    body: &Body,
    base: &Body,
    index: &Index,
    seen: &Seen,
    q: &[f64],
    damping: f64,
    matrix: &mut [f64],
    right: &mut [f64],
) -> Option<Eliminated> {
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
