//! `sinew mocap`: a C3D file becomes a character that moves.

use crate::foreign::foreign;
use crate::made_c3d;
use crate::made_capture;
use crate::program;
use crate::retarget_bodies::save;

use made_c3d::C3d;
use made_capture::{Dice, models, motion, noisy, perfect, place, subject};
use program::{folder, good, json, refused, write};
use sinew::sample;
use sinew_rig::mocap::{MarkerSet, Trial};
use sinew_rig::template::Biped;

/// Millimetres, z up, as most laboratories write.
pub(crate) fn c3d(trial: &Trial) -> C3d {
    let labels: Vec<&str> = trial.labels().iter().map(String::as_str).collect();
    let frames = (0..trial.frames()).map(|frame| {
        let point = |marker: usize| {
            let p = trial.position(frame, marker)?;
            Some([p.x, -p.z, p.y].map(|metres| 1e3 * metres))
        };
        (0..labels.len()).map(point).collect()
    });
    let mut file = C3d::new(&labels, frames.collect());
    file.rate = trial.rate_hz as f32;
    file
}

/// Markers of a person who moves, as cameras saw them.
pub(crate) fn walk(frames: usize) -> Trial {
    let template = Biped::default().template().skeleton().expect("a skeleton");
    let mut dice = Dice(21);
    let (truth, on_it) = subject(&template, &MarkerSet::plates(), 0.1, &mut dice);
    let moved = motion(&truth, frames, 100.0, &mut dice);
    noisy(
        &perfect(&truth, &on_it, &moved, 100.0),
        0.001,
        0.05,
        10,
        &mut dice,
    )
}

#[test]
fn markers_of_a_file_move_the_mannequin() {
    let folder = folder("mocap");
    let template = Biped::default().template().skeleton().expect("a skeleton");
    let set = MarkerSet::plates();
    let mut dice = Dice(21);
    let (truth, on_it) = subject(&template, &set, 0.1, &mut dice);
    let moved = motion(&truth, 80, 100.0, &mut dice);
    let clean = perfect(&truth, &on_it, &moved, 100.0);
    let seen = noisy(&clean, 0.001, 0.05, 10, &mut dice);
    write(&folder, "walk.c3d", c3d(&seen).bytes());

    let arguments = [
        "mocap",
        "walk.c3d",
        "--onto",
        "mannequin",
        "-o",
        "out.glb",
        "--json",
    ];
    let said = good(
        &folder,
        &[&arguments[..], &["--save-markers", "set.json"]].concat(),
    );
    let report = json(&said);
    assert_eq!(report["frames"], 80);
    assert!(report["rms_mm"].as_f64().expect("a number") < 3.0);
    let made = sinew_io::import(folder.join("out.glb")).expect("a character");
    let skeleton = &made.character.skeleton;
    let clip = &made.character.clips[0];
    assert_eq!(clip.name, "walk");
    assert!(!made.character.meshes.is_empty() && !made.character.skins.is_empty());

    let poses: Vec<_> = (0..80)
        .map(|frame| {
            let mut pose = skeleton.rest().clone();
            sample(clip, skeleton, f64::from(frame) / 100.0, &mut pose).unwrap();
            pose
        })
        .collect();
    let (there, here) = (models(&truth, &moved), models(skeleton, &poses));
    for [from, to] in [
        ["left_upper_arm", "left_lower_arm"],
        ["right_lower_leg", "right_foot"],
    ] {
        for frame in 0..80 {
            let direction = |skeleton: &sinew::Skeleton, model| {
                let [a, b] = [from, to].map(|n| place(model, skeleton.find(n).expect("a joint")));
                (b - a).normalize()
            };
            let (was, is) = (
                direction(&truth, &there[frame]),
                direction(skeleton, &here[frame]),
            );
            assert!(was.dot(is) > 0.996, "{to} in frame {frame}: {was} {is}");
        }
    }

    let again = [
        "mocap",
        "walk.c3d",
        "--markers",
        "set.json",
        "--report",
        "-o",
        "again.glb",
    ];
    let said = good(&folder, &again);
    assert!(
        said.contains("left_hand_1") && said.contains("bone to"),
        "{said}"
    );
}

/// Name of a joint of the template in the style of another program.
fn in_other_words(name: &str) -> String {
    let name = name
        .replace("upper_leg", "thigh")
        .replace("lower_leg", "shin");
    let name = name
        .replace("lower_arm", "forearm")
        .replace("hips", "pelvis");
    match (name.strip_prefix("left_"), name.strip_prefix("right_")) {
        (Some(part), _) => format!("DEF-{part}.L"),
        (_, Some(part)) => format!("DEF-{part}.R"),
        _ => name,
    }
}

#[test]
fn a_character_with_other_joint_names_moves_and_the_default_one_has_empty_hands() {
    let folder = folder("mocap_onto");
    let template = Biped::default().template().skeleton().expect("a skeleton");
    let mut dice = Dice(21);
    let (truth, on_it) = subject(&template, &MarkerSet::plates(), 0.1, &mut dice);
    let moved = motion(&truth, 60, 100.0, &mut dice);
    let seen = perfect(&truth, &on_it, &moved, 100.0);
    write(&folder, "walk.c3d", c3d(&seen).bytes());
    let mut joints = template.joints();
    joints
        .iter_mut()
        .for_each(|j| j.name = in_other_words(&j.name));
    let other = sinew::Skeleton::new(joints).expect("a tree").0;
    save(&folder, "hero.glb", other, None);

    let onto = [
        "mocap", "walk.c3d", "--onto", "hero.glb", "-o", "out.glb", "--json",
    ];
    let output = program::run(&folder, &onto);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("found on the mannequin and retargeted"),
        "{said}"
    );
    let report = json(&String::from_utf8_lossy(&output.stdout));
    assert_eq!(report["retargeted"], true);
    let made = sinew_io::import(folder.join("out.glb"))
        .expect("a character")
        .character;
    let (skeleton, clip) = (&made.skeleton, &made.clips[0]);
    assert_eq!((made.clips.len(), clip.name.as_str()), (1, "walk"));
    let poses: Vec<_> = (0..60)
        .map(|frame| {
            let mut pose = skeleton.rest().clone();
            sample(clip, skeleton, f64::from(frame) / 100.0, &mut pose).unwrap();
            pose
        })
        .collect();
    let (there, here) = (models(&truth, &moved), models(skeleton, &poses));
    for [from, to] in [
        ["left_upper_arm", "left_lower_arm"],
        ["right_upper_leg", "right_lower_leg"],
        ["hips", "head"],
    ] {
        for frame in 0..60 {
            let direction = |skeleton: &sinew::Skeleton, model, names: [&str; 2]| {
                let [a, b] = names.map(|n| place(model, skeleton.find(n).expect(n)));
                (b - a).normalize()
            };
            let was = direction(&truth, &there[frame], [from, to]);
            let names = [from, to].map(in_other_words);
            let is = direction(skeleton, &here[frame], names.each_ref().map(String::as_str));
            assert!(was.dot(is) > 0.98, "{to} in frame {frame}: {was} {is}");
        }
    }

    good(&folder, &["mocap", "walk.c3d", "-o", "plain.glb", "--json"]);
    let plain = sinew_io::import(folder.join("plain.glb"))
        .expect("a character")
        .character;
    let names: Vec<&str> = plain.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["mannequin"]);
}

#[test]
fn what_cannot_be_used_is_refused_with_a_way_out() {
    let folder = folder("mocap_bad");
    let write = |name: &str, bytes: &[u8]| write(&folder, name, bytes);
    let strange = C3d::new(&["nose", "ear"], vec![vec![Some([0.0; 3]); 2]; 3]);
    write("strange.c3d", &strange.bytes());
    write("text.c3d", b"not this");
    write(
        "bad.json",
        b"{\"format\": \"sinew-markers/1\", \"markers\": [{\"label\": 3}]}",
    );
    write(
        "old.json",
        b"{\"format\": \"sinew-markers/0\", \"markers\": []}",
    );
    let mocap = |file| ["mocap", file, "-o", "out.glb"];
    refused(
        &folder,
        &mocap("strange.c3d"),
        &["strange.c3d", "nose", "marker file"],
    );
    refused(&folder, &mocap("text.c3d"), &["text.c3d", "not a C3D"]);
    refused(&folder, &mocap("none.c3d"), &["none.c3d"]);
    let with = |file| ["mocap", "strange.c3d", "--markers", file, "-o", "out.glb"];
    refused(&folder, &with("bad.json"), &["bad.json", "line 1"]);
    refused(&folder, &with("old.json"), &["old.json", "sinew-markers/1"]);
    assert!(!folder.join("out.glb").exists());
    refused(
        &folder,
        &["info", "strange.c3d"],
        &["strange.c3d", "sinew mocap"],
    );
}

/// Captures of two people, with bone lengths by another program.
#[test]
fn captures_of_real_people_get_bones_that_people_have() {
    let Some(captures) = foreign("c3d") else {
        return;
    };
    let folder = folder("mocap_people");
    let truth = std::fs::read_to_string(captures.join("segments.json")).expect("lengths");
    let truth = json(&truth);
    for name in ["pycgm_movement", "pycgm_robo_static"] {
        let input = captures.join(format!("{name}.c3d"));
        let input = input.to_str().expect("a path");
        let report = json(&good(&folder, &["mocap", input, "-o", "out.glb", "--json"]));
        let bones = report["bones"].as_array().expect("bones");
        let bone = |joint: &str| {
            let bone = bones.iter().find(|b| b["joint"] == joint);
            bone.unwrap_or_else(|| panic!("{joint}"))
        };
        let length = |joint: &str| bone(joint)["length_mm"].as_f64().expect("a length");
        for (segment, joint) in [
            ("thigh", "lower_leg"),
            ("shin", "foot"),
            ("upper arm", "lower_arm"),
            ("forearm", "hand"),
        ] {
            // The other program is unsure here.
            let within = match (name, segment) {
                ("pycgm_movement", "shin") => 0.2,
                _ => 0.12,
            };
            for side in ["left", "right"] {
                let wanted = &truth[name]["segment_mm_mean_std"][format!("{side} {segment}")][0];
                let wanted = wanted.as_f64().expect("a length");
                let found = length(&format!("{side}_{joint}"));
                println!("{name}: {side} {segment} {found:.0} mm of {wanted:.0}");
                assert!(
                    (found / wanted - 1.0).abs() < within,
                    "{name}: {side} {segment}"
                );
            }
        }
        for part in [
            "shoulder",
            "upper_arm",
            "lower_arm",
            "hand",
            "upper_leg",
            "lower_leg",
            "foot",
        ] {
            let [left, right] = ["left", "right"].map(|side| length(&format!("{side}_{part}")));
            assert!(
                (left / right - 1.0).abs() < 0.1,
                "{name}: {part} {left} {right}"
            );
        }
        // A subject who stands shows no lengths; one who walks shows those of the legs.
        for joint in ["left_lower_leg", "right_foot"] {
            let from = match name {
                "pycgm_movement" => "motion",
                _ => "template",
            };
            assert_eq!(bone(joint)["from"], from, "{name}: {joint}");
        }
        assert_eq!(bone("left_hand")["from"], "template", "{name}");
    }
}

#[test]
fn points_that_are_no_markers_are_folded() {
    let folder = folder("mocap_folded");
    let template = Biped::default().template().skeleton().expect("a skeleton");
    let set = MarkerSet::plug_in_gait();
    let rest = vec![template.rest().clone(); 3];
    let mut file = c3d(&perfect(&template, &set, &rest, 100.0));
    let more = [
        "*40",
        "*41",
        "LHipAngles",
        "LHipPower",
        "PELO",
        "PELA",
        "PELL",
        "PELP",
        "WAND\nfaked\u{1b}[2J",
    ];
    file.labels.extend(more.map(str::to_owned));
    for frame in &mut file.frames {
        frame.extend(more.map(|_| Some([10.0, 20.0, 30.0])));
    }
    file.lists = vec![
        ("ANGLES", vec!["LHipAngles"]),
        ("POWERS", vec!["LHipPower"]),
    ];
    write(&folder, "stand.c3d", file.bytes());
    let said = good(&folder, &["mocap", "stand.c3d", "-o", "out.glb"]);
    let used = set.markers.len();
    let line = format!("{used} markers used, 2 unlabelled, 6 not markers, 1 not in the marker set");
    assert!(said.contains(&line), "{said}");
    assert!(
        said.contains("WAND\\nfaked\\u001b[2J\n") && !said.contains("LHipAngles"),
        "{said}"
    );
    let report = json(&good(
        &folder,
        &["mocap", "stand.c3d", "-o", "out.glb", "--json"],
    ));
    assert_eq!(report["unlabelled"].as_array().expect("a list").len(), 2);
    assert_eq!(report["not_markers"].as_array().expect("a list").len(), 6);
    assert_eq!(
        report["unknown_labels"],
        serde_json::json!(["WAND\nfaked\u{1b}[2J"])
    );
}

#[test]
fn repairs_of_the_file_are_in_the_report() {
    let folder = folder("mocap_repaired");
    let template = Biped::default().template().skeleton().expect("a skeleton");
    let rest = vec![template.rest().clone(); 12];
    let file = c3d(&perfect(
        &template,
        &MarkerSet::plug_in_gait(),
        &rest,
        100.0,
    ));
    let bytes = file.bytes();
    write(&folder, "whole.c3d", &bytes);
    let frame = 16 * file.labels.len();
    write(
        &folder,
        "short.c3d",
        &bytes[..bytes.len() - 2 * frame - 512],
    );
    let mocap = |more: &[&str]| {
        let report = [&["mocap"], more, &["-o", "out.glb", "--json"]].concat();
        json(&good(&folder, &report))
    };
    // Analog samples are left out of both.
    let found = |report: &serde_json::Value, list: &str| {
        let all = report[list].as_array().expect("a list").clone();
        let codes = all.iter().map(|finding| finding["code"].clone());
        codes.filter(|code| code != "C3D_ANALOG").count()
    };
    let report = mocap(&["short.c3d", "--static", "whole.c3d"]);
    assert_eq!(
        (
            found(&report, "findings"),
            found(&report, "static_findings")
        ),
        (1, 0),
        "{report}"
    );
    assert_eq!(report["more_findings"], 0);
    let report = mocap(&["whole.c3d", "--static", "short.c3d"]);
    assert_eq!(
        (
            found(&report, "findings"),
            found(&report, "static_findings")
        ),
        (0, 1),
        "{report}"
    );
}

#[test]
fn progress_is_shown_at_a_terminal() {
    let folder = folder("mocap_progress");
    let template = Biped::default().template().skeleton().expect("a skeleton");
    let set = MarkerSet::plug_in_gait();
    let mut dice = Dice(31);
    let moved = motion(&template, 100, 100.0, &mut dice);
    let seen = noisy(
        &perfect(&template, &set, &moved, 100.0),
        0.001,
        0.0,
        10,
        &mut dice,
    );
    write(&folder, "walk.c3d", c3d(&seen).bytes());
    let command = format!("{} mocap walk.c3d -o out.glb", env!("CARGO_BIN_EXE_sinew"));
    let begin = std::time::Instant::now();
    let terminal = std::process::Command::new("script")
        .current_dir(&folder)
        .args(["-qec", &command, "/dev/null"])
        .output();
    let Ok(terminal) = terminal else {
        println!("skipped: script(1), which makes a terminal, is not there");
        return;
    };
    let shown = String::from_utf8_lossy(&terminal.stdout);
    let has_bar = shown.contains(" %, ") || shown.contains("/100 frames");
    // Tasks below one second show no bar, and starting the program takes part of the time.
    if begin.elapsed().as_secs_f64() > 2.0 {
        assert!(has_bar, "{shown}");
    }
    let quiet = program::run(&folder, &["mocap", "walk.c3d", "-o", "out.glb"]);
    let said = String::from_utf8_lossy(&quiet.stderr);
    assert!(
        !said.contains("/100 frames") && !said.contains(" %, "),
        "{said}"
    );
    assert!(
        said.contains("wrote out.glb: clip \"walk\", 100 frames"),
        "{said}"
    );
}
