use glam::{Quat, Vec3};
use proptest::prelude::*;
use sinew::ik::{IkError, Tip, TwoBone, two_bone};
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::transform::quat;
use sinew::{Affine, Joint, LocalPose, ModelPose, Skeleton, Transform};

fn bone(length: f32) -> Transform {
    Transform::from_translation(Vec3::X * length)
}

fn limited(turn: RotationLimit) -> Freedom {
    Freedom {
        rotation: turn,
        ..Freedom::default()
    }
}

fn worked_arm() -> Skeleton {
    let joints = vec![
        Joint::new("shoulder", None, Transform::IDENTITY),
        Joint::new("elbow", Some(0), bone(4.0)),
        Joint::new("hand", Some(1), bone(3.0)),
        Joint::new("stick", Some(0), bone(1.0)),
    ];
    Skeleton::new(joints).unwrap().0
}

fn place(skeleton: &Skeleton, pose: &LocalPose, joint: usize) -> Vec3 {
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), pose, &Affine::IDENTITY)
        .expect("of this skeleton");
    model.get(joint).translation()
}

fn angle_about_z_deg(q: Quat) -> f32 {
    (2.0 * q.z.atan2(q.w)).to_degrees()
}

#[test]
fn two_bone_refuses_what_it_cannot_do_and_leaves_the_pose() {
    let skeleton = worked_arm();
    let good = TwoBone::new(0, 1, Tip::of(2), Vec3::Y);
    let nan = Vec3::new(0.0, f32::NAN, 0.0);
    let named = |joint: &str, what| IkError::NotFinite {
        joint: joint.to_owned(),
        what,
    };
    let below = |joint: &str, above: &str| IkError::NotBelow {
        joint: joint.to_owned(),
        above: above.to_owned(),
    };
    let no_joint = IkError::NoSuchJoint {
        joint: 9,
        joints: 4,
    };
    let cases = [
        (
            TwoBone {
                goal_in_model: nan,
                ..good
            },
            named("hand", "goal"),
        ),
        (
            TwoBone {
                pole_in_model: Some(nan),
                ..good
            },
            named("elbow", "pole"),
        ),
        (
            TwoBone {
                tip: Tip {
                    joint: 2,
                    offset: nan,
                },
                ..good
            },
            named("hand", "offset"),
        ),
        (TwoBone { upper: 9, ..good }, no_joint.clone()),
        (TwoBone { lower: 9, ..good }, no_joint.clone()),
        (
            TwoBone {
                tip: Tip::of(9),
                ..good
            },
            no_joint,
        ),
        (
            TwoBone {
                upper: 1,
                lower: 0,
                ..good
            },
            below("shoulder", "elbow"),
        ),
        (TwoBone { upper: 1, ..good }, below("elbow", "elbow")),
        (
            TwoBone {
                tip: Tip::of(3),
                ..good
            },
            below("stick", "elbow"),
        ),
        (
            TwoBone {
                tip: Tip::of(0),
                ..good
            },
            below("shoulder", "elbow"),
        ),
        (
            TwoBone {
                bend_axis: Some(Vec3::ZERO),
                ..good
            },
            IkError::NoDirection {
                joint: "elbow".to_owned(),
                what: "bend axis",
            },
        ),
        (
            TwoBone { soft: -0.1, ..good },
            IkError::OutOfRange {
                joint: "hand".to_owned(),
                what: "softness",
                max: 1.0,
            },
        ),
    ];
    for (job, error) in cases {
        let mut pose = skeleton.rest().clone();
        let result = two_bone(&skeleton, &mut pose, &Affine::IDENTITY, &job);
        assert_eq!(result, Err(error));
        assert_eq!(&pose, skeleton.rest());
    }
    let flat = Affine::ZERO;
    let mut pose = skeleton.rest().clone();
    let result = two_bone(&skeleton, &mut pose, &flat, &good);
    assert_eq!(
        result,
        Err(IkError::FlatParent {
            joint: "shoulder".to_owned()
        })
    );
    pose.set_scale(0, Vec3::new(1.0, 2.0, 1.0));
    let result = two_bone(&skeleton, &mut pose, &Affine::IDENTITY, &good);
    assert_eq!(
        result,
        Err(IkError::UnevenScale {
            joint: "shoulder".to_owned()
        })
    );
    pose.copy_from(skeleton.rest());
    pose.set_translation(1, nan);
    let result = two_bone(&skeleton, &mut pose, &Affine::IDENTITY, &good);
    assert_eq!(result, Err(named("elbow", "transform")));
    let result = two_bone(
        &skeleton,
        &mut LocalPose::identity(2),
        &Affine::IDENTITY,
        &good,
    );
    assert_eq!(
        result,
        Err(IkError::OtherSkeleton {
            pose: 2,
            skeleton: 4
        })
    );
}

/// Goal, elbow flex, shoulder, elbow position, residual.
type Solved = ([f32; 2], f32, f32, [f32; 2], f32);

#[test]
fn an_arm_of_4_and_3_reaches_the_worked_goals() {
    let skeleton = worked_arm();
    let worked: [Solved; 8] = [
        ([5.0, 0.0], 90.0, -36.869_897_645_844_01, [3.2, -2.4], 0.0),
        ([0.0, 5.0], 90.0, 53.130_102_354_155_99, [2.4, 3.2], 0.0),
        ([7.0, 0.0], 0.0, 0.0, [4.0, 0.0], 0.0),
        ([3.0, 4.0], 90.0, 16.260_204_708_311_964, [3.84, 1.12], 0.0),
        ([1.0, 0.0], 180.0, 0.0, [4.0, 0.0], 0.0),
        ([8.0, 0.0], 0.0, 0.0, [4.0, 0.0], 1.0),
        ([0.5, 0.0], 180.0, 0.0, [4.0, 0.0], 0.5),
        ([-3.0, 4.0], 90.0, 90.0, [0.0, 4.0], 0.0),
    ];
    for ([x, y], flex, shoulder, elbow, residual) in worked {
        let goal = Vec3::new(x, y, 0.0);
        let job = TwoBone {
            bend_axis: Some(Vec3::Z),
            ..TwoBone::new(0, 1, Tip::of(2), goal)
        };
        let mut pose = skeleton.rest().clone();
        let report = two_bone(&skeleton, &mut pose, &Affine::IDENTITY, &job).unwrap();
        let got = pose.get(1).rotation;
        assert!(
            (angle_about_z_deg(got) - flex).abs() < 1e-3,
            "{goal}: flex {got}"
        );
        let got = pose.get(0).rotation;
        assert!(
            (angle_about_z_deg(got) - shoulder).abs() < 1e-3,
            "{goal}: shoulder {got}"
        );
        let at = place(&skeleton, &pose, 1);
        assert!(
            at.distance(Vec3::new(elbow[0], elbow[1], 0.0)) < 1e-5,
            "{goal}: {at}"
        );
        assert!(
            (report.residual - residual).abs() < 1e-5,
            "{goal}: {report:?}"
        );
        assert_eq!(report.reached, residual == 0.0);
        let off = place(&skeleton, &pose, 2).distance(goal);
        assert!((off - residual).abs() < 1e-5, "{goal}: {off}");
    }
}

#[test]
fn the_elbow_bends_and_the_shoulder_swings_step_by_step() {
    // Elbow at 90°, hand at (4, 3), then Φ = arccos of (0.8, 0.6)·(0, 1) about v1 × v2 = +z.
    let skeleton = worked_arm();
    let job = TwoBone {
        bend_axis: Some(Vec3::Z),
        ..TwoBone::new(0, 1, Tip::of(2), Vec3::Y * 5.0)
    };
    let mut pose = skeleton.rest().clone();
    two_bone(&skeleton, &mut pose, &Affine::IDENTITY, &job).unwrap();
    let mut bent = skeleton.rest().clone();
    bent.set_rotation(1, pose.get(1).rotation);
    assert!(place(&skeleton, &bent, 2).distance(Vec3::new(4.0, 3.0, 0.0)) < 1e-5);
    let phi = angle_about_z_deg(pose.get(0).rotation);
    assert!((phi - 53.130_102_354_155_98).abs() < 1e-4, "{phi}");
}

#[test]
fn an_elbow_bends_to_the_side_of_its_pole() {
    let skeleton = worked_arm();
    for pole in [Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::new(1.0, -1.0, 2.0)] {
        let job = TwoBone {
            pole_in_model: Some(pole * 10.0),
            ..TwoBone::new(0, 1, Tip::of(2), Vec3::X * 5.0)
        };
        let mut pose = skeleton.rest().clone();
        assert!(
            two_bone(&skeleton, &mut pose, &Affine::IDENTITY, &job)
                .unwrap()
                .reached
        );
        let elbow = place(&skeleton, &pose, 1);
        let side = Vec3::new(0.0, elbow.y, elbow.z).normalize();
        let wanted = Vec3::new(0.0, pole.y, pole.z).normalize();
        assert!(side.distance(wanted) < 1e-5, "{pole}: {elbow}");
    }
}

#[test]
fn a_soft_arm_slows_down_before_it_is_straight() {
    let skeleton = worked_arm();
    let reach = |distance: f32, soft| {
        let job = TwoBone {
            bend_axis: Some(Vec3::Z),
            soft,
            ..TwoBone::new(0, 1, Tip::of(2), Vec3::X * distance)
        };
        let mut pose = skeleton.rest().clone();
        two_bone(&skeleton, &mut pose, &Affine::IDENTITY, &job).unwrap();
        angle_about_z_deg(pose.get(1).rotation)
    };
    let most = |soft| {
        let distances = (0..500).map(|i| 6.5 + i as f32 * 0.002);
        let flex: Vec<f32> = distances.map(|d| reach(d, soft)).collect();
        flex.windows(2)
            .map(|w| (w[0] - w[1]).abs())
            .fold(0.0, f32::max)
    };
    assert_eq!(reach(5.0, 0.1), reach(5.0, 0.0));
    // Without softness, the elbow snaps straight: its angle has a vertical tangent.
    assert!(most(0.0) > 2.0, "{}", most(0.0));
    assert!(most(0.2) < 0.2, "{}", most(0.2));
    assert!(reach(7.5, 0.2) > 1.0);
}

#[test]
fn a_knee_that_is_a_hinge_turns_about_its_axis_and_within_its_range() {
    let axis = Vec3::new(0.2, 0.1, 1.0);
    let turn = RotationLimit::Hinge {
        axis,
        range: AngleRange::degrees(5.0, 140.0),
    };
    let joints = vec![
        Joint::new("hip", None, Transform::IDENTITY),
        Joint {
            freedom: limited(turn),
            ..Joint::new("knee", Some(0), bone(1.0))
        },
        Joint::new(
            "foot",
            Some(1),
            Transform::from_translation(Vec3::new(1.0, 0.1, 0.0)),
        ),
    ];
    let skeleton = Skeleton::new(joints).unwrap().0;
    for (distance, reached) in [(1.2, true), (0.9, true), (0.1, false), (2.5, false)] {
        let goal = Vec3::new(0.3, -0.8, 0.5).normalize() * distance;
        let mut pose = skeleton.rest().clone();
        let job = TwoBone::new(0, 1, Tip::of(2), goal);
        let report = two_bone(&skeleton, &mut pose, &Affine::IDENTITY, &job).unwrap();
        assert_eq!(report.reached, reached, "{distance}: {report:?}");
        assert_eq!(report.lower_at_limit, !reached, "{distance}: {report:?}");
        let allowed = skeleton
            .freedom(1)
            .clamp_rotation(Quat::IDENTITY, pose.get(1).rotation);
        assert_eq!(allowed, pose.get(1).rotation, "{distance}");
        let off = place(&skeleton, &pose, 2).distance(goal);
        assert!(
            (off - report.residual).abs() < 1e-5,
            "{distance}: {off} {report:?}"
        );
    }
}

#[test]
fn a_shoulder_stops_at_its_limits_and_says_so() {
    let turn = RotationLimit::Ball {
        axis: Vec3::X,
        swing_rad: 0.5,
        twist: AngleRange::FULL,
    };
    let mut joints = worked_arm().joints();
    joints[0].freedom = limited(turn);
    let skeleton = Skeleton::new(joints).unwrap().0;
    let job = TwoBone::new(0, 1, Tip::of(2), Vec3::Y * 7.0);
    let mut pose = skeleton.rest().clone();
    let report = two_bone(&skeleton, &mut pose, &Affine::IDENTITY, &job).unwrap();
    assert!(report.upper_at_limit && !report.reached);
    let off = place(&skeleton, &pose, 2).distance(job.goal_in_model);
    assert!((off - report.residual).abs() < 1e-5);
    assert!((quat::angle_between(pose.get(0).rotation, Quat::IDENTITY) - 0.5).abs() < 1e-5);
}

fn any_vector(reach: f32) -> impl Strategy<Value = Vec3> {
    let part = -reach..reach;
    [part.clone(), part.clone(), part].prop_map(Vec3::from_array)
}

fn any_rotation() -> impl Strategy<Value = Quat> {
    (any_vector(1.0), -3.0_f32..3.0).prop_map(|(axis, angle)| quat::from_axis_angle(axis, angle))
}

fn any_transform() -> impl Strategy<Value = Transform> {
    (any_rotation(), any_vector(1.0), 0.5_f32..2.0).prop_map(|(rotation, translation, scale)| {
        Transform {
            translation,
            rotation,
            scale: Vec3::splat(scale),
        }
    })
}

proptest! {
    #[test]
    fn an_arm_reaches_where_it_has_been(
        locals in proptest::collection::vec(any_transform(), 6),
        turns in [any_rotation(), any_rotation()],
        pole in proptest::option::of(any_vector(5.0)),
    ) {
        let joints = locals.iter().enumerate();
        let joints = joints.map(|(i, rest)| Joint::new(format!("{i}"), i.checked_sub(1), *rest));
        let skeleton = Skeleton::new(joints.collect()).unwrap().0;
        let mut model = ModelPose::identity(6);
        let mut pose = skeleton.rest().clone();
        pose.set_rotation(1, turns[0]);
        pose.set_rotation(3, turns[1]);
        model.update(skeleton.hierarchy(), &pose, &Affine::IDENTITY).expect("of this skeleton");
        let goal = model.get(5).translation();
        let parent = *model.get(0);
        pose.copy_from(skeleton.rest());
        let job = TwoBone { pole_in_model: pole, ..TwoBone::new(1, 3, Tip::of(5), goal) };
        let report = two_bone(&skeleton, &mut pose, &parent, &job).unwrap();
        model.update(skeleton.hierarchy(), &pose, &Affine::IDENTITY).expect("of this skeleton");
        let off = model.get(5).translation().distance(goal);
        let length = model.get(1).translation().distance(model.get(3).translation())
            + model.get(3).translation().distance(model.get(5).translation());
        prop_assert!(off <= 2e-4 * length.max(1.0), "{off} of {length}: {report:?}");
        prop_assert!(report.reached || off > 1e-5);
        prop_assert!((report.residual - off).abs() <= 1e-4 * length);
        for joint in [0, 2, 4, 5] {
            prop_assert_eq!(pose.get(joint), skeleton.rest().get(joint));
        }
    }

    /// A tip on the lower joint uses the general solver.
    #[test]
    fn the_quick_arm_is_the_arm(
        turns in [any_rotation(), any_rotation()],
        places in [any_vector(1.0), any_vector(1.0), any_vector(1.0)],
        above in any_transform(),
        tens in -4.0_f32..4.0,
        goal in any_vector(1.5),
        pole in proptest::option::of(any_vector(5.0)),
    ) {
        let above = Transform { scale: Vec3::splat(10.0_f32.powf(tens)), ..above };
        let at = Transform::from_translation;
        let joints = vec![
            Joint::new("shoulder", None, at(places[0])),
            Joint::new("elbow", Some(0), at(places[1])),
            Joint::new("hand", Some(1), at(places[2])),
        ];
        let (length, distance) = (places[1].length() + places[2].length(), goal.length());
        let shorter = places[1].length().min(places[2].length());
        prop_assume!(shorter > 0.05);
        let skeleton = Skeleton::new(joints).unwrap().0;
        let mut quick = skeleton.rest().clone();
        quick.set_rotation(0, quat::normalized(turns[0]));
        quick.set_rotation(1, quat::normalized(turns[1]));
        let mut long = quick.clone();
        let parent = above.to_affine();
        let goal = parent.transform_point(places[0] + goal);
        let job = TwoBone { pole_in_model: pole, ..TwoBone::new(0, 1, Tip::of(2), goal) };
        let on_elbow = TwoBone { tip: Tip { joint: 1, offset: places[2] }, ..job };
        let quick_report = two_bone(&skeleton, &mut quick, &parent, &job).unwrap();
        let long_report = two_bone(&skeleton, &mut long, &parent, &on_elbow).unwrap();
        prop_assert_eq!(quick_report.reached, long_report.reached);
        let most = 1e-5 * above.scale.x * length;
        prop_assert!((quick_report.residual - long_report.residual).abs() <= most);
        for joint in [0, 1] {
            let (a, b) = (quick.get(joint).rotation, long.get(joint).rotation);
            prop_assert!(quat::dot(a, b) > 0.0 || quat::angle_between(a, turns[joint]) > 3.0);
            let apart = quat::angle_between(a, b);
            // Rounding has more effect for near goals and short bones.
            let allowed = 1e-5 + 3e-6 * (length / distance + length / shorter);
            prop_assert!(apart < allowed, "joint {}: {} rad apart", joint, apart);
            prop_assert!((a.length() - 1.0).abs() < 1e-6);
        }
        let mut model = ModelPose::identity(3);
        model.update(skeleton.hierarchy(), &quick, &parent).expect("of this skeleton");
        let off = model.get(2).translation().distance(goal);
        let size = above.scale.x * length + goal.length();
        prop_assert!((off - quick_report.residual).abs() <= 3e-6 * size, "{} of {}", off, size);
    }
}
