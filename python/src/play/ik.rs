//! Inverse kinematics of an actor.

use crate::convert::arrays::vector;
use crate::error::raise;
use crate::play::actor::{Actor, Joint, optional};
use pyo3::prelude::*;
use sinew::ik::{
    Aim, Ccd, Chain, Dls, DlsJob, Fabrik, Foot, FootPlacement, FootReport, Goal, Share, Tip,
    TwoBone, Up,
};
use sinew::{Rig, Skeleton};

impl Actor {
    fn rig(&self, py: Python<'_>) -> Rig {
        self.work(py, |actor| actor.rig().clone())
    }
}

fn chain(skeleton: &Skeleton, base: &Joint, tip: &Joint) -> PyResult<Chain> {
    let tip = Tip::of(tip.index(skeleton)?);
    Chain::new(skeleton, base.index(skeleton)?, tip).map_err(raise)
}

#[pymethods]
impl Actor {
    /// Bends an arm or a leg so that its tip reaches a goal in model space. ``pole`` is a point
    /// toward which the elbow or knee points. Joints are names or indices. Returns whether the goal
    /// is reached, and the distance that is left.
    #[pyo3(signature = (upper, lower, tip, goal, pole = None, weight = 1.0))]
    #[expect(clippy::too_many_arguments, reason = "as in the other languages")]
    fn two_bone(
        &self,
        py: Python<'_>,
        upper: Joint,
        lower: Joint,
        tip: Joint,
        goal: [f32; 3],
        pole: Option<[f32; 3]>,
        weight: f32,
    ) -> PyResult<(bool, f32)> {
        let rig = self.rig(py);
        let skeleton = rig.skeleton();
        let tip = Tip::of(tip.index(skeleton)?);
        let (upper, lower) = (upper.index(skeleton)?, lower.index(skeleton)?);
        let job = TwoBone {
            pole_in_model: optional(pole),
            weight,
            ..TwoBone::new(upper, lower, tip, vector(goal))
        };
        let report = self.work(py, |actor| actor.solve(&job)).map_err(raise)?;
        Ok((report.reached, report.residual))
    }

    /// Rotates joints so that an axis of ``eye`` points at a target in model space. ``shares`` are
    /// pairs of a joint and its fraction of the rotation, from the body outward. ``up`` is a pair:
    /// an axis of ``eye``, and the direction in model space to which it should point. Returns
    /// whether the axis points at the target, and the angle that is left, in radians.
    #[pyo3(signature = (shares, eye, axis, target, up = None, weight = 1.0))]
    #[expect(clippy::too_many_arguments, reason = "as in the other languages")]
    fn aim(
        &self,
        py: Python<'_>,
        shares: Vec<(Joint, f32)>,
        eye: Joint,
        axis: [f32; 3],
        target: [f32; 3],
        up: Option<([f32; 3], [f32; 3])>,
        weight: f32,
    ) -> PyResult<(bool, f32)> {
        let rig = self.rig(py);
        let skeleton = rig.skeleton();
        let share = |(joint, part): &(Joint, f32)| {
            let joint = joint.index(skeleton)?;
            Ok(Share { joint, part: *part })
        };
        let shares = shares.iter().map(share).collect::<PyResult<Vec<_>>>()?;
        let job = Aim {
            up: up.map(|(axis, direction)| Up {
                axis: vector(axis),
                direction_in_model: vector(direction),
            }),
            weight,
            ..Aim::new(
                &shares,
                Tip::of(eye.index(skeleton)?),
                vector(axis),
                vector(target),
            )
        };
        let report = self.work(py, |actor| actor.solve(&job)).map_err(raise)?;
        Ok((report.reached, report.off_rad))
    }

    /// Moves the tip of a chain to a goal in model space by cyclic coordinate descent. Returns
    /// whether the goal is reached, and the distance that is left.
    fn ccd(
        &self,
        py: Python<'_>,
        base: Joint,
        tip: Joint,
        goal: [f32; 3],
    ) -> PyResult<(bool, f32)> {
        let mut chain = chain(self.rig(py).skeleton(), &base, &tip)?;
        self.work(py, |actor| {
            let report = actor
                .solve(Ccd::new(&mut chain, vector(goal)))
                .map_err(raise)?;
            Ok((report.reached, report.residual))
        })
    }

    /// As ``ccd``, by FABRIK, which moves positions and keeps the shape of the chain.
    fn fabrik(
        &self,
        py: Python<'_>,
        base: Joint,
        tip: Joint,
        goal: [f32; 3],
    ) -> PyResult<(bool, f32)> {
        let mut chain = chain(self.rig(py).skeleton(), &base, &tip)?;
        self.work(py, |actor| {
            let report = actor
                .solve(Fabrik::new(&mut chain, vector(goal)))
                .map_err(raise)?;
            Ok((report.reached, report.residual))
        })
    }

    /// Moves the whole body so that joints reach positions in model space, within limits, by damped
    /// least squares. ``goals`` are pairs of a joint and a position. Returns whether all goals are
    /// reached.
    fn dls(&self, py: Python<'_>, goals: Vec<(Joint, [f32; 3])>) -> PyResult<bool> {
        let rig = self.rig(py);
        let skeleton = rig.skeleton();
        let goal = |(joint, position): &(Joint, [f32; 3])| {
            Ok(Goal::position(joint.index(skeleton)?, vector(*position)))
        };
        let goals = goals.iter().map(goal).collect::<PyResult<Vec<_>>>()?;
        self.work(py, |actor| {
            let mut body = Dls::new(skeleton, goals.len());
            let report = actor.solve(DlsJob::new(&mut body, &goals)).map_err(raise)?;
            Ok(report.reached)
        })
    }

    /// Puts feet on uneven ground. Each foot is (hip, knee, ankle, sole, ground, normal): three
    /// joints, the contact point in the frame of the ankle, and point and normal of the ground in
    /// model space. ``pelvis`` is the joint that carries the legs. Returns the rise of the pelvis.
    #[pyo3(signature = (feet, pelvis = Joint::Index(0)), text_signature = "($self, feet, pelvis=0)")]
    #[allow(clippy::type_complexity, reason = "a tuple of Python")]
    fn place_feet(
        &self,
        py: Python<'_>,
        feet: Vec<(Joint, Joint, Joint, [f32; 3], [f32; 3], [f32; 3])>,
        pelvis: Joint,
    ) -> PyResult<f32> {
        let rig = self.rig(py);
        let skeleton = rig.skeleton();
        let mut legs = Vec::new();
        for (hip, knee, ankle, sole, ground, normal) in &feet {
            legs.push(Foot {
                hip: hip.index(skeleton)?,
                knee: knee.index(skeleton)?,
                ankle: ankle.index(skeleton)?,
                sole: vector(*sole),
                ground_in_model: vector(*ground),
                ground_normal: vector(*normal),
            });
        }
        let placement = FootPlacement::new(pelvis.index(skeleton)?);
        let mut reports = vec![FootReport::default(); legs.len()];
        let rise = self.work(py, |actor| {
            actor.place_feet(&placement, &legs, &mut reports)
        });
        rise.map_err(raise)
    }
}
