//! A page with all pictures of the demo. Many viewers show only the first frame of an animation.

use super::names::{BODIES, EXHIBITS, MOVING, SHEET, STEPS, STILL, WALKING};
use crate::outputs;
use anyhow::Result;
use std::path::Path;

type Caption = (&'static str, &'static str);

const PICTURES: [Caption; 5] = [
    (
        MOVING,
        "The sword form in the grove. Each frame is skinned once, and every pass reads the result.",
    ),
    (
        STILL,
        "The same scene at full size, with shadows, reflection and ambient occlusion.",
    ),
    (
        SHEET,
        "From a bare mesh to a picture; hand-made weights; a twisted shoulder and scaled bones with both methods.",
    ),
    (
        EXHIBITS,
        "Machines made by code: a robot arm, a car, a figure of ten parts, a solar system.",
    ),
    (
        BODIES,
        "Bodies of ten kinds with automatic weights, at rest and bent.",
    ),
];

/// Pictures of a mesh of the user.
const OWN: [Caption; 2] = [
    (
        STEPS,
        "The bare mesh, the joints that were found in it, its weights, and a step of its walk.",
    ),
    (WALKING, "The mesh walks."),
];

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>Sinew: the demo's pictures</title>
<style>
body { margin: 2rem auto; max-width: 1280px; padding: 0 1rem; background: #f4f5f7; color: #30363e; font: 16px/1.5 sans-serif }
figure { margin: 2rem 0 }
img { max-width: 100%; border-radius: 6px }
</style>
<h1>Sinew</h1>
<p>Bound, moved, skinned and drawn by <code>sinew demo</code>.</p>
";

/// Writes the page next to the pictures.
pub fn write(path: &Path) -> Result<()> {
    write_pictures(path, &PICTURES)
}

/// Writes the page about a mesh of the user. A mesh that does not walk has only the first picture.
pub fn write_own(path: &Path, walks: bool) -> Result<()> {
    write_pictures(path, if walks { &OWN } else { &OWN[..1] })
}

fn write_pictures(path: &Path, pictures: &[Caption]) -> Result<()> {
    let mut text = HEAD.to_owned();
    for (file, caption) in pictures {
        text += &format!(
            "<figure><img src=\"{file}\" alt=\"{caption}\"><figcaption>{caption}</figcaption></figure>\n"
        );
    }
    outputs::write(path, "a page with all pictures", |out| {
        out.write_all(text.as_bytes())
    })
}
