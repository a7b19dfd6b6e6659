//! Files of the scenario, and what Rust computes from them.

use crate::scenario::{self, Table};
use anyhow::{Context, Result};
use sinew::{Character, Method, Rig, deform_pose};
use sinew_samples::bodies::{Build, Stance};
use sinew_samples::mannequin::Mannequin;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const MACHINE: &str = include_str!("../machine.json");

/// Writes `hero.glb`, `other.glb` and `machine.json`, and what [`run`] writes for them.
pub fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let hero = Mannequin::default().build();
    sinew_io::save(folder.join("hero.glb"), &hero)?;
    let build = Build::all()
        .into_iter()
        .find(|build| build.name == "long arms");
    let other = build
        .context("there is no such build")?
        .body(Stance::T)
        .character();
    sinew_io::save(folder.join("other.glb"), &other)?;
    fs::write(folder.join("machine.json"), MACHINE)?;
    run(folder)
}

/// Writes `rust.txt` and `rust.vertices` for the files of a folder.
pub fn run(folder: &Path) -> Result<()> {
    fs::write(folder.join("rust.txt"), text(&scenario::run(folder)?))?;
    let hero = sinew_io::import(folder.join("hero.glb"))?.character;
    fs::write(folder.join("rust.vertices"), vertices(&hero)?)?;
    Ok(())
}

/// A line for each step.
pub fn text(table: &Table) -> String {
    table.iter().fold(String::new(), |mut text, (step, hash)| {
        let _ = writeln!(text, "{step} {hash:016x}");
        text
    })
}

/// Positions and normals of the pose of step 8, by the scalar reference.
fn vertices(hero: &Character) -> Result<Vec<u8>> {
    let rig = Rig::new(hero, Method::DualQuat)?;
    let actor = scenario::reaching(&rig)?;
    let deformed = deform_pose(hero, actor.pose(), |_, _| {}, Method::DualQuat)?;
    let mut bytes = Vec::new();
    for part in &deformed.primitives {
        let normals = part.normals.as_ref().context("the mannequin has normals")?;
        for (position, normal) in part.positions.iter().zip(normals) {
            for number in position.to_array().into_iter().chain(normal.to_array()) {
                bytes.extend(number.to_le_bytes());
            }
        }
    }
    Ok(bytes)
}
