//! Hands where the source's are: each wrist is brought to the place that the source's has, scaled as the way
//! of the hips is, so that hands that meet do so on another body, and what is held stays at its height.
//!
//! Collarbone, shoulder, elbow and wrist turn, by damped least squares (`sinew::ik::Dls`) and within their
//! limits; the hand keeps its turn as well as they let it. What is too far is reached for.

use super::carry::Carry;
use super::role::{Role, Side};
use super::seen::Motion;
use super::stance::{Local, Stance};
use super::{HandReport, RetargetError};
use sinew::ik::{Dls, DlsOptions, Goal, IkError, Want};
use sinew::{Affine, LocalPose, Skeleton, Transform};

/// How much the hand's turn counts beside its place.
const TURN: f32 = 0.3;
/// Collarbones give way after the arm.
const COLLARBONE: f32 = 3.0;

struct Arm {
    side: Side,
    /// The source's and the target's.
    wrists: [usize; 2],
    /// Those that turn.
    joints: Vec<usize>,
}

/// Turns the arms of every frame; what that came to, for each side that both have.
pub(super) fn bring_hands(
    carry: &Carry<'_>,
    motion: &Motion<'_>,
    times: &[f32],
    frames: &mut [Vec<Local>],
) -> Result<Vec<HandReport>, RetargetError> {
    let skeleton = carry.target.skeleton;
    let arms: Vec<Arm> = Side::ALL
        .into_iter()
        .filter_map(|side| arm(carry, side))
        .collect();
    let mut dls = solver(skeleton, &arms);
    let mut reports: Vec<HandReport> = (arms.iter())
        .map(|arm| HandReport {
            side: arm.side,
            off_before: 0.0,
            off_after: 0.0,
        })
        .collect();
    for (secs, frame) in times.iter().zip(frames) {
        let (_, source) = motion.at(f64::from(*secs));
        let now = Stance::of_locals(skeleton, frame);
        let mut pose = LocalPose::from_transforms(&frame.iter().map(transform).collect::<Vec<_>>());
        let mut goals = Vec::with_capacity(2 * arms.len());
        for (arm, report) in arms.iter().zip(&mut reports) {
            let [from, joint] = arm.wrists;
            let at = carry.place(source.place(from));
            report.off_before = report.off_before.max(at.distance(now.place(joint)) as f32);
            let rotation = now.turns[joint].as_quat();
            goals.extend([
                Goal::position(joint, at.as_vec3()),
                Goal {
                    joint,
                    want: Want::Orientation { rotation },
                    weight: TURN,
                },
            ]);
        }
        let refused = |source: IkError| RetargetError::Hands { source };
        let done = dls
            .solve(
                skeleton,
                &mut pose,
                &Affine::IDENTITY,
                &goals,
                &DlsOptions::default(),
            )
            .map_err(refused)?;
        for (report, goal) in reports.iter_mut().zip(done.goals.chunks(2)) {
            report.off_after = report.off_after.max(goal[0].residual);
        }
        for joint in arms.iter().flat_map(|arm| &arm.joints) {
            frame[*joint].turn = pose.get(*joint).rotation.as_dquat().normalize();
        }
    }
    Ok(reports)
}

fn arm(carry: &Carry<'_>, side: Side) -> Option<Arm> {
    let joint = |role| carry.target.roles.joint(role);
    let wrist = joint(Role::Hand(side))?;
    let others = [Role::UpperArm(side), Role::LowerArm(side)].map(joint);
    let [Some(upper), Some(lower)] = others else {
        return None;
    };
    let joints = [
        joint(Role::Shoulder(side)),
        Some(upper),
        Some(lower),
        Some(wrist),
    ];
    Some(Arm {
        side,
        wrists: [carry.source.roles.joint(Role::Hand(side))?, wrist],
        joints: joints.into_iter().flatten().collect(),
    })
}

/// All but the arms stay as they are.
fn solver(skeleton: &Skeleton, arms: &[Arm]) -> Dls {
    let mut dls = Dls::new(skeleton, 2 * arms.len());
    for joint in 0..skeleton.len() {
        let arm = arms.iter().find(|arm| arm.joints.contains(&joint));
        let stiffness = match arm {
            None => f32::INFINITY,
            Some(arm) if arm.joints.len() == 4 && arm.joints[0] == joint => COLLARBONE,
            Some(_) => 1.0,
        };
        dls.set_stiffness(joint, stiffness);
    }
    dls
}

fn transform(local: &Local) -> Transform {
    Transform {
        translation: local.place.as_vec3(),
        rotation: local.turn.as_quat(),
        scale: local.scale.as_vec3(),
    }
}
