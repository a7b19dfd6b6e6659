//! Files are written completely or not at all.

use crate::made;

use sinew_io::gltf::{ExportError, ExportOptions, import, write};
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<_> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A program that reads the old file can read on, because the new file is renamed over it.
#[test]
fn a_file_is_replaced_by_another_and_not_written_over() {
    use std::io::Read;
    let folder = folder("gltf_write_replaced");
    let path = folder.join("figure.glb");
    fs::write(&path, "old").unwrap();
    let mut reader = fs::File::open(&path).unwrap();
    write(&path, &made::skinned(4, 30, 2), &ExportOptions::default()).unwrap();
    let mut seen = String::new();
    reader.read_to_string(&mut seen).unwrap();
    assert_eq!(seen, "old");
    assert!(import(&path).is_ok());
    assert_eq!(names(&folder), ["figure.glb"]);
}

#[test]
fn of_a_pair_that_cannot_be_written_the_old_one_stays() {
    for (there, taken) in [("figure.bin", "figure.gltf"), ("figure.gltf", "figure.bin")] {
        let folder = folder("gltf_write_pair");
        fs::write(folder.join(there), "old").unwrap();
        fs::create_dir(folder.join(taken)).unwrap();
        let path = folder.join("figure.gltf");
        match write(&path, &made::skinned(4, 30, 2), &ExportOptions::default()) {
            Err(ExportError::Io { path, .. }) => assert!(path.ends_with(taken)),
            other => panic!("{other:?}"),
        }
        assert_eq!(fs::read(folder.join(there)).unwrap(), b"old", "{there}");
        assert_eq!(names(&folder), ["figure.bin", "figure.gltf"]);
    }
}
