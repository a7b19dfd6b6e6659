//! `sinew render`, and the pictures of `sinew demo`.
//!
//! With `SINEW_REQUIRE_GPU`, as in continuous integration, no test may be skipped.

use serde_json::Value;
use sinew_gpu::{Gpu, GpuError, Picture, read_png};
use std::path::PathBuf;
use std::process::{Command, Output};

pub(crate) fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_sinew"));
    // As on a machine without a window system, where Mesa must not complain.
    for variable in [
        "NODEVICE_SELECT",
        "XDG_RUNTIME_DIR",
        "WAYLAND_DISPLAY",
        "DISPLAY",
    ] {
        program.env_remove(variable);
    }
    program
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    let output = program().args(arguments).output();
    output.expect("the program starts")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// Standard output of a run that must succeed and report nothing but written files.
#[track_caller]
pub(crate) fn good(arguments: &[&str]) -> Vec<u8> {
    let output = run(arguments);
    let said = text(&output.stderr);
    let besides = said.lines().find(|line| !line.starts_with("sinew: wrote "));
    assert_eq!(besides, None, "{arguments:?}: {said}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    output.stdout
}

/// Standard error of a run that must fail with one line and no panic.
#[track_caller]
pub(crate) fn bad(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(!said.contains("panic"), "{said}");
    said
}

pub(crate) fn is_without_gpu() -> bool {
    match Gpu::new() {
        Err(GpuError::NoAdapter) if std::env::var_os("SINEW_REQUIRE_GPU").is_none() => {
            eprintln!("SKIPPED: {}", GpuError::NoAdapter);
            true
        }
        _ => false,
    }
}

pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the target folder can be written");
    folder
}

fn read(path: &std::path::Path) -> Picture {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    read_png(&bytes).expect("a picture")
}

fn bent(flags: &[&str]) -> Picture {
    let size: &[&str] = match flags.contains(&"--size") {
        true => &[],
        false => &["--size", "40x30"],
    };
    let plain = ["render", "--figure", "tube", "-o", "-", "--clip", "bend"];
    let at: &[&str] = match flags.contains(&"--time") || flags.contains(&"--rest") {
        true => &[],
        false => &["--time", "1"],
    };
    // A clip and the rest pose exclude each other.
    let plain = match flags.contains(&"--rest") {
        true => &plain[..plain.len() - 2],
        false => &plain[..],
    };
    let arguments: Vec<&str> = [plain, size, at, flags].concat();
    read_png(&good(&arguments)).expect("a picture")
}

#[test]
fn every_flag_changes_the_picture() {
    if is_without_gpu() {
        return;
    }
    let plain = bent(&[]);
    assert_eq!((plain.width(), plain.height()), (40, 30));
    assert_eq!(
        plain,
        bent(&["--method", "dqs"]),
        "the figure states its method"
    );
    let flags: [&[&str]; 21] = [
        &["--rest"],
        &["--time", "2"],
        &["--method", "lbs"],
        &["--normals", "exact"],
        &["--camera", "back"],
        &["--camera", "-70,30"],
        &["--background", "dark"],
        &["--background", "#203040"],
        &["--passes", "reflection,bloom"],
        &["--environment", "sunset"],
        &["--shading", "phong"],
        &["--tone", "aces"],
        &["--skeleton"],
        &["--axes"],
        &["--wireframe"],
        &["--grid"],
        &["--weights", "upper"],
        &["--zoom", "2"],
        &["--fov", "90"],
        &["--target", "upper"],
        &["--floor", "none"],
    ];
    let mut seen = vec![plain];
    for flag in flags {
        let picture = bent(flag);
        assert_eq!((picture.width(), picture.height()), (40, 30));
        assert!(!seen.contains(&picture), "{flag:?} shows nothing new");
        seen.push(picture);
    }
    // Occlusion shows over more than a pixel of a larger picture.
    let large = ["--size", "160x120", "--passes"];
    let [open, kept] =
        ["shadow", "shadow,occlusion"].map(|p| bent(&[large[0], large[1], large[2], p]));
    assert_ne!(open, kept);
    let [mixed, dominant] = ["all", "dominant"].map(|w| bent(&["--weights", w]));
    assert_ne!(mixed, dominant);
    let clear = bent(&["--background", "clear"]);
    assert_eq!(clear.pixel(1, 1)[3], 0);
}

#[test]
fn pictures_show_the_stated_method() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("stated_method");
    let at = folder.join("tube.glb");
    let path = at.to_str().expect("a path of letters");
    let out = folder.join("x.png");
    let out = out.to_str().expect("a path of letters");
    for (stated, name) in [(Some(sinew::Method::DualQuat), "dqs"), (None, "lbs")] {
        let tube = sinew::Character {
            stated_method: stated,
            ..sinew_samples::tube_character()
        };
        sinew_io::gltf::write(&at, &tube, &Default::default()).expect("written");
        let render = [
            "render", path, "--time", "1.5", "--size", "40x30", "-o", out,
        ];
        let report: Value =
            serde_json::from_slice(&good(&[&render[..], &["--json"]].concat())).expect("a report");
        assert_eq!(report["methods"], serde_json::json!([name]));
        let plain = std::fs::read(out).expect("written");
        good(&[&render[..], &["--method", name]].concat());
        assert!(plain == std::fs::read(out).expect("written"), "{name}");
        let said = text(&run(&[&render[..], &["--report"]].concat()).stderr);
        assert!(said.contains(&format!("is skinned by {name}, ")), "{said}");
    }
}

#[test]
fn pictures_move_and_frames_are_numbered() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("render-frames");
    let at = |name: &str| folder.join(name).display().to_string();
    let tube = [
        "render", "--figure", "tube", "--clip", "bend", "--size", "33x20",
    ];
    // Four frames of two seconds, with two methods whose widths do not divide evenly.
    let moving = at("bend.png");
    let arguments = ["--fps", "2", "--method", "lbs,dqs", "-o", &moving, "--json"];
    let report: Value = serde_json::from_slice(&good(&[&tube[..], &arguments].concat())).unwrap();
    assert_eq!(report["frames"], 4);
    assert_eq!(report["size"], serde_json::json!([33, 20]));
    for stage in [
        "prepare_ms",
        "take_ms",
        "skin_ms",
        "shadow_ms",
        "reflection_ms",
        "main_ms",
        "bloom_ms",
        "tone_ms",
        "encode_ms",
        "total_secs",
    ] {
        let taken = report[stage].as_f64();
        assert!(taken.is_some_and(|t| t >= 0.0), "{stage}: {report}");
    }
    let parts = report["main_ms"].as_f64().unwrap() + report["tone_ms"].as_f64().unwrap();
    assert!(
        parts > 0.0 && parts <= report["take_ms"].as_f64().unwrap(),
        "{report}"
    );
    let bytes = std::fs::read(&moving).unwrap();
    let count = |chunk: &[u8]| bytes.windows(4).filter(|w| *w == chunk).count();
    assert_eq!((count(b"acTL"), count(b"fcTL")), (1, 4));
    assert_eq!(read(&folder.join("bend.png")).width(), 33);

    let frames = at("f-{frame:04}.png");
    good(
        &[
            &tube[..],
            &["--fps", "1", "--camera", "turntable", "-o", &frames],
        ]
        .concat(),
    );
    let [first, second] = ["f-0000.png", "f-0001.png"].map(|name| read(&folder.join(name)));
    assert_ne!(first, second);
    assert!(
        !folder.join("f-0002.png").exists(),
        "two seconds at 1 a second"
    );
}

#[test]
fn what_cannot_be_drawn_is_said_in_a_line() {
    let folder = folder("render-refused");
    let at = |name: &str| folder.join(name).display().to_string();
    let tube = ["render", "--figure", "tube"];
    let with = |more: &[&str]| -> Vec<String> {
        let all = [&tube[..], more].concat();
        all.into_iter().map(str::to_owned).collect()
    };
    let (picture, nowhere) = (at("a.png"), at("no/such/folder/a.png"));
    for wrong in [
        with(&["-o", &picture, "--size", "0x0"]),
        with(&["-o", &picture, "--size", "ten"]),
        with(&["-o", &picture, "--passes", "glitter"]),
        with(&["-o", &picture, "--camera", "moon"]),
        with(&["-o", &picture, "--background", "plaid"]),
        with(&["-o", &picture, "--fps", "0"]),
        with(&["-o", &at("a.bmp")]),
        with(&["-o", "-", "--json"]),
        with(&["-o", &picture, "--camera", "turntable"]),
        with(&[]),
    ] {
        let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
        bad(&wrong, 2);
    }
    let said = bad(&[&tube[..], &["-o", &nowhere]].concat(), 1);
    assert!(
        said.contains(&nowhere) && said.contains("create it first"),
        "{said}"
    );
    let said = bad(&[&tube[..], &["-o", &picture, "--clip", "fly"]].concat(), 1);
    assert!(said.contains("fly") && said.contains("bend"), "{said}");
    let said = bad(
        &[&tube[..], &["-o", &picture, "--weights", "knee"]].concat(),
        1,
    );
    assert!(said.contains("knee") && said.contains("upper"), "{said}");
    if is_without_gpu() {
        return;
    }
    // A folder has the name of the file.
    let taken = at("taken.png");
    std::fs::create_dir(&taken).unwrap();
    let size = ["--size", "8x8"];
    for more in [&["-o", &taken][..], &["-o", &taken, "--fps", "2"]] {
        let said = bad(&[&tube[..], more, &size].concat(), 1);
        assert!(said.contains(&taken), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let said = bad(
        &[&tube[..], &["-o", &picture, "--size", "9000x9000"]].concat(),
        1,
    );
    assert!(said.contains("9000 × 9000"), "{said}");
    assert!(!folder.join("a.png").exists());
}

#[test]
fn without_an_adapter_it_says_what_to_install() {
    let picture = folder("render-none").join("a.png").display().to_string();
    // No machine has all backends, so another system's leaves none.
    let foreign = if cfg!(target_os = "linux") {
        "metal"
    } else {
        "noop"
    };
    let arguments = ["render", "--figure", "tube", "-o", &picture];
    let output = program()
        .env("WGPU_BACKEND", foreign)
        .args(arguments)
        .output();
    let output = output.expect("the program starts");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("apt install mesa-vulkan-drivers"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");

    if is_without_gpu() {
        return;
    }
    let output = program()
        .env("SINEW_ADAPTER", "Voodoo")
        .args(arguments)
        .output();
    let said = text(&output.expect("the program starts").stderr);
    assert!(
        said.contains("SINEW_ADAPTER=Voodoo; choose one of "),
        "{said}"
    );
}

#[test]
fn the_demo_ends_in_pictures_and_a_frame_rate() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("demo-pictures");
    let at = folder.display().to_string();
    let report: Value =
        serde_json::from_slice(&good(&["demo", "--small", "--json", "-o", &at])).unwrap();
    let pictures = &report["pictures"];
    assert!(pictures["grove_fps"].as_f64().unwrap() > 0.0, "{report}");
    for name in ["sheet", "still", "moving"] {
        let path = PathBuf::from(pictures[name].as_str().unwrap());
        let picture = read(&path);
        let colors: std::collections::HashSet<_> = picture.rgba().chunks_exact(4).collect();
        assert!(colors.len() > 100, "{name}: {} colours", colors.len());
    }
    let moving = std::fs::read(folder.join("grove.png")).unwrap();
    assert!(moving.windows(4).any(|w| w == b"acTL"), "it moves");
}
