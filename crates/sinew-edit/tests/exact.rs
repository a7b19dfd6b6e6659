//! Results of edits, compared with formulas.

use crate::support::{clip, humanoid, mannequin, run};
use glam::{Quat, Vec3};
use serde_json::{Value, json};
use sinew::clip::Channel;
use sinew::transform::quat;
use sinew::{Clip, Skeleton, sample_joint};
use sinew_edit::Editor;

/// Height of the torso in the clip `path`: straight lines between keys.
fn height(time: f64) -> f64 {
    if time < 1.0 {
        time
    } else {
        1.0 + 2.0 * (time - 1.0)
    }
}

/// A clip of 4 s with straight lines, events at 0.5 and 2 s, and a curve.
fn path() -> Editor {
    let mut editor = humanoid();
    let edits = [
        json!({"do": "new_clip", "name": "path", "duration_secs": 4}),
        json!({"do": "add_event", "clip": "path", "time_secs": 0.5, "name": "a"}),
        json!({"do": "add_event", "clip": "path", "time_secs": 2, "name": "b"}),
        json!({"do": "set_curve_key", "clip": "path", "curve": "glow", "time_secs": 0, "value": 0}),
        json!({"do": "set_curve_key", "clip": "path", "curve": "glow", "time_secs": 4, "value": 8}),
    ];
    edits.into_iter().for_each(|edit| run(&mut editor, edit));
    for time in [0.0, 1.0, 4.0] {
        let key = json!({"do": "insert_key", "clip": "path", "joint": "torso", "time_secs": time,
            "translation": [0, height(time), 0], "limits": "allow"});
        run(&mut editor, key);
    }
    let linear = json!({"do": "set_interpolation", "clip": "path", "interpolation": "linear"});
    run(&mut editor, linear);
    editor
}

fn y(clip: &Clip, skeleton: &Skeleton, time: f64) -> f64 {
    let torso = skeleton.find("torso").expect("a torso");
    f64::from(sample_joint(clip, skeleton, torso, time).translation.y)
}

/// Compares a clip with the path at a time that depends on its own time.
fn assert_path(
    editor: &Editor,
    name: &str,
    secs: f32,
    of: impl Fn(f64) -> f64,
    events: &[(f32, &str)],
) {
    let own = clip(editor.document(), name);
    assert!(
        (own.duration_secs - secs).abs() < 1e-5,
        "{name}: {} s",
        own.duration_secs
    );
    for part in 0..=16 {
        let time = f64::from(secs) * f64::from(part) / 16.0;
        let now = y(own, editor.document().skeleton(), time);
        assert!(
            (now - height(of(time))).abs() < 1e-5,
            "{name} at {time} s: {now}"
        );
        let mut glow = [0.0];
        own.curves[0]
            .track
            .sample(time, &mut glow)
            .expect("a number");
        let wanted = 2.0 * of(time);
        assert!(
            (f64::from(glow[0]) - wanted).abs() < 1e-5,
            "glow of {name} at {time} s"
        );
    }
    let own = own
        .events
        .iter()
        .map(|event| (event.time_secs, &*event.name));
    assert_eq!(own.collect::<Vec<_>>(), events, "{name}");
}

#[test]
fn clips_are_reversed_retimed_trimmed_and_split() {
    let changed = |edit: Value| {
        let mut editor = path();
        run(&mut editor, edit);
        editor
    };
    let both = [(0.5, "a"), (2.0, "b")];
    assert_path(&path(), "path", 4.0, |time| time, &both);
    let editor = changed(json!({"do": "reverse_clip", "clip": "path"}));
    assert_path(
        &editor,
        "path",
        4.0,
        |time| 4.0 - time,
        &[(2.0, "b"), (3.5, "a")],
    );
    let editor = changed(json!({"do": "retime_clip", "clip": "path", "factor": 0.5}));
    assert_path(
        &editor,
        "path",
        2.0,
        |time| 2.0 * time,
        &[(0.25, "a"), (1.0, "b")],
    );
    let editor =
        changed(json!({"do": "trim_clip", "clip": "path", "from_secs": 1.5, "to_secs": 3}));
    assert_path(&editor, "path", 1.5, |time| time + 1.5, &[(0.5, "b")]);
    let editor =
        changed(json!({"do": "split_clip", "clip": "path", "time_secs": 1.5, "name": "rest"}));
    assert_path(&editor, "path", 1.5, |time| time, &[(0.5, "a")]);
    assert_path(&editor, "rest", 2.5, |time| time + 1.5, &[(0.5, "b")]);
    let names = editor
        .document()
        .motions()
        .iter()
        .map(|motion| &*motion.clip.name);
    let at = names
        .clone()
        .position(|name| name == "path")
        .expect("the clip");
    assert_eq!(names.collect::<Vec<_>>()[at + 1], "rest");
    let editor = changed(json!({"do": "resample_clip", "clip": "path", "fps": 10}));
    assert_path(&editor, "path", 4.0, |time| time, &both);
    let torso = editor.document().skeleton().find("torso").expect("a torso");
    let track = clip(editor.document(), "path").track(torso, Channel::Translation);
    assert_eq!(track.expect("keys").keys(), 41);
    let editor = changed(json!({"do": "copy_clip", "clip": "path", "name": "copy"}));
    assert_path(&editor, "copy", 4.0, |time| time, &both);
}

#[test]
fn speeds_of_tangents_follow_a_new_speed() {
    let mut editor = path();
    let slopes = json!({"do": "set_tangents", "clip": "path", "joint": "torso", "channel": "translation",
        "time_secs": 1, "before": [0, 3, 0], "after": [0, -1, 0]});
    run(&mut editor, slopes);
    let before = clip(editor.document(), "path").clone();
    run(
        &mut editor,
        json!({"do": "retime_clip", "clip": "path", "factor": 2}),
    );
    let after = clip(editor.document(), "path");
    for part in 0..=20 {
        let time = f64::from(part) * 0.2;
        let [a, b] = [(&before, time), (after, 2.0 * time)]
            .map(|(clip, time)| y(clip, editor.document().skeleton(), time));
        assert!((a - b).abs() < 1e-5, "{time}: {a} {b}");
    }
}

#[test]
fn keys_are_scaled_about_a_time_and_smoothed_by_a_bell() {
    let mut editor = path();
    let torso = editor.document().skeleton().find("torso").expect("a torso");
    let all = json!([{"joints": ["torso"], "from_secs": 0, "to_secs": 9}]);
    run(
        &mut editor,
        json!({"do": "scale_keys", "clip": "path", "keys": all, "factor": 0.5, "about_secs": 2}),
    );
    let times = |editor: &Editor| {
        let track = clip(editor.document(), "path").track(torso, Channel::Translation);
        track.expect("keys").times().to_vec()
    };
    assert_eq!(times(&editor), [1.0, 1.5, 3.0]);
    // One key of height 1 among keys of height 0, one second apart.
    let mut editor = humanoid();
    run(&mut editor, json!({"do": "new_clip", "name": "path"}));
    for time in 0..5_u8 {
        let key = json!({"do": "insert_key", "clip": "path", "joint": "torso", "time_secs": time,
            "translation": [0, u8::from(time == 2), 0], "limits": "allow"});
        run(&mut editor, key);
    }
    run(
        &mut editor,
        json!({"do": "smooth_keys", "clip": "path", "keys": all, "width_secs": 1}),
    );
    let bell = |off: f64| (-0.5 * off * off).exp();
    let sum = |key: i32| {
        (0..5)
            .map(|other| bell(f64::from(other - key)))
            .sum::<f64>()
    };
    let wanted = [
        0.0,
        bell(1.0) / sum(1),
        bell(0.0) / sum(2),
        bell(1.0) / sum(3),
        0.0,
    ];
    let own = clip(editor.document(), "path");
    for (time, wanted) in wanted.into_iter().enumerate() {
        let now = y(own, editor.document().skeleton(), time as f64);
        assert!((now - wanted).abs() < 1e-5, "{time}: {now} {wanted}");
    }
}

#[test]
fn poses_are_weighted_scaled_and_reset() {
    let mut editor = mannequin();
    let skeleton = editor.document().skeleton().clone();
    let [arm, hand] = ["left_upper_arm", "left_hand"].map(|name| skeleton.find(name).expect(name));
    let rest = |joint: usize| skeleton.rest().get(joint);
    let turned = rest(arm).rotation * Quat::from_rotation_x(1.0);
    run(
        &mut editor,
        json!({"do": "pose", "joints": [{"joint": arm, "rotation": turned, "translation": [1, 2, 3]}],
            "weight": 0.25, "limits": "allow"}),
    );
    let posed = |editor: &Editor, joint: usize| editor.document().pose().get(&joint).copied();
    let now = posed(&editor, arm).expect("a pose");
    let wanted = rest(arm).rotation * Quat::from_rotation_x(0.25);
    assert!(quat::angle_between(now.rotation, wanted) < 1e-5, "{now:?}");
    let wanted = rest(arm).translation.lerp(Vec3::new(1.0, 2.0, 3.0), 0.25);
    assert!(now.translation.distance(wanted) < 1e-5, "{now:?}");
    for by in [2.0, 3.0] {
        run(
            &mut editor,
            json!({"do": "scale", "joints": [hand], "by": [by, 1, 0.5]}),
        );
    }
    let now = posed(&editor, hand).expect("a pose");
    assert_eq!(now.scale, Vec3::new(6.0, 1.0, 0.25));
    assert_eq!(now.translation, rest(hand).translation);
    run(&mut editor, json!({"do": "reset_pose", "joints": [arm]}));
    assert!(posed(&editor, arm).is_none() && posed(&editor, hand).is_some());
    run(
        &mut editor,
        json!({"do": "reset_pose", "joints": [arm], "below": true}),
    );
    assert!(editor.document().pose().is_empty());
}

#[test]
fn pulls_obey_locks_pins_and_the_first_joint() {
    let mut editor = mannequin();
    let skeleton = editor.document().skeleton().clone();
    let at = |editor: &Editor, joint: &str| {
        let mut model = sinew::ModelPose::identity(skeleton.len());
        let pose = editor.document().posed(None);
        let updated = model.update(skeleton.hierarchy(), &pose, &sinew::Affine::IDENTITY);
        updated.expect("its pose");
        model.get(skeleton.find(joint).expect(joint)).translation()
    };
    let goal = at(&editor, "left_hand") + Vec3::new(-0.1, 0.1, 0.1);
    let pull = |more: Value| {
        let mut pull = json!({"do": "reach", "joint": "left_hand", "position": goal.to_array()});
        let fields = pull.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        pull
    };
    let moved = |editor: &Editor| -> Vec<&str> {
        let joints = editor.document().pose().keys();
        joints.map(|&joint| skeleton.name(joint)).collect()
    };
    run(&mut editor, pull(json!({})));
    assert_eq!(moved(&editor), ["left_upper_arm", "left_lower_arm"]);
    assert!(at(&editor, "left_hand").distance(goal) < 1e-3);
    editor.undo();
    run(&mut editor, pull(json!({"locked": ["left_upper_arm"]})));
    assert_eq!(moved(&editor), ["left_lower_arm"]);
    editor.undo();
    let before = at(&editor, "right_hand");
    let far = json!({"from": "hips", "position": (goal + Vec3::new(0.3, 0.3, 0.3)).to_array()});
    run(&mut editor, pull(far.clone()));
    assert!(at(&editor, "right_hand").distance(before) > 0.01);
    editor.undo();
    let mut pinned = far;
    pinned["pins"] = json!(["right_hand"]);
    run(&mut editor, pull(pinned));
    assert!(at(&editor, "right_hand").distance(before) < 5e-3);
    editor.undo();
    // The elbow is on the side of its pole, seen from the line between shoulder and hand.
    for side in [-1.0, 1.0] {
        let pole = at(&editor, "left_upper_arm") + Vec3::new(0.2, side, -0.5);
        run(&mut editor, pull(json!({"pole": pole.to_array()})));
        let [shoulder, elbow, hand] =
            ["left_upper_arm", "left_lower_arm", "left_hand"].map(|joint| at(&editor, joint));
        let line = (hand - shoulder).normalize();
        let across = |v: Vec3| (v - line * v.dot(line)).normalize();
        let off = across(elbow - shoulder).angle_between(across(pole - shoulder));
        assert!(off < 0.05, "{side}: {off}");
        editor.undo();
    }
}

#[test]
fn layers_have_weights_joints_and_an_end() {
    let mut editor = path();
    let skeleton = editor.document().skeleton().clone();
    let below = clip(editor.document(), "path").clone();
    let edits = [
        json!({"do": "add_layer", "clip": "path", "name": "up"}),
        json!({"do": "insert_key", "clip": "path", "layer": "up", "joint": "torso", "time_secs": 1,
            "translation": [0, 5, 0], "limits": "allow"}),
    ];
    edits.into_iter().for_each(|edit| run(&mut editor, edit));
    let lift = |editor: &Editor, time: f64| {
        let own = clip(editor.document(), "path");
        y(own, &skeleton, time) - height(time)
    };
    // The clip is at 1 there, so the layer adds 4.
    let set = |editor: &mut Editor, more: Value| {
        let mut set = json!({"do": "set_layer", "clip": "path", "layer": "up"});
        let fields = set.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        run(editor, set);
    };
    assert!((lift(&editor, 1.0) - 4.0).abs() < 1e-5);
    set(&mut editor, json!({"weight": 0.25}));
    for time in [0.0, 1.0, 2.5] {
        assert!((lift(&editor, time) - 1.0).abs() < 1e-5, "{time}");
    }
    set(&mut editor, json!({"joints": ["head"]}));
    assert!(lift(&editor, 1.0).abs() < 1e-6);
    set(&mut editor, json!({"joints": []}));
    assert!((lift(&editor, 1.0) - 1.0).abs() < 1e-5);
    let shown = clip(editor.document(), "path").clone();
    run(&mut editor, json!({"do": "flatten", "clip": "path"}));
    assert_eq!(*clip(editor.document(), "path"), shown);
    editor.undo();
    run(
        &mut editor,
        json!({"do": "delete_layer", "clip": "path", "layer": "up"}),
    );
    assert_eq!(*clip(editor.document(), "path"), below);
}
