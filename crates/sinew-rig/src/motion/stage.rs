//! A person on the floor: the up direction, and the points of feet and hands that can stand.

use super::take::Take;
use crate::retarget::body::model_pose::ModelPoseF64;
use crate::retarget::body::standing::Body;
use crate::retarget::follow::source_motion::{SourceMotion, SourceTrajectories, upright};
use crate::retarget::roles::find_roles::find_roles;
use glam::DVec3;
use sinew::Clip;
use sinew::skeleton::{Role, Side};

/// Part of the body that can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Ball of a foot, or the ankle if the foot has no other joint.
    Foot(Side),
    /// Wrist.
    Hand(Side),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub part: Part,
    pub joint: usize,
    /// Height above the lowest joint of the body while the part lies flat, in units of the file.
    pub clearance: f64,
}

pub(crate) struct Stage<'a> {
    pub body: Body<'a>,
    pub up: DVec3,
    pub hip_height: f64,
    pub points: Vec<Point>,
}

impl<'a> Stage<'a> {
    /// `None` if the skeleton is not a person: without hips, legs or size.
    pub fn new(take: &Take<'a>, clip: &Clip) -> Option<Self> {
        let skeleton = take.skeleton;
        let rest = ModelPoseF64::of_pose(skeleton, skeleton.rest());
        let body = Body::new(skeleton, find_roles(skeleton), rest)?;
        let motion = SourceMotion::new(skeleton, clip).ok()?;
        let paths = SourceTrajectories::of(&motion.frames(&take.times), &body);
        let body = upright(body, &paths)?;
        let up = body.up();
        let hip_height = body.hip_height(up)?;
        let points = points(&body, up);
        points
            .iter()
            .any(|point| matches!(point.part, Part::Foot(_)))
            .then_some(Self {
                body,
                up,
                hip_height,
                points,
            })
    }
}

fn points(body: &Body<'_>, up: DVec3) -> Vec<Point> {
    let sole = body.sole(up).unwrap_or(0.0);
    let foot = |side: Side| {
        let foot = body.roles.joint(Role::Foot(side));
        let joint = body.ball(side).or(foot)?;
        Some(Point {
            part: Part::Foot(side),
            joint,
            clearance: (body.rest.position(joint).dot(up) - sole).max(0.0),
        })
    };
    let hand = |side: Side| {
        let joint = body.roles.joint(Role::Hand(side))?;
        let wrist = body.rest.position(joint);
        let below = body.skeleton.hierarchy().subtree(joint);
        let far = below.map(|j| body.rest.position(j).distance(wrist));
        Some(Point {
            part: Part::Hand(side),
            joint,
            clearance: far.fold(0.0, f64::max),
        })
    };
    let feet = Side::ALL.into_iter().filter_map(foot);
    feet.chain(Side::ALL.into_iter().filter_map(hand)).collect()
}
