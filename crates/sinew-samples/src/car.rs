//! Car: a chassis and four instances of a wheel. The wheel has instances of a spoke with a bolt.

use crate::exhibit::{self, Part};
use glam::{Quat, Vec3};
use sinew::character::Character;
use sinew::clip::{Clip, Interpolation, Track};
use sinew::mesh::Primitive;
use sinew::mesh::shapes::{self, Cylinder, ProfilePoint};
use sinew::scene::{NodeId, PrototypeId, Scene, SceneError, SceneNode};
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::transform::{Axis, Transform, quat};
use std::sync::Arc;

const WHEEL_RADIUS: f32 = 0.33;
const WHEEL_BASE: f32 = 2.5;
const HALF_TRACK: f32 = 0.78;
const MAX_STEER_RAD: f32 = 0.7;

const RED: [f32; 4] = [0.55, 0.02, 0.02, 1.0];
const GLASS: [f32; 4] = [0.02, 0.03, 0.04, 1.0];
const RUBBER: [f32; 4] = [0.012, 0.012, 0.013, 1.0];
const ALLOY: [f32; 4] = [0.6, 0.61, 0.63, 1.0];
const STEEL: [f32; 4] = [0.15, 0.15, 0.16, 1.0];
const HEADLIGHT: [f32; 4] = [0.95, 0.9, 0.7, 1.0];

/// Wheel of a car. Left and right are as the driver sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wheel {
    /// Front wheel at −x.
    RightFront,
    /// Front wheel at +x.
    LeftFront,
    /// Rear wheel at −x.
    RightRear,
    /// Rear wheel at +x.
    LeftRear,
}

impl Wheel {
    /// All wheels, in the order of [`Car::wheels`].
    pub const ALL: [Self; 4] = [
        Self::RightFront,
        Self::LeftFront,
        Self::RightRear,
        Self::LeftRear,
    ];

    fn is_left(self) -> bool {
        matches!(self, Self::LeftFront | Self::LeftRear)
    }

    fn is_front(self) -> bool {
        matches!(self, Self::RightFront | Self::LeftFront)
    }
}

/// Car in its own scene: y up, heading along +z, ground at y = 0.
#[derive(Clone, Debug)]
pub struct Car {
    /// Scene with all parts.
    pub scene: Scene,
    /// Root of all parts.
    pub chassis: NodeId,
    /// Nodes of the wheels, in the order of [`Wheel::ALL`].
    pub wheels: [NodeId; 4],
    position: Vec3,
    heading_rad: f32,
    roll_rad: f32,
}

impl Default for Car {
    fn default() -> Self {
        Self::new()
    }
}

impl Car {
    /// Creates a car at the origin.
    ///
    /// ```
    /// use sinew_samples::Car;
    /// let mut car = Car::new();
    /// car.drive(10.0, 0.0, 2.0);
    /// let chassis = car.scene.world_from_node(car.chassis)?;
    /// assert_eq!(chassis.translation().z, 20.0);
    /// # Ok::<(), sinew::scene::SceneError>(())
    /// ```
    pub fn new() -> Self {
        Self::build().expect("every part is made before it is used")
    }

    fn build() -> Result<Self, SceneError> {
        let mut scene = Scene::new();
        let wheel = wheel_prototype(&mut scene)?;
        let chassis = chassis(&mut scene)?;
        let mut wheels = [chassis; 4];
        for corner in Wheel::ALL {
            let node = SceneNode::instance(format!("{corner:?}"), wheel);
            wheels[corner as usize] = scene.create(chassis, node)?;
        }
        let mut car = Self {
            scene,
            chassis,
            wheels,
            position: Vec3::ZERO,
            heading_rad: 0.0,
            roll_rad: 0.0,
        };
        car.set_transforms(0.0);
        Ok(car)
    }

    /// Node of a wheel.
    pub fn wheel(&self, wheel: Wheel) -> NodeId {
        self.wheels[wheel as usize]
    }

    /// Drives for `dt_secs` without slip. `steer_rad` is clamped to ±0.7. Positive is to the left.
    pub fn drive(&mut self, speed_m_per_s: f32, steer_rad: f32, dt_secs: f32) {
        let steer_rad = steer_rad.clamp(-MAX_STEER_RAD, MAX_STEER_RAD);
        let distance = speed_m_per_s * dt_secs;
        self.roll_rad += distance / WHEEL_RADIUS;
        let forward = quat::rotate(Axis::Y.rotation(self.heading_rad), Vec3::Z);
        self.position += forward * distance;
        self.heading_rad += distance * libm::tanf(steer_rad) / WHEEL_BASE;
        self.set_transforms(steer_rad);
    }

    fn set_transforms(&mut self, steer_rad: f32) {
        let heading = Axis::Y.rotation(self.heading_rad);
        let on_road = Transform::from_rotation_translation(heading, self.position);
        // Fails only if the owner of the scene has deleted the part.
        let _ = self.scene.set_transform(self.chassis, on_road.to_affine());
        for wheel in Wheel::ALL {
            let steer = if wheel.is_front() { steer_rad } else { 0.0 };
            let roll = self.roll_rad;
            // The outer face of the prototype is at +x, so right wheels are rotated by 180°.
            let (x, facing, roll) = if wheel.is_left() {
                (HALF_TRACK, 0.0, roll)
            } else {
                (-HALF_TRACK, std::f32::consts::PI, -roll)
            };
            let z = WHEEL_BASE * if wheel.is_front() { 0.5 } else { -0.5 };
            let rotation = quat::mul(Axis::Y.rotation(steer + facing), Axis::X.rotation(roll));
            let center = Vec3::new(x, WHEEL_RADIUS, z);
            let on_chassis = Transform::from_rotation_translation(rotation, center);
            let node = self.wheel(wheel);
            let _ = self.scene.set_transform(node, on_chassis.to_affine());
        }
    }
}

/// Radius of the circle, in metres. Wheels rotate eleven times per circle, so that the clip loops.
const CIRCLE_RADIUS: f32 = 11.0 * WHEEL_RADIUS;
const CIRCLE_SECS: f32 = 8.0;

const CHASSIS: usize = 0;
const STEERING: [usize; 2] = [1, 2];
const WHEELS: [usize; 4] = [3, 4, 5, 6];

/// Car as a character. Joints `right_steering` and `left_steering` rotate about y relative to
/// `chassis`. The wheels roll about x. The clip "circle" drives one circle to the left.
///
/// ```
/// let car = sinew_samples::car_character();
/// assert!(car.skeleton.find("left_front_wheel").is_some());
pub fn car_character() -> Character {
    let car = Car::new();
    let hinge = |axis: Axis, range| Freedom {
        rotation: RotationLimit::Hinge {
            axis: axis.vector(),
            range,
        },
        ..Freedom::default()
    };
    let center = |wheel: Wheel| {
        let x = HALF_TRACK * if wheel.is_left() { 1.0 } else { -1.0 };
        let z = WHEEL_BASE * if wheel.is_front() { 0.5 } else { -0.5 };
        at(x, WHEEL_RADIUS, z)
    };
    let mut parts = vec![Part {
        name: "chassis",
        parent: None,
        world_from_part: Transform::IDENTITY,
        freedom: Freedom {
            slides: [true, false, true],
            ..hinge(Axis::Y, AngleRange::FULL)
        },
        node: Some(car.chassis),
    }];
    let steering = ["right_steering", "left_steering"].into_iter();
    let max = MAX_STEER_RAD;
    for (name, wheel) in steering.zip(Wheel::ALL) {
        parts.push(Part {
            name,
            parent: Some(CHASSIS),
            world_from_part: center(wheel),
            freedom: hinge(
                Axis::Y,
                AngleRange {
                    min_rad: -max,
                    max_rad: max,
                },
            ),
            node: None,
        });
    }
    let names = [
        "right_front_wheel",
        "left_front_wheel",
        "right_rear_wheel",
        "left_rear_wheel",
    ];
    for (index, (name, wheel)) in names.into_iter().zip(Wheel::ALL).enumerate() {
        parts.push(Part {
            name,
            parent: Some(STEERING.get(index).copied().unwrap_or(CHASSIS)),
            world_from_part: center(wheel),
            freedom: hinge(Axis::X, AngleRange::FULL),
            node: Some(car.wheel(wheel)),
        });
    }
    let mut character = exhibit::character("car", &car.scene, &parts);
    character.clips.push(circle());
    character
}

fn circle() -> Clip {
    /// Number of keys. A wheel rotates by 1/12 of a revolution between keys.
    const KEYS: usize = 132;
    let part = |key: usize| key as f32 / KEYS as f32;
    let times: Vec<f32> = (0..=KEYS).map(|key| CIRCLE_SECS * part(key)).collect();
    let times = Arc::new(times);
    let heading = |key: usize| std::f32::consts::TAU * part(key);
    let position = |key: usize| {
        let (sin, cos) = libm::sincosf(heading(key));
        Vec3::new(1.0 - cos, 0.0, sin) * CIRCLE_RADIUS
    };
    let rotation_track = |rotation: &dyn Fn(usize) -> Quat| {
        let keys: Vec<Quat> = (0..=KEYS).map(rotation).collect();
        let track = Track::rotations(times.clone(), &keys, Interpolation::Slerp);
        Some(track.expect("ascending, finite keys"))
    };
    let mut clip = Clip::new("circle");
    let positions: Vec<Vec3> = (0..=KEYS).map(position).collect();
    let way = Track::vectors(times.clone(), &positions, Interpolation::CatmullRom);
    clip.joint_mut(CHASSIS).translation = Some(way.expect("ascending, finite keys"));
    clip.joint_mut(CHASSIS).rotation = rotation_track(&|key| Axis::Y.rotation(heading(key)));
    // The centre of the rear axle follows the circle. Slip of the front wheels is ignored.
    let steer_rad = libm::atanf(WHEEL_BASE / CIRCLE_RADIUS);
    for joint in STEERING {
        clip.joint_mut(joint).rotation = rotation_track(&|_| Axis::Y.rotation(steer_rad));
    }
    let roll = |key: usize| heading(key) * CIRCLE_RADIUS / WHEEL_RADIUS;
    for joint in WHEELS {
        clip.joint_mut(joint).rotation = rotation_track(&|key| Axis::X.rotation(roll(key)));
    }
    clip.fit_duration();
    clip
}

fn at(x: f32, y: f32, z: f32) -> Transform {
    Transform::from_translation(Vec3::new(x, y, z))
}

fn chassis(scene: &mut Scene) -> Result<NodeId, SceneError> {
    let rounded =
        |x: f32, y: f32, z: f32, n: f32| shapes::superellipsoid(Vec3::new(x, y, z), n, 40, 64);
    let root = scene.root();
    let chassis = scene.create(root, SceneNode::group("chassis").colored(RED))?;
    let arch = Cylinder {
        axis: Axis::X,
        length: 0.3,
        radii: [WHEEL_RADIUS * 1.15; 2],
        sectors: 48,
        ..Cylinder::default()
    };
    let body = scene.add_geometry(rounded(0.83, 0.28, 1.95, 5.0));
    let cabin = scene.add_geometry(rounded(0.68, 0.36, 1.05, 3.2));
    let roof = scene.add_geometry(rounded(0.58, 0.05, 0.7, 3.0));
    let arch = scene.add_geometry(arch.build());
    let lamp = scene.add_geometry(shapes::ellipsoid(Vec3::new(0.14, 0.07, 0.07), 16, 24));
    let mut part = |node: SceneNode| scene.create(chassis, node);
    part(SceneNode::shape("body", body).placed(at(0.0, 0.58, 0.0)))?;
    part(
        SceneNode::shape("cabin", cabin)
            .placed(at(0.0, 0.95, -0.2))
            .colored(GLASS),
    )?;
    part(SceneNode::shape("roof", roof).placed(at(0.0, 1.29, -0.2)))?;
    for z in [-0.5 * WHEEL_BASE, 0.5 * WHEEL_BASE] {
        for x in [-0.838, 0.538] {
            let transform = at(x, WHEEL_RADIUS + 0.06, z);
            part(
                SceneNode::shape("arch", arch)
                    .placed(transform)
                    .colored(RUBBER),
            )?;
        }
    }
    for x in [-0.52, 0.52] {
        let front = SceneNode::shape("headlight", lamp).placed(at(x, 0.64, 1.86));
        part(front.colored(HEADLIGHT))?;
        part(SceneNode::shape("tail light", lamp).placed(at(x, 0.66, -1.86)))?;
    }
    Ok(chassis)
}

/// Wheel about the x axis with its outer face at +x. Spokes inherit its colour.
fn wheel_prototype(scene: &mut Scene) -> Result<PrototypeId, SceneError> {
    let spoke = spoke_prototype(scene)?;
    let wheel = scene.create_prototype("wheel")?;
    scene.set_color(wheel.root(), Some(ALLOY))?;
    let rim = Cylinder {
        axis: Axis::X,
        length: 0.15,
        radii: [0.215; 2],
        sectors: 48,
        ..Cylinder::default()
    };
    let tyre = scene.add_geometry(tyre());
    let rim = scene.add_geometry(rim.build());
    let hub = scene.add_geometry(shapes::ellipsoid(Vec3::new(0.03, 0.05, 0.05), 12, 24));
    scene.create(wheel.root(), SceneNode::shape("tyre", tyre).colored(RUBBER))?;
    let drum = SceneNode::shape("drum", rim).placed(at(-0.09, 0.0, 0.0));
    scene.create(wheel.root(), drum.colored(STEEL))?;
    scene.create(
        wheel.root(),
        SceneNode::shape("hub", hub).placed(at(0.085, 0.0, 0.0)),
    )?;
    for k in 0..5 {
        let rotation = Axis::X.rotation(std::f32::consts::TAU * k as f32 / 5.0);
        let node = SceneNode::instance("spoke", spoke).placed(Transform::from_rotation(rotation));
        scene.create(wheel.root(), node)?;
    }
    Ok(wheel)
}

fn spoke_prototype(scene: &mut Scene) -> Result<PrototypeId, SceneError> {
    let bolt = bolt_prototype(scene)?;
    let spoke = scene.create_prototype("spoke")?;
    let bar = shapes::superellipsoid(Vec3::new(0.02, 0.1, 0.03), 4.0, 16, 24);
    let bar = scene.add_geometry(bar);
    let transform = at(0.075, 0.12, 0.0);
    scene.create(spoke.root(), SceneNode::shape("bar", bar).placed(transform))?;
    let transform = at(0.09, 0.065, 0.0);
    scene.create(
        spoke.root(),
        SceneNode::instance("bolt", bolt).placed(transform),
    )?;
    Ok(spoke)
}

fn bolt_prototype(scene: &mut Scene) -> Result<PrototypeId, SceneError> {
    let bolt = scene.create_prototype("bolt")?;
    let hexagon = Cylinder {
        axis: Axis::X,
        length: 0.02,
        radii: [0.012, 0.01],
        sectors: 6,
        ..Cylinder::default()
    };
    let head = scene.add_geometry(hexagon.build());
    scene.create(bolt.root(), SceneNode::shape("head", head).colored(STEEL))?;
    Ok(bolt)
}

fn tyre() -> Primitive {
    const STEPS: usize = 32;
    let (half_width, inner) = (0.1, 0.205);
    let half_height = (WHEEL_RADIUS - inner) / 2.0;
    let section: Vec<ProfilePoint> = (0..=STEPS)
        .map(|step| {
            let angle = std::f32::consts::TAU * (STEPS - step) as f32 / STEPS as f32;
            let (sin, cos) = libm::sincosf(angle);
            let length = libm::powf(cos * cos * cos * cos + sin * sin * sin * sin, 0.25);
            let (u, v) = (cos / length, sin / length);
            let gradient = Vec3::new(u * u * u / half_width, v * v * v / half_height, 0.0);
            let normal = gradient.normalize_or(Vec3::Y);
            ProfilePoint {
                along: half_width * u,
                radius: inner + half_height * (1.0 + v),
                normal: [normal.x, normal.y],
            }
        })
        .collect();
    shapes::lathe(Axis::X, &[&section], 64)
}
