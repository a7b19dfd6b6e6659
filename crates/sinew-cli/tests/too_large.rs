//! Small files that ask for too much are refused: overflowing numbers, one mesh on many nodes, endless work. The
//! message says where and what to do, and nothing is written.

use crate::program;

use glam::Vec3;
use program::{folder, good, refused, run, write};
use sinew::{Clip, Interpolation, Track};
use sinew_io::gltf::{ExportOptions, to_glb};
use sinew_samples::tube_character;

#[test]
fn keys_that_grow_out_of_range_are_refused_and_nothing_is_written() {
    let folder = folder("too_large_keys");
    let mut tube = tube_character();
    let mut clip = Clip::new("huge");
    for joint in 0..2 {
        let keys = [Vec3::ZERO, Vec3::X * 3e38];
        let track = Track::vectors(vec![0.0, 1.0], &keys, Interpolation::Step);
        clip.joint_mut(joint).translation = Some(track.expect("finite keys"));
    }
    clip.fit_duration();
    let joint = format!("joint \"{}\"", tube.skeleton.name(1));
    tube.clips = vec![clip];
    let bytes = to_glb(&tube, &ExportOptions::default()).expect("finite keys");
    write(&folder, "huge.glb", bytes);
    let words = ["huge.glb", &joint, "at 1 s", "too large"];
    for output in ["out.obj", "out.ply", "out.json", "out.glb"] {
        let verb = ["skin", "huge.glb", "--clip", "huge", "--time"];
        good(&folder, &[&verb[..], &["0.5", "-o", output]].concat());
        std::fs::remove_file(folder.join(output)).expect("it was written");
        refused(&folder, &[&verb[..], &["1", "-o", output]].concat(), &words);
        assert!(!folder.join(output).exists(), "{output}");
    }
    for output in ["out.json", "out.csv"] {
        let verb = ["sample", "huge.glb", "--clip", "huge", "--time", "0,1"];
        refused(&folder, &[&verb[..], &["-o", output]].concat(), &words);
        assert!(!folder.join(output).exists(), "{output}");
    }
    refused(&folder, &["measure", "huge.glb", "--clip", "huge"], &words);
}

#[test]
fn one_mesh_on_many_nodes_is_refused_with_its_numbers() {
    let folder = folder("too_large_nodes");
    let mut tube = tube_character();
    let carrier = tube.nodes.iter().find(|n| n.mesh.is_some()).cloned();
    tube.nodes
        .resize(20_000, carrier.expect("a tube has a mesh"));
    let bytes = to_glb(&tube, &ExportOptions::default()).expect("a tube");
    write(&folder, "many.glb", bytes);
    let words = ["many.glb", "19998 nodes", "bytes of memory", "fewer nodes"];
    refused(&folder, &["skin", "many.glb", "-o", "out.obj"], &words);
    assert!(!folder.join("out.obj").exists());
}

#[test]
fn smoothing_has_a_bound() {
    let folder = folder("too_large_smooth");
    let output = run(
        &folder,
        &["bind", "a.glb", "-o", "b.glb", "--smooth", "65535"],
    );
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("--smooth") && said.contains("256"), "{said}");
}
