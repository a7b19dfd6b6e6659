use crate::support::{clip, humanoid, run};
use serde_json::json;
use sinew::clip::{Channel, TangentKind};
use sinew_edit::Editor;

fn nodding() -> Editor {
    let mut editor = humanoid();
    run(&mut editor, json!({"do": "new_clip", "name": "nod"}));
    for (time, angle) in [(0.0, 0.0_f32), (0.4, 0.2), (0.8, 0.5), (1.2, 0.2)] {
        let rotation = [(angle / 2.0).sin(), 0.0, 0.0, (angle / 2.0).cos()];
        let key = json!({"do": "insert_key", "clip": "nod", "joint": "head", "time_secs": time, "rotation": rotation});
        run(&mut editor, key);
    }
    editor
}

fn times(editor: &Editor) -> Vec<f32> {
    let head = editor.document().skeleton().find("head").expect("a head");
    let track = clip(editor.document(), "nod").track(head, Channel::Rotation);
    let times = track.expect("keys").times().iter();
    times.map(|time| (time * 1e4).round() / 1e4).collect()
}

#[test]
fn keys_move_scale_copy_and_go() {
    let mut editor = nodding();
    let from = |from: f32, to: f32| json!([{"joints": ["head"], "from_secs": from, "to_secs": to}]);
    run(
        &mut editor,
        json!({"do": "move_keys", "clip": "nod", "keys": from(0.8, 2.0), "by_secs": 1.0}),
    );
    assert_eq!(times(&editor), [0.0, 0.4, 1.8, 2.2]);
    assert_eq!(clip(editor.document(), "nod").duration_secs, 2.2);
    // Keys may pass others.
    run(
        &mut editor,
        json!({"do": "move_keys", "clip": "nod", "keys": from(0.4, 0.4), "by_secs": 1.6}),
    );
    assert_eq!(times(&editor), [0.0, 1.8, 2.0, 2.2]);
    editor.undo();
    run(
        &mut editor,
        json!({"do": "scale_keys", "clip": "nod", "keys": from(0.0, 9.0), "factor": 0.5, "about_secs": 0}),
    );
    assert_eq!(times(&editor), [0.0, 0.2, 0.9, 1.1]);
    run(
        &mut editor,
        json!({"do": "copy_keys", "clip": "nod", "keys": from(0.0, 0.2), "time_secs": 1.1}),
    );
    assert_eq!(times(&editor), [0.0, 0.2, 0.9, 1.1, 1.3]);
    run(
        &mut editor,
        json!({"do": "delete_keys", "clip": "nod", "keys": from(0.0, 0.95)}),
    );
    assert_eq!(times(&editor), [1.1, 1.3]);
    run(
        &mut editor,
        json!({"do": "delete_keys", "clip": "nod", "keys": from(0.0, 9.0)}),
    );
    assert!(clip(editor.document(), "nod").joints.is_empty());
}

#[test]
fn tangents_set_by_hand_stay_when_other_keys_move() {
    let mut editor = nodding();
    let head = editor.document().skeleton().find("head").expect("a head");
    let kinds = |editor: &Editor| -> Vec<TangentKind> {
        let track = clip(editor.document(), "nod")
            .track(head, Channel::Rotation)
            .expect("keys");
        (0..track.keys())
            .filter_map(|key| track.tangent_kind(key))
            .collect()
    };
    assert_eq!(kinds(&editor), [TangentKind::Auto; 4]);
    let before = [1.0, 0.0, 0.0, 0.0];
    run(
        &mut editor,
        json!({"do": "set_tangents", "clip": "nod", "joint": "head", "channel": "rotation",
        "time_secs": 0.4, "before": before, "after": [2.0, 0, 0, 0]}),
    );
    assert_eq!(kinds(&editor)[1], TangentKind::Free);
    let late = json!([{"from_secs": 0.8, "to_secs": 2}]);
    run(
        &mut editor,
        json!({"do": "move_keys", "clip": "nod", "keys": late, "by_secs": 0.1}),
    );
    let track = clip(editor.document(), "nod")
        .track(head, Channel::Rotation)
        .expect("keys")
        .clone();
    assert_eq!(
        track.tangents(1).expect("cubic"),
        [&before[..], &[2.0, 0.0, 0.0, 0.0]]
    );
    assert_eq!(
        kinds(&editor),
        [
            TangentKind::Auto,
            TangentKind::Free,
            TangentKind::Auto,
            TangentKind::Auto
        ]
    );
    let middle = json!([{"from_secs": 0.4, "to_secs": 0.4}]);
    for (kind, wanted) in [
        ("flat", TangentKind::Flat),
        ("linear", TangentKind::Linear),
        ("aligned", TangentKind::Aligned),
        ("auto", TangentKind::Auto),
    ] {
        run(
            &mut editor,
            json!({"do": "set_tangent_kind", "clip": "nod", "keys": middle, "kind": kind}),
        );
        assert_eq!(kinds(&editor)[1], wanted, "{kind}");
    }
}

#[test]
fn tangents_survive_gltf() {
    let mut editor = nodding();
    run(
        &mut editor,
        json!({"do": "set_tangents", "clip": "nod", "joint": "head", "channel": "rotation",
        "time_secs": 0.4, "before": [1.0, 0, 0, 0], "after": [2.0, 0, 0, 0.5]}),
    );
    let character = editor.document().character();
    let export = sinew_io::gltf::export(&character, &sinew_io::gltf::ExportOptions::default());
    let bytes = export.expect("an export").to_glb().expect("bytes");
    let back = sinew_io::import_bytes(&bytes).expect("a file").character;
    let head = |character: &sinew::Character| {
        let joint = character.skeleton.find("head").expect("a head");
        let clip = character.find_clip("nod").expect("the clip");
        character.clips[clip]
            .track(joint, Channel::Rotation)
            .expect("keys")
            .clone()
    };
    assert_eq!(head(&back), head(&character));
}

#[test]
fn fewer_and_smoother_keys_stay_within_their_bounds() {
    let mut editor = nodding();
    run(
        &mut editor,
        json!({"do": "resample_clip", "clip": "nod", "fps": 120}),
    );
    let dense = clip(editor.document(), "nod").clone();
    let head = editor.document().skeleton().find("head").expect("a head");
    let track = |clip: &sinew::Clip| clip.track(head, Channel::Rotation).expect("keys").clone();
    run(
        &mut editor,
        json!({"do": "reduce_keys", "clip": "nod", "max_degrees": 0.5}),
    );
    let few = track(clip(editor.document(), "nod"));
    let many = track(&dense);
    assert!(
        few.keys() * 3 < many.keys(),
        "{} of {}",
        few.keys(),
        many.keys()
    );
    for &time in many.times().iter() {
        let [a, b] =
            [&few, &many].map(|track| track.sample_rotation(f64::from(time)).expect("a rotation"));
        let off = sinew::transform::quat::angle_between(a, b).to_degrees();
        assert!(off <= 0.5001, "{off} at {time}");
    }
    let all = json!([{"from_secs": 0, "to_secs": 9}]);
    run(
        &mut editor,
        json!({"do": "smooth_keys", "clip": "nod", "keys": all, "width_secs": 0.1}),
    );
    let smooth = track(clip(editor.document(), "nod"));
    assert_eq!(smooth.key(0), few.key(0));
    assert_ne!(smooth, few);
}
