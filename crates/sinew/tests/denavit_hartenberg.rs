use glam::Vec3;
use proptest::prelude::*;
use sinew::skeleton::denavit_hartenberg::{Chain, Moves, Row, RowsError, rows, skeleton};
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit, SlideRange};
use sinew::transform::{Axis, quat};
use sinew::{Affine, Joint, ModelPose, Skeleton, Transform};

fn arm() -> Vec<Row> {
    let row = |theta_rad, d, a, alpha_rad| Row {
        theta_rad,
        d,
        a,
        alpha_rad,
        ..Row::default()
    };
    vec![
        row(0.3, 0.5, 0.1, -1.2),
        row(-2.0, 0.0, 0.8, 0.0),
        row(1.1, -0.2, 0.0, 1.5),
    ]
}

#[test]
fn what_is_no_chain_of_hinges_is_refused() {
    let good = skeleton(&arm()).unwrap();
    let edited = |change: &dyn Fn(&mut Vec<Joint>)| {
        let mut joints = good.joints();
        change(&mut joints);
        let (skeleton, _) = Skeleton::new(joints).unwrap();
        rows(&skeleton, skeleton.rest()).unwrap_err()
    };
    let out_of_reach =
        |joints: &dyn Fn(&mut Vec<Joint>)| matches!(edited(joints), RowsError::OutOfReach { .. });
    let branch = edited(&|joints| {
        joints.push(Joint::new("twig", Some(0), Transform::IDENTITY));
    });
    assert_eq!(
        branch,
        RowsError::Branches {
            name: "twig".into()
        }
    );
    let ball = edited(&|joints| joints[1].freedom = Freedom::default());
    assert_eq!(
        ball,
        RowsError::NotARow {
            name: "joint 2".into()
        }
    );
    let loose = edited(&|joints| joints[3].freedom = joints[2].freedom.clone());
    assert_eq!(
        loose,
        RowsError::NotARow {
            name: "tool".into()
        }
    );
    assert!(out_of_reach(&|joints| joints[1].rest.translation.y = 0.1));
    assert!(out_of_reach(
        &|joints| joints[2].rest.rotation = Axis::Y.rotation(0.3)
    ));
    assert!(out_of_reach(
        &|joints| joints[1].rest.scale = Vec3::splat(2.0)
    ));
    assert!(out_of_reach(&|joints| joints[0].rest.translation.x = 1.0));
    assert!(out_of_reach(
        &|joints| joints[3].rest.rotation = Axis::Z.rotation(0.2)
    ));
    let nan = Row {
        d: f32::NAN,
        ..Row::default()
    };
    assert!(skeleton(&[nan]).is_err());
}

/// `Rz(theta) · Tz(d) · Tx(a) · Rx(alpha)`, as in the textbook.
fn printed(row: &Row) -> Affine {
    let ((st, ct), (sa, ca)) = (row.theta_rad.sin_cos(), row.alpha_rad.sin_cos());
    Affine::from_rows([
        [ct, -st * ca, st * sa, row.a * ct],
        [st, ct * ca, -ct * sa, row.a * st],
        [0.0, sa, ca, row.d],
    ])
}

fn product(rows: &[Row]) -> Affine {
    rows.iter()
        .fold(Affine::IDENTITY, |m, row| m * printed(row))
}

#[test]
fn turning_a_hinge_turns_its_theta() {
    let arm = arm();
    let skeleton = skeleton(&arm).unwrap();
    assert_eq!(skeleton.degrees_of_freedom(), 3);
    assert_eq!(skeleton.freedom(3).rotation, RotationLimit::Fixed);
    let mut pose = skeleton.rest().clone();
    pose.set_rotation(1, quat::mul(pose.get(1).rotation, Axis::Z.rotation(0.6)));
    let mut turned = arm.clone();
    turned[1].theta_rad += 0.6;
    let mut model = ModelPose::identity(4);
    model
        .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
        .expect("of this skeleton");
    assert!(model.get(3).max_difference(&product(&turned)) < 1e-6);
    let read = rows(&skeleton, &pose).unwrap();
    assert!((read[1].theta_rad - turned[1].theta_rad).abs() < 1e-6);
}

/// Stanford arm: two hinges, a slide across the axis before it, and a hinge with limits.
fn with_slide() -> Vec<Row> {
    let mut rows = arm();
    rows[1].alpha_rad = 0.7;
    rows[2].moves = Moves::D {
        min: -0.5,
        max: 0.25,
    };
    let range = AngleRange {
        min_rad: -0.4,
        max_rad: 2.0,
    };
    rows.push(Row {
        theta_rad: 0.6,
        d: 0.3,
        a: 0.2,
        moves: Moves::Theta(range),
        ..Row::default()
    });
    rows
}

fn near(found: f32, wanted: f32) {
    assert!((found - wanted).abs() < 2e-6, "{found} {wanted}");
}

#[test]
fn sliding_a_joint_changes_its_d() {
    let given = with_slide();
    let skeleton = skeleton(&given).unwrap();
    assert_eq!(skeleton.degrees_of_freedom(), 4);
    let slide = skeleton.freedom(2).slide_range.expect("a slide");
    // d is −0.2 at rest.
    near(slide.min, -0.3);
    near(slide.max, 0.45);
    let mut pose = skeleton.rest().clone();
    pose.set_translation(2, slide.at(pose.get(2).translation, 0.4));
    let mut moved = given.clone();
    moved[2].d += 0.4;
    let mut model = ModelPose::identity(5);
    model
        .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
        .expect("of this skeleton");
    assert!(model.get(4).max_difference(&product(&moved)) < 2e-6);
    let read = rows(&skeleton, &pose).unwrap();
    for (read, wanted) in read.iter().zip(&moved) {
        near(read.theta_rad, wanted.theta_rad);
        near(read.alpha_rad, wanted.alpha_rad);
        near(read.a, wanted.a);
        near(read.d, wanted.d);
        // Ranges are those of the parameters, whatever the pose.
        match (read.moves, wanted.moves) {
            (Moves::Theta(read), Moves::Theta(wanted)) => {
                near(read.min_rad, wanted.min_rad);
                near(read.max_rad, wanted.max_rad);
            }
            (
                Moves::D { min, max },
                Moves::D {
                    min: low,
                    max: high,
                },
            ) => {
                near(min, low);
                near(max, high);
            }
            other => panic!("{other:?}"),
        }
    }
    let askew = |change: &dyn Fn(&mut SlideRange)| {
        let mut joints = skeleton.joints();
        change(joints[2].freedom.slide_range.as_mut().unwrap());
        let (skeleton, _) = Skeleton::new(joints).unwrap();
        rows(&skeleton, skeleton.rest()).unwrap_err()
    };
    let name = "joint 3".to_owned();
    assert_eq!(
        askew(&|slide| slide.axis = Vec3::Z),
        RowsError::NotARow { name }
    );
}

#[test]
fn a_chain_keeps_its_base_its_names_and_parallel_slides() {
    let upright = quat::mul(Axis::X.rotation(-1.5), Axis::Y.rotation(0.4));
    let base = Transform::from_rotation_translation(upright, Vec3::new(0.1, 0.4, -0.2));
    let named = |(index, row): (usize, Row)| (["a", "b", "c", "d"][index].to_owned(), row);
    let mut given = with_slide();
    given[1].alpha_rad = std::f32::consts::PI;
    let chain = Chain {
        base,
        rows: given.into_iter().enumerate().map(named).collect(),
        tool: "nozzle".to_owned(),
    };
    let skeleton = chain.skeleton().unwrap();
    assert_eq!((skeleton.name(0), skeleton.name(5)), ("base", "nozzle"));
    let read = Chain::of(&skeleton, skeleton.rest()).unwrap();
    let names = |chain: &Chain| {
        chain
            .rows
            .iter()
            .map(|row| row.0.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!((names(&read), &read.tool), (names(&chain), &chain.tool));
    assert!(read.base.to_affine().max_difference(&base.to_affine()) < 1e-6);
    let plain: Vec<Row> = chain.rows.iter().map(|row| row.1).collect();
    let wanted = base.to_affine() * product(&plain);
    let again = read.skeleton().unwrap();
    for skeleton in [&skeleton, &again] {
        let found = *skeleton.rest_model().get(5);
        assert!(found.max_difference(&wanted) < 2e-6, "{found:?}");
    }
    near(read.rows[2].1.d, -0.2);
    let Moves::D { min, max } = read.rows[2].1.moves else {
        panic!("{read:?}");
    };
    near(min, -0.5);
    near(max, 0.25);
}

proptest! {
    #[test]
    fn rows_come_back(values in prop::collection::vec(prop::array::uniform4(-3.1_f32..3.1), 0..8)) {
        let given: Vec<_> = values
            .into_iter()
            .map(|[theta_rad, d, a, alpha_rad]| Row { theta_rad, d, a, alpha_rad, ..Row::default() })
            .collect();
        let skeleton = skeleton(&given).unwrap();
        let tool = *skeleton.rest_model().get(given.len());
        prop_assert!(tool.max_difference(&product(&given)) < 2e-5);
        let read = rows(&skeleton, skeleton.rest()).unwrap();
        prop_assert_eq!(read.len(), given.len());
        for (read, given) in read.iter().zip(&given) {
            prop_assert_eq!((read.a, read.d), (given.a, given.d));
            prop_assert!((read.theta_rad - given.theta_rad).abs() < 1e-6);
            prop_assert!((read.alpha_rad - given.alpha_rad).abs() < 1e-6);
        }
    }
}
