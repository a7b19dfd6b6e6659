//! A limb with a muscle. The pose and a curve drive the muscle.

use crate::tube::tube_character;
use glam::Vec3;
use sinew::binding::{Binding, Target};
use sinew::character::Character;
use sinew::clip::{Curve, Interpolation, Track};
use sinew::corrective::Corrective;
use sinew::mesh::{Deltas, Morph};
use sinew::transform::Axis;
use std::sync::Arc;

/// The [`tube_character`] with a morph target "muscle" on its inner side. A corrective raises its
/// weight as the joint "upper" bends to 120°. The curve "pulse" of the clip "twist" is bound to it
/// too.
///
/// ```
/// let limb = sinew_samples::muscle_character();
/// assert_eq!(limb.bindings[0].to_string(), "pulse=morph.muscle");
/// assert_eq!(limb.correctives.len(), 1);
/// ```
pub fn muscle_character() -> Character {
    let mut limb = tube_character();
    let surface = &mut limb.meshes[0].primitives[0];
    let swollen = |p: &Vec3| {
        // The bump is over the middle of the lower bone, on the inner side of the bend.
        let along = (1.0 - ((p.y - 0.62) / 0.36).powi(2)).max(0.0);
        let inner = (-p.x / 0.25).max(0.0);
        Vec3::new(-0.2, 0.0, 0.0) * along * along * inner
    };
    let values = surface.positions.iter().map(swollen).collect();
    surface.morphs.push(Morph {
        positions: Some(Deltas {
            vertices: None,
            values: Arc::new(values),
        }),
        normals: None,
        tangents: None,
    });
    limb.meshes[0].morph_names = vec!["muscle".to_owned()];
    limb.correctives.push(Corrective {
        joint: 1,
        rotation: Axis::Z.rotation(120_f32.to_radians()),
        falloff_rad: 100_f32.to_radians(),
        mesh: 0,
        morph: 0,
    });
    let times = vec![0.0, 0.5, 1.0, 1.5, 2.0];
    let pulse = Track::new(
        times,
        vec![0.0, 1.0, 0.0, 1.0, 0.0],
        1,
        Interpolation::CatmullRom,
    );
    limb.clips[0].curves.push(Curve {
        name: "pulse".to_owned(),
        track: pulse.expect("ascending, finite keys"),
    });
    limb.bindings.push(Binding {
        signal: "pulse".to_owned(),
        target: Target::Morph("muscle".to_owned()),
    });
    limb
}
