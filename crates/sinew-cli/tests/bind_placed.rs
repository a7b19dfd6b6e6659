//! Meshes bound to a skeleton of another file at another position.

use crate::program::{demo_files, good, json, refused, run, write};
use std::path::Path;
use std::sync::OnceLock;

/// The mannequin as a bare mesh, and its skeleton as a motion file with the hips at the origin.
fn apart() -> &'static Path {
    static MADE: OnceLock<()> = OnceLock::new();
    MADE.get_or_init(|| make_apart(demo_files()));
    demo_files()
}

fn make_apart(folder: &Path) {
    good(folder, &["skin", "mannequin.glb", "-o", "scan.obj"]);
    let motion = [
        "convert",
        "mannequin.glb",
        "--clip",
        "walk",
        "-o",
        "walk.bvh",
    ];
    good(folder, &motion);
    let text = std::fs::read_to_string(folder.join("walk.bvh")).expect("the motion");
    let at = text.find("OFFSET").expect("the root's");
    let end = at + text[at..].find('\n').expect("a line");
    let at_origin = format!("{}OFFSET 0 0 0{}", &text[..at], &text[end..]);
    write(folder, "at_origin.bvh", &at_origin);
}

#[test]
fn a_skeleton_that_stands_beside_its_mesh_is_stood_into_it() {
    let folder = apart();
    let bound = |skeleton: &str, out: &str| {
        let bind = ["bind", "scan.obj", skeleton, "-o", out, "--json"];
        json(&good(folder, &bind))
    };
    let where_it_is = bound("mannequin.glb", "bound_mannequin.glb");
    let at_origin = bound("at_origin.bvh", "bound_at_origin.glb");
    let notes = at_origin["notes"].to_string();
    assert!(
        notes.contains("at_origin.bvh") && notes.contains("was moved into the mesh by"),
        "{notes}"
    );
    assert!(
        !where_it_is["notes"]
            .to_string()
            .contains("was moved into the mesh by")
    );
    let [here, there] = [where_it_is, at_origin].map(|report| report["joints_used"].as_u64());
    assert!(here.is_some_and(|joints| joints > 20));
    // Aligning the feet does not quite restore the original position.
    let (here, there) = (here.unwrap_or(0), there.unwrap_or(0));
    assert!(here.abs_diff(there) <= 4, "{here} and {there} joints");
}

#[test]
fn a_skeleton_in_another_unit_is_refused_with_both_sizes() {
    let folder = apart();
    let large = [
        "convert",
        "mannequin.glb",
        "--scale",
        "100",
        "--clip",
        "walk",
        "-o",
        "large.bvh",
    ];
    good(folder, &large);
    refused(
        folder,
        &["bind", "scan.obj", "large.bvh", "-o", "no_bound.glb"],
        &["large.bvh", "are outside", "scan.obj", "--scale auto"],
    );
    // glTF is in metres, so `auto` cannot help and must not be suggested.
    let large = [
        "convert",
        "mannequin.glb",
        "--scale",
        "100",
        "-o",
        "large.glb",
    ];
    good(folder, &large);
    let bind = ["bind", "scan.obj", "large.glb", "-o", "no_bound.glb"];
    let words = ["large.glb", "are outside", "scan.obj"];
    refused(folder, &bind, &[&words[..], &["try --scale auto"]].concat());
    let bind = [&bind[..], &["--scale", "auto"]].concat();
    refused(
        folder,
        &bind,
        &[&words[..], &["`sinew convert --scale`"]].concat(),
    );
    let said = run(folder, &bind).stderr;
    assert!(!String::from_utf8_lossy(&said).contains("try --scale auto"));
    assert!(!folder.join("no_bound.glb").exists());
}

#[test]
fn joints_that_move_nothing_are_those_of_the_skeletons_file() {
    let folder = apart();
    let bind = ["bind", "scan.obj", "at_origin.bvh", "-o", "bound_ends.glb"];
    let said = run(folder, &bind).stderr;
    let said = String::from_utf8_lossy(&said);
    let mut lines = said.lines().filter(|line| line.contains("move nothing"));
    let line = lines.next().expect("the ends of fingers");
    assert!(line.contains("joints of at_origin.bvh"), "{line}");
}
