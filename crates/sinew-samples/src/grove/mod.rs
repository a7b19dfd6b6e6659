//! The integrated scene of Xu et al. (`docs/references.md`), rebuilt by code: a clearing among
//! bamboo and trees, without the swordsman. Their table 1 states 13,483 vertices and 10,521 faces.

mod bamboo;
mod dice;
mod plant;
mod tree;

use crate::parts::painted;
use dice::Dice;
use glam::Vec3;
use sinew::character::Material;
use sinew::mesh::Primitive;
use sinew::mesh::shapes::{self, Cylinder};
use sinew::scene::{PrototypeId, Scene, SceneError, SceneNode};
use sinew::transform::{Axis, Transform};
use std::sync::Arc;

#[derive(Clone, Copy)]
enum Look {
    Bark,
    Leaf,
    Stone,
    Flame,
    Mist,
}

/// Clearing among bamboo and trees, with a lantern.
#[derive(Clone, Debug)]
pub struct Grove {
    /// Scene with all nodes.
    pub scene: Scene,
    /// Materials. Nodes refer to them by index.
    pub materials: Vec<Material>,
    /// Position of the light of the lantern, in world space.
    pub lantern: Vec3,
}

impl Default for Grove {
    fn default() -> Self {
        Self::new()
    }
}

impl Grove {
    /// Builds the scene.
    ///
    /// ```
    /// use sinew_samples::Grove;
    /// let [vertices, _] = Grove::new().drawn();
    /// // About as many as in the scene of Xu et al.: 13,483.
    /// assert!((12_000..17_000).contains(&vertices), "{vertices}");
    /// ```
    pub fn new() -> Self {
        Self::build().expect("every part is made before it is used")
    }

    /// Number of vertices and faces drawn, counting each instance.
    pub fn drawn(&self) -> [usize; 2] {
        let draws = self
            .scene
            .draws()
            .expect("every part is made before it is used");
        draws.fold([0, 0], |[vertices, faces], draw| {
            let geometry = &self.scene.geometries()[draw.geometry.index()];
            [
                vertices + geometry.len(),
                faces + geometry.triangles().count(),
            ]
        })
    }

    fn build() -> Result<Self, SceneError> {
        let mut scene = Scene::new();
        plant_bamboo(&mut scene)?;
        plant_trees(&mut scene)?;
        lay_stones(&mut scene)?;
        raise_hills(&mut scene)?;
        let lantern = Vec3::new(-1.75, 0.0, -1.15);
        stand_lantern(&mut scene, lantern)?;
        Ok(Self {
            scene,
            materials: materials(),
            lantern: lantern + Vec3::Y * LAMP_HEIGHT,
        })
    }
}

fn materials() -> Vec<Material> {
    let look = |name: &str, metallic: f32, roughness: f32| Material {
        name: name.to_owned(),
        metallic,
        roughness,
        ..Material::default()
    };
    vec![
        look("bark", 0.0, 0.5),
        Material {
            double_sided: true,
            ..look("leaf", 0.0, 0.5)
        },
        look("stone", 0.0, 0.85),
        Material {
            emissive: [6.0, 3.0, 0.9],
            ..look("flame", 0.0, 1.0)
        },
        Material {
            base_color: [0.5, 0.56, 0.58, 1.0],
            unlit: true,
            ..look("mist", 0.0, 1.0)
        },
    ]
}

fn plant(
    scene: &mut Scene,
    name: &str,
    (stem, leaves): (Primitive, Primitive),
) -> Result<PrototypeId, SceneError> {
    let prototype = scene.create_prototype(name)?;
    let (stem, leaves) = (scene.add_geometry(stem), scene.add_geometry(leaves));
    let stem = SceneNode::shape("stem", stem).with_material(Look::Bark as usize);
    scene.create(prototype.root(), stem)?;
    let leaves = SceneNode::shape("leaves", leaves).with_material(Look::Leaf as usize);
    scene.create(prototype.root(), leaves)?;
    Ok(prototype)
}

fn stand(
    scene: &mut Scene,
    prototype: PrototypeId,
    position: Vec3,
    angle_rad: f32,
    scale: f32,
) -> Result<(), SceneError> {
    let root = scene.root();
    let transform = Transform {
        translation: position,
        rotation: Axis::Y.rotation(angle_rad),
        scale: Vec3::splat(scale),
    };
    scene.create(
        root,
        SceneNode::instance("plant", prototype).placed(transform),
    )?;
    Ok(())
}

/// Adds clumps in a ring around the clearing. The ring is open toward the camera at +z.
fn plant_bamboo(scene: &mut Scene) -> Result<(), SceneError> {
    let mut dice = Dice::new(7);
    let kinds = [(1, 4.6), (2, 5.4), (3, 3.9)];
    let mut prototypes = Vec::new();
    for (seed, height) in kinds {
        let made = bamboo::bamboo(seed, height);
        prototypes.push(plant(scene, "bamboo", made)?);
    }
    // Each clump has an angle in degrees, a distance in metres and a number of culms.
    let clumps: [(f32, f32, usize); 9] = [
        (180.0, 5.2, 5),
        (150.0, 4.4, 4),
        (208.0, 4.5, 4),
        (122.0, 4.8, 3),
        (238.0, 5.0, 4),
        (95.0, 4.6, 3),
        (266.0, 4.4, 3),
        (166.0, 7.6, 4),
        (196.0, 8.2, 4),
    ];
    for (round_deg, away, culms) in clumps {
        for _ in 0..culms {
            let round = (round_deg + dice.within(-9.0, 9.0)).to_radians();
            let (sin, cos) = libm::sincosf(round);
            let away = away + dice.within(-0.6, 0.6);
            let prototype = prototypes[(dice.part() * 2.999) as usize];
            let position = Vec3::new(sin, 0.0, cos) * away;
            let angle_rad = dice.within(0.0, std::f32::consts::TAU);
            stand(
                scene,
                prototype,
                position,
                angle_rad,
                dice.within(0.85, 1.15),
            )?;
        }
    }
    Ok(())
}

fn plant_trees(scene: &mut Scene) -> Result<(), SceneError> {
    let made = tree::tree(11, 4.2);
    let prototype = plant(scene, "tree", made)?;
    for (x, z, angle_rad, scale) in [
        (-3.4, -2.6, 0.4, 1.0),
        (3.9, -3.4, 2.2, 1.15),
        (-6.2, -5.6, 4.0, 1.3),
    ] {
        stand(scene, prototype, Vec3::new(x, 0.0, z), angle_rad, scale)?;
    }
    Ok(())
}

fn lay_stones(scene: &mut Scene) -> Result<(), SceneError> {
    let boulder = shapes::superellipsoid(Vec3::new(0.5, 0.34, 0.42), 2.6, 5, 9);
    let grey = [0.2, 0.19, 0.17];
    let boulder = shapes::merged(&[painted(boulder, Vec3::Y * 0.12, grey)]);
    let boulder = scene.add_geometry(boulder);
    let prototype = scene.create_prototype("boulder")?;
    let node = SceneNode::shape("boulder", boulder).with_material(Look::Stone as usize);
    scene.create(prototype.root(), node)?;
    for (x, z, angle_rad, scale) in [
        (2.3, -1.9, 0.3, 0.9),
        (2.85, -1.45, 1.4, 0.5),
        (-2.5, -2.2, 2.0, 0.75),
        (3.3, 0.2, 3.9, 0.6),
        (-3.2, 0.4, 5.1, 0.8),
        (0.6, -3.9, 0.9, 0.8),
    ] {
        stand(scene, prototype, Vec3::new(x, 0.0, z), angle_rad, scale)?;
    }
    Ok(())
}

fn raise_hills(scene: &mut Scene) -> Result<(), SceneError> {
    const HEIGHT: f32 = 2.6;
    let mut hill = shapes::ellipsoid(Vec3::new(9.0, HEIGHT, 5.0), 9, 16);
    let above = |p: &Vec3| (p.y / HEIGHT).clamp(0.0, 1.0);
    let paint = |p: &Vec3| {
        Vec3::ONE
            .lerp(Vec3::new(0.28, 0.42, 0.42), above(p))
            .extend(1.0)
    };
    hill.colors = vec![Arc::new(hill.positions.iter().map(paint).collect())];
    let hill = scene.add_geometry(hill);
    let prototype = scene.create_prototype("hill")?;
    let node = SceneNode::shape("hill", hill).with_material(Look::Mist as usize);
    scene.create(prototype.root(), node)?;
    let root = scene.root();
    for (x, z, angle_rad, scale, faint) in [
        (-3.0, -24.0, 0.1, 1.3, 0.0),
        (-19.0, -19.0, 0.7, 1.9, 0.0),
        (13.0, -22.0, -0.4, 1.5, 0.0),
        (27.0, -13.0, -1.0, 1.5, 0.0),
        (-28.0, -6.0, 1.4, 1.5, 0.0),
        (5.0, -42.0, 0.0, 3.4, 0.5),
        (-32.0, -36.0, 0.4, 3.2, 0.4),
    ] {
        let transform = Transform {
            translation: Vec3::new(x, 0.0, z),
            rotation: Axis::Y.rotation(angle_rad),
            scale: Vec3::splat(scale),
        };
        let tint = Vec3::new(1.0, 1.0, 1.0).lerp(Vec3::new(1.25, 1.35, 1.5), faint);
        let node = SceneNode::instance("hill", prototype).placed(transform);
        scene.create(root, node.colored(tint.extend(1.0).to_array()))?;
    }
    Ok(())
}

const LAMP_HEIGHT: f32 = 0.86;

fn stand_lantern(scene: &mut Scene, position: Vec3) -> Result<(), SceneError> {
    let grey = [0.24, 0.23, 0.21];
    let drum = |radii: [f32; 2], length: f32, sectors: usize| {
        Cylinder {
            length,
            radii,
            sectors,
            ..Cylinder::default()
        }
        .build()
    };
    let mut parts = vec![
        painted(drum([0.24, 0.2], 0.12, 6), Vec3::ZERO, grey),
        painted(drum([0.1, 0.085], 0.5, 8), Vec3::Y * 0.12, grey),
        painted(drum([0.13, 0.22], 0.1, 6), Vec3::Y * 0.62, grey),
        painted(drum([0.34, 0.05], 0.2, 6), Vec3::Y * 1.0, grey),
        painted(shapes::sphere(0.05, 3, 6), Vec3::Y * 1.23, grey),
    ];
    for corner in 0..6 {
        let angle = std::f32::consts::TAU * corner as f32 / 6.0;
        let (sin, cos) = libm::sincosf(angle);
        let at = Vec3::new(sin * 0.16, 0.72, cos * 0.16);
        parts.push(painted(drum([0.02; 2], 0.28, 4), at, grey));
    }
    let stone = scene.add_geometry(shapes::merged(&parts));
    let flame = shapes::ellipsoid(Vec3::new(0.05, 0.09, 0.05), 5, 8);
    let flame = scene.add_geometry(flame);
    let root = scene.root();
    let on_ground = Transform::from_translation(position);
    let lantern = scene.create(root, SceneNode::group("lantern").placed(on_ground))?;
    let stone = SceneNode::shape("stone", stone).with_material(Look::Stone as usize);
    scene.create(lantern, stone)?;
    let at = Transform::from_translation(Vec3::Y * LAMP_HEIGHT);
    let flame = SceneNode::shape("flame", flame).with_material(Look::Flame as usize);
    scene.create(lantern, flame.placed(at))?;
    Ok(())
}
