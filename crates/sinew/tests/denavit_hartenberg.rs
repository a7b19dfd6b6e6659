use glam::Vec3;
use proptest::prelude::*;
use sinew::skeleton::denavit_hartenberg::{Row, RowsError, rows, skeleton};
use sinew::skeleton::limits::{Freedom, RotationLimit};
use sinew::transform::{Axis, quat};
use sinew::{Affine, Joint, ModelPose, Skeleton, Transform};

fn arm() -> Vec<Row> {
    let row = |theta_rad, d, a, alpha_rad| Row {
        theta_rad,
        d,
        a,
        alpha_rad,
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
        RowsError::NotAHinge {
            name: "joint 2".into()
        }
    );
    let loose = edited(&|joints| joints[3].freedom = joints[2].freedom.clone());
    assert_eq!(
        loose,
        RowsError::NotAHinge {
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

proptest! {
    #[test]
    fn rows_come_back(values in prop::collection::vec(prop::array::uniform4(-3.1_f32..3.1), 0..8)) {
        let given: Vec<_> = values
            .into_iter()
            .map(|[theta_rad, d, a, alpha_rad]| Row { theta_rad, d, a, alpha_rad })
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
