//! Outputs are complete or absent: the old file stays until the new one is complete.
#![cfg(unix)]

use std::fs;
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

const PROGRAM: &str = env!("CARGO_BIN_EXE_sinew");

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("sinew-writing-{}-{number}", std::process::id());
        let folder = Self(std::env::temp_dir().join(name));
        let made = folder.run(&["demo", "--no-pictures", "-o", &folder.at("")]);
        assert!(made.status.success(), "{made:?}");
        folder
    }

    fn at(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let output = Command::new(PROGRAM).args(arguments).output();
        output.expect("the program starts")
    }

    fn convert_after(&self, first: &str, output: &str) -> Output {
        let script = format!("{first}; exec \"$0\" convert \"$1\" -o \"$2\"");
        let mut shell = Command::new("bash");
        shell.args(["-c", &script, PROGRAM, &self.input(), &self.at(output)]);
        shell.output().expect("bash starts")
    }

    fn input(&self) -> String {
        self.at("tube.glb")
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a folder").flatten();
        let mut names: Vec<_> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_disk_that_is_full_leaves_what_was_there() {
    let folder = Folder::new();
    fs::write(folder.at("old.glb"), "old").unwrap();
    let before = folder.names();
    // Files over a kilobyte cannot be written, and the program gets the error.
    let failed = folder.convert_after("ulimit -f 1; trap '' XFSZ", "old.glb");
    assert_eq!(failed.status.code(), Some(1), "{failed:?}");
    assert!(String::from_utf8_lossy(&failed.stderr).contains("cannot write"));
    assert_eq!(fs::read(folder.at("old.glb")).unwrap(), b"old");
    assert_eq!(folder.names(), before);
}

#[test]
fn a_program_that_is_killed_leaves_what_was_there() {
    let folder = Folder::new();
    fs::write(folder.at("old.glb"), "old").unwrap();
    // The signal of that limit kills the program.
    let killed = folder.convert_after("ulimit -c 0; ulimit -f 1", "old.glb");
    assert_eq!(killed.status.code(), None, "{killed:?}");
    assert_eq!(fs::read(folder.at("old.glb")).unwrap(), b"old");
}

#[test]
fn a_program_that_is_interrupted_leaves_nothing_unfinished() {
    for (name, number) in [("-INT", 2), ("-TERM", 15)] {
        let folder = Folder::new();
        let before = folder.names();
        let output = folder.at("long.json");
        let long = ["sample", &folder.input(), "--fps", "100000", "-o", &output];
        let mut program = Command::new(PROGRAM)
            .args(long)
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let is_writing = || {
            let files = fs::read_dir(&folder.0).expect("a folder").flatten();
            let mut files =
                files.filter(|file| file.file_name().to_string_lossy().contains("long"));
            files.any(|file| file.metadata().is_ok_and(|data| data.len() > 10_000))
        };
        while !is_writing() {
            assert_eq!(program.try_wait().expect("a process"), None, "too early");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let pid = program.id().to_string();
        let told = Command::new("kill").args([name, &pid]).status();
        assert!(told.expect("kill runs").success());
        let status = program.wait().expect("it ends");
        assert_eq!(status.signal(), Some(number), "{name}");
        assert_eq!(folder.names(), before, "{name}");
    }
}

#[test]
fn a_name_as_long_as_the_file_system_allows_is_written() {
    let folder = Folder::new();
    for name in [
        format!("{}.glb", "a".repeat(251)),
        format!("{}.glb", "ü".repeat(125)),
    ] {
        let done = folder.run(&["convert", &folder.input(), "-o", &folder.at(&name)]);
        assert!(done.status.success(), "{done:?}");
        assert!(folder.names().contains(&name));
    }
}

#[test]
fn a_moving_picture_takes_its_place_when_it_is_whole() {
    let folder = Folder::new();
    fs::write(folder.at("old.png"), "old").unwrap();
    let script =
        "ulimit -f 1; trap '' XFSZ; exec \"$0\" render \"$1\" --fps 4 --size 64x64 -o \"$2\"";
    let mut shell = Command::new("bash");
    shell.args([
        "-c",
        script,
        PROGRAM,
        &folder.input(),
        &folder.at("old.png"),
    ]);
    let failed = shell.output().expect("bash starts");
    assert!(!failed.status.success(), "{failed:?}");
    assert_eq!(fs::read(folder.at("old.png")).unwrap(), b"old");
}

#[test]
fn modes_and_links_stay() {
    let folder = Folder::new();
    fs::write(folder.at("target.glb"), "old").unwrap();
    fs::set_permissions(folder.at("target.glb"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("target.glb", folder.at("link.glb")).unwrap();
    let done = folder.run(&["convert", &folder.input(), "-o", &folder.at("link.glb")]);
    assert!(done.status.success(), "{done:?}");
    let link = fs::symlink_metadata(folder.at("link.glb")).unwrap();
    assert!(link.file_type().is_symlink());
    let target = fs::metadata(folder.at("target.glb")).unwrap();
    assert_eq!(target.permissions().mode() & 0o777, 0o640);
    assert!(target.len() > 1000);
    symlink("later.glb", folder.at("early.glb")).unwrap();
    let done = folder.run(&["convert", &folder.input(), "-o", &folder.at("early.glb")]);
    assert!(done.status.success(), "{done:?}");
    assert!(fs::metadata(folder.at("later.glb")).unwrap().len() > 1000);
    symlink("round.glb", folder.at("round.glb")).unwrap();
    let failed = folder.run(&["convert", &folder.input(), "-o", &folder.at("round.glb")]);
    assert_eq!(failed.status.code(), Some(1), "{failed:?}");
}

#[test]
fn a_pipe_with_a_name_is_written_into_and_stays() {
    let folder = Folder::new();
    let pipe = folder.at("pipe.glb");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let mut writer = Command::new(PROGRAM)
        .args(["convert", &folder.input(), "-o", &pipe])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut bytes = Vec::new();
    fs::File::open(&pipe)
        .unwrap()
        .read_to_end(&mut bytes)
        .unwrap();
    assert!(writer.wait().unwrap().success());
    assert!(bytes.starts_with(b"glTF"));
    let kind = fs::symlink_metadata(&pipe).unwrap().file_type();
    assert!(kind.is_fifo());
}

#[test]
fn a_folder_is_no_output() {
    let folder = Folder::new();
    fs::create_dir(folder.at("folder.glb")).unwrap();
    let failed = folder.run(&["convert", &folder.input(), "-o", &folder.at("folder.glb")]);
    assert_eq!(failed.status.code(), Some(1));
    let said = String::from_utf8_lossy(&failed.stderr).into_owned();
    assert!(said.contains("it is a folder"), "{said}");
    assert!(fs::metadata(folder.at("folder.glb")).unwrap().is_dir());
}

#[test]
fn only_standard_output_may_break_in_silence() {
    let folder = Folder::new();
    let pipe = folder.at("pipe.glb");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    // Larger than a pipe's buffer.
    let large = folder.at("mannequin.glb");
    assert!(fs::metadata(&large).unwrap().len() > 1 << 17);
    let mut writer = Command::new(PROGRAM)
        .args(["convert", &large, "-o", &pipe])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(fs::File::open(&pipe).unwrap());
    assert_eq!(writer.wait().unwrap().code(), Some(1));
}
