//! Solves the poses of a whole trial.
//! Each frame starts from the pose of the previous frame. If the markers of a frame leave a high
//! variance in a number of the pose, they do not determine it. A cubic through the surrounding
//! frames then gives the number, and the frame is solved again.

use super::pose::body::{Body, MarkerFrame, ROOT};
use super::pose::pull::Pull;
use super::pose::solve::{Effort, Solver};

/// Expected distance of unseen numbers from the cubic.
const FROM_CUBIC: f64 = 0.02;
/// Max fraction of the variance of a number that markers leave if the number counts as seen.
const SEEN_VARIANCE: f64 = 0.25;

pub(super) struct Motion {
    pub poses: Vec<Vec<f64>>,
    /// True for each number of each pose that other frames determine and this frame does not.
    pub carried: Vec<Vec<bool>>,
}

/// Solves all frames, and calls `done` after each. `None` if no frame determines the body position.
pub(super) fn solve(body: &Body, frames: &[MarkerFrame], mut done: impl FnMut()) -> Option<Motion> {
    let begin = frames
        .iter()
        .position(|seen| body.start(seen, &body.rest()).is_some())?;
    let first = body.start(&frames[begin], &body.rest())?;
    let mut poses: Vec<Vec<f64>> = vec![Vec::new(); frames.len()];
    let mut carried = vec![Vec::new(); frames.len()];
    let mut solver = Solver::default();
    let mut pull = Pull::default();
    let forward = (begin..frames.len()).map(|f| (f, f.checked_sub(1)));
    let backward = (0..begin).rev().map(|f| (f, Some(f + 1)));
    for (frame, neighbour) in forward.chain(backward) {
        let before = match neighbour {
            Some(other) if frame != begin => &poses[other],
            _ => &first,
        };
        pull.draw_to(body, before);
        let met = solver.solve(body, &frames[frame], before, &pull, Effort::FULL);
        let pose = met.q.clone();
        carried[frame] = solver.unseen(body, &pull, SEEN_VARIANCE);
        poses[frame] = pose;
        done();
    }
    carry(&mut solver, body, frames, &mut poses, &mut carried);
    Some(Motion { poses, carried })
}

/// Gives unseen numbers the value of the cubic, and solves their frames again.
fn carry(
    solver: &mut Solver,
    body: &Body,
    frames: &[MarkerFrame],
    poses: &mut [Vec<f64>],
    carried: &mut [Vec<bool>],
) {
    let mut drawn: Vec<Vec<(usize, f64)>> = vec![Vec::new(); frames.len()];
    for number in 0..body.count {
        // Pulls decide the numbers that no frame determines.
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
        let met = solver.solve(body, &frames[frame], &pose, &pull, Effort::FULL);
        poses[frame].clone_from(&met.q);
    }
}

/// Value of a number in a frame. Free rotations use the branch nearest to the reference frame.
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

/// Change of a number per frame, from up to three frames on one side that determine the number.
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

fn hermite([(a, slope_a), (b, slope_b)]: [(f64, f64); 2], length: f64, t: f64) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * a
        + (t3 - 2.0 * t2 + t) * length * slope_a
        + (3.0 * t2 - 2.0 * t3) * b
        + (t3 - t2) * length * slope_b
}
