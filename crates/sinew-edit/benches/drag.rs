//! Time of one event of a drag on large files. The goal of the window is 16 ms for an event.
//!
//! `cargo bench -p sinew-edit --bench drag`

#[path = "../tests/loads.rs"]
mod loads;

use divan::Bencher;
use serde_json::Value;
use sinew::Character;
use sinew_edit::{Edit, Editor};

fn main() {
    divan::main();
}

const NAMES: [&str; 8] = [
    "rotate",
    "pose",
    "reach",
    "reach with a pin",
    "move_keys of a pose",
    "move_keys of all",
    "insert_key",
    "insert_key in a layer",
];

#[divan::bench(args = NAMES, sample_count = 40)]
fn capture_of_4500_frames_and_38_joints(bencher: Bencher<'_, '_>, event: &str) {
    drag(bencher, loads::captured(), event);
}

#[divan::bench(args = NAMES, sample_count = 40)]
fn file_of_76_clips(bencher: Bencher<'_, '_>, event: &str) {
    drag(bencher, loads::many_clips(), event);
}

#[divan::bench(args = NAMES, sample_count = 40)]
fn body_of_112_000_vertices(bencher: Bencher<'_, '_>, event: &str) {
    drag(bencher, loads::heavy_body(), event);
}

fn drag(bencher: Bencher<'_, '_>, character: Character, name: &str) {
    let read = |value: Value| -> Edit { serde_json::from_value(value).expect("an edit") };
    let mut editor = Editor::new(character);
    for value in loads::layered() {
        editor.run(read(value)).expect("an edit");
    }
    let events = loads::drags();
    let (_, event) = events
        .iter()
        .find(|(known, _)| *known == name)
        .expect("an event");
    let edits: Vec<Edit> = (1..=20)
        .map(|step| read(event(0.01 * step as f32)))
        .collect();
    let mut next = edits.iter().cycle();
    bencher.bench_local(|| {
        let edit = next.next().expect("an event").clone();
        editor.drag(edit).expect("an event").text.len()
    });
}
