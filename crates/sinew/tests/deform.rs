use crate::clock::Clock;
use glam::{Quat, Vec3};
use sinew::clip::MorphTrack;
use sinew::measure::{MeasureError, measure};
use sinew::mesh::{Deltas, Mesh, Morph, Primitive, volume};
use sinew::skin::SkinError;
use sinew::{
    Affine, Character, CharacterError, Clip, DeformError, Influences, Interpolation, Joint,
    LocalPose, Method, Node, Skeleton, Skin, Track, Transform, deform, deform_pose, sample,
};
use sinew_samples::tube_character;
use std::sync::Arc;
use std::time::Duration;

const METHODS: [Method; 3] = [Method::Rigid, Method::Linear, Method::DualQuat];

#[test]
fn what_does_not_fit_is_refused() {
    let mut tube = tube_character();
    let missing = deform(&tube, Some(2), 0.0, Method::Linear);
    assert_eq!(missing, Err(DeformError::NoSuchClip { clip: 2, len: 2 }));
    tube.skins[0].joints.pop();
    tube.skins[0].joint_from_model.pop();
    for method in METHODS {
        let refused = deform(&tube, None, 0.0, method);
        let source = SkinError::NoSuchJoint { joint: 1, len: 1 };
        let (node, primitive) = (2, 0);
        let wanted = DeformError::Skin {
            node,
            primitive,
            source,
        };
        assert_eq!(refused, Err(wanted));
    }
}

#[test]
fn a_pose_from_elsewhere_moves_vertices_as_a_clip_does() {
    let mut tube = tube_character();
    let (node, mesh) = (2, tube.nodes[2].mesh.expect("a mesh"));
    let len = tube.meshes[mesh].primitives[0].len();
    tube.meshes[mesh].primitives[0].morphs = vec![Morph {
        positions: Some(Deltas {
            vertices: None,
            values: Arc::new(vec![Vec3::X; len]),
        }),
        ..Morph::default()
    }];
    for method in METHODS.into_iter().chain([Method::Quaternion]) {
        let mut pose = LocalPose::identity(0);
        sample(&tube.clips[1], &tube.skeleton, 0.3, &mut pose).unwrap();
        let rest = tube.rest_morph_weights(node).to_vec();
        let moved = deform_pose(
            &tube,
            &pose,
            |_, w| w[..rest.len()].copy_from_slice(&rest),
            method,
        );
        assert_eq!(moved, deform(&tube, Some(1), 0.3, method));
        let shifted = deform_pose(&tube, &pose, |_, w| w.fill(0.5), method);
        assert_ne!(shifted, moved, "the weights given are those used");
    }
    let other = LocalPose::identity(7);
    let refused = deform_pose(&tube, &other, |_, _| {}, Method::Linear);
    assert!(matches!(refused, Err(DeformError::Pose(_))), "{refused:?}");
}

#[test]
fn clips_of_other_joints_and_nodes_are_refused() {
    let mut tube = tube_character();
    let place = "clip 0".to_owned();
    let (joints, nodes) = (tube.skeleton.len(), tube.nodes.len());
    let refused = |tube: &Character, what, index, len| {
        let wanted = CharacterError::Reference {
            location: place.clone(),
            what,
            index,
            len,
        };
        let found = deform(tube, Some(1), 0.0, Method::Linear);
        assert_eq!(found, Err(DeformError::Character(wanted)));
    };
    let before = tube.clone();
    tube.clips[0].joint_mut(joints);
    refused(&tube, "joint", joints, joints);
    tube = before;
    tube.clips[0].morphs.push(MorphTrack {
        node: nodes + 3,
        weights: Track::new(vec![0.0], vec![0.0], 1, Interpolation::Step).unwrap(),
    });
    refused(&tube, "node", nodes + 3, nodes);
}

#[test]
fn numbers_that_grow_out_of_range_are_refused_by_place_and_time() {
    let huge = Vec3::new(3e38, 0.0, 0.0);
    let not_finite = |place: &str, time_secs| {
        let place = place.to_owned();
        Err(DeformError::NotFinite {
            location: place,
            time_secs,
        })
    };
    for method in METHODS {
        // Every key is finite, but the product of both joints is not.
        let mut tube = tube_character();
        let name = tube.skeleton.name(1).to_owned();
        let mut clip = Clip::new("huge");
        for joint in 0..2 {
            let keys = [Vec3::ZERO, huge];
            let track = Track::vectors(vec![0.0, 1.0], &keys, Interpolation::Step);
            clip.joint_mut(joint).translation = Some(track.unwrap());
        }
        tube.clips = vec![clip];
        assert!(deform(&tube, Some(0), 0.5, method).is_ok());
        let wanted = not_finite(&format!("joint \"{name}\""), 1.0);
        assert_eq!(deform(&tube, Some(0), 1.0, method), wanted);
        let measured = measure(&tube, Some(0), &[0.5, 1.0], &[method]);
        let wanted = wanted.map(|_| ()).map_err(MeasureError::Deform);
        assert_eq!(measured.map(|_| ()), wanted);

        let mut tube = tube_character();
        let skinned = tube.nodes.iter().position(|n| n.mesh.is_some()).unwrap();
        let positions = &mut tube.meshes[0].primitives[0].positions;
        Arc::make_mut(positions)[7] = Vec3::NAN;
        let place = format!("vertex 7 of node {skinned}, primitive 0");
        assert_eq!(
            deform(&tube, None, 0.0, method),
            not_finite(&place, 0.0),
            "{method:?}"
        );
    }
    let mut tube = tube_character();
    for parent in [None, Some(tube.nodes.len())] {
        tube.nodes.push(Node {
            name: String::new(),
            parent,
            parent_from_node: Affine::from_translation(Vec3::splat(3e38)),
            joint: None,
            mesh: None,
            skin: None,
            morph_weights: Vec::new(),
            light: None,
        });
    }
    let place = format!("node {}", tube.nodes.len() - 1);
    let found = deform(&tube, None, 0.0, Method::Linear);
    assert_eq!(found, not_finite(&place, 0.0));
}

#[test]
fn one_mesh_on_many_nodes_is_refused_before_memory_is_taken() {
    let mut tube = tube_character();
    let vertices = tube.meshes[0].primitives[0].len() as u64;
    let carrier = tube.nodes.iter().find(|n| n.mesh.is_some()).cloned();
    let carrier = carrier.unwrap();
    tube.nodes.resize(200_000, carrier);
    let begin = Clock::start();
    let refused = deform(&tube, None, 0.0, Method::Linear).unwrap_err();
    assert!(begin.elapsed() < Duration::from_secs(1));
    let DeformError::TooLarge {
        vertices: all,
        nodes,
        requested,
        limit,
    } = refused
    else {
        panic!("{refused}");
    };
    assert_eq!(nodes, 200_000 - 2, "two are joints");
    assert_eq!(all, vertices * nodes as u64);
    assert!(
        requested > limit && limit > 256 << 20,
        "{requested} {limit}"
    );
    assert!(measure(&tube, None, &[0.0], &[Method::Linear]).is_err());

    // Meshes that share vertices add little to a file.
    let mesh = tube.meshes[0].clone();
    tube.meshes.resize(200_000, mesh);
    for (index, node) in tube.nodes.iter_mut().enumerate() {
        node.mesh = node.mesh.map(|_| index);
    }
    let refused = deform(&tube, None, 0.0, Method::Linear).unwrap_err();
    assert!(
        matches!(refused, DeformError::TooLarge { limit: same, .. } if same == limit),
        "{refused}"
    );
}

/// Tube with a morph target that moves the centre vertex of its top along x.
fn morphed_tube() -> (Character, usize) {
    let mut tube = tube_character();
    let primitive = &mut tube.meshes[0].primitives[0];
    let top = primitive.len() - 1;
    assert!(primitive.positions[top].distance(Vec3::Y * 2.0) < 1e-6);
    primitive.morphs.push(Morph {
        positions: Some(Deltas {
            vertices: Some(Arc::new(vec![top as u32])),
            values: Arc::new(vec![Vec3::X]),
        }),
        ..Morph::default()
    });
    (tube, top)
}

#[test]
fn morph_targets_change_the_shape_before_the_skin_moves_it() {
    let (mut tube, top) = morphed_tube();
    let plain = tube_character();
    tube.meshes[0].morph_weights = vec![0.5];
    let node = tube.nodes.iter().position(|n| n.mesh.is_some()).unwrap();
    let bend = tube.find_clip("bend").unwrap();
    let check = |tube: &Character, time: f64, wanted: Vec3| {
        for method in METHODS {
            let morphed = deform(tube, Some(bend), time, method).unwrap();
            let plain = deform(&plain, Some(bend), time, method).unwrap();
            let both = [&morphed.primitives[0], &plain.primitives[0]];
            let [morphed, plain] = both.map(|part| &part.positions);
            let moved = morphed[top] - plain[top];
            assert!(moved.distance(wanted) < 1e-6, "{method:?}: {moved}");
            assert_eq!(morphed[..top], plain[..top]);
        }
    };
    check(&tube, 0.0, Vec3::X * 0.5);
    check(&tube, 1.5, Vec3::Y * 0.5);
    tube.nodes[node].morph_weights = vec![0.25];
    check(&tube, 1.5, Vec3::Y * 0.25);
    let weights = Track::new(vec![0.0, 2.0], vec![0.0, 1.0], 1, Interpolation::Linear);
    tube.clips[bend].morphs.push(MorphTrack {
        node,
        weights: weights.unwrap(),
    });
    check(&tube, 1.5, Vec3::Y * 0.75);
}

#[test]
fn one_clip_moves_many_characters_and_one_character_plays_many_clips() {
    let short = tube_character();
    let mut joints = short.skeleton.joints();
    joints[1].rest.translation *= 2.0;
    let (tall, _) = Skeleton::new(joints).unwrap();
    let pose_of = |clip: usize, skeleton: &Skeleton| {
        let mut pose = LocalPose::identity(0);
        sample(&short.clips[clip], skeleton, 1.0, &mut pose).unwrap();
        pose.get(1)
    };
    let on_short = pose_of(0, &short.skeleton);
    let on_tall = pose_of(0, &tall);
    assert_eq!(on_short.rotation, on_tall.rotation);
    assert_ne!(on_short.rotation, Quat::IDENTITY);
    assert_eq!(on_short.translation, Vec3::Y);
    assert_eq!(on_tall.translation, Vec3::Y * 2.0);
    assert_ne!(pose_of(1, &short.skeleton).rotation, on_short.rotation);
    let copy = short.clips[0].clone();
    for (a, b) in copy.tracks().zip(short.clips[0].tracks()) {
        assert!(Arc::ptr_eq(a.values(), b.values()) && Arc::ptr_eq(a.times(), b.times()));
    }
}

#[test]
fn a_mesh_without_a_skin_goes_with_its_node() {
    let mut tube = tube_character();
    let node = tube.nodes.iter().position(|n| n.mesh.is_some()).unwrap();
    tube.nodes[node].skin = None;
    let away = Transform::from_translation(Vec3::new(1.0, 2.0, 3.0));
    tube.nodes[node].parent_from_node = away.to_affine();
    let still = deform(&tube, Some(0), 1.0, Method::Linear).unwrap();
    let bind = &tube.meshes[0].primitives[0].positions;
    for (found, bind) in still.primitives[0].positions.iter().zip(bind.iter()) {
        assert_eq!(*found, *bind + away.translation);
    }
}

#[test]
fn a_moment_is_a_character_of_its_own() {
    let tube = tube_character();
    let moment = deform(&tube, Some(1), 1.5, Method::DualQuat).unwrap();
    let still = moment.to_character(&tube);
    assert!(still.clips.is_empty() && still.skins.is_empty());
    let again = deform(&still, None, 0.0, Method::Linear).unwrap();
    let (before, after) = (&moment.primitives[0], &again.primitives[0]);
    assert_eq!(before.positions, after.positions);
    let triangles = |character: &Character| character.meshes[0].primitives[0].triangles().count();
    assert_eq!(triangles(&still), triangles(&tube));
}

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
        let mut character = tube_character();
        break_it(&mut character);
        for method in METHODS {
            let refusal = deform(&character, Some(0), 0.5, method)
                .map(|_| ())
                .unwrap_err();
            let said = refusal.to_string();
            assert!(said.contains(place), "break {number}: {said}");
        }
    }
}

#[test]
fn what_a_mirrored_node_carries_still_faces_outward() {
    let mut character = tube_character();
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
        light: None,
    }
}

#[test]
fn many_primitives_of_one_skin_share_its_palette() {
    let joints = (0..2_000_usize).map(|joint| {
        let rest = Transform::from_rotation_translation(Quat::IDENTITY, Vec3::X);
        Joint::new(joint.to_string(), joint.checked_sub(1), rest)
    });
    let (skeleton, _) = Skeleton::new(joints.collect()).unwrap();
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
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
        let begin = Clock::start();
        deform(&character, None, 0.0, method).unwrap();
        let took = begin.elapsed();
        assert!(took < Duration::from_secs(2), "{method:?} took {took:?}");
    }
}

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
    let begin = Clock::start();
    deform(&character, Some(0), 0.0, Method::Linear).unwrap();
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(2), "took {took:?}");
}
