//! `sinew clean` and `sinew measure --motion`.

use crate::program::{folder, good, json, refused, run, write};
use crate::retarget::wave;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A person whose hips sink and rise over standing feet.
fn files(name: &str) -> PathBuf {
    let folder = folder(name);
    write(&folder, "take.bvh", wave());
    folder
}

fn measured(folder: &Path, arguments: &[&str]) -> Value {
    json(&good(
        folder,
        &[&["measure", "--motion", "--json"], arguments].concat(),
    ))
}

#[test]
fn a_take_is_cleaned_and_measured() {
    let folder = files("clean");
    let clean = [
        "clean",
        "take.bvh",
        "-o",
        "clean.bvh",
        "--plot",
        "feet.svg",
        "--json",
    ];
    let report = json(&good(&folder, &clean));
    assert_eq!(report["format"], "sinew-clean/1");
    let clip = &report["clips"][0];
    for step in ["gaps", "spikes", "filter", "feet"] {
        assert!(clip["steps"][step].is_object(), "{step}: {clip}");
    }
    // The report has the measures of the files themselves.
    let before = measured(&folder, &["take.bvh"]);
    assert_eq!(before["measures"], clip["before"]["measures"]);
    let after = measured(&folder, &["clean.bvh", "--reference", "take.bvh"]);
    assert_eq!(after["frames"], before["frames"]);
    let [error, slide] = ["error_mean_cm", "slide_mean_cm_s"]
        .map(|name| after["measures"][name].as_f64().expect("a number"));
    assert!(error < 5.0 && slide < 0.5, "{after}");
    let drawing = std::fs::read_to_string(folder.join("feet.svg")).expect("it was written");
    assert!(drawing.starts_with("<svg") && drawing.ends_with("</svg>\n"));
    // Two lines, before and after, for height and speed of two feet, and for the jerk.
    assert_eq!(drawing.matches("<polyline").count(), 10);
}

#[test]
fn each_step_can_be_left_out() {
    let folder = files("clean_steps");
    let steps = ["gaps", "spikes", "filter", "limits", "feet"];
    for left_out in steps {
        let option = format!("--no-{left_out}");
        let clean = ["clean", "take.bvh", "-o", "clean.bvh", "--json", &option];
        let report = json(&good(&folder, &clean));
        assert!(report["clips"][0]["steps"][left_out].is_null(), "{report}");
    }
    let none = steps.map(|step| format!("--no-{step}"));
    let mut clean = vec!["clean", "take.bvh", "-o", "same.bvh"];
    clean.extend(none.iter().map(String::as_str));
    let text = good(&folder, &clean);
    assert!(text.contains("jerk_mean_m_s3"), "{text}");
    let same = measured(&folder, &["same.bvh", "--reference", "take.bvh"]);
    let error = same["measures"]["error_max_cm"].as_f64().expect("a number");
    assert!(error < 1e-3, "{error}");
}

#[test]
fn wrong_inputs_are_refused() {
    let folder = files("clean_wrong");
    let clean = |more: &[&'static str]| [&["clean", "take.bvh", "-o", "out.bvh"], more].concat();
    refused(&folder, &clean(&["--cutoff", "-1"]), &["cut-off", "hertz"]);
    refused(&folder, &clean(&["--clip", "other"]), &["other"]);
    let wrong = clean(&["--range", "2..1"]);
    let unused = ["measure", "take.bvh", "--floor", "0"];
    for arguments in [&wrong[..], &unused] {
        assert_eq!(
            run(&folder, arguments).status.code(),
            Some(2),
            "{arguments:?}"
        );
    }
    let still = "HIERARCHY ROOT Hips { OFFSET 0 0 0 CHANNELS 3 Xrotation Yrotation Zrotation }
        MOTION Frames: 1 Frame Time: 0.1
        1 2 3";
    write(&folder, "still.bvh", still);
    refused(
        &folder,
        &["measure", "--motion", "still.bvh"],
        &["still.bvh", "two keys"],
    );
    refused(
        &folder,
        &["clean", "still.bvh", "-o", "out.bvh"],
        &["nothing to clean"],
    );
}
