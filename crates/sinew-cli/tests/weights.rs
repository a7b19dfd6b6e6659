use crate::program::{demo_files, folder, good, json, refused, run};
use serde_json::Value;

fn weights(file: &str, vertex: &str) -> Value {
    let asked = ["weights", file, "--vertex", vertex, "--json"];
    json(&good(demo_files(), &asked))
}

fn weight(row: &Value, joint: &str) -> f64 {
    let list = row["weights"].as_array().expect("a list").iter();
    let found = list.filter(|w| w["joint"] == joint);
    found.filter_map(|w| w["weight"].as_f64()).sum()
}

#[test]
fn a_vertexs_weights_are_shown_and_set_with_those_at_its_place() {
    let before = weights("tube.glb", "400,401");
    assert_eq!(before["rows"].as_array().map(Vec::len), Some(2));
    let row = &before["rows"][0];
    assert_eq!(row["vertex"], 400);
    assert!((weight(row, "lower") + weight(row, "upper") - 1.0).abs() < 1e-6);
    let set = [
        "weights",
        "tube.glb",
        "--vertex",
        "400",
        "--set",
        "upper=0.2",
        "--json",
        "-o",
        "by_hand.glb",
    ];
    let report = json(&good(demo_files(), &set));
    assert!(
        (weight(&report["rows"][0], "upper") - 0.2).abs() < 1e-6,
        "{report}"
    );
    let after = weights("by_hand.glb", "400,401");
    assert!((weight(&after["rows"][0], "upper") - 0.2).abs() < 1e-6);
    assert!((weight(&after["rows"][0], "lower") - 0.8).abs() < 1e-6);
    let untouched = |document: &Value| document["rows"][1]["weights"].clone();
    assert_eq!(untouched(&after), untouched(&before));
    let all = json(&good(demo_files(), &["weights", "tube.glb", "--json"]));
    let sum: f64 = all["joints"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|j| j["weight"].as_f64())
        .sum();
    assert!(
        (sum - all["vertices"].as_f64().expect("a number")).abs() < 1e-2,
        "{sum}"
    );
    let text = good(demo_files(), &["weights", "by_hand.glb", "--vertex", "400"]);
    assert!(text.contains("0.2000 upper"), "{text}");
}

#[test]
fn what_cannot_be_set_says_why() {
    let folder = demo_files();
    let set = |more: &[&'static str]| [&["weights", "tube.glb", "-o", "never.glb"], more].concat();
    refused(
        folder,
        &["weights", "tube.glb", "--vertex", "9999999"],
        &["tube.glb", "no vertex 9999999"],
    );
    refused(
        folder,
        &set(&["--vertex", "5", "--set", "tail=0.5"]),
        &["no joint \"tail\" in the skin", "upper"],
    );
    refused(
        folder,
        &set(&["--vertex", "5", "--set", "upper=0.9,lower=0.9"]),
        &["sum to 1.8"],
    );
    refused(
        folder,
        &set(&["--vertex", "400", "--set", "upper=0.9", "--lock", "lower"]),
        &["sum to"],
    );
    refused(
        folder,
        &["weights", "tube.glb", "--mesh", "sword"],
        &["no mesh \"sword\"", "\"tube\" (0)"],
    );
    let wrong = run(folder, &set(&["--vertex", "5", "--set", "upper=1.5"]));
    assert_eq!(wrong.status.code(), Some(2));
    assert!(!folder.join("never.glb").exists());
}

/// Within a joint's blend radius, by equation (2), the weight along a straight limb is linear.
#[test]
fn a_blend_radius_is_a_flag_for_all_joints_or_for_one() {
    let folder = folder("weights_radius");
    good(&folder, &["demo", "--no-pictures", "-o", "."]);
    good(&folder, &["skin", "tube.glb", "-o", "still.glb"]);
    let bind = |more: &[&'static str]| {
        let words = [
            &[
                "bind",
                "still.glb",
                "tube.glb",
                "--method",
                "bezier",
                "-o",
                "bound.glb",
            ],
            more,
        ]
        .concat();
        good(&folder, &words);
        let all: Vec<String> = (0..500).map(|v| v.to_string()).collect();
        let asked = ["weights", "bound.glb", "--json", "--vertex", &all.join(",")];
        json(&good(&folder, &asked))["rows"].clone()
    };
    for (flags, radius) in [
        (&["--radius", "0.2"][..], 0.2),
        (&["--radius", "0.4", "--radius", "upper=0.1"], 0.1),
    ] {
        let rows = bind(flags);
        let mut blended = 0;
        for row in rows.as_array().expect("a list") {
            let y = row["position"][1].as_f64().expect("a number");
            let wanted = (0.5 + 0.5 * (y - 1.0) / radius).clamp(0.0, 1.0);
            let found = weight(row, "upper");
            assert!((found - wanted).abs() < 1e-4, "{y}: {found} {wanted}");
            blended += usize::from(found > 0.0 && found < 1.0);
        }
        assert!(blended > 20, "{blended}");
    }
    let words = [
        "bind",
        "still.glb",
        "tube.glb",
        "-o",
        "x.glb",
        "--radius",
        "50",
    ];
    refused(&folder, &words, &["still.glb", "the blend radius 50"]);
    let words = [
        "bind",
        "still.glb",
        "tube.glb",
        "-o",
        "x.glb",
        "--radius",
        "tail=0.1",
    ];
    refused(&folder, &words, &["\"tail\" for --radius"]);
}
