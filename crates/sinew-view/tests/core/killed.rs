//! A program that is killed while it edits: its edits come back.

use super::Folder;
use super::keeping::{command, opened, save_as, shown};
use sinew_view::{HistoryCommand, Session};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FOLDER: &str = "SINEW_TEST_KILLED";

/// Runs one of an endless series of commands.
fn run(session: &mut Session, number: usize, path: &Path) {
    let round = number / 8;
    let rotate = |angle: f32| {
        format!(
            r#"{{"do": "drag", "edit": {{"do": "rotate", "joints": [1], "rotation": [{}, 0, 0, {}], "limits": "allow"}}}}"#,
            angle.sin(),
            angle.cos()
        )
    };
    match number % 8 {
        0 => session.run(command(&format!(
            r#"{{"do": "new_clip", "name": "{round}"}}"#
        ))),
        1..4 => session.run(command(&rotate(0.01 * (number % 40 + 1) as f32))),
        4 => session.run(HistoryCommand::Release),
        5 => session.run(command(&format!(
            r#"{{"do": "key_pose", "clip": "{round}", "time_secs": 0.5}}"#
        ))),
        6 => session.run(HistoryCommand::Undo),
        _ if round % 3 == 2 => save_as(session, path),
        _ => session.run(command(
            r#"{"do": "retime_clip", "clip": 0, "factor": 1.01}"#,
        )),
    }
}

/// The program that is killed. It ends by itself at last.
#[test]
fn program() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let path = folder.join("limb.glb");
    let mut session = opened(path.clone(), &folder.join("journals"));
    let begun = Instant::now();
    for number in 0.. {
        run(&mut session, number, &path);
        println!("\ndone {number}");
        std::io::stdout().flush().expect("the parent listens");
        std::thread::sleep(Duration::from_millis(2));
        if begun.elapsed() > Duration::from_secs(60) {
            return;
        }
    }
}

#[test]
fn edits_of_a_killed_program_come_back() {
    for last in [0, 3, 5, 13, 21, 24, 30] {
        let folder = Folder::new(&format!("killed-{last}"));
        let path = folder.glb("limb.glb");
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["core::killed::program", "--exact", "--nocapture"])
            .env(FOLDER, &folder.0)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a second program");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let wanted = format!("done {last}");
        let is_there = lines.map_while(Result::ok).any(|line| line == wanted);
        // SIGKILL: nothing of the program runs any more.
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        assert!(is_there, "it ended before {wanted}");
        let found = opened(path, &folder.path("journals"));
        // The program may have gone on before the kill, but lost nothing of what it had reported.
        let other = Folder::new(&format!("not-killed-{last}"));
        let path = other.glb("limb.glb");
        let mut session = opened(path.clone(), &other.path("journals"));
        let is_same = |number: usize| -> bool {
            run(&mut session, number, &path);
            let (own, other) = (shown(&session), shown(&found));
            number >= last && own.motions == other.motions && own.pose == other.pose
        };
        let is_found = (0..last + 20).any(is_same);
        assert!(is_found, "after {last}: {:?}", found.messages());
    }
}
