//! Requests of `sinew bind` and `sinew limits` that are refused or remarked on, each in one line with a way out.

use crate::program::{demo_files, folder, good, refused, run, write};
use std::path::Path;

fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    said
}

/// The mannequin as an OBJ file, `times` as large.
fn person(folder: &Path, name: &str, times: f32) {
    let person = sinew_samples::mannequin::Mannequin::default().build();
    let body = &person.meshes[0].primitives[0];
    let mut text = String::new();
    for place in body.positions.iter().map(|&place| times * place) {
        text += &format!("v {} {} {}\n", place.x, place.y, place.z);
    }
    for [a, b, c] in body.triangles() {
        text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    write(folder, name, text);
}

#[test]
fn auto_says_once_what_it_takes_for_a_bare_person() {
    let folder = folder("bind_said_auto");
    for (times, unit) in [(100.0, "0.01"), (1.0, "1"), (1000.0, "0.001")] {
        person(&folder, "person.obj", times);
        let bind = ["bind", "person.obj", "-o", "out.glb", "--scale", "auto"];
        let said = said(&folder, &bind);
        assert_eq!(said.matches("auto").count(), 1, "{said}");
        assert!(said.contains(&format!("auto uses {unit}: ")), "{said}");
        assert!(!said.contains("not the metre"), "{said}");
        let out = sinew_io::import(folder.join("out.glb")).unwrap().character;
        let tall = sinew_rig::units::longest_side(&out.skeleton).unwrap();
        assert!((1.2..2.2).contains(&tall), "{times}: {tall}");
    }
    // Nobody is so tall: the unit stays unknown, and the line says so.
    person(&folder, "person.obj", 4e4);
    let bind = ["bind", "person.obj", "-o", "out.glb", "--scale", "auto"];
    let said = said(&folder, &bind);
    assert_eq!(said.matches("auto").count(), 1, "{said}");
    assert!(said.contains("auto uses 1: its unit is unknown"), "{said}");
}

#[test]
fn one_file_is_not_mesh_and_skeleton() {
    let words = ["tube.glb is given as mesh and as skeleton", "give it once"];
    for other in ["tube.glb", "./tube.glb"] {
        let bind = ["bind", "tube.glb", other, "-o", "same.glb"];
        refused(demo_files(), &bind, &words[1..]);
    }
    refused(
        demo_files(),
        &["bind", "tube.glb", "tube.glb", "-o", "same.glb"],
        &words,
    );
}

#[test]
fn more_influences_than_files_hold_are_refused() {
    for count in ["99", "0", "17", "many"] {
        let bind = ["bind", "tube.glb", "-o", "x.glb", "--influences", count];
        let output = run(demo_files(), &bind);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("1 to 16 influences"), "{said}");
    }
}

#[test]
fn limits_of_more_than_a_full_rotation_are_refused() {
    let set = ["limits", "tube.glb", "--set", "upper=hinge:x:-500..500"];
    let output = run(demo_files(), &set);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("from -360 to 360, and free means no limits"),
        "{said}"
    );
}

#[test]
fn joints_that_share_a_name_are_said() {
    let folder = folder("bind_said_names");
    let mut tube = sinew_samples::tube_character();
    sinew_rig::weights::unbind(&mut tube);
    let mut joints = tube.skeleton.joints();
    joints
        .iter_mut()
        .for_each(|joint| joint.name = "bone".into());
    tube.skeleton = sinew::Skeleton::new(joints).unwrap().0;
    let nodes = tube.nodes.iter_mut().filter(|node| node.joint.is_some());
    nodes.for_each(|node| node.name = "bone".into());
    let path = folder.join("twins.glb");
    sinew_io::gltf::write(&path, &tube, &sinew_io::gltf::ExportOptions::default()).unwrap();
    let words = "2 joints are called \"bone\"";
    let line = said(&folder, &["bind", "twins.glb", "-o", "out.glb"]);
    assert_eq!(line.matches(words).count(), 1, "{line}");
    let set = ["limits", "twins.glb", "--set", "bone=fixed"];
    let line = said(&folder, &set);
    assert!(line.contains(words) && line.contains("the first"), "{line}");
    assert!(good(&folder, &set).contains("bone"));
}
