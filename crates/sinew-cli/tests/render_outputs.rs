use crate::render::{bad, folder, good, is_without_gpu, program, text};
use sinew_gpu::read_png;
use std::path::Path;
use std::process::Stdio;

const TUBE: [&str; 7] = [
    "render", "--figure", "tube", "--clip", "bend", "--size", "33x20",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&TUBE[..], more].concat()
}

#[test]
fn gif_and_jpeg_are_what_their_endings_say() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("render-kinds");
    let at = |name: &str| folder.join(name).display().to_string();
    let written = |name: &str, more: &[&str]| {
        let path = at(name);
        good(&with(&[&["-o", &path], more].concat()));
        std::fs::read(path).expect("it was written")
    };
    let controls = |gif: &[u8]| gif.windows(4).filter(|w| w[..3] == [0x21, 0xf9, 4]).count();
    let moving = written("a.gif", &["--fps", "5"]);
    assert_eq!(&moving[..10], b"GIF89a\x21\0\x14\0");
    assert_eq!((controls(&moving), moving.last()), (10, Some(&0x3b)));
    assert_eq!(controls(&written("b.gif", &[])), 50, "25 a second");
    assert_eq!(controls(&written("c.gif", &["--time", "1"])), 1);
    let clear = written("d.gif", &["--time", "1", "--background", "clear"]);
    let control = clear
        .windows(4)
        .find(|w| w[..3] == [0x21, 0xf9, 4])
        .expect("a control");
    assert_eq!(control[3] & 1, 1, "something is clear");

    let still = written("a.jpg", &["--time", "1"]);
    assert!(still.starts_with(b"\xff\xd8") && still.ends_with(b"\xff\xd9"));
    let size = still
        .windows(9)
        .find(|w| w[..2] == [0xff, 0xc0])
        .expect("a frame");
    assert_eq!(size[5..9], [0, 20, 0, 33]);
    good(&with(&["--fps", "1", "-o", &at("f-{frame}.jpeg")]));
    let frames = ["f-0.jpeg", "f-1.jpeg"].map(|name| std::fs::read(at(name)).expect("a frame"));
    assert!(frames.iter().all(|frame| frame.starts_with(b"\xff\xd8")));
}

#[test]
fn bare_frames_are_those_of_the_picture() {
    if is_without_gpu() {
        return;
    }
    let raw = good(&with(&["--fps", "2", "--raw", "-o", "-"]));
    assert_eq!(raw.len(), 4 * 33 * 20 * 4);
    let first = read_png(&good(&with(&["--fps", "2", "-o", "-"]))).expect("a picture");
    assert_eq!(first.rgba(), &raw[..4 * 33 * 20]);
}

#[test]
fn a_sheet_has_moments_or_angles() {
    if is_without_gpu() {
        return;
    }
    for more in [&["--sheet", "3x2"][..], &["--sheet", "3x2", "--rest"]] {
        let plain = [
            "render", "--figure", "humanoid", "--size", "181x90", "-o", "-",
        ];
        let sheet = read_png(&good(&[&plain[..], more].concat())).expect("a picture");
        assert_eq!((sheet.width(), sheet.height()), (181, 90));
        let cell = |k: u32| -> Vec<[u8; 4]> {
            let (left, top) = (k % 3 * 60, k / 3 * 45);
            let places = (18..45).flat_map(|y| (0..60).map(move |x| (x, y)));
            places
                .map(|(x, y)| sheet.pixel(left + x, top + y))
                .collect()
        };
        let cells: Vec<_> = (0..6).map(cell).collect();
        for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)] {
            assert_ne!(cells[a], cells[b], "{more:?}");
        }
    }
}

#[cfg(unix)]
fn with_ffmpeg(folder: &Path, script: &str, arguments: &[&str]) -> std::process::Output {
    use std::os::unix::fs::PermissionsExt;
    let ffmpeg = folder.join("ffmpeg");
    std::fs::write(&ffmpeg, format!("#!/bin/sh\n{script}\n")).expect("the folder is ours");
    std::fs::set_permissions(&ffmpeg, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let output = program().env("PATH", path).args(arguments).output();
    output.expect("the program starts")
}

#[cfg(unix)]
#[test]
fn films_go_through_ffmpeg() {
    if is_without_gpu() {
        return;
    }
    let folder = folder("render-film");
    let film = folder.join("a.mp4").display().to_string();
    let arguments = with(&["--fps", "2", "-o", &film]);
    // The fake writes the number of bytes that it reads.
    let counts = "[ \"$1\" = -version ] && exit 0; for last; do :; done; echo \"$@\" > \"$last\"; wc -c >> \"$last\"";
    let output = with_ffmpeg(&folder, counts, &arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("a.mp4: an animation of 4 frames, 33 × 20 pixels"),
        "{said}"
    );
    let given = std::fs::read_to_string(&film).expect("a film");
    assert!(
        given.contains("-s 33x20 -r 2 -i pipe:0") && given.contains("libx264"),
        "{given}"
    );
    assert_eq!(
        given.lines().last().map(str::trim),
        Some("10560"),
        "four frames"
    );
    let names = || -> Vec<String> {
        let entries = std::fs::read_dir(&folder).expect("it is there").flatten();
        let mut names: Vec<String> = entries
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(), ["a.mp4", "ffmpeg"]);

    // The error of ffmpeg is quoted, and the old file stays.
    let fails = "[ \"$1\" = -version ] && exit 0; echo first >&2; echo 'Unknown encoder libx264' >&2; exit 8";
    let output = with_ffmpeg(&folder, fails, &arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("a.mp4: Unknown encoder libx264"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(std::fs::read_to_string(&film).expect("the old one"), given);
    assert_eq!(names(), ["a.mp4", "ffmpeg"]);
}

#[test]
fn without_ffmpeg_it_says_how_to_go_on() {
    let folder = folder("render-no-film");
    let film = folder.join("a.webm").display().to_string();
    let output = program()
        .env("PATH", &folder)
        .args(with(&["-o", &film]))
        .output();
    let output = output.expect("the program starts");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for word in [
        "ffmpeg",
        "not on the path",
        ".gif",
        "--fps 30 --raw -o -",
        "-s 33x20 -r 30",
    ] {
        assert!(said.contains(word), "{said}");
    }
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(!Path::new(&film).exists());
    bad(&with(&["-o", &film, "--sheet", "2x2"]), 2);
}

#[test]
fn a_reader_that_closes_the_pipe_is_no_failure() {
    if is_without_gpu() {
        return;
    }
    for more in [&["-o", "-"][..], &["--fps", "4", "-o", "-"]] {
        let mut child = program()
            .args(with(more))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let said = text(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{more:?}");
    }
}
