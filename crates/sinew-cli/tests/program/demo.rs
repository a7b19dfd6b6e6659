//! Runs the program on files of `sinew demo`.

use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder with the demo's files, removed on drop.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("sinew-cli-{}-{number}", std::process::id());
        let folder = Self(std::env::temp_dir().join(name));
        good(&["demo", "--no-pictures", "-o", &folder.at("")]);
        folder
    }

    pub fn at(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sinew"))
}

pub fn run(arguments: &[&str]) -> Output {
    let output = program().args(arguments).output();
    output.expect("the program starts")
}

pub fn piped(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(input).expect("it reads to the end");
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

/// Standard error without the reports of written files.
pub fn besides(said: &str) -> String {
    let lines = said.lines();
    let lines = lines.filter(|line| !line.starts_with("sinew: wrote "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Standard output of a run that must succeed and report nothing but written files.
#[track_caller]
pub fn good(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(besides(&text(&output.stderr)), "", "{arguments:?}");
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    text(&output.stdout)
}

/// Standard error of a run that must end with `code` and one line.
#[track_caller]
pub fn bad(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    assert!(!said.contains("panicked"), "{arguments:?}: {said}");
    said
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

pub fn numbers(value: &Value) -> Vec<f64> {
    let values = value.as_array().expect("a list");
    values
        .iter()
        .map(|v| v.as_f64().expect("a number"))
        .collect()
}
