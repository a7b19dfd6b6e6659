//! Poses from markers: least squares over the whole body, within the limits of its joints.
//!
//! Levenberg (1944) and Marquardt (1963), with an analytic Jacobian; numbers at an end of their range
//! that would be driven beyond it are held, and every step is put back within the limits (a cone's rim
//! by projection). A marker far off counts less (Huber 1964). Weak pulls to the pose before and to rest
//! carry what no marker tells about. What was carried in a frame is found from its variance, drawn as a
//! cubic through the frames around in which it was seen, and solved for again.

use super::body::{Body, MarkerFrame, ROOT};
use super::cholesky::Cholesky;
use glam::DVec3;

/// How well a marker's place is known, in metres.
pub(super) const MARKER_M: f64 = 0.002;
/// From where on a marker's distance counts in proportion, not squared.
const FAR_M: f64 = 0.04;
/// How far joints are from rest, in radians, and how far they go between frames.
const FROM_REST_RAD: f64 = 1.0;
const FROM_BEFORE: f64 = 0.5;
/// How far from the cubic they are where nothing was seen.
const FROM_CUBIC: f64 = 0.02;
/// A number is seen when markers leave less than this of its variance.
const SEEN_VARIANCE: f64 = 0.25;
/// A pose that leaves markers so far off on average is tried for again from another start.
const POOR_RMS_M: f64 = 0.02;

/// Toward what each number of a pose is drawn, and how strongly.
pub(super) struct Pull {
    pub target: Vec<f64>,
    pub weight: Vec<f64>,
}

impl Pull {
    /// To the pose before and, all but the root, to rest.
    pub fn new(body: &Body, before: &[f64]) -> Self {
        let mut target = before.to_vec();
        let mut weight = vec![1.0 / (FROM_BEFORE * FROM_BEFORE); body.count];
        let root_end = ROOT + body.segments[0].coordinates.count();
        let to_rest = 1.0 / (FROM_REST_RAD * FROM_REST_RAD);
        for number in root_end..body.count {
            let both = weight[number] + to_rest;
            target[number] *= weight[number] / both;
            weight[number] = both;
        }
        Self { target, weight }
    }

    /// Adds to the gradient and says what it costs. Free rotations are compared by their nearer vector.
    pub fn add(&self, body: &Body, q: &[f64], right: &mut [f64]) -> f64 {
        let mut cost = 0.0;
        let mut pull = |number: usize, target: f64| {
            let off = q[number] - target;
            right[number] -= self.weight[number] * off;
            cost += self.weight[number] * off * off;
        };
        for number in 0..ROOT {
            pull(number, self.target[number]);
        }
        for (index, segment) in body.segments.iter().enumerate() {
            let numbers = body.numbers(index, q);
            let target = body.numbers(index, &self.target);
            let near = segment.coordinates.nearest_branch(target, numbers);
            for nth in 0..numbers.len() {
                pull(segment.first + nth, near[nth]);
            }
        }
        cost
    }
}

/// What a marker's distance costs, and how much it counts.
pub(super) fn robust(off: DVec3) -> (f64, f64) {
    let (distance, per) = (off.length(), 1.0 / (MARKER_M * MARKER_M));
    match distance > FAR_M {
        true => (
            per * FAR_M * (2.0 * distance - FAR_M),
            per * FAR_M / distance,
        ),
        false => (per * distance * distance, per),
    }
}

/// The system of a frame: the lower half of the matrix, its right side and the cost of the pose. Numbers
/// of the pose go from the last to the first, so that limbs are solved for before what they hang on, and
/// most of the factor is zero.
#[derive(Clone)]
pub(super) struct Normal {
    pub matrix: Vec<f64>,
    pub right: Vec<f64>,
    pub cost: f64,
}

impl Normal {
    pub fn new(body: &Body, q: &[f64], seen: &MarkerFrame, pull: &Pull) -> Self {
        let n = body.count;
        let placed = body.place(q);
        let (mut matrix, mut right) = (vec![0.0; n * n], vec![0.0; n]);
        let mut cost = pull.add(body, q, &mut right);
        right.reverse();
        for (number, weight) in pull.weight.iter().rev().enumerate() {
            matrix[number * n + number] = *weight;
        }
        let mut columns = Vec::new();
        for (marker, seen) in seen.iter().enumerate() {
            let Some(seen) = seen else { continue };
            let at = body.marker(&placed, marker);
            let off = at - *seen;
            let (costs, counts) = robust(off);
            cost += costs;
            body.columns(&placed, marker, at, &mut columns);
            for &(i, a) in &columns {
                let i = n - 1 - i;
                right[i] -= counts * a.dot(off);
                let row = &mut matrix[i * n..][..n];
                for &(j, b) in &columns {
                    let j = n - 1 - j;
                    if j <= i {
                        row[j] += counts * a.dot(b);
                    }
                }
            }
        }
        Self {
            matrix,
            right,
            cost,
        }
    }

    /// Adds a part of its diagonal to the matrix, and holds the numbers that are at an end of their range
    /// and would be driven beyond it. Says which.
    pub fn damp(&mut self, body: &Body, q: &[f64], damping: f64) -> Vec<bool> {
        let n = body.count;
        let forward: Vec<f64> = self.right.iter().rev().copied().collect();
        let mut blocked = body.blocked(q, &forward);
        blocked.reverse();
        for i in 0..n {
            self.matrix[i * n + i] *= 1.0 + damping;
            if blocked[i] {
                for j in 0..n {
                    (self.matrix[i * n + j], self.matrix[j * n + i]) = (0.0, 0.0);
                }
                (self.matrix[i * n + i], self.right[i]) = (1.0, 0.0);
            }
        }
        blocked
    }
}

fn cost(body: &Body, q: &[f64], seen: &MarkerFrame, pull: &Pull) -> f64 {
    let placed = body.place(q);
    let markers = seen.iter().enumerate().filter_map(|(marker, seen)| {
        let seen = (*seen)?;
        Some(robust(body.marker(&placed, marker) - seen).0)
    });
    let mut right = vec![0.0; body.count];
    markers.sum::<f64>() + pull.add(body, q, &mut right)
}

/// The pose that fits best, from a start.
fn improve(body: &Body, start: &[f64], seen: &MarkerFrame, pull: &Pull) -> (Vec<f64>, f64) {
    let n = body.count;
    let mut q = start.to_vec();
    let mut damping = 1e-4;
    let mut normal = Normal::new(body, &q, seen, pull);
    for _ in 0..40 {
        let mut damped = normal.clone();
        damped.damp(body, &q, damping);
        let Some(factor) = Cholesky::new(&damped.matrix, n) else {
            break;
        };
        let mut step = damped.right;
        factor.solve(&mut step);
        step.reverse();
        let mut moved: Vec<f64> = q.iter().zip(&step).map(|(q, s)| q + s).collect();
        body.clamp(&mut moved);
        let now = cost(body, &moved, seen, pull);
        if now < normal.cost {
            let gain = normal.cost - now;
            q = moved;
            damping = (damping * 0.1).max(1e-9);
            let done = gain < 1e-7 * now + 1e-12;
            normal = Normal::new(body, &q, seen, pull);
            if done {
                break;
            }
        } else {
            damping *= 10.0;
            if damping > 1e6 || step.iter().all(|s| s.abs() < 1e-9) {
                break;
            }
        }
    }
    (q, normal.cost)
}

/// Root mean square of the markers' distances.
pub(super) fn rms(body: &Body, q: &[f64], seen: &MarkerFrame) -> f64 {
    let placed = body.place(q);
    let (mut sum, mut count) = (0.0, 0);
    for (marker, seen) in seen.iter().enumerate() {
        if let Some(seen) = seen {
            sum += body.marker(&placed, marker).distance_squared(*seen);
            count += 1;
        }
    }
    (sum / f64::from(count.max(1))).sqrt()
}

/// The pose of a frame, near another where several fit alike.
pub(super) fn solve_frame(
    body: &Body,
    seen: &MarkerFrame,
    before: &[f64],
    pull: &Pull,
) -> Vec<f64> {
    let mut best = improve(body, before, seen, pull);
    if rms(body, &best.0, seen) > POOR_RMS_M {
        for base in [before.to_vec(), body.rest()] {
            if let Some(start) = body.start(seen, &base) {
                let other = improve(body, &start, seen, pull);
                if other.1 < best.1 {
                    best = other;
                }
            }
        }
    }
    best.0
}

/// The poses of a trial.
pub(super) struct Motion {
    pub poses: Vec<Vec<f64>>,
    /// Whether each number of each pose was carried through frames that do not tell it, though others do.
    pub carried: Vec<Vec<bool>>,
}

/// Solves all frames; `None` when in none of them the markers say where the body is. `done` is called
/// after every frame.
pub(super) fn solve(body: &Body, frames: &[MarkerFrame], mut done: impl FnMut()) -> Option<Motion> {
    let begin = frames
        .iter()
        .position(|seen| body.start(seen, &body.rest()).is_some())?;
    let first = body.start(&frames[begin], &body.rest())?;
    let mut poses = vec![Vec::new(); frames.len()];
    let mut carried = vec![Vec::new(); frames.len()];
    let forward = (begin..frames.len()).map(|f| (f, f.checked_sub(1)));
    let backward = (0..begin).rev().map(|f| (f, Some(f + 1)));
    for (frame, neighbour) in forward.chain(backward) {
        let before = match neighbour {
            Some(other) if frame != begin => poses[other].clone(),
            _ => first.clone(),
        };
        let pull = Pull::new(body, &before);
        let pose = solve_frame(body, &frames[frame], &before, &pull);
        carried[frame] = unseen(body, &pose, &frames[frame], &pull);
        poses[frame] = pose;
        done();
    }
    carry(body, frames, &mut poses, &mut carried);
    Some(Motion { poses, carried })
}

/// Which numbers the markers of a frame leave open.
fn unseen(body: &Body, q: &[f64], seen: &MarkerFrame, pull: &Pull) -> Vec<bool> {
    let normal = Normal::new(body, q, seen, pull);
    let Some(factor) = Cholesky::new(&normal.matrix, body.count) else {
        return vec![false; body.count];
    };
    let mut variance = factor.inverse_diagonal();
    variance.reverse();
    let open = |(variance, weight): (&f64, &f64)| variance * weight > SEEN_VARIANCE;
    variance.iter().zip(&pull.weight).map(open).collect()
}

/// Draws what was not seen as a cubic through the frames around, and solves these frames again.
fn carry(body: &Body, frames: &[MarkerFrame], poses: &mut [Vec<f64>], carried: &mut [Vec<bool>]) {
    let mut drawn: Vec<Vec<(usize, f64)>> = vec![Vec::new(); frames.len()];
    for number in 0..body.count {
        // What no frame tells is left to the pulls.
        if carried.iter().all(|c| c[number]) {
            carried.iter_mut().for_each(|c| c[number] = false);
            continue;
        }
        let mut frame = 0;
        while frame < frames.len() {
            let run = carried[frame..].iter().take_while(|c| c[number]).count();
            if run > 0 {
                let value = |f: usize| value(body, poses, number, f, frame);
                let (from, to) = (frame.checked_sub(1), frame + run);
                let to = (to < frames.len()).then_some(to);
                for (f, drawn) in drawn.iter_mut().enumerate().skip(frame).take(run) {
                    let cubic = match (from, to) {
                        (Some(a), Some(b)) => {
                            let slope =
                                |at: usize, away: isize| slope(carried, number, at, away, value);
                            let ends = [(value(a), slope(a, -1)), (value(b), slope(b, 1))];
                            hermite(ends, (b - a) as f64, (f - a) as f64 / (b - a) as f64)
                        }
                        (Some(end), None) | (None, Some(end)) => value(end),
                        (None, None) => continue,
                    };
                    drawn.push((number, cubic));
                }
            }
            frame += run + 1;
        }
    }
    for (frame, drawn) in drawn.iter().enumerate().filter(|(_, d)| !d.is_empty()) {
        let mut pose = poses[frame].clone();
        let mut pull = Pull::new(body, &pose);
        for &(number, value) in drawn {
            pose[number] = value;
            pull.target[number] = value;
            pull.weight[number] = 1.0 / (FROM_CUBIC * FROM_CUBIC);
        }
        body.clamp(&mut pose);
        poses[frame] = solve_frame(body, &frames[frame], &pose, &pull);
    }
}

/// A number in a frame; of free rotations, in the branch that it has in another frame.
fn value(body: &Body, poses: &[Vec<f64>], number: usize, frame: usize, reference: usize) -> f64 {
    let owner = body
        .segments
        .iter()
        .position(|s| s.moves && (s.first..s.first + s.coordinates.count()).contains(&number));
    match owner.filter(|_| number >= ROOT) {
        None => poses[frame][number],
        Some(owner) => {
            let segment = &body.segments[owner];
            let (here, there) = (&poses[frame], &poses[reference]);
            let (here, there) = (body.numbers(owner, here), body.numbers(owner, there));
            segment.coordinates.nearest_branch(here, there)[number - segment.first]
        }
    }
}

/// How a number changes in a frame, from up to three frames on one side in which it was seen.
fn slope(
    carried: &[Vec<bool>],
    number: usize,
    at: usize,
    away: isize,
    value: impl Fn(usize) -> f64,
) -> f64 {
    let seen = |steps: isize| {
        let frame = at.checked_add_signed(away * steps)?;
        carried
            .get(frame)
            .is_some_and(|c| !c[number])
            .then_some(frame)
    };
    let far = (1..=3).map_while(seen).last();
    far.map_or(0.0, |far| {
        (value(far) - value(at)) / (far as f64 - at as f64)
    })
}

/// Between two values with their slopes.
fn hermite([(a, slope_a), (b, slope_b)]: [(f64, f64); 2], length: f64, t: f64) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * a
        + (t3 - 2.0 * t2 + t) * length * slope_a
        + (3.0 * t2 - 2.0 * t3) * b
        + (t3 - t2) * length * slope_b
}
