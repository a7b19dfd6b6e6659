//! A tube with two joints: a minimal example of skinning.

use crate::parts::skinned_character;
use glam::{Vec3, Vec4};
use sinew::character::Character;
use sinew::clip::{Clip, Interpolation, Track};
use sinew::mesh::shapes::Cylinder;
use sinew::mesh::{Influences, Primitive};
use sinew::skeleton::{Joint, Skeleton};
use sinew::transform::{Axis, Transform};
use std::sync::Arc;

const LENGTH: f32 = 2.0;
const DURATION_SECS: f32 = 2.0;
const SECTORS: usize = 24;

/// Tube of length 2 and radius 1/4 along y. Joint "lower" is at its bottom, "upper" at its middle.
/// The weight of "upper" rises linearly over the middle half. Clip "twist" rotates "upper" by 180°
/// about y, and clip "bend" by 120° about z.
///
/// ```
/// let tube = sinew_samples::tube_character();
/// assert_eq!(tube.skeleton.len(), 2);
/// assert_eq!(tube.find_clip("bend"), Some(1));
/// ```
pub fn tube_character() -> Character {
    let joints = vec![
        Joint::new("lower", None, Transform::IDENTITY),
        Joint::new(
            "upper",
            Some(0),
            Transform::from_translation(Vec3::Y * (LENGTH / 2.0)),
        ),
    ];
    let (skeleton, _) = Skeleton::new(joints).expect("a chain of two joints");
    let mut character = skinned_character("tube", skeleton, surface());
    character.clips = vec![
        rotating("twist", Axis::Y, 180.0),
        rotating("bend", Axis::Z, 120.0),
    ];
    character
}

/// Surface with stripes along its length. They show a twist.
fn surface() -> Primitive {
    let tube = Cylinder {
        length: LENGTH,
        radii: [0.25; 2],
        rings: 32,
        sectors: SECTORS,
        ..Cylinder::default()
    }
    .build();
    let weights = |p: &Vec3| {
        let upper = (p.y - LENGTH / 4.0) / (LENGTH / 2.0);
        let upper = upper.clamp(0.0, 1.0);
        vec![(0, 1.0 - upper), (1, upper)]
    };
    let lists: Vec<_> = tube.positions.iter().map(weights).collect();
    let (influences, _) = Influences::from_lists(&lists, 2).expect("two influences a vertex");
    let stripe = |vertex: usize| {
        if vertex % SECTORS % 6 < 3 {
            Vec4::new(0.8, 0.42, 0.1, 1.0)
        } else {
            Vec4::new(0.75, 0.72, 0.65, 1.0)
        }
    };
    Primitive {
        influences: Some(Arc::new(influences)),
        colors: vec![Arc::new((0..tube.len()).map(stripe).collect())],
        ..tube
    }
}

/// Rotates the upper joint at constant speed. Two keys 180° apart would define no direction.
fn rotating(name: &str, axis: Axis, degrees: f32) -> Clip {
    let times = vec![0.0, DURATION_SECS / 2.0, DURATION_SECS];
    let keys = [0.0, 0.5, 1.0].map(|part| axis.rotation((degrees * part).to_radians()));
    let track = Track::rotations(times, &keys, Interpolation::Slerp);
    let mut clip = Clip::new(name);
    clip.joint_mut(1).rotation = Some(track.expect("ascending, finite keys"));
    clip.fit_duration();
    clip
}
