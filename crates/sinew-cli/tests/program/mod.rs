//! Runs the program in its own folder.
#![allow(dead_code, reason = "each test file uses some of it")]

pub mod demo;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder for the files of one test; each test needs its own name.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the folder is ours");
    folder
}

pub fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    std::fs::write(folder.join(name), bytes).expect("the folder is ours");
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew"))
        .current_dir(folder)
        .args(arguments)
        // No test may open a window by mistake.
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the program runs")
}

/// Standard output of a run that must succeed.
#[track_caller]
pub fn good(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

#[track_caller]
pub fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("JSON")
}

/// A folder with the files of `sinew demo`, made once; tests may add files of other names.
pub fn demo_files() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = folder("demo_files");
        good(&folder, &["demo", "--no-pictures", "-o", "."]);
        folder
    })
}

/// A BVH file with unusual joint names, "a" and "b", over two frames.
pub const TWO_JOINTS_BVH: &str = "HIERARCHY
ROOT a
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT b
  {
    OFFSET 0 1 0
    CHANNELS 1 Zrotation
    End Site
    {
      OFFSET 0 1 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.1
0 0 0 0 0 0 0
0 0 0 10 0 0 20
";

/// All verbs in the program's help.
pub fn verbs() -> Vec<String> {
    let help = run(Path::new("."), &["--help"]);
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let (_, commands) = help.split_once("Commands:\n").expect("a list");
    let lines = commands.lines().take_while(|line| line.starts_with("  "));
    // Deeper lines continue long descriptions.
    let verbs = lines.filter(|line| !line.starts_with("   "));
    let verbs = verbs.filter_map(|line| line.split_whitespace().next());
    verbs
        .filter(|verb| *verb != "help")
        .map(str::to_owned)
        .collect()
}

/// Runs a command that must fail with these words.
#[track_caller]
pub fn refused(folder: &Path, arguments: &[&str], words: &[&str]) {
    let output = run(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
    for word in words {
        assert!(said.contains(word), "{arguments:?}: {said}");
    }
}

/// True if node and a package are installed, after one attempt to do so; required in continuous integration.
pub fn has_package(name: &str) -> bool {
    let package = root().join("node_modules").join(name);
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(root()).output()
    };
    let has_node = run("node", &["--version"]).is_ok_and(|said| said.status.success());
    if has_node && !package.is_dir() {
        let _ = run("npm", &["install", "--silent", "--no-audit", "--no-fund"]);
    }
    let has = has_node && package.is_dir();
    assert!(
        has || std::env::var_os("CI").is_none(),
        "node and npm's {name} are needed"
    );
    if !has {
        println!("SKIPPED: node and npm's {name} are needed");
    }
    has
}

pub fn node(arguments: &[&str]) -> Output {
    let mut command = Command::new("node");
    command
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("node runs")
}
