//! `sinew retarget` between animals and people, and of captures that begin with a calibration pose.

use crate::beasts::{Names, beast, horse, renamed, steed, trot, walking_dog};
use crate::foreign::foreign;
use crate::program::{folder, good, json, refused, run, write};
use crate::retarget::wave;
use serde_json::Value;
use sinew::{Character, Clip, Interpolation, Skeleton, Track};
use sinew_io::gltf::{self, ExportOptions};
use std::path::Path;

/// Writes a body that stands, or moves by a clip. Every joint is keyed, so that a file without a skin has them all.
pub(crate) fn save(folder: &Path, name: &str, skeleton: Skeleton, clip: Option<Clip>) {
    let mut clip = clip.unwrap_or_else(|| Clip::new("stand"));
    for (joint, rest) in skeleton.rest().iter().enumerate() {
        let track = Track::rotations(vec![0.0, 1.0], &[rest.rotation; 2], Interpolation::Slerp);
        let track = track.expect("ascending, finite keys");
        clip.joint_mut(joint).rotation.get_or_insert(track);
    }
    clip.fit_duration();
    let mut character = Character::from_skeleton(skeleton);
    character.clips.push(clip);
    let export = gltf::export(&character, &ExportOptions::new().source(None)).expect("a character");
    write(folder, name, export.to_glb().expect("a file"));
}

fn onto<'a>(motion: &'a str, character: &'a str) -> [&'a str; 7] {
    let out = ["-o", "out.glb", "--json"];
    [
        "retarget", motion, "--onto", character, out[0], out[1], out[2],
    ]
}

fn report(folder: &Path, arguments: &[&str]) -> (Value, String) {
    let output = run(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    (json(&String::from_utf8_lossy(&output.stdout)), said)
}

#[test]
fn animals_follow_by_names_and_legs_that_would_stand_still_are_refused() {
    let folder = folder("retarget_animals");
    save(
        &folder,
        "horse.glb",
        horse(1.0),
        Some(trot(&horse(1.0), 1.0)),
    );
    let pony = renamed(&horse(0.5), str::to_lowercase);
    save(&folder, "pony.glb", pony, None);
    let (found, said) = report(&folder, &onto("horse.glb", "pony.glb"));
    assert_eq!(found["pairs"].as_array().map(Vec::len), Some(42), "{found}");
    assert!(!said.contains("four legs"), "{said}");
    // It lies, so its shape does not tell its legs either.
    let strange = renamed(&horse(0.5), |name| name.replace("Leg", "Paw"));
    let mut joints = strange.joints();
    joints
        .iter_mut()
        .for_each(|joint| joint.rest.translation.y = 0.0);
    let strange = Skeleton::new(joints).expect("a tree").0;
    save(&folder, "strange.glb", strange, None);
    let stiff = onto("horse.glb", "strange.glb");
    let words = [
        "strange.glb",
        "4 of the character's 4 legs",
        "FrontPaw.L1",
        "--map",
        "--partial",
    ];
    refused(&folder, &stiff, &words);
    good(&folder, &[&stiff[..], &["--partial"]].concat());
}

#[test]
fn a_dog_moves_a_horse_of_other_names_with_all_four_feet() {
    let folder = folder("retarget_steed");
    let (dog, walk) = walking_dog();
    save(&folder, "dog.glb", dog, Some(walk));
    save(&folder, "horse.glb", steed(), None);
    let (found, said) = report(&folder, &onto("dog.glb", "horse.glb"));
    assert!(!said.contains("four legs"), "{said}");
    assert_eq!(
        (&found["by_shape"], &found["motion_legs"]),
        (&true.into(), &4.into())
    );
    let feet = found["clips"][0]["feet"].as_array().expect("a list");
    let legs: Vec<_> = feet
        .iter()
        .map(|foot| (&foot["front"], &foot["side"]))
        .collect();
    assert_eq!(legs.len(), 4, "{legs:?}");
    for foot in feet {
        assert!(foot["contacts"].as_u64() >= Some(2), "{foot}");
        assert!(
            foot["slide_after"].as_f64().expect("a speed") < 0.02,
            "{foot}"
        );
    }
    let text = onto("dog.glb", "horse.glb");
    let text = good(&folder, &[&text[..6], &["--report"]].concat());
    assert!(text.contains("front left foot: "), "{text}");
}

#[test]
fn four_legs_and_two_are_told_apart_in_words_and_in_json() {
    let folder = folder("retarget_legs");
    write(&folder, "wave.bvh", wave());
    save(&folder, "fox.glb", beast(Names::Person), None);
    let (found, said) = report(&folder, &onto("wave.bvh", "fox.glb"));
    assert!(
        said.contains("fox.glb stands on four legs and wave.bvh on two"),
        "{said}"
    );
    assert!(found["notes"].to_string().contains("four legs"), "{found}");
    assert_eq!(
        (&found["motion_legs"], &found["character_legs"]),
        (&2.into(), &4.into())
    );
    let (found, said) = report(&folder, &onto("wave.bvh", "mannequin"));
    assert!(!said.contains("four legs"), "{said}");
    assert_eq!(
        (&found["motion_legs"], &found["character_legs"]),
        (&2.into(), &2.into())
    );
}

/// The person of `wave`, with names of CMU's library and a T pose before five frames.
fn captured() -> String {
    let text = wave();
    let (body, _) = text.split_once("MOTION").expect("a motion");
    let more = ["LHipJoint", "RHipJoint", "LThumb"].map(|name| {
        format!("JOINT {name}\n{{\nOFFSET 1 0 0\nCHANNELS 0\nEnd Site\n{{\nOFFSET 1 0 0\n}}\n}}\n")
    });
    let first = "Zrotation Xrotation Yrotation\n";
    let mut text = body.replacen(first, &format!("{first}{}", more.concat()), 1);
    text += "MOTION\nFrames: 6\nFrame Time: 0.0083333\n";
    for frame in 0..6 {
        let angle = if frame == 0 { 0 } else { 10 + frame };
        text += &format!("0 95 0{}\n", format!(" {angle}").repeat(63));
    }
    text
}

#[test]
fn a_calibration_frame_is_left_out_and_said_unless_it_is_kept() {
    let folder = folder("retarget_calibration");
    write(&folder, "walk.bvh", captured());
    let walk = onto("walk.bvh", "mannequin");
    let (found, said) = report(&folder, &walk);
    assert!(
        said.contains("calibration") && said.contains("--keep-first"),
        "{said}"
    );
    assert!(
        found["notes"].to_string().contains("calibration"),
        "{found}"
    );
    assert_eq!(found["first_frame_left_out"], json("[\"walk\"]"));
    let (kept, said) = report(&folder, &[&walk[..], &["--keep-first"]].concat());
    assert!(!said.contains("calibration"), "{said}");
    assert_eq!(kept["first_frame_left_out"], json("[]"));
    let frames = |report: &Value| report["clips"][0]["frames"].as_u64();
    assert_eq!(frames(&kept), frames(&found).map(|frames| frames + 1));
    // The pose still serves as the rest pose, if it is asked for.
    let (resting, _) = report(&folder, &[&walk[..], &["--rest-time", "0"]].concat());
    assert_eq!(frames(&resting), frames(&found));
    assert_eq!(resting["scale"], found["scale"]);
    // A motion that begins at once loses nothing.
    let text = captured().replacen(&format!("0 95 0{}\n", " 0".repeat(63)), "", 1);
    write(&folder, "walk.bvh", text.replace("Frames: 6", "Frames: 5"));
    let (found, said) = report(&folder, &walk);
    assert!(!said.contains("calibration"), "{said}");
    assert_eq!(found["first_frame_left_out"], json("[]"));
}

#[test]
fn captures_of_cmu_begin_with_their_motion() {
    for (file, frames) in [("bvh/cmu_09_01.bvh", 149), ("bvh/cmu_02_03.bvh", 174)] {
        let Some(path) = foreign(file) else {
            return;
        };
        let folder = folder("retarget_cmu");
        let path = path.to_str().expect("a path in UTF-8");
        let (found, said) = report(
            &folder,
            &[&onto(path, "mannequin")[..], &["--no-feet"]].concat(),
        );
        assert!(said.contains("calibration"), "{said}");
        assert_eq!(found["clips"][0]["frames"], frames - 1, "{found}");
    }
}
