//! The whole line in one call: refusals, morph targets under the skin, clips shared by characters.

use glam::{Quat, Vec3};
use sinew::clip::MorphTrack;
use sinew::examples::tube_character;
use sinew::mesh::{Deltas, Morph};
use sinew::skin::SkinError;
use sinew::{
    Character, DeformError, Interpolation, LocalPose, Method, Skeleton, Track, Transform, deform,
    sample,
};
use std::sync::Arc;

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

/// The tube with a morph target that pulls its last vertex, in the middle of its top, along x.
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
fn spec_86_morph_targets_change_the_shape_before_the_skin_moves_it() {
    let (mut tube, top) = morphed_tube();
    let plain = tube_character();
    tube.meshes[0].morph_weights = vec![0.5];
    let node = tube.nodes.iter().position(|n| n.mesh.is_some()).unwrap();
    let bend = tube.find_clip("bend").unwrap();
    // At 3/4 of the clip the upper joint is turned by 90° about z, which takes x to y.
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
    // A node's own weights come first, a clip's before those.
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
fn spec_54_one_clip_moves_many_characters_and_one_character_plays_many_clips() {
    let short = tube_character();
    let mut joints = short.skeleton.joints();
    joints[1].rest.translation *= 2.0;
    let (tall, _) = Skeleton::new(joints).unwrap();
    let pose_of = |clip: usize, skeleton: &Skeleton| {
        let mut pose = LocalPose::identity(0);
        sample(&short.clips[clip], skeleton, 1.0, &mut pose);
        pose.get(1)
    };
    let on_short = pose_of(0, &short.skeleton);
    let on_tall = pose_of(0, &tall);
    assert_eq!(on_short.rotation, on_tall.rotation);
    assert_ne!(on_short.rotation, Quat::IDENTITY);
    assert_eq!(on_short.translation, Vec3::Y);
    assert_eq!(on_tall.translation, Vec3::Y * 2.0);
    assert_ne!(pose_of(1, &short.skeleton).rotation, on_short.rotation);
    // A copy of a clip shares its keys.
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
