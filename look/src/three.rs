//! Draws all cases with three.js in one run of a headless browser. Caches the pictures.

use crate::case::{BACKGROUND, Case, SIZE, Tone};
use crate::environment;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use sinew_gpu::{Picture, read_png};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

const SCRIPT: &str = "scripts/look-with-three.mjs";
const VERSION: &str = "node_modules/three/package.json";
/// Samples per side of a pixel. They smooth edges and reduce the roughness that three.js adds.
const SUPERSAMPLING: u32 = 4;

/// Pictures of all cases, in order, and the number of newly drawn pictures.
pub fn pictures(cases: &[Case], out: &Path) -> Result<(Vec<Picture>, usize)> {
    let folder = out.join("three");
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let mut light = Vec::new();
    for [r, g, b] in environment::map() {
        light.extend([r, g, b, 1.0].into_iter().flat_map(f32::to_le_bytes));
    }
    let light_file = folder.join("environment.f32");
    fs::write(&light_file, &light)?;
    let tools = [read(SCRIPT)?, read(VERSION)?, light];
    let mut jobs = Vec::new();
    let mut pngs = Vec::new();
    for case in cases {
        let mut job = job(case);
        let mut hasher = DefaultHasher::new();
        (&tools, job.to_string(), &case.glb).hash(&mut hasher);
        let png = folder.join(format!("{}-{:016x}.png", case.name, hasher.finish()));
        if !png.exists() {
            let glb = folder.join(format!("{}.glb", case.name));
            fs::write(&glb, &case.glb)?;
            job["glb"] = json!(glb);
            job["png"] = json!(png);
            jobs.push(job);
        }
        pngs.push(png);
    }
    if !jobs.is_empty() {
        draw(&jobs, &light_file, &folder.join("jobs.json"))?;
    }
    let pictures = pngs.iter().map(|p| Ok(read_png(&fs::read(p)?)?));
    Ok((pictures.collect::<Result<_>>()?, jobs.len()))
}

fn job(case: &Case) -> Value {
    let camera = &case.camera;
    json!({
        "name": case.name,
        "size": SIZE,
        "supersampling": SUPERSAMPLING,
        "exposure": 1.0,
        "tone": match case.tone { Tone::None => "none", Tone::Neutral => "neutral" },
        "background": vec![BACKGROUND; 3],
        "environment": case.environment,
        "camera": {
            "eye": camera.eye.to_array(),
            "target": camera.target.to_array(),
            "fov_y_rad": camera.fov_y_rad,
            "near": camera.near,
            "far": camera.far,
        },
    })
}

fn draw(jobs: &[Value], light: &Path, list: &PathBuf) -> Result<()> {
    let environment =
        json!({ "file": light, "width": environment::WIDTH, "height": environment::HEIGHT });
    fs::write(
        list,
        json!({ "environment": environment, "jobs": jobs }).to_string(),
    )?;
    let status = Command::new("node").arg(SCRIPT).arg(list).status();
    if !status.context("running node")?.success() {
        bail!("{SCRIPT} failed");
    }
    Ok(())
}

fn read(path: &str) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| {
        format!("reading {path}: run from the project's root, after scripts/setup-look")
    })
}
