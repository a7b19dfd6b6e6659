//! Stages from a file to a picture: import, weights, hierarchy, frame, dual quaternions with scale,
//! skinning, passes. Each is computed again in `f64`. Without one, the result changes.

#[path = "../../../sinew/tests/skin/blend_f64.rs"]
mod blend_f64;

use super::characters::{floor, view};
use crate::common::posed::posed_on_gpu;
use crate::common::studio::*;
use blend_f64::{Motion, NOTHING, by_formula, dual, moved};
use glam::{DAffine3, DMat3, DQuat, DVec3, Quat, Vec3};
use sinew::character::Node;
use sinew::skin::Order;
use sinew::transform::quat;
use sinew::{
    Character, Clip, Interpolation, Joint, Method, Primitive, Skeleton, Skin, Track, Transform,
    deform,
};
use sinew_gpu::{GpuCharacter, Picture, SceneMaterial, Skinner, Stage, View};
use sinew_io::gltf::{ExportOptions, to_glb};
use sinew_rig::weights::{BindOptions, bind_character};
use std::sync::Arc;

/// Halfway between the two keys.
const SECS: f64 = 0.5;

/// Three joints along the tube: rest pose with rotations, and pose of the second key.
fn joints() -> [(Transform, Transform); 3] {
    let (hip, knee) = (Quat::from_rotation_z(0.4), Quat::from_rotation_y(0.7));
    let above = |frame: Quat| quat::rotate(frame.inverse(), Vec3::Y * 0.7);
    let rest = [
        Transform::from_rotation(hip),
        Transform::from_rotation_translation(knee, above(hip)),
        Transform::from_translation(above(hip * knee)),
    ];
    let end = [
        Transform {
            translation: Vec3::new(0.3, 0.1, -0.2),
            rotation: Quat::from_rotation_x(0.5) * hip,
            ..rest[0]
        },
        Transform {
            rotation: knee * Quat::from_rotation_z(2.4),
            ..rest[1]
        },
        Transform {
            rotation: Quat::from_rotation_y(2.4),
            scale: Vec3::new(2.2, 0.6, 1.4),
            ..rest[2]
        },
    ];
    [0, 1, 2].map(|joint| (rest[joint], end[joint]))
}

fn bare_file() -> Vec<u8> {
    let tube = sinew_samples::tube_character();
    let names = ["hip", "knee", "shin"];
    let parents = [None, Some(0), Some(1)];
    let listed = joints().into_iter().zip(names).zip(parents);
    let listed = listed.map(|(((rest, _), name), parent)| Joint::new(name, parent, rest));
    let (skeleton, _) = Skeleton::new(listed.collect()).unwrap();
    let mut character = Character::from_skeleton(skeleton);
    character.skins = vec![Skin::bound_at(character.skeleton.rest_model().as_slice())];
    character.materials = tube.materials.clone();
    character.meshes = tube.meshes.clone();
    character.meshes[0].primitives[0].influences = None;
    character.nodes.push(Node {
        skin: None,
        ..tube.nodes.last().unwrap().clone()
    });
    let mut clip = Clip::new("bend");
    for (joint, (rest, end)) in joints().into_iter().enumerate() {
        let times = || vec![0.0, 2.0 * SECS as f32];
        let tracks = clip.joint_mut(joint);
        let rotations = [rest.rotation, end.rotation];
        tracks.rotation = Track::rotations(times(), &rotations, Interpolation::Slerp).ok();
        let translations = [rest.translation, end.translation];
        tracks.translation = Track::vectors(times(), &translations, Interpolation::Linear).ok();
        let scales = [rest.scale, end.scale];
        tracks.scale = Track::vectors(times(), &scales, Interpolation::Linear).ok();
    }
    clip.fit_duration();
    character.clips = vec![clip];
    to_glb(&character, &ExportOptions::default()).unwrap()
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    NoWeights,
    NoHierarchy,
    ChildrenFirst,
    NoFrame,
    NoInverseBind,
    NoScale,
    ScaleAfterMotion,
    NoDualQuaternions,
    NoSkinning,
}

const FAULTS: [Fault; 9] = [
    Fault::NoWeights,
    Fault::NoHierarchy,
    Fault::ChildrenFirst,
    Fault::NoFrame,
    Fault::NoInverseBind,
    Fault::NoScale,
    Fault::ScaleAfterMotion,
    Fault::NoDualQuaternions,
    Fault::NoSkinning,
];

fn wide(transform: &Transform) -> (DVec3, DQuat, DVec3) {
    let rotation = transform.rotation.as_dquat().normalize();
    let [translation, scale] = [transform.translation, transform.scale].map(|v| v.as_dvec3());
    (translation, rotation, scale)
}

fn half_way(rest: &Transform, end: &Transform) -> (DVec3, DQuat, DVec3) {
    let ((p, q, s), (p_end, q_end, s_end)) = (wide(rest), wide(end));
    let q_end = if q.dot(q_end) < 0.0 { -q_end } else { q_end };
    (
        (p + p_end) / 2.0,
        (q + q_end).normalize(),
        (s + s_end) / 2.0,
    )
}

/// Model-space transforms and rotations of joints, from local ones.
fn chained(locals: &[(DVec3, DQuat, DVec3)], fault: Option<Fault>) -> Vec<(DAffine3, DQuat)> {
    let mut models: Vec<(DAffine3, DQuat)> = Vec::new();
    for &(translation, rotation, scale) in locals {
        let local = DAffine3::from_scale_rotation_translation(scale, rotation, translation);
        models.push(match (models.last(), fault) {
            (None, _) | (_, Some(Fault::NoHierarchy)) => (local, rotation),
            (Some((above, above_rotation)), Some(Fault::ChildrenFirst)) => {
                (local * *above, rotation * *above_rotation)
            }
            (Some((above, above_rotation)), _) => (*above * local, *above_rotation * rotation),
        });
    }
    models
}

fn by_hand(character: &Character, fault: Option<Fault>) -> Vec<DVec3> {
    let keys = joints();
    let rest: Vec<_> = keys.iter().map(|(rest, _)| wide(rest)).collect();
    let now: Vec<_> = match fault {
        Some(Fault::NoFrame) => rest.clone(),
        _ => keys.iter().map(|(rest, end)| half_way(rest, end)).collect(),
    };
    let (bound, posed) = (chained(&rest, None), chained(&now, fault));
    let motions: Vec<_> = (0..3)
        .map(|j| {
            let (axes, scale) = (DMat3::from_quat(bound[j].1), now[j].2);
            let scale = match fault {
                Some(Fault::NoScale) => DVec3::ONE,
                _ => scale,
            };
            Motion {
                turn: posed[j].1 * bound[j].1.inverse(),
                stretch: axes * DMat3::from_diagonal(scale) * axes.transpose(),
                scale: scale.element_product().cbrt(),
                bound: bound[j].0.translation,
                now: posed[j].0.translation,
            }
        })
        .collect();
    let primitive = &character.meshes[0].primitives[0];
    let influences = primitive.influences.as_ref().unwrap();
    let position_of = |(vertex, p): (usize, &Vec3)| {
        let p = p.as_dvec3();
        let joints = influences.get(vertex).map(|(j, w)| (j, f64::from(w)));
        let joints: Vec<_> = match fault {
            Some(Fault::NoWeights) => vec![(0, 1.0)],
            _ => joints.collect(),
        };
        let blend =
            |of: &dyn Fn(usize) -> DVec3| -> DVec3 { joints.iter().map(|&(j, w)| of(j) * w).sum() };
        match fault {
            Some(Fault::NoSkinning) => p,
            Some(Fault::NoInverseBind) => blend(&|j| posed[j].0.transform_point3(p)),
            Some(Fault::NoDualQuaternions) => {
                blend(&|j| (posed[j].0 * bound[j].0.inverse()).transform_point3(p))
            }
            Some(Fault::ScaleAfterMotion) => {
                let (mut real, mut other) = (NOTHING, NOTHING);
                for &(j, weight) in &joints {
                    let m = &motions[j];
                    real += m.turn * weight;
                    other += dual(m.turn, m.now - m.turn * m.bound) * weight;
                }
                let p = moved(real, other, p);
                blend(&|j| motions[j].stretch * (p - motions[j].now) + motions[j].now)
            }
            _ => by_formula(&motions, &joints, p),
        }
    };
    primitive
        .positions
        .iter()
        .enumerate()
        .map(position_of)
        .collect()
}

fn picture(studio: &mut Studio, figure: &GpuCharacter, view: &View) -> Picture {
    let floor = floor(studio);
    let stage = Stage {
        characters: vec![figure],
        floor: Some(&floor),
        ..Stage::default()
    };
    studio.draw(&stage, view)
}

#[test]
fn every_stage_in_its_order_from_a_file_to_the_frame_buffer() {
    with_studio(|studio| {
        let mut character = sinew_io::import_bytes(&bare_file()).unwrap().character;
        assert_eq!(character.skeleton.len(), 3);
        assert!(character.meshes[0].primitives[0].influences.is_none());
        let bare = deform(&character, Some(0), SECS, Method::DualQuat).unwrap();
        let positions = character.meshes[0].primitives[0].positions.clone();
        assert_eq!(bare.primitives[0].positions, *positions);
        bind_character(&mut character, &BindOptions::default()).unwrap();
        let mut skinner = Skinner::new(&studio.gpu, &[]).unwrap();
        let parts = posed_on_gpu(
            &studio.gpu,
            &mut skinner,
            &character,
            Some(0),
            SECS,
            Method::DualQuat,
            Order::Plan,
        );
        let wanted = by_hand(&character, None);
        let low = wanted.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = wanted.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let extent = (high - low).max_element();
        let off = |positions: &[DVec3]| {
            let skinned = parts[0].vertices.iter();
            let skinned = skinned.map(|v| Vec3::from(v.position).as_dvec3());
            let apart = skinned.zip(positions).map(|(a, b)| a.distance(*b));
            apart.fold(0.0, f64::max) / extent
        };
        assert!(off(&wanted) < 1e-5, "{}", off(&wanted));
        for fault in FAULTS {
            let off = off(&by_hand(&character, Some(fault)));
            println!("{fault:?}: {off:.3} of the extent off");
            assert!(off > 0.01, "{fault:?} is not seen: {off}");
        }

        let mut figure = GpuCharacter::new(&studio.gpu, &character, Method::DualQuat).unwrap();
        let before = picture(studio, &figure, &view());
        figure.pose(&studio.gpu, &character, Some(0), SECS).unwrap();
        let drawn = picture(studio, &figure, &view());
        let moment = deform(&character, Some(0), SECS, Method::DualQuat).unwrap();
        let still = Primitive {
            positions: Arc::new(wanted.iter().map(|p| p.as_vec3()).collect()),
            normals: moment.primitives[0].normals.clone().map(Arc::new),
            influences: None,
            material: None,
            ..character.meshes[0].primitives[0].clone()
        };
        let look = SceneMaterial {
            material: character.materials[0].clone(),
            ..SceneMaterial::default()
        };
        let scene = studio.scene(&[(&still, &look, Vec3::ZERO)]);
        let floor = floor(studio);
        let stage = Stage {
            scenes: vec![&scene],
            floor: Some(&floor),
            ..Stage::default()
        };
        let standing = studio.draw(&stage, &view());
        let apart = |a: &Picture, b: &Picture| a.difference(b).unwrap().1;
        assert!(
            apart(&drawn, &standing) < 0.05,
            "{}",
            apart(&drawn, &standing)
        );
        let mut others = vec![("drawn first", before)];
        let (mut bare, mut dull, mut dark) = (view(), view(), view());
        bare.shadow = false;
        dull.reflection = false;
        dark.lighting.lamps.clear();
        for (name, view) in [("shadow", bare), ("reflection", dull), ("light", dark)] {
            others.push((name, picture(studio, &figure, &view)));
        }
        for (name, other) in others {
            let apart = apart(&drawn, &other);
            println!("{name}: {apart:.2} of 255 apart");
            assert!(apart > 0.3, "{name}: {apart}");
        }
    });
}
