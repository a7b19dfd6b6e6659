//! Bindings of curves and events in pictures, by the file and by the command line.

use crate::program::{folder, good, json, run, write};
use sinew::clip::Curve;
use sinew::{Character, Interpolation, Track};
use sinew_io::gltf::{ExportOptions, to_glb};
use sinew_samples::{muscle_character, tube_character};
use std::path::Path;

/// A tube with curves for tint and camera, and two events, without bindings.
fn tube() -> Character {
    let mut tube = tube_character();
    let curve = |name: &str, width: usize, values: &[f32]| Curve {
        name: name.to_owned(),
        track: Track::new(
            vec![0.0, 2.0],
            values.to_vec(),
            width,
            Interpolation::Linear,
        )
        .expect("a curve"),
    };
    let twist = &mut tube.clips[0];
    twist.curves = vec![
        curve("tint", 3, &[1.0, 1.0, 1.0, 0.0, 0.0, 1.0]),
        curve("eye", 3, &[0.0, 1.0, 9.0, 9.0, 1.0, 0.0]),
    ];
    twist.add_event(0.5, "creak");
    twist.add_event(1.5, "creak");
    tube
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

fn drawn(folder: &Path, line: &str) -> Vec<u8> {
    let line = format!("render tube.glb --clip twist --size 64x64 -o x.png {line}");
    good(folder, &words(line.trim_end()));
    std::fs::read(folder.join("x.png")).expect("a picture")
}

#[test]
fn any_file_obeys_its_table_and_the_command_line() {
    let folder = folder("render_bind");
    let free = tube();
    let mut bound = free.clone();
    bound.bindings = vec!["tint=material.tube.color".parse().expect("a binding")];
    let written = |tube: &Character| to_glb(tube, &ExportOptions::default()).expect("written");
    write(&folder, "tube.glb", written(&free));
    let plain = drawn(&folder, "--time 2");
    let by_line = drawn(&folder, "--time 2 --bind tint=material.tube.color");
    assert!(plain != by_line, "the tint is seen");
    // A camera of the command line overrides the clip's.
    let afar = drawn(&folder, "--time 2 --bind eye=camera.eye");
    assert!(afar != plain);
    write(&folder, "tube.glb", written(&bound));
    assert!(
        drawn(&folder, "--time 2") == by_line,
        "the file's own table does the same"
    );
    bound
        .bindings
        .push("eye=camera.eye".parse().expect("a binding"));
    write(&folder, "tube.glb", written(&bound));
    let own = drawn(&folder, "--time 2");
    assert!(own != by_line);
    assert!(drawn(&folder, "--time 2 --camera three-quarter") == by_line);
}

#[test]
fn events_are_listed_with_what_they_ask_for() {
    let folder = folder("render_bind_events");
    write(
        &folder,
        "tube.glb",
        to_glb(&tube(), &ExportOptions::default()).expect("written"),
    );
    let line = "render tube.glb --clip twist --size 32x32 --fps 3 -o x.png --json \
                --bind creak=sound.wood --bind creak=call.open --bind creak=dust.upper";
    let line = line.split_whitespace().collect::<Vec<_>>();
    let output = run(&folder, &line);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("creak=sound.wood 2 times, creak=call.open 2 times"),
        "{said}"
    );
    let report = json(&String::from_utf8_lossy(&output.stdout));
    let effects = report["effects"].as_array().expect("a list");
    assert_eq!(effects.len(), 6);
    assert_eq!(effects[0]["time_secs"], 0.5);
    assert_eq!(effects[0]["event"], "creak");
    assert_eq!(effects[1]["effect"], "call.open");
    assert_eq!(effects[3]["time_secs"], 1.5);
    // A still has no effects.
    let still = "render tube.glb --time 1 --size 32x32 -o x.png --json --bind creak=sound.wood";
    let report = json(&good(&folder, &words(still)));
    assert_eq!(report["effects"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_table_that_names_nothing_is_said_and_drawn_all_the_same() {
    let folder = folder("render_bind_unknown");
    let mut tube = tube();
    tube.bindings = vec!["tint=material.tubes.color".parse().expect("a binding")];
    write(
        &folder,
        "tube.glb",
        to_glb(&tube, &ExportOptions::default()).expect("written"),
    );
    let output = run(
        &folder,
        &words("render tube.glb --size 32x32 --time 0 -o x.png --json"),
    );
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("no material \"tubes\"; did you mean tube?"),
        "{said}"
    );
    let report = json(&String::from_utf8_lossy(&output.stdout));
    assert!(
        report["notes"][0]
            .as_str()
            .expect("a note")
            .contains("tubes")
    );
}

#[test]
fn info_lists_bindings_and_correctives() {
    let folder = folder("info_bind");
    let limb = muscle_character();
    write(
        &folder,
        "limb.glb",
        to_glb(&limb, &ExportOptions::default()).expect("written"),
    );
    let text = good(&folder, &["info", "limb.glb"]);
    assert!(text.contains("binding    pulse=morph.muscle"), "{text}");
    let line =
        "corrective \"upper\" drives \"muscle\" of mesh \"tube\", zero at 100° from its pose";
    assert!(text.contains(line), "{text}");
    let info = json(&good(&folder, &["info", "limb.glb", "--json"]));
    assert_eq!(info["bindings"][0], "pulse=morph.muscle");
    assert_eq!(info["correctives"][0]["joint"], "upper");
    good(&folder, &["convert", "limb.glb", "-o", "again.gltf"]);
    let again = json(&good(&folder, &["info", "again.gltf", "--json"]));
    assert_eq!(again["bindings"], info["bindings"]);
    assert_eq!(again["correctives"], info["correctives"]);
}
