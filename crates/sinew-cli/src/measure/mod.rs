//! `sinew measure`: measures the deformation of a character and checks the values, or measures a motion.

mod arguments;
mod findings;
mod json;
mod motion;
mod not_finite;
mod text;

use crate::files;
use crate::outputs;
use crate::progress::Bar;
use crate::several;
use anyhow::{Context, Result, anyhow};
pub use arguments::Arguments;
use findings::Findings;
use sinew::measure::{Check, MeasureError, Measurement, Measuring, frame_times};
use sinew::{Character, Method};
use sinew_batch::units;
use std::path::Path;

pub fn run(arguments: &Arguments) -> Result<()> {
    let report = several::Report::new(arguments.json, true);
    if let Some(plot) = &arguments.plot {
        several::check_outputs(&plot.to_string_lossy(), &arguments.inputs)?;
    }
    several::each(&arguments.inputs, report, |input| {
        if arguments.measure.motion {
            motion::run(arguments, input)
        } else {
            run_one(arguments, input)
        }
    })
}

/// Measures frame by frame, and shows the progress.
fn measured(
    character: &Character,
    clip: Option<usize>,
    times_secs: &[f64],
    methods: &[Method],
) -> Result<Measurement, MeasureError> {
    let bar = Bar::frames(times_secs.len() as u64);
    let mut measuring = Measuring::new(character, clip, times_secs, methods)?;
    while measuring.advance()? {
        bar.set(measuring.frames_done() as f64);
    }
    bar.clear();
    Ok(measuring.finish())
}

fn run_one(arguments: &Arguments, input: &Path) -> Result<()> {
    let mut import = files::load(input)?;
    let file = || files::name(input);
    let mut notes = units::apply(arguments.measure.scale, &mut import, &file())?;
    let character = &import.character;
    notes.extend(units::doubt(&import, 1.0, &file()));
    let clip = match &arguments.measure.clip {
        Some(name) => Some(files::find_clip(character, name).with_context(file)?),
        None => (!character.clips.is_empty()).then_some(0),
    };
    if clip.is_none() {
        notes.push(format!(
            "{} has no clip, so it is measured in the rest pose, in which nothing bends; `sinew bind --report` measures rotated joints",
            file()
        ));
    }
    let duration = clip.map_or(0.0, |c| f64::from(character.clips[c].duration_secs));
    let times = frame_times(duration, arguments.fps).with_context(file)?;
    let methods: Vec<Method> = arguments.method.iter().map(|&m| m.into()).collect();
    let measurement = measured(character, clip, &times, &methods).with_context(file)?;
    notes.iter().for_each(|note| files::print_message(note));
    let failures_of = |check: &Check| {
        let violations = measurement
            .methods
            .iter()
            .filter_map(|report| check.violation(&measurement, report));
        violations.map(|v| (*check, v)).collect::<Vec<_>>()
    };
    let failed = arguments.fail_if.iter().flat_map(failures_of).collect();
    let findings = Findings {
        character,
        clip,
        fps: arguments.fps,
        measurement,
        failed,
        notes,
    };
    let text = if arguments.json {
        several::json(input, &json::document(&findings))?
    } else {
        text::describe(&findings)?
    };
    outputs::print(&text)?;
    let broken = not_finite::line(&findings);
    let checks = findings.failed.iter();
    let mut lines: Vec<String> = checks.map(|f| text::failure(&findings, f)).collect();
    lines.extend(broken.clone());
    let failed = match &lines[..] {
        [] => return Ok(()),
        [line] => format!("{}: the check failed: {line}", file()),
        _ => {
            lines.iter().for_each(|line| files::print_message(line));
            let mut figures = text::figures(&findings);
            figures.extend(broken.map(|_| "a figure is not finite".to_owned()));
            let (count, figures) = (files::counted(lines.len(), "check"), figures.join(", "));
            format!("{}: {count} failed: {figures}", file())
        }
    };
    Err(anyhow!(several::Printed(failed)))
}
