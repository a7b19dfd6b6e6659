//! Nested frames: a planet orbits a sun, and a moon orbits the planet. A frame moves its children.

use crate::exhibit::{self, Part};
use glam::Vec3;
use sinew::character::Character;
use sinew::clip::{Clip, Interpolation, Track};
use sinew::mesh::Primitive;
use sinew::mesh::shapes::{self, ProfilePoint};
use sinew::scene::{Scene, SceneNode};
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::transform::{Axis, Transform};

/// Distance from sun to planet, and from planet to moon.
const ORBITS: [f32; 2] = [50.0, 10.0];
const DURATION_SECS: f32 = 12.0;
/// Revolutions of sun, planet and moon in one clip.
const REVOLUTIONS: [f32; 3] = [1.0, 3.0, 4.0];

const SUN: [f32; 4] = [1.0, 0.62, 0.08, 1.0];
const PLANET: [f32; 4] = [0.05, 0.2, 0.62, 1.0];
const LAND: [f32; 4] = [0.08, 0.4, 0.1, 1.0];
const MOON: [f32; 4] = [0.42, 0.42, 0.44, 1.0];
const WIRE: [f32; 4] = [0.3, 0.3, 0.33, 1.0];

/// Sun, planet and moon as joints "sun", "planet" and "moon", which rotate about y. The planet is
/// 50 units from the sun, the moon 10 units from the planet. The clip "year" is one revolution of
/// the sun.
///
/// ```
/// let system = sinew_samples::solar_system_character();
/// assert_eq!(system.skeleton.len(), 3);
/// assert_eq!(system.find_clip("year"), Some(0));
/// ```
pub fn solar_system_character() -> Character {
    let mut scene = Scene::new();
    let root = scene.root();
    let names = ["sun", "planet", "moon"];
    let at = [0.0, ORBITS[0], ORBITS[0] + ORBITS[1]].map(|x| Vec3::X * x);
    let nodes: [_; 3] = std::array::from_fn(|part| {
        let group = SceneNode::group(names[part]);
        let group = group.placed(Transform::from_translation(at[part]));
        scene.create(root, group).expect("the root is there")
    });
    let shapes = [
        (0, sphere(12.0), SUN, Vec3::ZERO),
        (0, ring(ORBITS[0], 0.15), WIRE, Vec3::ZERO),
        (1, sphere(4.5), PLANET, Vec3::ZERO),
        // A mark that shows the rotation.
        (
            1,
            shapes::ellipsoid(Vec3::new(2.2, 3.0, 2.4), 24, 32),
            LAND,
            Vec3::new(2.6, 0.8, 0.6),
        ),
        (1, ring(ORBITS[1], 0.12), WIRE, Vec3::ZERO),
        (2, sphere(1.6), MOON, Vec3::ZERO),
    ];
    for (part, shape, color, position) in shapes {
        let geometry = scene.add_geometry(shape);
        let node = SceneNode::shape(names[part], geometry).colored(color);
        let node = node.placed(Transform::from_translation(position));
        scene
            .create(nodes[part], node)
            .expect("it was made just before");
    }
    let parts: Vec<Part> = (0..3)
        .map(|part: usize| Part {
            name: names[part],
            parent: part.checked_sub(1),
            world_from_part: Transform::from_translation(at[part]),
            freedom: Freedom {
                rotation: RotationLimit::Hinge {
                    axis: Vec3::Y,
                    range: AngleRange::FULL,
                },
                ..Freedom::default()
            },
            node: Some(nodes[part]),
        })
        .collect();
    let mut character = exhibit::character("solar system", &scene, &parts);
    character.clips.push(year());
    character
}

fn year() -> Clip {
    /// The fastest part rotates by 1/12 of a revolution between keys.
    const KEYS: usize = 48;
    let times: Vec<f32> = (0..=KEYS)
        .map(|key| DURATION_SECS * key as f32 / KEYS as f32)
        .collect();
    let mut clip = Clip::new("year");
    for (joint, revolutions) in REVOLUTIONS.into_iter().enumerate() {
        let rotation = |key: usize| {
            let angle = std::f32::consts::TAU * revolutions * key as f32 / KEYS as f32;
            Axis::Y.rotation(angle)
        };
        let keys: Vec<_> = (0..=KEYS).map(rotation).collect();
        let track = Track::rotations(times.clone(), &keys, Interpolation::Slerp);
        clip.joint_mut(joint).rotation = Some(track.expect("ascending, finite keys"));
    }
    clip.fit_duration();
    clip
}

fn sphere(radius: f32) -> Primitive {
    shapes::sphere(radius, 32, 48)
}

fn ring(radius: f32, thickness: f32) -> Primitive {
    const STEPS: usize = 8;
    let section: Vec<ProfilePoint> = (0..=STEPS)
        .map(|step| {
            let angle = std::f32::consts::TAU * (STEPS - step) as f32 / STEPS as f32;
            let (sin, cos) = libm::sincosf(angle);
            ProfilePoint {
                along: thickness * cos,
                radius: radius + thickness * sin,
                normal: [cos, sin],
            }
        })
        .collect();
    shapes::lathe(Axis::Y, &[&section], 128)
}
