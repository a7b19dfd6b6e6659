//! Imports in steps, as in pages.

use sinew::steps::step;
use sinew_io::gltf::{ExportOptions, to_glb};
use sinew_io::{import_bytes, import_in_steps};
use std::pin::pin;

use crate::made::skinned;

#[test]
fn a_glb_is_read_in_a_step_for_each_array_and_the_result_is_that_of_one_call() {
    let mut character = skinned(4, 30, 2);
    let one = character.meshes[0].primitives.len();
    let copies = std::iter::repeat_n(character.meshes[0].primitives.clone(), 5);
    character.meshes[0].primitives = copies.flatten().collect();
    let glb = to_glb(&character, &ExportOptions::default()).unwrap();
    let mut work = pin!(import_in_steps(&glb, None));
    let mut steps = 1;
    let import = loop {
        match step(work.as_mut()) {
            Some(import) => break import.unwrap(),
            None => steps += 1,
        }
    };
    assert!(steps > 5 * one * 4, "{steps} steps");
    let at_once = import_bytes(&glb).unwrap();
    assert_eq!(import.character, at_once.character);
    assert_eq!(import.report, at_once.report);
}
