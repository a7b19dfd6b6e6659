//! The Khronos validator, which runs in Node. Without Node or the package, tests are skipped, but
//! in continuous integration (`CI`) they fail.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder with the `package.json` of the validator.
pub fn root() -> PathBuf {
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = above.find(|folder| folder.join("package.json").is_file());
    root.expect("the project names it").to_owned()
}

fn run(program: &str, arguments: &[&str]) -> std::io::Result<Output> {
    Command::new(program)
        .args(arguments)
        .current_dir(root())
        .output()
}

/// True if the validator is installed. Tries to install it once.
pub fn has_validator() -> bool {
    let package = root().join("node_modules/gltf-validator");
    let has_node = run("node", &["--version"]).is_ok_and(|reported| reported.status.success());
    if has_node && !package.is_dir() {
        let install = ["install", "--silent", "--no-audit", "--no-fund"];
        let _ = run("npm", &install);
    }
    let is_there = has_node && package.is_dir();
    if !is_there {
        let message = "node and npm are needed to run the Khronos validator";
        assert!(std::env::var_os("CI").is_none(), "{message}");
        println!("SKIPPED: {message}");
    }
    is_there
}

/// Makes an empty folder, so that files of an earlier run are not validated again.
pub fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Output of the validator for a folder: a line per error, and a count.
pub fn validated(folder: &Path) -> String {
    let folder = folder.display().to_string();
    let reported = run("node", &["scripts/validate-gltf.mjs", &folder]).unwrap();
    let text = String::from_utf8_lossy(&reported.stdout).into_owned();
    print!("{}", String::from_utf8_lossy(&reported.stderr));
    assert!(
        text.contains(" files, "),
        "the validator did not finish: {text}"
    );
    text
}
