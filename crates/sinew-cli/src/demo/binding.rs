//! Binds the figure without its weights, and compares the result with the hand-made weights.

use anyhow::Result;
use serde::Serialize;
use sinew::measure::{frame_times, measure};
use sinew::{Character, Method};
use sinew_rig::weights::{BindOptions, bind_character, unbind};
use std::fmt::Write;
use std::time::Instant;

/// A binding and its measurements.
#[derive(Serialize)]
pub struct Bound {
    vertices: usize,
    joints_used: usize,
    seconds: f64,
    by_bind: Worst,
    by_hand: Worst,
}

/// Largest deformations in all clips, with dual quaternions.
#[derive(Serialize, Default)]
struct Worst {
    volume_off: f64,
    stretch: f64,
    /// Largest step of a vertex between two frames, relative to the size of the figure.
    step: f64,
}

const FPS: f64 = 12.0;

/// Counts and time of a binding, in seconds.
pub struct Took {
    vertices: usize,
    joints_used: usize,
    seconds: f64,
}

/// Binds the figure as if it had no weights.
pub fn bind(by_hand: &Character) -> Result<(Character, Took)> {
    let mut figure = by_hand.clone();
    unbind(&mut figure);
    let start = Instant::now();
    let report = bind_character(&mut figure, &BindOptions::default())?;
    let took = Took {
        vertices: report.vertices,
        joints_used: report.joints_used,
        seconds: start.elapsed().as_secs_f64(),
    };
    Ok((figure, took))
}

fn worst(figure: &Character) -> Result<Worst> {
    let mut worst = Worst::default();
    for (index, clip) in figure.clips.iter().enumerate() {
        let times = frame_times(f64::from(clip.duration_secs), FPS)?;
        let found = measure(figure, Some(index), &times, &[Method::DualQuat])?;
        let scales = clip.joints.iter().any(|joint| joint.scale.is_some());
        for frame in &found.methods[0].frames {
            // Clips with scale change the volume on purpose.
            let volume = frame.volume.filter(|_| !scales).unwrap_or(1.0);
            worst.volume_off = worst.volume_off.max((volume - 1.0).abs());
            worst.stretch = worst.stretch.max(frame.stretch.max);
            worst.step = worst.step.max(frame.step);
        }
    }
    Ok(worst)
}

impl Bound {
    /// Measures both figures in all of their clips.
    pub fn of(took: Took, by_bind: &Character, by_hand: &Character) -> Result<Self> {
        Ok(Self {
            vertices: took.vertices,
            joints_used: took.joints_used,
            seconds: took.seconds,
            by_bind: worst(by_bind)?,
            by_hand: worst(by_hand)?,
        })
    }

    /// Summary in one line.
    pub fn in_short(&self) -> String {
        format!(
            "{} vertices to {} joints in {:.2} s; max volume error {:.1} %, with hand-made weights {:.1} %",
            self.vertices,
            self.joints_used,
            self.seconds,
            100.0 * self.by_bind.volume_off,
            100.0 * self.by_hand.volume_off
        )
    }

    pub fn describe(&self, out: &mut String) -> std::fmt::Result {
        writeln!(
            out,
            "\nbound      {} vertices to {} joints in {:.2} s; worst values over all clips with dual quaternions:\n",
            self.vertices, self.joints_used, self.seconds
        )?;
        writeln!(out, "{:<34} {:>10} {:>10}", "", "by bind", "by hand")?;
        let (bind, hand) = (&self.by_bind, &self.by_hand);
        for (what, ours, theirs, unit) in [
            (
                "volume error",
                100.0 * bind.volume_off,
                100.0 * hand.volume_off,
                "%",
            ),
            ("max edge stretch", bind.stretch, hand.stretch, "×"),
            (
                "max step of a vertex",
                100.0 * bind.step,
                100.0 * hand.step,
                "%",
            ),
        ] {
            writeln!(out, "{what:<34} {ours:>8.2} {unit} {theirs:>8.2} {unit}")?;
        }
        Ok(())
    }
}
