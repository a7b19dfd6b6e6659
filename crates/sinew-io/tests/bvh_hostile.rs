//! Hostile BVH files must not crash, hang or use too much memory for their size.

use crate::clock::Clock;
use crate::foreign::foreign_files;
use crate::hostile;
use crate::plain_bvh;

use hostile::{Random, mutated, within_limits};
use plain_bvh::{HIERARCHY, plain};
use sinew::Character;
use sinew_io::bvh::{
    BvhError, BvhExportError, BvhImport, BvhOptions, MovedOffsets, export, import_bytes,
};
use sinew_io::gltf::{ExportOptions, to_glb};
use std::time::Duration;

fn import_within_limits(name: &str, bytes: &[u8]) -> Result<BvhImport, BvhError> {
    within_limits(name, bytes, 16, || import_bytes(bytes))
}

#[test]
fn floods_of_tiny_things_stay_in_proportion() {
    let million = 1_000_000;
    let many = |thing: &str, count: usize| thing.repeat(count);
    let motion = "MOTION\nFrames: 4000000000\nFrame Time: 0.01\n";
    let one = |channels: &str| format!("HIERARCHY ROOT a{{OFFSET 0 0 0 CHANNELS {channels}}}");
    let rotated = one("1 Xrotation");
    let cases = [
        (
            "joints",
            format!("HIERARCHY ROOT a{{{}}}", many("JOINT b{}", million)),
        ),
        ("roots", format!("HIERARCHY {}", many("ROOT b{}", million))),
        ("nesting", format!("HIERARCHY {}", many("ROOT b{", million))),
        (
            "nesting that ends",
            format!("HIERARCHY {}{}", many("ROOT b{", 10_000), many("}", 10_000)),
        ),
        (
            "nested ends",
            format!("HIERARCHY ROOT b{{{}", many("End{", million)),
        ),
        (
            "ends of a long name",
            format!(
                "HIERARCHY ROOT {}{{{}",
                many("b", million),
                many("End{}", 100_000)
            ),
        ),
        (
            "unnamed joints",
            format!("HIERARCHY {}", many("ROOT{}", million)),
        ),
        (
            "joints of the same name",
            format!(
                "HIERARCHY {}",
                many("ROOT the same name for all of them {OFFSET 0 0 0}", 100_000)
            ),
        ),
        (
            "a long name",
            format!("HIERARCHY ROOT {}{{}}", many("b", 8 * million)),
        ),
        (
            "a name of blanks",
            format!("HIERARCHY ROOT {}{{}}", many(" ", 8 * million)),
        ),
        (
            "a name that is not text",
            format!("HIERARCHY ROOT {}{{}}", many("\u{1a}", 8 * million)),
        ),
        ("channels", one(&format!("9 {}", many("Xrot ", million)))),
        (
            "unknown channels",
            one(&format!("1e9 {}", many("a ", 4 * million))),
        ),
        (
            "channels over and over",
            one(&many("1 Xrot CHANNELS ", million)),
        ),
        (
            "offsets",
            format!("HIERARCHY ROOT a{{{}}}", many("OFFSET ", million)),
        ),
        (
            "numbers of an offset",
            format!("HIERARCHY ROOT a{{OFFSET {}}}", many("1 ", 4 * million)),
        ),
        (
            "stray braces",
            format!("{HIERARCHY}{}", many("}", 4 * million)),
        ),
        (
            "comments",
            format!("{HIERARCHY}{}", many("#\n", 4 * million)),
        ),
        ("blank lines", many("\n", 16 * million)),
        ("blanks", format!("{HIERARCHY}{}", many(" ", 16 * million))),
        (
            "frames that are only declared",
            format!("{HIERARCHY}{motion}"),
        ),
        (
            "frames of one number",
            format!("{rotated}{motion}{}", many("1\n", 2 * million)),
        ),
        (
            "frames of one number that are not declared",
            format!("{rotated}MOTION\n{}", many("1\n", 2 * million)),
        ),
        (
            "frames on one line",
            format!("{rotated}{motion}{}", many("1 ", 2 * million)),
        ),
        (
            "numbers without a blank",
            format!("{rotated}{motion}{}", many("-1", 2 * million)),
        ),
        (
            "numbers with commas",
            format!("{rotated}{motion}{}", many("1,", 2 * million)),
        ),
        (
            "a number of many digits",
            format!("{rotated}{motion}{}", many("1", 8 * million)),
        ),
        (
            "a number of many digits and a comma",
            format!("{rotated}{motion}1,{}", many("1", 8 * million)),
        ),
        (
            "an exponent of many digits",
            format!("{rotated}{motion}1e{}", many("1", 8 * million)),
        ),
        (
            "numbers that are none",
            format!("{rotated}{motion}{}", many("nan ", 2 * million)),
        ),
        (
            "numbers of no channel",
            format!("HIERARCHY ROOT a{{}}{motion}{}", many("1 ", 4 * million)),
        ),
        (
            "frames after the last",
            format!("{rotated}MOTION\nFrames: 1\n{}", many("1\n", 4 * million)),
        ),
        (
            "a broken word",
            format!("{rotated}{motion}{}", many("x", 8 * million)),
        ),
        (
            "frame times",
            format!("{rotated}MOTION\n{}", many("Frame Time: ", million)),
        ),
        (
            "a unit of many letters",
            format!("{rotated}MOTION\nFrame Time: 1 {}", many("s", 8 * million)),
        ),
    ];
    for (name, text) in cases {
        let begin = Clock::start();
        let result = import_within_limits(name, text.as_bytes());
        println!(
            "  {}",
            result
                .map_or_else(|e| e.to_string(), |import| import.report.to_string())
                .lines()
                .next()
                .unwrap_or_default()
        );
        assert!(
            begin.elapsed() < Duration::from_secs(5),
            "{name}: {:?}",
            begin.elapsed()
        );
    }
}

#[test]
fn joints_that_a_few_bytes_ask_for_are_refused_with_the_location() {
    let text = format!("HIERARCHY ROOT a{{\n{}}}", "JOINT b{}\n".repeat(1_000_000));
    let refusal = import_within_limits("joints", text.as_bytes()).expect_err("too many");
    assert!(matches!(refusal, BvhError::MemoryLimit { .. }), "{refusal}");
    assert!(refusal.to_string().starts_with("line "), "{refusal}");
    let joint = "JOINT b{OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation}\n";
    let text = format!("HIERARCHY ROOT a{{{}}}", joint.repeat(100_000));
    assert!(import_within_limits("written joints", text.as_bytes()).is_ok());
}

/// Near 65536 s, adjacent `f32` times are 0.0078 s apart.
#[test]
fn frames_closer_than_single_precision_can_tell_are_refused_by_number() {
    let frames = 9_500_000;
    let head = "HIERARCHY ROOT a{OFFSET 0 0 0 CHANNELS 1 Xrotation}MOTION\nFrame Time: 0.007\n";
    let text = format!("{head}{}", "1\n".repeat(frames));
    let refusal = import_within_limits("frames", text.as_bytes()).expect_err("too many");
    let wanted = "9500000 frames are too many for times in single precision: frame 9362294 has the \
        same time as the frame before it; split the motion into parts";
    assert_eq!(refusal.to_string(), wanted);
}

fn with_another_word(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let words = [
        "{",
        "}",
        "ROOT",
        "JOINT",
        "End Site",
        "OFFSET",
        "CHANNELS",
        "MOTION",
        "HIERARCHY",
        "Frames:",
        "Frame Time:",
        "Xposition",
        "Zrotation",
        "Yscale",
        "-",
        "1e300",
        "-1e-300",
        "nan",
        "0,5",
        "9999999999",
        "1-2-3",
        "\r",
        "#",
    ];
    let text = String::from_utf8_lossy(bytes);
    let mut parts: Vec<&str> = text.split_inclusive([' ', '\n', '\t']).collect();
    for _ in 0..=random.below(3) {
        let (at, word) = (random.below(parts.len()), words[random.below(words.len())]);
        match random.below(3) {
            0 => parts.insert(at, word),
            1 => drop(parts.remove(at)),
            _ => parts[at] = word,
        }
    }
    parts.concat().into_bytes()
}

/// Files made by code, and small files of the conformance folder if it exists.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![
        plain().into_bytes(),
        plain().replace('\n', "\r\n").into_bytes(),
    ];
    for path in foreign_files("bvh", &["bvh"]) {
        let bytes = std::fs::read(path).expect("it can be read");
        if bytes.len() < 100_000 {
            seeds.push(bytes);
        }
    }
    seeds
}

/// True if an error states a location, or refuses the file as a whole.
fn names_the_location(refusal: &BvhError) -> bool {
    refusal.to_string().starts_with("line ")
        || matches!(refusal, BvhError::NotBvh { .. } | BvhError::Utf16)
}

fn comes_back(character: &Character) {
    let options = BvhOptions::default().offsets(MovedOffsets::Rest);
    match export(character, &options) {
        Err(refusal) => assert!(
            matches!(refusal, BvhExportError::TooLong { .. }),
            "{refusal}"
        ),
        Ok(export) => {
            let again = import_bytes(export.text.as_bytes()).expect("what is written is read");
            let rests = [character, &again.character].map(|c| c.skeleton.rest().clone());
            assert_eq!(rests[0], rests[1], "{}", export.text);
        }
    }
}

#[test]
fn ten_thousand_mutated_files_are_refused_with_the_location_or_read() {
    let seeds = seeds();
    let mutations = 10_000;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut read = 0;
    for (number, seed) in seeds.iter().cycle().take(mutations).enumerate() {
        let bytes = match random.below(3) {
            0 => with_another_word(seed, &mut random),
            _ => mutated(seed, &mut random),
        };
        let begin = Clock::start();
        let result = import_within_limits(&format!("mutation {number}"), &bytes);
        assert!(
            begin.elapsed() < Duration::from_secs(1),
            "mutation {number} hangs"
        );
        match result {
            Err(refusal) => assert!(names_the_location(&refusal), "{refusal}"),
            Ok(import) => {
                let character = &import.character;
                let clip = (!character.clips.is_empty()).then_some(0);
                let moved = sinew::deform(character, clip, 0.5, sinew::Method::Linear);
                assert!(hostile::is_whole(&moved), "{moved:?}");
                let written = to_glb(character, &ExportOptions::default());
                assert!(written.is_ok(), "{:?}", written.err());
                comes_back(character);
                read += 1;
            }
        }
    }
    println!(
        "{mutations} mutations of {} files, {read} read",
        seeds.len()
    );
    assert!(
        read > mutations / 10 && read < mutations * 9 / 10,
        "{read} were read"
    );
}
