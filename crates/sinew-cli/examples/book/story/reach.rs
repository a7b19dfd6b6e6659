//! The right hand takes the book, then carries it before the body. Both use `ik::Dls`.

use super::posing::{Body, ease, mixed};
use super::steps::Steps;
use glam::{Mat3, Quat, Vec3};
use sinew::LocalPose;
use sinew::blend::Mask;
use sinew::ik::{Aim, Dls, DlsJob, DlsOptions, Goal, GoalKind, IkError, Share, Tip, aim, dls};
use sinew::transform::{Axis, quat};

/// Grip in the hand's frame: between fingers and thumb, on the palm's side.
pub const GRIP: Vec3 = Vec3::new(0.0, 0.085, 0.030);
const READY: f32 = 0.95;
pub const GRASP: f32 = 1.4;
const LIFTED: f32 = 1.95;
const CARRIED: f32 = 2.75;
/// Seconds from the stop to walking off.
pub const GO: f32 = 2.35;
/// Bend of fingers and thumb around the book, in degrees from rest.
const CLOSED_DEG: [f32; 3] = [6.0, 4.0, 2.0];
const THUMB_DEG: [f32; 3] = [26.0, 22.0, 14.0];

/// Goal of the grip, and rotation of the hand.
struct Hold {
    grip: Vec3,
    rotation: Quat,
}

pub struct Reach<'a> {
    body: &'a Body,
    steps: &'a Steps<'a>,
    /// Middle of the edge that is grasped.
    edge: Vec3,
    arm: Dls,
    above: Mask,
    head: Mask,
    ready: LocalPose,
    grasping: LocalPose,
    lifted: LocalPose,
    carrying: LocalPose,
}

impl<'a> Reach<'a> {
    pub fn new(body: &'a Body, steps: &'a Steps<'a>, edge: Vec3) -> Result<Self, IkError> {
        let spine = ["spine_1", "spine_2", "chest"].map(|name| body.joint(name));
        // The feet stay, and the back yields after the arm.
        let [mut back, mut arm] = [(); 2].map(|_| Dls::new(&body.skeleton, 2));
        back.set_stiffness(0, f32::INFINITY)?;
        arm.set_stiffness(0, f32::INFINITY)?;
        for joint in spine {
            back.set_stiffness(joint, 3.0)?;
            arm.set_stiffness(joint, f32::INFINITY)?;
        }
        let [stop, _] = steps.stands_secs;
        let stands = steps.pose(stop + GRASP)?;
        let bent = |angle_rad: f32| {
            let mut pose = stands.clone();
            let elbow = body.right_arm.lower;
            let rest = body.skeleton.rest().get(elbow).rotation;
            body.turn(
                &mut pose,
                elbow,
                quat::mul(rest, Axis::X.rotation(angle_rad)),
            );
            pose
        };
        let rotation = hand(Vec3::new(-0.9, -0.2, 0.4), Vec3::new(-0.1, -1.0, 0.1));
        let at = |x: f32, y: f32, z: f32| Hold {
            grip: edge + Vec3::new(x, y, z),
            rotation,
        };
        let grasping = solved(body, &mut back, &bent(0.9), &at(0.0, 0.0, 0.0))?;
        let ready = solved(body, &mut back, &grasping, &at(0.11, 0.04, -0.04))?;
        let lifted = solved(body, &mut arm, &bent(0.9), &at(0.08, 0.17, -0.02))?;
        let carrying = solved(body, &mut arm, &bent(1.4), &carried(Vec3::ZERO))?;
        Ok(Self {
            body,
            steps,
            edge,
            arm,
            above: body.below("spine_1"),
            head: body.below("neck"),
            ready,
            grasping,
            lifted,
            carrying,
        })
    }

    /// Pose of the whole body at a time.
    pub fn pose(&mut self, secs: f32) -> Result<LocalPose, IkError> {
        let [stop, _] = self.steps.stands_secs;
        let since = secs - stop;
        let stands = self.steps.pose(secs)?;
        let mix = |a: &LocalPose, b: &LocalPose, from: f32, to: f32| {
            let weight = ease((since - from) / (to - from));
            mixed(&self.body.skeleton, a, b, weight, None)
        };
        let upper = if since <= READY {
            mix(&stands, &self.ready, 0.0, READY)
        } else if since <= GRASP {
            mix(&self.ready, &self.grasping, READY, GRASP)
        } else if since <= LIFTED {
            mix(&self.grasping, &self.lifted, GRASP, LIFTED)
        } else {
            let held = self.held(&stands, secs)?;
            let weight = ease((since - LIFTED) / (CARRIED - LIFTED));
            mixed(&self.body.skeleton, &self.lifted, &held, weight, None)
        };
        let mut pose = mixed(&self.body.skeleton, &stands, &upper, 1.0, Some(&self.above));
        self.fingers(&mut pose, &stands, since);
        let looks = ease((since + 0.9) / 0.8) - ease((since - GRASP - 0.3) / 0.8);
        let mut pose = self.look(&pose, looks)?;
        // A mix of two poses within limits may violate those of a joint with several axes.
        self.body.skeleton.clamp(&mut pose)?;
        Ok(pose)
    }

    /// Holds the hand in its carrying position, at the pace of the walk without its sway.
    fn held(&mut self, stands: &LocalPose, secs: f32) -> Result<LocalPose, IkError> {
        let mut pose = stands.clone();
        let arm = self.body.right_arm;
        for joint in [arm.upper, arm.lower, arm.end] {
            pose.set_rotation(joint, self.carrying.get(joint).rotation);
        }
        let way = self.steps.way(self.steps.phase(secs));
        solved(self.body, &mut self.arm, &pose, &carried(way))
    }

    fn fingers(&self, pose: &mut LocalPose, stands: &LocalPose, since: f32) {
        let opens = ease(since / READY);
        let closes = ease((since - GRASP + 0.3) / 0.3);
        for finger in ["thumb", "index", "middle", "ring", "little"] {
            let bends = if finger == "thumb" {
                THUMB_DEG
            } else {
                CLOSED_DEG
            };
            for (k, bend) in bends.into_iter().enumerate() {
                let joint = self.body.joint(&format!("right_{finger}_{}", k + 1));
                let rest = self.body.skeleton.rest().get(joint).rotation;
                let closed = quat::mul(rest, Axis::X.rotation((bend * closes).to_radians()));
                let relaxed = stands.get(joint).rotation;
                self.body
                    .turn(pose, joint, quat::slerp(relaxed, closed, opens));
            }
        }
    }

    fn look(&self, pose: &LocalPose, weight: f32) -> Result<LocalPose, IkError> {
        if weight <= 0.0 {
            return Ok(pose.clone());
        }
        let [neck, head] = ["neck", "head"].map(|name| self.body.joint(name));
        let above = *self.body.model(pose).get(self.body.joint("chest"));
        let mut looking = pose.clone();
        let job = Aim {
            shares: &[
                Share {
                    joint: neck,
                    part: 0.4,
                },
                Share {
                    joint: head,
                    part: 0.6,
                },
            ],
            eye: Tip {
                joint: head,
                offset: Vec3::new(0.0, 0.1, 0.08),
            },
            axis: Vec3::Z,
            target_in_model: self.edge,
            up: None,
            weight: 1.0,
        };
        aim(&self.body.skeleton, &mut looking, &above, &job)?;
        Ok(mixed(
            &self.body.skeleton,
            pose,
            &looking,
            weight,
            Some(&self.head),
        ))
    }
}

/// Goal of carrying, before the body with the palm inward, after a distance.
fn carried(way: Vec3) -> Hold {
    Hold {
        grip: way + Vec3::new(-0.24, 1.06, 0.36),
        rotation: hand(Vec3::new(0.25, 0.10, 1.0), Vec3::new(1.0, 0.35, -0.2)),
    }
}

/// Rotation of a hand from the directions of its fingers and palm.
fn hand(fingers: Vec3, palm: Vec3) -> Quat {
    let y = fingers.normalize();
    let z = (palm - y * palm.dot(y)).normalize();
    Quat::from_mat3(&Mat3::from_cols(y.cross(z), y, z))
}

fn solved(
    body: &Body,
    solver: &mut Dls,
    from: &LocalPose,
    hold: &Hold,
) -> Result<LocalPose, IkError> {
    let joint = body.right_arm.end;
    let goals = [
        Goal {
            joint,
            kind: GoalKind::Position {
                offset: GRIP,
                at: hold.grip,
            },
            weight: 1.0,
        },
        // Position counts more than rotation.
        Goal {
            joint,
            kind: GoalKind::Orientation {
                rotation: hold.rotation,
            },
            weight: 0.3,
        },
    ];
    let mut pose = from.clone();
    let options = DlsOptions::default().max_iterations(200);
    let root = sinew::Affine::IDENTITY;
    dls(
        &body.skeleton,
        &mut pose,
        &root,
        DlsJob::new(solver, &goals).options(options),
    )?;
    Ok(pose)
}
