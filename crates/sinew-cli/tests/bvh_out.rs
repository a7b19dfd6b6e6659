//! `sinew convert -o FILE.bvh`, checked with three.js.

use crate::foreign::foreign;
use crate::posed_by::posed_by;
use crate::program;

use glam::Vec3;
use program::{folder, good, has_package, json, node, run};
use sinew_io::gltf::{ExportOptions, to_glb};
use std::path::{Path, PathBuf};

/// Positions of all joints in the order of a BVH file, depth first.
fn places(character: &sinew::Character, clip: usize, time_secs: f64) -> Vec<Vec3> {
    let skeleton = &character.skeleton;
    let (_, model) = posed_by(skeleton, &character.clips[clip], time_secs);
    let mut places = Vec::new();
    let mut open = vec![0];
    while let Some(joint) = open.pop() {
        places.push(model.get(joint).transform_point(Vec3::ZERO));
        let children: Vec<_> = skeleton.children(joint).collect();
        open.extend(children.into_iter().rev());
    }
    places
}

/// Max distance between our joints and those of three.js, relative to their extent.
#[track_caller]
fn apart_in_three(folder: &Path, source: &Path, clip: usize) -> f32 {
    let number = clip.to_string();
    let source_name = source.display().to_string();
    let mut arguments = vec!["convert", &source_name, "-o", "three.bvh", "--json"];
    if !source_name.ends_with(".bvh") {
        arguments.extend(["--clip", &number]);
    }
    let report = json(&good(folder, &arguments));
    let out = folder.join("three.bvh").display().to_string();
    let said = node(&["scripts/bvh-with-three.mjs", &out]);
    let problem = String::from_utf8_lossy(&said.stderr);
    assert!(said.status.success(), "{source_name}: {problem}");
    let three = json(&String::from_utf8_lossy(&said.stdout));
    assert_eq!(three["problems"], json("[]"), "{source_name}");
    let character = sinew_io::import(source).expect("it is whole").character;
    let frames = three["frames"].as_array().expect("a list");
    assert_eq!(report["frames"], frames.len());
    let secs = report["frame_secs"].as_f64().expect("a number");
    let (mut apart, mut low, mut high) = (0.0_f32, Vec3::INFINITY, Vec3::NEG_INFINITY);
    for (frame, theirs) in frames.iter().enumerate() {
        let time = f64::from((frame as f64 * secs) as f32);
        let ours = places(&character, clip, time);
        let theirs = theirs.as_array().expect("a list");
        assert_eq!(theirs.len(), 3 * ours.len(), "{source_name}");
        for (ours, theirs) in ours.iter().zip(theirs.chunks_exact(3)) {
            let at = |axis: usize| theirs[axis].as_f64().expect("a number") as f32;
            apart = apart.max(ours.distance(Vec3::new(at(0), at(1), at(2))));
            (low, high) = (low.min(*ours), high.max(*ours));
        }
    }
    let extent = (high - low).max_element();
    println!(
        "{}: {} joints, {} frames, {:.2e} of the extent apart",
        source.file_name().unwrap_or_default().display(),
        character.skeleton.len(),
        frames.len(),
        apart / extent
    );
    apart / extent
}

#[test]
fn three_js_puts_every_joint_where_it_was_in_every_frame() {
    if !has_package("three") {
        return;
    }
    let folder = folder("bvh_three");
    let person = sinew_samples::mannequin::Mannequin::default().build();
    let made = folder.join("person.glb");
    let bytes = to_glb(&person, &ExportOptions::default()).expect("it is whole");
    std::fs::write(&made, bytes).expect("the folder is ours");
    let mut files: Vec<(PathBuf, usize)> =
        (0..person.clips.len()).map(|c| (made.clone(), c)).collect();
    let real = [
        ("bvh/cmu_02_03.bvh", 0),
        ("bvh/threejs_pirouette.bvh", 0),
        ("weights/artist/CesiumMan.glb", 0),
        ("weights/artist/Fox.glb", 0),
        ("weights/artist/Fox.glb", 1),
        ("weights/artist/Fox.glb", 2),
        ("fbx/ufbx/maya_game_sausage_7500_binary_wiggle.fbx", 0),
    ];
    for (file, clip) in real {
        files.extend(foreign(file).map(|path| (path, clip)));
    }
    for (file, clip) in files {
        let apart = apart_in_three(&folder, &file, clip);
        assert!(apart < 1e-5, "{}: {apart}", file.display());
    }
}

#[test]
fn offsets_under_positions_are_as_asked() {
    let folder = folder("bvh_offsets");
    let walk = "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n4 5 6 0 0 0\n";
    program::write(&folder, "walk.bvh", walk);
    let offset = |arguments: &[&str]| {
        good(&folder, arguments);
        let text = std::fs::read_to_string(folder.join("out.bvh")).expect("it was written");
        let line = text
            .lines()
            .find(|line| line.contains("OFFSET"))
            .expect("a root");
        assert!(
            text.ends_with("\n4 5 6 0.000000 0.000000 0.000000\n"),
            "{text}"
        );
        line.trim().to_owned()
    };
    let plain = ["convert", "walk.bvh", "-o", "out.bvh"];
    assert_eq!(offset(&plain), "OFFSET 1 2 3");
    assert_eq!(
        offset(&[&plain[..], &["--offsets", "zero"]].concat()),
        "OFFSET 0 0 0"
    );
    good(&folder, &["convert", "walk.bvh", "-o", "walk.glb"]);
    let from_glb = ["convert", "walk.glb", "-o", "out.bvh"];
    assert_eq!(offset(&from_glb), "OFFSET 0 0 0");
    assert_eq!(
        offset(&[&from_glb[..], &["--offsets", "rest"]].concat()),
        "OFFSET 1 2 3"
    );
}

#[test]
fn what_a_bvh_cannot_hold_is_said_and_in_the_json() {
    let folder = folder("bvh_said");
    good(&folder, &["demo", "--no-pictures", "-o", "."]);
    let convert = ["convert", "tube.glb", "-o", "tube.bvh", "--json"];
    let output = run(&folder, &convert);
    let said = String::from_utf8_lossy(&output.stderr);
    for words in [
        "1 meshes, 1 skins",
        "\"twist\" was written, the others were left out (1)",
        "wrote tube.bvh: 2 joints, ",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let report = json(&String::from_utf8_lossy(&output.stdout));
    let findings = report["findings"].as_array().expect("a list").iter();
    let codes: Vec<_> = findings.filter_map(|f| f["code"].as_str()).collect();
    assert!(
        codes.contains(&"NO_MESHES") && codes.contains(&"OTHER_CLIPS"),
        "{codes:?}"
    );
    good(
        &folder,
        &[
            "convert", "tube.glb", "-o", "bend.bvh", "--clip", "bend", "--fps", "10",
        ],
    );
    let bend = std::fs::read_to_string(folder.join("bend.bvh")).expect("it was written");
    assert!(bend.contains("\nFrame Time: 0.1\n"), "{bend}");
    let wrong = run(
        &folder,
        &["convert", "tube.glb", "-o", "a.glb", "--fps", "10"],
    );
    assert_eq!(wrong.status.code(), Some(2));
    program::refused(
        &folder,
        &["convert", "tube.glb", "-o", "a.bvh", "--clip", "fly"],
        &["fly", "bend"],
    );
    assert!(!folder.join("a.bvh").exists());
}
