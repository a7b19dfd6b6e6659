use crate::foreign::foreign;
use crate::program;

use glam::Vec3;
use program::{has_package, node};
use serde_json::Value;
use sinew::{Character, Method, deform};
use sinew_io::gltf::{ExportOptions, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bind-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn sinew(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_sinew");
    Command::new(program).args(arguments).output().unwrap()
}

fn good(arguments: &[&str]) -> String {
    let output = sinew(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

fn bad(arguments: &[&str]) -> String {
    let output = sinew(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn bare_tube(keep_skin: bool) -> Character {
    let mut tube = sinew_samples::tube_character();
    for primitive in tube.meshes.iter_mut().flat_map(|m| &mut m.primitives) {
        primitive.influences = None;
    }
    for node in &mut tube.nodes {
        node.skin = None;
    }
    if !keep_skin {
        tube.skins.clear();
        tube.clips.clear();
        for node in &mut tube.nodes {
            node.joint = None;
        }
        tube.nodes.retain(|node| node.mesh.is_some());
        tube.nodes.iter_mut().for_each(|node| node.parent = None);
    }
    tube
}

fn save(folder: &Path, name: &str, character: &Character) -> String {
    let path = folder.join(name);
    write(&path, character, &ExportOptions::default()).unwrap();
    path.display().to_string()
}

#[test]
fn a_mesh_is_bound_to_its_own_skin_and_reported() {
    let folder = folder("own");
    let bare = save(&folder, "bare.glb", &bare_tube(true));
    let out = folder.join("bound.glb").display().to_string();
    for method in ["auto", "bezier", "bezier-wide", "heat", "rigid"] {
        let report = good(&["bind", &bare, "-o", &out, "--method", method, "--json"]);
        let report: Value = serde_json::from_str(&report).unwrap();
        let read = sinew_io::import(&out).unwrap().character;
        let primitive = &read.meshes[0].primitives[0];
        assert_eq!(report["vertices"], primitive.len());
        assert_eq!(report["joints_used"], 2);
        let before = &bare_tube(true).meshes[0].primitives[0];
        assert_eq!(primitive.positions, before.positions);
        assert_eq!(primitive.indices, before.indices);
        assert_eq!(read.clips.len(), 2);
        let most = if method == "rigid" { 1 } else { 2 };
        assert_eq!(
            primitive.influences.as_ref().unwrap().max_per_vertex(),
            most
        );
    }
    let text = good(&["bind", &bare, "-o", &out, "--report", "--influences", "1"]);
    assert!(
        text.contains("2 of 2 joints") && text.contains("with 1 influence\n"),
        "{text}"
    );
    let corrected = folder.join("corrected.glb").display().to_string();
    good(&[
        "bind",
        &out,
        "-o",
        &corrected,
        "--correct",
        "--smooth",
        "1",
        "--mirror",
        "--prune",
        "0.01",
    ]);
    assert!(bad(&["bind", &out, "-o", &corrected]).contains("no mesh to bind"));
    let said = bad(&["bind", &bare, "-o", &out, "--smooth", "1", "--lock", "tail"]);
    assert!(said.contains("no joint \"tail\""), "{said}");
}

#[test]
fn joints_that_do_not_deform_move_nothing() {
    let folder = folder("no-deform");
    let tube = bare_tube(true);
    let bare = save(&folder, "bare.glb", &tube);
    let out = folder.join("bound.glb").display().to_string();
    let still = tube.skeleton.name(tube.skins[0].joints[1]);
    let bind = ["bind", &bare, "-o", &out, "--json", "--no-deform"];
    let output = sinew(&[&bind[..], &[still]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(said.lines().count(), 1, "nobody watches, so no bar: {said}");
    assert!(said.starts_with("sinew: wrote "), "{said}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["joints_used"], 1);
    let read = sinew_io::import(&out).unwrap().character;
    let influences = read.meshes[0].primitives[0].influences.as_ref().unwrap();
    assert!((0..influences.len()).all(|vertex| influences.get(vertex).all(|r| r.0 == 0)));
    let said = bad(&[&bind[..], &["tail"]].concat());
    assert!(said.contains("no joint \"tail\" for --no-deform"), "{said}");
    let all: Vec<&str> = tube.skins[0]
        .joints
        .iter()
        .map(|&j| tube.skeleton.name(j))
        .collect();
    let said = bad(&[&bind[..], &[&all.join(",")]].concat());
    assert!(said.contains("no joint that may move vertices"), "{said}");
}

#[test]
fn a_piece_far_from_every_joint_is_told() {
    let folder = folder("far");
    let mut tube = bare_tube(true);
    let mut crumb = tube.meshes[0].primitives[0].clone();
    let moved = crumb.positions.iter();
    let moved = moved.map(|p| *p * 0.05 + Vec3::X * 3.0);
    crumb.positions = std::sync::Arc::new(moved.collect());
    tube.meshes[0].primitives.push(crumb);
    let bare = save(&folder, "bare.glb", &tube);
    let out = folder.join("bound.glb").display().to_string();
    let output = sinew(&["bind", &bare, "-o", &out, "--json"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("bare.glb: a piece of") && said.contains("times the size of the piece"),
        "{said}"
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["warnings"][0]["kind"], "far");
    assert_eq!(report["warnings"].as_array().unwrap().len(), 1);
    // The file is written all the same.
    std::fs::remove_file(&out).unwrap();
    let said = bad(&["bind", &bare, "-o", &out, "--fail-if", "one-joint,far"]);
    assert!(said.contains("the check failed:"), "{said}");
    assert!(folder.join("bound.glb").is_file());
    good(&["bind", &bare, "-o", &out, "--fail-if", "one-joint,torn"]);
}

fn weights_by_name(character: &Character) -> Vec<Vec<(String, f32)>> {
    let mut all = Vec::new();
    for node in &character.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
            continue;
        };
        let joints = &character.skins[skin].joints;
        for primitive in &character.meshes[mesh].primitives {
            let influences = primitive.influences.as_ref().unwrap();
            all.extend((0..influences.len()).map(|vertex| {
                let row = influences.get(vertex);
                row.map(|(joint, weight)| {
                    (character.skeleton.name(joints[joint]).to_owned(), weight)
                })
                .collect::<Vec<_>>()
            }));
        }
    }
    all
}

#[test]
fn a_mage_of_separate_parts_does_not_hang_on_its_root() {
    let Some(artists) = foreign("weights") else {
        return;
    };
    let folder = folder("mage");
    let bare = artists
        .join("stripped/kaykit-mage.glb")
        .display()
        .to_string();
    let out = folder.join("bound.glb").display().to_string();
    let artist = sinew_io::import(artists.join("artist/kaykit-mage.glb")).unwrap();
    let artist = weights_by_name(&artist.character);
    for (method, most) in [
        ("auto", 0.5),
        ("heat", 0.8),
        ("bezier", 0.8),
        ("rigid", 1.0),
    ] {
        let bind = ["bind", &bare, "-o", &out, "--method", method, "--json"];
        let output = sinew(&bind);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
        assert!(said.contains("root, handslot.l"), "{said}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        // Only the default method spreads the coat over the legs; the nearest bones alone stretch its hem.
        let warnings = report["warnings"].as_array().unwrap();
        let is_hem = |warning: &Value| warning["kind"] == "torn" && method != "auto";
        assert!(warnings.iter().all(is_hem), "{method}: {warnings:?}");
        let still = report["unweighted_joints"].as_array().unwrap();
        // The root, two slots, and names with IK or control.
        assert_eq!(still.len(), 21, "{still:?}");
        assert_eq!(still[0], serde_json::json!({"name": "root", "why": "root"}));
        let ours = weights_by_name(&sinew_io::import(&out).unwrap().character);
        assert_eq!(ours.len(), artist.len());
        let both = ours.iter().zip(&artist);
        let off = both.map(|(ours, artist)| {
            let of = |row: &[(String, f32)], name: &str| -> f32 {
                let named = row.iter().filter(|entry| entry.0 == name);
                named.map(|entry| entry.1).sum()
            };
            let mut names: Vec<&str> = ours.iter().chain(artist).map(|e| e.0.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            let off = names
                .iter()
                .map(|name| (of(ours, name) - of(artist, name)).abs());
            off.sum::<f32>()
        });
        let off = off.sum::<f32>() / artist.len() as f32;
        assert!(off < most, "{method}: {off}");
    }
    let deformed = good(&[
        "bind",
        &bare,
        "-o",
        &out,
        "--json",
        "--deform",
        "handslot.l",
    ]);
    let report: Value = serde_json::from_str(&deformed).unwrap();
    assert_eq!(report["unweighted_joints"].as_array().unwrap().len(), 20);
    let both = ["--deform", "hips", "--no-deform", "hips"];
    let said = bad(&[&["bind", &bare, "-o", &out][..], &both].concat());
    assert!(
        said.contains("\"hips\" is in both --deform and --no-deform"),
        "{said}"
    );
    let said = bad(&["bind", &bare, "-o", &out, "--deform", "tail"]);
    assert!(said.contains("no joint \"tail\" for --deform"), "{said}");
}

#[test]
fn a_mesh_without_a_skeleton_takes_another_files() {
    let folder = folder("other");
    let mesh = save(&folder, "mesh.glb", &bare_tube(false));
    let skeleton = save(&folder, "skeleton.glb", &sinew_samples::tube_character());
    let out = folder.join("bound.glb").display().to_string();
    good(&["bind", &mesh, &skeleton, "-o", &out]);
    let read = sinew_io::import(&out).unwrap().character;
    assert_eq!((read.skins.len(), read.clips.len()), (1, 2));
    let bent = deform(&read, Some(1), 1.0, Method::Linear).unwrap();
    let own = deform(
        &sinew_samples::tube_character(),
        Some(1),
        1.0,
        Method::Linear,
    )
    .unwrap();
    // Other weights than the tube's own: only the ends are at the same position.
    let (bent, own) = (&bent.primitives[0].positions, &own.primitives[0].positions);
    assert_eq!(bent.len(), own.len());
    assert!(bent[0].distance(own[0]) < 1e-3);
}

#[test]
fn the_khronos_validator_and_three_js_read_what_was_bound() {
    let folder = folder("others");
    let bare = save(&folder, "bare.glb", &bare_tube(true));
    let out = folder.join("bound.glb").display().to_string();
    good(&["bind", &bare, "-o", &out]);
    if has_package("gltf-validator") {
        let said = node(&["scripts/validate-gltf.mjs", &folder.display().to_string()]);
        let text = String::from_utf8_lossy(&said.stdout);
        assert!(text.ends_with(" files, 0 errors\n"), "{text}");
    }
    if has_package("three") {
        let read = sinew_io::import(&out).unwrap().character;
        let ours = deform(&read, Some(1), 0.75, Method::Linear).unwrap();
        let said = node(&["scripts/skin-with-three.mjs", &out, "bend", "0.75"]);
        let problem = String::from_utf8_lossy(&said.stderr);
        assert!(said.status.success(), "{problem}");
        let theirs: Vec<f32> = serde_json::from_slice(&said.stdout).unwrap();
        let ours = &ours.primitives[0].positions;
        assert_eq!(theirs.len(), 3 * ours.len());
        for (ours, theirs) in ours.iter().zip(theirs.chunks_exact(3)) {
            let theirs = Vec3::from_slice(theirs);
            assert!(ours.distance(theirs) < 1e-5, "{ours} {theirs}");
        }
    }
}

fn bare_person() -> Character {
    let mut person = sinew_samples::mannequin::Mannequin::default().build();
    person.skins.clear();
    person.clips.clear();
    person.meshes.truncate(1);
    person.nodes.retain(|node| node.mesh == Some(0));
    for node in &mut person.nodes {
        (node.joint, node.skin, node.parent) = (None, None, None);
    }
    person.meshes[0].primitives[0].influences = None;
    person
}

#[test]
fn a_template_is_edited_as_it_is_fitted() {
    let folder = folder("edited");
    // Arms raised and legs apart, so that the box around the body says little about the limbs.
    let bend = |p: Vec3| {
        let arm = ((p.x.abs() - 0.17) / 0.6).max(0.0);
        let leg = ((0.9 - p.y) / 0.9).max(0.0);
        let aside = p.x.signum() * 0.12 * leg * f32::from(p.x.abs() < 0.3);
        p + Vec3::new(aside, 0.35 * arm, 0.12 * leg * leg)
    };
    let mut person = bare_person();
    for position in std::sync::Arc::make_mut(&mut person.meshes[0].primitives[0].positions) {
        *position = bend(*position);
    }
    let bare = save(&folder, "bare.glb", &person);
    let out = folder.join("bound.glb").display().to_string();
    good(&[
        "bind",
        &bare,
        "-o",
        &out,
        "--spine",
        "4",
        "--no-fingers",
        "--merge",
        "spine_3,spine_4",
        "--split",
        "left_lower_arm=2",
        "--rename",
        "hips=pelvis",
    ]);
    let skeleton = sinew_io::import(&out).unwrap().character.skeleton;
    let has = |name: &str| skeleton.find(name).is_some();
    for joint in ["pelvis", "spine_2", "left_lower_arm_part_2", "right_hand"] {
        assert!(has(joint), "{joint}");
    }
    for joint in ["hips", "spine_3", "left_index_1", "right_lower_arm_part_2"] {
        assert!(!has(joint), "{joint}");
    }
    // Limbs of the mannequin are 3 cm thick and more.
    let own = person.skeleton.rest_model();
    let found = skeleton.rest_model();
    for side in ["left", "right"] {
        for part in ["lower_arm", "hand", "upper_leg", "lower_leg", "foot"] {
            let name = format!("{side}_{part}");
            let wanted = own.get(person.skeleton.find(&name).unwrap()).translation();
            let found = found.get(skeleton.find(&name).unwrap()).translation();
            let off = found.distance(bend(wanted));
            assert!(off < 0.05, "{name} is {off} m from the middle of its limb");
        }
    }
    let at = |name: &str| found.get(skeleton.find(name).unwrap()).translation();
    let (elbow, part, hand) = (
        at("left_lower_arm"),
        at("left_lower_arm_part_2"),
        at("left_hand"),
    );
    let off = part.distance((elbow + hand) / 2.0);
    assert!(off < 0.01, "the split joint is {off} m from the middle");
}

#[test]
fn joints_that_were_asked_for_are_asked_for_again_by_the_file() {
    let folder = folder("flags");
    let bare = save(&folder, "bare.glb", &bare_tube(true));
    let at = |name: &str| folder.join(name).display().to_string();
    let (first, second) = (at("first.glb"), at("second.glb"));
    good(&["bind", &bare, "-o", &first, "--no-deform", "lower"]);
    let mut bound = sinew_io::import(&first).unwrap().character;
    let lower = bound.skeleton.find("lower").unwrap();
    assert_eq!(bound.skeleton.deforms(lower), Some(false));
    sinew_rig::weights::unbind(&mut bound);
    let again = save(&folder, "again.glb", &bound);
    let report: Value =
        serde_json::from_str(&good(&["bind", &again, "-o", &second, "--json"])).unwrap();
    assert_eq!(report["unweighted_joints"][0]["name"], "lower", "{report}");
    assert_eq!(report["unweighted_joints"][0]["why"], "asked", "{report}");
    // A new option overrides the stored value.
    good(&["bind", &again, "-o", &second, "--deform", "lower"]);
    let bound = sinew_io::import(&second).unwrap().character;
    assert_eq!(bound.skeleton.deforms(lower), Some(true));
}

#[test]
fn weights_are_drawn_and_what_turning_leaves_is_told() {
    let folder = folder("picture");
    let bare = save(&folder, "bare.glb", &bare_tube(true));
    let at = |name: &str| folder.join(name).display().to_string();
    let (out, picture) = (at("bound.glb"), at("weights.png"));
    let report = good(&["bind", &bare, "-o", &out, "--picture", &picture, "--json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    let kept = report["volume"]["kept"].as_f64().unwrap();
    // Linear skinning loses a little volume in the twist.
    assert!((0.8..1.0).contains(&kept), "{report}");
    let picture = sinew_gpu::read_png(&std::fs::read(&picture).unwrap()).unwrap();
    assert_eq!(picture.width(), 2 * picture.height());
    let half = picture.width() / 2;
    let differs = |x: u32, y: u32| picture.pixel(x, y) != picture.pixel(x + half, y);
    let differ = (0..half).flat_map(|x| (0..picture.height()).map(move |y| (x, y)));
    let differ = differ.filter(|&(x, y)| differs(x, y)).count();
    assert!(differ > 2000, "{differ}");
}

#[test]
fn at_rest_and_bent_a_figure_is_in_the_middle_of_its_picture() {
    let folder = folder("own_floor");
    let snake = save(
        &folder,
        "snake.glb",
        &sinew_samples::bodies::snake().character(),
    );
    let at = |name: &str| folder.join(name).display().to_string();
    let (out, picture) = (at("bound.glb"), at("weights.png"));
    good(&["bind", &snake, "-o", &out, "--picture", &picture]);
    let picture = sinew_gpu::read_png(&std::fs::read(&picture).unwrap()).unwrap();
    let side = picture.height();
    for half in [0..side, side..2 * side] {
        let is_coloured = |x: u32, y: u32| {
            let [r, g, b, _] = picture.pixel(x, y);
            r.max(g).max(b) - r.min(g).min(b) > 50
        };
        let rows = (0..side).filter(|&y| half.clone().any(|x| is_coloured(x, y)));
        let rows: Vec<u32> = rows.collect();
        let middle = f64::from(rows[0] + rows[rows.len() - 1]) / f64::from(2 * side);
        assert!((0.35..0.65).contains(&middle), "{half:?}: {middle}");
    }
}

#[test]
fn a_bare_person_gets_a_biped_whose_joints_can_be_moved() {
    let folder = folder("template");
    let body = sinew_samples::mannequin::Mannequin::default()
        .build()
        .meshes[0]
        .primitives[0]
        .clone();
    let bare = save(&folder, "bare.glb", &bare_person());
    let at = |name: &str| folder.join(name).display().to_string();
    let (out, joints) = (at("bound.glb"), at("joints.json"));
    let report = good(&[
        "bind",
        &bare,
        "-o",
        &out,
        "--save-joints",
        &joints,
        "--json",
    ]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(
        (&report["joints"], &report["vertices"]),
        (&52.into(), &body.len().into())
    );
    let bound = sinew_io::import(&out).unwrap().character;
    assert_eq!(bound.meshes[0].primitives[0].positions, body.positions);
    // The template fits a body of these proportions, so its weights should resemble the mannequin's.
    let dominant = |influences: &sinew::Influences, names: &dyn Fn(usize) -> String, vertex| {
        let heaviest = influences.get(vertex).max_by(|a, b| a.1.total_cmp(&b.1));
        names(heaviest.expect("every vertex is weighted").0)
    };
    let own = sinew_samples::mannequin::Mannequin::default().build();
    let own_name = |joint: usize| own.skeleton.name(own.skins[0].joints[joint]).to_owned();
    let bound_name = |joint: usize| bound.skeleton.name(bound.skins[0].joints[joint]).to_owned();
    let ours = bound.meshes[0].primitives[0].influences.as_ref().unwrap();
    let theirs = body.influences.as_ref().unwrap();
    let same = (0..body.len())
        .filter(|&v| dominant(ours, &bound_name, v) == dominant(theirs, &own_name, v))
        .count();
    assert!(same * 10 > body.len() * 6, "{same} of {}", body.len());

    let mut places: Value =
        serde_json::from_str(&std::fs::read_to_string(&joints).unwrap()).unwrap();
    places["left_lower_arm"][1] = (places["left_lower_arm"][1].as_f64().unwrap() + 0.05).into();
    std::fs::write(&joints, places.to_string()).unwrap();
    good(&["bind", &bare, "-o", &out, "--joints", &joints]);
    let moved = sinew_io::import(&out).unwrap().character;
    let height = |c: &Character| {
        let elbow = c.skeleton.find("left_lower_arm").unwrap();
        c.skeleton.rest_model().get(elbow).translation().y
    };
    assert!((height(&moved) - height(&bound) - 0.05).abs() < 1e-5);

    std::fs::write(&joints, "{\"tail\": [0, 0, 0]}").unwrap();
    let said = bad(&["bind", &bare, "-o", &out, "--joints", &joints]);
    assert!(
        said.contains("no joint \"tail\"") && said.contains("joints.json"),
        "{said}"
    );
    std::fs::write(&joints, "[1]").unwrap();
    let said = bad(&["bind", &bare, "-o", &out, "--joints", &joints]);
    assert!(said.contains("--save-joints"), "{said}");
}

#[test]
fn a_bare_tube_takes_a_chain() {
    let folder = folder("chain");
    let bare = save(&folder, "bare.glb", &bare_tube(false));
    let out = folder.join("bound.glb").display().to_string();
    let report = good(&["bind", &bare, "-o", &out, "--template", "chain", "--json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(
        (&report["joints"], &report["joints_used"]),
        (&8.into(), &8.into())
    );
}
