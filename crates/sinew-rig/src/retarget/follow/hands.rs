//! Moves the hands to the positions of the source. Each wrist gets the same direction and distance
//! from the midpoint of the shoulders, in arm spans. So hands that meet or cross do the same on
//! another body. Collarbone, shoulder, elbow and wrist rotate by damped least squares
//! (`sinew::ik::Dls`) within their limits. The hand keeps its rotation if possible. Each frame
//! starts from the changes of the previous frame, so an elbow keeps its side. Arms stretch until
//! nearly straight, or farther if they already did.

use super::pose_transfer::PoseTransfer;
use super::source_motion::SourceMotion;
use crate::retarget::body::frames::Frames;
use crate::retarget::body::model_pose::{Local, ModelPoseF64};
use crate::retarget::body::standing::Body;
use crate::retarget::error::RetargetError;
use crate::retarget::report::HandReport;
use glam::{DQuat, DVec3};
use sinew::ik::{Dls, DlsJob, Goal, GoalKind, IkError, dls};
use sinew::skeleton::{Role, Side};
use sinew::{Affine, LocalPose, Skeleton, Transform};

/// Weight of the rotation of the hand relative to its position.
const TURN: f32 = 0.3;
/// Stiffness of collarbones, so that the arm moves first.
const COLLARBONE: f32 = 3.0;
const NEARLY_STRAIGHT: f64 = 0.97;

struct Arms {
    uppers: [usize; 2],
    lowers: [usize; 2],
    wrists: [usize; 2],
}

impl Arms {
    fn of(body: &Body<'_>) -> Option<Self> {
        let both = |role: fn(Side) -> Role| -> Option<[usize; 2]> {
            let [left, right] = Side::ALL.map(|side| body.roles.joint(role(side)));
            Some([left?, right?])
        };
        Some(Self {
            uppers: both(Role::UpperArm)?,
            lowers: both(Role::LowerArm)?,
            wrists: both(Role::Hand)?,
        })
    }

    fn middle(&self, model: &ModelPoseF64) -> DVec3 {
        let [left, right] = self.uppers.map(|joint| model.position(joint));
        (left + right) * 0.5
    }

    fn length(&self, side: usize, model: &ModelPoseF64) -> f64 {
        let [upper, lower, wrist] =
            [self.uppers, self.lowers, self.wrists].map(|joints| model.position(joints[side]));
        upper.distance(lower) + lower.distance(wrist)
    }

    /// Distance between the wrists if both arms were level.
    fn span(&self, model: &ModelPoseF64) -> f64 {
        let [left, right] = self.uppers.map(|joint| model.position(joint));
        left.distance(right) + self.length(0, model) + self.length(1, model)
    }
}

/// Rotates the arms in every frame and reports the completed fraction to `watch`. Returns a report
/// per hand, or an empty list if a body lacks a hand.
pub(crate) fn bring_hands(
    carry: &PoseTransfer<'_>,
    motion: &SourceMotion<'_>,
    times: &[f32],
    frames: &mut Frames,
    watch: &mut dyn FnMut(f32),
) -> Result<Vec<HandReport>, RetargetError> {
    let skeleton = carry.target.skeleton;
    let (Some(from), Some(onto)) = (Arms::of(carry.source), Arms::of(carry.target)) else {
        return Ok(Vec::new());
    };
    let scale = onto.span(&carry.target.rest) / from.span(&carry.source.rest);
    let turning = turning(carry.target, &onto);
    let refused = |source: IkError| RetargetError::Hands { source };
    let mut solver = solver(skeleton, &turning).map_err(refused)?;
    let mut reports = Side::ALL.map(|side| HandReport {
        side,
        scale: scale as f32,
        off_before: 0.0,
        off_after: 0.0,
    });
    let mut changes = vec![DQuat::IDENTITY; turning.len()];
    for (done, (secs, frame)) in times.iter().zip(frames.rows_mut()).enumerate() {
        watch(done as f32 / times.len() as f32);
        let (_, source) = motion.at(f64::from(*secs));
        let now = ModelPoseF64::of_locals(skeleton, frame);
        let transforms: Vec<Transform> = frame.iter().map(transform).collect();
        let mut pose = LocalPose::from_transforms(&transforms);
        for ((joint, _), change) in turning.iter().zip(&changes) {
            pose.set_rotation(*joint, (frame[*joint].rotation * *change).as_quat());
        }
        let expected = [0, 1].map(|side| {
            let away = source.position(from.wrists[side]) - from.middle(&source);
            let at = onto.middle(&now) + carry.rules.rotation * away * scale;
            let shoulder = now.position(onto.uppers[side]);
            let longest = now.position(onto.wrists[side]).distance(shoulder);
            let longest = longest.max(NEARLY_STRAIGHT * onto.length(side, &now));
            shoulder + (at - shoulder).clamp_length_max(longest)
        });
        let goals = [0, 1].map(|side| {
            let joint = onto.wrists[side];
            let off = expected[side].distance(now.position(joint)) as f32;
            reports[side].off_before = reports[side].off_before.max(off);
            let rotation = now.rotations[joint].as_quat();
            [
                Goal::position(joint, expected[side].as_vec3()),
                Goal {
                    joint,
                    kind: GoalKind::Orientation { rotation },
                    weight: TURN,
                },
            ]
        });
        dls(
            skeleton,
            &mut pose,
            &Affine::IDENTITY,
            DlsJob::new(&mut solver, goals.as_flattened()),
        )
        .map_err(refused)?;
        for ((joint, _), change) in turning.iter().zip(&mut changes) {
            let rotated = pose.get(*joint).rotation.as_dquat().normalize();
            *change = (frame[*joint].rotation.inverse() * rotated).normalize();
            frame[*joint].rotation = rotated;
        }
        let after = ModelPoseF64::of_locals(skeleton, frame);
        for side in 0..2 {
            let off = expected[side].distance(after.position(onto.wrists[side])) as f32;
            reports[side].off_after = reports[side].off_after.max(off);
        }
    }
    Ok(reports.into())
}

fn turning(body: &Body<'_>, arms: &Arms) -> Vec<(usize, f32)> {
    let collarbones = Side::ALL.map(|side| body.roles.joint(Role::Shoulder(side)));
    let collarbones = collarbones.into_iter().flatten().map(|j| (j, COLLARBONE));
    let others = [arms.uppers, arms.lowers, arms.wrists];
    let others = others.into_iter().flatten().map(|j| (j, 1.0));
    collarbones.chain(others).collect()
}

fn solver(skeleton: &Skeleton, turning: &[(usize, f32)]) -> Result<Dls, IkError> {
    let mut solver = Dls::new(skeleton, 4);
    for joint in 0..skeleton.len() {
        solver.set_stiffness(joint, f32::INFINITY)?;
    }
    for (joint, stiffness) in turning {
        solver.set_stiffness(*joint, *stiffness)?;
    }
    Ok(solver)
}

fn transform(local: &Local) -> Transform {
    Transform {
        translation: local.translation.as_vec3(),
        rotation: local.rotation.as_quat(),
        scale: local.scale.as_vec3(),
    }
}
