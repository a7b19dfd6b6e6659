//! Holds the poses that guests compute to those of Rust (`docs/guests.md`).
//!
//! `guests make FOLDER` writes the files of the scenario and what Rust computes from them. `guests
//! run FOLDER` only computes, from files that another machine made.
//! `guests compare FOLDER NAME…` compares what other programs wrote there: `NAME.txt` with twelve
//! hashes of poses, `NAME.vertices` with skinned vertices.
//!
//! Exit code 0: equal; 1: different, or an error; 2: wrong usage.

mod compare;
mod files;
mod hash;
mod scenario;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["make", folder] => files::make(Path::new(folder)),
        ["run", folder] => files::run(Path::new(folder)),
        ["compare", folder, ref names @ ..] => compare::compare(Path::new(folder), names),
        _ => {
            eprintln!(
                "usage: guests make FOLDER | guests run FOLDER | guests compare FOLDER NAME…"
            );
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("guests: {error:#}");
            ExitCode::FAILURE
        }
    }
}
