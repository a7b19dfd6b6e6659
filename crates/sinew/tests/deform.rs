//! The whole line in one call: what it refuses, and that it does each thing once.

use glam::{Quat, Vec3};
use sinew::character::Character;
use sinew::clip::{MorphTrack, Track};
use sinew::mesh::{Deltas, Mesh, Morph, Primitive, volume};
use sinew::{
    Affine, Clip, DeformError, Influences, Interpolation, Joint, Method, Node, Skeleton, Transform,
    deform, examples,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

const METHODS: [Method; 3] = [Method::Rigid, Method::Linear, Method::DualQuat];

#[test]
fn characters_that_contradict_themselves_are_refused() {
    type Break = fn(&mut Character);
    let breaks: [(&str, Break); 14] = [
        ("node 2", |c| c.nodes[2].mesh = Some(9)),
        ("node 2", |c| c.nodes[2].skin = Some(9)),
        ("node 0", |c| c.nodes[0].joint = Some(9)),
        ("node 0", |c| c.nodes[0].parent = Some(9)),
        ("node 1", |c| c.nodes[0].parent = Some(1)),
        ("skin 0", |c| c.skins[0].joints[1] = 9),
        ("skin 0", |c| c.skins[0].joint_from_model.clear()),
        ("clip 0", |c| {
            let turn = c.clips[0].joint_mut(1).rotation.clone();
            c.clips[0].joint_mut(1).translation = turn;
        }),
        ("clip 0", |c| {
            let slide = Track::vectors(vec![0.0], &[Vec3::X], Interpolation::Step).ok();
            c.clips[0].joint_mut(1).rotation = slide;
        }),
        ("mesh 0, primitive 0", |c| {
            c.meshes[0].primitives[0].normals = Some(Arc::new(vec![Vec3::Y]));
        }),
        ("mesh 0, primitive 0", |c| {
            c.meshes[0].primitives[0].tangents = Some(Arc::new(Vec::new()));
        }),
        ("mesh 0, primitive 0", |c| {
            c.meshes[0].primitives[0].influences = Some(Arc::new(Influences::default()));
        }),
        ("mesh 0, primitive 0", |c| {
            Arc::make_mut(&mut c.meshes[0].primitives[0].positions).clear();
        }),
        ("node 2", |c| {
            let lists = vec![vec![(7, 1.0)]; c.meshes[0].primitives[0].len()];
            let (influences, _) = Influences::from_lists(&lists, 8).unwrap();
            c.meshes[0].primitives[0].influences = Some(Arc::new(influences));
        }),
    ];
    for (number, (place, break_it)) in breaks.into_iter().enumerate() {
        let mut character = examples::tube_character();
        break_it(&mut character);
        for method in METHODS {
            let refusal = deform(&character, Some(0), 0.5, method)
                .map(|_| ())
                .unwrap_err();
            let said = refusal.to_string();
            assert!(said.contains(place), "break {number}: {said}");
        }
    }
    let tube = examples::tube_character();
    let refusal = deform(&tube, Some(7), 0.0, Method::Linear).unwrap_err();
    assert_eq!(refusal, DeformError::NoSuchClip { clip: 7, len: 2 });
}

#[test]
fn what_a_mirrored_node_carries_still_faces_outward() {
    let mut character = examples::tube_character();
    character.nodes[2].skin = None;
    character.nodes[2].parent_from_node.rows[0][0] = -1.0;
    let moved = deform(&character, None, 0.0, Method::Linear).unwrap();
    let (part, source) = (&moved.primitives[0], &character.meshes[0].primitives[0]);
    assert!(volume(&part.positions, part.triangles(source)) > 0.1);
    let baked = moved.to_character(&character);
    let primitive = &baked.meshes[0].primitives[0];
    assert!(volume(&primitive.positions, primitive.triangles()) > 0.1);
}

fn still(mesh: usize) -> Node {
    Node {
        name: String::new(),
        parent: None,
        parent_from_node: Affine::IDENTITY,
        joint: None,
        mesh: Some(mesh),
        skin: None,
        morph_weights: Vec::new(),
    }
}

#[test]
fn many_primitives_of_one_skin_share_its_palette() {
    let joints = (0..2_000_usize).map(|joint| {
        let rest = Transform::from_rotation_translation(Quat::IDENTITY, Vec3::X);
        Joint::new(joint.to_string(), joint.checked_sub(1), rest)
    });
    let (skeleton, _) = Skeleton::new(joints.collect()).unwrap();
    let skin = sinew::Skin::at_rest(&skeleton);
    let (influences, _) = Influences::from_lists(&[vec![(1999, 1.0)]], 2_000).unwrap();
    let primitive = Primitive {
        positions: Arc::new(vec![Vec3::ZERO]),
        influences: Some(Arc::new(influences)),
        ..Primitive::default()
    };
    let mut character = Character::from_skeleton(skeleton);
    character.skins.push(skin);
    character.meshes.push(Mesh {
        primitives: vec![primitive; 10_000],
        ..Mesh::default()
    });
    character.nodes.push(Node {
        skin: Some(0),
        ..still(0)
    });
    for method in METHODS {
        let begin = Instant::now();
        deform(&character, None, 0.0, method).unwrap();
        let took = begin.elapsed();
        assert!(took < Duration::from_secs(2), "{method:?} took {took:?}");
    }
}

/// Two morph targets on the first primitive and one on the second, which also moves by itself.
fn morphing(nodes: usize) -> Character {
    let (skeleton, _) = Skeleton::new(vec![Joint::new("root", None, Transform::IDENTITY)]).unwrap();
    let morph = |to: Vec3| Morph {
        positions: Some(Deltas {
            vertices: None,
            values: Arc::new(vec![to]),
        }),
        ..Morph::default()
    };
    let primitive = |morphs| Primitive {
        positions: Arc::new(vec![Vec3::ZERO]),
        morphs,
        ..Primitive::default()
    };
    let mut character = Character::from_skeleton(skeleton);
    character.meshes.push(Mesh {
        primitives: vec![
            primitive(vec![morph(Vec3::X)]),
            primitive(vec![morph(Vec3::X), morph(Vec3::Y)]),
        ],
        morph_weights: vec![0.5, 0.5],
        ..Mesh::default()
    });
    character.nodes.extend((0..nodes).map(|_| still(0)));
    character
}

#[test]
fn a_track_of_fewer_weights_than_there_are_targets_drives_the_first() {
    let mut character = morphing(1);
    let mut clip = Clip::new("one weight");
    let weights = Track::new(vec![0.0], vec![1.0], 1, Interpolation::Step).unwrap();
    clip.morphs.push(MorphTrack { node: 1, weights });
    character.clips.push(clip);
    let moved = deform(&character, Some(0), 0.0, Method::Linear).unwrap();
    let places: Vec<Vec3> = moved.primitives.iter().map(|p| p.positions[0]).collect();
    assert_eq!(places, [Vec3::X, Vec3::X]);
}

#[test]
fn many_morph_tracks_take_linear_time() {
    let nodes = 60_000;
    let mut character = morphing(nodes);
    let mut clip = Clip::new("all");
    let weights = Track::new(vec![0.0], vec![1.0, 1.0], 2, Interpolation::Step).unwrap();
    let track = |node| MorphTrack {
        node,
        weights: weights.clone(),
    };
    clip.morphs = (1..=nodes).rev().map(track).collect();
    character.clips.push(clip);
    let begin = Instant::now();
    deform(&character, Some(0), 0.0, Method::Linear).unwrap();
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(2), "took {took:?}");
}
