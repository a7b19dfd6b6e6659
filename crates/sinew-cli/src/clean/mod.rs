//! `sinew clean`: cleans captured motion, and measures it before and after.

mod report;

use crate::motion::{json, metres, picture, text};
use crate::units::Scale;
use crate::{files, outputs, several, usage};
use anyhow::{Context, Result, bail};
use report::steps;
use serde_json::{Value, json};
use sinew::{Clip, Skeleton};
use sinew_io::{Import, leave_out_calibration};
use sinew_rig::clean::{CleanOptions, CleanReport, MotionError, clean};
use sinew_rig::motion::{MotionOptions, MotionReport, measure_motion};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// Captured motion, such as a BVH file: glTF, GLB, VRM, FBX, BVH or .sinew; - is standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The output: .bvh (joints and one clip), .glb, .gltf with embedded buffer, or .vrm for an avatar; - writes GLB to
    /// standard output. With several inputs, {name} in the file name stands for the name of each input
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["bvh", "glb", "gltf", "vrm"]))]
    output: PathBuf,
    /// Clean only this clip, given by name or number. Default: all clips
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// Keep a first frame that is a T pose for calibration
    #[arg(long)]
    keep_first: bool,
    /// Do not fill gaps, in which a joint keeps its value or has no keys
    #[arg(long)]
    no_gaps: bool,
    /// Do not replace spikes
    #[arg(long)]
    no_spikes: bool,
    /// Do not filter noise
    #[arg(long, conflicts_with = "cutoff")]
    no_filter: bool,
    /// The cut-off of the filter in hertz. Default: found for each joint from its noise
    #[arg(long, value_name = "HERTZ", allow_negative_numbers = true)]
    cutoff: Option<f64>,
    /// Do not bring rotations within the limits of joints
    #[arg(long)]
    no_limits: bool,
    /// Do not hold standing feet, and do not move the hips
    #[arg(long)]
    no_feet: bool,
    /// The height of the floor in metres. Feet that stand lower are raised
    #[arg(
        long,
        value_name = "HEIGHT",
        conflicts_with = "no_feet",
        allow_negative_numbers = true
    )]
    floor: Option<f64>,
    /// Clean only between two times in seconds, like 0.5..2
    #[arg(long, value_name = "FROM..TO", value_parser = range)]
    range: Option<[f32; 2]>,
    /// Metres per unit of the file, such as 0.01 for centimetres, for measures and --floor. `auto` uses the unit that
    /// the file states, or one that makes the skeleton as tall as a person
    #[arg(
        long,
        value_name = "FACTOR",
        default_value = "auto",
        allow_negative_numbers = true
    )]
    scale: Scale,
    /// Draw feet and jerk before and after, of the first clean clip. With several inputs, {name} stands for the name
    #[arg(long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["svg"]))]
    plot: Option<PathBuf>,
    /// Print the steps, and the measures before and after, as JSON
    #[arg(long)]
    json: bool,
}

fn range(text: &str) -> Result<[f32; 2], String> {
    let wrong = || "a range is FROM..TO in seconds, like 0.5..2".to_owned();
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let time = |text: &str| text.trim().parse().map_err(|_| wrong());
    let [from, to]: [f32; 2] = [time(from)?, time(to)?];
    (from < to && to.is_finite())
        .then_some([from, to])
        .ok_or_else(wrong)
}

struct Done {
    before: MotionReport,
    after: MotionReport,
    clip: Clip,
    steps: CleanReport,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    several::check_outputs(&arguments.output.to_string_lossy(), &arguments.inputs)?;
    if let Some(plot) = &arguments.plot {
        several::check_outputs(&plot.to_string_lossy(), &arguments.inputs)?;
    }
    if arguments.json && files::is_standard(&arguments.output) {
        let message = "--json and the file cannot both go to standard output";
        return Err(usage::wrong(message));
    }
    let report = several::Report::new(arguments.json, true);
    several::each(&arguments.inputs, report, |input| run_one(arguments, input))
}

fn run_one(arguments: &Arguments, input: &Path) -> Result<()> {
    let output = several::output(&arguments.output, input);
    outputs::check(&output)?;
    let name = || files::name(input);
    let mut import = files::load(input)?;
    let wanted = clips(arguments, &import, input)?;
    let left_out = if arguments.keep_first {
        Vec::new()
    } else {
        leave_out_calibration(&mut import, &wanted, None).0
    };
    for clip in &left_out {
        files::print_message(&format!(
            "{}: the first frame of clip \"{clip}\" is a T pose for calibration and is left out; --keep-first keeps it",
            name()
        ));
    }
    let metres = metres(arguments.scale, &import);
    let mut all: Vec<(usize, Done)> = Vec::new();
    for index in wanted {
        let character = &import.character;
        let clip = &character.clips[index];
        match clean_one(arguments, &character.skeleton, clip, metres) {
            Ok(done) => all.push((index, done)),
            Err(MotionError::Still { .. }) if arguments.clip.is_none() => {
                files::print_message(&format!(
                    "{}: clip \"{}\" has fewer than two keys and is not changed",
                    name(),
                    clip.name
                ));
            }
            Err(error) => return Err(error).with_context(name),
        }
    }
    let Some((first, _)) = all.first() else {
        bail!("{}: no clip moves, so there is nothing to clean", name());
    };
    let first = *first;
    for (index, done) in &all {
        import.character.clips[*index] = done.clip.clone();
        // Layers correct the motion before.
        import
            .character
            .layers
            .retain(|layers| layers.clip != *index);
    }
    write(&output, &import, first).with_context(name)?;
    if let Some(plot) = &arguments.plot {
        draw(&several::output(plot, input), &name(), &all[0].1)?;
    }
    let skeleton = &import.character.skeleton;
    let text = if arguments.json {
        several::json(input, &document(skeleton, &all, &left_out))?
    } else {
        all.iter()
            .map(|(_, done)| describe(skeleton, done))
            .collect::<Vec<_>>()
            .join("\n")
    };
    outputs::report(&output, &text)
}

fn clips(arguments: &Arguments, import: &Import, input: &Path) -> Result<Vec<usize>> {
    let first = crate::motion::clip(import, arguments.clip.as_deref(), input)?;
    Ok(match arguments.clip {
        Some(_) => vec![first],
        None => (0..import.character.clips.len()).collect(),
    })
}

fn clean_one(
    arguments: &Arguments,
    skeleton: &Skeleton,
    clip: &Clip,
    metres: f64,
) -> Result<Done, MotionError> {
    let floor = arguments.floor.map(|floor| floor / metres);
    let options = CleanOptions::new()
        .gaps(!arguments.no_gaps)
        .spikes(!arguments.no_spikes)
        .filter(!arguments.no_filter)
        .cutoff_hz(arguments.cutoff)
        .limits(!arguments.no_limits)
        .feet(!arguments.no_feet)
        .floor(floor)
        .range_secs(arguments.range);
    let measures = MotionOptions::new().metres(Some(metres)).floor(floor);
    let before = measure_motion(skeleton, clip, None, &measures)?;
    let done = clean(skeleton, clip, &options)?;
    let after = measure_motion(skeleton, &done.clip, Some((skeleton, clip)), &measures)?;
    Ok(Done {
        before,
        after,
        clip: done.clip,
        steps: done.report,
    })
}

fn write(output: &Path, import: &Import, first: usize) -> Result<()> {
    if files::extension(output) == "bvh" {
        return outputs::bvh(output, import, Some(first));
    }
    let what = outputs::contents(&import.character);
    outputs::character(output, &what, &import.character, import.source.as_ref())?;
    Ok(())
}

fn draw(path: &Path, name: &str, done: &Done) -> Result<()> {
    let title = format!("{name}: {}", done.clip.name);
    let drawing = picture::draw(&title, Some(&done.before), &done.after);
    outputs::write(path, "feet and jerk, before and after", |out| {
        out.write_all(drawing.as_bytes())
    })
}

fn describe(skeleton: &Skeleton, done: &Done) -> String {
    let lines = report::lines(&done.steps);
    let title = files::one_line(&done.clip.name).into_owned();
    let table = text::describe(
        skeleton,
        &[("before", &done.before), ("after", &done.after)],
    );
    format!("clip       \"{title}\"\n{lines}{table}")
}

fn document(skeleton: &Skeleton, all: &[(usize, Done)], left_out: &[String]) -> Value {
    let clip = |(index, done): &(usize, Done)| {
        json!({
            "name": done.clip.name,
            "number": index,
            "steps": steps(&done.steps),
            "before": json::document(skeleton, &done.before),
            "after": json::document(skeleton, &done.after),
        })
    };
    json!({
        "format": "sinew-clean/1",
        "first_frame_left_out": left_out,
        "clips": all.iter().map(clip).collect::<Vec<_>>(),
    })
}
