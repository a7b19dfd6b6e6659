//! Motion of the source, with its up direction, floor and foot trajectories over the whole clip.

use crate::retarget::body::model_pose::{Local, ModelPoseF64, locals};
use crate::retarget::body::standing::{Body, shortest};
use crate::retarget::body::world_axes::{nearest_axis, top, torso};
use crate::retarget::feet::contact::low;
use glam::{DQuat, DVec3};
use sinew::clip::ClipMismatch;
use sinew::skeleton::{Role, Side};
use sinew::{Clip, LocalPose, Skeleton, sample};

pub(crate) struct SourceMotion<'a> {
    pub skeleton: &'a Skeleton,
    clip: &'a Clip,
}

impl<'a> SourceMotion<'a> {
    /// # Errors
    /// If the clip moves joints that the skeleton does not have.
    pub fn new(skeleton: &'a Skeleton, clip: &'a Clip) -> Result<Self, ClipMismatch> {
        let mut pose = LocalPose::identity(skeleton.len());
        sample(clip, skeleton, 0.0, &mut pose)?;
        Ok(Self { skeleton, clip })
    }

    pub fn at(&self, secs: f64) -> (Vec<Local>, ModelPoseF64) {
        let mut pose = LocalPose::identity(self.skeleton.len());
        sample(self.clip, self.skeleton, secs, &mut pose)
            .expect("`new` refuses a clip of another skeleton");
        let locals = locals(&pose);
        let pose = ModelPoseF64::of_locals(self.skeleton, &locals);
        (locals, pose)
    }

    /// Poses at given times.
    pub fn frames(&self, times: &[f32]) -> SourceFrames {
        let joints = self.skeleton.len();
        let mut frames = SourceFrames {
            joints,
            rotations: Vec::with_capacity(joints * times.len()),
            positions: Vec::with_capacity(joints * times.len()),
        };
        let mut pose = LocalPose::identity(joints);
        let mut locals: Vec<Local> = Vec::with_capacity(joints);
        let mut model = ModelPoseF64::default();
        for &secs in times {
            sample(self.clip, self.skeleton, f64::from(secs), &mut pose)
                .expect("`new` refuses a clip of another skeleton");
            locals.clear();
            locals.extend(pose.iter().map(|transform| Local::new(&transform)));
            model.set(self.skeleton.hierarchy(), &locals);
            frames.rotations.extend_from_slice(&model.rotations);
            frames
                .positions
                .extend(model.maps.iter().map(|map| map.translation));
        }
        frames
    }
}

/// Joints of the source in model space, in every frame.
pub(crate) struct SourceFrames {
    joints: usize,
    rotations: Vec<DQuat>,
    positions: Vec<DVec3>,
}

/// Joints of the source in one frame.
#[derive(Clone, Copy)]
pub(crate) struct SourceFrame<'a> {
    pub rotations: &'a [DQuat],
    pub positions: &'a [DVec3],
}

impl SourceFrames {
    pub fn frame(&self, frame: usize) -> SourceFrame<'_> {
        let joints = frame * self.joints..(frame + 1) * self.joints;
        SourceFrame {
            rotations: &self.rotations[joints.clone()],
            positions: &self.positions[joints],
        }
    }

    /// Positions of a joint.
    pub fn path(&self, joint: usize) -> impl Iterator<Item = DVec3> + '_ {
        self.positions
            .iter()
            .copied()
            .skip(joint)
            .step_by(self.joints)
    }
}

pub(crate) struct SourceTrajectories {
    /// Positions of the hips, and vectors from the hips to the head, per frame.
    pub hips: Vec<DVec3>,
    pub torso: Vec<DVec3>,
    /// Positions of the balls of the feet and of the ankles, per side. Empty for missing joints.
    pub balls: [Vec<DVec3>; 2],
    pub ankles: [Vec<DVec3>; 2],
}

impl SourceTrajectories {
    pub fn of(frames: &SourceFrames, body: &Body<'_>) -> Self {
        let path = |joint: Option<usize>| -> Vec<DVec3> {
            joint.map_or_else(Vec::new, |joint| frames.path(joint).collect())
        };
        let hips = path(body.roles.joint(Role::Hips));
        let torso = path(top(&body.roles)).into_iter().zip(&hips);
        Self {
            torso: torso.map(|(top, hips)| top - hips).collect(),
            hips,
            balls: Side::ALL.map(|side| path(body.ball(side))),
            ankles: Side::ALL.map(|side| path(body.roles.joint(Role::Foot(side)))),
        }
    }

    fn feet(&self) -> impl Iterator<Item = &Vec<DVec3>> {
        self.balls.iter().chain(&self.ankles)
    }

    /// Floor height of the source, at the origin or at rest, whichever is nearer to the feet.
    pub fn floor(&self, body: &Body<'_>, up: DVec3, hip_height: Option<f64>) -> f64 {
        let (Some(low), Some(sole), Some(hip_height)) =
            (lowest(self.feet(), up), body.sole(up), hip_height)
        else {
            return 0.0;
        };
        // Prefer the origin unless the rest pose is much nearer.
        if (low - sole).abs() + 0.25 * hip_height < low.abs() {
            sole
        } else {
            0.0
        }
    }

    /// True if, for this `up`, the feet reach the origin plane and the hips keep their height.
    fn stands(&self, body: &Body<'_>, up: DVec3) -> bool {
        let (Some(foot), Some(hip_height)) = (lowest(self.feet(), up), body.hip_height(body.up()))
        else {
            return false;
        };
        let climbs = |up: DVec3| {
            let heights: Vec<f64> = self.hips.iter().map(|p| p.dot(up)).collect();
            let depths: Vec<f64> = heights.iter().map(|h| -h).collect();
            -low(&depths) - low(&heights)
        };
        let near = 0.25 * hip_height;
        foot.abs() < near && climbs(up) < climbs(body.up()).max(near)
    }
}

/// Rotates a rest pose that lies on its back in the world of the motion, so that it stands.
pub(crate) fn upright<'a>(body: Body<'a>, source_paths: &SourceTrajectories) -> Option<Body<'a>> {
    let torso = torso(&body.roles, &body.rest).and_then(DVec3::try_normalize);
    let Some(rest) = torso else {
        return Some(body);
    };
    let ups = source_paths.torso.iter().filter_map(|t| t.try_normalize());
    let mean = ups.sum::<DVec3>() / source_paths.torso.len().max(1) as f64;
    if mean.length() < 0.7 || mean.normalize().dot(rest) > 0.5 {
        return Some(body);
    }
    let rotation = shortest(
        nearest_axis(rest),
        nearest_axis(mean),
        body.frame * DVec3::X,
    );
    // A body that stands at rest and lies later really lies, unless its motion has another up.
    if body.up() == DVec3::Y && !source_paths.stands(&body, nearest_axis(rotation * DVec3::Y)) {
        return Some(body);
    }
    Body::new(body.skeleton, body.roles, body.rest.rotated(rotation))
}

/// Floor height at rest: the plane through the origin if the feet are near it, or if the hips are
/// the root and at the origin, as in motion files.
pub(crate) fn standing_floor(body: &Body<'_>, up: DVec3, hip_height: Option<f64>) -> f64 {
    let (Some(sole), Some(hip_height), Some(hips)) =
        (body.sole(up), hip_height, body.position(Role::Hips))
    else {
        return 0.0;
    };
    let from_file = body.roles.joint(Role::Hips) == Some(0) && hips.length() < 0.25 * hip_height;
    if from_file || sole.abs() < 0.25 * hip_height {
        0.0
    } else {
        sole
    }
}

/// Lowest height of some points, without a few outlier frames.
fn lowest<'a>(paths: impl Iterator<Item = &'a Vec<DVec3>>, up: DVec3) -> Option<f64> {
    let paths = paths.filter(|path| !path.is_empty());
    let lows = paths.map(|path| low(&path.iter().map(|p| p.dot(up)).collect::<Vec<_>>()));
    lows.min_by(f64::total_cmp)
}
