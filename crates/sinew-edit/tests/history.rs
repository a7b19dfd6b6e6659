use crate::support::{edit, humanoid, run};
use serde_json::json;
use sinew_edit::Editor;

#[test]
fn a_cancelled_drag_leaves_no_step() {
    let mut editor = Editor::new(sinew_samples::humanoid_character());
    let rotated = |x: f32| {
        edit(
            json!({"do": "rotate", "joints": ["head"], "rotation": [x, 0, 0, (1.0 - x * x).sqrt()]}),
        )
    };
    editor.run(rotated(0.1)).expect("a rotation");
    let before = editor.document().pose().clone();
    editor.drag(rotated(0.2)).expect("a rotation");
    editor.drag(rotated(0.3)).expect("a rotation");
    assert_ne!(*editor.document().pose(), before);
    editor.cancel();
    assert_eq!(*editor.document().pose(), before);
    assert_eq!((editor.done().len(), editor.undone().count()), (1, 0));
    editor.cancel();
    assert_eq!(editor.done().len(), 1);
}

#[test]
fn a_drag_is_one_step() {
    let mut editor = humanoid();
    let rotate = |angle: f32| {
        edit(
            json!({"do": "rotate", "joints": ["head"], "rotation": [0, angle.sin(), 0, angle.cos()]}),
        )
    };
    for step in 1..=20_u8 {
        editor
            .drag(rotate(0.01 * f32::from(step)))
            .expect("a rotation");
    }
    editor.release();
    assert_eq!(editor.done().len(), 1);
    let dragged = editor.document().pose().clone();
    assert_eq!(
        editor.done().last().map(|step| step.edit.clone()),
        Some(rotate(0.01 * 20.0))
    );
    editor.undo();
    assert!(editor.document().pose().is_empty());
    editor.run(rotate(0.01 * 20.0)).expect("a rotation");
    assert_eq!(*editor.document().pose(), dragged);
    // A refused edit within a drag leaves the last one.
    editor.drag(rotate(0.1)).expect("a rotation");
    let now = editor.document().pose().clone();
    editor
        .drag(edit(
            json!({"do": "rotate", "joints": ["haed"], "rotation": [0, 0, 0, 1]}),
        ))
        .expect_err("no such joint");
    assert_eq!(*editor.document().pose(), now);
}

#[test]
fn joined_steps_are_undone_and_redone_together() {
    let mut editor = humanoid();
    run(&mut editor, json!({"do": "new_clip", "name": "nod"}));
    let rotate = json!({"do": "rotate", "joints": ["head"], "rotation": [0.1, 0, 0, 0.995]});
    run(&mut editor, rotate);
    let key = edit(json!({"do": "key_pose", "clip": "nod", "time_secs": 0}));
    editor.run_joined(key.clone()).expect("a key");
    let keyed = editor.document().character().clips;
    let first = editor.undo().expect("a step").name();
    assert_eq!((first.as_str(), editor.done().len()), ("rotate", 1));
    assert!(editor.document().pose().is_empty());
    let last = editor.redo().expect("a step").name();
    assert_eq!((last.as_str(), editor.done().len()), ("key_pose", 3));
    assert_eq!(editor.document().character().clips, keyed);
    // The first step of a history cannot be joined to another.
    let mut editor = humanoid();
    let clip = edit(json!({"do": "new_clip", "name": "nod"}));
    editor.run_joined(clip).expect("a clip");
    editor.undo();
    assert_eq!(editor.done().len(), 0);
}

#[test]
fn changes_since_saved_are_known() {
    let mut editor = humanoid();
    let clip = |name: &str| json!({"do": "new_clip", "name": name});
    assert!(!editor.is_changed());
    run(&mut editor, clip("a"));
    run(&mut editor, clip("b"));
    editor.mark_saved(editor.position());
    editor.undo();
    assert!(editor.is_changed());
    editor.redo();
    assert!(!editor.is_changed());
    editor.undo();
    run(&mut editor, clip("c"));
    // Two steps again, but not the saved ones.
    assert!(editor.is_changed());
}

#[test]
fn memory_of_a_thousand_edits_is_at_most_twice_what_they_changed() {
    let mut editor = Editor::new(sinew_samples::mannequin::Mannequin::default().build());
    run(
        &mut editor,
        json!({"do": "resample_clip", "clip": "walk", "fps": 240}),
    );
    let base = editor.bytes();
    let mut changed = 0;
    for step in 0..1000_u32 {
        let joint = ["head", "left_hand", "hips"][step as usize % 3];
        let document = editor.document();
        let index = document.skeleton().find(joint).expect("a joint");
        let walk = crate::support::clip(document, "walk");
        let track = walk
            .track(index, sinew::clip::Channel::Rotation)
            .expect("keys");
        changed += size_of_val(&track.times()[..]) + size_of_val(&track.values()[..]);
        let time = 0.001 * f64::from(step);
        run(
            &mut editor,
            json!({"do": "insert_key", "clip": "walk", "joint": joint, "time_secs": time, "rotation": [0, 0, 0, 1]}),
        );
    }
    let kept = editor.bytes() - base;
    assert!(kept <= 2 * changed, "{kept} bytes for {changed}");
    editor.set_max_bytes(changed / 4);
    assert!(editor.bytes() <= changed / 4);
    assert!(editor.done().len() < 1000);
}
