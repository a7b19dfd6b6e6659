//! `sinew clean`: cleans captured motion, and measures it before and after.

mod report;

use crate::motion::{json, picture, text};
use crate::{files, outputs, several, usage};
use anyhow::{Context, Result};
use report::steps;
use serde_json::{Value, json};
use sinew::{Character, Clip};
use sinew_batch::steps::clean::{Clean, CleanClip, Cleaned};
use sinew_io::Import;
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
    #[command(flatten)]
    clean: Clean,
    /// Draw feet and jerk before and after, of the first clean clip. With several inputs, {name} stands for the name
    #[arg(long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["svg"]))]
    plot: Option<PathBuf>,
    /// Print the steps, and the measures before and after, as JSON
    #[arg(long)]
    json: bool,
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
    let mut notes = Vec::new();
    let done = arguments.clean.run(&mut import, &name(), &mut notes);
    notes.iter().for_each(|note| files::print_message(note));
    let done = done.with_context(name)?;
    let first = &done.clips[0];
    write(&output, &import, first.index).with_context(name)?;
    let character = &import.character;
    if let Some(plot) = &arguments.plot {
        let clip = &character.clips[first.index];
        draw(&several::output(plot, input), &name(), clip, first)?;
    }
    let text = if arguments.json {
        several::json(input, &document(character, &done))?
    } else {
        done.clips
            .iter()
            .map(|clip| describe(character, clip))
            .collect::<Vec<_>>()
            .join("\n")
    };
    outputs::report(&output, &text)
}

fn write(output: &Path, import: &Import, first: usize) -> Result<()> {
    if files::extension(output) == "bvh" {
        return outputs::bvh(output, import, Some(first));
    }
    let what = outputs::contents(&import.character);
    outputs::character(output, &what, &import.character, import.source.as_ref())?;
    Ok(())
}

fn draw(path: &Path, name: &str, clip: &Clip, done: &CleanClip) -> Result<()> {
    let title = format!("{name}: {}", clip.name);
    let drawing = picture::draw(&title, Some(&done.before), &done.after);
    outputs::write(path, "feet and jerk, before and after", |out| {
        out.write_all(drawing.as_bytes())
    })
}

fn describe(character: &Character, done: &CleanClip) -> String {
    let lines = report::lines(&done.steps);
    let title = files::one_line(&character.clips[done.index].name).into_owned();
    let table = text::describe(
        &character.skeleton,
        &[("before", &done.before), ("after", &done.after)],
    );
    format!("clip       \"{title}\"\n{lines}{table}")
}

fn document(character: &Character, done: &Cleaned) -> Value {
    let skeleton = &character.skeleton;
    let clip = |clip: &CleanClip| {
        json!({
            "name": character.clips[clip.index].name,
            "number": clip.index,
            "steps": steps(&clip.steps),
            "before": json::document(skeleton, &clip.before),
            "after": json::document(skeleton, &clip.after),
        })
    };
    json!({
        "format": "sinew-clean/1",
        "first_frame_left_out": done.left_out,
        "clips": done.clips.iter().map(clip).collect::<Vec<_>>(),
    })
}
