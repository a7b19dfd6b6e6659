//! Robot arm: a rotating base, a lower arm and an upper arm. Three angles define its pose.

use crate::exhibit::{self, Part};
use crate::parts::painted;
use glam::Vec3;
use sinew::character::Character;
use sinew::clip::{Clip, Key, OverLimit};
use sinew::mesh::shapes::{self, Cylinder};
use sinew::scene::{NodeId, Scene, SceneNode};
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::transform::{Affine, Axis, Transform};

const PAINT: [f32; 3] = [0.85, 0.28, 0.03];
const STEEL: [f32; 3] = [0.18, 0.19, 0.21];

/// Robot arm in its own scene.
#[derive(Clone, Debug)]
pub struct RobotArm {
    /// Scene with all parts.
    pub scene: Scene,
    /// Base, which rotates about y.
    pub base: NodeId,
    /// Lower arm, which rotates about z at the top of the base.
    pub lower_arm: NodeId,
    /// Upper arm, which rotates about z at the end of the lower arm.
    pub upper_arm: NodeId,
    base_height: f32,
    lower_length: f32,
    upper_length: f32,
}

impl RobotArm {
    /// Creates an arm that points straight up.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew_samples::RobotArm;
    /// let arm = RobotArm::new(2.0, 3.0, 1.5);
    /// assert_eq!(arm.tip_in_world(), Vec3::new(0.0, 6.5, 0.0));
    pub fn new(base_height: f32, lower_length: f32, upper_length: f32) -> Self {
        let mut scene = Scene::new();
        let looks = [
            base_shape(base_height),
            beam_shape(lower_length, 0.24),
            beam_shape(upper_length, 0.17),
        ];
        let names = ["base", "lower arm", "upper arm"];
        let mut parent = scene.root();
        let [base, lower_arm, upper_arm] = std::array::from_fn(|part| {
            let geometry = scene.add_geometry(looks[part].clone());
            let node = scene.create(parent, SceneNode::shape(names[part], geometry));
            parent = node.expect("the parent was made just before");
            parent
        });
        let mut arm = Self {
            scene,
            base,
            lower_arm,
            upper_arm,
            base_height,
            lower_length,
            upper_length,
        };
        arm.set_angles(0.0, 0.0, 0.0);
        arm
    }

    /// Rotates the base about y and the two arms about z. Angles are in radians.
    pub fn set_angles(&mut self, base_rad: f32, lower_rad: f32, upper_rad: f32) {
        let joints = [
            (self.base, 0.0, Axis::Y.rotation(base_rad)),
            (
                self.lower_arm,
                self.base_height,
                Axis::Z.rotation(lower_rad),
            ),
            (
                self.upper_arm,
                self.lower_length,
                Axis::Z.rotation(upper_rad),
            ),
        ];
        for (node, height, rotation) in joints {
            let transform = Transform::from_rotation_translation(rotation, Vec3::Y * height);
            // Fails only if the owner of the scene has deleted the part.
            let _ = self.scene.set_transform(node, transform.to_affine());
        }
    }

    /// Position of the end of the upper arm, in world space.
    pub fn tip_in_world(&self) -> Vec3 {
        let world_from_upper = self.scene.world_from_node(self.upper_arm);
        let world_from_upper = world_from_upper.unwrap_or(Affine::IDENTITY);
        world_from_upper.transform_point(Vec3::Y * self.upper_length)
    }
}

/// Times in seconds, and angles of base, shoulder and elbow in degrees.
const WORK: [(f32, [f32; 3]); 7] = [
    (0.0, [0.0, 20.0, 40.0]),
    (1.0, [50.0, 62.0, 66.0]),
    (1.6, [50.0, 74.0, 62.0]),
    (2.4, [0.0, 10.0, 60.0]),
    (3.2, [-60.0, 62.0, 66.0]),
    (3.8, [-60.0, 74.0, 62.0]),
    (5.0, [0.0, 20.0, 40.0]),
];

/// Arm as a character. Joint "base" rotates about y, and joints "shoulder" and "elbow" about z. All
/// have limits. The clip is "work".
///
/// ```
/// let arm = sinew_samples::robot_arm_character();
/// assert_eq!(arm.skeleton.degrees_of_freedom(), 3);
/// ```
pub fn robot_arm_character() -> Character {
    let arm = RobotArm::new(1.2, 1.6, 1.3);
    let heights = [0.0, 1.2, 1.2 + 1.6];
    let part = |nth: usize, name, axis: Axis, limit: f32| Part {
        name,
        parent: nth.checked_sub(1),
        world_from_part: Transform::from_translation(Vec3::Y * heights[nth]),
        freedom: Freedom {
            rotation: RotationLimit::Hinge {
                axis: axis.vector(),
                range: AngleRange::degrees(-limit, limit),
            },
            ..Freedom::default()
        },
        node: Some([arm.base, arm.lower_arm, arm.upper_arm][nth]),
    };
    let parts = [
        part(0, "base", Axis::Y, 180.0),
        part(1, "shoulder", Axis::Z, 100.0),
        part(2, "elbow", Axis::Z, 140.0),
    ];
    let mut character = exhibit::character("robot arm", &arm.scene, &parts);
    let mut work = Clip::new("work");
    for (time, angles) in WORK {
        for (joint, angle) in angles.into_iter().enumerate() {
            let axis = if joint == 0 { Axis::Y } else { Axis::Z };
            let key = Key::Rotation(axis.rotation(angle.to_radians()));
            let set = work.insert_key(&character.skeleton, joint, time, key, OverLimit::Refuse);
            set.expect("the table keeps within the limits");
        }
    }
    character.clips.push(work);
    character
}

fn base_shape(height: f32) -> sinew::Primitive {
    let foot = Cylinder {
        length: 0.16,
        radii: [0.85, 0.72],
        sectors: 48,
        ..Cylinder::default()
    };
    let column = Cylinder {
        length: height,
        radii: [0.46, 0.26],
        sectors: 48,
        ..Cylinder::default()
    };
    shapes::merged(&[
        painted(foot.build(), Vec3::ZERO, STEEL),
        painted(column.build(), Vec3::ZERO, PAINT),
        painted(
            shapes::superellipsoid(Vec3::new(0.2, 0.12, 0.16), 6.0, 16, 24),
            Vec3::new(0.62, 0.2, 0.0),
            STEEL,
        ),
        hinge(0.36, height),
    ])
}

fn beam_shape(length: f32, radius: f32) -> sinew::Primitive {
    let beam = Cylinder {
        length,
        radii: [radius, radius * 0.7],
        sectors: 32,
        ..Cylinder::default()
    };
    shapes::merged(&[
        painted(beam.build(), Vec3::ZERO, PAINT),
        hinge(radius * 1.1, length),
    ])
}

fn hinge(radius: f32, height: f32) -> (sinew::Primitive, Affine, glam::Vec4) {
    let drum = Cylinder {
        axis: Axis::Z,
        length: radius * 1.8,
        radii: [radius; 2],
        sectors: 32,
        ..Cylinder::default()
    };
    painted(drum.build(), Vec3::new(0.0, height, -radius * 0.9), STEEL)
}
