//! `sinew bind` without a skeleton, from a bare mesh to a walk: on meshes made by code.

use crate::foreign::foreign;
use crate::program::{folder, good, json, refused, run, write};
use crate::render::is_without_gpu;
use glam::Vec3;
use serde_json::Value;
use sinew::mesh::shapes;
use sinew::{Character, Mesh, Method, deform};
use sinew_rig::retarget::{Role, Side, find_roles};
use std::path::Path;
use std::sync::OnceLock;

/// The mannequin without its sword as OBJ.
fn scan(folder: &Path, name: &str, by: impl Fn(Vec3) -> Vec3) {
    static PERSON: OnceLock<Character> = OnceLock::new();
    let person = PERSON.get_or_init(|| {
        let mannequin = sinew_samples::mannequin::Mannequin {
            sword: false,
            ..Default::default()
        };
        mannequin.build()
    });
    write(folder, name, obj(person, by));
}

fn obj(character: &Character, by: impl Fn(Vec3) -> Vec3) -> String {
    let (positions, triangles) = sinew_rig::find::joined_surface(character).unwrap();
    let mut text = String::new();
    for place in positions.into_iter().map(by) {
        text += &format!("v {} {} {}\n", place.x, place.y, place.z);
    }
    for [a, b, c] in triangles {
        text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    text
}

fn read(folder: &Path, name: &str) -> Character {
    sinew_io::import(folder.join(name)).unwrap().character
}

fn at(character: &Character, role: Role) -> Vec3 {
    let joint = find_roles(&character.skeleton).joint(role).unwrap();
    character.skeleton.rest_model().get(joint).translation()
}

#[test]
fn a_bare_person_gets_joints_weights_limits_and_a_walk() {
    let folder = folder("rig_person");
    scan(&folder, "scan.obj", |p| p);
    let report = json(&good(
        &folder,
        &["rig", "scan.obj", "-o", "out.glb", "--json"],
    ));
    assert_eq!(report["found"]["body"], "biped", "{report}");
    let height = report["found"]["height"].as_f64().unwrap();
    assert!((height - 1.78).abs() < 0.03, "{height}");
    assert!(report["found"]["confidence"].as_f64().unwrap() > 0.2);
    assert_eq!(report["warnings"], Value::Array(Vec::new()), "{report}");
    let rigged = read(&folder, "out.glb");
    let walk = &report["walk"];
    assert_eq!((&walk["clip"], rigged.clips.len()), (&"walk".into(), 1));
    assert!(walk["stretch_p99"].as_f64().unwrap() < 2.0, "{walk}");
    assert!(
        (walk["volume_min"].as_f64().unwrap() - 1.0).abs() < 0.06,
        "{walk}"
    );
    // The mannequin walks with the hands below the shoulders, and its feet move apart.
    let (mut apart, knee) = (0.0_f32, rigged.skeleton.find("left_lower_leg").unwrap());
    assert!(
        rigged.skeleton.freedom(knee).count() == 1,
        "a knee is a hinge"
    );
    let foot = find_roles(&rigged.skeleton)
        .joint(Role::Foot(Side::Left))
        .unwrap();
    for step in 0..8 {
        let secs = f64::from(rigged.clips[0].duration_secs) * f64::from(step) / 8.0;
        let posed = deform(&rigged, Some(0), secs, Method::Linear).unwrap();
        let low = posed.bounds().unwrap();
        apart = apart.max(low.max.z - low.min.z);
    }
    assert!(apart > 0.6, "{apart} m from toe to heel, with foot {foot}");
}

#[test]
fn a_placed_joint_stands_there_by_any_of_its_names() {
    let folder = folder("rig_at");
    scan(&folder, "scan.obj", |p| p);
    let place = Vec3::new(0.55, 1.0, 0.01);
    let text = "--at=left_wrist=0.55,1,0.01";
    good(
        &folder,
        &["bind", "scan.obj", "-o", "at.glb", text, "--only", "joints"],
    );
    let hand = at(&read(&folder, "at.glb"), Role::Hand(Side::Left));
    assert!(hand.distance(place) < 1e-4, "{hand}");
    write(
        &folder,
        "clicks.json",
        r#"{"LeftWrist": [0.55, 1, 0.01], "groin": [0, 0.9, 0.02]}"#,
    );
    let bind = [
        "bind",
        "scan.obj",
        "-o",
        "clicks.glb",
        "--clicks",
        "clicks.json",
    ];
    good(&folder, &[&bind[..], &["--only", "joints"]].concat());
    let clicked = read(&folder, "clicks.glb");
    assert!(at(&clicked, Role::Hand(Side::Left)).distance(place) < 1e-4);
    assert!(at(&clicked, Role::Hips).distance(Vec3::new(0.0, 0.9, 0.02)) < 1e-4);
    for (wrong, words) in [
        (["--at", "left_wrist=1,2"], "JOINT=X,Y,Z"),
        (["--at", "left_wrist=1,2,nan"], "JOINT=X,Y,Z"),
        (["--like", "fish"], "biped"),
    ] {
        let output = run(
            &folder,
            &[&["bind", "scan.obj", "-o", "no.glb"], &wrong[..]].concat(),
        );
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
    }
    let bind = ["bind", "scan.obj", "-o", "no.glb", "--at", "tail=0,0,0"];
    refused(&folder, &bind, &["scan.obj", "tail"]);
    write(&folder, "wrong.json", "[1]");
    let bind = ["bind", "scan.obj", "-o", "no.glb", "--clicks", "wrong.json"];
    refused(&folder, &bind, &["wrong.json", "clicks have the form"]);
    assert!(!folder.join("no.glb").exists());
}

#[test]
fn only_joints_has_no_weights_and_binds_later() {
    let folder = folder("rig_only");
    scan(&folder, "scan.obj", |p| p);
    let bind = [
        "bind",
        "scan.obj",
        "-o",
        "joints.glb",
        "--only",
        "joints",
        "--json",
    ];
    let report = json(&good(&folder, &bind));
    let joints = read(&folder, "joints.glb");
    assert_eq!(report["joints"], joints.skeleton.len());
    let primitives = joints.meshes.iter().flat_map(|mesh| &mesh.primitives);
    assert!(
        primitives
            .into_iter()
            .all(|p| p.influences.is_none() && !p.is_empty())
    );
    good(
        &folder,
        &["bind", "scan.obj", "joints.glb", "-o", "later.glb"],
    );
    good(&folder, &["bind", "joints.glb", "-o", "own.glb"]);
    good(
        &folder,
        &["bind", "scan.obj", "-o", "weights.glb", "--only", "weights"],
    );
    let [later, own, now] = ["later.glb", "own.glb", "weights.glb"].map(|name| read(&folder, name));
    assert!(now.clips.is_empty());
    let influences = |c: &Character| c.meshes[0].primitives[0].influences.clone().unwrap();
    assert_eq!(influences(&later).len(), influences(&now).len());
    assert_eq!(influences(&later), influences(&own));
}

#[test]
fn clips_that_move_no_new_joint_are_left_out_and_told() {
    let Some(artists) = foreign("weights") else {
        return;
    };
    let folder = folder("rig_clips");
    let bare = artists.join("stripped/CesiumMan.glb");
    let bare = bare.display().to_string();
    let bind = ["bind", &bare, "-o", "out.glb", "--like", "biped"];
    let report = json(&good(
        &folder,
        &[&bind[..], &["--only", "weights", "--json"]].concat(),
    ));
    let notes = report["notes"].to_string();
    assert!(notes.contains("1 clip of the file left out"), "{notes}");
    assert!(read(&folder, "out.glb").clips.is_empty());
}

#[test]
fn joints_take_the_names_of_other_programs_and_still_walk() {
    let folder = folder("rig_names");
    scan(&folder, "scan.obj", |p| p);
    for (program, names) in [
        (
            "mixamo",
            [
                "mixamorig:Hips",
                "mixamorig:LeftForeArm",
                "mixamorig:Spine2",
            ],
        ),
        ("vrm", ["hips", "leftLowerArm", "upperChest"]),
        ("unreal", ["pelvis", "lowerarm_l", "spine_03"]),
        ("unity", ["Hips", "LeftLowerArm", "UpperChest"]),
        ("blender", ["spine", "forearm.L", "spine.003"]),
    ] {
        let bind = [
            "bind", "scan.obj", "-o", "out.glb", "--json", "--names", program,
        ];
        let report = json(&good(&folder, &bind));
        let rigged = read(&folder, "out.glb");
        for name in names {
            assert!(rigged.skeleton.find(name).is_some(), "{program}: {name}");
        }
        assert_eq!(report["walk"]["clip"], "walk", "{program}: {report}");
        let roles = find_roles(&rigged.skeleton);
        let knee = roles.joint(Role::LowerLeg(Side::Right)).unwrap();
        assert_eq!(rigged.skeleton.freedom(knee).count(), 1, "{program}");
        assert_eq!((roles.spine_len(), roles.neck_len()), (3, 1), "{program}");
    }
}

#[test]
fn the_rest_pose_becomes_a_t_pose_with_its_mesh() {
    let folder = folder("rig_rest");
    scan(&folder, "scan.obj", |p| p);
    let before = read(&folder, "scan.obj");
    good(&folder, &["bind", "scan.obj", "-o", "t.glb", "--rest", "t"]);
    let t_pose = read(&folder, "t.glb");
    for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
        let arm = [Role::UpperArm(side), Role::LowerArm(side), Role::Hand(side)];
        let leg = [Role::UpperLeg(side), Role::LowerLeg(side), Role::Foot(side)];
        for (chain, along) in [(arm, Vec3::X * sign), (leg, Vec3::NEG_Y)] {
            for pair in chain.windows(2) {
                let bone = at(&t_pose, pair[1]) - at(&t_pose, pair[0]);
                let angle = bone.normalize().dot(along).min(1.0).acos().to_degrees();
                assert!(angle < 1.0, "{:?} is {angle}° off", pair[0]);
            }
        }
    }
    let span = |character: &Character| {
        let around = deform(character, None, 0.0, Method::Linear)
            .unwrap()
            .bounds()
            .unwrap();
        around.max.x - around.min.x
    };
    let [narrow, wide] = [&before, &t_pose].map(span);
    assert!(wide > 1.15 * narrow, "{narrow} m became {wide} m");
    // The hands keep their flesh around them.
    let posed = deform(&t_pose, None, 0.0, Method::Linear).unwrap();
    let hand = at(&t_pose, Role::Hand(Side::Left));
    let near = posed.primitives[0]
        .positions
        .iter()
        .filter(|p| p.distance(hand) < 0.06);
    assert!(near.count() > 20);
}

#[test]
fn what_is_no_body_is_refused_and_nothing_is_written() {
    let folder = folder("rig_nobody");
    let save = |name: &str, primitive: sinew::Primitive| {
        let mesh = Mesh {
            name: "thing".into(),
            primitives: vec![primitive],
            ..Mesh::default()
        };
        write(&folder, name, obj(&Character::from_mesh(mesh), |p| p));
    };
    save("ball.obj", shapes::ellipsoid(Vec3::ONE, 16, 24));
    save(
        "pill.obj",
        shapes::ellipsoid(Vec3::new(0.2, 1.0, 0.2), 16, 24),
    );
    write(&folder, "cloud.obj", "v 0 0 0\nv 1 2 3\nv 2 0 1\nv 0 1 1\n");
    write(
        &folder,
        "plane.obj",
        "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n",
    );
    for name in ["ball.obj", "pill.obj", "cloud.obj", "plane.obj"] {
        refused(&folder, &["bind", name, "-o", "no.glb"], &[name]);
        assert!(!folder.join("no.glb").exists(), "{name}");
    }
}

#[test]
fn a_picture_has_four_steps() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("rig_picture");
    // Lying on its back, as files of programs with z up do.
    scan(&folder, "scan.obj", |p| Vec3::new(p.x, -p.z, p.y));
    good(
        &folder,
        &[
            "bind",
            "scan.obj",
            "-o",
            "out.glb",
            "--picture",
            "steps.png",
        ],
    );
    let picture = sinew_gpu::read_png(&std::fs::read(folder.join("steps.png")).unwrap()).unwrap();
    let side = picture.height();
    assert_eq!(picture.width(), 4 * side);
    for step in 1..4 {
        let pixels = (0..side).flat_map(|x| (0..side).map(move |y| (x, y)));
        let differs = |&(x, y): &(u32, u32)| {
            picture.pixel(x + step * side, y) != picture.pixel(x + (step - 1) * side, y)
        };
        let count = pixels.filter(differs).count();
        assert!(
            count > 2000,
            "{count} pixels of step {step} differ from those before"
        );
    }
}

#[test]
fn the_demo_takes_a_mesh() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("rig_demo");
    scan(&folder, "scan.obj", |p| p);
    let said = good(&folder, &["demo", "scan.obj", "-o", "own", "--small"]);
    assert!(said.contains("index.html"), "{said}");
    for name in ["rigged.glb", "steps.png", "walking.png", "index.html"] {
        assert!(folder.join("own").join(name).exists(), "{name}");
    }
    write(&folder, "cloud.obj", "v 0 0 0\nv 1 2 3\n");
    refused(
        &folder,
        &["demo", "cloud.obj", "-o", "none"],
        &["cloud.obj"],
    );
}
