//! The exhibits, as characters, stand, move and look like their scenes.

use crate::scenes::{bounds, draws};
use glam::Vec3;
use sinew::mesh::volume;
use sinew::transform::Axis;
use sinew::{Affine, Character, ModelPose, sample};
use sinew_samples::{Car, Humanoid, HumanoidAngles, HumanoidPart, RobotArm, Wheel};

fn at_angles(character: &Character, angles: &[(&str, f32)]) -> ModelPose {
    let skeleton = &character.skeleton;
    let mut pose = skeleton.rest().clone();
    for (name, degrees) in angles {
        let joint = skeleton.find(name).unwrap();
        let rotation = skeleton.freedom(joint).rotation.at(&[degrees.to_radians()]);
        let rest = skeleton.rest().get(joint).rotation;
        pose.set_rotation(joint, rest * rotation.unwrap());
    }
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
        .unwrap();
    model
}

/// The numbers of the exercise. Its plane is horizontal: x of the exercise is x, y is −z.
#[test]
fn the_solar_system_is_the_exercises() {
    let system = sinew_samples::solar_system_character();
    let joint = |name| system.skeleton.find(name).unwrap();
    let flat = |x: f32, y: f32| Vec3::new(x, 0.0, -y);
    let still = at_angles(&system, &[]);
    let on_moon = flat(2.0, 1.0);
    let points = [("moon", flat(62.0, 1.0)), ("sun", flat(2.0, 1.0))];
    for (name, wanted) in points {
        let found = still.get(joint(name)).transform_point(on_moon);
        assert!(found.distance(wanted) < 1e-4, "{name}: {found}");
    }
    let moved = at_angles(&system, &[("sun", -20.0), ("planet", 30.0), ("moon", 45.0)]);
    let found = moved.get(joint("moon")).transform_point(on_moon);
    assert!(
        found.distance(flat(57.160709, -13.152645)) < 1e-4,
        "{found}"
    );
    // A ball at each joint and a thin ring along the orbit of the child, closed and not inside out.
    let [sun, planet, moon] = ["sun", "planet", "moon"].map(|name| {
        let mesh = system.meshes.iter().find(|mesh| mesh.name == name);
        &mesh.unwrap().primitives[0]
    });
    for (part, ball, orbit) in [
        (sun, 12.0, Some(50.0)),
        (planet, 4.5, Some(10.0)),
        (moon, 1.6, None),
    ] {
        let far = |p: &Vec3| p.length();
        let (near, ring): (Vec<_>, Vec<_>) = part
            .positions
            .iter()
            .partition(|p| p.length() < 9.0 || orbit == Some(50.0) && p.length() < 40.0);
        let farthest = near.iter().map(far).fold(0.0, f32::max);
        assert!(
            farthest >= ball - 1e-3 && farthest < 1.2 * ball,
            "{farthest}"
        );
        assert_eq!(ring.is_empty(), orbit.is_none());
        for p in ring {
            let apart = Vec3::new(p.x, 0.0, p.z).length() - orbit.unwrap();
            assert!(apart.hypot(p.y) < 0.151 && apart.hypot(p.y) > 0.119, "{p}");
        }
        assert!(volume(&part.positions, part.triangles()) > 4.0 * f64::from(ball).powi(3));
        for (corner, normal) in facing(part) {
            assert!(corner > 0.0, "a normal that looks inward: {normal}");
        }
    }
    let year = &system.clips[0];
    for (joint, revolutions) in [1.0, 3.0, 4.0].into_iter().enumerate() {
        let mut pose = system.skeleton.rest().clone();
        let secs = 0.11 * f64::from(year.duration_secs);
        sample(year, &system.skeleton, secs, &mut pose).unwrap();
        let wanted = Axis::Y.rotation(std::f32::consts::TAU * 0.11 * revolutions);
        let found = pose.get(joint).rotation;
        assert!(
            found.dot(wanted).abs() > 0.99999,
            "{joint}: {found} {wanted}"
        );
    }
}

/// Cosines between the normal of each triangle and the normals of its corners.
fn facing(part: &sinew::Primitive) -> impl Iterator<Item = (f32, Vec3)> {
    let normals = part.normals.as_ref().unwrap();
    part.triangles().filter_map(|triangle| {
        let [a, b, c] = triangle.map(|corner| part.positions[corner]);
        let face = (b - a).cross(c - a).try_normalize()?;
        let corners = triangle.map(|corner| normals[corner]);
        let smallest = corners
            .map(|normal| normal.dot(face))
            .into_iter()
            .fold(1.0, f32::min);
        Some((smallest, face))
    })
}

#[test]
fn the_robot_arm_as_a_character_stands_as_the_scene_does() {
    let arm = sinew_samples::robot_arm_character();
    let mut scene = RobotArm::new(1.2, 1.6, 1.3);
    for angles in [[0.0, 0.0, 0.0], [30.0, -45.0, 60.0], [-170.0, 90.0, -120.0]] {
        let [base, shoulder, elbow] = angles;
        let model = at_angles(
            &arm,
            &[("base", base), ("shoulder", shoulder), ("elbow", elbow)],
        );
        let [a, b, c] = angles.map(f32::to_radians);
        scene.set_angles(a, b, c);
        let last = arm.skeleton.find("elbow").unwrap();
        let tip = model.get(last).transform_point(Vec3::Y * 1.3);
        assert!(
            tip.distance(scene.tip_in_world()) < 1e-5,
            "{angles:?}: {tip}"
        );
    }
    let drawn: usize = draws(&scene.scene)
        .iter()
        .map(|d| scene.scene.geometries()[d.geometry.index()].len())
        .sum();
    let meshes = arm.meshes.iter().flat_map(|m| &m.primitives);
    assert_eq!(meshes.map(|p| p.len()).sum::<usize>(), drawn);
    arm.check().unwrap();
    // At the end of the base and of the lower arm is a drum about z, wider than the beam.
    for (mesh, end) in [("base", 1.2), ("shoulder", 1.6)] {
        let mesh = arm.meshes.iter().find(|m| m.name == mesh).unwrap();
        let beam = &mesh.primitives[0].positions;
        let drum: Vec<Vec3> = beam.iter().copied().filter(|p| p.y > end + 1e-3).collect();
        let (low, high) = bounds(&drum);
        assert!((low.z + high.z).abs() < 1e-5 && (low.x + high.x).abs() < 1e-5);
        let radius = high.y - end;
        assert!((high.x - radius).abs() < 0.03 * radius, "{high} {end}");
        assert!((high.z - 0.9 * radius).abs() < 1e-4, "{high} {radius}");
        if end > 1.5 {
            let foot = beam.iter().filter(|p| p.y.abs() < 1e-4);
            let foot = foot.map(|p| p.x).fold(0.0, f32::max);
            assert!(
                radius > 1.05 * foot && radius < 1.3 * foot,
                "{radius} {foot}"
            );
        }
    }
    // The clip loops. Each hinge stays within its limits and on its axis.
    let work = &arm.clips[0];
    for secs in [0.0, 1.3, 2.0, 3.5, 5.0] {
        let mut pose = arm.skeleton.rest().clone();
        sample(work, &arm.skeleton, secs, &mut pose).unwrap();
        for (joint, axis) in [Vec3::Y, Vec3::Z, Vec3::Z].into_iter().enumerate() {
            let rotated = pose.get(joint).rotation * axis;
            assert!(rotated.distance(axis) < 1e-5, "{joint} at {secs} s");
        }
        let is_home = secs == 0.0 || secs == 5.0;
        let elbow = pose
            .get(2)
            .rotation
            .angle_between(Axis::Z.rotation(40_f32.to_radians()));
        assert_eq!(is_home, elbow < 1e-3, "{elbow} at {secs} s");
    }
}

/// Position of the tip of the SCARA robot for angles in radians and a slide in metres.
fn scara_tip([shoulder, elbow]: [f32; 2], slid: f32) -> Vec3 {
    let around = shoulder + elbow;
    let out = 0.5 * shoulder.cos() + 0.4 * around.cos();
    let aside = 0.5 * shoulder.sin() + 0.4 * around.sin();
    Vec3::new(out, 0.36 + 0.09 - 0.1 - 0.08 + slid, -aside)
}

#[test]
fn the_scara_robot_stands_as_its_formula_and_keeps_within_its_ranges() {
    let robot = sinew_samples::scara_character();
    robot.check().unwrap();
    let skeleton = &robot.skeleton;
    let joint = |name| skeleton.find(name).unwrap();
    let [shoulder, elbow, spindle, wrist, tip] =
        ["shoulder", "elbow", "spindle", "wrist", "tip"].map(joint);
    let slide = skeleton.freedom(spindle).slide_range.unwrap();
    assert_eq!((slide.min, slide.max), (-0.18, 0.0));
    let angle = |joint: usize, pose: &sinew::LocalPose| {
        let by = skeleton.rest().get(joint).rotation.conjugate() * pose.get(joint).rotation;
        assert!(by.x.abs() < 1e-6 && by.y.abs() < 1e-6, "{by}");
        2.0 * by.z.atan2(by.w)
    };
    let work = &robot.clips[0];
    let (mut lowest, mut highest) = (f32::INFINITY, f32::NEG_INFINITY);
    for step in 0..=50 {
        let secs = f64::from(work.duration_secs) * f64::from(step) / 50.0;
        let mut pose = skeleton.rest().clone();
        sample(work, skeleton, secs, &mut pose).unwrap();
        let mut clamped = pose.clone();
        skeleton.clamp(&mut clamped).unwrap();
        assert_eq!(clamped, pose, "{secs}");
        let rest = skeleton.rest().get(spindle).translation;
        let slid = slide.distance(rest, pose.get(spindle).translation);
        (lowest, highest) = (lowest.min(slid), highest.max(slid));
        let mut model = ModelPose::identity(skeleton.len());
        model
            .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
            .unwrap();
        let wanted = scara_tip([angle(shoulder, &pose), angle(elbow, &pose)], slid);
        let found = model.get(tip).translation();
        assert!(found.distance(wanted) < 1e-5, "{found} {wanted}");
        angle(wrist, &pose);
    }
    assert!(lowest < -0.16 && highest == 0.0, "{lowest} {highest}");
    // Each mesh has an outside, and the rod goes through the housing.
    for mesh in &robot.meshes {
        for part in &mesh.primitives {
            assert!(
                volume(&part.positions, part.triangles()) > 0.0,
                "{}",
                mesh.name
            );
            let inward = facing(part).filter(|(facing, _)| *facing <= 0.0);
            assert_eq!(inward.count(), 0, "{}", mesh.name);
        }
    }
    assert_eq!(robot.meshes.len(), 5);
    // Its rows have the lengths of the links.
    let chain = sinew::skeleton::denavit_hartenberg::Chain::of(skeleton, skeleton.rest()).unwrap();
    let numbers: Vec<[f32; 2]> = chain.rows.iter().map(|(_, row)| [row.a, row.d]).collect();
    let wanted = [[0.5, 0.09], [0.4, 0.0], [0.0, -0.1], [0.0, -0.08]];
    for (found, wanted) in numbers.iter().zip(wanted) {
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-6, "{numbers:?}");
        }
    }
    assert_eq!((numbers.len(), &*chain.tool), (4, "tip"));
}

#[test]
fn the_humanoid_as_a_character_stands_as_the_scene_does() {
    let person = sinew_samples::humanoid_character();
    let mut scene = Humanoid::new();
    for [torso, arm, elbow, thigh, knee] in [
        [0.0; 5],
        [30.0, 70.0, 40.0, 60.0, 90.0],
        [-120.0, -40.0, 150.0, -20.0, 10.0],
    ] {
        let model = at_angles(
            &person,
            &[
                ("torso", torso),
                ("left_upper_arm", arm),
                ("right_lower_arm", elbow),
                ("right_upper_leg", thigh),
                ("left_lower_leg", knee),
            ],
        );
        scene.set_angles(&HumanoidAngles {
            torso_rad: torso.to_radians(),
            left_upper_arm_rad: arm.to_radians(),
            right_lower_arm_rad: elbow.to_radians(),
            right_upper_leg_rad: thigh.to_radians(),
            left_lower_leg_rad: knee.to_radians(),
            ..HumanoidAngles::default()
        });
        for part in HumanoidPart::ALL {
            let wanted = scene.scene.world_from_node(scene.part(part)).unwrap();
            let found = model.get(person.skeleton.find(part.name()).unwrap());
            let off = found.max_difference(&wanted);
            assert!(off < 1e-5, "{part:?} at {arm}°: {off}");
        }
    }
}

const WHEELS: [&str; 4] = [
    "right_front_wheel",
    "left_front_wheel",
    "right_rear_wheel",
    "left_rear_wheel",
];

/// The car is symmetric, and no surface is inside out.
#[test]
fn the_car_as_a_character_stands_on_its_tyres() {
    let car = sinew_samples::car_character();
    let rest = car.skeleton.rest_model();
    for mesh in &car.meshes {
        let joint = rest.get(car.skeleton.find(&mesh.name).unwrap());
        for part in &mesh.primitives {
            let inward = facing(part).filter(|(facing, _)| *facing <= 0.0);
            assert_eq!(inward.count(), 0, "{}", mesh.name);
        }
        let positions = mesh
            .primitives
            .iter()
            .flat_map(|part| part.positions.iter());
        let positions: Vec<Vec3> = positions.map(|p| joint.transform_point(*p)).collect();
        let (low, high) = bounds(&positions);
        if WHEELS.contains(&&*mesh.name) {
            assert!(
                low.y.abs() < 1e-3 && (high.y - 0.66).abs() < 1e-3,
                "{low} {high}"
            );
            assert!(
                high.x - low.x > 0.15 && high.x - low.x < 0.3,
                "{low} {high}"
            );
            assert!((high.z - low.z - 0.66).abs() < 5e-3, "{low} {high}");
        } else {
            assert!(
                (low.x + high.x).abs() < 1e-4 && low.y > 0.005,
                "{low} {high}"
            );
        }
    }
}

#[test]
fn the_car_as_a_character_drives_as_the_scene_does() {
    let character = sinew_samples::car_character();
    character.check().unwrap();
    let skeleton = &character.skeleton;
    let clip = &character.clips[0];
    let radius = 11.0 * 0.33;
    let speed = std::f32::consts::TAU * radius / clip.duration_secs;
    let mut car = Car::new();
    let mut pose = skeleton.rest().clone();
    let mut model = ModelPose::identity(skeleton.len());
    const STEPS: u32 = 20_000;
    let dt = clip.duration_secs / STEPS as f32;
    for step in 1..=STEPS / 2 {
        car.drive(speed, (2.5_f32 / radius).atan(), dt);
        if step % 2500 != 0 {
            continue;
        }
        let time = f64::from(step) * f64::from(dt);
        sample(clip, skeleton, time, &mut pose).unwrap();
        model
            .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
            .unwrap();
        let chassis = car.scene.world_from_node(car.chassis).unwrap();
        let found = model.get(0);
        assert!(
            found.translation().distance(chassis.translation()) < 0.02,
            "{time}"
        );
        // A point on each tyre. Right wheels are rotated by 180°, so their angle is negative.
        for (name, wheel) in WHEELS.into_iter().zip(Wheel::ALL) {
            let wheel = car.scene.world_from_node(car.wheel(wheel)).unwrap();
            let on_tyre = Vec3::new(0.0, 0.33, 0.0);
            let found = model.get(skeleton.find(name).unwrap());
            let (found, wanted) = (
                found.transform_point(on_tyre),
                wheel.transform_point(on_tyre),
            );
            assert!(
                found.distance(wanted) < 0.04,
                "{name} at {time}: {found} {wanted}"
            );
        }
    }
    let tyres = character
        .meshes
        .iter()
        .filter(|m| m.name.ends_with("wheel"));
    assert_eq!(tyres.count(), 4);
}
