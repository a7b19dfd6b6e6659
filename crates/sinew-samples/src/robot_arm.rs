//! An arm of three parts: a base that turns, a lower arm on the base, an upper arm on the lower one.
//! Three angles state it all.

use crate::parts::painted;
use glam::Vec3;
use sinew::mesh::shapes::{self, Cylinder};
use sinew::scene::{NodeId, Scene, SceneNode};
use sinew::transform::{Affine, Axis, Transform};

const PAINT: [f32; 3] = [0.85, 0.28, 0.03];
const STEEL: [f32; 3] = [0.18, 0.19, 0.21];

/// The arm in a scene of its own.
#[derive(Clone, Debug)]
pub struct RobotArm {
    /// Where it is drawn.
    pub scene: Scene,
    /// Turns about y.
    pub base: NodeId,
    /// Turns about z at the top of the base.
    pub lower_arm: NodeId,
    /// Turns about z at the end of the lower arm.
    pub upper_arm: NodeId,
    base_height: f32,
    lower_length: f32,
    upper_length: f32,
}

impl RobotArm {
    /// An arm that stands straight up.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew_samples::RobotArm;
    /// let arm = RobotArm::new(2.0, 3.0, 1.5);
    /// assert_eq!(arm.tip_in_world(), Vec3::new(0.0, 6.5, 0.0));
    /// ```
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

    /// Turns the base about y and the two arms about z.
    pub fn set_angles(&mut self, base_rad: f32, lower_rad: f32, upper_rad: f32) {
        let joints = [
            (self.base, 0.0, Axis::Y.turn(base_rad)),
            (self.lower_arm, self.base_height, Axis::Z.turn(lower_rad)),
            (self.upper_arm, self.lower_length, Axis::Z.turn(upper_rad)),
        ];
        for (node, height, turn) in joints {
            let place = Transform::from_rotation_translation(turn, Vec3::Y * height);
            // Fails only if the owner of the scene deleted the part, which then needs no place.
            let _ = self.scene.set_transform(node, place.to_affine());
        }
    }

    /// Where the upper arm ends.
    pub fn tip_in_world(&self) -> Vec3 {
        let world_from_upper = self.scene.world_from_node(self.upper_arm);
        let world_from_upper = world_from_upper.unwrap_or(Affine::IDENTITY);
        world_from_upper.transform_point(Vec3::Y * self.upper_length)
    }
}

/// A foot with a lug that shows how far it has turned, a column and a hinge.
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

/// A tapered beam with the next part's hinge at its end.
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

/// A drum about z.
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
