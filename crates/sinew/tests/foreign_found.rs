//! Tests that need third-party files are skipped only if the files are absent.

use crate::foreign::{files_below, found};
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

fn made(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(folder.join("bvh/more")).expect("the folder is ours");
    for file in ["bvh/walk.bvh", "bvh/more/run.bvh", "bvh/LICENSE"] {
        std::fs::write(folder.join(file), "").expect("the folder is ours");
    }
    folder
}

#[test]
fn without_the_folder_a_test_is_skipped_unless_it_is_required() {
    let none = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_foreign_files");
    assert_eq!(found(&none, "bvh/walk.bvh", false), None);
    assert!(catch_unwind(|| found(&none, "bvh/walk.bvh", true)).is_err());
}

#[test]
fn in_a_folder_that_is_there_the_file_has_to_be_too() {
    let folder = made("foreign_files");
    for is_required in [false, true] {
        let walk = found(&folder, "bvh/walk.bvh", is_required);
        assert_eq!(walk, Some(folder.join("bvh/walk.bvh")));
        assert_eq!(found(&folder, "bvh", is_required), Some(folder.join("bvh")));
        assert!(catch_unwind(|| found(&folder, "bvh/jump.bvh", is_required)).is_err());
    }
}

#[test]
fn files_are_found_at_any_depth_by_their_endings() {
    let folder = made("foreign_endings");
    let files = ["bvh/more/run.bvh", "bvh/walk.bvh"].map(|file| folder.join(file));
    assert_eq!(files_below(&folder, &["bvh", "glb"]), files);
    assert!(files_below(&folder, &["glb"]).is_empty());
}

#[test]
fn no_test_looks_for_them_in_another_way() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for entry in std::fs::read_dir(crates).expect("a folder") {
        let tests = entry.expect("it can be listed").path().join("tests");
        let sources = match tests.is_dir() {
            true => files_below(&tests, &["rs"]),
            false => continue,
        };
        for source in sources {
            let text = std::fs::read_to_string(&source).expect("text");
            let is_the_way = source.ends_with("foreign/mod.rs");
            assert!(
                is_the_way || !text.contains(concat!("shared", "/conformance")),
                "{}: ask `foreign` for it",
                source.display()
            );
        }
    }
}
