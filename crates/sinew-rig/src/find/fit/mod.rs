//! Fit of an articulated body to the surface of a mesh: where limbs hang against the body or are
//! under cloth, lengths, symmetry and plausible poses tell where their joints are.

mod field;
mod normal;
pub(crate) mod person;
pub(crate) mod plan;
pub(crate) mod samples;
pub(crate) mod solve;
mod starts;

use crate::find::constants::Constants;
use glam::DMat3;
use plan::Shape;
use samples::{Evidence, Seen};
use solve::{Cost, Solver};

/// A fitted body.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    pub shape: Shape,
    pub cost: Cost,
}

/// Samples, steps and number of fits that go on, stage by stage.
const FIRST: (usize, [f64; 2], usize) = (3, [0.07, 0.05], 12);
const SECOND: (usize, [f64; 2], usize) = (8, [0.05, 0.025], 2);
const LAST: (usize, [f64; 2]) = (12, [0.03, WIDTH]);
const WIDTH: f64 = 0.02;

/// Best fit of a person in some frames, and its frame.
pub(crate) fn person(
    evidence: &Evidence,
    frames: &[(DMat3, f64)],
    constants: &Constants,
) -> (DMat3, Fit) {
    let plan = person::plan();
    let builds = person::builds(constants);
    let seen: Vec<Seen<'_>> = frames.iter().map(|frame| evidence.seen(frame.0)).collect();
    let solver = |f: usize, b: usize, is_fine: bool| Solver {
        plan: &plan,
        build: &builds[b],
        seen: &seen[f],
        samples: if is_fine {
            &seen[f].samples
        } else {
            &seen[f].few
        },
        doubt: frames[f].1,
        constants,
    };
    let likely = likely(frames.len(), |f| solver(f, 1, false));
    let mut fits = Vec::new();
    for f in likely {
        for (b, build) in builds.iter().enumerate() {
            for pose in starts::poses() {
                let shape = starts::start(plan.joints, build, &pose);
                fits.push((
                    f,
                    b,
                    Fit {
                        shape,
                        cost: Cost::default(),
                    },
                ));
            }
        }
    }
    let sort = |fits: &mut Vec<(usize, usize, Fit)>, count: usize| {
        fits.sort_by(|a, b| a.2.cost.sum().total_cmp(&b.2.cost.sum()));
        fits.truncate(count);
    };
    for (steps, widths, count) in [FIRST, SECOND] {
        for (f, b, fit) in &mut fits {
            let solver = solver(*f, *b, false);
            if count < 3 {
                starts::reset(&mut fit.shape, &plan, &builds[*b]);
            }
            solver.fit(&mut fit.shape, steps, widths);
            fit.cost = solver.cost(&fit.shape, widths[1]);
        }
        sort(&mut fits, count);
    }
    for (f, b, fit) in &mut fits {
        limbs(&solver(*f, *b, false), fit);
        let solver = solver(*f, *b, true);
        solver.fit(&mut fit.shape, LAST.0, LAST.1);
        fit.cost = solver.cost(&fit.shape, WIDTH);
    }
    sort(&mut fits, 1);
    let (f, _, mut fit) = fits.remove(0);
    for at in &mut fit.shape.at {
        *at = frames[f].0.transpose() * seen[f].back(*at);
    }
    (frames[f].0, fit)
}

/// The frames in which a few poses fit best.
fn likely<'a>(frames: usize, solver: impl Fn(usize) -> Solver<'a>) -> Vec<usize> {
    const COUNT: usize = 3;
    const STEPS: usize = 3;
    let all = 0..frames;
    if frames <= COUNT {
        return all.collect();
    }
    let worth = |f: usize| {
        let solver = solver(f);
        let cost = |pose: &starts::Start| {
            let mut shape = starts::start(solver.plan.joints, solver.build, pose);
            solver.fit(&mut shape, STEPS, FIRST.1);
            solver.cost(&shape, FIRST.1[1]).sum()
        };
        let poses = starts::poses();
        starts::TYPICAL
            .iter()
            .map(|&k| cost(&poses[k]))
            .fold(f64::INFINITY, f64::min)
    };
    let mut rated: Vec<(f64, usize)> = all.map(|f| (worth(f), f)).collect();
    rated.sort_by(|a, b| a.0.total_cmp(&b.0));
    rated.iter().take(COUNT).map(|rated| rated.1).collect()
}

/// Tries other poses of each limb and keeps those that fit better.
fn limbs(solver: &Solver<'_>, fit: &mut Fit) {
    const TRY: (usize, [f64; 2]) = (5, [0.05, 0.03]);
    solver.fit(&mut fit.shape, 2, [0.03, 0.03]);
    fit.cost = solver.cost(&fit.shape, 0.03);
    let tries = (0..starts::ARM_POSES)
        .flat_map(|pose| [(Some(0), pose), (Some(person::SIDE), pose)])
        .chain((0..starts::LEG_POSES).map(|pose| (None, pose)));
    for (side, pose) in tries {
        let mut shape = fit.shape.clone();
        starts::reset(&mut shape, solver.plan, solver.build);
        match side {
            Some(side) => starts::pose_arm(&mut shape, side, pose),
            None => starts::pose_legs(&mut shape, pose),
        }
        solver.fit(&mut shape, TRY.0, TRY.1);
        let cost = solver.cost(&shape, 0.03);
        if cost.sum() < fit.cost.sum() {
            (fit.shape, fit.cost) = (shape, cost);
        }
    }
}
