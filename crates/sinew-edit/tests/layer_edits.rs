//! Edits of whole clips with layers, of kinds of layers, and of keys between them.

use crate::support::{clip, edit, mannequin, run};
use glam::{Quat, Vec3};
use serde_json::{Value, json};
use sinew::clip::{Channel, ClipLayers};
use sinew::transform::quat;
use sinew::{Clip, Skeleton, Transform, sample_joint};
use sinew_edit::{Editor, partners};

const TIMES: [f64; 4] = [0.0, 0.21, 0.4, 0.63];

/// A walk with a layer that rotates the head and an arm and moves the hips.
fn layered(additive: bool) -> Editor {
    let mut editor = mannequin();
    run(
        &mut editor,
        json!({"do": "add_layer", "clip": "walk", "name": "fix", "additive": additive, "weight": 0.75}),
    );
    for (time, angle) in [(0.1, 0.0_f32), (0.4, 0.6), (0.7, 0.2)] {
        for joint in ["head", "left_upper_arm", "hips"] {
            let rotation = Quat::from_euler(glam::EulerRot::XYZ, 0.4 * angle, angle, -angle);
            let key = json!({"do": "insert_key", "clip": "walk", "layer": "fix", "joint": joint, "time_secs": time,
                "rotation": rotation, "translation": [0.1 * angle, 1.0, 0.2 * angle], "limits": "allow"});
            run(&mut editor, key);
        }
    }
    editor
}

fn layers(editor: &Editor) -> Option<&ClipLayers> {
    let mut motions = editor.document().motions().iter();
    let walk = motions.find(|motion| motion.clip.name == "walk");
    walk.expect("the walk").layers.as_ref()
}

fn off(a: Transform, b: Transform) -> f32 {
    let turned = quat::angle_between(a.rotation, b.rotation);
    turned.max((a.translation - b.translation).length())
}

fn worst(a: &Clip, b: &Clip, skeleton: &Skeleton, time: impl Fn(f64) -> f64) -> f32 {
    let joints = (0..skeleton.len()).flat_map(|joint| TIMES.map(|secs| (joint, secs)));
    let each = joints.map(|(joint, secs)| {
        off(
            sample_joint(a, skeleton, joint, secs),
            sample_joint(b, skeleton, joint, time(secs)),
        )
    });
    each.fold(0.0, f32::max)
}

#[test]
fn a_mirrored_clip_keeps_its_layers_and_shows_the_mirrored_motion() {
    for additive in [true, false] {
        let mut editor = layered(additive);
        let skeleton = editor.document().skeleton().clone();
        let before = clip(editor.document(), "walk").clone();
        let layer = layers(&editor).expect("a layer").clone();
        run(&mut editor, json!({"do": "mirror_clip", "clip": "walk"}));
        let after = clip(editor.document(), "walk").clone();
        // The mirror of what was seen, computed without layers.
        let (partner, axis) = partners(&skeleton).expect("sides");
        let wanted = before.mirrored(&skeleton, &partner, axis);
        let error = worst(&after, &wanted, &skeleton, |secs| secs);
        assert!(error < 1e-3, "additive {additive}: {error}");
        let [left, right] = ["left_upper_arm", "right_upper_arm"].map(|name| skeleton.find(name));
        let mirrored = layers(&editor).expect("a layer").layers[0].clone();
        let has = |joint: Option<usize>| mirrored.tracks.iter().any(|t| Some(t.joint) == joint);
        assert!(has(right) && !has(left));
        run(&mut editor, json!({"do": "mirror_clip", "clip": "walk"}));
        assert_eq!(layers(&editor), Some(&layer), "additive {additive}");
        assert_eq!(clip(editor.document(), "walk").joints, before.joints);
    }
}

#[test]
fn a_closed_loop_keeps_its_layers_and_ends_as_it_begins() {
    for additive in [true, false] {
        let mut editor = layered(additive);
        run(&mut editor, json!({"do": "close_loop", "clip": "walk"}));
        assert_eq!(layers(&editor).expect("a layer").layers.len(), 1);
        let skeleton = editor.document().skeleton();
        let walk = clip(editor.document(), "walk");
        let end = f64::from(walk.duration_secs);
        for joint in 0..skeleton.len() {
            let [first, last] = [0.0, end].map(|time| sample_joint(walk, skeleton, joint, time));
            assert!(quat::angle_between(first.rotation, last.rotation) < 1e-3);
            let moved = first.translation - last.translation;
            let path = if skeleton.parent(joint).is_none() {
                Vec3::Y
            } else {
                Vec3::ONE
            };
            assert!((moved * path).length() < 1e-4, "{}", skeleton.name(joint));
        }
    }
}

#[test]
fn a_resampled_clip_keeps_its_layers_and_its_motion() {
    let mut editor = layered(true);
    let before = clip(editor.document(), "walk").clone();
    run(
        &mut editor,
        json!({"do": "resample_clip", "clip": "walk", "fps": 120}),
    );
    let skeleton = editor.document().skeleton();
    let after = clip(editor.document(), "walk");
    let error = worst(&before, after, skeleton, |secs| secs);
    assert!(error < 5e-3, "{error}");
    let layer = &layers(&editor).expect("a layer").layers[0];
    let rotation = layer.tracks[0].rotation.as_ref().expect("keys");
    assert!(rotation.keys() > 80, "{} keys", rotation.keys());
}

#[test]
fn a_layer_of_another_kind_shows_the_same_at_its_keys() {
    for additive in [true, false] {
        let mut editor = layered(additive);
        let skeleton = editor.document().skeleton().clone();
        let before = clip(editor.document(), "walk").clone();
        let change =
            json!({"do": "set_layer", "clip": "walk", "layer": "fix", "additive": !additive});
        run(&mut editor, change);
        assert_eq!(
            layers(&editor).expect("a layer").layers[0].additive,
            !additive
        );
        let after = clip(editor.document(), "walk");
        for joint in 0..skeleton.len() {
            for time in [0.1_f32, 0.4, 0.7].map(f64::from) {
                let [a, b] = [&before, after].map(|c| sample_joint(c, &skeleton, joint, time));
                assert!(
                    off(a, b) < 1e-3,
                    "{} {} {time}",
                    off(a, b),
                    skeleton.name(joint)
                );
            }
        }
    }
}

fn keys_of(editor: &Editor, layer: &str) -> usize {
    let layers = layers(editor).expect("layers");
    let layer = layers.layers.iter().find(|own| own.name == layer);
    let tracks = layer.expect("the layer").tracks.iter();
    let rotations = tracks.filter_map(|tracks| tracks.rotation.as_ref());
    rotations.map(sinew::Track::keys).sum()
}

#[test]
fn keys_are_copied_within_and_between_layers() {
    let mut editor = layered(true);
    let add = |name: &str, more: Value| {
        let mut add = json!({"do": "add_layer", "clip": "walk", "name": name});
        let fields = add.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        add
    };
    run(&mut editor, add("second", json!({})));
    run(&mut editor, add("hands", json!({"joints": ["left_hand"]})));
    run(&mut editor, add("over", json!({"additive": false})));
    let keys = json!([{"joints": ["head"], "from_secs": 0.4, "to_secs": 0.4}]);
    let copy = |more: Value| {
        let mut copy = json!({"do": "copy_keys", "clip": "walk", "layer": "fix", "keys": keys, "time_secs": 0.5});
        let fields = copy.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        copy
    };
    let below = clip(editor.document(), "walk").clone();
    assert_eq!(keys_of(&editor, "fix"), 9);
    run(&mut editor, copy(json!({})));
    assert_eq!(keys_of(&editor, "fix"), 10);
    run(&mut editor, copy(json!({"to_layer": "second"})));
    assert_eq!(
        (keys_of(&editor, "fix"), keys_of(&editor, "second")),
        (10, 1)
    );
    assert_ne!(*clip(editor.document(), "walk"), below);
    for (more, said) in [
        (json!({"to_layer": "over"}), "additive"),
        (json!({"to_clip": "walk"}), "additive"),
        (
            json!({"to_layer": "hands"}),
            "layer \"hands\" does not have joint \"head\"",
        ),
        (json!({"to_layer": "none"}), "has no layer"),
    ] {
        let error = editor.run(edit(copy(more))).expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
    }
    let head = json!({"do": "insert_key", "clip": "walk", "layer": "hands", "joint": "head", "time_secs": 0, "rotation": [0, 0, 0, 1]});
    let error = editor.run(edit(head)).expect_err("outside").to_string();
    assert!(error.contains("does not have joint \"head\""), "{error}");
    // A whole pose of a layer is that of its joints.
    let whole =
        json!({"do": "key_pose", "clip": "walk", "layer": "hands", "time_secs": 0, "whole": true});
    run(&mut editor, whole);
    assert_eq!(keys_of(&editor, "hands"), 1);
}

#[test]
fn keys_of_layers_are_reduced_and_smoothed() {
    let mut editor = layered(true);
    run(
        &mut editor,
        json!({"do": "resample_clip", "clip": "walk", "fps": 60}),
    );
    let below = |editor: &Editor| {
        let head = editor.document().skeleton().find("head");
        let base = &layers(editor).expect("layers").base;
        base.iter()
            .find(|tracks| Some(tracks.joint) == head)
            .cloned()
    };
    let (keys, kept) = (keys_of(&editor, "fix"), below(&editor));
    let all = json!([{"from_secs": 0, "to_secs": 9}]);
    run(
        &mut editor,
        json!({"do": "smooth_keys", "clip": "walk", "layer": "fix", "keys": all, "width_secs": 0.02}),
    );
    run(
        &mut editor,
        json!({"do": "reduce_keys", "clip": "walk", "layer": "fix", "max_degrees": 2}),
    );
    assert!(keys_of(&editor, "fix") < keys / 2);
    assert_eq!(below(&editor), kept);
}

#[test]
fn curves_are_renamed_and_their_keys_moved() {
    let mut editor = mannequin();
    for (curve, time, value) in [("glow", 0.0, 1.0), ("glow", 1.0, 3.0), ("wind", 0.0, 0.0)] {
        let key = json!({"do": "set_curve_key", "clip": "walk", "curve": curve, "time_secs": time, "value": value});
        run(&mut editor, key);
    }
    let curve = |editor: &Editor, name: &str| {
        let walk = clip(editor.document(), "walk");
        let curve = walk.curves.iter().find(|curve| curve.name == name)?;
        Some((curve.track.times().to_vec(), curve.track.values().to_vec()))
    };
    let glow = |more: Value| {
        let mut change = json!({"clip": "walk", "curve": "glow"});
        let fields = change.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        change
    };
    run(
        &mut editor,
        glow(json!({"do": "move_curve_key", "time_secs": 0, "to_secs": 1.5, "value": 2})),
    );
    assert_eq!(
        curve(&editor, "glow"),
        Some((vec![1.0, 1.5], vec![3.0, 2.0]))
    );
    for (bad, said) in [
        (
            json!({"do": "move_curve_key", "time_secs": 1, "to_secs": 1.5}),
            "already a key",
        ),
        (
            json!({"do": "move_curve_key", "time_secs": 1, "to_secs": -1}),
            "from 0",
        ),
        (
            json!({"do": "move_curve_key", "time_secs": 3}),
            "no keys there",
        ),
        (json!({"do": "rename_curve", "name": "wind"}), "taken"),
        (json!({"do": "rename_curve", "name": ""}), "empty"),
    ] {
        let error = editor.run(edit(glow(bad))).expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
    }
    run(
        &mut editor,
        glow(json!({"do": "rename_curve", "name": "shine"})),
    );
    assert_eq!(curve(&editor, "glow"), None);
    assert!(curve(&editor, "shine").is_some());
}

#[test]
fn segments_have_their_own_interpolation() {
    let mut editor = mannequin();
    run(&mut editor, json!({"do": "new_clip", "name": "hop"}));
    for (time, height) in [(0.0, 1.0), (0.5, 2.0), (1.0, 1.5), (1.5, 1.0)] {
        let key = json!({"do": "insert_key", "clip": "hop", "joint": "hips", "time_secs": time,
            "translation": [0, height, 0], "limits": "allow"});
        run(&mut editor, key);
    }
    let height = |editor: &Editor, time: f64| {
        let hips = editor.document().skeleton().find("hips").expect("hips");
        sample_joint(
            clip(editor.document(), "hop"),
            editor.document().skeleton(),
            hips,
            time,
        )
        .translation
        .y
    };
    let curved = [0.25, 0.75, 1.25].map(|time| height(&editor, time));
    let set = |time: f64, interpolation: &str| {
        json!({"do": "set_interpolation", "clip": "hop", "interpolation": interpolation,
            "keys": [{"from_secs": time, "to_secs": time}]})
    };
    run(&mut editor, set(0.5, "step"));
    run(&mut editor, set(0.0, "linear"));
    let now = [0.25, 0.75, 0.99, 1.25].map(|time| height(&editor, time));
    for (now, wanted) in now.into_iter().zip([1.5, 2.0, 2.0, curved[2]]) {
        assert!((now - wanted).abs() < 1e-3, "{now} is not {wanted}");
    }
    assert!((height(&editor, 1.0) - 1.5).abs() < 1e-4);
    let hips = editor.document().skeleton().find("hips").expect("hips");
    let keys = |editor: &Editor| {
        let hop = clip(editor.document(), "hop");
        let track = hop.track(hips, Channel::Translation).expect("keys");
        (track.keys(), track.interpolation())
    };
    assert_eq!(keys(&editor).0, 5, "a step has a key that holds it");
    run(&mut editor, set(0.5, "cubic_hermite"));
    assert_eq!(keys(&editor).0, 4);
    assert!((height(&editor, 0.75) - curved[1]).abs() < 0.1);
    // All segments of a track are the track.
    let all = json!({"do": "set_interpolation", "clip": "hop", "interpolation": "linear",
        "keys": [{"from_secs": 0, "to_secs": 9}]});
    run(&mut editor, all);
    assert_eq!(keys(&editor), (4, sinew::Interpolation::Linear));
}
