//! A body with other axes, another rest pose and the same limits must reach the same positions.

use crate::excess;
use crate::random_chain;

use excess::{angle_between, excess, turn_from_rest};
use glam::{Quat, Vec3};
use random_chain::{Dice, any_pose, chain, length, tip};
use sinew::ik::{
    Ccd, Chain, ChainOptions, Dls, DlsJob, DlsOptions, Fabrik, Goal, Tip, ccd, dls, fabrik,
};
use sinew::skeleton::limits::{
    AngleRange, FramedRotation, Freedom, LimitError, RotationFrame, RotationLimit,
};
use sinew::transform::quat;
use sinew::{Affine, Joint, LocalPose, Skeleton};

/// Body, twin with other axes and another rest pose, and the conversion of poses.
struct Twins {
    plain: Skeleton,
    framed: Skeleton,
    /// `joint_from_framed_joint` for each joint.
    axes: Vec<Quat>,
}

impl Twins {
    fn new(dice: &mut Dice, joints: usize) -> Self {
        let plain = chain(dice, joints);
        let turned =
            |dice: &mut Dice| quat::from_axis_angle(dice.direction(), dice.between(-3.0, 3.0));
        let axes: Vec<Quat> = (0..plain.len()).map(|_| turned(dice)).collect();
        let rest_pose = any_pose(dice, &plain);
        let mut twins = Self {
            framed: plain.clone(),
            plain,
            axes,
        };
        let rest = twins.framed_pose(&rest_pose);
        let framed = twins.plain.joints().into_iter().enumerate();
        let framed = framed.map(|(index, joint)| {
            let from = joint.rest.rotation.conjugate();
            let turn = match joint.freedom.rotation {
                turn @ (RotationLimit::Free | RotationLimit::Fixed) => turn,
                turn => RotationLimit::Framed(Box::new(FramedRotation {
                    frame: RotationFrame {
                        axes: twins.axes[index].conjugate(),
                        rest: quat::mul(from, rest_pose.get(index).rotation),
                    },
                    rotation: turn,
                })),
            };
            Joint {
                rest: rest.get(index),
                freedom: Freedom {
                    rotation: turn,
                    ..Freedom::default()
                },
                ..joint
            }
        });
        twins.framed = Skeleton::new(framed.collect()).unwrap().0;
        twins
    }

    fn framed_pose(&self, pose: &LocalPose) -> LocalPose {
        let mut framed = pose.clone();
        for joint in 0..pose.len() {
            let now = pose.get(joint);
            let above = self.plain.parent(joint).map(|parent| self.axes[parent]);
            let above = above.unwrap_or(Quat::IDENTITY).conjugate();
            let rotation = quat::mul(quat::mul(above, now.rotation), self.axes[joint]);
            framed.set_rotation(joint, rotation);
            framed.set_translation(joint, quat::rotate(above, now.translation));
        }
        framed
    }
}

#[test]
fn a_frame_changes_how_limits_are_stated_and_not_what_they_allow() {
    let mut dice = Dice::new(71);
    for _ in 0..300 {
        let twins = Twins::new(&mut dice, 4);
        let mut pose = twins.plain.rest().clone();
        for joint in 0..pose.len() {
            let turn = quat::from_axis_angle(dice.direction(), dice.between(-3.0, 3.0));
            pose.set_rotation(joint, quat::mul(pose.get(joint).rotation, turn));
        }
        let mut framed = twins.framed_pose(&pose);
        twins.framed.clamp(&mut framed).expect("of this skeleton");
        twins.plain.clamp(&mut pose).expect("of this skeleton");
        let wanted = twins.framed_pose(&pose);
        for joint in 0..pose.len() {
            let off = angle_between(wanted.get(joint).rotation, framed.get(joint).rotation);
            let limit = &twins.framed.freedom(joint).rotation;
            assert!(off < 3e-5, "{off} {limit:?}");
            assert_eq!(limit.count(), twins.plain.freedom(joint).rotation.count());
            let limited = twins.plain.freedom(joint).rotation.is_limited();
            assert_eq!(limit.is_limited(), limited);
        }
    }
}

#[test]
fn every_solver_holds_framed_limits_and_ends_where_it_does_without_frames() {
    let mut dice = Dice::new(72);
    let (mut reached, mut as_plain) = ([0; 3], [0; 3]);
    const CHAINS: usize = 150;
    for nth in 0..CHAINS {
        let twins = Twins::new(&mut dice, 2 + nth % 5);
        let goal = tip(&twins.plain, &any_pose(&mut dice, &twins.plain));
        for method in 0..3 {
            let mut plain = twins.plain.rest().clone();
            let mut framed = twins.framed_pose(&plain);
            let plain_reached = solve(method, &twins.plain, &mut plain, goal);
            let framed_reached = solve(method, &twins.framed, &mut framed, goal);
            reached[method] += usize::from(framed_reached);
            let apart = tip(&twins.plain, &plain).distance(tip(&twins.framed, &framed));
            let near = 2e-3 * length(&twins.plain);
            as_plain[method] += usize::from(plain_reached == framed_reached && apart < near);
            for joint in 0..framed.len() {
                let rest = twins.framed.rest().get(joint).rotation;
                let turn = turn_from_rest(rest, framed.get(joint).rotation);
                let over = excess(&twins.framed.freedom(joint).rotation, turn);
                assert!(over < 1e-5, "method {method}: {over}");
            }
        }
    }
    // Rounding occasionally leads to another solution.
    for method in 0..3 {
        assert!(reached[method] * 100 >= 94 * CHAINS, "{reached:?}");
        assert!(as_plain[method] * 100 >= 97 * CHAINS, "{as_plain:?}");
    }
}

fn solve(method: usize, skeleton: &Skeleton, pose: &mut LocalPose, goal: Vec3) -> bool {
    let last = skeleton.len() - 1;
    if method == 0 {
        let mut solver = Dls::new(skeleton, 1);
        let goals = [Goal::position(last, goal)];
        let options = DlsOptions::default().tolerance(1e-3);
        let report = dls(
            skeleton,
            pose,
            &Affine::IDENTITY,
            DlsJob::new(&mut solver, &goals).options(options),
        );
        return report.unwrap().goals[0].reached;
    }
    let mut chain = Chain::new(skeleton, 0, Tip::of(last)).unwrap();
    let options = ChainOptions::default().tolerance(1e-3);
    let (root, chain) = (Affine::IDENTITY, &mut chain);
    let report = match method {
        1 => ccd(
            skeleton,
            pose,
            &root,
            Ccd::new(chain, goal).options(options),
        ),
        _ => fabrik(
            skeleton,
            pose,
            &root,
            Fabrik::new(chain, goal).options(options),
        ),
    };
    report.unwrap().reached
}

#[test]
fn frames_that_are_none_are_refused() {
    let hinge = RotationLimit::Hinge {
        axis: Vec3::X,
        range: AngleRange::degrees(-10.0, 10.0),
    };
    let framed = |axes: Quat, rest: Quat, turn: RotationLimit| Freedom {
        rotation: RotationLimit::Framed(Box::new(FramedRotation {
            frame: RotationFrame { axes, rest },
            rotation: turn,
        })),
        ..Freedom::default()
    };
    let (unit, long) = (Quat::IDENTITY, Quat::from_xyzw(0.0, 0.0, 0.0, 2.0));
    let nan = Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0);
    assert_eq!(framed(unit, unit, hinge.clone()).check(), Ok(()));
    let nested = framed(unit, unit, hinge.clone()).rotation;
    for bad in [
        framed(long, unit, hinge.clone()),
        framed(unit, nan, hinge.clone()),
        framed(unit, unit, nested),
    ] {
        assert_eq!(bad.check(), Err(LimitError::BadFrame), "{bad:?}");
    }
    let no_axis = RotationLimit::Hinge {
        axis: Vec3::ZERO,
        range: AngleRange::FULL,
    };
    assert_eq!(
        framed(unit, unit, no_axis).check(),
        Err(LimitError::ZeroAxis)
    );
}
