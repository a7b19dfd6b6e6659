//! Compares Sinew with every reference result below a folder and prints a table.
//!
//! `conformance FOLDER` reads `FOLDER/reference/**/*.json`. Each reference names its input relative
//! to FOLDER. FBX files below `FOLDER/fbx` are compared with `ufbx` and the OBJ files beside them.
//! Exit code 0: all within tolerance; 1: a case failed; 2: wrong usage.

mod bvhref;
mod dqsref;
mod fbx;
mod skinref;

use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

enum Outcome {
    /// Error and tolerance, relative to the extent of the model.
    Measured { error: f64, tolerance: f64 },
    /// Reason why the case is not supported.
    Skipped(String),
}

#[derive(Deserialize)]
struct Header {
    format: String,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(folder), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: conformance FOLDER   (FOLDER contains reference/)");
        return ExitCode::from(2);
    };
    match run(Path::new(&folder)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("conformance: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(folder: &Path) -> Result<bool> {
    let root = folder.join("reference");
    let mut cases = Vec::new();
    collect(&root, &["json"], &mut cases).with_context(|| format!("listing {}", root.display()))?;
    cases.sort();
    let name_of = |path: &Path| {
        let name = path.strip_prefix(&root).unwrap_or(path);
        name.with_extension("").display().to_string()
    };
    let references = cases.iter().map(|path| (name_of(path), case(folder, path)));
    let outcomes: Vec<_> = references.chain(fbx::run(folder)?).collect();
    println!("{:<68} {:>10} {:>10}", "case", "error", "allowed");
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for (name, outcome) in outcomes {
        match outcome {
            Ok(Outcome::Measured { error, tolerance }) => {
                // NaN must fail.
                let verdict = if error <= tolerance {
                    passed += 1;
                    "pass"
                } else {
                    failed += 1;
                    "FAIL"
                };
                println!("{name:<68} {error:>10.2e} {tolerance:>10.0e}  {verdict}");
            }
            Ok(Outcome::Skipped(why)) => {
                skipped += 1;
                println!("{name:<68} {:>10} {:>10}  skipped: {why}", "", "");
            }
            Err(error) => {
                failed += 1;
                println!("{name:<68} {:>10} {:>10}  FAIL: {error:#}", "", "");
            }
        }
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    if passed + failed == 0 {
        anyhow::bail!("nothing was compared in {}", folder.display());
    }
    Ok(failed == 0)
}

fn collect(folder: &Path, extensions: &[&str], cases: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, extensions, cases)?;
        } else if path
            .extension()
            .is_some_and(|e| extensions.iter().any(|known| e == *known))
        {
            cases.push(path);
        }
    }
    Ok(())
}

fn case(folder: &Path, path: &Path) -> Result<Outcome> {
    let text = std::fs::read_to_string(path)?;
    let header: Header = serde_json::from_str(&text).context("no format member")?;
    match header.format.as_str() {
        "skinref/1" => skinref::run(folder, &text),
        "dqsref/1" => dqsref::run(&text),
        "bvhref/1" => bvhref::run(folder, &text),
        other => Ok(Outcome::Skipped(format!("{other} is not read yet"))),
    }
}
