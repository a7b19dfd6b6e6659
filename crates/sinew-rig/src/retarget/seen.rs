//! The source's motion, and what of it has to be known before any of it is carried over: which way is up,
//! where the floor is, where feet go.

use super::body::{Body, nearest_axis, shortest};
use super::feet::lowest;
use super::role::{Role, Side};
use super::stance::{Local, Stance, locals};
use glam::DVec3;
use sinew::{Clip, LocalPose, Skeleton, sample};

pub(super) struct Motion<'a> {
    pub skeleton: &'a Skeleton,
    pub clip: &'a Clip,
}

impl Motion<'_> {
    pub fn at(&self, secs: f64) -> (Vec<Local>, Stance) {
        let mut pose = LocalPose::identity(self.skeleton.len());
        sample(self.clip, self.skeleton, secs, &mut pose);
        let locals = locals(&pose);
        let stance = Stance::of_locals(self.skeleton, &locals);
        (locals, stance)
    }
}

/// What has to be known of the whole motion before any of it is carried over.
pub(super) struct Seen {
    /// From the hips up, in each frame.
    pub torso: Vec<DVec3>,
    /// For each side the balls of the feet and the ankles; empty where there are none.
    pub balls: [Vec<DVec3>; 2],
    pub ankles: [Vec<DVec3>; 2],
}

impl Seen {
    pub fn of(motion: &Motion<'_>, body: &Body<'_>, times: &[f32]) -> Self {
        let mut seen = Self {
            torso: Vec::new(),
            balls: Default::default(),
            ankles: Default::default(),
        };
        for time in times {
            let (_, now) = motion.at(f64::from(*time));
            let ends = [Role::Hips]
                .into_iter()
                .filter_map(|r| body.roles.joint(r))
                .zip(top(body));
            seen.torso
                .extend(ends.map(|(hips, top)| now.place(top) - now.place(hips)));
            for (k, side) in Side::ALL.into_iter().enumerate() {
                seen.balls[k].extend(body.ball(side).map(|j| now.place(j)));
                seen.ankles[k].extend(body.roles.joint(Role::Foot(side)).map(|j| now.place(j)));
            }
        }
        seen
    }

    /// Where the source stands: on the plane through the origin, or where its rest pose does, whichever its
    /// feet come nearer to.
    pub fn floor(&self, body: &Body<'_>, up: DVec3, hip_height: Option<f64>) -> f64 {
        let feet: Vec<Vec<DVec3>> = self.balls.iter().chain(&self.ankles).cloned().collect();
        let (Some(low), Some(sole), Some(hip_height)) =
            (lowest(&feet, up), body.sole(up), hip_height)
        else {
            return 0.0;
        };
        // A little nearer is no reason to think that the floor is not where it mostly is.
        if (low - sole).abs() + 0.25 * hip_height < low.abs() {
            sole
        } else {
            0.0
        }
    }
}

fn top(body: &Body<'_>) -> Option<usize> {
    let spine = (0..body.roles.spine_len()).rev().map(Role::Spine);
    let roles = [Role::Head, Role::Neck(0)].into_iter().chain(spine);
    roles.filter_map(|role| body.roles.joint(role)).next()
}

pub(super) fn torso(body: &Body<'_>) -> Option<f64> {
    let hips = body.place(Role::Hips)?;
    let length = body.rest.place(top(body)?).distance(hips);
    (length > 0.0).then_some(length)
}

/// Some files' rest pose lies on its back in the world of their motion: then it is turned so that it
/// stands in it.
pub(super) fn upright<'a>(body: Body<'a>, seen: &Seen) -> Option<Body<'a>> {
    let rest = body.frame * DVec3::Y;
    let ups = seen.torso.iter().filter_map(|t| t.try_normalize());
    let mean = ups.sum::<DVec3>() / seen.torso.len().max(1) as f64;
    if mean.length() < 0.7 || mean.normalize().dot(rest) > 0.5 {
        return Some(body);
    }
    let turn = shortest(
        nearest_axis(rest),
        nearest_axis(mean),
        body.frame * DVec3::X,
    );
    Body::new(body.skeleton, body.roles, body.rest.turned(turn))
}

/// The axis that is meant.
pub(super) fn upward(up: DVec3) -> DVec3 {
    let axis = nearest_axis(up);
    if axis.dot(up) > 0.9 { axis } else { up }
}

/// Where a body stands at rest: on the plane through the origin, if it nearly does or if its hips are the
/// root and at the origin, as those of motion files are.
pub(super) fn standing_floor(body: &Body<'_>, up: DVec3, hip_height: Option<f64>) -> f64 {
    let (Some(sole), Some(hip_height), Some(hips)) =
        (body.sole(up), hip_height, body.place(Role::Hips))
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
