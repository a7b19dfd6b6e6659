//! A saved file opens as the same document.

use super::Folder;
use super::keeping::{command, last_message, names, opened, save_as, shown};
use glam::{Quat, Vec3};
use serde_json::{Value, json};
use sinew::binding::{Binding, Target};
use sinew::corrective::Corrective;
use sinew::mesh::{Deltas, Morph};
use sinew::skeleton::Role;
use sinew_edit::Motion;
use sinew_io::gltf;
use sinew_view::Session;
use std::path::PathBuf;
use std::sync::Arc;

/// Edits that leave something of every kind in the document.
const OF_EVERY_KIND: [&str; 17] = [
    r#"{"do": "new_clip", "name": "empty", "duration_secs": 2.5}"#,
    r#"{"do": "add_event", "clip": "empty", "time_secs": 0.5, "name": "alone"}"#,
    r#"{"do": "copy_clip", "clip": 0, "name": "copy"}"#,
    r#"{"do": "insert_key", "clip": "copy", "joint": 1, "time_secs": 0.1, "rotation": [0.1, 0.2, 0, 0.97], "translation": [0, 1, 0.1], "limits": "allow"}"#,
    r#"{"do": "insert_key", "clip": "copy", "joint": 1, "time_secs": 0.3, "translation": [0, 1.2, 0.1], "limits": "allow"}"#,
    r#"{"do": "insert_key", "clip": "copy", "joint": 1, "time_secs": 0.6, "translation": [0.3, 1.2, 0.1], "limits": "allow"}"#,
    r#"{"do": "set_interpolation", "clip": "copy", "joints": [1], "channels": ["translation"], "interpolation": "cubic_hermite"}"#,
    r#"{"do": "set_tangents", "clip": "copy", "joint": 1, "channel": "translation", "time_secs": 0.3, "before": [0.1, 0.2, 0.3], "after": [0.3, 0.2, 0.1]}"#,
    r#"{"do": "add_event", "clip": "copy", "time_secs": 0.25, "name": "step"}"#,
    r#"{"do": "set_curve_key", "clip": "copy", "curve": "glow", "time_secs": 0.2, "value": 0.7}"#,
    r#"{"do": "set_duration", "clip": "copy", "duration_secs": 4.25}"#,
    r#"{"do": "add_layer", "clip": "copy", "name": "lift", "additive": true, "weight": 0.6}"#,
    r#"{"do": "insert_key", "clip": "copy", "layer": "lift", "joint": 1, "time_secs": 0.4, "rotation": [0.3, 0, 0, 0.95], "limits": "allow"}"#,
    r#"{"do": "insert_key", "clip": "copy", "layer": "lift", "joint": 1, "time_secs": 0.9, "rotation": [0.1, 0, 0, 0.99], "limits": "allow"}"#,
    r#"{"do": "add_layer", "clip": "empty", "name": "bare"}"#,
    r#"{"do": "new_clip", "name": "one key"}"#,
    r#"{"do": "insert_key", "clip": "one key", "joint": 1, "time_secs": 0.5, "rotation": [0.1, 0.2, 0, 0.97], "limits": "allow"}"#,
];

#[test]
fn a_saved_file_opens_as_the_same_document() {
    let folder = Folder::new("save-same");
    let mut session = opened(folder.glb("limb.glb"), &folder.path("journals"));
    for edit in OF_EVERY_KIND {
        let steps = |session: &Session| {
            let editor = session.editor(session.state().shown);
            editor.map_or(0, |editor| editor.done().len())
        };
        let before = steps(&session);
        session.run(command(edit));
        assert_eq!(
            steps(&session),
            before + 1,
            "{edit}: {:?}",
            session.messages()
        );
    }
    let path = folder.path("saved.glb");
    save_as(&mut session, &path);
    let saved = last_message(&session);
    assert!(!session.is_changed(session.state().shown), "{saved}");
    let motions: Vec<Arc<Motion>> = shown(&session).motions.clone();
    let again = opened(path, &folder.path("journals"));
    let read = &shown(&again).motions;
    assert_eq!(names(&session), names(&again));
    for (before, after) in motions.iter().zip(read) {
        assert_eq!(before.clip, after.clip, "{}", before.clip.name);
        assert_eq!(
            before.layers.as_ref().map(|layers| &layers.layers),
            after.layers.as_ref().map(|layers| &layers.layers)
        );
        assert_eq!(
            before.layers.as_ref().map(|layers| &layers.base),
            after.layers.as_ref().map(|layers| &layers.base)
        );
    }
}

/// glTF file of the mannequin with limits, roles, a corrective and a binding.
fn hero(folder: &Folder) -> PathBuf {
    let mut hero = sinew_samples::mannequin::Mannequin::default().build();
    let surface = &mut hero.meshes[0].primitives[0];
    surface.morphs.push(Morph {
        positions: Some(Deltas {
            vertices: None,
            values: Arc::new(vec![Vec3::Z * 0.01; surface.positions.len()]),
        }),
        normals: None,
        tangents: None,
    });
    hero.meshes[0].morph_names = vec!["muscle".to_owned()];
    hero.correctives.push(Corrective {
        joint: 3,
        rotation: Quat::from_rotation_x(1.0),
        falloff_rad: 1.5,
        mesh: 0,
        morph: 0,
    });
    hero.bindings.push(Binding {
        signal: "pulse".to_owned(),
        target: Target::Morph("muscle".to_owned()),
    });
    let text = gltf::to_gltf(&hero, &gltf::ExportOptions::default()).expect("glTF");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    let nodes = document["nodes"].as_array().expect("nodes").clone();
    let node = |name: &str| json!({"node": nodes.iter().position(|node| node["name"] == name)});
    let mut bones = json!({"hips": node("hips"), "spine": node("spine_1"), "head": node("head")});
    for side in ["left", "right"] {
        for (bone, joint) in [
            ("UpperLeg", "upper_leg"),
            ("LowerLeg", "lower_leg"),
            ("Foot", "foot"),
            ("UpperArm", "upper_arm"),
            ("LowerArm", "lower_arm"),
            ("Hand", "hand"),
        ] {
            bones[format!("{side}{bone}")] = node(&format!("{side}_{joint}"));
        }
    }
    let meta =
        json!({"name": "hero", "authors": ["a"], "licenseUrl": "https://vrm.dev/licenses/1.0/"});
    let vrm = json!({"specVersion": "1.0", "meta": meta, "humanoid": {"humanBones": bones}});
    document["extensions"]["VRMC_vrm"] = vrm;
    let mut used = document["extensionsUsed"].as_array().cloned();
    let used = used.get_or_insert_default();
    used.push("VRMC_vrm".into());
    document["extensionsUsed"] = json!(used);
    folder.write("hero.gltf", document.to_string().as_bytes())
}

#[test]
fn what_no_edit_changes_is_the_same_after_saving() {
    let folder = Folder::new("save-rest");
    let mut session = opened(hero(&folder), &folder.path("journals"));
    let before = shown(&session).character.clone();
    let limited = (0..before.skeleton.len())
        .filter(|&joint| before.skeleton.freedom(joint).rotation.is_limited())
        .count();
    assert!(limited > 20, "{limited}");
    let head = before.skeleton.find("head").expect("a head");
    assert_eq!(before.skeleton.role(head), Some(Role::Head));
    assert_eq!((before.correctives.len(), before.bindings.len()), (1, 1));
    for edit in [
        r#"{"do": "insert_key", "clip": "walk", "joint": "head", "time_secs": 0.1, "rotation": [0, 0, 0, 1]}"#,
        r#"{"do": "set_curve_key", "clip": "walk", "curve": "pulse", "time_secs": 0.2, "value": 0.5}"#,
    ] {
        session.run(command(edit));
    }
    for name in ["saved.glb", "saved.gltf", "saved.vrm"] {
        let path = folder.path(name);
        save_as(&mut session, &path);
        assert!(!session.is_changed(session.state().shown), "{name}");
        let again = opened(path, &folder.path("other journals"));
        let after = &shown(&again).character;
        assert_eq!(after.skeleton, before.skeleton, "{name}");
        assert_eq!(after.correctives, before.correctives, "{name}");
        assert_eq!(after.bindings, before.bindings, "{name}");
        assert_eq!(after.nodes, before.nodes, "{name}");
        assert_eq!(after.meshes, before.meshes, "{name}");
        assert_eq!(after.skins, before.skins, "{name}");
        assert_eq!(after.materials, before.materials, "{name}");
    }
    // Packed motion has the joints with their limits, and the curves of the clip.
    let path = folder.path("walk.sinew");
    save_as(&mut session, &path);
    let again = opened(path, &folder.path("other journals"));
    let (after, clip) = (&shown(&again).character, shown(&again).clip(0));
    for joint in 0..before.skeleton.len() {
        let (ours, theirs) = (&before.skeleton, &after.skeleton);
        assert_eq!(ours.name(joint), theirs.name(joint));
        assert_eq!(ours.freedom(joint), theirs.freedom(joint));
    }
    let own = session.clip().expect("walk");
    let clip = clip.expect("the clip");
    assert_eq!((&own.curves, &own.events), (&clip.curves, &clip.events));
}
