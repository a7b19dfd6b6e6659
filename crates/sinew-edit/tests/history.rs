use crate::scripts::every_edit;
use crate::support::{bits, edit, humanoid, run};
use proptest::prelude::*;
use serde_json::{Value, json};
use sinew::Character;
use sinew_edit::Editor;

fn files() -> Vec<Character> {
    vec![
        sinew_samples::humanoid_character(),
        sinew_samples::tube_character(),
        sinew_samples::mannequin::Mannequin::default().build(),
    ]
}

/// Edits with random numbers, clips and joints. Many are refused, which must change nothing.
fn random_edit() -> impl Strategy<Value = Value> {
    let count = every_edit().len();
    (
        0..count,
        0..5_usize,
        0..24_usize,
        0.0..1.5_f32,
        -1.0..1.0_f32,
    )
        .prop_map(|(which, clip, joint, time, value)| {
            let mut edit = every_edit().swap_remove(which);
            let fields = edit.as_object_mut().expect("an object");
            for (name, field) in fields.iter_mut() {
                match name.as_str() {
                    "clip" => *field = json!(clip),
                    "joint" => *field = json!(joint),
                    "joints"
                        if field
                            .as_array()
                            .is_some_and(|list| list.iter().all(Value::is_string)) =>
                    {
                        *field = json!([joint, joint + 1]);
                    }
                    "time_secs" => *field = json!(time),
                    "by_secs" => *field = json!(value),
                    "keys" => {
                        *field = json!([{"joints": [joint], "from_secs": 0, "to_secs": time}]);
                    }
                    "name" => *field = json!(format!("clip {}", (time * 100.0) as u32)),
                    "over" => *field = json!({"clip": clip, "time_secs": time}),
                    "rotation" => {
                        *field = json!([value / 2.0, 0, 0, (1.0 - value * value / 4.0).sqrt()]);
                    }
                    "layer" => *field = json!(0),
                    _ => {}
                }
            }
            edit
        })
}

/// A twentieth of `make soak`'s count.
fn steps() -> usize {
    if std::env::var_os("SINEW_SOAK").is_some() {
        10_000
    } else {
        500
    }
}

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
fn random_edits_are_undone_and_redone_to_the_bit() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let per_file = steps() / 3;
    for character in files() {
        let first = bits(&character);
        let mut editor = Editor::new(character);
        editor.set_max_bytes(usize::MAX);
        run(&mut editor, json!({"do": "new_clip", "name": "own"}));
        let (mut tried, mut done) = (0, 1);
        while done < per_file {
            let tree = random_edit().new_tree(&mut runner).expect("an edit");
            let value = proptest::strategy::ValueTree::current(&tree);
            tried += 1;
            assert!(
                tried < 100 * per_file,
                "{done} of {tried} edits were accepted"
            );
            // An empty document refuses almost everything.
            if value["do"] == "delete_clip" && editor.document().motions().len() < 2 {
                continue;
            }
            let before = bits(&editor.document().character());
            if editor.run(edit(value.clone())).is_err() {
                assert_eq!(bits(&editor.document().character()), before, "{value}");
                continue;
            }
            done += 1;
            if done % 5 == 0 {
                let now = editor.document().character();
                now.check()
                    .unwrap_or_else(|error| panic!("{value}: {error}"));
                check(&now, &value);
            }
            if done % 50 == 0 {
                let now = editor.document().character();
                let export =
                    sinew_io::gltf::export(&now, &sinew_io::gltf::ExportOptions::default());
                let bytes = export.expect("an export").to_glb().expect("bytes");
                let back = sinew_io::import_bytes(&bytes).expect("a file");
                assert_eq!(back.character.skeleton.len(), now.skeleton.len());
            }
        }
        let last = (
            bits(&editor.document().character()),
            editor.document().pose().clone(),
        );
        let mut undone = 0;
        while editor.undo().is_some() {
            undone += 1;
        }
        assert_eq!(undone, done);
        assert_eq!(bits(&editor.document().character()), first);
        assert!(editor.document().pose().is_empty() && !editor.is_changed());
        while editor.redo().is_some() {}
        assert_eq!(bits(&editor.document().character()), last.0);
        assert_eq!(*editor.document().pose(), last.1);
    }
}

/// Checks the rules that every clip satisfies after an edit.
fn check(character: &Character, edit: &Value) {
    for clip in &character.clips {
        let end = clip
            .tracks()
            .map(sinew::Track::end_secs)
            .fold(0.0, f32::max);
        assert!(
            end <= clip.duration_secs,
            "{edit}: a key at {end} s after {} s",
            clip.duration_secs
        );
        assert!(
            clip.joints
                .windows(2)
                .all(|pair| pair[0].joint < pair[1].joint),
            "{edit}"
        );
        assert!(
            clip.events
                .windows(2)
                .all(|pair| pair[0].time_secs <= pair[1].time_secs),
            "{edit}"
        );
        assert!(clip.tracks().all(|track| track.times()[0] >= 0.0), "{edit}");
    }
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
