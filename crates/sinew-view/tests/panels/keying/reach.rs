//! Every edit of the library is reached in the window.

use super::*;
use sinew_view::state::{PanelKind, PoseTool};
use sinew_view::{PoseCommand, WindowCommand};

/// Control that makes an edit.
enum By {
    /// A button that is shown.
    Button(&'static str),
    /// An entry of a menu.
    Menu(&'static str, &'static str),
    /// A number field that is shown.
    Field(&'static str),
    /// An item whose drag or click makes the edit.
    Item(&'static str),
    /// A key that the list of keys names.
    Listed(&'static str),
}

const REACHED: [(&str, By); 44] = [
    ("new_clip", By::Button("New clip")),
    ("delete_clip", By::Button("Delete clip")),
    ("rename_clip", By::Button("Rename")),
    ("copy_clip", By::Button("Duplicate")),
    ("trim_clip", By::Button("Trim to range")),
    ("split_clip", By::Button("Split here")),
    ("reverse_clip", By::Button("Reverse")),
    ("mirror_clip", By::Button("Mirror")),
    ("close_loop", By::Button("Close loop")),
    ("retime_clip", By::Button("Retime")),
    ("set_duration", By::Item("End of the clip")),
    ("resample_clip", By::Button("Resample")),
    ("clean_clip", By::Menu("Clean a capture", "Clean the clip")),
    ("reduce_keys", By::Menu("Edit keys", "Reduce keys")),
    ("smooth_keys", By::Menu("Edit keys", "Smooth keys")),
    ("insert_key", By::Field("Key value x")),
    ("key_pose", By::Button("Key")),
    ("move_keys", By::Field("Time offset")),
    ("scale_keys", By::Menu("Edit keys", "Scale keys")),
    ("copy_keys", By::Listed("Ctrl+V")),
    ("delete_keys", By::Menu("Edit keys", "Delete keys")),
    ("set_tangent_kind", By::Menu("Tangents", "Flat tangents")),
    ("set_tangents", By::Menu("Tangents", "Free tangents")),
    ("set_interpolation", By::Menu("Edit keys", "Step")),
    ("add_event", By::Button("Add event")),
    ("set_event", By::Button("Rename event")),
    ("delete_event", By::Button("Delete event")),
    ("set_curve_key", By::Menu("Named curves", "Set curve key")),
    (
        "delete_curve_key",
        By::Menu("Named curves", "Delete curve key"),
    ),
    ("delete_curve", By::Menu("Named curves", "Delete curve")),
    ("move_curve_key", By::Item("Curve blink")),
    ("rename_curve", By::Menu("Named curves", "Rename curve")),
    ("pose", By::Button("Paste pose")),
    ("rotate", By::Button("Rotate")),
    ("move", By::Button("Move")),
    ("scale", By::Button("Scale")),
    ("reach", By::Button("Pull")),
    ("mirror_pose", By::Button("Mirror pose")),
    ("reset_pose", By::Button("Reset joint")),
    ("key_reach", By::Button("Key over range")),
    ("add_layer", By::Button("Add layer")),
    ("set_layer", By::Button("Rename layer")),
    ("delete_layer", By::Button("Delete layer")),
    ("flatten", By::Button("Flatten")),
];

#[test]
fn every_edit_has_a_control_in_the_window() {
    let Some((mut driver, _)) = keyed() else {
        return;
    };
    let unknown = serde_json::from_str::<Edit>(r#"{"do": "fly"}"#).expect_err("no edit");
    let unknown = unknown.to_string();
    let names: Vec<&str> = unknown.split('`').skip(3).step_by(2).collect();
    assert!(names.len() > 40, "{unknown}");
    for panel in [PanelKind::Look, PanelKind::Joints] {
        driver.run(WindowCommand::Panel { panel, on: false });
    }
    for panel in [PanelKind::Selected, PanelKind::Layers] {
        driver.run(WindowCommand::Panel { panel, on: true });
    }
    driver.click("Edit the clip");
    let tool = PoseTool::Pull;
    driver.run(PoseCommand::PoseTool { tool });
    driver.run(PlaybackCommand::Range {
        range_secs: Some([0.0, 0.5]),
    });
    driver.click("Add layer");
    run(
        &mut driver,
        r#"{"do": "add_event", "clip": "clip", "time_secs": 0.5, "name": "step"}"#,
    );
    run(
        &mut driver,
        r#"{"do": "set_curve_key", "clip": "clip", "curve": "blink", "time_secs": 0.5, "value": 1}"#,
    );
    driver.frames(20);
    let keys: String = include_str!("../../../src/panels/overlays/help.rs").to_owned();
    let mut missing = Vec::new();
    for name in names {
        let by = REACHED.iter().find(|reached| reached.0 == name);
        let Some((_, by)) = by else {
            missing.push(name);
            continue;
        };
        let has = match by {
            By::Button(label) | By::Field(label) => driver.has(label),
            By::Item(label) => {
                // Rows of joints leave no room for those of curves.
                let selection = Selection::None;
                driver.run(SelectionCommand::Select { selection });
                let has = driver.has(label);
                select(&mut driver, "spine_1");
                has
            }
            By::Menu(menu, entry) => {
                driver.click(menu);
                let has = driver.has(entry);
                driver.click(menu);
                driver.frames(2);
                has
            }
            By::Listed(key) => keys.contains(key),
        };
        assert!(has, "no control for {name}");
    }
    assert!(missing.is_empty(), "{missing:?}");
}
