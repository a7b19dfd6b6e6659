//! Progress in a terminal.

use std::process::{Command, Stdio};
use std::time::Duration;

/// Runs `sinew measure -` and ends its input after the bar has appeared. Returns what it prints. `None` without the
/// program.
fn waits(program: &str, arguments: &[&str]) -> Option<String> {
    let started = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = started.ok()?;
    let input = child.stdin.take();
    std::thread::sleep(Duration::from_millis(2500));
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let [out, err] = [output.stdout, output.stderr];
    Some(format!(
        "{}{}",
        String::from_utf8_lossy(&out),
        String::from_utf8_lossy(&err)
    ))
}

#[test]
fn a_person_sees_what_takes_long_and_a_program_does_not() {
    const SHOWN: &str = "reading standard input, ";
    let sinew = env!("CARGO_BIN_EXE_sinew");
    let alone = waits(sinew, &["measure", "-"]).expect("the program starts");
    assert!(!alone.contains(SHOWN), "{alone}");
    // `script` of util-linux gives a program a terminal.
    let command = format!("{sinew} measure -");
    match waits("script", &["-qec", &command, "/dev/null"]) {
        Some(watched) => assert!(watched.contains(SHOWN), "{watched}"),
        None => eprintln!("SKIPPED: there is no program `script`"),
    }
}
