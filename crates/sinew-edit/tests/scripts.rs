use crate::support::edit;
use serde_json::json;
use sinew_edit::{Edit, read_script};

/// One edit of every kind, with the fewest options.
pub fn every_edit() -> Vec<serde_json::Value> {
    let keys = json!([{"from_secs": 0, "to_secs": 1}]);
    let over = json!({"clip": "walk", "time_secs": 0.2});
    let reach = json!({"joint": "left_hand", "position": [0.3, 1.2, 0.4]});
    vec![
        json!({"do": "new_clip", "name": "new"}),
        json!({"do": "delete_clip", "clip": "walk"}),
        json!({"do": "rename_clip", "clip": "walk", "name": "stroll"}),
        json!({"do": "copy_clip", "clip": "walk", "name": "copy"}),
        json!({"do": "trim_clip", "clip": "walk", "from_secs": 0.1, "to_secs": 0.5}),
        json!({"do": "split_clip", "clip": "walk", "time_secs": 0.5, "name": "second"}),
        json!({"do": "reverse_clip", "clip": "walk"}),
        json!({"do": "mirror_clip", "clip": "walk"}),
        json!({"do": "close_loop", "clip": "walk"}),
        json!({"do": "retime_clip", "clip": "walk", "factor": 2}),
        json!({"do": "set_duration", "clip": "walk", "duration_secs": 30}),
        json!({"do": "resample_clip", "clip": "walk", "fps": 30}),
        json!({"do": "clean_clip", "clip": "walk"}),
        json!({"do": "reduce_keys", "clip": "walk"}),
        json!({"do": "smooth_keys", "clip": "walk", "keys": keys, "width_secs": 0.05}),
        json!({"do": "insert_key", "clip": "walk", "joint": "head", "time_secs": 0.33, "rotation": [0.1, 0, 0, 0.995]}),
        json!({"do": "key_pose", "clip": "walk", "time_secs": 0.33, "whole": true}),
        json!({"do": "move_keys", "clip": "walk", "keys": keys, "by_secs": 3}),
        json!({"do": "scale_keys", "clip": "walk", "keys": keys, "factor": 1.5, "about_secs": 0}),
        json!({"do": "copy_keys", "clip": "walk", "keys": keys, "time_secs": 2}),
        json!({"do": "delete_keys", "clip": "walk", "keys": keys}),
        json!({"do": "set_tangent_kind", "clip": "walk", "keys": keys, "kind": "flat"}),
        json!({"do": "set_tangents", "clip": "walk", "joint": "hips", "channel": "translation", "time_secs": 0,
               "before": [0, 0, 0], "after": [0, 1, 0]}),
        json!({"do": "set_interpolation", "clip": "walk", "interpolation": "step"}),
        json!({"do": "add_event", "clip": "walk", "time_secs": 0.2, "name": "clap"}),
        json!({"do": "set_event", "clip": "walk", "event": 0, "time_secs": 0.4}),
        json!({"do": "delete_event", "clip": "walk", "event": 0}),
        json!({"do": "set_curve_key", "clip": "walk", "curve": "glow", "time_secs": 0.2, "value": 1}),
        json!({"do": "delete_curve_key", "clip": "walk", "curve": "glow", "time_secs": 0.2}),
        json!({"do": "move_curve_key", "clip": "walk", "curve": "glow", "time_secs": 0.2, "to_secs": 0.4}),
        json!({"do": "rename_curve", "clip": "walk", "curve": "glow", "name": "shine"}),
        json!({"do": "delete_curve", "clip": "walk", "curve": "glow"}),
        json!({"do": "pose", "joints": [{"joint": "head", "rotation": [0, 0.1, 0, 0.995]}]}),
        json!({"do": "rotate", "joints": ["head"], "rotation": [0, 0.1, 0, 0.995], "over": over}),
        json!({"do": "move", "joints": ["hips"], "by": [0, 0.1, 0], "space": "model"}),
        json!({"do": "scale", "joints": ["head"], "by": [1.1, 1.1, 1.1]}),
        json!({"do": "reach", "joint": "left_hand", "position": [0.3, 1.2, 0.4]}),
        json!({"do": "mirror_pose", "over": over}),
        json!({"do": "reset_pose"}),
        json!({"do": "key_reach", "clip": "walk", "reach": reach, "from_secs": 0.2, "to_secs": 0.4}),
        json!({"do": "add_layer", "clip": "walk", "name": "fix"}),
        json!({"do": "set_layer", "clip": "walk", "layer": "fix", "weight": 0.5}),
        json!({"do": "delete_layer", "clip": "walk", "layer": "fix"}),
        json!({"do": "flatten", "clip": "walk"}),
    ]
}

#[test]
fn every_edit_is_read_written_and_named() {
    let unknown = serde_json::from_str::<Edit>(r#"{"do": "fly"}"#).expect_err("none");
    let unknown = unknown.to_string();
    let names: Vec<&str> = unknown.split('`').skip(3).step_by(2).collect();
    assert!(names.len() > 35, "{unknown}");
    let every = every_edit();
    for name in &names {
        assert!(
            every.iter().any(|edit| edit["do"] == **name),
            "no example of {name}"
        );
    }
    assert_eq!(every.len(), names.len());
    for value in every {
        let read = edit(value.clone());
        assert_eq!(read.name(), value["do"].as_str().expect("a name"));
        let written = serde_json::to_value(&read).expect("text");
        assert_eq!(edit(written), read);
    }
}

#[test]
fn every_edit_is_in_the_guide() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/edit.md");
    let guide = std::fs::read_to_string(guide).expect("docs/edit.md");
    for edit in every_edit() {
        let name = edit["do"].as_str().expect("a name");
        assert!(
            guide.contains(&format!("`{name}`")),
            "docs/edit.md does not name {name}"
        );
    }
}

#[test]
fn scripts_are_lists_or_lines_and_errors_name_edit_and_line() {
    let list =
        "[\n{\"do\": \"new_clip\", \"name\": \"a\"},\n{\"do\": \"new_clip\", \"name\": \"b\"}]";
    let lines =
        "{\"do\": \"new_clip\", \"name\": \"a\"}\n\n{\"do\": \"new_clip\", \"name\": \"b\"}\n";
    assert_eq!(
        read_script(list).expect("a list"),
        read_script(lines).expect("lines")
    );
    for (text, parts) in [
        (
            "[\n{\"do\": \"new_clip\", \"name\": \"a\"},\n{\"do\": \"fly\"}]",
            ["edit 2, line 3", "unknown variant `fly`"],
        ),
        (
            "{\"do\": \"new_clip\", \"name\": \"a\", \"size\": 3}",
            ["edit 1, line 1", "unknown field `size`"],
        ),
        (
            "\n{\"do\": \"new_clip\"}",
            ["edit 1, line 2", "missing field `name`"],
        ),
        ("[{\"do\": \"new_clip\", ", ["line 1", "EOF"]),
    ] {
        let said = read_script(text).expect_err(text).to_string();
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    }
}
