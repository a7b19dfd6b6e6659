use glam::{Quat, Vec3};
use sinew::ik::{Feet, Foot, FootPlacement, FootReport, IkError, place_feet};
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::transform::quat;
use sinew::{Affine, Joint, LocalPose, ModelPose, Skeleton, Transform};

/// Pelvis at 1, leg bones of 0.45, slightly bent, ankles 0.1 above the sole.
fn legs() -> (Skeleton, LocalPose) {
    let at = |x: f32, y: f32| Transform::from_translation(Vec3::new(x, y, 0.0));
    let mut joints = vec![
        Joint::new("root", None, Transform::IDENTITY),
        Joint::new("pelvis", Some(0), at(0.0, 1.0)),
    ];
    for (name, side) in [("left", 0.1), ("right", -0.1)] {
        let hip = joints.len();
        joints.push(Joint::new(format!("{name} hip"), Some(1), at(side, 0.0)));
        let knee = RotationLimit::Hinge {
            axis: Vec3::X,
            range: AngleRange::degrees(0.0, 150.0),
        };
        let knee = Freedom {
            rotation: knee,
            ..Freedom::default()
        };
        joints
            .push(Joint::new(format!("{name} knee"), Some(hip), at(0.0, -0.45)).with_freedom(knee));
        joints.push(Joint::new(
            format!("{name} ankle"),
            Some(hip + 1),
            at(0.0, -0.45),
        ));
    }
    let skeleton = Skeleton::new(joints).unwrap().0;
    let mut pose = skeleton.rest().clone();
    for hip in [2, 5] {
        pose.set_rotation(hip, quat::from_axis_angle(Vec3::X, -0.2));
        pose.set_rotation(hip + 1, quat::from_axis_angle(Vec3::X, 0.4));
        pose.set_rotation(hip + 2, quat::from_axis_angle(Vec3::X, -0.2));
    }
    (skeleton, pose)
}

fn foot(hip: usize, ground: Vec3, normal: Vec3) -> Foot {
    Foot {
        hip,
        knee: hip + 1,
        ankle: hip + 2,
        sole: Vec3::new(0.0, -0.1, 0.0),
        ground_in_model: ground,
        ground_normal: normal,
    }
}

const PLACEMENT: FootPlacement = FootPlacement::new(1)
    .up(Vec3::Y)
    .max_drop(0.4)
    .max_rise(0.4)
    .max_tilt_rad(0.7);

fn placed(
    placement: &FootPlacement,
    feet: &[Foot],
) -> Result<(f32, Vec<FootReport>, LocalPose, ModelPose), IkError> {
    let (skeleton, mut pose) = legs();
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
        .expect("of this skeleton");
    let mut reports = vec![FootReport::default(); feet.len()];
    let before = pose.clone();
    let moved = place_feet(
        &skeleton,
        &mut pose,
        &mut model,
        Feet::new(*placement, feet, &mut reports),
    );
    if moved.is_err() {
        assert_eq!(pose, before);
    }
    let mut again = ModelPose::identity(skeleton.len());
    again
        .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
        .expect("of this skeleton");
    assert_eq!(model, again, "the model pose is not that of the pose");
    Ok((moved?, reports, pose, model))
}

#[test]
fn ground_that_cannot_be_is_refused() {
    let good = foot(2, Vec3::ZERO, Vec3::Y);
    let nan = Vec3::splat(f32::NAN);
    let cases = [
        (
            PLACEMENT,
            foot(2, nan, Vec3::Y),
            "\"left ankle\": its ground is not finite",
        ),
        (
            PLACEMENT,
            foot(2, Vec3::ZERO, Vec3::X),
            "\"left ankle\": its ground has no direction",
        ),
        (PLACEMENT, Foot { hip: 9, ..good }, "there is no joint 9"),
        (
            PLACEMENT,
            Foot { ankle: 7, ..good },
            "\"right ankle\" is not a descendant of \"left knee\"",
        ),
        (
            PLACEMENT.pelvis(5),
            good,
            "\"left hip\" is not a descendant of \"right hip\"",
        ),
        (PLACEMENT.up(Vec3::ZERO), good, "\"pelvis\": its up vector"),
        (
            PLACEMENT.max_drop(f32::NAN),
            good,
            "\"pelvis\": its max drop",
        ),
    ];
    for (placement, foot, message) in cases {
        let error = placed(&placement, &[foot]).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn level_ground_changes_nothing_to_speak_of() {
    let (_, before) = legs();
    let feet = [foot(2, Vec3::ZERO, Vec3::Y), foot(5, Vec3::ZERO, Vec3::Y)];
    let (moved, reports, pose, _) = placed(&PLACEMENT, &feet).unwrap();
    assert!(
        moved.abs() < 1e-6 && reports.iter().all(|r| r.reached),
        "{moved} {reports:?}"
    );
    for joint in 0..pose.len() {
        assert!(quat::angle_between(pose.get(joint).rotation, before.get(joint).rotation) < 1e-4);
    }
}

#[test]
fn feet_stand_on_steps_and_slopes_and_keep_their_lift() {
    let slope = Vec3::new(0.2, 1.0, 0.3).normalize();
    let feet = [
        foot(2, Vec3::new(0.1, -0.15, 0.0), slope),
        foot(5, Vec3::new(-0.1, 0.1, 0.0), Vec3::Y),
    ];
    let (moved, reports, pose, model) = placed(&PLACEMENT, &feet).unwrap();
    assert!((-0.2..-0.1).contains(&moved), "{moved}");
    let (skeleton, flat) = legs();
    let mut before = ModelPose::identity(skeleton.len());
    before
        .update(skeleton.hierarchy(), &flat, &Affine::IDENTITY)
        .expect("of this skeleton");
    for (foot, report) in feet.iter().zip(&reports) {
        assert!(report.reached && report.tilt_left_rad < 1e-3, "{report:?}");
        let sole = model.get(foot.ankle).transform_point(foot.sole);
        let was = before.get(foot.ankle).transform_point(foot.sole);
        // The sole is as high above the ground as it was above the floor.
        let above = (sole - foot.ground_in_model).dot(foot.ground_normal) / foot.ground_normal.y;
        assert!((above - was.y).abs() < 1e-4, "{above} {}", was.y);
        assert!((sole.x - was.x).abs() < 1e-4 && (sole.z - was.z).abs() < 1e-4);
        let up = model.get(foot.ankle).transform_vector(Vec3::Y).normalize();
        let was_up = before.get(foot.ankle).transform_vector(Vec3::Y).normalize();
        let wanted = Quat::from_rotation_arc(Vec3::Y, foot.ground_normal) * was_up;
        assert!(up.distance(wanted) < 1e-3, "{up} {wanted}");
    }
    for knee in [3, 6] {
        let allowed = skeleton
            .freedom(knee)
            .clamp_rotation(Quat::IDENTITY, pose.get(knee).rotation);
        assert_eq!(allowed, pose.get(knee).rotation);
    }
}

#[test]
fn what_is_too_far_down_or_too_steep_is_said() {
    let steep = Vec3::new(1.0, 1.0, 0.0).normalize();
    let placement = PLACEMENT.max_drop(0.05).max_tilt_rad(0.3);
    let (moved, reports, ..) =
        placed(&placement, &[foot(2, Vec3::new(0.1, -0.4, 0.0), steep)]).unwrap();
    assert!((moved + 0.05).abs() < 1e-6);
    assert!(
        !reports[0].reached && reports[0].residual > 0.05,
        "{reports:?}"
    );
    assert!((reports[0].tilt_left_rad - (std::f32::consts::FRAC_PI_4 - 0.3)).abs() < 1e-3);
}
