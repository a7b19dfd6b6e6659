//! Avatars: information, retargeting and conversion.

use crate::made_vrm::{BOTH, Version, avatar, bones, document, glb, name_of};
use crate::program::{folder, good, json, refused, run, write};
use crate::render::is_without_gpu;
use crate::retarget::wave;

use serde_json::{Value, json};
use sinew_gpu::read_png;
use std::path::{Path, PathBuf};

fn with_avatars(name: &str) -> PathBuf {
    let folder = folder(name);
    write(&folder, "old.vrm", glb(&avatar(Version::V0)));
    write(&folder, "new.vrm", glb(&avatar(Version::V1)));
    folder
}

fn file(version: Version) -> &'static str {
    match version {
        Version::V0 => "old.vrm",
        Version::V1 => "new.vrm",
    }
}

fn read(folder: &Path, name: &str) -> Value {
    document(&std::fs::read(folder.join(name)).expect("it was written"))
}

#[test]
fn info_says_what_the_licence_forbids() {
    let folder = with_avatars("vrm_info");
    let new = good(&folder, &["info", "new.vrm"]);
    for line in [
        "avatar     VRM 1.0 \"Hana\" by Ada, Bo; the file states the roles of 52 joints\n",
        "licence    https://vrm.dev/licenses/1.0/; ",
        "avatarPermission everyone",
        "warning    its licence forbids modification and redistribution; ask its author first\n",
        "faces      \"happy\", \"grin\"\n",
        "MToon is drawn as a plain material",
        "spring bones are kept but not simulated",
    ] {
        assert!(new.contains(line), "{line} in {new}");
    }
    let old = good(&folder, &["info", "old.vrm"]);
    for line in [
        "avatar     VRM 0.x \"Hana\" by Ada;",
        "licence    Redistribution_Prohibited; allowedUserName Everyone",
        "warning    its licence forbids redistribution; ask its author first\n",
        "faces      \"joy\", \"grin\"\n",
    ] {
        assert!(old.contains(line), "{line} in {old}");
    }
    let mut free = avatar(Version::V0);
    free["extensions"]["VRM"]["meta"]["licenseName"] = json!("CC0");
    write(&folder, "free.vrm", glb(&free));
    let said = good(&folder, &["info", "free.vrm"]);
    assert!(said.contains("licence    CC0;"), "{said}");
    assert!(!said.contains("warning"), "{said}");
    free["extensions"]["VRM"]["meta"] = json!(7);
    write(&folder, "silent.vrm", glb(&free));
    let said = good(&folder, &["info", "silent.vrm"]);
    assert!(said.contains("licence    not stated\n"), "{said}");
    assert!(
        said.contains("warning    the file does not state"),
        "{said}"
    );

    let info = json(&good(&folder, &["info", "new.vrm", "--json"]));
    let avatar = &info["avatar"];
    assert_eq!(avatar["forbids"], json!(["modification", "redistribution"]));
    assert_eq!(
        avatar["roles"].as_array().map(Vec::len),
        Some(bones().len())
    );
    let hips = avatar["roles"].as_array().into_iter().flatten();
    let hips = hips.filter(|role| role["role"] == "hips");
    let hips: Vec<&Value> = hips.map(|role| &role["name"]).collect();
    assert_eq!(hips, [&json!(name_of("hips"))]);
    assert_eq!(avatar["expressions"][1]["morph_targets"], 2);
}

#[test]
fn a_motion_goes_onto_an_avatar_by_its_map() {
    let folder = with_avatars("vrm_retarget");
    write(&folder, "wave.bvh", wave());
    for version in BOTH {
        let onto = ["retarget", "wave.bvh", "--onto", file(version)];
        let arguments = [&onto[..], &["-o", "out.vrm", "--json"]].concat();
        let report = json(&good(&folder, &arguments));
        let pairs = report["pairs"].as_array().expect("pairs");
        let follows = |source: &str| {
            let pair = pairs.iter().find(|pair| pair["source"] == source);
            pair.and_then(|pair| pair["target"].as_str())
                .map(str::to_owned)
        };
        for (source, target) in [
            ("Hips", "hips"),
            ("Spine1", "chest"),
            ("Head", "head"),
            ("LeftShoulder", "left_shoulder"),
            ("LeftArm", "left_upper_arm"),
            ("RightForeArm", "right_lower_arm"),
            ("RightHand", "right_hand"),
            ("LeftUpLeg", "left_upper_leg"),
            ("RightLeg", "right_lower_leg"),
            ("LeftFoot", "left_foot"),
            ("RightToeBase", "right_toes"),
        ] {
            assert_eq!(follows(source), Some(name_of(target)), "{source}");
        }
        let unused = report["unused_source"].as_array().expect("a list");
        let ends = |name: &Value| name.as_str().is_some_and(|name| name.ends_with("_end"));
        assert!(unused.iter().all(ends), "{unused:?}");
        for foot in report["clips"][0]["feet"].as_array().expect("feet") {
            assert!(foot["slide_after"].as_f64() < Some(0.01), "{foot}");
        }
        // An avatar of 0.x faces the other way, and the motion with it.
        let rotation: Vec<f64> =
            serde_json::from_value(report["rotation"].clone()).expect("numbers");
        let turned = [0.0, 1.0, 0.0, 0.0];
        let straight = [0.0, 0.0, 0.0, 1.0];
        let wanted = if version == Version::V0 {
            turned
        } else {
            straight
        };
        let same = rotation
            .iter()
            .zip(wanted)
            .map(|(a, b)| a * b)
            .sum::<f64>()
            .abs();
        assert!(same > 0.999, "{rotation:?}");
        let out = read(&folder, "out.vrm");
        assert_eq!(out["extensions"], avatar(version)["extensions"]);
        let info = json(&good(&folder, &["info", "out.vrm", "--json"]));
        assert_eq!(info["clips"][0]["name"], "wave");
        assert_eq!(info["avatar"]["title"], "Hana");
    }
    // Without the map, roles are unknown.
    let mut plain = avatar(Version::V1);
    let members = plain.as_object_mut().expect("an object");
    members.remove("extensions");
    write(&folder, "plain.glb", glb(&plain));
    let onto = [
        "retarget",
        "wave.bvh",
        "--onto",
        "plain.glb",
        "-o",
        "out.glb",
    ];
    refused(&folder, &onto, &["plain.glb"]);
}

#[test]
fn a_motion_leaves_an_avatar_by_its_map() {
    let folder = with_avatars("vrm_source");
    write(&folder, "wave.bvh", wave());
    let onto = [
        "retarget",
        "wave.bvh",
        "--onto",
        "new.vrm",
        "-o",
        "moving.vrm",
    ];
    good(&folder, &onto);
    let onto = [
        "retarget",
        "moving.vrm",
        "--onto",
        "old.vrm",
        "-o",
        "out.vrm",
        "--json",
    ];
    let report = json(&good(&folder, &onto));
    let pairs = report["pairs"].as_array().expect("pairs");
    assert_eq!(pairs.len(), bones().len());
    assert!(pairs.iter().all(|pair| pair["source"] == pair["target"]));
}

#[test]
fn converting_keeps_an_avatar() {
    let folder = with_avatars("vrm_convert");
    for version in BOTH {
        let wanted = avatar(version);
        for output in ["again.vrm", "again.glb"] {
            good(&folder, &["convert", file(version), "-o", output]);
            let again = read(&folder, output);
            assert_eq!(again["extensions"], wanted["extensions"], "{output}");
            let infos =
                [file(version), output].map(|name| json(&good(&folder, &["info", name, "--json"])));
            for member in ["avatar", "joints", "nodes", "meshes"] {
                assert_eq!(infos[0][member], infos[1][member], "{output}: {member}");
            }
        }
    }
    // The extension alone makes no avatar.
    let figure = ["skin", "new.vrm", "-o", "still.glb"];
    good(&folder, &figure);
    let convert = ["convert", "still.glb", "-o", "still.vrm"];
    refused(&folder, &convert, &["still.vrm", "no avatar", ".glb"]);
    assert!(!folder.join("still.vrm").exists());
}

#[test]
fn lengths_inside_of_extensions_are_not_scaled_and_that_is_said() {
    let folder = with_avatars("vrm_scale");
    for version in BOTH {
        let convert = |scale: &str| {
            let output = run(
                &folder,
                &[
                    "convert",
                    file(version),
                    "--scale",
                    scale,
                    "-o",
                    "scaled.vrm",
                ],
            );
            String::from_utf8_lossy(&output.stderr).into_owned()
        };
        assert!(convert("2").contains("spring radii"), "{version:?}");
        let again = read(&folder, "scaled.vrm");
        assert_eq!(again["extensions"], avatar(version)["extensions"]);
        assert!(!convert("1").contains("spring radii"), "{version:?}");
    }
}

#[test]
fn limits_are_laid_on_by_the_map() {
    let folder = with_avatars("vrm_limits");
    let limits = ["limits", "new.vrm", "--from", "biped", "-o", "limited.vrm"];
    good(&folder, &limits);
    let info = json(&good(&folder, &["info", "limited.vrm", "--json"]));
    assert!(info["limited_joints"].as_u64() > Some(40), "{info}");
    let again = read(&folder, "limited.vrm");
    assert_eq!(again["extensions"], avatar(Version::V1)["extensions"]);
}

#[test]
fn an_expression_is_drawn() {
    let folder = with_avatars("vrm_render");
    let unknown = ["render", "new.vrm", "--expression", "hapy", "-o", "x.png"];
    refused(
        &folder,
        &unknown,
        &["new.vrm", "\"happy\" and \"grin\"", "did you mean"],
    );
    good(&folder, &["skin", "new.vrm", "-o", "still.glb"]);
    let none = [
        "render",
        "still.glb",
        "--expression",
        "happy",
        "-o",
        "x.png",
    ];
    refused(&folder, &none, &["still.glb", "not an avatar"]);
    if is_without_gpu() {
        return;
    }
    let picture = |more: &[&str]| {
        let base = ["render", "new.vrm", "-o", "x.png", "--size", "96x96"];
        let output = run(&folder, &[&base[..], &["--camera", "front"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        read_png(&std::fs::read(folder.join("x.png")).expect("it was drawn")).expect("a picture")
    };
    assert_eq!(picture(&[]), picture(&[]));
    assert_ne!(picture(&[]), picture(&["--expression", "happy"]));
    assert_ne!(
        picture(&["--expression", "happy"]),
        picture(&["--expression", "happy,grin"])
    );
}
