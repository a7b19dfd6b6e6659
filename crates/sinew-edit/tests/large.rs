//! Edits of large files: what stays shared, and the memory of many edits. `benches/drag.rs` times them.

use crate::loads::{captured, drags, heavy_body, layered, many_clips};
use crate::support::{edit, run};
use serde_json::json;
use sinew::clip::Track;
use sinew_edit::{Document, Editor};
use std::sync::Arc;

/// Tracks of a clip that an edit replaced: with new times, with new values.
fn replaced(before: &Document, after: &Document, clip: usize) -> [usize; 2] {
    let tracks = |document: &Document| -> Vec<Track> {
        document.motions()[clip].clip.tracks().cloned().collect()
    };
    let pairs: Vec<_> = tracks(before).into_iter().zip(tracks(after)).collect();
    let count =
        |differs: fn(&(Track, Track)) -> bool| pairs.iter().filter(|pair| differs(pair)).count();
    [
        count(|(a, b)| !Arc::ptr_eq(a.times(), b.times())),
        count(|(a, b)| !Arc::ptr_eq(a.values(), b.values())),
    ]
}

#[test]
fn an_event_of_a_drag_replaces_only_what_it_changes() {
    for (file, clips) in [(captured(), 2), (many_clips(), 77), (heavy_body(), 2)] {
        let mut editor = Editor::new(file);
        layered()
            .into_iter()
            .for_each(|value| run(&mut editor, value));
        let before = editor.document().clone();
        assert_eq!(before.motions().len(), clips);
        let joints = before.motions()[0].clip.joints.len();
        for (name, event) in drags() {
            for step in 1..4 {
                editor.drag(edit(event(0.001 * step as f32))).expect(name);
                let after = editor.document();
                assert!(
                    Arc::ptr_eq(before.opened(), after.opened()),
                    "{name}: the character"
                );
                // Tracks of the clip itself and of the layered one with new times, and with new values.
                let expected = match name {
                    "move_keys of a pose" | "move_keys of all" => [[joints + 1, 0], [0, 0]],
                    "insert_key" => [[1, 1], [0, 0]],
                    "insert_key in a layer" => [[0, 0], [1, 1]],
                    _ => [[0, 0], [0, 0]],
                };
                let layered = clips - 1;
                let found = [0, layered].map(|clip| replaced(&before, after, clip));
                assert_eq!(found, expected, "{name}");
                let shared = before.motions().iter().zip(after.motions());
                let shared = shared.filter(|(a, b)| Arc::ptr_eq(a, b)).count();
                let changed = usize::from(expected != [[0, 0], [0, 0]]);
                assert_eq!(shared, clips - changed, "{name}: clips");
            }
            editor.cancel();
        }
    }
}

/// Memory of the tracks that an edit replaced, in bytes.
fn changed_bytes(before: &Document, after: &Document) -> usize {
    let arrays = |document: &Document| -> std::collections::BTreeMap<usize, usize> {
        let motions = document.motions().iter();
        let tracks = motions.flat_map(|motion| motion.clip.tracks());
        let arrays = tracks.flat_map(|track| [track.times(), track.values()]);
        arrays
            .map(|array| (Arc::as_ptr(array).addr(), size_of_val(&array[..])))
            .collect()
    };
    let after_arrays = arrays(after);
    let gone = arrays(before).into_iter();
    let gone = gone.filter(|(address, _)| !after_arrays.contains_key(address));
    gone.map(|(_, size)| size).sum()
}

#[test]
fn a_thousand_edits_of_a_capture_keep_at_most_twice_what_they_changed() {
    for is_layered in [false, true] {
        let mut editor = Editor::new(captured());
        if is_layered {
            run(
                &mut editor,
                json!({"do": "add_layer", "clip": "walk", "name": "fix"}),
            );
            let joints = json!({"do": "key_pose", "clip": "walk", "layer": "fix", "time_secs": 0.2, "whole": true});
            run(&mut editor, joints);
        }
        let base = editor.bytes();
        let mut changed = 0;
        let count = if is_layered { 60 } else { 1000 };
        for step in 0..count {
            let joint = ["head", "left_upper_arm", "hips"][step % 3];
            let before = editor.document().clone();
            let mut key = json!({"do": "insert_key", "clip": "walk", "joint": joint,
                "time_secs": 0.07 * step as f64 + 0.01, "rotation": [0, 0, 0, 1]});
            if is_layered {
                key["layer"] = json!("fix");
            }
            run(&mut editor, key);
            // One track, and the same in the layer and below it.
            changed += 4504 * 5 * size_of::<f32>();
            assert!(changed_bytes(&before, editor.document()) > 0);
        }
        let kept = editor.bytes() - base;
        assert!(
            kept <= 2 * changed,
            "layered {is_layered}: {kept} bytes for {changed}"
        );
        println!("layered {is_layered}: {kept} bytes for {changed} changed by {count} edits");
    }
}
