use glam::{Quat, Vec3};
use sinew::ik::{Ccd, Chain, ChainOptions, Fabrik, IkError, Tip, ccd, fabrik};
use sinew::transform::quat;
use sinew::{Affine, Joint, LocalPose, ModelPose, Skeleton, Transform};

fn straight(lengths: &[f32]) -> Skeleton {
    let mut joints = vec![Joint::new("joint 0", None, Transform::IDENTITY)];
    for (nth, &length) in lengths.iter().enumerate() {
        let place = Transform::from_translation(Vec3::X * length);
        joints.push(Joint::new(format!("joint {}", nth + 1), Some(nth), place));
    }
    Skeleton::new(joints).unwrap().0
}

fn tip_of(skeleton: &Skeleton, pose: &LocalPose) -> Vec3 {
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), pose, &Affine::IDENTITY)
        .expect("of this skeleton");
    model.get(skeleton.len() - 1).translation()
}

#[test]
fn chains_that_cannot_be_are_refused() {
    let skeleton = straight(&[1.0, 1.0, 1.0]);
    let below = |joint: &str, above: &str| IkError::NotBelow {
        joint: joint.to_owned(),
        above: above.to_owned(),
    };
    let refused = |base, tip: Tip| Chain::new(&skeleton, base, tip).unwrap_err();
    assert_eq!(refused(3, Tip::of(1)), below("joint 1", "joint 3"));
    assert_eq!(refused(2, Tip::of(2)), below("joint 2", "joint 2"));
    let strange = IkError::NoSuchJoint {
        joint: 7,
        joints: 4,
    };
    assert_eq!(refused(7, Tip::of(3)), strange);
    assert_eq!(refused(0, Tip::of(7)), strange);
    let nan = Tip {
        joint: 3,
        offset: Vec3::splat(f32::NAN),
    };
    let named = |what| IkError::NotFinite {
        joint: "joint 3".to_owned(),
        what,
    };
    assert_eq!(refused(0, nan), named("offset"));

    let mut chain = Chain::new(&skeleton, 0, Tip::of(3)).unwrap();
    let options = ChainOptions::default();
    for goal in [f32::NAN, f32::INFINITY] {
        let goal = Vec3::new(0.0, goal, 0.0);
        let mut pose = skeleton.rest().clone();
        let result = ccd(
            &skeleton,
            &mut pose,
            &Affine::IDENTITY,
            Ccd::new(&mut chain, goal).options(options),
        );
        assert_eq!(result.unwrap_err(), named("goal"));
        let result = fabrik(
            &skeleton,
            &mut pose,
            &Affine::IDENTITY,
            Fabrik::new(&mut chain, goal).options(options),
        );
        assert_eq!(result.unwrap_err(), named("goal"));
        assert_eq!(&pose, skeleton.rest());
    }
    let mut pose = skeleton.rest().clone();
    pose.set_rotation(1, Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0));
    let result = ccd(
        &skeleton,
        &mut pose,
        &Affine::IDENTITY,
        Ccd::new(&mut chain, Vec3::Y).options(options),
    );
    let wanted = IkError::NotFinite {
        joint: "joint 1".to_owned(),
        what: "transform",
    };
    assert_eq!(result.unwrap_err(), wanted);
    let points = straight(&[0.0, 0.0]);
    let mut chain = Chain::new(&points, 0, Tip::of(2)).unwrap();
    let mut pose = points.rest().clone();
    let result = ccd(
        &points,
        &mut pose,
        &Affine::IDENTITY,
        Ccd::new(&mut chain, Vec3::Y).options(options),
    );
    assert!(matches!(result, Err(IkError::Nothing { .. })));
}

#[test]
fn cyclic_descent_goes_through_the_worked_iterations() {
    let skeleton = straight(&[4.0, 3.0, 1.0]);
    let worked = [
        (
            1,
            [18.873_892_769_287_47, 86.896_971_230_170_32, 135.0],
            0.864_574_644_724_574_2,
        ),
        (
            2,
            [
                27.022_338_044_423_552,
                84.207_598_239_227_3,
                173.775_287_963_421_62,
            ],
            0.440_183_321_094_937_7,
        ),
        (
            5,
            [
                28.675_210_909_670_536,
                86.714_516_756_849_58,
                -154.417_754_973_493_37,
            ],
            0.000_110_141_862_394_996_79,
        ),
        (
            20,
            [
                28.675_240_689_451_03,
                86.714_585_061_184_95,
                -154.411_326_658_264_41,
            ],
            0.0,
        ),
    ];
    let mut chain = Chain::new(&skeleton, 0, Tip::of(3)).unwrap();
    for (max_iterations, angles, error) in worked {
        let mut pose = skeleton.rest().clone();
        let options = ChainOptions::default()
            .max_iterations(max_iterations)
            .tolerance(0.0);
        let goal = Vec3::new(3.0, 4.0, 0.0);
        let report = ccd(
            &skeleton,
            &mut pose,
            &Affine::IDENTITY,
            Ccd::new(&mut chain, goal).options(options),
        )
        .unwrap();
        assert!(
            (report.residual - error).abs() < 2e-6,
            "{max_iterations}: {report:?}"
        );
        for (joint, wanted) in angles.into_iter().enumerate() {
            let wanted = quat::from_axis_angle(Vec3::Z, f32::to_radians(wanted));
            let off = quat::angle_between(pose.get(joint).rotation, wanted);
            assert!(off < 2e-5, "{max_iterations}, joint {joint}: {off}");
        }
    }
}

#[test]
fn a_goal_that_is_met_changes_no_bit() {
    let skeleton = straight(&[1.0, 1.0, 1.0]);
    let mut pose = skeleton.rest().clone();
    pose.set_rotation(1, quat::from_axis_angle(Vec3::Y, 0.3));
    let (before, goal) = (pose.clone(), tip_of(&skeleton, &pose));
    let mut chain = Chain::new(&skeleton, 0, Tip::of(3)).unwrap();
    let options = ChainOptions::default();
    let report = ccd(
        &skeleton,
        &mut pose,
        &Affine::IDENTITY,
        Ccd::new(&mut chain, goal).options(options),
    )
    .unwrap();
    assert!(report.reached && report.iterations == 0);
    let report = fabrik(
        &skeleton,
        &mut pose,
        &Affine::IDENTITY,
        Fabrik::new(&mut chain, goal).options(options),
    )
    .unwrap();
    assert!(report.reached && report.iterations == 0);
    assert_eq!(pose, before);
}

#[test]
fn chains_stretch_towards_what_is_out_of_reach() {
    let skeleton = straight(&[1.0, 0.5, 0.0, 1.0]);
    let mut chain = Chain::new(&skeleton, 0, Tip::of(4)).unwrap();
    let goal = Vec3::new(-3.0, 4.0, 0.0);
    let options = ChainOptions::default().max_iterations(1000);
    let mut pose = skeleton.rest().clone();
    let by_ccd = ccd(
        &skeleton,
        &mut pose,
        &Affine::IDENTITY,
        Ccd::new(&mut chain, goal).options(options),
    )
    .unwrap()
    .residual;
    assert!((tip_of(&skeleton, &pose).distance(goal) - by_ccd).abs() < 1e-5);
    pose.copy_from(skeleton.rest());
    let report = fabrik(
        &skeleton,
        &mut pose,
        &Affine::IDENTITY,
        Fabrik::new(&mut chain, goal).options(options),
    )
    .unwrap();
    assert!(!report.reached);
    for residual in [by_ccd, report.residual] {
        assert!((residual - 2.5).abs() < 0.025, "{residual}");
    }
}
