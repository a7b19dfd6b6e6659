//! Files and results of others, which lie beside a checkout and not in it: where the folder is absent tests are skipped,
//! by name, and where it is there they are not.
#![allow(dead_code, reason = "each program of tests uses some of it")]

use std::path::{Path, PathBuf};

/// A file or folder of the conformance files (`CONFORMANCE`, or `../shared/conformance` from the repository's root);
/// `None` where there are no such files at all, which is said.
///
/// Panics where the folder is there and this is not in it, or where `SINEW_REQUIRE_FOREIGN` is set, as `make test` does
/// when it sees the folder, and there is none.
#[track_caller]
pub fn foreign(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::env::var_os("CONFORMANCE").unwrap_or("../shared/conformance".into());
    let is_required = std::env::var_os("SINEW_REQUIRE_FOREIGN").is_some();
    found(&root.join(folder), name, is_required)
}

/// Files below a folder of the conformance files with one of these endings, in order; none where there are no
/// conformance files. Panics as [`foreign`] does, and where the folder has no such file.
#[track_caller]
pub fn foreign_files(name: &str, endings: &[&str]) -> Vec<PathBuf> {
    let Some(folder) = foreign(name) else {
        return Vec::new();
    };
    let files = files_below(&folder, endings);
    let place = folder.display();
    assert!(!files.is_empty(), "{place} has no file of {endings:?}");
    files
}

/// A file of the oracles beside the conformance files.
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

/// Files below a folder with one of these endings, in order.
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
