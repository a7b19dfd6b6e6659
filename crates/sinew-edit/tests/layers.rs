use crate::support::{bits, clip, run};
use serde_json::json;
use sinew::clip::Channel;
use sinew_edit::Editor;
use std::sync::Arc;

fn walking() -> Editor {
    let mut editor = Editor::new(sinew_samples::mannequin::Mannequin::default().build());
    run(
        &mut editor,
        json!({"do": "resample_clip", "clip": "walk", "fps": 60}),
    );
    editor
}

/// A captured walk gets a layer that raises an arm. The feet stay to the bit.
#[test]
fn a_layer_raises_an_arm_and_leaves_the_feet() {
    let mut editor = walking();
    let walk = clip(editor.document(), "walk").clone();
    run(
        &mut editor,
        json!({"do": "add_layer", "clip": "walk", "name": "raise", "joints": ["left_upper_arm"]}),
    );
    for (time, angle) in [(0.0, 0.0_f32), (0.4, 0.8), (0.8, 0.0)] {
        run(
            &mut editor,
            json!({"do": "rotate", "joints": ["left_upper_arm"], "rotation": [0, 0, (angle / 2.0).sin(), (angle / 2.0).cos()],
            "over": {"clip": "walk", "time_secs": time}, "limits": "allow"}),
        );
        run(
            &mut editor,
            json!({"do": "key_pose", "clip": "walk", "layer": "raise", "time_secs": time}),
        );
    }
    let skeleton = editor.document().skeleton().clone();
    let after = clip(editor.document(), "walk").clone();
    let arm = skeleton.find("left_upper_arm").expect("an arm");
    for tracks in walk.joints.iter().filter(|tracks| tracks.joint != arm) {
        let rotation = |clip: &sinew::Clip| clip.track(tracks.joint, Channel::Rotation).cloned();
        let [Some(a), Some(b)] = [rotation(&walk), rotation(&after)] else {
            assert_eq!(walk.joint(tracks.joint), after.joint(tracks.joint));
            continue;
        };
        assert!(
            Arc::ptr_eq(a.values(), b.values()),
            "joint {} is shared",
            tracks.joint
        );
    }
    // At a key of the layer, the arm is where it was put; far from it, where the walk has it.
    let seen =
        |clip: &sinew::Clip, time: f64| sinew::sample_joint(clip, &skeleton, arm, time).rotation;
    let turned = sinew::transform::quat::mul(seen(&walk, 0.4), glam::Quat::from_rotation_z(0.8));
    assert!(sinew::transform::quat::angle_between(seen(&after, 0.4), turned) < 1e-3);
    assert!(sinew::transform::quat::angle_between(seen(&after, 0.0), seen(&walk, 0.0)) < 1e-3);
    // Weight 0 gives the walk back, to the bit; so does deleting the layer.
    run(
        &mut editor,
        json!({"do": "set_layer", "clip": "walk", "layer": "raise", "weight": 0}),
    );
    assert_eq!(clip(editor.document(), "walk").joints, walk.joints);
    editor.undo();
    run(
        &mut editor,
        json!({"do": "delete_layer", "clip": "walk", "layer": "raise"}),
    );
    assert_eq!(clip(editor.document(), "walk").joints, walk.joints);
    assert!(
        editor
            .document()
            .motions()
            .iter()
            .all(|motion| motion.layers.is_none())
    );
    editor.undo();
    run(&mut editor, json!({"do": "flatten", "clip": "walk"}));
    assert_eq!(clip(editor.document(), "walk").joints, after.joints);
}

#[test]
fn keys_of_the_motion_below_a_layer_can_be_edited() {
    let mut editor = walking();
    run(
        &mut editor,
        json!({"do": "add_layer", "clip": "walk", "name": "fix", "additive": false}),
    );
    run(
        &mut editor,
        json!({"do": "insert_key", "clip": "walk", "layer": "fix", "joint": "head", "time_secs": 0, "rotation": [0.1, 0, 0, 0.995]}),
    );
    let fixed = clip(editor.document(), "walk").clone();
    let head = editor.document().skeleton().find("head").expect("a head");
    let late = json!([{"joints": ["head"], "from_secs": 0.5, "to_secs": 9}]);
    run(
        &mut editor,
        json!({"do": "delete_keys", "clip": "walk", "keys": late}),
    );
    // The layer replaces the head's rotation, so the result keeps its values there.
    let values = |clip: &sinew::Clip| {
        clip.track(head, Channel::Rotation)
            .expect("keys")
            .key(0)
            .to_vec()
    };
    assert_eq!(values(clip(editor.document(), "walk")), values(&fixed));
    run(
        &mut editor,
        json!({"do": "delete_layer", "clip": "walk", "layer": "fix"}),
    );
    let track = clip(editor.document(), "walk")
        .track(head, Channel::Rotation)
        .expect("keys");
    assert!(track.end_secs() < 0.5);
    while editor.undo().is_some() {}
    while editor.redo().is_some() {}
    assert!(
        clip(editor.document(), "walk")
            .track(head, Channel::Rotation)
            .expect("keys")
            .end_secs()
            < 0.5
    );
}

#[test]
fn trims_and_speeds_apply_to_layers() {
    let mut editor = walking();
    run(
        &mut editor,
        json!({"do": "add_layer", "clip": "walk", "name": "fix"}),
    );
    for (time, angle) in [(0.2, 0.0_f32), (0.6, 0.3)] {
        run(
            &mut editor,
            json!({"do": "rotate", "joints": ["head"], "rotation": [0, angle.sin(), 0, angle.cos()],
            "over": {"clip": "walk", "time_secs": time}, "limits": "allow"}),
        );
        run(
            &mut editor,
            json!({"do": "key_pose", "clip": "walk", "layer": "fix", "time_secs": time}),
        );
    }
    let skeleton = editor.document().skeleton().clone();
    let head = skeleton.find("head").expect("a head");
    let before = clip(editor.document(), "walk").clone();
    run(
        &mut editor,
        json!({"do": "trim_clip", "clip": "walk", "from_secs": 0.3, "to_secs": 0.7}),
    );
    run(
        &mut editor,
        json!({"do": "retime_clip", "clip": "walk", "factor": 2}),
    );
    let after = clip(editor.document(), "walk");
    let seen =
        |clip: &sinew::Clip, time: f64| sinew::sample_joint(clip, &skeleton, head, time).rotation;
    for (now, then) in [(0.0, 0.3), (0.4, 0.5), (0.78, 0.69)] {
        let off = sinew::transform::quat::angle_between(seen(after, now), seen(&before, then));
        assert!(off < 2e-3, "{off} rad at {now}");
    }
    assert!(
        editor
            .document()
            .motions()
            .iter()
            .any(|motion| motion.layers.is_some())
    );
}

#[test]
fn layers_come_back_with_the_character_and_stale_ones_do_not() {
    let mut editor = walking();
    run(
        &mut editor,
        json!({"do": "add_layer", "clip": "walk", "name": "fix"}),
    );
    run(
        &mut editor,
        json!({"do": "rotate", "joints": ["head"], "rotation": [0, 0.1, 0, 0.995]}),
    );
    run(
        &mut editor,
        json!({"do": "key_pose", "clip": "walk", "layer": "fix", "time_secs": 0.1}),
    );
    let character = editor.document().character();
    let again = Editor::new(character.clone());
    assert_eq!(again.document().character(), character);
    assert_eq!(bits(&again.document().character()), bits(&character));
    let mut changed = character;
    let walk = changed.find_clip("walk").expect("the clip");
    let head = changed.skeleton.find("head").expect("a head");
    changed.clips[walk]
        .set_track(head, Channel::Rotation, None)
        .expect("a channel");
    assert!(
        Editor::new(changed)
            .document()
            .motions()
            .iter()
            .all(|motion| motion.layers.is_none())
    );
}
