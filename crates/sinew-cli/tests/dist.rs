use crate::program;
use std::process::Command;

#[test]
#[cfg(target_os = "linux")]
fn the_archive_is_unpacked_and_its_program_runs_the_demo() {
    let folder = program::folder("dist");
    let clean = "rm -rf unpacked sinew-* out";
    let cleaned = Command::new("sh")
        .current_dir(&folder)
        .args(["-c", clean])
        .status();
    assert!(cleaned.is_ok_and(|status| status.success()));
    let packed = Command::new(program::root().join("scripts/dist"))
        .args(["--program", env!("CARGO_BIN_EXE_sinew"), "--to"])
        .arg(&folder)
        .output()
        .expect("the script runs");
    assert!(packed.status.success(), "{packed:?}");
    let unpack = "sha256sum -c *.sha256 && tar -xzf *.tar.gz && mv sinew-*/ unpacked";
    let unpacked = Command::new("sh")
        .current_dir(&folder)
        .args(["-c", unpack])
        .output();
    let unpacked = unpacked.expect("there is a shell");
    assert!(unpacked.status.success(), "{unpacked:?}");

    let inside = folder.join("unpacked");
    for file in [
        "README.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "completions/sinew.zsh",
        "man/sinew-skin.1",
    ] {
        let size = std::fs::metadata(inside.join(file)).map(|file| file.len());
        assert!(size.is_ok_and(|size| size > 100), "{file}");
    }
    let notices = std::fs::read_to_string(inside.join("NOTICES")).expect("it is there");
    for wanted in [
        "glam v",
        "wgpu v",
        "Apache License",
        "Permission is hereby granted",
    ] {
        assert!(notices.contains(wanted), "{wanted}");
    }
    let demo = Command::new(inside.join("sinew"))
        .current_dir(&folder)
        .args(["demo", "--no-pictures", "-o", "out"])
        .output()
        .expect("it runs");
    assert!(demo.status.success(), "{demo:?}");
    assert!(folder.join("out/mannequin.glb").exists());
}
