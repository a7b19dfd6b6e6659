//! The viewer: a picture without a window, and a window on a virtual screen.

use crate::program::{folder, good, run};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn a_script_gives_a_picture_of_the_whole_window() {
    let folder = folder("view-script");
    let script =
        r#"[{"do": "open_made", "figure": "tube"}, {"do": "wait", "secs": 0.1}, {"do": "pause"}]"#;
    std::fs::write(folder.join("steps.json"), script).expect("a file");
    good(
        &folder,
        &[
            "view",
            "--script",
            "steps.json",
            "--screenshot",
            "out.png",
            "--size",
            "320x240",
            "--scale",
            "0.5",
        ],
    );
    let png = std::fs::read(folder.join("out.png")).expect("a picture");
    let picture = sinew_gpu::read_png(&png).expect("PNG");
    assert_eq!([picture.width(), picture.height()], [320, 240]);
    let colors: std::collections::HashSet<[u8; 4]> =
        (0..320).map(|x| picture.pixel(x, 100)).collect();
    assert!(colors.len() > 10, "{}", colors.len());
}

#[test]
fn what_is_wrong_with_a_script_is_named() {
    let folder = folder("view-wrong");
    std::fs::write(folder.join("steps.json"), r#"[{"do": "dance"}]"#).expect("a file");
    let output = run(
        &folder,
        &["view", "--script", "steps.json", "--screenshot", "out.png"],
    );
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("steps.json: step 1: unknown variant `dance`"),
        "{said}"
    );
}

#[test]
fn a_file_that_is_not_there_is_named_without_drawing() {
    let folder = folder("view-missing");
    // A device that cannot be opened would be refused first.
    let output = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .current_dir(&folder)
        .args(["view", "missing.glb", "--screenshot", "out.png"])
        .env("SINEW_ADAPTER", "no such device")
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("missing.glb: No such file"), "{said}");
    assert!(said.contains("); check the path"), "{said}");
    assert!(!folder.join("out.png").exists());
}

struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "no {what}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Pixels of an X dump, after its header and colours.
fn screen(file: &Path) -> Vec<u8> {
    let bytes = std::fs::read(file).unwrap_or_default();
    let word = |at: usize| {
        let word = bytes.get(4 * at..4 * at + 4).unwrap_or(&[0; 4]);
        u32::from_be_bytes([word[0], word[1], word[2], word[3]]) as usize
    };
    // Length of the header, and twelve bytes per colour.
    let begin = word(0) + 12 * word(19);
    bytes.get(begin..).unwrap_or(&[]).to_vec()
}

#[cfg(target_os = "linux")]
#[test]
fn a_window_opens_takes_keys_and_closes() {
    let folder = folder("view-window");
    let frames = folder.join("screen");
    std::fs::create_dir_all(&frames).expect("a folder");
    // The server prints the number of a free display.
    let server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "800x600x24"])
        // A server that resets as its last client leaves refuses connections meanwhile.
        .args(["-nolisten", "tcp", "-noreset", "-fbdir"])
        .arg(&frames)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(server) = server else {
        assert!(
            std::env::var_os("SINEW_REQUIRE_GPU").is_none(),
            "scripts/setup installs Xvfb"
        );
        eprintln!("SKIPPED: no Xvfb");
        return;
    };
    let mut server = Ended(server);
    let mut number = String::new();
    let printed = server.0.stdout.as_mut().expect("piped");
    let read = BufReader::new(printed).read_line(&mut number);
    read.expect("a number");
    let display = format!(":{}", number.trim());
    let dump = frames.join("Xvfb_screen0");
    wait_for("screen", || (!screen(&dump).is_empty()).then_some(()));
    let dark = screen(&dump);
    let tell = |arguments: &[&str]| {
        let told = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &display)
            .output();
        told.expect("scripts/setup installs xdotool")
    };
    wait_for("connection", || {
        let answered = tell(&["getdisplaygeometry"]).status.success();
        answered.then_some(())
    });
    let file = folder.join("limb.glb");
    sinew_io::save(&file, &sinew_samples::tube_character()).expect("a file");
    let program = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .arg(&file)
        .env("DISPLAY", &display)
        .env_remove("WAYLAND_DISPLAY")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut program = Ended(program);
    let window = wait_for("window", || {
        if let Some(status) = program.0.try_wait().expect("a process") {
            let mut said = String::new();
            let errors = program.0.stderr.as_mut().expect("piped");
            std::io::Read::read_to_string(errors, &mut said).expect("text");
            panic!("it ended before it showed a window: {status}: {said}");
        }
        let found = tell(&["search", "--onlyvisible", "--name", "Sinew"]);
        let text = String::from_utf8_lossy(&found.stdout).into_owned();
        text.lines().next().map(str::to_owned)
    });
    let opened = wait_for("picture", || {
        let shown = screen(&dump);
        let others = shown.iter().zip(&dark).filter(|(a, b)| a != b).count();
        (others > 200_000).then_some(shown)
    });
    tell(&["windowfocus", "--sync", &window]);
    tell(&["key", "space"]);
    tell(&["key", "question"]);
    wait_for("list of keys", || (screen(&dump) != opened).then_some(()));
    // A key may arrive before the window has focus, so it is pressed again.
    let status = wait_for("end", || {
        tell(&["windowfocus", "--sync", &window]);
        tell(&["key", "ctrl+q"]);
        program.0.try_wait().expect("a process")
    });
    let mut said = String::new();
    let errors = program.0.stderr.as_mut().expect("piped");
    std::io::Read::read_to_string(errors, &mut said).expect("text");
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(!said.contains("panicked"), "{said}");
}
