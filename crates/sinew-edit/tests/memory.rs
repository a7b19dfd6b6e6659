//! Memory of the history, compared with what the allocator counts.

use crate::support::{mannequin, run};
use serde_json::json;
use sinew_edit::Editor;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static HELD_BYTES: Cell<usize> = const { Cell::new(0) };
}

#[expect(
    unsafe_code,
    reason = "an allocator cannot be written otherwise; this one only counts"
)]
// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Fails only while a thread ends, which is after all measurements.
        let _ = HELD_BYTES.try_with(|held| held.set(held.get().wrapping_add(layout.size())));
        // SAFETY: the caller meets the conditions of the system allocator.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let _ = HELD_BYTES.try_with(|held| held.set(held.get().wrapping_sub(layout.size())));
        // SAFETY: the caller meets the conditions of the system allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Memory that only the history holds: it goes when the editor goes and the document stays.
fn freed_without(editor: Editor) -> usize {
    let document = editor.document().clone();
    let before = HELD_BYTES.with(Cell::get);
    drop(editor);
    let freed = before.wrapping_sub(HELD_BYTES.with(Cell::get));
    drop(document);
    freed
}

/// An editor whose clips have nothing in common with the file.
fn fresh() -> Editor {
    let mut editor = mannequin();
    run(
        &mut editor,
        json!({"do": "resample_clip", "clip": "walk", "fps": 480}),
    );
    run(
        &mut editor,
        json!({"do": "copy_clip", "clip": "walk", "name": "second"}),
    );
    run(&mut editor, json!({"do": "reverse_clip", "clip": "second"}));
    Editor::of(editor.document().clone())
}

/// Compares the reported bytes of the history with those allocated, within the rounding of the allocator and of lists.
fn check(editor: Editor, what: &str) {
    let said = editor.bytes();
    let held = freed_without(editor);
    let is_near = said as f64 > 0.7 * held as f64 && (said as f64) < 1.3 * held as f64 + 2000.0;
    assert!(is_near, "{what}: {said} bytes are said, {held} are held");
}

#[test]
fn the_memory_of_the_history_is_what_it_holds() {
    let keys = |editor: &mut Editor, layer: Option<&str>| {
        for step in 0..40 {
            let joint = ["head", "left_hand"][step % 2];
            let mut key = json!({"do": "insert_key", "clip": "walk", "joint": joint,
                "time_secs": 0.0101 * step as f64, "rotation": [0, 0, 0, 1]});
            key["layer"] = json!(layer);
            run(editor, key);
        }
    };
    let mut editor = fresh();
    run(&mut editor, json!({"do": "delete_clip", "clip": "second"}));
    check(editor, "a deleted clip");
    let mut editor = fresh();
    keys(&mut editor, None);
    check(editor, "keys");
    let mut editor = fresh();
    keys(&mut editor, None);
    while editor.undo().is_some() {}
    check(editor, "undone keys");
    let mut editor = fresh();
    run(
        &mut editor,
        json!({"do": "add_layer", "clip": "walk", "name": "fix"}),
    );
    keys(&mut editor, Some("fix"));
    check(editor, "keys of a layer");
    let mut editor = fresh();
    for step in 0..200_u8 {
        let x = f32::from(step) * 1e-3;
        let rotate = json!({"do": "rotate", "joints": ["head"], "rotation": [x, 0, 0, (1.0 - x * x).sqrt()], "limits": "allow"});
        run(&mut editor, rotate);
    }
    check(editor, "poses");
}

#[test]
fn a_limit_of_memory_holds_for_undone_steps_too() {
    let mut editor = fresh();
    for _ in 0..8 {
        run(&mut editor, json!({"do": "reverse_clip", "clip": "walk"}));
    }
    let whole = editor.bytes();
    while editor.undo().is_some() {}
    assert!(editor.bytes() > whole / 2, "undone steps are counted");
    editor.set_max_bytes(whole / 2);
    assert!(editor.bytes() <= whole / 2);
    assert!(editor.undone().count() < 8 && editor.redo().is_some());
}
