//! Scenes and characters made by code, compared with numbers computed by hand.

use glam::Vec3;
use sinew::clip::Wrap;
use sinew::mesh::volume;
use sinew::scene::{Draw, Scene};
use sinew::skeleton::limits::RotationLimit;
use sinew::transform::Axis;
use sinew::{Affine, Character, Method, Player, Transform, deform, sample};
use sinew_samples::{
    Car, Humanoid, HumanoidAngles, HumanoidPart, RobotArm, Wheel, humanoid_character,
    tube_character,
};
use std::f32::consts::FRAC_1_SQRT_2;
use std::sync::Arc;

pub(crate) fn draws(scene: &Scene) -> Vec<Draw> {
    scene.draws().unwrap().collect()
}

#[test]
fn robot_arm_has_the_worked_matrices() {
    let mut arm = RobotArm::new(2.0, 3.0, 1.5);
    assert_eq!(arm.tip_in_world(), Vec3::new(0.0, 6.5, 0.0));
    let degrees = [30.0_f32, 45.0, -60.0].map(f32::to_radians);
    arm.set_angles(degrees[0], degrees[1], degrees[2]);
    let wanted = [
        [
            [0.866_025_4, 0.0, 0.5, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [-0.5, 0.0, 0.866_025_4, 0.0],
        ],
        [
            [0.612_372_4, -0.612_372_4, 0.5, 0.0],
            [FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0, 2.0],
            [-0.353_553_4, 0.353_553_4, 0.866_025_4, 0.0],
        ],
        [
            [0.836_516_3, 0.224_143_87, 0.5, -1.837_117_3],
            [-0.258_819_05, 0.965_925_8, 0.0, 4.121_320_3],
            [-0.482_962_9, -0.129_409_52, 0.866_025_4, 1.060_660_2],
        ],
    ];
    let drawn = draws(&arm.scene);
    assert_eq!(drawn.len(), 3);
    for (draw, rows) in drawn.iter().zip(wanted) {
        let off = draw
            .world_from_geometry
            .max_difference(&Affine::from_rows(rows));
        assert!(off < 1e-6, "off by {off}");
    }
    let tip = Vec3::new(-1.500_901_5, 5.570_209, 0.866_545_9);
    assert!(arm.tip_in_world().distance(tip) < 2e-6);
}

#[test]
fn four_wheels_share_one_geometry_and_move_with_the_car() {
    let mut car = Car::new();
    let tyres = |car: &Car| -> Vec<Draw> {
        let is_tyre = |d: &Draw| car.scene.get(d.node).unwrap().name == "tyre";
        draws(&car.scene).into_iter().filter(is_tyre).collect()
    };
    let before = tyres(&car);
    assert_eq!(before.len(), 4);
    let geometry = |d: &Draw| &car.scene.geometries()[d.geometry.index()];
    for tyre in &before {
        assert!(Arc::ptr_eq(geometry(tyre), geometry(&before[0])));
    }
    assert_eq!(before[1].instance, Some(car.wheel(Wheel::LeftFront)));

    car.drive(5.0, 0.0, 2.0);
    for (before, after) in before.iter().zip(tyres(&car)) {
        let moved =
            after.world_from_geometry.translation() - before.world_from_geometry.translation();
        assert!(moved.distance(Vec3::Z * 10.0) < 1e-5);
    }
}

/// The point that touches the road does not move, on the left and right side of the car.
#[test]
fn wheels_roll_without_slipping() {
    let mut car = Car::new();
    let ground = |car: &Car, wheel: Wheel| {
        let world_from_wheel = car.scene.world_from_node(car.wheel(wheel)).unwrap();
        let center = world_from_wheel.translation();
        (world_from_wheel, Vec3::new(center.x, 0.0, center.z))
    };
    for wheel in Wheel::ALL {
        let (world_from_wheel, touching) = ground(&car, wheel);
        let wheel_from_world = world_from_wheel.inverse().unwrap();
        let on_wheel = wheel_from_world.transform_point(touching);
        car.drive(1e-2, 0.0, 1e-1);
        let (world_from_wheel, _) = ground(&car, wheel);
        let slipped = world_from_wheel
            .transform_point(on_wheel)
            .distance(touching);
        assert!(slipped < 1e-5, "{wheel:?} slips by {slipped}");
    }
}

#[test]
fn the_car_steers_to_the_left() {
    let mut car = Car::new();
    for _ in 0..100 {
        car.drive(5.0, 0.3, 0.01);
    }
    let chassis = car.scene.world_from_node(car.chassis).unwrap();
    assert!(chassis.translation().x > 0.5, "left is +x");
    let front = car.scene.get(car.wheel(Wheel::LeftFront)).unwrap();
    let heading = Axis::Y.rotation(0.3);
    let axle = front.parent_from_node.transform_vector(Vec3::X);
    assert!(axle.distance(sinew::transform::quat::rotate(heading, Vec3::X)) < 1e-6);
}

/// A wheel is a tyre, a drum, a hub and five spokes with a bolt each: three levels of prototypes.
#[test]
fn nested_prototypes_are_all_drawn() {
    let car = Car::new();
    let named = |name: &str| {
        let all = draws(&car.scene).into_iter();
        all.filter(|d| car.scene.get(d.node).unwrap().name == name)
            .count()
    };
    assert_eq!((named("tyre"), named("bar"), named("head")), (4, 20, 20));
    assert_eq!(
        car.scene.draw_count().unwrap(),
        draws(&car.scene).len() as u64
    );
}

fn some_angles() -> HumanoidAngles {
    HumanoidAngles {
        torso_rad: 0.3,
        head_nod_rad: 0.2,
        head_yaw_rad: -0.4,
        left_upper_arm_rad: 0.5,
        left_lower_arm_rad: 0.6,
        right_upper_arm_rad: -0.7,
        right_lower_arm_rad: 0.8,
        left_upper_leg_rad: 0.9,
        left_lower_leg_rad: 1.0,
        right_upper_leg_rad: -0.3,
        right_lower_leg_rad: 0.1,
    }
}

#[test]
fn humanoid_traversal_equals_push_and_pop() {
    use HumanoidPart::*;
    let angles = some_angles();
    let mut figure = Humanoid::new();
    figure.set_angles(&angles);

    let rest_of = |part: HumanoidPart| part.rest().to_affine();
    let about = |axis: Axis, angle: f32| Transform::from_rotation(axis.rotation(angle)).to_affine();
    let mut stack = Vec::new();
    let mut by_hand = Vec::new();
    let mut now = rest_of(Torso) * about(Axis::Y, 0.3);
    by_hand.push(now);
    stack.push(now);
    now = now * rest_of(Head) * about(Axis::Y, -0.4) * about(Axis::X, 0.2);
    by_hand.push(now);
    now = stack.pop().unwrap();
    let limbs = [
        (LeftUpperArm, -0.5, LeftLowerArm, -0.6),
        (RightUpperArm, 0.7, RightLowerArm, -0.8),
        (LeftUpperLeg, -0.9, LeftLowerLeg, 1.0),
        (RightUpperLeg, 0.3, RightLowerLeg, 0.1),
    ];
    for (upper, upper_rad, lower, lower_rad) in limbs {
        stack.push(now);
        now = now * rest_of(upper) * about(Axis::X, upper_rad);
        by_hand.push(now);
        now = now * rest_of(lower) * about(Axis::X, lower_rad);
        by_hand.push(now);
        now = stack.pop().unwrap();
    }

    let drawn = draws(&figure.scene);
    assert_eq!(drawn.len(), 10);
    assert_eq!(figure.scene.len(), 1 + 10, "a node a part, and the root");
    for ((draw, matrix), part) in drawn.iter().zip(by_hand).zip(HumanoidPart::ALL) {
        assert_eq!(draw.node, figure.part(part));
        let off = draw.world_from_geometry.max_difference(&matrix);
        assert!(off < 1e-6, "{part:?} is off by {off}");
    }
}

#[test]
fn humanoid_has_ten_parts_in_a_tree_and_eleven_angles() {
    let person = humanoid_character();
    let skeleton = &person.skeleton;
    let tree = [
        ("torso", None),
        ("head", Some("torso")),
        ("left_upper_arm", Some("torso")),
        ("left_lower_arm", Some("left_upper_arm")),
        ("right_upper_arm", Some("torso")),
        ("right_lower_arm", Some("right_upper_arm")),
        ("left_upper_leg", Some("torso")),
        ("left_lower_leg", Some("left_upper_leg")),
        ("right_upper_leg", Some("torso")),
        ("right_lower_leg", Some("right_upper_leg")),
    ];
    assert_eq!(skeleton.len(), tree.len());
    for (name, parent) in tree {
        let joint = skeleton.find(name).unwrap();
        let above = skeleton.parent(joint).map(|p| skeleton.name(p));
        assert_eq!(above, parent, "{name}");
        let angles = match skeleton.freedom(joint).rotation {
            RotationLimit::Hinge { .. } => 1,
            RotationLimit::Saddle { .. } => 2,
            _ => 0,
        };
        assert_eq!(angles, if name == "head" { 2 } else { 1 }, "{name}");
    }
    assert!(skeleton.is_root(skeleton.find("torso").unwrap()));
    assert_eq!(
        skeleton.degrees_of_freedom(),
        11 + 1,
        "and the height it walks at"
    );
    assert_eq!(size_of::<HumanoidAngles>(), 11 * 4);
}

/// Left mirrors right, limbs hang down, and angles of 0 are within all limits.
#[test]
fn humanoid_parts_hang_where_they_belong_and_rest_within_their_limits() {
    use HumanoidPart::*;
    let pairs = [
        (LeftUpperArm, RightUpperArm),
        (LeftLowerArm, RightLowerArm),
        (LeftUpperLeg, RightUpperLeg),
        (LeftLowerLeg, RightLowerLeg),
    ];
    for (left, right) in pairs {
        let (a, b) = (left.rest(), right.rest());
        assert_eq!(a.translation * Vec3::new(-1.0, 1.0, 1.0), b.translation);
        assert_eq!(a.rotation.z, -b.rotation.z, "{left:?}");
        assert_eq!(left.freedom(), right.freedom());
    }
    let person = humanoid_character();
    let rest = person.skeleton.rest_model();
    let position = |part: HumanoidPart| rest.get(part.index()).translation();
    for (upper, lower) in [(Head, LeftUpperArm), (LeftUpperArm, LeftLowerArm)] {
        assert!(position(upper).y > position(lower).y + 0.05, "{upper:?}");
    }
    for (upper, lower) in [(Torso, LeftUpperLeg), (LeftUpperLeg, LeftLowerLeg)] {
        assert!(position(upper).y > position(lower).y + 0.03, "{upper:?}");
    }
    assert!(position(LeftLowerArm).x > position(LeftUpperArm).x + 0.01);
    for part in HumanoidPart::ALL {
        let ranges = match part.freedom().rotation {
            RotationLimit::Hinge { range, .. } => vec![range],
            RotationLimit::Saddle { ranges, .. } => ranges.to_vec(),
            other => panic!("{part:?}: {other:?}"),
        };
        for range in ranges {
            assert!(
                range.min_rad <= 0.0 && range.max_rad > range.min_rad,
                "{part:?}"
            );
            assert!(range.max_rad >= 0.0, "{part:?}");
        }
    }
}

/// Away from its joints, a part moves with one joint. Across a bend the weight is 3t² − 2t³.
#[test]
fn humanoid_joints_hand_over_along_their_limbs() {
    use HumanoidPart::*;
    let person = humanoid_character();
    let surface = &person.meshes[0].primitives[0];
    let influences = surface.influences.as_ref().unwrap();
    let rest = person.skeleton.rest_model();
    let mut seen = 0;
    for (upper, lower, reach) in [
        (LeftUpperArm, LeftLowerArm, 0.07),
        (RightUpperLeg, RightLowerLeg, 0.09),
    ] {
        let lower_from_model = rest.get(lower.index()).inverse().unwrap();
        for (vertex, position) in surface.positions.iter().enumerate() {
            let share = |part: HumanoidPart| -> f32 {
                let own = influences.get(vertex).filter(|i| i.0 == part.index());
                own.map(|i| i.1).sum()
            };
            if share(upper) + share(lower) < 0.999 {
                continue;
            }
            let along = -f64::from(lower_from_model.transform_point(*position).y);
            let t = (0.5 + 0.5 * along / reach).clamp(0.0, 1.0);
            let wanted = t * t * (3.0 - 2.0 * t);
            assert!(
                (f64::from(share(lower)) - wanted).abs() < 1e-3,
                "{along}: {} {wanted}",
                share(lower)
            );
            seen += usize::from(t > 0.05 && t < 0.95);
        }
        // A limb has half the weight at its joint, and no weight beyond its bend.
        let joint = rest.get(upper.index()).translation();
        let is_torso = |vertex: usize| {
            influences
                .get(vertex)
                .any(|i| i.0 == Torso.index() && i.1 > 0.99)
        };
        let torso = (0..surface.len()).filter(|&v| is_torso(v));
        assert!(
            torso
                .map(|v| surface.positions[v])
                .any(|p| p.distance(joint) < 0.2)
        );
    }
    assert!(seen > 100, "{seen}");
    for vertex in 0..surface.len() {
        let sum: f32 = influences.get(vertex).map(|i| i.1).sum();
        assert!((sum - 1.0).abs() < 1e-4 && influences.get(vertex).all(|i| i.1 >= 0.0));
        // A vertex follows at most one limb, except below the torso, where the legs meet.
        let joints: Vec<usize> = influences
            .get(vertex)
            .filter(|i| i.1 > 0.01)
            .map(|i| i.0)
            .collect();
        let limbs = joints.iter().filter(|&&j| j != Torso.index());
        let mut limbs: Vec<usize> = limbs.map(|j| j / 2).collect();
        limbs.dedup();
        assert!(limbs.len() <= 1 || limbs == [3, 4], "{joints:?}");
    }
}

#[test]
fn a_skeleton_takes_less_memory_than_moving_vertices() {
    let person = humanoid_character();
    let (walk, surface) = (&person.clips[0], &person.meshes[0].primitives[0]);
    let as_vertices = walk.bytes_as_vertices(surface.len());
    assert_eq!(as_vertices, 13 * 12 * surface.len());
    let skin = &person.skins[0];
    let extra = surface.influences.as_ref().unwrap().bytes()
        + size_of_val(&skin.joint_from_model[..])
        + walk.bytes();
    assert!(8 * extra < as_vertices, "{extra} and {as_vertices}");
    assert!(500 * walk.bytes() < as_vertices);
}

#[test]
fn one_limb_never_moves_another() {
    let mut figure = Humanoid::new();
    let before = draws(&figure.scene);
    figure.set_angles(&HumanoidAngles {
        left_upper_arm_rad: 1.0,
        ..HumanoidAngles::default()
    });
    for (part, (before, after)) in HumanoidPart::ALL
        .iter()
        .zip(before.iter().zip(draws(&figure.scene)))
    {
        let arm = [HumanoidPart::LeftUpperArm, HumanoidPart::LeftLowerArm];
        let moved = before.world_from_geometry != after.world_from_geometry;
        assert_eq!(moved, arm.contains(part), "{part:?}");
    }
}

pub(crate) fn bounds(positions: &[Vec3]) -> (Vec3, Vec3) {
    let low = positions.iter().copied().reduce(Vec3::min).unwrap();
    let high = positions.iter().copied().reduce(Vec3::max).unwrap();
    (low, high)
}

#[test]
fn humanoid_is_as_tall_as_a_person_and_stands_on_the_ground() {
    let person = humanoid_character();
    let surface = &person.meshes[0].primitives[0];
    let (low, high) = bounds(&surface.positions);
    assert!((high.y - 1.75).abs() < 0.005 && low.y.abs() < 1e-4);
    assert!((high.x + low.x).abs() < 1e-5, "left and right are alike");
    assert!(high.z > -low.z, "the toes point forward");
    assert!(volume(&surface.positions, surface.triangles()) > 0.05);
}

fn posed(character: &Character, clip: &str, time_secs: f64, method: Method) -> Vec<Vec3> {
    let clip = character.find_clip(clip);
    assert!(clip.is_some());
    let mut moved = deform(character, clip, time_secs, method).unwrap();
    moved.primitives.remove(0).positions
}

#[test]
fn the_skin_of_the_humanoid_is_sound() {
    let person = humanoid_character();
    let surface = &person.meshes[0].primitives[0];
    let influences = surface.influences.as_ref().unwrap();
    assert_eq!(influences.len(), surface.len());
    assert!(influences.max_per_vertex() <= 4);
    let at_rest = deform(&person, None, 0.0, Method::DualQuat).unwrap();
    let moved = at_rest.primitives[0].positions.iter();
    let off = moved
        .zip(surface.positions.iter())
        .map(|(a, b)| a.distance(*b));
    assert!(off.fold(0.0, f32::max) < 1e-5);
    let blended = (0..surface.len()).filter(|&v| influences.get(v).len() > 1);
    assert!(blended.count() > 1000);
}

#[test]
fn the_walk_loops_with_a_foot_on_the_ground() {
    let person = humanoid_character();
    let walk = &person.clips[0];
    assert_eq!(walk.duration_secs, 1.2);
    let (first, last) = (
        posed(&person, "walk", 0.0, Method::Linear),
        posed(&person, "walk", 1.2, Method::Linear),
    );
    let gap = first.iter().zip(&last).map(|(a, b)| a.distance(*b));
    assert!(gap.fold(0.0, f32::max) < 1e-5);
    for frame in 0..=48 {
        let positions = posed(&person, "walk", f64::from(frame) * 0.025, Method::Linear);
        let (low, _) = bounds(&positions);
        assert!(low.y.abs() < 0.012, "frame {frame}: {}", low.y);
    }
    assert!(walk.curves.iter().any(|c| c.name == "camera"));
    let mut player = Player::new(Wrap::Loop);
    let mut steps = Vec::new();
    for _ in 0..239 {
        player.advance(walk, 0.01, |event| steps.push(event.name.as_str()));
    }
    let (left, right) = ("footstep_left", "footstep_right");
    assert_eq!(steps, [left, right, left, right]);
}

#[test]
fn the_walk_respects_the_limits() {
    let person = humanoid_character();
    let mut pose = person.skeleton.rest().clone();
    for frame in 0..=12 {
        sample(
            &person.clips[0],
            &person.skeleton,
            f64::from(frame) * 0.1,
            &mut pose,
        )
        .unwrap();
        let mut clamped = pose.clone();
        person
            .skeleton
            .clamp(&mut clamped)
            .expect("of this skeleton");
        for (now, allowed) in pose.iter().zip(clamped.iter()) {
            let off = now.to_affine().max_difference(&allowed.to_affine());
            assert!(off < 1e-4, "frame {frame}: {off}");
        }
    }
}

#[test]
fn the_tube_shows_what_skinning_does() {
    let tube = tube_character();
    let surface = &tube.meshes[0].primitives[0];
    let size = |clip: &str, time: f64, method: Method| {
        let positions = posed(&tube, clip, time, method);
        volume(&positions, surface.triangles())
    };
    let rest = size("twist", 0.0, Method::Linear);
    // Less than 180°, because dual quaternions rotate in the other direction beyond 180°.
    assert!(size("twist", 1.9, Method::Linear) < 0.75 * rest);
    assert!((size("twist", 1.9, Method::DualQuat) / rest - 1.0).abs() < 0.02);
    let tip = |positions: Vec<Vec3>| positions.iter().fold(0.0_f32, |x, p| x.min(p.x));
    assert!(tip(posed(&tube, "bend", 2.0, Method::Linear)) < -0.8);
}
