//! Draws glTF files with `sinew-gpu` and three.js, and measures the difference (`docs/look.md`).
//!
//! Exit code 0: near enough; 1: too different, or an error; 2: wrong usage.

mod case;
mod cases;
mod environment;
mod flip;
mod glb;
mod ours;
mod shape;
mod sheet;
mod texture;
mod three;

use anyhow::{Context, Result};
use case::Case;
use clap::Parser;
use ours::Ours;
use sheet::Entry;
use sinew_gpu::{Picture, write_png};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Max mean error over all cases. Then the max error of a single case.
const ALLOWED: f64 = 0.05;
const ALLOWED_ALONE: f64 = 0.12;

/// Compares pictures with those of three.js.
#[derive(Debug, Parser)]
struct Arguments {
    /// A folder of GLB files to draw in addition to the built-in cases.
    #[arg(long, value_name = "FOLDER")]
    materials: Option<PathBuf>,
    /// The folder for the pictures.
    #[arg(long, value_name = "FOLDER", default_value = "target/look")]
    out: PathBuf,
    /// Only cases whose name contains this.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Write all pictures side by side into sheet.png.
    #[arg(long)]
    sheet: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("look: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Draws all cases. True if the pictures are close enough.
fn run(arguments: &Arguments) -> Result<bool> {
    let mut cases = cases::all()?;
    if let Some(folder) = &arguments.materials {
        cases.extend(files(folder)?);
    }
    if let Some(only) = &arguments.only {
        cases.retain(|c| c.name.contains(only));
    }
    anyhow::ensure!(!cases.is_empty(), "no case has that name");
    let out = &arguments.out;
    let (theirs, drawn) = three::pictures(&cases, out)?;
    println!(
        "three.js drew {drawn} of {} pictures; the others were cached",
        cases.len()
    );
    let mut ours = Ours::new()?;
    println!("{:<32} {:>9} {:>6}", "case", "mean FLIP", "max");
    let (mut entries, mut failed) = (Vec::new(), Vec::new());
    let mut sum = 0.0;
    for (case, theirs) in cases.iter().zip(theirs) {
        let drawn = ours.picture(case).with_context(|| case.name.clone())?;
        save(&out.join("ours").join(format!("{}.png", case.name)), &drawn)?;
        let errors = flip::flip(&theirs, &drawn).context("pictures differ in size")?;
        let mean = errors.mean();
        sum += mean;
        // The comparison is false for NaN, so NaN fails.
        let passes = mean <= ALLOWED_ALONE;
        let verdict = if passes { "" } else { "  FAIL" };
        println!(
            "{:<32} {mean:>9.4} {:>6.3}{verdict}",
            case.name,
            errors.max()
        );
        if !passes {
            failed.push(&*case.name);
        }
        entries.push(Entry {
            caption: format!("{} {mean:.4}", case.name.replace('_', " ")),
            theirs,
            ours: drawn,
            errors,
        });
    }
    let mean = sum / cases.len() as f64;
    println!("{:<32} {mean:>9.4}", "mean");
    if arguments.sheet {
        let path = out.join("sheet.png");
        save(&path, &sheet::sheet(&entries))?;
        println!("{}", path.display());
    }
    if !failed.is_empty() {
        println!("over {ALLOWED_ALONE}: {}", failed.join(", "));
    }
    let near = mean <= ALLOWED;
    if !near {
        println!("the mean is over {ALLOWED}");
    }
    Ok(near && failed.is_empty())
}

fn files(folder: &Path) -> Result<Vec<Case>> {
    let listing = fs::read_dir(folder).with_context(|| format!("listing {}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in listing {
        paths.push(entry?.path());
    }
    paths.retain(|p| p.extension().is_some_and(|e| e == "glb"));
    paths.sort();
    paths.iter().map(|p| Case::from_file(p)).collect()
}

fn save(path: &Path, picture: &Picture) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = fs::File::create(path).with_context(|| format!("writing {}", path.display()))?;
    Ok(write_png(&mut file, picture)?)
}
