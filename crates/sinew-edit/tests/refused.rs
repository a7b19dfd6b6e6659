use crate::support::{bits, edit, humanoid, run};
use serde_json::json;

/// Bad edits: a message that names the problem, and nothing changes.
#[test]
fn bad_edits_change_nothing_and_say_why() {
    let mut editor = humanoid();
    run(&mut editor, json!({"do": "new_clip", "name": "kick"}));
    for time in [0.0, 0.5] {
        let key = json!({"do": "insert_key", "clip": "kick", "joint": "head", "time_secs": time, "rotation": [0, 0, 0, 1]});
        run(&mut editor, key);
    }
    let all = json!([{"from_secs": 0, "to_secs": 1}]);
    let key = |joint: &str, time: f64| json!({"do": "insert_key", "clip": "kick", "joint": joint, "time_secs": time, "rotation": [0, 0, 0, 1]});
    let before = bits(&editor.document().character());
    for (bad, said) in [
        (json!({"do": "new_clip", "name": "kick"}), "taken"),
        (json!({"do": "new_clip", "name": ""}), "empty"),
        (
            json!({"do": "delete_clip", "clip": "kik"}),
            "did you mean kick?",
        ),
        (
            json!({"do": "delete_clip", "clip": 99}),
            "there is no clip 99",
        ),
        (key("haed", 0.1), "did you mean head?"),
        (key("head", -0.1), "from 0 to 1,000,000"),
        (
            json!({"do": "insert_key", "clip": "kick", "joint": "head", "time_secs": 0}),
            "needs a translation",
        ),
        (
            json!({"do": "insert_key", "clip": "kick", "joint": "head", "time_secs": 0, "rotation": [0, 0, 0, 9]}),
            "unit length",
        ),
        (
            json!({"do": "move_keys", "clip": "kick", "keys": [{"from_secs": 0, "to_secs": 0}], "by_secs": 0.5}),
            "already a key at 0.5 s",
        ),
        (
            json!({"do": "move_keys", "clip": "kick", "keys": all, "by_secs": -1}),
            "not a time for a key",
        ),
        (
            json!({"do": "move_keys", "clip": "kick", "keys": [{"from_secs": 2, "to_secs": 3}], "by_secs": 1}),
            "no keys there",
        ),
        (
            json!({"do": "scale_keys", "clip": "kick", "keys": all, "factor": 0, "about_secs": 0}),
            "factor is 0",
        ),
        (
            json!({"do": "trim_clip", "clip": "kick", "from_secs": 0.4, "to_secs": 0.1}),
            "cannot be cut",
        ),
        (
            json!({"do": "set_layer", "clip": "kick", "layer": "fix", "weight": 0.5}),
            "has no layer",
        ),
        (json!({"do": "flatten", "clip": "kick"}), "no layers"),
        (
            json!({"do": "add_layer", "clip": "kick", "name": "x", "weight": 2}),
            "weight is 2",
        ),
        (
            json!({"do": "insert_key", "clip": "kick", "layer": "fix", "joint": "head", "time_secs": 0, "rotation": [0, 0, 0, 1]}),
            "has no layer",
        ),
        (
            json!({"do": "set_event", "clip": "kick", "event": 3}),
            "has no event 3",
        ),
        (
            json!({"do": "delete_curve", "clip": "kick", "curve": "glow"}),
            "has no curve",
        ),
        (
            json!({"do": "rotate", "joints": [], "rotation": [0, 0, 0, 1]}),
            "no joint is chosen",
        ),
        (
            json!({"do": "rotate", "joints": ["head"], "rotation": [0, 0, 0, 0]}),
            "unit length",
        ),
        (
            json!({"do": "scale", "joints": ["head"], "by": [1, 0, 1]}),
            "none of them 0",
        ),
        (
            json!({"do": "reach", "joint": "torso", "position": [0, 0, 0]}),
            "\"torso\": it has no parent",
        ),
        (
            json!({"do": "reach", "joint": "left_lower_arm", "position": [0, 0, 0], "rotation": [0, 0, 0, 2]}),
            "unit length",
        ),
        (
            json!({"do": "reach", "joint": "left_lower_arm", "position": [0, 0, 0],
                "locked": ["left_upper_arm", "torso"]}),
            "\"left_lower_arm\": all joints of its chain are locked",
        ),
        (
            json!({"do": "reach", "joint": "left_lower_arm", "position": [0, 0, 0], "from": "head"}),
            "\"left_lower_arm\": `from` is not above",
        ),
        (
            json!({"do": "move_keys", "clip": "kick", "keys": all, "by_secs": 2e6}),
            "at most 1,000,000",
        ),
        (
            json!({"do": "scale_keys", "clip": "kick", "keys": [{"from_secs": 0.5, "to_secs": 0.5}], "factor": 1000, "about_secs": -2e6}),
            "at most 1,000,000",
        ),
        (
            json!({"do": "rename_curve", "clip": "kick", "curve": "glow", "name": "x"}),
            "has no curve",
        ),
        (
            json!({"do": "set_interpolation", "clip": "kick", "joints": ["head"], "keys": all, "interpolation": "step"}),
            "not both",
        ),
        (json!({"do": "reset_pose"}), "none of these joints is posed"),
        (
            json!({"do": "key_pose", "clip": "kick", "time_secs": 0}),
            "no joint is posed",
        ),
        (
            json!({"do": "set_duration", "clip": "kick", "duration_secs": 0.1}),
            "not before the last key",
        ),
    ] {
        let name = bad["do"].as_str().expect("a name").to_owned();
        let error = editor.run(edit(bad.clone())).expect_err(&bad.to_string());
        let text = error.to_string();
        assert!(
            text.contains(said) && text.starts_with(&name),
            "{bad}: {text}"
        );
        assert_eq!(bits(&editor.document().character()), before, "{bad}");
        assert!(editor.document().pose().is_empty(), "{bad}");
    }
    let steps = editor.done().len();
    assert_eq!(steps, 3, "refused edits are not steps");
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    use sinew_edit::{ClipEdit, JointValue, PoseEdit};
    let mut editor = humanoid();
    let pose = PoseEdit::Pose {
        joints: vec![JointValue {
            joint: "head".into(),
            translation: Some(glam::Vec3::splat(f32::NAN)),
            rotation: None,
            scale: None,
        }],
        over: None,
        limits: sinew::clip::OverLimit::Clamp,
        weight: 1.0,
    };
    assert!(editor.run(pose).is_err());
    let clip = ClipEdit::NewClip {
        name: "long".to_owned(),
        duration_secs: f32::INFINITY,
    };
    assert!(editor.run(clip).is_err());
    assert!(editor.document().pose().is_empty());
}
