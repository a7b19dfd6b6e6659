//! Third-party files beside the checkout. Tests that need them are skipped if the folder is absent.
#![allow(dead_code, reason = "each program of tests uses some of it")]

use std::path::{Path, PathBuf};

/// Path of a conformance file or folder, in `CONFORMANCE` or in `../shared/conformance` from the
/// repository root. Without that folder, prints a note and returns `None`.
///
/// Panics if the folder lacks this file, or if it is absent and `SINEW_REQUIRE_FOREIGN` is set.
#[track_caller]
pub fn foreign(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::env::var_os("CONFORMANCE").unwrap_or("../shared/conformance".into());
    let is_required = std::env::var_os("SINEW_REQUIRE_FOREIGN").is_some();
    found(&root.join(folder), name, is_required)
}

/// Sorted conformance files below a folder, with one of these extensions. Empty without conformance
/// files. Panics as [`foreign`] does, and if the folder has no such file.
#[track_caller]
pub fn foreign_files(name: &str, endings: &[&str]) -> Vec<PathBuf> {
    let Some(folder) = foreign(name) else {
        return Vec::new();
    };
    let files = files_below(&folder, endings);
    let path = folder.display();
    assert!(!files.is_empty(), "{path} has no file of {endings:?}");
    files
}

/// Path of an oracle file beside the conformance files.
#[track_caller]
pub fn oracle(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracles");
    found(&folder, name, false)
}

#[track_caller]
pub fn found(folder: &Path, name: &str, is_required: bool) -> Option<PathBuf> {
    if !folder.is_dir() {
        let said = format!("{} is not there", folder.display());
        assert!(!is_required, "SINEW_REQUIRE_FOREIGN is set, and {said}");
        println!("SKIPPED: {said}");
        return None;
    }
    let path = folder.join(name);
    assert!(path.exists(), "{} is not there", path.display());
    Some(path)
}

/// Sorted files below a folder, with one of these extensions.
pub fn files_below(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("it can be listed").path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() {
            files.extend(files_below(&path, endings));
        } else if ending.is_some_and(|ending| endings.contains(&ending)) {
            files.push(path);
        }
    }
    files.sort();
    files
}
