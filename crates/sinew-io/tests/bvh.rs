//! BVH import: refused files, and all spellings in use.

use crate::plain_bvh;

use plain_bvh::{HIERARCHY, assert_near, findings, plain, plain_with, position, read};
use sinew_io::bvh::{import, import_bytes};
use std::path::Path;

#[track_caller]
fn assert_refused(text: &[u8], wanted: &str) {
    let refusal = import_bytes(text).expect_err(wanted);
    assert_eq!(refusal.to_string(), wanted);
}

#[test]
fn what_is_no_bvh_file_is_refused() {
    for (text, found) in [
        ("", ""),
        ("Once upon a time", "Once"),
        ("\u{feff}glTF", "glTF"),
        ("{}", "{"),
        (
            &"x".repeat(100),
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…",
        ),
    ] {
        let wanted =
            format!("this is not a BVH file: it begins with {found:?}, not with HIERARCHY");
        assert_refused(text.as_bytes(), &wanted);
    }
    for mark in [b"\xff\xfeH\0I\0", b"\xfe\xff\0H\0I"] {
        let wanted = "the text is UTF-16; save it as UTF-8 or plain ASCII";
        assert_refused(mark, wanted);
    }
    let refusal = import("no such.bvh").expect_err("no file").to_string();
    assert!(
        refusal.starts_with("cannot read no such.bvh: "),
        "{refusal}"
    );
}

#[test]
fn a_wrong_word_is_refused_with_its_location_and_what_should_be_there() {
    let in_a_joint = "OFFSET, CHANNELS, JOINT, End Site or }";
    let in_motion = "Frames:, Frame Time: or a number";
    let outside = "ROOT or MOTION";
    let table = [
        ("  OFFSET 0", "  OFSET 0", (4, 3), "OFSET", in_a_joint),
        ("ROOT Hips", "RTO Hips", (2, 1), "RTO", outside),
        ("ROOT Hips", "OFFSET 1 2", (2, 1), "OFFSET", outside),
        ("ROOT Hips", "CHANNELS 0", (2, 1), "CHANNELS", outside),
        ("ROOT Hips", "End Site", (2, 1), "End", outside),
        ("  JOINT", "  { JOINT", (6, 3), "{", in_a_joint),
        ("5 -0.5 0", "5 0 zero", (8, 16), "zero", in_a_joint),
        ("CHANNELS 6", "CHANNELS six", (5, 12), "six", in_a_joint),
        ("Frames: 2", "Frams: 2", (17, 1), "Frams:", in_motion),
        ("Frames: 2", "Frames: two", (17, 9), "two", in_motion),
        ("Frame Time", "Frame Tame", (18, 1), "Frame", in_motion),
        ("90 -0 0", "90 } 0", (20, 14), "}", "a number"),
    ];
    for (from, to, (line, column), found, wanted) in table {
        let wanted = format!(
            "line {line}, column {column}: expected {wanted}, found {found:?}; \
             correct it, or export the file again"
        );
        assert_refused(plain_with(from, to).as_bytes(), &wanted);
    }
}

#[test]
fn a_wrong_number_is_refused_with_its_location() {
    let table = [
        ("5 -0.5 0", "5 -0.5x 0", (8, 14), "-0.5x"),
        ("CHANNELS 6", "CHANNELS -", (5, 12), "-"),
        ("0.5\n-1", "1/x\n-1", (18, 15), "x"),
        ("90 -0 0", "90 -0 O", (20, 17), "O"),
        ("90 -0 0", "90 1.2.3 0", (20, 14), "1.2.3"),
        ("90 -0 0", "90 --1 0", (20, 14), "--1"),
        ("90 -0 0", "90 1e 0", (20, 14), "1e"),
        ("90 -0 0", "90 . 0", (20, 14), "."),
        ("90 -0 0", "90 0x10 0", (20, 14), "0x10"),
        ("90 -0 0", "90 1:2 0", (20, 14), "1:2"),
    ];
    for (from, to, (line, column), found) in table {
        let wanted = format!(
            "line {line}, column {column}: {found:?} is not a number; \
             correct it, or export the file again"
        );
        let text = plain_with(from, to);
        for line_end in ["\n", "\r\n", "\r"] {
            assert_refused(text.replace('\n', line_end).as_bytes(), &wanted);
        }
    }
}

#[test]
fn files_that_end_too_early_and_broken_frames_are_refused_with_the_location() {
    let no_joints = "the hierarchy has no joints; expected ROOT here";
    assert_refused(b"HIERARCHY", &format!("line 1, column 10: {no_joints}"));
    let text = b"HIERARCHY\nMOTION\nFrames: 0";
    assert_refused(text, &format!("line 2, column 7: {no_joints}"));
    assert_refused(
        &HIERARCHY.as_bytes()[..90],
        "line 5, column 53: the file ends inside joint \"Hips\", so it is incomplete; copy or export it \
         again",
    );
    for frames in ["Frames: 2", "Frames: 1", ""] {
        for short in ["-3 0 0 0 0 0\n", "-3\n0 0 0 0 0\n"] {
            let text = plain_with("-3 0 0 0 0 0 0\n", short).replace("Frames: 2", frames);
            let wanted = "line 19, column 1: the frame that begins here has 17 numbers, but there are 9 channels; \
                correct it, or export the file again";
            assert_refused(text.as_bytes(), wanted);
        }
    }
}

/// Asserts that a file is read to the same bits as the plain file, with the listed findings.
#[track_caller]
fn assert_plain(text: &str, reported: &[&str]) {
    let found = read(text);
    assert_eq!(findings(&found), reported, "{text}\n{}", found.report);
    assert_eq!(found.character, read(plain()).character, "{text}");
}

#[test]
fn white_space_marks_and_case_do_not_matter() {
    let plain = plain();
    let crlf = plain.replace('\n', "\r\n");
    let one_line = plain.replace('\n', " ");
    let mut lower = plain.clone();
    for word in ["HIERARCHY", "ROOT", "JOINT", "OFFSET", "CHANNELS", "MOTION"] {
        lower = lower.replace(word, &word.to_lowercase());
    }
    for text in [
        crlf.replace("Hips\r\n", "Hips\n"),
        crlf,
        plain.replace('\n', "\r"),
        plain.replace(' ', "\t"),
        plain.replace("  ", "\u{c}\u{b}"),
        plain.replace('\n', " \t\n"),
        plain.replace('\n', "\n\n \n"),
        plain.trim_end().to_owned(),
        one_line.replace("Frames", "\nFrames"),
        one_line,
        plain.replace("\n{", " {"),
        plain.replace("\n{", "{"),
        format!("\u{feff}{plain}"),
        format!("{plain}\u{1a}"),
        format!("{plain}\0\0\0"),
        lower.replace("Frame", "frame"),
        plain
            .replace("Frame", "FRAME")
            .replace("position", "POSITION"),
    ] {
        assert_plain(&text, &[]);
    }
}

#[test]
fn odd_spellings_are_read_without_a_word() {
    for (from, to) in [
        ("End Site", "End site"),
        ("End Site", "END SITE"),
        ("End Site", "EndSite"),
        ("End Site", "end_site"),
        ("End Site", "End"),
        ("End Site", "End \t Site  "),
        ("OFFSET 3 0 0", "OFFSET 3 0 0\nCHANNELS 0"),
        ("OFFSET 3 0 0", "CHANNELS 0 OFFSET 3 0 0"),
        ("OFFSET 3 0 0", "OFFSET\n3 0\n0"),
        ("OFFSET 3 0 0", "OFFSET 3. 0. +0"),
        ("OFFSET 3 0 0", "OFFSET: 3, 0, 0"),
        ("rotation", "rot"),
        ("position", "_Pos"),
        (
            "Zrotation Xrotation Yrotation",
            "Rotation_Z RotationX rotation.Y",
        ),
        ("position Zrotation", "position\n    Zrotation"),
        ("6 Xposition", "1 Xposition CHANNELS 5"),
        ("3 Zrotation Xrotation Y", "3, Zrotation, Xrotation,Y"),
        ("-0.5", "-.5"),
        ("2.5", "25e-1"),
        ("2.5", "+.25E+01"),
        ("2.5", "250.e-2"),
        ("2.5", "2.50000000000000000000000000000"),
        ("5 -0.5 0", "5-0.5-0"),
        ("-1 2.5 -3 90 -0 0", "-1+2.5-3 90-0 0"),
        ("-1 2.5 -3 90", "-1e0 25e-1-3e+0+9E1"),
        ("-1 2.5 -3 0 0 0", "-1,2.5,-3,0,0,0,"),
        ("-1 2.5 -3 0 0 0", "-1;2.5; -3 ;0;0;0"),
        ("MOTION\n", "MOTION\n\n"),
        ("MOTION", "MOTION:"),
        ("Frames: 2", "Frames: 2.0"),
        ("Frames: 2", "Frames 2"),
        ("Frames: 2", "frames =  2"),
        ("Frames: 2", "Frames:\t2"),
        ("Frames: 2\nFrame Time: 0.5", "Frame Time: 0.5\nFrames: 2"),
        ("Frames: 2\nFrame Time: 0.5", "Frames:2 Frame Time:0.5"),
        ("-1 2.5 -3 90 -0", "-1 2.5 -3 90\n-0"),
        ("-3 90 -0 0 90", "-3\n90 -0\n\n0\n90"),
        ("0\n-1", "0 -1"),
    ] {
        assert_plain(&plain_with(from, to), &[]);
    }
    let offset = "    OFFSET 5 -0.5 0\n";
    let channels = "    CHANNELS 3 Zrotation Xrotation Yrotation\n";
    let later = plain_with(
        &format!("{offset}{channels}"),
        &format!("{channels}{offset}"),
    );
    assert_plain(&later, &[]);
    let last = plain_with("  OFFSET 0 10 0\n", "").replace("}\nMOTION", "OFFSET 0 10 0\n}\nMOTION");
    assert_plain(&last, &[]);
}

#[test]
fn what_is_repaired_or_left_out_is_reported_with_its_line() {
    let table: [(&str, &str, &[&str]); 26] = [
        ("2.5", "2,5", &["repaired 19 DECIMAL_COMMA"]),
        (
            "-1 2.5 -3 0",
            "-1,0;2,5;-3,0;0",
            &["repaired 19 DECIMAL_COMMA"],
        ),
        (
            "HIERARCHY",
            "# by hand\nHIERARCHY // ok",
            &["note 1 COMMENTS"],
        ),
        ("OFFSET 3 0 0", "OFFSET 3 0 0 # long", &["note 12 COMMENTS"]),
        ("HIERARCHY\n", "", &["repaired 1 MISSING_HIERARCHY"]),
        ("}\nMOTION", "MOTION", &["repaired 15 MISSING_BRACE"]),
        ("Arm\n  {", "Arm", &["repaired 6 MISSING_BRACE"]),
        ("}\nMOTION", "}\n}\nMOTION", &["repaired 16 STRAY_BRACE"]),
        ("ROOT", "JOINT", &["repaired 2 WRONG_KEYWORD"]),
        ("JOINT", "ROOT", &["repaired 6 WRONG_KEYWORD"]),
        ("CHANNELS 6", "CHANNELS 3", &["repaired 5 CHANNEL_COUNT"]),
        ("CHANNELS 3", "CHANNELS 30", &["repaired 9 CHANNEL_COUNT"]),
        ("CHANNELS 3", "CHANNELS", &["repaired 9 CHANNEL_COUNT"]),
        ("OFFSET 3 0 0", "OFFSET 3", &["repaired 12 OFFSET_LENGTH"]),
        (
            "OFFSET 3 0 0",
            "OFFSET 3 0 0 1",
            &["repaired 12 OFFSET_LENGTH"],
        ),
        (
            "OFFSET 3 0 0",
            "OFFSET 9 9 9\nOFFSET 3 0 0",
            &["repaired 13 SECOND_OFFSET"],
        ),
        (
            "OFFSET 3 0 0",
            "OFFSET 3 nan 0",
            &["repaired 12 NOT_FINITE"],
        ),
        (
            "OFFSET 3 0 0",
            "OFFSET 3 0 1e40",
            &["repaired 12 NOT_FINITE"],
        ),
        (
            "90 0 0\n",
            "90 0 0\n7 8\nand so on",
            &["ignored 21 FRAME_COUNT"],
        ),
        (
            "Frames: 2",
            "Frames: 4000000000",
            &["repaired 21 FRAME_COUNT"],
        ),
        ("Frames: 2\n", "", &["repaired 20 FRAME_COUNT"]),
        (
            "Frames: 2",
            "Frames: 2.5",
            &["repaired 17 FRAME_COUNT", "repaired 21 FRAME_COUNT"],
        ),
        (
            "Frames: 2",
            "Frames: -2",
            &["repaired 17 FRAME_COUNT", "repaired 21 FRAME_COUNT"],
        ),
        (
            "Frames: 2",
            "Frames:",
            &["repaired 17 FRAME_COUNT", "repaired 21 FRAME_COUNT"],
        ),
        ("90 0 0\n", "90 0 0 7 8\n", &["ignored 20 SURPLUS_NUMBERS"]),
        (
            "-3 0 0 0 0 0 0",
            "-3 0 0 0 0 0 0 7 8",
            &["ignored 19 SURPLUS_NUMBERS"],
        ),
    ];
    for (from, to, reported) in table {
        assert_plain(&plain_with(from, to), reported);
    }
    let cut = plain_with("Frames: 2", "Frames: 3") + "1 2 3\n";
    assert_plain(
        &cut,
        &["ignored 21 INCOMPLETE_FRAME", "repaired 22 FRAME_COUNT"],
    );
}

#[test]
fn a_frame_time_is_read_however_it_is_written() {
    let table = [
        ("Frame Time: 0.5", 0.5),
        ("Frame Time:0.5", 0.5),
        ("Frame Time :\t.5", 0.5),
        ("Frame\tTime:    0.5", 0.5),
        ("Frame Time 0.5", 0.5),
        ("Frame Time = 0.5", 0.5),
        ("Frame time: +5E-1", 0.5),
        ("FRAME TIME: 0.5 ", 0.5),
        ("FrameTime: 0.5", 0.5),
        ("Frame_Time: 0.5", 0.5),
        ("frame-time: 0.5", 0.5),
        ("Frame Time: 0,5", 0.5),
        ("Frame Time: 1/2", 0.5),
        ("Frame Time: 1 / 2", 0.5),
        ("Frame Time: 0.5s", 0.5),
        ("Frame Time: 0.5 sec", 0.5),
        ("Frame Time: 500 ms", 0.5),
        ("Frame Time: 2 fps", 0.5),
        ("Frame Rate: 2", 0.5),
        ("Frame Time:\n0.5", 0.5),
        ("Frame Time: .0083333", 0.0083333),
        ("Frame Time: 0.0417083750417", 0.0417083750417),
    ];
    for (written, wanted) in table {
        let found = read(plain_with("Frame Time: 0.5", written)).character;
        assert_eq!(found.clips[0].duration_secs, wanted as f32, "{written}");
    }
    for (before, after) in [
        ("Frames: 2\nFrame Time: 0.5", "Frame Time: 0.5\nFrames: 2"),
        ("Frames: 2\nFrame Time: 0.5", "Frames:2 Frame Time:0.5"),
        ("Frames: 2", "Frames 2"),
        ("Frames: 2", "frames =  2"),
        ("Frames: 2", "Frames:\t2"),
    ] {
        let found = read(plain_with(before, after));
        assert!(found.report.is_empty(), "{after}: {}", found.report);
        assert_eq!(found.character, read(plain()).character, "{after}");
    }
}

#[test]
fn names_are_all_that_follows_the_keyword() {
    for name in [
        "Left Arm",
        "Bip01 L UpperArm",
        "mixamorig:Arm",
        "Character1:LeftArm",
        "End",
        "End Site",
        "Site_End",
        "JOINT",
        "OFFSET 1 2 3",
        "MOTION",
        "arm.L#1",
        "\"quoted\"",
        "腕",
        "Ärmel",
        "-1",
        "}",
    ] {
        let found = read(plain_with("JOINT Arm", &format!("JOINT \t {name} \t")));
        assert!(found.report.is_empty(), "{name}: {}", found.report);
        let nodes = &found.character.nodes;
        assert_eq!(nodes[1].name, name);
        assert_eq!(nodes[2].name, format!("{name}_end"));
        assert_eq!(found.character.skeleton.name(1), name);
        assert_near(position(&found, 2, 1), [-3.5, 7.5, -3.0]);
    }
    let unnamed = read(plain_with("JOINT Arm", "JOINT"));
    assert_eq!(findings(&unnamed), ["repaired 6 EMPTY_NAME"]);
    assert_eq!(unnamed.character.nodes[1].name, "joint_1");
    let twice = read(plain_with("JOINT Arm", "JOINT Hips"));
    assert_eq!(findings(&twice), ["note 6 DUPLICATE_NAME"]);
    assert_near(position(&twice, 2, 1), [-3.5, 7.5, -3.0]);
    let site = read(plain_with("End Site", "End Site Finger tip"));
    assert_eq!(site.character.nodes[2].name, "Finger tip");
    let latin: Vec<u8> = plain_with("JOINT Arm", "JOINT ?rm")
        .bytes()
        .map(|byte| if byte == b'?' { 0xc4 } else { byte })
        .collect();
    let latin = read(latin);
    assert_eq!(findings(&latin), ["repaired 6 NAME_NOT_UTF8"]);
    assert_eq!(latin.character.nodes[1].name, "\u{fffd}rm");
}

#[test]
fn a_file_names_its_clip() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("a walk.v2.bvh");
    std::fs::write(&path, plain()).expect("the folder is ours");
    let clip = import(&path).expect("reads").character.clips.remove(0);
    assert_eq!(clip.name, "a walk.v2");
}

#[test]
fn the_format_goes_by_the_content_and_then_by_the_name() {
    use sinew_io::{Format, ImportError};
    let of = |bytes: &[u8], name: &str| Format::of(bytes, Some(Path::new(name)));
    assert_eq!(of(plain().as_bytes(), "walk.glb"), Some(Format::Bvh));
    assert_eq!(of(b"\n \thierarchy\n", "walk.txt"), Some(Format::Bvh));
    assert_eq!(of(b"ROOT Hips", "WALK.BVH"), Some(Format::Bvh));
    assert_eq!(of(b" {}", "walk.bvh"), Some(Format::Gltf));
    assert_eq!(of(b"glTF", "walk.bvh"), Some(Format::Gltf));
    assert_eq!(of(b"", "walk.GLB"), Some(Format::Gltf));
    assert_eq!(of(b"ROOT Hips", "walk"), None);
    assert_eq!(Format::of(b"", None), None);
    let read = sinew_io::import_bytes(plain().as_bytes()).expect("reads");
    assert!(read.source.is_none());
    let refusal = sinew_io::import_bytes(b"Once").expect_err("no format");
    assert!(matches!(refusal, ImportError::UnknownFormat));
}
