//! Checks that results are finite.

use sinew::character::TextureUse;
use sinew::mesh::Morph;
use sinew::{Affine, Character, Clip, Deformed, LocalPose, Primitive, Skeleton};

/// Checks that numbers are finite. `what` names them in the message.
#[track_caller]
pub fn assert_finite(what: &str, numbers: impl IntoIterator<Item = f32>) {
    for (index, number) in numbers.into_iter().enumerate() {
        assert!(number.is_finite(), "{what}: number {index} is {number}");
    }
}

/// Iterates over every number of a pose.
pub fn pose_numbers(pose: &LocalPose) -> impl Iterator<Item = f32> + '_ {
    pose.iter().flat_map(|t| {
        let numbers = t.translation.to_array().into_iter();
        numbers
            .chain(t.rotation.to_array())
            .chain(t.scale.to_array())
    })
}

/// Checks the rest pose of a skeleton.
pub fn assert_skeleton(skeleton: &Skeleton) {
    assert_finite("rest pose", pose_numbers(skeleton.rest()));
}

/// Checks that the times of a clip ascend and are not after its end, and that its keys are finite.
pub fn assert_clip(clip: &Clip) {
    let end = clip.duration_secs;
    assert!(end.is_finite() && end >= 0.0, "a clip of {end} s");
    for track in clip.tracks() {
        assert_finite("times", track.times().iter().copied());
        assert_finite("keys", track.values().iter().copied());
        assert!(track.times().is_sorted(), "times do not ascend");
        assert!(track.end_secs() <= end, "a key past the clip's end");
    }
    for event in &clip.events {
        assert!(event.time_secs.is_finite() && event.time_secs <= end);
    }
}

/// Checks every number of a character.
pub fn assert_character(character: &Character) {
    character.check().expect("parts fit together");
    assert_skeleton(&character.skeleton);
    for clip in &character.clips {
        assert_clip(clip);
    }
    for node in &character.nodes {
        assert_finite("node", affine(&node.parent_from_node));
        assert_finite("morph weights", node.morph_weights.iter().copied());
    }
    for skin in &character.skins {
        assert_finite(
            "inverse binds",
            skin.joint_from_model.iter().flat_map(affine),
        );
    }
    for mesh in &character.meshes {
        assert_finite("morph weights", mesh.morph_weights.iter().copied());
        mesh.primitives.iter().for_each(assert_primitive);
    }
    for material in &character.materials {
        assert_finite("base colour", material.base_color);
        assert_finite("emission", material.emissive);
        let others = [material.metallic, material.roughness, material.normal_scale];
        assert_finite("material", others);
        let uses = [material.base_color_texture, material.normal_texture];
        let numbers = |used: TextureUse| used.transform.into_iter().flatten();
        assert_finite(
            "texture transform",
            uses.into_iter().flatten().flat_map(numbers),
        );
    }
}

fn affine(map: &Affine) -> impl Iterator<Item = f32> + use<> {
    map.rows.into_iter().flatten()
}

fn assert_primitive(primitive: &Primitive) {
    let len = primitive.len();
    assert_finite(
        "positions",
        primitive.positions.iter().flat_map(|v| v.to_array()),
    );
    let normals = primitive.normals.iter().flat_map(|n| n.iter());
    assert_finite("normals", normals.flat_map(|v| v.to_array()));
    let tangents = primitive.tangents.iter().flat_map(|t| t.iter());
    assert_finite("tangents", tangents.flat_map(|v| v.to_array()));
    for set in &primitive.texcoords {
        assert_finite("texture coordinates", set.iter().flat_map(|v| v.to_array()));
    }
    for set in &primitive.colors {
        assert_finite("colours", set.iter().flat_map(|v| v.to_array()));
    }
    for custom in &primitive.custom {
        assert_finite("custom attribute", custom.values.iter().copied());
    }
    for index in primitive.indices.iter().flat_map(|i| i.iter()) {
        assert!((*index as usize) < len, "index {index} of {len} vertices");
    }
    if let Some(influences) = &primitive.influences {
        for vertex in 0..influences.len() {
            let (_, weights) = influences.slices(vertex);
            assert_finite("weights", weights.iter().copied());
            let sum: f32 = weights.iter().sum();
            assert!(
                weights.is_empty() || (sum - 1.0).abs() < 1e-3,
                "weights sum to {sum}"
            );
        }
    }
    for Morph {
        positions,
        normals,
        tangents,
    } in &primitive.morphs
    {
        for deltas in [positions, normals, tangents].into_iter().flatten() {
            assert_finite("deltas", deltas.values.iter().flat_map(|v| v.to_array()));
        }
    }
}

/// Checks the result of skinning.
pub fn assert_deformed(moved: &Deformed) {
    assert_finite("nodes", moved.node_worlds.iter().flat_map(affine));
    for part in &moved.primitives {
        assert_finite("skinned", part.positions.iter().flat_map(|v| v.to_array()));
        let normals = part.normals.iter().flatten();
        assert_finite("skinned normals", normals.flat_map(|v| v.to_array()));
        let tangents = part.tangents.iter().flatten();
        assert_finite("skinned tangents", tangents.flat_map(|v| v.to_array()));
    }
}

/// Upper bound of the distance from the origin in any pose of the clips of a character. Below
/// `1e15`, numbers and their squares must not overflow. Beyond it, infinity is a valid result.
pub fn reach(character: &Character) -> f64 {
    let largest = |numbers: &mut dyn Iterator<Item = f32>| {
        numbers.fold(0.0, |a, b| f64::from(b.abs()).max(a))
    };
    let joints = character.skeleton.len();
    let mut local: Vec<f64> = (0..joints)
        .map(|joint| {
            let rest = character.skeleton.rest().get(joint);
            let (translation, scale) = (rest.translation.to_array(), rest.scale.to_array());
            1.0 + 2.0 * largest(&mut translation.into_iter().chain(scale))
        })
        .collect();
    let mut weights = 1.0_f64;
    for clip in &character.clips {
        // Tangents are multiplied by the time between keys.
        let secs = 4.0 * (1.0 + f64::from(clip.duration_secs));
        for tracks in &clip.joints {
            for track in [&tracks.translation, &tracks.scale].into_iter().flatten() {
                let most = secs * largest(&mut track.values().iter().copied());
                local[tracks.joint] = local[tracks.joint].max(1.0 + 2.0 * most);
            }
        }
        for track in &clip.morphs {
            weights += secs * largest(&mut track.weights.values().iter().copied());
        }
    }
    let mut most = 1.0_f64;
    for joint in 0..joints {
        if let Some(parent) = character.skeleton.parent(joint) {
            local[joint] *= local[parent];
        }
        most = most.max(local[joint]);
    }
    // In the worst case, all nodes that are not joints form one chain.
    for node in &character.nodes {
        weights += largest(&mut node.morph_weights.iter().copied());
        if node.joint.is_none() {
            most *= 1.0 + largest(&mut affine(&node.parent_from_node));
        }
    }
    let binds = character.skins.iter().flat_map(|s| &s.joint_from_model);
    most *= 1.0 + 4.0 * largest(&mut binds.flat_map(affine));
    let mut vertices = 1.0_f64;
    for mesh in &character.meshes {
        weights += largest(&mut mesh.morph_weights.iter().copied());
        for primitive in &mesh.primitives {
            let mut places = primitive.positions.iter().flat_map(|v| v.to_array());
            vertices = vertices.max(largest(&mut places));
            for deltas in primitive.morphs.iter().flat_map(|m| &m.positions) {
                let mut values = deltas.values.iter().flat_map(|v| v.to_array());
                vertices += weights * largest(&mut values);
            }
        }
    }
    most * vertices
}
