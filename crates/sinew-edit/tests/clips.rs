use crate::support::{bits, clip, edit, run};
use serde_json::json;
use sinew::Character;
use sinew_edit::Editor;

fn walking() -> Editor {
    Editor::new(sinew_samples::mannequin::Mannequin::default().build())
}

#[test]
fn clips_are_made_copied_cut_and_turned() {
    let mut editor = walking();
    let walk = clip(editor.document(), "walk").clone();
    run(
        &mut editor,
        json!({"do": "copy_clip", "clip": "walk", "name": "stroll"}),
    );
    run(
        &mut editor,
        json!({"do": "retime_clip", "clip": "stroll", "factor": 2}),
    );
    assert_eq!(
        clip(editor.document(), "stroll").duration_secs,
        2.0 * walk.duration_secs
    );
    run(
        &mut editor,
        json!({"do": "split_clip", "clip": "stroll", "time_secs": walk.duration_secs, "name": "rest of it"}),
    );
    let [first, second] =
        ["stroll", "rest of it"].map(|name| clip(editor.document(), name).duration_secs);
    assert!((first + second - 2.0 * walk.duration_secs).abs() < 1e-5);
    run(
        &mut editor,
        json!({"do": "delete_clip", "clip": "rest of it"}),
    );
    run(
        &mut editor,
        json!({"do": "rename_clip", "clip": "stroll", "name": "slow"}),
    );
    run(&mut editor, json!({"do": "reverse_clip", "clip": "slow"}));
    run(&mut editor, json!({"do": "reverse_clip", "clip": "slow"}));
    assert!((clip(editor.document(), "slow").duration_secs - first).abs() < 1e-6);
    run(&mut editor, json!({"do": "mirror_clip", "clip": "walk"}));
    assert_ne!(clip(editor.document(), "walk").joints, walk.joints);
    run(&mut editor, json!({"do": "mirror_clip", "clip": "walk"}));
    assert_eq!(clip(editor.document(), "walk").joints, walk.joints);
    assert_eq!(clip(editor.document(), "walk").events, walk.events);
}

#[test]
fn names_of_events_change_sides_with_a_clip() {
    let mut editor = walking();
    run(&mut editor, json!({"do": "new_clip", "name": "steps"}));
    let names = [
        "footstep_left",
        "LeftFoot",
        "foot.L",
        "l-heel",
        "clap",
        "roll",
    ];
    let mirrored = [
        "footstep_right",
        "RightFoot",
        "foot.R",
        "r-heel",
        "clap",
        "roll",
    ];
    for (nth, name) in names.iter().enumerate() {
        run(
            &mut editor,
            json!({"do": "add_event", "clip": "steps", "time_secs": nth, "name": name}),
        );
    }
    let said = |editor: &Editor| -> Vec<String> {
        let events = clip(editor.document(), "steps").events.iter();
        events.map(|event| event.name.clone()).collect()
    };
    run(&mut editor, json!({"do": "mirror_clip", "clip": "steps"}));
    assert_eq!(said(&editor), mirrored);
    run(&mut editor, json!({"do": "mirror_clip", "clip": "steps"}));
    assert_eq!(said(&editor), names);
}

#[test]
fn events_and_curves_are_made_named_and_moved() {
    let mut editor = walking();
    run(&mut editor, json!({"do": "new_clip", "name": "act"}));
    for (time, name) in [(0.5, "clap"), (0.1, "step")] {
        run(
            &mut editor,
            json!({"do": "add_event", "clip": "act", "time_secs": time, "name": name}),
        );
    }
    run(
        &mut editor,
        json!({"do": "set_event", "clip": "act", "event": 0, "time_secs": 0.9, "name": "jump"}),
    );
    let events: Vec<(f32, String)> = clip(editor.document(), "act")
        .events
        .iter()
        .map(|e| (e.time_secs, e.name.clone()))
        .collect();
    assert_eq!(events, [(0.5, "clap".to_owned()), (0.9, "jump".to_owned())]);
    run(
        &mut editor,
        json!({"do": "delete_event", "clip": "act", "event": 0}),
    );
    for (time, value) in [(0.0, 1.0), (1.0, 3.0)] {
        run(
            &mut editor,
            json!({"do": "set_curve_key", "clip": "act", "curve": "glow", "time_secs": time, "value": value}),
        );
    }
    let mut value = [0.0];
    clip(editor.document(), "act").curves[0]
        .track
        .sample(0.5, &mut value)
        .expect("a number");
    assert_eq!(value, [2.0]);
    run(
        &mut editor,
        json!({"do": "delete_curve_key", "clip": "act", "curve": "glow", "time_secs": 0}),
    );
    run(
        &mut editor,
        json!({"do": "delete_curve_key", "clip": "act", "curve": "glow", "time_secs": 1}),
    );
    assert!(clip(editor.document(), "act").curves.is_empty());
}

#[test]
fn a_document_gives_the_character_back() {
    let character: Character = sinew_samples::mannequin::Mannequin::default().build();
    let editor = Editor::new(character.clone());
    assert_eq!(editor.document().character(), character);
    assert_eq!(bits(&editor.document().character()), bits(&character));
}

/// Half a second of noise on the head of the walk.
fn noisy_walk() -> Editor {
    let mut editor = walking();
    for key in 0..16 {
        let turn = if key % 2 == 0 { 0.03 } else { -0.03 };
        let key = json!({"do": "insert_key", "clip": "walk", "joint": "head", "time_secs": f64::from(key) / 30.0,
            "rotation": [turn, 0, 0, 1], "limits": "allow"});
        run(&mut editor, key);
    }
    editor
}

#[test]
fn a_capture_is_cleaned_and_undone_to_the_bit() {
    for edit in [
        json!({"do": "clean_clip", "clip": "walk"}),
        json!({"do": "clean_clip", "clip": "walk", "no_gaps": true, "no_spikes": true, "no_limits": true, "no_feet": true,
               "cutoff": 5}),
        json!({"do": "clean_clip", "clip": "walk", "range": [0.1, 0.4]}),
    ] {
        let mut editor = noisy_walk();
        let before = bits(&editor.document().character());
        run(&mut editor, edit);
        let text = editor
            .done()
            .next_back()
            .expect("a step")
            .report
            .text
            .clone();
        assert!(text.contains("filtered") && text.contains("jerk"), "{text}");
        assert_ne!(bits(&editor.document().character()), before);
        editor.undo();
        assert_eq!(bits(&editor.document().character()), before);
        editor.redo();
        assert_ne!(bits(&editor.document().character()), before);
    }
    let mut editor = noisy_walk();
    for (wrong, part) in [
        (
            json!({"do": "clean_clip", "clip": "walk", "cutoff": -1}),
            "cut-off",
        ),
        (
            json!({"do": "clean_clip", "clip": "walk", "cutoff": 5, "no_filter": true}),
            "no_filter",
        ),
        (
            json!({"do": "clean_clip", "clip": "walk", "floor": 0, "no_feet": true}),
            "no_feet",
        ),
        (
            json!({"do": "clean_clip", "clip": "walk", "range": [2, 1]}),
            "range",
        ),
        (json!({"do": "clean_clip", "clip": "swim"}), "swim"),
    ] {
        let error = editor.run(edit(wrong)).expect_err("refused").to_string();
        assert!(error.contains(part), "{error}");
    }
}
