//! `sinew mocap`: a C3D file becomes a character that moves.

#[path = "../../sinew-io/tests/made_c3d/mod.rs"]
mod made_c3d;
#[path = "../../sinew-rig/tests/made_capture/mod.rs"]
mod made_capture;
mod program;

use made_c3d::C3d;
use made_capture::{Dice, models, motion, noisy, perfect, place, subject};
use program::{folder, good, json, refused, write};
use sinew::sample;
use sinew_rig::mocap::{MarkerSet, Trial};
use sinew_rig::template::Biped;

/// In millimetres, z up, as most laboratories write.
fn c3d(trial: &Trial) -> C3d {
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

#[test]
fn spec_43_markers_of_a_file_move_the_mannequin() {
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

    // The mannequin's bones point where the subject's do.
    let poses: Vec<_> = (0..80)
        .map(|frame| {
            let mut pose = skeleton.rest().clone();
            sample(clip, skeleton, f64::from(frame) / 100.0, &mut pose);
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

    // The set that was saved can be used again, and the report read.
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
