//! `sinew measure`: measures the deformation of a character and checks the values, or measures a motion.

mod findings;
mod json;
mod motion;
mod not_finite;
mod text;

use crate::files;
use crate::outputs;
use crate::several;
use crate::skin::Skinning;
use crate::units::{self, ScaleOption};
use anyhow::{Context, Result, anyhow};
use findings::Findings;
use sinew::Method;
use sinew::measure::{Check, frame_times, measure};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew files; - is standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The clip, by name or number. Default: the first clip, or the rest pose if there is none
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// Skinning methods to compare, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "lbs,dqs")]
    method: Vec<Skinning>,
    /// Number of frames per second at which the clip is measured
    #[arg(long, default_value_t = 30.0, allow_negative_numbers = true, value_parser = rate)]
    fps: f64,
    #[command(flatten)]
    unit: ScaleOption,
    /// Fail with exit code 1 if this comparison is true for any frame or joint with any method; can be repeated. A
    /// comparison is a metric, one of < > <= >=, and a number, like "volume<0.9". Metrics: volume, `section_min`,
    /// `section_max`, `stretch_p1`, `stretch_p50`, `stretch_p99`, `stretch_max`, flipped, `normal_error_mean`,
    /// `normal_error_p99`, `normal_error_max`, `speed_max`, `step_max`, `angle_max`
    #[arg(long, value_name = "CHECK")]
    fail_if: Vec<Check>,
    /// Measure the motion instead of the deformation: slide of standing feet, floor, limits, jerk, speed. Needs no mesh.
    /// Every frame is measured. Without --scale, the unit is the one that makes the skeleton as tall as a person
    #[arg(long, conflicts_with_all = ["method", "fps", "fail_if"])]
    motion: bool,
    /// With --motion: a file of the same take, to measure distances of joints and kept contacts
    #[arg(long, value_name = "FILE", requires = "motion")]
    reference: Option<PathBuf>,
    /// With --motion: the height of the floor in metres. Default: found from standing feet
    #[arg(
        long,
        value_name = "HEIGHT",
        requires = "motion",
        allow_negative_numbers = true
    )]
    floor: Option<f64>,
    /// With --motion: draw feet and jerk over time. With several inputs, {name} stands for the name of each
    #[arg(long, value_name = "FILE", requires = "motion", value_parser = |text: &str| files::output(text, &["svg"]))]
    plot: Option<PathBuf>,
    /// Print the measurements as JSON
    #[arg(long)]
    json: bool,
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text
        .parse()
        .ok()
        .filter(|f: &f64| *f > 0.0 && f.is_finite());
    rate.ok_or_else(|| "a rate is a number above 0, like 30".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let report = several::Report::new(arguments.json, true);
    if let Some(plot) = &arguments.plot {
        several::check_outputs(&plot.to_string_lossy(), &arguments.inputs)?;
    }
    several::each(&arguments.inputs, report, |input| {
        if arguments.motion {
            motion::run(arguments, input)
        } else {
            run_one(arguments, input)
        }
    })
}

fn run_one(arguments: &Arguments, input: &Path) -> Result<()> {
    let mut import = files::load(input)?;
    let file = || files::name(input);
    let mut notes = units::apply(arguments.unit.scale, &mut import, &file())?;
    let character = &import.character;
    notes.extend(units::doubt(&import, 1.0, &file()));
    let clip = match &arguments.clip {
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
    let measurement = measure(character, clip, &times, &methods).with_context(file)?;
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
