//! The Khronos validator finds no error in exported files.

use crate::foreign::foreign;
use crate::khronos;
use crate::made;
use crate::plain_bvh;

use sinew::{Character, Interpolation};
use sinew_io::gltf::{ExportOptions, export, write};
use sinew_io::{bvh, import};
use std::path::Path;

fn write_both(folder: &Path, name: &str, character: &Character, options: &ExportOptions<'_>) {
    for extension in ["glb", "gltf"] {
        let path = folder.join(format!("{name}.{extension}"));
        write(&path, character, options).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let packed = export(character, options).unwrap().compressed().unwrap();
    let path = folder.join(format!("{name} compressed.glb"));
    std::fs::write(path, packed.to_glb().unwrap()).unwrap();
}

fn write_made(folder: &Path) {
    use Interpolation::{CatmullRom, CubicHermite, Linear, Quadratic, Slerp, Step};
    let all = [Step, Linear, Slerp, Quadratic, CubicHermite, CatmullRom];
    let mut bare = made::skinned(2, 5, 1);
    bare.nodes.clear();
    let mut twice = made::skinned(3, 20, 2);
    twice.skins[0].joints[2] = 0;
    let mut rootless = made::skinned(3, 20, 2);
    rootless.nodes.retain(|node| node.joint.is_none());
    let made = [
        ("many influences", made::skinned(40, 100, 13)),
        ("many joints", made::skinned(300, 100, 5)),
        ("many vertices", made::skinned(2, 70_000, 4)),
        ("morphed", made::morphed()),
        ("animated", made::animated(&all)),
        ("eventful", made::eventful()),
        ("layered", super::gltf_layers::layered()),
        ("painted", made::painted()),
        ("bare", bare),
        ("twice", twice),
        ("rootless", rootless),
    ];
    let captured = |text: String| bvh::import_bytes(text.as_bytes()).unwrap().character;
    let (joints, frames) = (plain_bvh::HIERARCHY, plain_bvh::MOTION);
    let second = joints.replace("HIERARCHY", "");
    let twice = frames.replace(" 0 0\n", " 0 0 1 2 3 4 5 6 7 8 9\n");
    let captured = [
        ("captured", captured(plain_bvh::plain())),
        ("captured without frames", captured(joints.to_owned())),
        (
            "captured twice",
            captured(format!("{joints}{second}{twice}")),
        ),
    ];
    for (name, character) in made.into_iter().chain(captured) {
        write_both(folder, name, &character, &ExportOptions::default());
    }
}

/// Imports every file below a folder and exports it. The new name contains the path.
fn write_read(folder: &Path, from: &Path, prefix: &str) {
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let name = format!("{prefix}-{}", name.to_string_lossy());
        if path.is_dir() {
            write_read(folder, &path, &name);
        } else if let Ok(read) = import(&path) {
            let source = read.source.as_ref();
            let options = ExportOptions::new().source(source);
            write_both(folder, &name, &read.character, &options);
            let alone = ExportOptions::default();
            write_both(folder, &format!("{name}-alone"), &read.character, &alone);
        }
    }
}

#[test]
fn the_validator_finds_no_errors() {
    if !khronos::has_validator() {
        return;
    }
    let folder = khronos::empty_folder("khronos_validator");
    for from in ["gltf", "asset-generator", "bad/gltf-validator", "bvh"] {
        if let Some(from) = foreign(from) {
            write_read(&folder, &from, "read");
        }
    }
    write_made(&folder);
    let text = khronos::validated(&folder);
    println!("{text}");
    assert!(text.ends_with(" files, 0 errors\n"));
}
