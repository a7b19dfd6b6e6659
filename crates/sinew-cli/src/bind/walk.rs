//! The test walk of a bound body, and its report card.

use crate::files::counted;
use anyhow::Result;
use serde::Serialize;
use sinew::Character;
use sinew::measure::{frame_times, measure};
use sinew_rig::retarget::{RetargetOptions, pair_joints, retarget};
use sinew_rig::template::Biped;
use sinew_samples::mannequin;

const FPS: f64 = 12.0;

/// Worst values of the surface during the walk, with the method of the character.
#[derive(Serialize)]
pub struct Card {
    clip: String,
    frames: usize,
    /// Min volume relative to rest. `None` without closed pieces.
    volume_min: Option<f64>,
    /// Length of an edge relative to rest: the largest of 99 % of the edges, and of all.
    stretch_p99: f64,
    stretch_max: f64,
    /// Mesh of the edge that stretches most.
    stretch_mesh: Option<String>,
    /// Max speed of a standing foot, in units of the mesh per second.
    foot_slide: f32,
}

/// Retargets the walk of the mannequin to a body on two legs, adds it as a clip, and measures it.
pub fn add(character: &mut Character) -> Result<Card> {
    let source = Biped::default().template().skeleton()?;
    let walk = mannequin::walk(&source);
    let pairs = pair_joints(&source, &character.skeleton)?;
    let options = RetargetOptions::default();
    let done = retarget(&source, &walk, &character.skeleton, &pairs, &options)?;
    let feet = done.report.feet.iter().map(|foot| foot.slide_after);
    let foot_slide = feet.fold(0.0, f32::max);
    character.clips.push(done.clip);
    let mut card = card(character, character.clips.len() - 1)?;
    card.foot_slide = foot_slide;
    Ok(card)
}

fn card(character: &Character, clip: usize) -> Result<Card> {
    let times = frame_times(f64::from(character.clips[clip].duration_secs), FPS)?;
    let measured = measure(character, Some(clip), &times, &[character.method()])?;
    let frames = &measured.methods[0].frames;
    let volumes = frames.iter().filter_map(|frame| frame.volume);
    let worst = frames
        .iter()
        .max_by(|a, b| a.stretch.max.total_cmp(&b.stretch.max));
    let mesh = worst.and_then(|frame| character.nodes[frame.stretch_at?.node].mesh);
    let p99 = frames.iter().map(|frame| frame.stretch.p99);
    Ok(Card {
        clip: character.clips[clip].name.clone(),
        frames: frames.len(),
        volume_min: volumes.min_by(f64::total_cmp),
        stretch_p99: p99.fold(0.0, f64::max),
        stretch_max: worst.map_or(0.0, |frame| frame.stretch.max),
        stretch_mesh: mesh.map(|mesh| character.meshes[mesh].name.clone()),
        foot_slide: 0.0,
    })
}

impl Card {
    /// Lines of the report.
    pub fn text(&self) -> String {
        let volume = self.volume_min.map_or(String::new(), |volume| {
            format!(", {:.1} % of the volume remains", 100.0 * volume)
        });
        format!(
            "test walk \"{}\", {}: 99 % of the edges stay below {:.2} times their length, the longest gets {:.2}{volume}; standing feet slide at most {:.4} per second",
            self.clip,
            counted(self.frames, "frame"),
            self.stretch_p99,
            self.stretch_max,
            self.foot_slide
        )
    }
}
