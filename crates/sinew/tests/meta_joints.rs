use glam::{Quat, Vec3};
use proptest::prelude::*;
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit, SlideRange};
use sinew::skeleton::{MetaJointError, MetaJoints};
use sinew::transform::{Axis, EulerOrder, quat};
use sinew::{
    Affine, Clip, Interpolation, Joint, LocalPose, ModelPose, Skeleton, Track, Transform, sample,
};
use std::f64::consts::FRAC_1_SQRT_2;

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

fn orders() -> Vec<EulerOrder> {
    let mut orders = Vec::new();
    for a in AXES {
        for b in AXES {
            orders.extend(AXES.iter().filter_map(|&c| EulerOrder::new([a, b, c])));
        }
    }
    orders
}

fn yaw_pitch() -> RotationLimit {
    RotationLimit::Saddle {
        axes: [Axis::Y, Axis::Z],
        ranges: [
            AngleRange::degrees(-60.0, 60.0),
            AngleRange::degrees(-10.0, 90.0),
        ],
    }
}

fn joint(name: &str, parent: Option<usize>, turn: RotationLimit) -> Joint {
    let rest = Transform {
        translation: Vec3::new(0.3, 0.2, -0.1),
        rotation: EulerOrder::ZXY.to_quat([0.4, -0.3, 0.9]),
        scale: Vec3::new(1.0, 1.1, 0.9),
    };
    Joint::new(name, parent, rest).with_freedom(Freedom {
        rotation: turn,
        ..Freedom::default()
    })
}

fn body(order: EulerOrder) -> Skeleton {
    let range = AngleRange::degrees(-100.0, 100.0);
    let mut joints = vec![
        joint("root", None, RotationLimit::Free),
        joint(
            "knee",
            Some(0),
            RotationLimit::Hinge {
                axis: Vec3::new(1.0, 1.0, 0.0),
                range,
            },
        ),
        joint("wrist", Some(1), yaw_pitch()),
        joint(
            "hip",
            Some(2),
            RotationLimit::Euler {
                order,
                ranges: [range; 3],
            },
        ),
        joint(
            "shoulder",
            Some(0),
            RotationLimit::Ball {
                axis: Vec3::X,
                swing_rad: 1.0,
                twist: range,
            },
        ),
        joint("skull", Some(4), RotationLimit::Fixed),
    ];
    joints[0].freedom.slides = [true; 3];
    Skeleton::new(joints).unwrap().0
}

fn model(skeleton: &Skeleton, pose: &LocalPose) -> ModelPose {
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), pose, &Affine::IDENTITY)
        .expect("of this skeleton");
    model
}

#[test]
fn the_range_of_a_slide_stays_with_the_first_meta_joint() {
    let mut joints = body(EulerOrder::XYZ).joints();
    let slide = SlideRange {
        axis: Vec3::new(0.0, 0.6, 0.8),
        min: -0.1,
        max: 0.4,
    };
    joints[2].freedom.slide_range = Some(slide);
    let (combined, _) = Skeleton::new(joints).unwrap();
    let name = combined.name(2).to_owned();
    let split = MetaJoints::split(&combined, &[2], EulerOrder::XYZ).unwrap();
    let skeleton = split.split_skeleton();
    let last = skeleton.find(&name).unwrap();
    assert_eq!(skeleton.freedom(last).slide_range, None);
    let slides: Vec<_> = (0..skeleton.len())
        .filter_map(|joint| skeleton.freedom(joint).slide_range)
        .collect();
    assert_eq!(slides, [slide]);
    let merged = MetaJoints::merge(skeleton).unwrap();
    assert_eq!(merged.combined_skeleton().freedom(2), combined.freedom(2));
}

#[test]
fn a_joint_that_does_not_exist_is_refused() {
    let refused = MetaJoints::split(&body(EulerOrder::XYZ), &[2, 6], EulerOrder::XYZ);
    assert_eq!(
        refused,
        Err(MetaJointError::NoSuchJoint { joint: 6, len: 6 })
    );
}

#[test]
fn a_pose_that_two_axes_do_not_reach_is_refused() {
    let body = body(EulerOrder::XYZ);
    let meta = MetaJoints::split(&body, &[2], EulerOrder::XYZ).unwrap();
    let mut pose = body.rest().clone();
    let reach = quat::mul(Axis::Y.rotation(0.4), Axis::Z.rotation(0.7));
    // Yaw and pitch can replace a roll of 0.2 rad only in part.
    let rolled = quat::mul(reach, Axis::X.rotation(0.2));
    pose.set_rotation(2, quat::mul(pose.get(2).rotation, rolled));
    let Err(MetaJointError::OutOfReach { name, residual_rad }) = meta.split_pose(&pose) else {
        panic!("a third axis was not missed");
    };
    assert_eq!(name, "wrist");
    let nearest = (0..2000).flat_map(|i| (0..2000).map(move |j| (i, j))).fold(
        f32::INFINITY,
        |best: f32, (i, j)| {
            let [a, b] = [i, j].map(|n| n as f32 * 0.0005);
            let tried = quat::mul(Axis::Y.rotation(a), Axis::Z.rotation(b));
            best.min(quat::angle_between(tried, rolled))
        },
    );
    assert!(
        (residual_rad - nearest).abs() < 1e-4,
        "{residual_rad} and {nearest}"
    );
}

#[test]
fn yaw_then_pitch_is_the_combined_rotation() {
    let freedom = Freedom {
        rotation: yaw_pitch(),
        ..Freedom::default()
    };
    let shoulder = Joint::new("shoulder", None, Transform::IDENTITY).with_freedom(freedom);
    let (body, _) = Skeleton::new(vec![shoulder]).unwrap();
    let meta = MetaJoints::split(&body, &[0], EulerOrder::XYZ).unwrap();
    let split = meta.split_skeleton();
    assert_eq!([split.name(0), split.name(1)], ["shoulder.y", "shoulder"]);
    let (yaw, pitch) = (30.0_f32.to_radians(), 45.0_f32.to_radians());
    let pose = LocalPose::from_transforms(&[
        Transform::from_rotation(Axis::Y.rotation(yaw)),
        Transform::from_rotation(Axis::Z.rotation(pitch)),
    ]);
    let wanted = [
        [0.612372435695795, -0.612372435695794, 0.5],
        [FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0],
        [-0.353553390593274, 0.353553390593274, 0.866025403784439],
    ];
    let merged = meta.merge_pose(&pose).expect("of this skeleton");
    let hand = *model(split, &pose).get(1);
    for found in [hand, *model(&body, &merged).get(0)] {
        let found = found.linear_f64();
        for (r, row) in wanted.iter().enumerate() {
            for (c, value) in row.iter().enumerate() {
                assert!((found[r][c] - value).abs() < 2e-7, "row {r}, column {c}");
            }
        }
    }
    let x_axis = hand.transform_vector(Vec3::X);
    let points_to = Vec3::new(0.612_372_4, FRAC_1_SQRT_2 as f32, -0.353_553_4);
    assert!((x_axis - points_to).length() < 2e-7);
    let again = meta.split_pose(&merged).unwrap();
    assert!(quat::angle_between(again.get(0).rotation, Axis::Y.rotation(yaw)) < 1e-6);
    assert!(quat::angle_between(again.get(1).rotation, Axis::Z.rotation(pitch)) < 1e-6);
}

#[test]
fn each_kind_of_joint_splits_into_its_degrees_of_freedom() {
    let body = body(EulerOrder::ZYX);
    let all: Vec<_> = (0..body.len()).collect();
    let meta = MetaJoints::split(&body, &all, EulerOrder::XYZ).unwrap();
    let split = meta.split_skeleton();
    let names: Vec<_> = (0..split.len()).map(|j| split.name(j)).collect();
    assert_eq!(
        names,
        [
            "root.x",
            "root.y",
            "root",
            "knee",
            "wrist.y",
            "wrist",
            "hip.z",
            "hip.y",
            "hip",
            "shoulder.x",
            "shoulder.y",
            "shoulder",
            "skull",
        ]
    );
    assert_eq!(split.degrees_of_freedom(), body.degrees_of_freedom());
    for joint in (0..split.len()).filter(|&j| split.name(j) != "skull") {
        assert!(matches!(
            split.freedom(joint).rotation,
            RotationLimit::Hinge { .. }
        ));
    }
    let (first, last) = (split.rest().get(4), split.rest().get(5));
    assert_eq!(last.translation, Vec3::ZERO, "coincident");
    assert_eq!(
        (first.scale, last.scale),
        (Vec3::ONE, body.rest().get(2).scale)
    );
    let pitch = RotationLimit::Hinge {
        axis: Vec3::Z,
        range: AngleRange::degrees(-10.0, 90.0),
    };
    assert_eq!(split.freedom(5).rotation, pitch);
}

#[test]
fn merging_finds_the_joints_that_were_split() {
    let body = body(EulerOrder::ZYX);
    let with_axes = [1, 2, 3];
    let meta = MetaJoints::split(&body, &with_axes, EulerOrder::XYZ).unwrap();
    let merged = MetaJoints::merge(meta.split_skeleton()).unwrap();
    assert_eq!(merged.combined_skeleton(), &body);
    assert_eq!(merged, meta);
}

#[test]
fn joints_with_an_offset_between_them_are_not_merged() {
    let hinge = |axis| Freedom {
        rotation: RotationLimit::Hinge {
            axis,
            range: AngleRange::FULL,
        },
        ..Freedom::default()
    };
    let knee = Transform::from_translation(Vec3::Y);
    let (leg, _) = Skeleton::new(vec![
        Joint::new("hip", None, Transform::IDENTITY).with_freedom(hinge(Vec3::X)),
        Joint::new("knee", Some(0), knee).with_freedom(hinge(Vec3::Y)),
        Joint::new("roll", Some(1), Transform::IDENTITY).with_freedom(hinge(Vec3::Y)),
    ])
    .unwrap();
    assert_eq!(MetaJoints::merge(&leg).unwrap().combined_skeleton(), &leg);
}

#[test]
fn a_clip_moves_the_split_skeleton_the_same_way() {
    let body = body(EulerOrder::XYZ);
    let meta = MetaJoints::split(&body, &[0, 2, 3, 4], EulerOrder::ZXY).unwrap();
    let map = meta.split_from_combined();
    let mut clip = Clip::new("wave");
    for joint in 0..body.len() {
        let turns = [Axis::X.rotation(0.3), Axis::Y.rotation(1.0)];
        let rotation = Track::rotations(vec![0.0, 1.0], &turns, Interpolation::Slerp).unwrap();
        let places = [Vec3::X, Vec3::Y];
        let translation = Track::vectors(vec![0.0, 1.0], &places, Interpolation::Linear).unwrap();
        clip.joint_mut(joint).rotation = Some(rotation);
        clip.joint_mut(joint).translation = Some(translation);
    }
    let (mut pose, mut split) = (body.rest().clone(), meta.split_skeleton().rest().clone());
    sample(&clip, &body, 0.4, &mut pose).unwrap();
    sample(&clip.remapped(&map), meta.split_skeleton(), 0.4, &mut split).unwrap();
    let (combined, split) = (model(&body, &pose), model(meta.split_skeleton(), &split));
    for joint in 0..body.len() {
        let off = combined
            .get(joint)
            .max_difference(split.get(map.get(joint).unwrap()));
        assert!(off < 4e-6, "{} is off by {off}", body.name(joint));
    }
}

proptest! {
    #[test]
    fn splitting_and_merging_change_no_pose(
        order in prop::sample::select(orders()),
        free_order in prop::sample::select(orders()),
        rotations in prop::collection::vec(prop::array::uniform4(-1.0_f32..1.0), 6),
        [yaw, pitch] in prop::array::uniform2(-3.2_f32..3.2),
        lock in any::<bool>(),
    ) {
        let body = body(order);
        let all: Vec<_> = (0..body.len()).collect();
        let meta = MetaJoints::split(&body, &all, free_order).unwrap();
        let mut pose = body.rest().clone();
        for (joint, c) in rotations.into_iter().enumerate() {
            pose.set_rotation(joint, quat::normalized(Quat::from_array(c)));
        }
        let wrist = quat::mul(Axis::Y.rotation(yaw), Axis::Z.rotation(pitch));
        pose.set_rotation(2, quat::mul(body.rest().get(2).rotation, wrist));
        if lock {
            let locked = order.to_quat([yaw, std::f32::consts::FRAC_PI_2, pitch]);
            pose.set_rotation(3, quat::mul(body.rest().get(3).rotation, locked));
        }
        let split_pose = meta.split_pose(&pose).unwrap();
        let merged = meta.merge_pose(&split_pose).expect("of this skeleton");
        let (before, after) = (model(&body, &pose), model(&body, &merged));
        let split = model(meta.split_skeleton(), &split_pose);
        let map = meta.split_from_combined();
        for joint in 0..body.len() {
            let off = before.get(joint).max_difference(split.get(map.get(joint).unwrap()));
            prop_assert!(off < 3e-6, "{} split is off by {}", body.name(joint), off);
            let off = before.get(joint).max_difference(after.get(joint));
            prop_assert!(off < 3e-6, "{} merged is off by {}", body.name(joint), off);
        }
    }
}
