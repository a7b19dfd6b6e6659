//! Clips drawn as rows over time.

use crate::program::{demo_files, good, json, run};

/// The channels of the walk, as many as `info` counts, each with its range, the curve and the events below.
#[test]
fn every_channel_is_a_row_with_curves_and_events_below() {
    let folder = demo_files();
    let plot = [
        "plot",
        "mannequin.glb",
        "--clip",
        "walk",
        "--json",
        "-o",
        "walk.svg",
    ];
    let report = json(&good(folder, &plot));
    let info = json(&good(folder, &["info", "--json", "mannequin.glb"]));
    let clips = info["clips"].as_array().expect("a list").iter();
    let walk = clips
        .into_iter()
        .find(|c| c["name"] == "walk")
        .expect("it walks");
    let rows = report["rows"].as_array().expect("a list");
    assert_eq!(
        rows.len() as u64,
        walk["channels"].as_u64().expect("a number")
    );
    let events: Vec<_> = report["events"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|e| e["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(
        events.len() as u64,
        walk["events"].as_u64().expect("a number")
    );
    assert_eq!(rows.last().expect("rows")["kind"], "curve");
    let svg = std::fs::read_to_string(folder.join("walk.svg")).expect("it was written");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<polyline").count(), rows.len());
    for event in events {
        assert!(svg.contains(event), "{event}");
    }
    // What a row says of its channel is what is sampled.
    let knee = [
        "sample",
        "mannequin.glb",
        "--clip",
        "walk",
        "--fps",
        "240",
        "--joints",
        "left_lower_leg",
    ];
    let knee = json(&good(folder, &knee));
    let samples = knee["samples"].as_array().expect("a list").iter();
    let x: Vec<f64> = samples
        .map(|s| s["rotation"][0][0].as_f64().expect("a number"))
        .collect();
    let row = rows
        .iter()
        .find(|r| r["of"] == "left_lower_leg" && r["channel"] == "rotation x")
        .expect("it bends");
    let (low, high) = x
        .iter()
        .fold((f64::MAX, f64::MIN), |(l, h), &v| (l.min(v), h.max(v)));
    assert!(
        (row["min"].as_f64().expect("a number") - low).abs() < 2e-3,
        "{row} {low}"
    );
    assert!(
        (row["max"].as_f64().expect("a number") - high).abs() < 2e-3,
        "{row} {high}"
    );
}

#[test]
fn joints_are_chosen_and_still_channels_left_out() {
    let folder = demo_files();
    let one = [
        "plot",
        "mannequin.glb",
        "--clip",
        "walk",
        "--joints",
        "left_hand,head",
        "--moving",
        "--json",
        "-o",
        "few.svg",
    ];
    let report = json(&good(folder, &one));
    let rows = report["rows"].as_array().expect("a list").iter();
    for row in rows.filter(|r| r["kind"] == "joint") {
        assert!(row["of"] == "left_hand" || row["of"] == "head", "{row}");
        assert!(row["max"].as_f64() > row["min"].as_f64(), "{row}");
    }
    // On standard output where no file is named.
    let svg = good(folder, &["plot", "tube.glb"]);
    assert!(svg.starts_with("<svg"), "{svg}");
    assert_eq!(
        run(folder, &["plot", "tube.glb", "--json"]).status.code(),
        Some(2)
    );
}
