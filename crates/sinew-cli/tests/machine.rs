//! `sinew render --machine`.

use crate::program;
use crate::render::is_without_gpu;
use program::{folder, json, run, write};

pub const MACHINE: &str = r#"{
  "parameters": [{ "name": "speed" }],
  "states": [
    { "name": "stand", "motion": { "clip": "idle" } },
    { "name": "move", "motion": { "blend": { "parameter": "speed", "points": [
        { "at": 1.4, "clip": "walk" }, { "at": 3.5, "clip": "run" } ] } } }
  ],
  "transitions": [
    { "from": "stand", "to": "move", "when": [{ "above": { "parameter": "speed", "value": 0.2 } }], "duration_secs": 0.2 },
    { "from": "move", "to": "stand", "when": [{ "below": { "parameter": "speed", "value": 0.1 } }], "duration_secs": 0.2 }
  ]
}"#;

const RENDER: [&str; 10] = [
    "render",
    "--figure",
    "mannequin",
    "--machine",
    "m.json",
    "--size",
    "32x24",
    "-o",
    "x.png",
    "--report",
];

#[test]
fn a_machine_is_played_and_its_states_listed() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("machine");
    write(&folder, "m.json", MACHINE);
    let picture = |rest: &[&str]| {
        let output = run(&folder, &[&RENDER[..], rest].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{rest:?}: {said}");
        let picture = std::fs::read(folder.join("x.png")).expect("written");
        (picture, said, output.stdout)
    };
    let set = ["--set", "speed=1.5@0.4", "--set", "speed=0@1.5"];
    let (walking, said, report) = picture(&[&set[..], &["--time", "1.2", "--json"]].concat());
    assert!(
        said.contains("states: stand at 0.00 s, move at 0.40 s, stand at 1.50 s"),
        "{said}"
    );
    let report = json(&String::from_utf8(report).expect("text"));
    let states = report["states"].as_array().expect("a list");
    let names: Vec<_> = states.iter().map(|state| &state["state"]).collect();
    assert_eq!(names, ["stand", "move", "stand"]);
    let time = states[1]["time_secs"].as_f64().expect("a time");
    assert!((0.4..0.42).contains(&time), "{time}");
    let (standing, said, _) = picture(&["--time", "1.2"]);
    assert!(said.contains("states: stand at 0.00 s\n"), "{said}");
    assert!(walking != standing);
    let again = picture(&[&set[..], &["--time", "1.2"]].concat()).0;
    assert!(walking == again);
}

#[test]
fn wrong_machines_and_parameters_are_refused() {
    let folder = folder("wrong_machine");
    write(&folder, "m.json", MACHINE);
    write(&folder, "typo.json", MACHINE.replace("motion", "moves"));
    write(
        &folder,
        "clip.json",
        MACHINE.replace("\"idle\"", "\"idel\""),
    );
    let machine = |name| {
        [
            "render",
            "--figure",
            "mannequin",
            "-o",
            "x.png",
            "--machine",
            name,
        ]
    };
    for (name, rest, code, said) in [
        ("none.json", &[][..], 1, "cannot read none.json"),
        ("typo.json", &[], 1, "unknown field `moves`"),
        ("clip.json", &[], 1, "did you mean idle"),
        ("m.json", &["--set", "spede=1@0.2"], 1, "did you mean speed"),
        ("m.json", &["--set", "speed=fast@0.2"], 2, "speed=1.5@0.4"),
        ("m.json", &["--set", "speed=1@-1"], 2, "speed=1.5@0.4"),
        ("m.json", &["--duration", "0"], 1, "frames"),
        ("m.json", &["--root", "hisp"], 1, "did you mean hips"),
        ("m.json", &["--clip", "walk"], 2, "--clip"),
    ] {
        let output = run(&folder, &[&machine(name)[..], rest].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{name} {rest:?}: {text}");
        assert!(text.contains(said), "{name} {rest:?}: {text}");
    }
    let alone = [
        "render",
        "--figure",
        "mannequin",
        "-o",
        "x.png",
        "--set",
        "speed=1@0.2",
    ];
    let output = run(&folder, &alone);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("needs --machine"), "{text}");
}
