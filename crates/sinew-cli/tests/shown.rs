//! `--hide` and `--only`.

use crate::program;
use crate::render::is_without_gpu;
use glam::Vec3;
use program::{folder, good, json, refused, run};
use serde_json::Value;
use sinew::character::Node;
use sinew::mesh::shapes;
use sinew::{Affine, Character, Mesh};
use sinew_io::gltf;
use std::path::Path;

/// A body, two swords, and a shield below a node of its own.
fn pack() -> Character {
    let mesh = |name: &str| Mesh {
        name: format!("{name} mesh"),
        primitives: vec![shapes::cuboid(Vec3::splat(0.4))],
        ..Mesh::default()
    };
    let mut pack = Character::from_mesh(mesh("body"));
    pack.nodes[1].name = "body".to_owned();
    let names = ["sword_a", "sword_b", "shields", "round"];
    for (place, name) in names.into_iter().enumerate() {
        let has_mesh = name != "shields";
        let index = pack.meshes.len();
        pack.nodes.push(Node {
            name: name.to_owned(),
            parent: (name == "round").then_some(4),
            parent_from_node: Affine::from_translation(Vec3::X * (place + 1) as f32),
            joint: None,
            mesh: has_mesh.then_some(index),
            skin: None,
            morph_weights: Vec::new(),
            light: None,
        });
        if has_mesh {
            pack.meshes.push(mesh(name));
        }
    }
    pack
}

fn write(folder: &Path) {
    let path = folder.join("pack.glb");
    gltf::write(path, &pack(), &gltf::ExportOptions::new()).expect("written");
}

fn names(meshes: &Value) -> Vec<&str> {
    let meshes = meshes.as_array().expect("a list").iter();
    meshes
        .map(|mesh| mesh["name"].as_str().expect("a name"))
        .collect()
}

#[test]
fn meshes_are_hidden_and_shown_by_name() {
    let folder = folder("shown");
    write(&folder);
    for (options, shown) in [
        (
            &[][..],
            &["body mesh", "sword_a mesh", "sword_b mesh", "round mesh"][..],
        ),
        (&["--hide", "sword_?"], &["body mesh", "round mesh"]),
        (
            &["--hide", "shields"],
            &["body mesh", "sword_a mesh", "sword_b mesh"],
        ),
        (
            &["--only", "*_b mesh", "--only", "body"],
            &["body mesh", "sword_b mesh"],
        ),
        (
            &["--only", "s*", "--hide", "sword_a"],
            &["sword_b mesh", "round mesh"],
        ),
        (&["--hide", "*"], &[]),
    ] {
        let skin = json(&good(&folder, &[&["skin", "pack.glb"], options].concat()));
        assert_eq!(names(&skin["meshes"]), shown, "{options:?}");
        let convert = ["convert", "pack.glb", "-o", "some.glb", "--json"];
        let report = json(&good(&folder, &[&convert[..], options].concat()));
        assert_eq!(report["meshes"], shown.len());
        assert_eq!(report["findings"], serde_json::json!([]), "{options:?}");
        let info = json(&good(&folder, &["info", "--json", "some.glb"]));
        assert_eq!(names(&info["meshes"]), shown, "{options:?}");
    }
}

#[test]
fn names_without_a_mesh_are_errors() {
    let folder = folder("not_shown");
    write(&folder);
    for verb in [
        &["skin"][..],
        &["convert", "-o", "x.glb"],
        &["render", "-o", "x.png"],
    ] {
        let with = |option: &[&'static str]| [verb, &["pack.glb"], option].concat();
        let near = [
            "pack.glb: there is no mesh or node \"sword_c\"",
            "did you mean sword_a",
        ];
        refused(&folder, &with(&["--hide", "sword_c"]), &near);
        let nothing = ["no mesh is at or below \"root\""];
        refused(&folder, &with(&["--only", "root"]), &nothing);
    }
    let view = [
        "view",
        "pack.glb",
        "--screenshot",
        "x.png",
        "--hide",
        "sword_c",
    ];
    if run(&folder, &["view", "--help"]).status.success() {
        refused(&folder, &view, &["there is no mesh or node \"sword_c\""]);
    }
    assert!(!folder.join("x.glb").exists() && !folder.join("x.png").exists());
}

#[test]
fn a_picture_with_a_hidden_mesh_is_that_of_a_file_without_it() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("hidden_picture");
    write(&folder);
    let picture = |file: &str, options: &[&str]| {
        let render = ["render", file, "-o", "x.png", "--size", "60x40"];
        good(&folder, &[&render[..], options].concat());
        std::fs::read(folder.join("x.png")).expect("written")
    };
    good(
        &folder,
        &[
            "convert",
            "pack.glb",
            "--hide",
            "sword*",
            "-o",
            "unarmed.glb",
        ],
    );
    let hidden = picture("pack.glb", &["--hide", "sword*"]);
    assert!(hidden == picture("unarmed.glb", &[]));
    assert!(hidden != picture("pack.glb", &[]));
}
