//! Files beside a document that are too large, or that are Git LFS pointers.

use std::path::{Path, PathBuf};

use serde_json::json;
use sinew_io::report::Severity;
use sinew_io::{ImportError, c3d, import, import_at};

use crate::plain_gltf::{ONE_PIXEL, triangle, triangle_with};

const POINTER: &[u8] =
    b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn triangle_with_picture(folder: &Path) -> PathBuf {
    let images = json!({"images": [{"uri": "skin.png"}], "textures": [{"source": 0}]});
    let path = folder.join("triangle.gltf");
    std::fs::write(&path, triangle_with(images).to_string()).unwrap();
    path
}

fn triangle_with_library(folder: &Path) -> PathBuf {
    let path = folder.join("triangle.obj");
    let text = "mtllib skin.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl skin\nf 1 2 3\n";
    std::fs::write(&path, text).unwrap();
    path
}

fn left_out(path: &Path) -> String {
    let import = import(path).unwrap_or_else(|error| panic!("{error}"));
    let said = import.report.of(Severity::Ignored);
    let said: Vec<String> = said.map(ToString::to_string).collect();
    said.join("\n")
}

#[test]
fn a_pointer_of_git_lfs_is_called_so_with_the_way_out() {
    let says = |text: &str| {
        assert!(
            text.contains("Git LFS") && text.contains("`git lfs pull`"),
            "{text}"
        );
    };
    for name in ["a.glb", "a.fbx", "a.obj", "a.ply", "a.bvh", "a.sinew", "a"] {
        let refused = import_at(POINTER, Some(Path::new(name))).unwrap_err();
        assert!(
            matches!(refused, ImportError::Foreign(_)),
            "{name}: {refused}"
        );
        says(&refused.to_string());
    }
    says(&c3d::import_bytes(POINTER).unwrap_err().to_string());
    let folder = folder("lfs");
    std::fs::write(folder.join("skin.png"), POINTER).unwrap();
    std::fs::write(folder.join("skin.mtl"), POINTER).unwrap();
    says(&left_out(&triangle_with_picture(&folder)));
    says(&left_out(&triangle_with_library(&folder)));
    std::fs::write(folder.join("numbers.bin"), POINTER).unwrap();
    let mut document = triangle();
    document["buffers"][0]["uri"] = json!("numbers.bin");
    let path = folder.join("apart.gltf");
    std::fs::write(&path, document.to_string()).unwrap();
    says(&import(&path).unwrap_err().to_string());
}

#[test]
fn a_file_beside_a_document_is_read_up_to_a_limit() {
    let folder = folder("large");
    let long = |name: &str, start: &[u8]| {
        std::fs::write(folder.join(name), start).unwrap();
        let file = std::fs::File::options()
            .write(true)
            .open(folder.join(name))
            .unwrap();
        file.set_len((256 << 20) + 1).unwrap();
    };
    long("skin.png", ONE_PIXEL);
    long("skin.mtl", b"newmtl skin\nKd 1 0 0\n");
    for path in [
        triangle_with_picture(&folder),
        triangle_with_library(&folder),
    ] {
        let said = left_out(&path);
        assert!(said.contains("the max is 256 MiB"), "{said}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
