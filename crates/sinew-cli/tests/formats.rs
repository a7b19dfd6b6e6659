//! Conversions of every format into every other, and files of meshes alone.

use crate::made_c3d;
use crate::program;

use made_c3d::C3d;
use program::{folder, good, json, refused, run, write};
use sinew::{Character, Method, deform};
use sinew_io::{write_obj, write_ply};
use std::path::Path;

const WALK: &str = "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n10 0 0\n";

const FBX: &str = "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}\nObjects:  {\n\tModel: 1, \"Model::hips\", \"LimbNode\" {\n\t\tVersion: 232\n\t}\n\tNodeAttribute: 2, \"NodeAttribute::\", \"LimbNode\" {\n\t\tTypeFlags: \"Skeleton\"\n\t}\n}\nConnections:  {\n\tC: \"OO\",1,0\n\tC: \"OO\",2,1\n}\n";

fn person() -> Character {
    sinew_samples::mannequin::Mannequin::default().build()
}

fn write_meshes(folder: &Path) {
    let person = person();
    let moved = deform(&person, None, 0.0, Method::Linear).expect("it moves");
    let (mut obj, mut ply) = (Vec::new(), Vec::new());
    write_obj(&person, &moved, &mut obj).expect("memory");
    write_ply(&person, &moved, &mut ply).expect("memory");
    write(folder, "person.obj", obj);
    write(folder, "person.ply", ply);
}

#[test]
fn every_format_becomes_every_other_or_says_why_not() {
    let folder = folder("formats");
    write_meshes(&folder);
    good(&folder, &["demo", "--no-pictures", "-o", "."]);
    good(&folder, &["convert", "tube.glb", "-o", "tube.gltf"]);
    good(&folder, &["compress", "tube.glb", "-o", "tube.sinew"]);
    write(&folder, "walk.bvh", WALK);
    write(&folder, "bone.fbx", FBX);
    write(
        &folder,
        "trial.c3d",
        C3d::new(&["a"], vec![vec![Some([0.0; 3])]]).bytes(),
    );
    let inputs = [
        ("tube.glb", 2, true, 2),
        ("tube.gltf", 2, true, 2),
        ("tube.sinew", 2, false, 2),
        ("bone.fbx", 1, false, 0),
        ("walk.bvh", 2, false, 1),
        ("person.obj", 1, true, 0),
        ("person.ply", 1, true, 0),
    ];
    for (input, joints, has_mesh, clips) in inputs {
        let triangles = |file: &str| -> u64 {
            let info = json(&good(&folder, &["info", "--json", file]));
            let meshes = info["meshes"].as_array().expect("a list").iter();
            meshes.filter_map(|mesh| mesh["triangles"].as_u64()).sum()
        };
        for output in ["out.glb", "out.gltf", "out.bvh"] {
            let report = json(&good(&folder, &["convert", input, "-o", output, "--json"]));
            let info = json(&good(&folder, &["info", "--json", output]));
            assert_eq!(info["findings"], json("[]"), "{input} to {output}");
            let is_bvh = output == "out.bvh";
            assert_eq!(info["joints"], joints, "{input} to {output}");
            assert_eq!(has_mesh, triangles(input) > 0);
            if is_bvh {
                // One clip, or the rest pose; findings report the rest.
                assert_eq!(info["clips"].as_array().map(Vec::len), Some(1));
                let said = report["findings"].to_string();
                assert_eq!(said.contains("NO_MESHES"), has_mesh, "{input}: {said}");
                assert_eq!(said.contains("OTHER_CLIPS"), clips > 1, "{input}: {said}");
            } else {
                assert_eq!(info["clips"].as_array().map(Vec::len), Some(clips));
                assert_eq!(triangles(output), triangles(input), "{input} to {output}");
            }
        }
    }
    for output in ["out.glb", "out.gltf", "out.bvh"] {
        refused(
            &folder,
            &["convert", "trial.c3d", "-o", output],
            &["trial.c3d", "sinew mocap"],
        );
    }
    for output in ["out.fbx", "out.obj", "out.c3d", "out"] {
        let wrong = run(&folder, &["convert", "tube.glb", "-o", output]);
        let said = String::from_utf8_lossy(&wrong.stderr);
        assert_eq!(wrong.status.code(), Some(2), "{said}");
        assert!(said.contains(".glb, .gltf, .vrm, .bvh or .html"), "{said}");
    }
}

#[test]
fn a_mesh_alone_is_bound_to_a_skeleton() {
    let folder = folder("formats_bind");
    write_meshes(&folder);
    let person = person();
    let mut skeleton = Character::from_skeleton(person.skeleton.clone());
    skeleton.clips = person.clips.clone();
    skeleton
        .clips
        .iter_mut()
        .for_each(|clip| clip.morphs.clear());
    sinew_io::save(folder.join("skeleton.glb"), &skeleton).expect("the folder is ours");
    for mesh in ["person.obj", "person.ply"] {
        let report = json(&good(
            &folder,
            &["bind", mesh, "skeleton.glb", "-o", "bound.glb", "--json"],
        ));
        let bound = sinew_io::import(folder.join("bound.glb"))
            .expect("it is whole")
            .character;
        assert_eq!(bound.skins.len(), 1, "{mesh}");
        assert!(
            report["joints_used"].as_u64() > Some(20),
            "{mesh}: {report}"
        );
        let clip = bound
            .find_clip(&person.clips[0].name)
            .expect("the skeleton's clips came along");
        let moved = deform(&bound, Some(clip), 0.5, Method::Linear).expect("it moves");
        let still = deform(&bound, None, 0.0, Method::Linear).expect("it stands");
        let moves = |part: &sinew::DeformedPrimitive, rest: &sinew::DeformedPrimitive| {
            let pairs = part.positions.iter().zip(&rest.positions);
            pairs.map(|(a, b)| a.distance(*b)).fold(0.0_f32, f32::max)
        };
        let parts = moved.primitives.iter().zip(&still.primitives);
        let furthest = parts.map(|(a, b)| moves(a, b)).fold(0.0, f32::max);
        assert!(furthest > 0.05, "{mesh}: {furthest}");
    }
    good(&folder, &["bind", "person.obj", "-o", "fitted.glb"]);
    let output = run(&folder, &["measure", "fitted.glb", "--json"]);
    assert!(!String::from_utf8_lossy(&output.stderr).contains("no skin"));
}

#[test]
fn what_is_compressed_is_smaller_and_says_what_it_left_out() {
    let folder = folder("compressed");
    let plain = ["convert", "person.glb", "-o", "plain.glb"];
    write(
        &folder,
        "person.glb",
        sinew_io::gltf::to_glb(&person(), &Default::default()).expect("it can be written"),
    );
    good(&folder, &plain);
    for output in ["packed.glb", "packed.gltf"] {
        let convert = [
            "convert",
            "person.glb",
            "--compress",
            "meshopt",
            "--json",
            "-o",
            output,
        ];
        let report = json(&good(&folder, &convert));
        let said = report["findings"].to_string();
        assert!(said.contains("TRACKS_AT_REST"), "{said}");
        let infos =
            ["plain.glb", output].map(|name| json(&good(&folder, &["info", "--json", name])));
        assert_eq!(infos[1]["findings"], json("[]"), "{output}");
        for member in ["joints", "nodes"] {
            assert_eq!(infos[0][member], infos[1][member], "{output}: {member}");
        }
        let names = |info: &serde_json::Value| -> Vec<String> {
            let clips = info["clips"].as_array().expect("a list").iter();
            clips.map(|clip| clip["name"].to_string()).collect()
        };
        assert_eq!(names(&infos[0]), names(&infos[1]));
    }
    let size = |name: &str| std::fs::metadata(folder.join(name)).expect("a file").len();
    assert!(3 * size("packed.glb") < size("plain.glb"));
}

#[test]
fn info_names_the_exporter_and_what_is_known_of_it() {
    let folder = folder("formats_quirks");
    let rig = WALK.replace("ROOT a", "ROOT mixamorig:Hips");
    write(&folder, "rig.bvh", rig);
    write(
        &folder,
        "cmu.bvh",
        "HIERARCHY ROOT Hips { OFFSET 0 0 0 JOINT LHipJoint { OFFSET 1 0 0 } JOINT RHipJoint { OFFSET -1 0 0 } JOINT LThumb { OFFSET 0 2 0 } }",
    );
    let up = r#"{"asset":{"version":"2.0","generator":"COLLADA2GLTF"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"Z_UP","children":[1]},{"name":"hip"}],"skins":[{"joints":[1]}]}"#;
    write(&folder, "up.gltf", up);
    write(
        &folder,
        "scan.ply",
        "ply\nformat ascii 1.0\ncomment Created by Blender 4.2\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
    );
    for (file, exporter, of) in [
        ("rig.bvh", None, Some("Mixamo")),
        (
            "cmu.bvh",
            None,
            Some("CMU's library, as converted for MotionBuilder"),
        ),
        ("up.gltf", Some("COLLADA2GLTF"), Some("COLLADA2GLTF")),
        ("scan.ply", Some("Blender 4.2"), None),
    ] {
        let info = json(&good(&folder, &["info", "--json", file]));
        assert_eq!(info["exporter"].as_str(), exporter, "{file}");
        assert_eq!(info["quirks"][0]["of"].as_str(), of, "{file}");
        let printed = good(&folder, &["info", file]);
        if let Some(of) = of {
            assert!(
                printed.contains(&format!("known quirk of {of}: ")),
                "{printed}"
            );
        }
        if let Some(exporter) = exporter {
            assert!(
                printed.starts_with(&format!("written by {exporter}\n")),
                "{printed}"
            );
        }
    }
}

/// Eight bits of grey, one pixel, cut off in its pixels, as a data URI.
const DAMAGED: &str =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGM=";

#[test]
fn a_damaged_picture_is_kept_and_said_to_be() {
    let folder = folder("damaged_picture");
    let document = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"name":"a"}}],
        "images":[{{"uri":"{DAMAGED}"}}],"textures":[{{"source":0}}]}}"#
    );
    write(&folder, "a.gltf", document);
    let output = run(&folder, &["convert", "a.gltf", "-o", "b.glb"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("1 damaged picture of a.gltf kept unchanged"),
        "{said}"
    );
    assert!(!said.contains("left out"), "{said}");
    let info = json(&good(&folder, &["info", "--json", "b.glb"]));
    assert_eq!(info["findings"][0]["code"], "IMAGE_DATA_INVALID");
}
