//! Inverse kinematics: a joint pulled to a position, once or over a range of a clip.

use super::checks::{check_time, within};
use super::key_pose::insert;
use super::poses::{model_pose, present, rotation, set};
use crate::document::Document;
use crate::edit::{KeyEdit, Reach};
use crate::error::Reason;
use crate::report::Report;
use glam::Quat;
use sinew::clip::{Key, OverLimit};
use sinew::ik::{Dls, DlsJob, Goal, IkError, Tip, TwoBone, dls, two_bone};
use sinew::transform::quat;
use sinew::{Affine, LocalPose, Skeleton, Transform};
use std::collections::BTreeSet;

/// Weight of goals that hold pinned joints, relative to the goal that pulls.
const PIN_WEIGHT: f32 = 10.0;

/// Poses the joints of a chain so that its end reaches a position.
pub fn pull(document: &mut Document, reach: &Reach) -> Result<Report, Reason> {
    let solver = Solver::new(document, reach)?;
    let before = present(document, reach.over.as_ref())?;
    let mut pose = before.clone();
    let (residual, at_limits) = solver.solve(document.skeleton(), &mut pose)?;
    let name = document.skeleton().name(solver.joint).to_owned();
    let mut report = Report::pose(format!("pulled \"{name}\""));
    for &joint in &solver.moving {
        let [now, wanted] = [&before, &pose].map(|pose| pose.get(joint));
        if wanted != now {
            let limits = OverLimit::Allow;
            set(document, &mut report, joint, [&now, &wanted], limits)?;
        }
    }
    report.residual = Some(residual);
    report.at_limits = at_limits;
    Ok(report)
}

/// Sets keys of the chain so that its end stays at a position over a range, then ends the pose of these joints.
pub fn key(document: &mut Document, edit: &KeyEdit) -> Result<Report, Reason> {
    let KeyEdit::KeyReach {
        clip,
        layer,
        reach,
        from_secs,
        to_secs,
        fps,
    } = edit
    else {
        return Err(Reason::Nothing("no goal"));
    };
    let at = document.find_clip(clip)?;
    check_time(*from_secs)?;
    check_time(*to_secs)?;
    within("fps", *fps, 1.0..=240.0, "from 1 to 240")?;
    let solver = Solver::new(document, reach)?;
    let frames = ((to_secs - from_secs) * fps).round();
    within(
        "to_secs - from_secs",
        frames,
        0.0..=1e5,
        "positive, and at most 100,000 keys",
    )?;
    let mut times: Vec<f32> = (0..=frames as usize)
        .map(|frame| from_secs + frame as f32 / fps)
        .collect();
    if let Some(last) = times.last_mut() {
        *last = to_secs.max(*from_secs);
    }
    times.dedup();
    let mut worst = 0.0_f32;
    let mut keyed: Vec<(f32, Vec<(usize, Key)>)> = Vec::new();
    let mut limits = BTreeSet::new();
    for &time in &times {
        let mut pose = document.posed(Some((at, f64::from(time))));
        let (residual, at_limits) = solver.solve(document.skeleton(), &mut pose)?;
        worst = worst.max(residual);
        limits.extend(at_limits);
        let keys = solver.moving.iter().flat_map(|&joint| {
            let now = pose.get(joint);
            let slid = slides(document.skeleton(), joint);
            let slid = slid.then_some((joint, Key::Translation(now.translation)));
            [(joint, Key::Rotation(now.rotation))]
                .into_iter()
                .chain(slid)
        });
        keyed.push((time, keys.collect()));
    }
    for (time, keys) in &keyed {
        insert(document, at, layer.as_ref(), *time, keys, OverLimit::Allow)?;
    }
    // The keys replace the pose of these joints, which would hide them.
    for joint in &solver.moving {
        document.pose_mut().remove(joint);
    }
    let text = format!(
        "keyed {} over {from_secs} to {to_secs} s of {clip}",
        reach.joint
    );
    let mut report = Report::clip(at, text);
    report.residual = Some(worst);
    report.at_limits = limits.into_iter().collect();
    Ok(report)
}

/// True if the joint slides within a range, so that a goal moves it.
fn slides(skeleton: &Skeleton, joint: usize) -> bool {
    skeleton.freedom(joint).slide_range.is_some()
}

/// A goal with its joints looked up.
struct Solver<'r> {
    reach: &'r Reach,
    /// Rotation of the goal, with unit length.
    rotation: Option<Quat>,
    joint: usize,
    /// Joints that may rotate, from the body outward. The last is the pulled joint, if it has a rotation.
    moving: Vec<usize>,
    pins: Vec<usize>,
}

impl<'r> Solver<'r> {
    fn new(document: &Document, reach: &'r Reach) -> Result<Self, Reason> {
        let skeleton = document.skeleton();
        let joint = document.find_joint(&reach.joint)?;
        let wrong = |problem: &'static str| Reason::Joint {
            joint: skeleton.name(joint).to_owned(),
            problem,
        };
        if !reach.position.is_finite() || reach.pole.is_some_and(|pole| !pole.is_finite()) {
            return Err(wrong("the position or the pole is not finite"));
        }
        let rotation = reach.rotation.map(rotation).transpose()?;
        let mut above: Vec<usize> = skeleton.hierarchy().ancestors(joint).skip(1).collect();
        match &reach.from {
            Some(from) => {
                let from = document.find_joint(from)?;
                let Some(at) = above.iter().position(|&joint| joint == from) else {
                    return Err(wrong("`from` is not above the joint"));
                };
                above.truncate(at + 1);
            }
            None => above.truncate(2),
        }
        if above.is_empty() {
            return Err(wrong("it has no parent that could rotate; move it instead"));
        }
        above.reverse();
        let locked = reach.locked.iter().map(|name| document.find_joint(name));
        let locked = locked.collect::<Result<Vec<usize>, Reason>>()?;
        if above.iter().all(|above| locked.contains(above)) {
            return Err(wrong("all joints of its chain are locked; unlock one"));
        }
        let pins = reach.pins.iter().map(|name| document.find_joint(name));
        let mut pins = pins.collect::<Result<Vec<usize>, Reason>>()?;
        pins.retain(|pin| *pin != joint);
        // Limbs between the chain and a pinned joint bend so that the pin holds.
        let first = above[0];
        let mut moving: BTreeSet<usize> = above.into_iter().collect();
        for &pin in &pins {
            let line: Vec<usize> = skeleton.hierarchy().ancestors(pin).collect();
            if let Some(at) = line.iter().position(|&joint| joint == first) {
                moving.extend(&line[1..=at]);
            }
        }
        if reach.rotation.is_some() || slides(skeleton, joint) {
            moving.insert(joint);
        }
        moving.retain(|joint| !locked.contains(joint));
        Ok(Self {
            reach,
            rotation,
            joint,
            moving: moving.into_iter().collect(),
            pins,
        })
    }

    /// Solves for a pose. Returns the distance to the goal and the names of joints at their limits.
    fn solve(
        &self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
    ) -> Result<(f32, Vec<String>), Reason> {
        let mut at_limits = Vec::new();
        let chain: Vec<usize> = self
            .moving
            .iter()
            .copied()
            .filter(|&joint| joint != self.joint)
            .collect();
        let is_limb = chain.len() == 2
            && self.pins.is_empty()
            && !self.moving.iter().any(|&joint| slides(skeleton, joint))
            && skeleton.parent(self.joint) == Some(chain[1])
            && skeleton.parent(chain[1]) == Some(chain[0]);
        if is_limb {
            let mut job =
                TwoBone::new(chain[0], chain[1], Tip::of(self.joint), self.reach.position);
            job.pole_in_model = self.reach.pole;
            let model = model_pose(skeleton, pose);
            let parent = skeleton.parent(chain[0]);
            let model_from_parent = parent.map_or(Affine::IDENTITY, |parent| *model.get(parent));
            let report = two_bone(skeleton, pose, &model_from_parent, &job);
            let report = report.map_err(|error| self.failed(skeleton, error))?;
            let held = [report.upper_at_limit, report.lower_at_limit];
            at_limits.extend(
                chain
                    .iter()
                    .zip(held)
                    .filter(|(_, held)| *held)
                    .map(|(joint, _)| *joint),
            );
            if !self.orient(skeleton, pose) {
                // A wrist that does not twist needs the forearm. A pole keeps the plane of the limb.
                let limb = if self.reach.pole.is_some() { 1 } else { 0 };
                at_limits = self.solve_tree(skeleton, pose, &self.moving[limb..])?;
            }
        } else {
            at_limits = self.solve_tree(skeleton, pose, &self.moving)?;
        }
        let reached = model_pose(skeleton, pose).get(self.joint).translation();
        let names = at_limits
            .iter()
            .map(|&joint| skeleton.name(joint).to_owned());
        Ok((reached.distance(self.reach.position), names.collect()))
    }

    /// Solves for all goals at once with some of the moving joints. Returns those at their limits.
    fn solve_tree(
        &self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        moving: &[usize],
    ) -> Result<Vec<usize>, Reason> {
        let model = model_pose(skeleton, pose);
        let mut goals = vec![Goal::position(self.joint, self.reach.position)];
        goals.extend(
            self.rotation
                .map(|rotation| Goal::orientation(self.joint, rotation)),
        );
        for &pin in &self.pins {
            let held = Transform::from_affine(model.get(pin)).0;
            let goal = Goal::position(pin, held.translation);
            goals.push(Goal {
                weight: PIN_WEIGHT,
                ..goal
            });
        }
        let mut solver = Dls::new(skeleton, goals.len());
        for joint in 0..skeleton.len() {
            if !moving.contains(&joint) {
                let fixed = solver.set_stiffness(joint, f32::INFINITY);
                let fixed = fixed.and(solver.set_slide_stiffness(joint, f32::INFINITY));
                fixed.map_err(|error| self.failed(skeleton, error))?;
            }
        }
        let job = DlsJob::new(&mut solver, &goals);
        let report = dls(skeleton, pose, &Affine::IDENTITY, job);
        let report = report.map_err(|error| self.failed(skeleton, error))?;
        Ok(report.at_limits.to_vec())
    }

    fn failed(&self, skeleton: &Skeleton, error: IkError) -> Reason {
        let joint = skeleton.name(self.joint).to_owned();
        Reason::Ik { joint, error }
    }

    /// Gives the pulled joint its rotation in model space, after its limb has moved. False if a limit stops it.
    fn orient(&self, skeleton: &Skeleton, pose: &mut LocalPose) -> bool {
        let Some(rotation) = self.rotation else {
            return true;
        };
        let model = model_pose(skeleton, pose);
        let parent = skeleton
            .parent(self.joint)
            .map_or(Affine::IDENTITY, |parent| *model.get(parent));
        let parent = Transform::from_affine(&parent).0.rotation;
        let local = quat::normalized(quat::mul(quat::conjugate(parent), rotation));
        let rest = skeleton.rest().get(self.joint).rotation;
        let allowed = skeleton.freedom(self.joint).clamp_rotation(rest, local);
        pose.set_rotation(self.joint, allowed);
        allowed == local
    }
}
