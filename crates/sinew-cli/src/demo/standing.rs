//! Bare bodies that stand up: a skeleton is found in each, bound, and made to walk.

use super::sheet::{CAPTION, GAP, PAPER, write_caption};
use crate::bind::picture::steps;
use crate::bind::walk;
use anyhow::Result;
use serde::Serialize;
use sinew::{Character, Method, deform};
use sinew_gpu::{Gpu, Picture, Renderer};
use sinew_rig::find::{FindOptions, find_skeleton, joined_surface};
use sinew_rig::weights::{BindOptions, bind_to_skeleton};
use sinew_samples::bodies::{self, Body};
use std::time::Instant;

const STEPS: u32 = 4;
const CAPTIONS: [&str; STEPS as usize] = ["bare mesh", "joints", "weights", "walk"];

/// A bare body that stood up.
#[derive(Serialize)]
pub struct Stood {
    name: &'static str,
    vertices: usize,
    joints: usize,
    /// Time to find the joints, in seconds.
    find_seconds: f64,
    /// Time to compute the weights, in seconds.
    bind_seconds: f64,
}

/// Draws a row of four pictures for each of three bodies.
pub fn sheet(gpu: &Gpu, renderer: &mut Renderer, side: u32) -> Result<(Picture, Vec<Stood>)> {
    let bodies = [bodies::person(), bodies::skirt(), bodies::robot()];
    let across = STEPS * side + (STEPS + 1) * GAP;
    let down = bodies.len() as u32 * (side + GAP) + CAPTION;
    let mut sheet = Picture::new(across, down, PAPER);
    let mut stood = Vec::new();
    for (row, body) in (0..).zip(bodies) {
        let (pictures, done) = stand(gpu, renderer, &body, side)?;
        for (column, picture) in (0..).zip(&pictures) {
            let at = [GAP + column * (side + GAP), GAP + row * (side + GAP)];
            sheet.paste(picture, at[0], at[1]);
        }
        stood.push(done);
    }
    for (column, caption) in (0..).zip(CAPTIONS) {
        let at = [GAP + column * (side + GAP), down - CAPTION];
        write_caption(&mut sheet, at, side, caption);
    }
    Ok((sheet, stood))
}

fn stand(
    gpu: &Gpu,
    renderer: &mut Renderer,
    body: &Body,
    side: u32,
) -> Result<([Picture; 4], Stood)> {
    let whole = body.character();
    let bare = deform(&whole, None, 0.0, Method::Linear)?.to_character(&whole);
    let start = Instant::now();
    let (positions, triangles) = joined_surface(&bare)?;
    let found = find_skeleton(&positions, &triangles, &FindOptions::default())?;
    let find_seconds = start.elapsed().as_secs_f64();
    let skeleton = Character::from_skeleton(found.template.skeleton()?);
    let mut walking = bare.clone();
    let start = Instant::now();
    let report = bind_to_skeleton(&mut walking, &skeleton, &BindOptions::default())?;
    let bind_seconds = start.elapsed().as_secs_f64();
    walk::add(&mut walking)?;
    let pictures = steps(gpu, renderer, &bare, &found, &walking, side)?;
    let stood = Stood {
        name: body.name,
        vertices: report.vertices,
        joints: report.joints_used,
        find_seconds,
        bind_seconds,
    };
    Ok((pictures, stood))
}

/// Describes each body in a line.
pub fn describe(stood: &[Stood], out: &mut String) -> std::fmt::Result {
    use std::fmt::Write;
    writeln!(out)?;
    for body in stood {
        writeln!(
            out,
            "stands up  {}: {} joints found in {} vertices in {:.2} s, bound in {:.2} s",
            body.name, body.joints, body.vertices, body.find_seconds, body.bind_seconds
        )?;
    }
    Ok(())
}
