use super::arguments::{Arguments, Solver};
use super::goals::{Asked, AskedGoal};
use anyhow::{Result, bail};
use glam::Vec3;
use sinew::ik::{
    Ccd, Chain, ChainOptions, Dls, DlsOptions, Fabrik, Goal, GoalKind, Tip, TwoBone, ccd, fabrik,
    two_bone,
};
use sinew::{Affine, LocalPose, ModelPose, Skeleton};

/// Result of any solver.
pub struct Solved {
    pub iterations: u32,
    /// Each goal, true if it is reached, and its residual: a distance, or an angle in radians.
    pub goals: Vec<(AskedGoal, bool, f32)>,
    pub at_limits: Vec<usize>,
}

/// Rotates joints of a pose towards the goals.
pub fn solve(
    arguments: &Arguments,
    skeleton: &Skeleton,
    asked: &Asked,
    pose: &mut LocalPose,
) -> Result<Solved> {
    let goals = asked.goals(skeleton, pose)?;
    match arguments.method {
        Solver::Dls => {
            for (nth, pole) in poles(arguments).into_iter().enumerate() {
                let job = arm(arguments, skeleton, asked, &goals, nth, Some(pole))?;
                let parent = parent(skeleton, pose, job.upper)?;
                two_bone(skeleton, pose, &parent, &job)?;
            }
            solve_together(arguments, skeleton, asked, &goals, pose)
        }
        _ => solve_in_turn(arguments, skeleton, asked, &goals, pose),
    }
}

/// Stiffness of joints that follow a pole, relative to those beyond them.
const POLE_STIFFNESS: f32 = 100.0;

/// One pole for each chain with a goal, or none.
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

/// Goal of the nth chain; chains come first in the list.
fn place(goals: &[AskedGoal], nth: usize) -> Vec3 {
    match goals[nth].goal.kind {
        GoalKind::Position { at, .. } | GoalKind::LookAt { at, .. } => at,
        GoalKind::Orientation { .. } => Vec3::ZERO,
    }
}

fn arm(
    arguments: &Arguments,
    skeleton: &Skeleton,
    asked: &Asked,
    goals: &[AskedGoal],
    nth: usize,
    pole_in_model: Option<Vec3>,
) -> Result<TwoBone> {
    let [first, last] = asked.chains[nth];
    let middle = middle(skeleton, first, last)?;
    Ok(TwoBone {
        pole_in_model,
        ..TwoBone::new(first, middle, tip(arguments, last), place(goals, nth))
    })
}

fn solve_in_turn(
    arguments: &Arguments,
    skeleton: &Skeleton,
    asked: &Asked,
    goals: &[AskedGoal],
    pose: &mut LocalPose,
) -> Result<Solved> {
    let mut solved = Solved {
        iterations: 0,
        goals: Vec::new(),
        at_limits: Vec::new(),
    };
    let options = ChainOptions::default().tolerance(arguments.tolerance);
    let poles = poles(arguments);
    for (nth, &[first, last]) in asked.chains.iter().enumerate() {
        let parent = parent(skeleton, pose, first)?;
        if arguments.method == Solver::TwoBone {
            let job = arm(
                arguments,
                skeleton,
                asked,
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
            let (goal, chain) = (place(goals, nth), &mut chain);
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

/// Joints of a chain, from the last to the first.
fn way(skeleton: &Skeleton, first: usize, last: usize) -> Result<Vec<usize>> {
    let mut way = vec![last];
    while let Some(&joint) = way.last() {
        if joint == first {
            break;
        }
        match skeleton.parent(joint) {
            Some(parent) => way.push(parent),
            None => bail!(
                "joint \"{}\" does not hang from \"{}\": name the joints of a chain from the body outward",
                skeleton.name(last),
                skeleton.name(first)
            ),
        }
    }
    Ok(way)
}

/// Joint halfway along a chain; the last one if a tip beyond it makes a chain of two joints.
fn middle(skeleton: &Skeleton, first: usize, last: usize) -> Result<usize> {
    let way = way(skeleton, first, last)?;
    match way.len() {
        3.. => Ok(way[way.len() / 2]),
        _ => Ok(last),
    }
}

/// Joints of the chains that rotate. The last one does only for a tip, an orientation or a look.
pub fn turning(arguments: &Arguments, skeleton: &Skeleton, asked: &Asked) -> Result<Vec<usize>> {
    let turns_last = arguments.tip.is_some() || asked.turns_ends();
    let mut turning = Vec::new();
    for &[first, last] in &asked.chains {
        let way = way(skeleton, first, last)?;
        turning.extend(way.iter().skip(usize::from(!turns_last)));
    }
    turning.sort_unstable();
    turning.dedup();
    if turning.is_empty() {
        bail!("a chain of one joint turns only for an --orient, a --look-at or a --tip");
    }
    Ok(turning)
}

/// Solves all goals at once; only joints of the chains rotate.
fn solve_together(
    arguments: &Arguments,
    skeleton: &Skeleton,
    asked: &Asked,
    goals: &[AskedGoal],
    pose: &mut LocalPose,
) -> Result<Solved> {
    let mut dls = Dls::new(skeleton, goals.len());
    let turns = turning(arguments, skeleton, asked)?;
    for joint in (0..skeleton.len()).filter(|joint| !turns.contains(joint)) {
        dls.set_stiffness(joint, f32::INFINITY)?;
    }
    // The wrist rotates the hand as far as it can, so that the elbow stays at its pole.
    for &[first, last] in &asked.chains[..poles(arguments).len()] {
        for joint in way(skeleton, first, last)?.into_iter().skip(1) {
            dls.set_stiffness(joint, POLE_STIFFNESS)?;
        }
    }
    let options = DlsOptions::default()
        .tolerance(arguments.tolerance)
        .restarts(arguments.restarts);
    let plain: Vec<Goal> = goals.iter().map(|asked| asked.goal).collect();
    let report = dls.solve(skeleton, pose, &Affine::IDENTITY, &plain, &options)?;
    let reached = goals.iter().zip(report.goals);
    Ok(Solved {
        iterations: report.iterations,
        goals: reached
            .map(|(goal, report)| (*goal, report.reached, report.residual))
            .collect(),
        at_limits: report.at_limits.to_vec(),
    })
}
