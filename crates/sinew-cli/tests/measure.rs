use serde_json::Value;
use sinew::clip::{Clip, Interpolation, Track};
use sinew_io::gltf::{self, ExportOptions};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;

fn run(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_sinew");
    let output = Command::new(program).args(arguments).output();
    output.expect("the program starts")
}

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("measure");
    let made = run(&["demo", "--no-pictures", "-o", &folder.display().to_string()]);
    assert!(made.status.success());
    folder
});

fn file(name: &str) -> String {
    FOLDER.join(name).display().to_string()
}

fn measured(name: &str, options: &[&str]) -> (Option<i32>, String, String) {
    let path = file(name);
    let arguments: Vec<&str> = ["measure", &path]
        .into_iter()
        .chain(options.iter().copied())
        .collect();
    let output = run(&arguments);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn wrong_usage_is_refused_with_exit_code_2() {
    let table: [(&[&str], &str); 8] = [
        (&["--fail-if", "size<1"], "section_min, section_max"),
        (&["--fail-if", "volume"], "<, >, <= and >="),
        (&["--fail-if", "volume=1"], "<, >, <= and >="),
        (&["--fail-if", "volume<lots"], "lots"),
        (&["--method", "magic"], "rigid, lbs, dqs"),
        (&["--fps", "0"], "above 0"),
        (&["--fps", "inf"], "above 0"),
        (&["--loud"], "--loud"),
    ];
    for (options, wanted) in table {
        let (code, out, said) = measured("tube.glb", options);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{options:?}: {said}");
        assert!(said.contains(wanted), "{options:?}: {said}");
    }
}

#[test]
fn bad_inputs_are_refused_with_exit_code_1_by_name() {
    let (code, _, said) = measured("missing.glb", &[]);
    assert_eq!(code, Some(1));
    assert!(said.contains("missing.glb"), "{said}");
    let (code, _, said) = measured("tube.glb", &["--clip", "dance"]);
    assert_eq!(code, Some(1));
    assert!(
        said.contains("tube.glb") && said.contains("\"twist\""),
        "{said}"
    );
    let (code, _, said) = measured("tube.glb", &["--fps", "1e9"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("frames"), "{said}");
    let still = file("still.glb");
    assert!(
        run(&["skin", &file("tube.glb"), "-o", &still])
            .status
            .success()
    );
    let (code, _, said) = measured("still.glb", &[]);
    assert_eq!(code, Some(1));
    assert!(said.contains("no skin moves"), "{said}");
}

#[test]
fn a_failed_check_says_where() {
    let checks = [
        "--clip",
        "twist",
        "--fail-if",
        "volume<0.9",
        "--fail-if",
        "section_min<0.5",
    ];
    let (code, out, said) = measured("tube.glb", &checks);
    assert_eq!(code, Some(1));
    assert!(out.contains("worst value"), "the report comes first: {out}");
    assert!(
        said.contains("lbs: volume<0.9: volume is 0.665 at 2.00 s (frame 60)"),
        "{said}"
    );
    assert!(said.contains("at joint \"upper\", 2.00 s"), "{said}");
    assert!(!said.contains("dqs"), "{said}");

    let alone: Vec<&str> = checks.into_iter().chain(["--method", "dqs"]).collect();
    let (code, _, said) = measured("tube.glb", &alone);
    assert_eq!((code, said.as_str()), (Some(0), ""));

    // The twist ends at exactly 180°, where rounding must not choose a side.
    let steps = |limit: &str| measured("tube.glb", &["--clip", "twist", "--fail-if", limit]);
    let (code, _, said) = steps("step_max>0.1");
    assert_eq!((code, said.as_str()), (Some(0), ""), "no jump at 180°");
    let (code, _, said) = steps("step_max>0.001");
    assert_eq!(code, Some(1), "something moves");
    assert!(said.contains("dqs: step_max>0.001"), "{said}");
}

#[test]
fn people_get_a_table_bars_and_advice() {
    let (code, out, said) = measured(
        "tube.glb",
        &["--clip", "twist", "--method", "lbs,dqs,rigid"],
    );
    assert_eq!((code, said.as_str()), (Some(0), ""));
    for wanted in [
        "61 frames",
        "volume",
        "rigid",
        "upper",
        "█",
        "180°",
        "twist joints",
    ] {
        assert!(out.contains(wanted), "{wanted}: {out}");
    }
    assert!(out.lines().all(|line| line == line.trim_end()));
    let (_, out, _) = measured(
        "mannequin.glb",
        &["--clip", "walk", "--fps", "4", "--method", "lbs"],
    );
    // Seams of colour and texture leave the mesh closed.
    assert!(
        out.contains("\"walk\"") && !out.contains("is open"),
        "{out}"
    );
    assert!(!out.contains("twist joints"));
}

#[test]
fn programs_get_json() {
    let options = [
        "--clip",
        "bend",
        "--fps",
        "10",
        "--json",
        "--fail-if",
        "section_max>1.2",
    ];
    let (code, out, _) = measured("tube.glb", &options);
    assert_eq!(code, Some(1));
    let found: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(found["clip"], "bend");
    assert_eq!(found["joints"][0]["name"], "upper");
    assert_eq!(found["far_joints"], serde_json::json!([]));
    let [linear, dual] = [0, 1].map(|m| &found["methods"][m]);
    assert_eq!(
        (&linear["method"], &dual["method"]),
        (&"lbs".into(), &"dqs".into())
    );
    let number = |value: &Value| value.as_f64().expect("a number");
    for method in [linear, dual] {
        let frames = method["frames"].as_array().expect("a list");
        assert_eq!(frames.len(), 21);
        assert!((number(&frames[0]["volume"]) - 1.0).abs() < 1e-6);
    }
    assert!(number(&linear["frames"][20]["volume"]) < number(&dual["frames"][20]["volume"]));
    let widest = |method: &Value| number(&method["sections"][0]["section_max"]["value"]);
    assert!(widest(dual) > 1.2 && widest(linear) < 1.2);
    let failed = found["failed"].as_array().expect("a list");
    assert_eq!(failed.len(), 1);
    assert_eq!(
        (&failed[0]["method"], &failed[0]["joint_name"]),
        (&"dqs".into(), &"upper".into())
    );
}

#[test]
fn failed_checks_take_a_line_each_and_a_line_with_file_figures_and_bounds() {
    let checks = ["--clip", "twist", "--fail-if", "volume<0.9"];
    let (code, _, said) = measured("tube.glb", &checks);
    assert_eq!(code, Some(1));
    let lines: Vec<&str> = said.lines().collect();
    let [line] = lines[..] else { panic!("{said}") };
    for word in ["tube.glb", "volume is 0.665", "volume<0.9", "lbs"] {
        assert!(line.contains(word), "{line}");
    }
    let more = ["--fail-if", "section_min<0.5"];
    let (code, _, said) = measured("tube.glb", &[&checks[..], &more].concat());
    assert_eq!(code, Some(1));
    let lines: Vec<&str> = said.lines().collect();
    let [first, second, last] = lines[..] else {
        panic!("{said}")
    };
    assert!(
        first.contains("volume<0.9") && second.contains("at joint \"upper\""),
        "{said}"
    );
    for word in [
        "tube.glb: 2 checks failed",
        "volume is 0.665 (volume<0.9)",
        "(section_min<0.5)",
    ] {
        assert!(last.contains(word), "{last}");
    }
}

#[test]
fn figures_that_are_not_finite_fail_and_name_clip_and_joint() {
    let mut tube = sinew_samples::tube_character();
    let mut clip = Clip::new("far");
    let joint = tube.skeleton.len() - 1;
    let name = tube.skeleton.name(joint).to_owned();
    let keys = vec![0.0, 1.0, 0.0, 0.0, 3e25, 0.0];
    let track = Track::new(vec![0.0, 1.0], keys, 3, Interpolation::Linear);
    clip.joint_mut(joint).translation = Some(track.expect("ascending times"));
    clip.fit_duration();
    tube.clips = vec![clip];
    let export = gltf::export(&tube, &ExportOptions::new().source(None)).expect("a character");
    std::fs::write(FOLDER.join("far.glb"), export.to_glb().expect("a file")).expect("ours");
    let (code, out, said) = measured("far.glb", &["--fps", "4", "--json"]);
    println!("{out}");
    assert_eq!(code, Some(1), "{said}");
    let joint = format!("\"{name}\"");
    for word in ["far.glb", "clip \"far\"", joint.as_str()] {
        assert!(said.contains(word), "{said}");
    }
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert!(report["not_finite"].is_string(), "{report}");
}
