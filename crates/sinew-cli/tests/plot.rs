use sinew::clip::{Clip, Curve, Interpolation, Track};
use sinew_io::gltf::{self, ExportOptions};

use crate::program::{demo_files, folder, good, json, run};

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

/// Values of an attribute of all elements of a kind, in the order of the file.
fn numbers(svg: &str, element: &str, member: &str) -> Vec<f64> {
    let open = format!("<{element} ");
    let elements = svg.split(open.as_str()).skip(1);
    let elements = elements.map(|rest| rest.split('>').next().expect("it ends"));
    let values = elements.filter_map(|text| {
        let text = format!(" {text}");
        let value = text.split(&format!(" {member}=\"")).nth(1)?;
        value.split('"').next()?.parse().ok()
    });
    values.collect()
}

fn lines(svg: &str) -> Vec<Vec<[f64; 2]>> {
    let lines = svg.split("<polyline points=\"").skip(1);
    let point = |text: &str| {
        let (x, y) = text.split_once(',').expect("two numbers");
        [x, y].map(|number| number.parse().expect("a number"))
    };
    let points = |rest: &str| {
        let points = rest.split('"').next().expect("points");
        points.split(' ').map(point).collect()
    };
    lines.map(points).collect()
}

/// A drawing of a constant joint, a curve with -1, 3, 1, 2 at 0, 1, 2, 4 s, a constant curve, and five events.
struct Sheet {
    svg: String,
    left: f64,
    room: f64,
    rows: Vec<f64>,
    row: f64,
}

const EVENTS: [(f32, &str); 5] = [
    (0.5, "one"),
    (1.0, "two"),
    (1.5, "three"),
    (3.0, "four"),
    (3.9, "five"),
];

impl Sheet {
    fn new(name: &str) -> Self {
        let folder = folder(name);
        let mut tube = sinew_samples::tube_character();
        let mut clip = Clip::new("waves");
        let place = Track::new(vec![0.0], vec![1.0, 2.0, 3.0], 3, Interpolation::Step);
        clip.joint_mut(0).translation = Some(place.expect("a key"));
        let saw = (vec![0.0, 1.0, 2.0, 4.0], vec![-1.0, 3.0, 1.0, 2.0]);
        let still = (vec![0.0, 4.0], vec![2.5, 2.5]);
        for (name, (times, values)) in [("saw", saw), ("still", still)] {
            let track = Track::new(times, values, 1, Interpolation::Linear);
            clip.curves.push(Curve {
                name: name.to_owned(),
                track: track.expect("ascending times"),
            });
        }
        for (time, name) in EVENTS {
            clip.add_event(time, name);
        }
        clip.fit_duration();
        tube.clips = vec![clip];
        let bytes = gltf::to_glb(&tube, &ExportOptions::default()).expect("written");
        std::fs::write(folder.join("waves.glb"), bytes).expect("a file");
        let svg = good(&folder, &["plot", "waves.glb"]);
        Self {
            left: numbers(&svg, "rect", "x")[0],
            room: numbers(&svg, "rect", "width")[0],
            rows: numbers(&svg, "rect", "y"),
            row: numbers(&svg, "rect", "height")[0],
            svg,
        }
    }

    fn x(&self, secs: f64) -> f64 {
        self.left + self.room * secs / 4.0
    }

    fn words(&self) -> Vec<(&str, [f64; 2])> {
        let [x, y] = ["x", "y"].map(|member| numbers(&self.svg, "text", member));
        let texts = self.svg.split("<text ").skip(1);
        let texts = texts.map(|text| text.split("</text>").next().expect("it ends"));
        texts
            .zip(x.into_iter().zip(y).map(|(x, y)| [x, y]))
            .collect()
    }

    fn said(&self, words: &str) -> (&str, [f64; 2]) {
        let end = format!(">{words}");
        let words = self.words();
        let found = words.iter().find(|(text, _)| text.ends_with(&end));
        *found.unwrap_or_else(|| panic!("{end} is not in {}", self.svg))
    }
}

#[test]
fn every_row_is_drawn_to_scale_in_its_own_place() {
    let sheet = Sheet::new("plot_rows");
    let (rows, row) = (&sheet.rows, sheet.row);
    assert_eq!(rows.len(), 5, "three of a joint, and two curves");
    let gaps: Vec<f64> = rows.windows(2).map(|two| two[1] - two[0] - row).collect();
    assert!(rows[0] > 50.0 && gaps[0] > 1.0 && gaps[0] < 5.0 && gaps[1] == gaps[0]);
    let between = gaps[2];
    assert!(
        between > gaps[0] + 4.0 && between < row && gaps[3] == between,
        "{gaps:?}"
    );
    let lines = lines(&sheet.svg);
    // Values span the row with a margin; a constant is in the middle.
    let ys = || lines[3].iter().map(|point| point[1]);
    let (top, bottom) = (ys().fold(f64::MAX, f64::min), ys().fold(f64::MIN, f64::max));
    assert!(top > rows[3] + 1.0 && top < rows[3] + 6.0, "{top} {rows:?}");
    let under = rows[3] + row - bottom;
    assert!((under - (top - rows[3])).abs() < 0.11, "{under} {top}");
    for &[x, y] in &lines[3] {
        let value = 3.0 - 4.0 * (y - top) / (bottom - top);
        let secs = 4.0 * (x - sheet.left) / sheet.room;
        let wanted = match secs {
            s if s < 1.0 => 4.0 * s - 1.0,
            s if s < 2.0 => 5.0 - 2.0 * s,
            s => 0.5 * s,
        };
        assert!((wanted - value).abs() < 0.06, "{secs} s: {value}");
    }
    for nth in [0, 1, 2, 4] {
        let in_row = |point: &[f64; 2]| (point[1] - rows[nth] - 0.5 * row).abs() < 0.11;
        assert!(lines[nth].iter().all(in_row), "{nth}");
    }
    let [x, y] = ["cx", "cy"].map(|member| numbers(&sheet.svg, "circle", member));
    assert_eq!(x.len(), 4, "keys of what moves");
    let keys = [(0.0, -1.0), (1.0, 3.0), (2.0, 1.0), (4.0, 2.0)];
    for ((x, y), (secs, value)) in x.into_iter().zip(y).zip(keys) {
        let wanted = top + (bottom - top) * (3.0 - value) / 4.0;
        let off = [x - sheet.x(secs), y - wanted];
        assert!(
            off[0].abs() < 0.11 && off[1].abs() < 0.3,
            "{secs} s: {off:?}"
        );
    }
    for (row_top, name) in rows[3..].iter().zip(["saw", "still"]) {
        let (_, [x, y]) = sheet.said(name);
        assert!(x < 40.0 && y > *row_top && y < row_top + row, "{name}: {y}");
    }
    let (_, [x, _]) = sheet.said("-1 … 3");
    let right = sheet.left + sheet.room;
    assert!(x > right && x < right + 20.0, "{x}");
    let (_, [x, _]) = sheet.said("translation x");
    assert!(x < sheet.left && x > sheet.left - 20.0, "{x}");
}

#[test]
fn events_and_seconds_are_drawn_at_their_times() {
    let sheet = Sheet::new("plot_events");
    let marks = sheet.svg.split("<path d=\"M").skip(1);
    let marks = marks.filter_map(|mark| mark.split(' ').next()?.parse().ok());
    let marks: Vec<f64> = marks.collect();
    assert_eq!(marks.len(), EVENTS.len());
    let rows_end = sheet.rows[4] + sheet.row;
    let mut before = rows_end + 8.0;
    for ((secs, name), mark) in EVENTS.into_iter().zip(&marks) {
        assert!(
            (mark - sheet.x(f64::from(secs))).abs() < 0.11,
            "{secs}: {mark}"
        );
        let (text, [x, y]) = sheet.said(&format!("{name} {secs} s"));
        // Near the right end the text is left of its mark. Every fifth is as high as the first.
        match name {
            "five" => {
                assert!(
                    text.contains("\"end\"") && x < mark - 2.0 && x > mark - 9.0,
                    "{x}"
                );
                assert_eq!(y, sheet.said("one 0.5 s").1[1]);
            }
            _ => {
                assert!(
                    x > mark + 2.0 && x < mark + 9.0 && y > before + 12.0,
                    "{name}: {x} {y}"
                );
                before = y;
            }
        }
    }
    let (_, [x, y]) = sheet.said("events");
    assert!(x < 40.0 && y > rows_end && y < rows_end + 40.0, "{y}");
    for secs in [0.0, 1.0, 2.0, 4.0] {
        let (_, [x, y]) = sheet.said(&format!("{secs} s"));
        assert!((x - sheet.x(secs)).abs() < 0.11, "{secs} s: {x}");
        assert!(y < sheet.rows[0] && y > 46.0, "{secs} s: {y}");
    }
    let [width, height] = ["width", "height"].map(|side| numbers(&sheet.svg, "svg", side)[0]);
    for (text, [x, y]) in sheet.words() {
        assert!(
            x >= 0.0 && x + 60.0 < width && y > 0.0 && y + 4.0 < height,
            "{text}"
        );
    }
    assert!(width < sheet.left + sheet.room + 250.0 && height < before + 80.0);
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
    let svg = good(folder, &["plot", "tube.glb"]);
    assert!(svg.starts_with("<svg"), "{svg}");
    assert_eq!(
        run(folder, &["plot", "tube.glb", "--json"]).status.code(),
        Some(2)
    );
}

#[test]
fn values_that_are_not_finite_are_left_out_and_said() {
    let folder = folder("plot_huge");
    let mut tube = sinew_samples::tube_character();
    // glTF holds no clip of curves alone.
    let mut clip = tube.clips.swap_remove(0);
    clip.name = "huge".to_owned();
    // Between such keys a parabola leaves the range of numbers.
    let keys = vec![3e38, -3e38, 3e38, -3e38];
    let track = Track::new(vec![0.0, 1.0, 2.0, 3.0], keys, 1, Interpolation::CatmullRom);
    clip.curves.push(Curve {
        name: "wild".to_owned(),
        track: track.expect("ascending times"),
    });
    clip.fit_duration();
    tube.clips = vec![clip];
    let export = gltf::export(&tube, &ExportOptions::new().source(None)).expect("a character");
    std::fs::write(folder.join("huge.glb"), export.to_glb().expect("a file")).expect("ours");
    let plot = [
        "plot", "huge.glb", "--clip", "huge", "--json", "-o", "huge.svg",
    ];
    let output = run(&folder, &plot);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("not finite"), "{said}");
    let svg = std::fs::read_to_string(folder.join("huge.svg")).expect("it was written");
    assert!(!svg.contains("inf") && !svg.contains("NaN"), "{svg}");
    let report = json(&String::from_utf8_lossy(&output.stdout));
    assert!(report["rows"][0]["min"].is_number(), "{report}");
}
