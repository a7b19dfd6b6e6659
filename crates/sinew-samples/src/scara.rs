//! SCARA robot: two hinges with vertical axes, a vertical slide and a wrist. Its frames are those of
//! Denavit–Hartenberg rows, with z up.

use crate::exhibit::{self, Part};
use crate::parts::painted;
use glam::Vec3;
use sinew::character::Character;
use sinew::clip::{Clip, Key, OverLimit};
use sinew::mesh::Primitive;
use sinew::mesh::shapes::{self, Cylinder};
use sinew::scene::{Scene, SceneNode};
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit, SlideRange};
use sinew::transform::{Axis, Transform, quat};

const PAINT: [f32; 3] = [0.86, 0.87, 0.88];
const ACCENT: [f32; 3] = [0.02, 0.2, 0.55];
const STEEL: [f32; 3] = [0.18, 0.19, 0.21];

/// Height of the shoulder, in metres.
const HEIGHT: f32 = 0.36;
/// Lengths of the two links, in metres.
const LINKS: [f32; 2] = [0.5, 0.4];
/// Height of the elbow above the shoulder, in metres.
const STEP: f32 = 0.09;
/// Heights of the wrist below the spindle, and of the tip below the wrist, in metres.
const BELOW: [f32; 2] = [0.1, 0.08];

/// Times in seconds, angles of shoulder, elbow and wrist in degrees, and the slide of the spindle in
/// metres.
const WORK: [(f32, [f32; 3], f32); 8] = [
    (0.0, [-30.0, 60.0, 0.0], 0.0),
    (0.8, [-70.0, 50.0, 20.0], 0.0),
    (1.3, [-70.0, 50.0, 20.0], -0.17),
    (1.8, [-70.0, 50.0, 20.0], 0.0),
    (2.8, [50.0, 45.0, -95.0], 0.0),
    (3.3, [50.0, 45.0, -95.0], -0.12),
    (3.8, [50.0, 45.0, -95.0], 0.0),
    (5.0, [-30.0, 60.0, 0.0], 0.0),
];

/// Name of a joint, its position, its freedom and its shape.
type DrawnJoint = (&'static str, [f32; 2], Freedom, Option<Primitive>);

/// SCARA robot as a character. Joints "shoulder", "elbow" and "wrist" rotate about the vertical,
/// and joint "spindle" slides down by up to 0.18 m. The fixed joint "tip" is the end of the gripper.
/// The clip is "work".
///
/// ```
/// let robot = sinew_samples::scara_character();
/// assert_eq!(robot.skeleton.degrees_of_freedom(), 4);
/// ```
pub fn scara_character() -> Character {
    let fixed = Freedom {
        rotation: RotationLimit::Fixed,
        ..Freedom::default()
    };
    let hinge = |limit: f32| Freedom {
        rotation: RotationLimit::Hinge {
            axis: Vec3::Z,
            range: AngleRange::degrees(-limit, limit),
        },
        ..Freedom::default()
    };
    let slide = Freedom {
        slide_range: Some(SlideRange {
            axis: Vec3::Z,
            min: -0.18,
            max: 0.0,
        }),
        ..fixed.clone()
    };
    let [first, second] = LINKS;
    let (elbow, out) = (HEIGHT + STEP, first + second);
    let [wrist, tip] = [elbow - BELOW[0], elbow - BELOW[0] - BELOW[1]];
    let joints: [DrawnJoint; 6] = [
        ("base", [0.0, 0.0], fixed.clone(), Some(base_shape())),
        (
            "shoulder",
            [0.0, HEIGHT],
            hinge(132.0),
            Some(link_shape(first, STEP, 0.075)),
        ),
        (
            "elbow",
            [first, elbow],
            hinge(150.0),
            Some(housing_shape(second)),
        ),
        ("spindle", [out, elbow], slide, Some(rod_shape())),
        ("wrist", [out, wrist], hinge(170.0), Some(gripper_shape())),
        ("tip", [out, tip], fixed, None),
    ];
    let mut scene = Scene::new();
    let root = scene.root();
    let upright = Axis::X.rotation(-std::f32::consts::FRAC_PI_2);
    let part = |(index, (name, [x, y], freedom, shape)): (usize, DrawnJoint)| {
        let mut world_from_part = Transform::from_translation(Vec3::new(x, y, 0.0));
        if index > 0 {
            world_from_part.rotation = upright;
        }
        let node = shape.map(|shape| {
            let geometry = scene.add_geometry(shape);
            let node = SceneNode::shape(name, geometry).placed(world_from_part);
            scene.create(root, node).expect("the root is there")
        });
        Part {
            name,
            parent: index.checked_sub(1),
            world_from_part,
            freedom,
            node,
        }
    };
    let parts: Vec<Part> = joints.into_iter().enumerate().map(part).collect();
    let mut character = exhibit::character("scara", &scene, &parts);
    let work = work(&character);
    character.clips.push(work);
    character
}

fn work(character: &Character) -> Clip {
    let skeleton = &character.skeleton;
    let mut work = Clip::new("work");
    let mut set = |joint: usize, time, key| {
        let set = work.insert_key(skeleton, joint, time, key, OverLimit::Refuse);
        set.expect("the table keeps within the limits");
    };
    for (time, angles, slid) in WORK {
        for (joint, angle) in [1, 2, 4].into_iter().zip(angles) {
            let rest = skeleton.rest().get(joint).rotation;
            let rotation = quat::mul(rest, Axis::Z.rotation(angle.to_radians()));
            set(joint, time, Key::Rotation(rotation));
        }
        let rest = skeleton.rest().get(3).translation;
        set(3, time, Key::Translation(rest + Vec3::Z * slid));
    }
    work
}

fn cylinder(axis: Axis, length: f32, radii: [f32; 2]) -> Primitive {
    let cylinder = Cylinder {
        axis,
        length,
        radii,
        sectors: 48,
        ..Cylinder::default()
    };
    cylinder.build()
}

fn base_shape() -> Primitive {
    shapes::merged(&[
        painted(cylinder(Axis::Y, 0.03, [0.16, 0.15]), Vec3::ZERO, STEEL),
        painted(cylinder(Axis::Y, HEIGHT, [0.1, 0.08]), Vec3::ZERO, PAINT),
        painted(
            shapes::cuboid(Vec3::new(0.09, 0.16, 0.13)),
            Vec3::new(-0.09, 0.11, 0.0),
            ACCENT,
        ),
    ])
}

/// Beam along x with a drum at each end, from z = 0 up.
fn link_shape(length: f32, height: f32, radius: f32) -> Primitive {
    let drum = || cylinder(Axis::Z, height, [radius; 2]);
    let beam = Vec3::new(length, 1.5 * radius, 0.75 * height);
    shapes::merged(&[
        painted(drum(), Vec3::ZERO, PAINT),
        painted(drum(), Vec3::X * length, PAINT),
        painted(
            shapes::cuboid(beam),
            Vec3::new(0.5 * length, 0.0, 0.5 * height),
            ACCENT,
        ),
    ])
}

fn housing_shape(length: f32) -> Primitive {
    let hood = shapes::superellipsoid(Vec3::new(0.6 * length, 0.065, 0.075), 5.0, 24, 40);
    shapes::merged(&[
        painted(link_shape(length, 0.08, 0.06), Vec3::ZERO, PAINT),
        painted(hood, Vec3::new(0.45 * length, 0.0, 0.13), PAINT),
        painted(
            cylinder(Axis::Z, 0.1, [0.032; 2]),
            Vec3::new(length, 0.0, -0.02),
            STEEL,
        ),
    ])
}

fn rod_shape() -> Primitive {
    let rod = cylinder(Axis::Z, 0.42, [0.014; 2]);
    let stop = cylinder(Axis::Z, 0.02, [0.022; 2]);
    shapes::merged(&[
        painted(rod, Vec3::Z * -BELOW[0], STEEL),
        painted(stop, Vec3::Z * 0.3, ACCENT),
    ])
}

fn gripper_shape() -> Primitive {
    let finger = |side: f32| {
        let at = Vec3::new(0.0, side * 0.035, -0.05);
        painted(shapes::cuboid(Vec3::new(0.024, 0.012, 0.06)), at, STEEL)
    };
    shapes::merged(&[
        painted(cylinder(Axis::Z, 0.02, [0.03; 2]), Vec3::Z * -0.01, ACCENT),
        painted(
            shapes::cuboid(Vec3::new(0.03, 0.1, 0.02)),
            Vec3::Z * -0.02,
            STEEL,
        ),
        finger(1.0),
        finger(-1.0),
    ])
}
