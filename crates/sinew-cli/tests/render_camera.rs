//! The camera of `sinew render`: framing, front, following.

use crate::render::{bad, folder, good, is_without_gpu, run, text};
use serde_json::{Value, json};
use sinew_gpu::{Picture, read_png};
use std::path::Path;

/// A person of five joints, four units high, who moves 100 units along x in two seconds; rotated about y.
fn walker(folder: &Path, name: &str, degrees: f64) -> String {
    let offset = |x: f64, y: f64, z: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        format!("OFFSET {} {y} {}", x * cos + z * sin, z * cos - x * sin)
    };
    let leg = |side: &str, x: f64| {
        format!(
            "JOINT {side}Hip {{ {} CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site {{ {} }} }}\n",
            offset(x, 0.0, 0.0),
            offset(0.0, -2.0, 0.0)
        )
    };
    let mut file = format!(
        "HIERARCHY\nROOT Hips {{ OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
         {}{}JOINT Head {{ {} CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site {{ {} }} }}\n}}\n",
        leg("Left", 0.5),
        leg("Right", -0.5),
        offset(0.0, 1.5, 0.1),
        offset(0.0, 0.5, 0.3),
    );
    file += "MOTION\nFrames: 41\nFrame Time: 0.05\n";
    for frame in 0..41 {
        let x = 2.5 * f64::from(frame);
        file += &format!("{x} 7 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    }
    let path = folder.join(name).display().to_string();
    std::fs::write(&path, file).expect("the folder is ours");
    path
}

fn bones(file: &str, flags: &[&str]) -> Picture {
    let plain = [
        "render",
        file,
        "--skeleton",
        "--background",
        "clear",
        "--passes",
        "none",
        "--size",
        "96x72",
        "-o",
        "-",
    ];
    read_png(&good(&[&plain[..], flags].concat())).expect("a picture")
}

/// Left, top, right and bottom of the drawn pixels.
fn drawn(picture: &Picture) -> [u32; 4] {
    let (width, height) = (picture.width(), picture.height());
    let all = (0..width * height).map(|k| (k % width, k / width));
    let seen: Vec<_> = all.filter(|&(x, y)| picture.pixel(x, y)[3] > 100).collect();
    let columns = || seen.iter().map(|p| p.0);
    let rows = || seen.iter().map(|p| p.1);
    let found = |side: Option<u32>| side.expect("something is drawn");
    [
        found(columns().min()),
        found(rows().min()),
        found(columns().max()),
        found(rows().max()),
    ]
}

fn height(picture: &Picture) -> u32 {
    let [_, top, _, bottom] = drawn(picture);
    bottom - top
}

#[test]
fn a_still_frames_its_own_moment_and_a_moving_picture_follows() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("render-framed");
    let file = walker(&folder, "walk.bvh", 0.0);
    for time in ["0", "1", "2"] {
        let still = bones(&file, &["--time", time, "--camera", "front"]);
        assert!(height(&still) > 50, "{time}: {:?}", drawn(&still));
    }
    let frames = |follow: &str| -> Vec<Picture> {
        let name = folder.join(format!("{follow}-{{frame}}.png"));
        let name = name.display().to_string();
        good(&[
            "render",
            &file,
            "--skeleton",
            "--background",
            "clear",
            "--passes",
            "none",
            "--size",
            "96x72",
            "--camera",
            "front",
            "--follow",
            follow,
            "--fps",
            "4",
            "-o",
            &name,
        ]);
        let bytes = (0..8).map(|k| std::fs::read(name.replace("{frame}", &k.to_string())));
        bytes
            .map(|b| read_png(&b.expect("a frame")).expect("a picture"))
            .collect()
    };
    for (k, frame) in frames("on").iter().enumerate() {
        let [left, _, right, _] = drawn(frame);
        assert!(height(frame) > 45, "{k}: {:?}", drawn(frame));
        assert!(
            (40..56).contains(&((left + right) / 2)),
            "{k}: {left} {right}"
        );
    }
    let still = frames("off");
    assert!(still.iter().all(|frame| height(frame) < 12));
    assert!(
        drawn(&still[7])[0] > drawn(&still[0])[2] + 40,
        "it goes through the picture"
    );
}

#[test]
fn front_is_the_characters_own() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("render-front");
    let of = |degrees: f64, camera: &str| {
        let file = walker(&folder, &format!("{degrees}.bvh"), degrees);
        let flags = ["--rest", "--camera", camera];
        bones(&file, &flags)
    };
    for camera in ["front", "left", "right", "back", "three-quarter"] {
        let straight = of(0.0, camera);
        for degrees in [90.0, 180.0, -45.0] {
            let (_, mean) = straight.difference(&of(degrees, camera)).expect("one size");
            assert!(mean < 2.0, "{camera} of {degrees}: {mean}");
        }
    }
    // Angles are those of the file.
    let (_, mean) = of(0.0, "0,4")
        .difference(&of(90.0, "0,4"))
        .expect("one size");
    assert!(mean > 4.0, "{mean}");
    assert!(of(90.0, "90,4") == of(90.0, "front"));

    let file = walker(&folder, "90.bvh", 90.0);
    let output = run(&[
        "render",
        &file,
        "--rest",
        "--skeleton",
        "--size",
        "8x8",
        "--report",
        "-o",
        "-",
    ]);
    let said = text(&output.stderr);
    assert!(
        said.contains("faces 90°") && said.contains("left and right"),
        "{said}"
    );
    let output = run(&[
        "render", "--figure", "tube", "--size", "8x8", "--report", "-o", "-",
    ]);
    let said = text(&output.stderr);
    assert!(
        said.contains("faces 0°") && said.contains("so +Z"),
        "{said}"
    );
    let picture = folder.join("a.png").display().to_string();
    let json = run(&[
        "render",
        &file,
        "--skeleton",
        "--size",
        "8x8",
        "--report",
        "--json",
        "-o",
        &picture,
    ]);
    assert!(
        text(&json.stdout).contains("faces 90°"),
        "{}",
        text(&json.stdout)
    );
}

#[test]
fn the_camera_goes_near_and_looks_where_it_is_told() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("render-near");
    let file = walker(&folder, "walk.bvh", 0.0);
    let of = |flags: &[&str]| {
        bones(
            &file,
            &[&["--time", "1", "--camera", "front"], flags].concat(),
        )
    };
    let small = height(&of(&["--zoom", "0.25"]));
    let half = height(&of(&["--zoom", "0.5"]));
    // 62 rows as framed; lines are up to eight wide at any size.
    assert!((31..40).contains(&half), "{half}");
    assert!((15..24).contains(&small), "{small}");
    // The head is the highest joint; with it in the middle the upper half is empty.
    let [_, top, _, bottom] = drawn(&of(&["--target", "Head"]));
    assert!(top > 18 && bottom == 71, "{top} {bottom}");
    assert!(
        of(&["--target", "Head"]) == of(&["--target", "5"]),
        "by its number"
    );
    let wide = of(&["--fov", "120"]);
    assert!(height(&wide) > 50, "still framed: {:?}", drawn(&wide));
    let said = bad(&["render", &file, "--target", "Tail", "-o", "-"], 1);
    assert!(said.contains("Tail") && said.contains("Head"), "{said}");
}

#[test]
fn the_floor_is_under_the_feet_or_where_the_file_has_it() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("render-floor");
    let file = walker(&folder, "walk.bvh", 0.0);
    let of = |floor: &str| {
        let arguments = [
            "render",
            &file,
            "--skeleton",
            "--grid",
            "--time",
            "1",
            "--size",
            "48x36",
            "--floor",
            floor,
            "-o",
            "-",
        ];
        read_png(&good(&arguments)).expect("a picture")
    };
    let [auto, zero, none] = ["auto", "zero", "none"].map(of);
    assert!(auto != zero && zero != none && auto != none);
}

#[test]
fn names_are_written_beside_joints() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("render-names");
    let file = walker(&folder, "walk.bvh", 0.0);
    let of = |more: &[&str]| {
        bones(
            &file,
            &[&["--camera", "front", "--time", "0"], more].concat(),
        )
    };
    let (plain, named) = (of(&[]), of(&["--names"]));
    let pixels = plain
        .rgba()
        .chunks_exact(4)
        .zip(named.rgba().chunks_exact(4));
    let written = pixels.filter(|(a, b)| a != b).count();
    // At least four letters, each about four by seven pixels.
    assert!(written > 100, "{written}");
    assert!(named == of(&["--names"]), "it is the same every time");
}

/// A tube with a camera 20 units in front of it, whose angle of view in radians is the time in seconds.
fn filmed(folder: &Path) -> String {
    let tube = sinew_samples::tube_character();
    let options = sinew_io::gltf::ExportOptions::default();
    let text = sinew_io::gltf::to_gltf(&tube, &options).expect("written");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    let lens = json!({"yfov": 0.7, "znear": 0.1});
    document["cameras"] = json!([{"name": "front", "type": "perspective", "perspective": lens}]);
    let nodes = document["nodes"].as_array_mut().expect("nodes");
    nodes.push(json!({"camera": 0, "translation": [0, 1, 20]}));
    let camera = json!(nodes.len() - 1);
    let shown = document["scenes"][0]["nodes"].as_array_mut();
    shown.expect("a scene").push(camera);
    document["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    let times = document["animations"][0]["samplers"][0]["input"].clone();
    // An accessor of its own with the same numbers: one accessor cannot be times and values.
    let accessors = document["accessors"].as_array_mut().expect("accessors");
    let values = accessors.len();
    accessors.push(accessors[times.as_u64().expect("an index") as usize].clone());
    let animation = &mut document["animations"][0];
    let samplers = animation["samplers"].as_array_mut().expect("samplers");
    samplers.push(json!({"input": times, "output": values}));
    let sampler = samplers.len() - 1;
    let pointer = json!({"pointer": "/cameras/0/perspective/yfov"});
    let channels = animation["channels"].as_array_mut().expect("channels");
    channels.push(json!({
        "sampler": sampler,
        "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": pointer}},
    }));
    let path = folder.join("filmed.gltf").display().to_string();
    std::fs::write(&path, document.to_string()).expect("the folder is ours");
    path
}

#[test]
fn a_picture_through_a_camera_has_the_angle_of_its_curve() {
    if is_without_gpu() {
        return;
    }
    let file = filmed(&folder("render_through"));
    let at = |time: &str, camera: &str| {
        let flags = ["--through", camera, "--time", time, "--background", "clear"];
        let plain = [
            "render", &file, "--passes", "none", "--size", "96x144", "-o", "-",
        ];
        height(&read_png(&good(&[&plain[..], &flags].concat())).expect("a picture"))
    };
    let (near, far) = (at("0.25", "front"), at("0.5", "0"));
    let ratio = f64::from(near) / f64::from(far);
    let wanted = (0.25_f64).tan() / (0.125_f64).tan();
    assert!(
        (ratio - wanted).abs() < 0.15,
        "{near} {far}: {ratio} {wanted}"
    );
    let said = bad(&["render", &file, "--through", "frnt", "-o", "-"], 1);
    assert!(said.contains("did you mean front?"), "{said}");
}
