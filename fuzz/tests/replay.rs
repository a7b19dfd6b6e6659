//! Runs every target on the stored findings and on the seeds.

#[path = "../../crates/sinew-io/tests/khronos/mod.rs"]
mod khronos;

use sinew_fuzz::{TARGETS, seeds};
use sinew_io::gltf::{ExportOptions, import_bytes, write};
use std::path::{Path, PathBuf};

fn found(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("found")
        .join(target);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .map(|entry| entry.path())
        .map(|path| (path.clone(), std::fs::read(path).expect("it can be read")))
        .collect();
    files.sort();
    files
}

#[test]
fn what_fuzzing_found_holds() {
    for (target, holds) in TARGETS {
        for (path, bytes) in found(target) {
            println!("{}", path.display());
            holds(&bytes);
        }
    }
}

#[test]
fn what_fuzzers_begin_with_holds() {
    for (target, holds) in TARGETS {
        let files = seeds::made(target);
        assert!(!files.is_empty(), "{target} begins with nothing");
        for (number, bytes) in files.iter().enumerate() {
            println!("{target} {number}");
            holds(bytes);
        }
    }
}

#[test]
fn the_khronos_validator_finds_no_errors_in_what_is_written_of_them() {
    if !khronos::has_validator() {
        return;
    }
    let folder = khronos::empty_folder("fuzz_validator");
    let files = found("gltf").into_iter().map(|(_, bytes)| bytes);
    let mut written = 0;
    for (number, bytes) in files.chain(seeds::made("gltf")).enumerate() {
        let Ok(read) = import_bytes(&bytes, None) else {
            continue;
        };
        for (name, source) in [("alone", None), ("whole", Some(&read.source))] {
            let path = folder.join(format!("{number}-{name}.glb"));
            write(path, &read.character, &ExportOptions::new().source(source))
                .expect("it is written");
            written += 1;
        }
    }
    assert!(written > 10, "only {written} files");
    let text = khronos::validated(&folder);
    assert!(text.ends_with(" files, 0 errors\n"), "{text}");
}
