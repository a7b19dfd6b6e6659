use crate::program;

use glam::{DVec2, DVec3};
use program::demo::{Folder, bad, good, json, numbers, run, text};
use serde_json::Value;
use sinew::Method;
use sinew_io::gltf;

#[test]
fn skinning_to_json_has_the_layout_of_the_references() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let file = folder.at("tube.json");
    let arguments = [
        "skin", &tube, "--clip", "bend", "--time", "0,1,2", "--method", "dqs",
    ];
    let printed = good(&arguments);
    assert_eq!(good(&[&arguments[..], &["-o", &file]].concat()), "");
    assert_eq!(
        std::fs::read_to_string(&file).expect("it was written"),
        printed
    );

    let document = json(&printed);
    assert_eq!(document["format"], "skinref/1");
    assert_eq!(document["matrixOrder"], "column-major");
    let clip = &document["clip"];
    assert_eq!((&clip["index"], &clip["name"]), (&1.into(), &"bend".into()));
    assert_eq!(clip["duration"], 2.0);
    assert_eq!(document["meshes"][0]["vertexCount"], 818);
    assert_eq!(document["nodeIndices"], serde_json::json!([0, 1, 2]));
    let samples = document["samples"].as_array().expect("a list");
    assert_eq!(samples.len(), 3);
    for (sample, t) in samples.iter().zip([0.0, 1.0, 2.0]) {
        assert_eq!(sample["t"], t);
        assert_eq!(sample["nodeWorld"].as_array().map(Vec::len), Some(3));
        assert_eq!(numbers(&sample["nodeWorld"][1]).len(), 16);
        let mesh = &sample["meshes"][0];
        let positions = numbers(&mesh["positions"]);
        assert_eq!(positions.len(), 3 * 818);
        assert_eq!(numbers(&mesh["normals"]).len(), 3 * 818);
        for (axis, (min, max)) in numbers(&mesh["min"])
            .iter()
            .zip(numbers(&mesh["max"]))
            .enumerate()
        {
            let along = positions.iter().skip(axis).step_by(3);
            assert!(along.clone().all(|x| (*min..=max).contains(x)));
            assert!(along.clone().any(|x| x == min) && along.clone().any(|x| *x == max));
        }
    }
    // 60° about z at half time, then 120°, of a joint at height 1.
    let matrix = numbers(&samples[1]["nodeWorld"][1]);
    assert!((matrix[0] - 0.5).abs() < 1e-6 && (matrix[13] - 1.0).abs() < 1e-6);
    let matrix = numbers(&samples[2]["nodeWorld"][1]);
    assert!((matrix[0] + 0.5).abs() < 1e-6);
}

/// Unit normal of the tube after the bend by 60°, at an angle around it and a height, by differences.
fn normal_of_the_bent_tube(by_duals: bool, around: f64, height: f64) -> DVec3 {
    let moved = |around: f64, height: f64| {
        let weight = (height - 0.5).clamp(0.0, 1.0);
        let [x, z] = [0.25 * around.cos(), 0.25 * around.sin()];
        let from_pivot = DVec2::new(x, height - 1.0);
        let half = 30_f64.to_radians();
        let turned = match by_duals {
            true => {
                let sum = DVec2::new(1.0 - weight + weight * half.cos(), weight * half.sin());
                DVec2::from_angle(2.0 * sum.to_angle()).rotate(from_pivot)
            }
            false => from_pivot.lerp(DVec2::from_angle(2.0 * half).rotate(from_pivot), weight),
        };
        DVec3::new(turned.x, turned.y + 1.0, z)
    };
    const STEP: f64 = 1e-5;
    let up = moved(around, height + STEP) - moved(around, height - STEP);
    let side = moved(around + STEP, height) - moved(around - STEP, height);
    up.cross(side).normalize()
}

#[test]
fn exact_normals_are_those_of_the_bent_surface_and_skinned_ones_are_not() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let vectors = |arguments: &[&str], what: &str| -> Vec<DVec3> {
        let document = json(&good(&[&["skin", &tube], arguments].concat()));
        let numbers = numbers(&document["samples"][0]["meshes"][0][what]);
        numbers.chunks(3).map(DVec3::from_slice).collect()
    };
    let still = vectors(&[], "positions");
    for method in ["lbs", "dqs"] {
        let bent = ["--clip", "bend", "--time", "1", "--method", method];
        let exact = [&bent[..], &["--normals", "exact"]].concat();
        assert_eq!(vectors(&bent, "positions"), vectors(&exact, "positions"));
        let [skinned, exact] = [&bent[..], &exact].map(|a| vectors(a, "normals"));
        let (mut count, mut worst, mut worst_skinned) = (0, 0.0_f64, 0.0_f64);
        for (vertex, p) in still.iter().enumerate() {
            // Weights rise from 0.5 to 1.5, with a crease at both ends.
            if !(0.55..1.45).contains(&p.y) {
                continue;
            }
            let truth = normal_of_the_bent_tube(method == "dqs", p.z.atan2(p.x), p.y);
            let off = |normal: DVec3| normal.angle_between(truth).to_degrees();
            count += 1;
            worst = worst.max(off(exact[vertex]));
            worst_skinned = worst_skinned.max(off(skinned[vertex]));
        }
        println!("{method}: {worst:.3}° of {count} vertices, skinned {worst_skinned:.1}°");
        assert!(count > 300, "{count}");
        assert!(worst < 0.1, "{method}: {worst}°");
        assert!(worst_skinned > 5.0, "{method}: {worst_skinned}°");
    }
    let refused = ["skin", &tube, "--normals", "exact", "--method", "rigid"];
    let said = bad(&refused, 2);
    assert!(said.contains("lbs and dqs, not for rigid"), "{said}");
}

#[test]
fn clips_go_by_name_and_number_and_methods_differ() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let skin = |rest: &[&str]| good(&[&["skin", &tube], rest].concat());
    let twisted = skin(&["--clip", "twist", "--time", "1.5"]);
    assert_eq!(skin(&["--clip", "0", "--time", "1.5"]), twisted);
    assert_eq!(skin(&["--time", "1.5"]), twisted, "the first clip");
    assert_ne!(skin(&["--clip", "1", "--time", "1.5"]), twisted);
    let own = skin(&["--time", "1.5", "--method", "dqs"]);
    assert_eq!(own, twisted, "the tube states its method");
    let rigid = skin(&["--time", "1.5", "--method", "rigid"]);
    let lbs = skin(&["--time", "1.5", "--method", "lbs"]);
    assert!(rigid != twisted && lbs != twisted && rigid != lbs);

    let rest = json(&skin(&[]));
    assert_eq!(rest["clip"], Value::Null);
    let at_start = json(&skin(&["--clip", "twist"]));
    assert_eq!(at_start["samples"][0]["t"], 0.0);
    assert_eq!(
        at_start["samples"][0]["meshes"],
        rest["samples"][0]["meshes"]
    );
}

/// The tube in a file that states a skinning method, or none.
fn stating(folder: &Folder, name: &str, method: Option<Method>) -> String {
    let path = folder.at(name);
    let tube = sinew::Character {
        stated_method: method,
        ..sinew_samples::tube_character()
    };
    gltf::write(&path, &tube, &gltf::ExportOptions::new()).expect("written");
    path
}

#[test]
fn a_file_is_skinned_by_the_method_that_it_states_and_otherwise_linearly() {
    let folder = Folder::new();
    for (stated, name) in [
        (Some(Method::DualQuat), "dqs"),
        (Some(Method::Rigid), "rigid"),
        (Some(Method::Linear), "lbs"),
        (None, "lbs"),
    ] {
        let tube = stating(&folder, "stating.glb", stated);
        let moment = ["skin", &tube, "--clip", "bend", "--time", "2"];
        let plain = good(&moment);
        assert_eq!(plain, good(&[&moment[..], &["--method", name]].concat()));
        let obj = folder.at("stated.obj");
        let said = run(&[&moment[..], &["-o", &obj]].concat());
        let said = text(&said.stderr);
        assert!(said.contains(&format!(", by {name}")), "{said}");

        let info = json(&good(&["info", "--json", &tube]));
        assert_eq!(info["method"], name);
        assert_eq!(info["method_stated"], stated.is_some());
        let why = match stated {
            Some(_) => "as the file states",
            None => "because the file states no method",
        };
        let line = format!("skinning   {name}, {why}\n");
        assert!(good(&["info", &tube]).contains(&line));
        let measured = good(&["measure", &tube, "--fps", "1"]);
        let line = format!("method     {name}, {why}\n");
        assert!(measured.contains(&line), "{measured}");
        let measured = json(&good(&["measure", &tube, "--fps", "1", "--json"]));
        assert_eq!(measured["method"], name);
    }
    // Files of other verbs state the same method.
    let tube = stating(&folder, "stating.glb", Some(Method::DualQuat));
    let other = folder.at("other.gltf");
    assert!(
        run(&["clip", &tube, "--reverse", "-o", &other])
            .status
            .success()
    );
    assert_eq!(json(&good(&["info", "--json", &other]))["method"], "dqs");
}

#[test]
fn poses_are_sampled_to_json_and_csv() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let all = json(&good(&["sample", &tube, "--clip", "twist", "--fps", "2"]));
    let joints = all["joints"].as_array().expect("joints");
    let samples = all["samples"].as_array().expect("samples");
    assert_eq!(samples.len(), 5, "two seconds, ends counted");
    assert_eq!(samples[3]["time"], 1.5);
    let last = joints.last().expect("some")["name"]
        .as_str()
        .expect("a name");
    let one = json(&good(&["sample", &tube, "--time", "1.5", "--joints", last]));
    assert_eq!(one["joints"][0]["name"], last);
    for channel in ["translation", "rotation", "scale", "worldPosition"] {
        let whole = samples[3][channel].as_array().expect("one per joint");
        assert_eq!(whole.len(), joints.len());
        assert_eq!(one["samples"][0][channel][0], *whole.last().expect("some"));
    }
    let table = folder.at("poses.csv");
    good(&["sample", &tube, "--time", "0,1.5", "-o", &table]);
    let table = std::fs::read_to_string(table).expect("written");
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 1 + 2 * joints.len());
    assert!(rows[1..].iter().all(|row| row.split(',').count() == 15));
    let events = json(&good(&["sample", &tube, "--events"]));
    assert!(events["events"].is_array());
    let nobody = bad(&["sample", &tube, "--joints", "tail"], 1);
    assert!(
        nobody.contains("tail") && nobody.contains("sinew info"),
        "{nobody}"
    );
    bad(&["sample", &tube, "--fps", "0"], 2);
}

#[test]
fn times_outside_the_clip_hold_its_ends_and_are_said() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let at = |time: &str| {
        let output = run(&["skin", &tube, "--time", time]);
        assert_eq!(output.status.code(), Some(0));
        let mut document = json(&text(&output.stdout));
        (
            document["samples"][0]["meshes"].take(),
            text(&output.stderr),
        )
    };
    let (first, quiet) = at("0");
    assert_eq!(quiet, "");
    let (last, quiet) = at("2");
    assert_eq!(quiet, "");
    let (after, said) = at("99");
    assert_eq!(after, last);
    assert!(said.contains("99 s its last pose"), "{said}");
    let (before, said) = at("-1");
    assert_eq!(before, first);
    assert!(said.contains("-1 s its first pose"), "{said}");

    let sampled = run(&["sample", &tube, "--time", "1,99", "--json"]);
    let said = text(&sampled.stderr);
    assert!(
        said.contains("lasts from 0 to 2 s; at 99 s its last"),
        "{said}"
    );
    let notes = json(&text(&sampled.stdout))["notes"].clone();
    assert_eq!(notes.as_array().map(Vec::len), Some(1), "{notes}");
    assert_eq!(text(&run(&["sample", &tube, "--fps", "7"]).stderr), "");
    let goal = ["--goal", "0,1.9,0", "--chain", "lower..upper"];
    let late = [
        "ik",
        &tube,
        "--clip",
        "bend",
        "--time",
        "7",
        "--json",
        "--allow-miss",
    ];
    let output = run(&[&late[..], &goal].concat());
    let said = text(&output.stderr);
    assert!(said.contains("at 7 s its last pose is used"), "{said}");
    assert!(
        json(&text(&output.stdout))["notes"]
            .to_string()
            .contains("at 7 s")
    );
}

#[test]
fn skinning_to_obj_ply_and_glb_keeps_every_vertex_and_triangle() {
    let folder = Folder::new();
    let tube = folder.at("tube.glb");
    let moment = ["skin", &tube, "--clip", "bend", "--time", "2"];
    let write = |name: &str| {
        let file = folder.at(name);
        assert_eq!(good(&[&moment[..], &["-o", &file]].concat()), "");
        std::fs::read(file).expect("it was written")
    };
    let document = json(&good(&moment));
    let wanted = numbers(&document["samples"][0]["meshes"][0]["positions"]);

    let obj = text(&write("bent.obj"));
    let lines = |kind: &str| {
        obj.lines()
            .filter(|l| l.split(' ').next() == Some(kind))
            .count()
    };
    assert_eq!((lines("v"), lines("vn"), lines("f")), (818, 818, 1536));
    let vertices = obj.lines().filter_map(|l| l.strip_prefix("v "));
    let found: Vec<f64> = vertices
        .flat_map(|l| l.split(' '))
        .map(|x| x.parse::<f32>().expect("a number").into())
        .collect();
    assert_eq!(found.len(), wanted.len());
    assert!(found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-6));

    let ply = write("bent.PLY");
    let header = "element vertex 818\n";
    let end = b"end_header\n";
    let body = ply
        .windows(end.len())
        .position(|w| w == end)
        .expect("a header")
        + end.len();
    assert!(text(&ply[..body]).contains(header));
    assert_eq!(ply.len() - body, 818 * 24 + 1536 * 13);

    write("bent.glb");
    let again = gltf::import(folder.at("bent.glb")).expect("it can be read");
    let primitive = &again.character.meshes[0].primitives[0];
    assert!(again.character.clips.is_empty() && again.character.skins.is_empty());
    assert_eq!(primitive.triangles().count(), 1536);
    let found = primitive.positions.iter().flat_map(|p| p.to_array());
    assert!(
        found
            .zip(&wanted)
            .all(|(a, b)| (f64::from(a) - b).abs() < 1e-6)
    );
}
