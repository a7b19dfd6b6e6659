use glam::{Quat, Vec3};
use proptest::prelude::*;
use sinew::ik::{Aim, Share, Tip, Up, aim};
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::transform::{Axis, quat};
use sinew::{Affine, Joint, LocalPose, ModelPose, Skeleton, Transform};

fn limited(turn: RotationLimit) -> Freedom {
    Freedom {
        rotation: turn,
        ..Freedom::default()
    }
}

fn spine() -> Skeleton {
    let up = Transform::from_translation(Vec3::Y);
    let joints = vec![
        Joint::new("hips", None, up),
        Joint::new("spine", Some(0), up),
        Joint::new("neck", Some(1), up),
        Joint::new("head", Some(2), up),
    ];
    Skeleton::new(joints).unwrap().0
}

fn above(skeleton: &Skeleton, job: &Aim<'_>) -> Affine {
    let first = job.shares.first().map_or(0, |share| share.joint);
    let parent = (first < skeleton.len())
        .then(|| skeleton.parent(first))
        .flatten();
    parent.map_or(Affine::IDENTITY, |p| *skeleton.rest_model().get(p))
}

const LOOK: [Share; 3] = [
    Share {
        joint: 1,
        part: 0.2,
    },
    Share {
        joint: 2,
        part: 0.3,
    },
    Share {
        joint: 3,
        part: 0.5,
    },
];

fn look_at(target: Vec3) -> Aim<'static> {
    Aim {
        shares: &LOOK,
        eye: Tip {
            joint: 3,
            offset: Vec3::new(0.03, 0.1, 0.1),
        },
        axis: Vec3::Z,
        target_in_model: target,
        up: Some(Up {
            axis: Vec3::Y,
            direction_in_model: Vec3::Y,
        }),
        weight: 1.0,
    }
}

#[test]
fn aim_refuses_what_it_cannot_do_and_leaves_the_pose() {
    let skeleton = spine();
    let good = look_at(Vec3::Z * 3.0);
    let nan = Vec3::splat(f32::NAN);
    let share = |joint, part| Share { joint, part };
    let too_much = [share(1, 0.7), share(2, 0.7)];
    let inward = [share(2, 0.5), share(1, 0.5)];
    let (strange, negative) = ([share(9, 1.0)], [share(1, -1.0)]);
    let cases: [(Aim<'_>, &str); 9] = [
        (
            Aim {
                target_in_model: nan,
                ..good
            },
            "\"head\": its target is not finite",
        ),
        (
            Aim {
                axis: Vec3::ZERO,
                ..good
            },
            "\"head\": its aiming axis has no direction",
        ),
        (
            Aim {
                shares: &[],
                ..good
            },
            "1 to 64 joints",
        ),
        (
            Aim {
                shares: &too_much,
                ..good
            },
            "\"neck\": its share",
        ),
        (
            Aim {
                shares: &negative,
                ..good
            },
            "\"spine\": its share",
        ),
        (
            Aim {
                shares: &inward,
                ..good
            },
            "\"spine\" is not a descendant of \"neck\"",
        ),
        (
            Aim {
                shares: &strange,
                ..good
            },
            "no joint 9",
        ),
        (
            Aim {
                eye: Tip::of(1),
                ..good
            },
            "\"spine\" is not a descendant of",
        ),
        (
            Aim {
                up: Some(Up {
                    axis: Vec3::ZERO,
                    direction_in_model: Vec3::Y,
                }),
                ..good
            },
            "\"head\": its up vector has no direction",
        ),
    ];
    for (job, message) in cases {
        let mut pose = skeleton.rest().clone();
        let error = aim(&skeleton, &mut pose, &above(&skeleton, &job), &job).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(&pose, skeleton.rest());
    }
    let mut pose = skeleton.rest().clone();
    pose.set_translation(3, nan);
    let before = pose.clone();
    assert!(aim(&skeleton, &mut pose, &above(&skeleton, &good), &good).is_err());
    assert_eq!(pose.get(1), before.get(1));
    assert_eq!(pose.get(2), before.get(2));
}

fn seen(skeleton: &Skeleton, pose: &LocalPose, job: &Aim<'_>) -> (f32, f32) {
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), pose, &Affine::IDENTITY)
        .expect("of this skeleton");
    let head = model.get(job.eye.joint);
    let eye = head.transform_point(job.eye.offset);
    let sight = head.transform_vector(job.axis).normalize();
    let to_target = (job.target_in_model - eye).normalize();
    let up = job.up.unwrap();
    let level = sight.cross(up.direction_in_model).normalize();
    let tilt = level.dot(head.transform_vector(up.axis).normalize());
    (sight.cross(to_target).length(), tilt.abs())
}

#[test]
fn a_head_looks_at_its_target_upright_and_shares_the_turn() {
    let skeleton = spine();
    for target in [
        Vec3::new(3.0, 4.0, 2.0),
        Vec3::new(-2.0, 5.5, 1.0),
        Vec3::new(0.5, 1.0, -4.0),
        Vec3::new(0.0, 4.1, -5.0),
    ] {
        let job = look_at(target);
        let mut pose = skeleton.rest().clone();
        let report = aim(&skeleton, &mut pose, &above(&skeleton, &job), &job).unwrap();
        assert!(
            report.reached && report.at_limits == 0,
            "{target}: {report:?}"
        );
        let (off, tilt) = seen(&skeleton, &pose, &job);
        assert!(off < 1e-5, "{target}: {off}");
        // The roll is about the line from the joint, not from the eye.
        assert!(tilt < 0.02, "{target}: {tilt}");
    }
    // For a distant target, the shares are fractions of the angle.
    let job = look_at(Vec3::new(1e6, 4.1, 1e6));
    let mut pose = skeleton.rest().clone();
    aim(&skeleton, &mut pose, &above(&skeleton, &job), &job).unwrap();
    for share in LOOK {
        let turned = quat::angle_between(pose.get(share.joint).rotation, Quat::IDENTITY);
        let wanted = std::f32::consts::FRAC_PI_4 * share.part;
        assert!((turned - wanted).abs() < 1e-3, "{share:?}: {turned}");
    }
}

#[test]
fn what_limits_keep_from_one_joint_the_next_takes_over() {
    let mut joints = spine().joints();
    joints[1].freedom = limited(RotationLimit::Hinge {
        axis: Vec3::Y,
        range: AngleRange::degrees(-5.0, 5.0),
    });
    joints[3].freedom = limited(RotationLimit::Ball {
        axis: Vec3::Z,
        swing_rad: 1.0,
        twist: AngleRange::FULL,
    });
    let skeleton = Skeleton::new(joints).unwrap().0;
    let mut job = look_at(Vec3::new(8.0, 4.0, 8.0));
    let mut pose = skeleton.rest().clone();
    let report = aim(&skeleton, &mut pose, &above(&skeleton, &job), &job).unwrap();
    assert!(report.reached && report.at_limits == 0b001, "{report:?}");
    assert!(seen(&skeleton, &pose, &job).0 < 1e-5);
    job.target_in_model = Vec3::new(1.0, 4.0, -8.0);
    pose.copy_from(skeleton.rest());
    let report = aim(&skeleton, &mut pose, &above(&skeleton, &job), &job).unwrap();
    assert!(
        !report.reached && report.at_limits & 0b100 != 0,
        "{report:?}"
    );
    let off = seen(&skeleton, &pose, &job).0;
    assert!(
        (report.off_rad.sin() - off).abs() < 1e-4,
        "{report:?} {off}"
    );
}

#[test]
fn half_a_share_is_half_the_way_and_a_target_behind_is_no_nan() {
    let skeleton = spine();
    let share = [Share {
        joint: 3,
        part: 0.5,
    }];
    let job = Aim {
        shares: &share,
        eye: Tip::of(3),
        up: None,
        ..look_at(Vec3::new(5.0, 4.0, 0.0))
    };
    let mut pose = skeleton.rest().clone();
    let report = aim(&skeleton, &mut pose, &above(&skeleton, &job), &job).unwrap();
    assert!(
        (report.off_rad - Axis::X.vector().length() * std::f32::consts::FRAC_PI_4).abs() < 1e-5
    );
    let whole = [Share {
        joint: 3,
        part: 1.0,
    }];
    let behind = Aim {
        shares: &whole,
        target_in_model: Vec3::new(0.0, 4.0, -5.0),
        ..job
    };
    pose.copy_from(skeleton.rest());
    let report = aim(&skeleton, &mut pose, &above(&skeleton, &behind), &behind).unwrap();
    assert!(report.reached);
    let turned = quat::rotate(pose.get(3).rotation, Vec3::Z);
    assert!(turned.distance(Vec3::NEG_Z) < 1e-6, "{turned}");
}

fn any_vector(reach: f32) -> impl Strategy<Value = Vec3> {
    let part = -reach..reach;
    [part.clone(), part.clone(), part].prop_map(Vec3::from_array)
}

fn any_rotation() -> impl Strategy<Value = Quat> {
    let turn = |(axis, angle)| quat::normalized(quat::from_axis_angle(axis, angle));
    (any_vector(1.0), -3.0_f32..3.0).prop_map(turn)
}

proptest! {
    /// An eye on a lower joint uses the general solver.
    #[test]
    fn the_quick_aim_is_the_aim(
        turns in [any_rotation(), any_rotation()],
        places in [any_vector(1.0), any_vector(1.0)],
        eye in any_vector(0.2),
        tens in -4.0_f32..4.0,
        target in any_vector(3.0),
    ) {
        let joints = vec![
            Joint::new("head", None, Transform::from_translation(places[0])),
            Joint::new("eye", Some(0), Transform::from_translation(eye)),
        ];
        prop_assume!((target - places[0]).length() > 0.5);
        let skeleton = Skeleton::new(joints).unwrap().0;
        let scale = 10.0_f32.powf(tens);
        let parent = Transform {
            translation: places[1] * scale,
            rotation: turns[0],
            scale: Vec3::splat(scale),
        }
        .to_affine();
        let mut quick = skeleton.rest().clone();
        quick.set_rotation(0, turns[1]);
        let mut long = quick.clone();
        let shares = [Share { joint: 0, part: 1.0 }];
        let target = parent.transform_point(target);
        let job = Aim {
            shares: &shares,
            eye: Tip { joint: 0, offset: eye },
            axis: Vec3::NEG_Y,
            target_in_model: target,
            up: None,
 weight: 1.0,
        };
        let below = Aim { eye: Tip::of(1), ..job };
        let report = aim(&skeleton, &mut quick, &parent, &job).unwrap();
        prop_assert!(report.reached && report.off_rad < 1e-5);
        prop_assert_eq!(report.reached, aim(&skeleton, &mut long, &parent, &below).unwrap().reached);
        let apart = quat::angle_between(quick.get(0).rotation, long.get(0).rotation);
        prop_assert!(apart < 1e-5, "{} rad apart", apart);
        prop_assert!((quick.get(0).rotation.length() - 1.0).abs() < 1e-6);
        let head = parent * quick.get(0).to_affine();
        let to_target = (target - head.transform_point(eye)).normalize();
        let sight = head.transform_vector(Vec3::NEG_Y).normalize();
        prop_assert!(sight.cross(to_target).length() < 1e-5);
    }
}
