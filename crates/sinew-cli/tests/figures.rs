//! `--figure`: characters made by code instead of files.

use crate::book::at;
use crate::program;
use program::{folder, good, json, run};
use serde_json::Value;
use sinew_samples::Figure;

#[test]
fn a_figure_is_used_as_a_file_of_it_would_be() {
    let folder = folder("figures");
    for made in Figure::ALL {
        let (name, file) = (made.name(), format!("{}.glb", made.name()));
        good(&folder, &["convert", "--figure", name, "-o", &file]);
        let both = |words: &[&str]| {
            let by_name = good(&folder, &[words, &["--figure", name]].concat());
            let by_file = good(&folder, &[words, &[file.as_str()]].concat());
            (by_name, by_file)
        };
        for words in [
            &["skin", "--clip", "0", "--time", "0.5"][..],
            &["sample", "--time", "0.5"],
            &["limits"],
        ] {
            let (by_name, by_file) = both(words);
            assert!(by_name == by_file, "{name}: {words:?}");
        }
        let [by_name, by_file] = [&format!("--figure={name}"), &file]
            .map(|input| json(&good(&folder, &["info", "--json", input])));
        assert_eq!(by_name["file"], format!("figure:{name}"));
        // Memory differs: a track that was read may hold more than one that was made.
        let [by_name, by_file] = [by_name, by_file].map(|mut info| {
            let clips = info["clips"].as_array_mut().into_iter().flatten();
            clips.for_each(|clip| clip["bytes"] = Value::Null);
            info
        });
        for part in ["joints", "clips", "skins", "degrees_of_freedom", "method"] {
            assert_eq!(by_name[part], by_file[part], "{name}: {part}");
        }
    }
    let list = json(&good(
        &folder,
        &["info", "--json", "--figure", "car", "--figure", "tube"],
    ));
    assert_eq!(list.as_array().map(Vec::len), Some(2));
    good(&folder, &["plot", "--figure", "robot-arm", "-o", "arm.svg"]);
    good(&folder, &["measure", "--figure", "tube", "--fps", "1"]);
    good(
        &folder,
        &[
            "clip",
            "--figure",
            "robot-arm",
            "--reverse",
            "-o",
            "back.glb",
        ],
    );
    good(
        &folder,
        &["compress", "--figure", "robot-arm", "-o", "{name}.sinew"],
    );
    assert!(folder.join("robot-arm.sinew").is_file());
    // A position of the elbow during a clip, so it is within reach.
    let arm = Figure::RobotArm.make();
    let elbow = arm.skeleton.find("elbow").expect("an elbow");
    let (_, model) = at(&arm.clips[0], &arm.skeleton, 0.5);
    let goal = model.get(elbow).translation();
    let goal = format!("{},{},{}", goal.x, goal.y, goal.z);
    let reach = [
        "ik",
        "--figure",
        "robot-arm",
        "--chain",
        "base..elbow",
        "--goal",
        &goal,
    ];
    good(&folder, &[&reach[..], &["-o", "reach.glb"]].concat());
}

#[test]
fn figures_are_named_in_the_help_and_unknown_ones_refused() {
    let folder = folder("figures_named");
    for verb in program::verbs() {
        let help = good(&folder, &[&verb, "--help"]);
        let takes_none = ["demo", "bench", "mocap", "completions", "man"].contains(&&*verb);
        assert_eq!(help.contains("--figure"), !takes_none, "{verb}");
    }
    for (words, said) in [
        (&["info", "--figure", "cow"][..], "mannequin"),
        (&["info", "--figure"], "--figure"),
        (&["bench", "--figure", "car"], "figure:car"),
        (
            &["skin", "--figure", "car", "--figure", "tube"],
            "figure:tube",
        ),
    ] {
        let output = run(&folder, words);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
        assert!(text.contains(said), "{words:?}: {text}");
    }
}
