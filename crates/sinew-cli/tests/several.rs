use crate::program::{demo_files, folder, good, json, run, write};

#[test]
fn each_file_has_its_report_and_one_that_fails_is_said_and_makes_the_exit_code() {
    let folder = folder("several");
    good(&folder, &["demo", "--no-pictures", "-o", "."]);
    write(&folder, "broken.glb", "glTF and no more");
    let text = good(&folder, &["info", "tube.glb", "mannequin.glb"]);
    assert!(
        text.contains("tube.glb:\n") && text.contains("mannequin.glb:\n"),
        "{text}"
    );
    let list = json(&good(
        &folder,
        &["info", "--json", "tube.glb", "mannequin.glb"],
    ));
    assert_eq!(list[0]["joints"], 2);
    assert_eq!(list[1]["joints"], 52);
    assert_eq!(list[0]["file"], "tube.glb");
    assert_eq!(list[1]["file"], "mannequin.glb");
    let failed = run(
        &folder,
        &["info", "--json", "tube.glb", "broken.glb", "mannequin.glb"],
    );
    let said = String::from_utf8_lossy(&failed.stderr);
    assert_eq!(failed.status.code(), Some(1), "{said}");
    assert!(
        said.contains("broken.glb") && said.contains("1 of 3 files failed"),
        "{said}"
    );
    let list = json(&String::from_utf8_lossy(&failed.stdout));
    assert_eq!(list.as_array().map(Vec::len), Some(3), "{list}");
    assert_eq!(list[1]["file"], "broken.glb");
    assert_eq!(list[2]["joints"], 52);

    let measured = run(
        &folder,
        &[
            "measure",
            "--json",
            "--fps",
            "4",
            "--fail-if",
            "volume<0.9",
            "tube.glb",
            "tube.glb",
        ],
    );
    assert_eq!(measured.status.code(), Some(1));
    let list = json(&String::from_utf8_lossy(&measured.stdout));
    assert_eq!(
        list.as_array().map(Vec::len),
        Some(2),
        "a report for each, though each failed"
    );
    assert_eq!(list[1]["file"], "tube.glb");
}

#[test]
fn outputs_are_named_for_their_inputs() {
    let folder = folder("several_out");
    good(&folder, &["demo", "--no-pictures", "-o", "."]);
    let packed = good(
        &folder,
        &[
            "compress",
            "--json",
            "tube.glb",
            "mannequin.glb",
            "-o",
            "{name}-packed.sinew",
        ],
    );
    assert_eq!(json(&packed).as_array().map(Vec::len), Some(2));
    for name in ["tube-packed.sinew", "mannequin-packed.sinew"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    good(
        &folder,
        &[
            "retarget",
            "mannequin.glb",
            "mannequin-packed.sinew",
            "--clip",
            "walk",
            "--onto",
            "mannequin",
            "--json",
            "-o",
            "on {name}.glb",
        ],
    );
    assert!(folder.join("on mannequin.glb").is_file());
    assert!(folder.join("on mannequin-packed.glb").is_file());
    for (words, said) in [
        (
            &["compress", "tube.glb", "mannequin.glb", "-o", "one.sinew"][..],
            "{name}",
        ),
        (
            &["compress", "tube.glb", "./tube.glb", "-o", "{name}.sinew"],
            "both",
        ),
        (
            &["render", "tube.glb", "mannequin.glb", "-o", "one.png"],
            "{name}",
        ),
        (
            &[
                "retarget",
                "tube.glb",
                "mannequin.glb",
                "--onto",
                "mannequin",
                "-o",
                "one.glb",
            ],
            "{name}",
        ),
        (&["info", "-", "-"], "once"),
    ] {
        let output = run(&folder, words);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
        assert!(text.contains(said), "{words:?}: {text}");
    }
    assert!(demo_files().is_dir());
}
