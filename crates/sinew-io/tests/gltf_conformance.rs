//! Real files: all of them are read, and what is found in them is printed.

use std::path::{Path, PathBuf};

use sinew_io::gltf::{ImportError, import};
use sinew_io::report::Severity;

fn models(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "gltf" || extension == "glb")
        {
            files.push(path);
        }
    }
}

#[test]
fn real_files_are_read_without_repairs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
    if !root.is_dir() {
        println!("SKIPPED: the conformance files are not here");
        return;
    }
    let mut files = Vec::new();
    models(&root.join("gltf"), &mut files);
    models(&root.join("asset-generator"), &mut files);
    for path in files {
        match import(&path) {
            Ok(import) => {
                print!("{}\n{}", path.display(), import.report);
                assert_eq!(import.report.count(Severity::Error), 0);
            }
            Err(ImportError::UnsupportedExtension { name, .. }) => {
                assert_eq!(name, "KHR_draco_mesh_compression")
            }
            Err(refusal) => panic!("{}: {refusal}", path.display()),
        }
    }
}
