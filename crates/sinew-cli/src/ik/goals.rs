use super::arguments::{Arguments, Solver};
use crate::files;
use crate::usage::wrong;
use anyhow::Result;
use glam::{Quat, Vec3};
use sinew::ik::{Goal, GoalKind};
use sinew::transform::quat;
use sinew::{Affine, LocalPose, ModelPose, Skeleton, Transform};

/// Chains and goals from the command line.
pub struct Request {
    /// First and last joint of each chain.
    pub chains: Vec<[usize; 2]>,
    /// Position goals: first those of the chains, in order, then those of named joints.
    positions: Vec<(usize, Vec3, Vec3)>,
    orientations: Vec<(usize, Quat)>,
    sights: Vec<(usize, Vec3, Vec3)>,
    pins: Vec<usize>,
}

/// A goal. `pinned` is true if the goal only keeps a joint in its position.
#[derive(Clone, Copy)]
pub struct RequestedGoal {
    pub goal: Goal,
    pub pinned: bool,
}

impl Request {
    /// Finds the joints of the arguments by name.
    pub fn new(arguments: &Arguments, skeleton: &Skeleton) -> Result<Self> {
        let find = |joint: &str| files::find_joint(skeleton, joint);
        let chains = arguments.chain.iter();
        let chains = chains.map(|[first, last]| Ok([find(first)?, find(last)?]));
        let chains: Vec<[usize; 2]> = chains.collect::<Result<_>>()?;
        let tip = arguments.tip.unwrap_or(Vec3::ZERO);
        let of_chains = arguments.goal.iter().filter(|goal| goal.0.is_none());
        let of_chains = of_chains.zip(&chains);
        let mut positions: Vec<_> = of_chains
            .map(|(&(_, at), &[_, last])| (last, tip, at))
            .collect();
        for (joint, at) in &arguments.goal {
            if let Some(joint) = joint {
                positions.push((find(joint)?, Vec3::ZERO, *at));
            }
        }
        let orientations = arguments.orient.iter();
        let orientations = orientations.map(|(joint, how)| Ok((find(joint)?, *how)));
        let rest = skeleton.rest_model();
        let sights = arguments.look_at.iter().map(|(joint, axis, at)| {
            let joint = find(joint)?;
            let ahead = || rotation_of(rest.get(joint));
            let axis = axis.unwrap_or_else(|| quat::rotate(quat::conjugate(ahead()), Vec3::Z));
            Ok((joint, axis, *at))
        });
        Ok(Self {
            positions,
            orientations: orientations.collect::<Result<_>>()?,
            sights: sights.collect::<Result<_>>()?,
            pins: arguments
                .pin
                .iter()
                .map(|joint| find(joint))
                .collect::<Result<_>>()?,
            chains,
        })
    }

    /// True if the last joint of a chain has to rotate.
    pub fn rotates_ends(&self) -> bool {
        !(self.orientations.is_empty() && self.sights.is_empty() && self.pins.is_empty())
    }

    /// Goals for a pose. Pinned joints keep their positions in this pose.
    pub fn goals(&self, skeleton: &Skeleton, pose: &LocalPose) -> Result<Vec<RequestedGoal>> {
        let requested = |joint, kind, pinned| RequestedGoal {
            goal: Goal {
                joint,
                kind,
                weight: 1.0,
            },
            pinned,
        };
        let position = |offset, at| GoalKind::Position { offset, at };
        let mut goals = Vec::new();
        for &(joint, offset, at) in &self.positions {
            goals.push(requested(joint, position(offset, at), false));
        }
        for &(joint, rotation) in &self.orientations {
            goals.push(requested(joint, GoalKind::Orientation { rotation }, false));
        }
        for &(joint, axis, at) in &self.sights {
            let offset = Vec3::ZERO;
            goals.push(requested(
                joint,
                GoalKind::LookAt { offset, axis, at },
                false,
            ));
        }
        if !self.pins.is_empty() {
            let mut model = ModelPose::identity(skeleton.len());
            model.update(skeleton.hierarchy(), pose, &Affine::IDENTITY)?;
            for &joint in &self.pins {
                let now = model.get(joint);
                let rotation = rotation_of(now);
                goals.push(requested(
                    joint,
                    position(Vec3::ZERO, now.translation()),
                    true,
                ));
                goals.push(requested(joint, GoalKind::Orientation { rotation }, true));
            }
        }
        Ok(goals)
    }
}

fn rotation_of(model_from_joint: &Affine) -> Quat {
    Transform::from_affine(model_from_joint).0.rotation
}

/// Refuses combinations of arguments that no solver can use.
pub fn check(arguments: &Arguments) -> Result<()> {
    let chains = arguments.chain.len();
    let unnamed = arguments.goal.iter().filter(|goal| goal.0.is_none());
    let unnamed = unnamed.count();
    let named = arguments.goal.len() - unnamed;
    let others = named + arguments.orient.len() + arguments.look_at.len();
    let is_dls = arguments.method == Solver::Dls;
    if others + arguments.pin.len() > 0 && !is_dls {
        return Err(wrong(
            "--orient, --look-at, --pin and goals with the name of a joint need --method dls",
        ));
    }
    if unnamed + others == 0 {
        return Err(wrong(
            "there is no goal: give --goal, --orient or --look-at",
        ));
    }
    if unnamed > chains || (unnamed < chains && others + arguments.pin.len() == 0) {
        return Err(wrong(
            "give one --goal for each --chain, or name the joint of the goal: --goal hand=0.3,1.2,0.4",
        ));
    }
    let poles = arguments.pole.len();
    if poles > 0 && !is_dls && arguments.method != Solver::TwoBone {
        return Err(wrong("--pole needs --method two-bone or dls"));
    }
    if poles > 1 && poles != unnamed || poles > 0 && unnamed == 0 {
        return Err(wrong(
            "give one --pole for all chains that have a --goal, or one --pole for each of them",
        ));
    }
    Ok(())
}
