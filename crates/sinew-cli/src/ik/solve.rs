use super::arguments::{Arguments, Solver};
use super::goals::{Request, RequestedGoal};
use anyhow::{Result, bail};
use glam::Vec3;
use sinew::ik::{
    Ccd, Chain, ChainOptions, Dls, DlsJob, DlsOptions, Fabrik, Goal, GoalKind, Tip, TwoBone, ccd,
    dls, fabrik, two_bone,
};
use sinew::{Affine, LocalPose, ModelPose, Skeleton};

/// Result of a solver.
pub struct Solved {
    pub iterations: u32,
    /// Goal, true if it is reached, and its residual: a distance, or an angle in radians.
    pub goals: Vec<(RequestedGoal, bool, f32)>,
    pub at_limits: Vec<usize>,
}

/// Rotates joints of a pose towards the goals.
pub fn solve(
    arguments: &Arguments,
    skeleton: &Skeleton,
    request: &Request,
    pose: &mut LocalPose,
) -> Result<Solved> {
    let goals = request.goals(skeleton, pose)?;
    match arguments.method {
        Solver::Dls => {
            for (nth, pole) in poles(arguments).into_iter().enumerate() {
                let job = arm(arguments, skeleton, request, &goals, nth, Some(pole))?;
                let parent = parent(skeleton, pose, job.upper)?;
                two_bone(skeleton, pose, &parent, &job)?;
            }
            solve_together(arguments, skeleton, request, &goals, pose)
        }
        _ => solve_one_by_one(arguments, skeleton, request, &goals, pose),
    }
}

/// Stiffness of joints that a pole positions, relative to the joints beyond them.
const POLE_STIFFNESS: f32 = 100.0;

fn poles(arguments: &Arguments) -> Vec<Vec3> {
    match arguments.pole[..] {
        [one] => vec![
            one;
            arguments
                .goal
                .iter()
                .filter(|goal| goal.0.is_none())
                .count()
        ],
        _ => arguments.pole.clone(),
    }
}

fn parent(skeleton: &Skeleton, pose: &LocalPose, joint: usize) -> Result<Affine> {
    let mut model = ModelPose::identity(skeleton.len());
    model.update(skeleton.hierarchy(), pose, &Affine::IDENTITY)?;
    let parent = skeleton.parent(joint);
    Ok(parent.map_or(Affine::IDENTITY, |parent| *model.get(parent)))
}

fn tip(arguments: &Arguments, joint: usize) -> Tip {
    Tip {
        joint,
        offset: arguments.tip.unwrap_or(Vec3::ZERO),
    }
}

/// Goal position of chain `nth`. Goals of chains come first in the list.
fn goal_position(goals: &[RequestedGoal], nth: usize) -> Vec3 {
    match goals[nth].goal.kind {
        GoalKind::Position { at, .. } | GoalKind::LookAt { at, .. } => at,
        GoalKind::Orientation { .. } => Vec3::ZERO,
    }
}

fn arm(
    arguments: &Arguments,
    skeleton: &Skeleton,
    request: &Request,
    goals: &[RequestedGoal],
    nth: usize,
    pole_in_model: Option<Vec3>,
) -> Result<TwoBone> {
    let [first, last] = request.chains[nth];
    let middle = middle(skeleton, first, last)?;
    Ok(TwoBone {
        pole_in_model,
        ..TwoBone::new(
            first,
            middle,
            tip(arguments, last),
            goal_position(goals, nth),
        )
    })
}

fn solve_one_by_one(
    arguments: &Arguments,
    skeleton: &Skeleton,
    request: &Request,
    goals: &[RequestedGoal],
    pose: &mut LocalPose,
) -> Result<Solved> {
    let mut solved = Solved {
        iterations: 0,
        goals: Vec::new(),
        at_limits: Vec::new(),
    };
    let options = ChainOptions::default().tolerance(arguments.tolerance);
    let poles = poles(arguments);
    for (nth, &[first, last]) in request.chains.iter().enumerate() {
        let parent = parent(skeleton, pose, first)?;
        if arguments.method == Solver::TwoBone {
            let job = arm(
                arguments,
                skeleton,
                request,
                goals,
                nth,
                poles.get(nth).copied(),
            )?;
            let report = two_bone(skeleton, pose, &parent, &job)?;
            solved
                .goals
                .push((goals[nth], report.reached, report.residual));
            let held = [
                (first, report.upper_at_limit),
                (job.lower, report.lower_at_limit),
            ];
            solved
                .at_limits
                .extend(held.into_iter().filter(|h| h.1).map(|h| h.0));
        } else {
            let mut chain = Chain::new(skeleton, first, tip(arguments, last))?;
            let (goal, chain) = (goal_position(goals, nth), &mut chain);
            let report = if arguments.method == Solver::Ccd {
                let job = Ccd::new(chain, goal).options(options);
                ccd(skeleton, pose, &parent, job)?
            } else {
                let job = Fabrik::new(chain, goal).options(options);
                fabrik(skeleton, pose, &parent, job)?
            };
            solved
                .goals
                .push((goals[nth], report.reached, report.residual));
            solved.iterations += report.iterations;
            solved.at_limits.extend_from_slice(report.at_limits);
        }
    }
    Ok(solved)
}

fn chain_joints(skeleton: &Skeleton, first: usize, last: usize) -> Result<Vec<usize>> {
    let mut joints = vec![last];
    while let Some(&joint) = joints.last() {
        if joint == first {
            break;
        }
        match skeleton.parent(joint) {
            Some(parent) => joints.push(parent),
            None => bail!(
                "joint \"{}\" is not a descendant of \"{}\": name the joints of a chain from the body outward",
                skeleton.name(last),
                skeleton.name(first)
            ),
        }
    }
    Ok(joints)
}

/// Middle joint of a chain. The last joint if a tip extends a chain of two joints.
fn middle(skeleton: &Skeleton, first: usize, last: usize) -> Result<usize> {
    let joints = chain_joints(skeleton, first, last)?;
    match joints.len() {
        3.. => Ok(joints[joints.len() / 2]),
        _ => Ok(last),
    }
}

/// Joints that rotate. The last joint of a chain rotates only for a tip, a rotation goal or a line of sight.
pub fn rotating_joints(
    arguments: &Arguments,
    skeleton: &Skeleton,
    request: &Request,
) -> Result<Vec<usize>> {
    let rotates_last = arguments.tip.is_some() || request.rotates_ends();
    let mut rotating = Vec::new();
    for &[first, last] in &request.chains {
        let joints = chain_joints(skeleton, first, last)?;
        rotating.extend(joints.iter().skip(usize::from(!rotates_last)));
    }
    rotating.sort_unstable();
    rotating.dedup();
    if rotating.is_empty() && sliding_joints(skeleton, request)?.is_empty() {
        bail!("a chain of one joint needs --orient, --look-at or --tip");
    }
    Ok(rotating)
}

/// Joints of the chains that slide within a range, the last joint included.
pub fn sliding_joints(skeleton: &Skeleton, request: &Request) -> Result<Vec<usize>> {
    let mut sliding = Vec::new();
    for &[first, last] in &request.chains {
        sliding.extend(chain_joints(skeleton, first, last)?);
    }
    sliding.retain(|&joint| skeleton.freedom(joint).slide_range.is_some());
    sliding.sort_unstable();
    sliding.dedup();
    Ok(sliding)
}

fn solve_together(
    arguments: &Arguments,
    skeleton: &Skeleton,
    request: &Request,
    goals: &[RequestedGoal],
    pose: &mut LocalPose,
) -> Result<Solved> {
    let mut solver = Dls::new(skeleton, goals.len());
    let rotating = rotating_joints(arguments, skeleton, request)?;
    for joint in (0..skeleton.len()).filter(|joint| !rotating.contains(joint)) {
        solver.set_stiffness(joint, f32::INFINITY)?;
    }
    let sliding = sliding_joints(skeleton, request)?;
    for joint in (0..skeleton.len()).filter(|joint| !sliding.contains(joint)) {
        solver.set_slide_stiffness(joint, f32::INFINITY)?;
    }
    // The wrist takes most of the rotation of the hand, so that the elbow stays at its pole.
    for &[first, last] in &request.chains[..poles(arguments).len()] {
        for joint in chain_joints(skeleton, first, last)?.into_iter().skip(1) {
            solver.set_stiffness(joint, POLE_STIFFNESS)?;
        }
    }
    let options = DlsOptions::default()
        .tolerance(arguments.tolerance)
        .restarts(arguments.restarts);
    let plain: Vec<Goal> = goals.iter().map(|goal| goal.goal).collect();
    let report = dls(
        skeleton,
        pose,
        &Affine::IDENTITY,
        DlsJob::new(&mut solver, &plain).options(options),
    )?;
    let reached = goals.iter().zip(report.goals);
    Ok(Solved {
        iterations: report.iterations,
        goals: reached
            .map(|(goal, report)| (*goal, report.reached, report.residual))
            .collect(),
        at_limits: report.at_limits.to_vec(),
    })
}
