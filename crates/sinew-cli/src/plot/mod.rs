//! `sinew plot`: draws the channels of a clip over time, one per row, with curves and events below.

mod rows;
mod svg;

use crate::sample::{self, EventAt};
use crate::usage::wrong;
use crate::{files, outputs};
use anyhow::{Context, Result, bail};
use rows::{Row, rows};
use serde::Serialize;
use std::path::PathBuf;
pub use svg::escaped;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH or .sinew file with a clip, or - for standard input
    input: PathBuf,
    /// The output: .svg, or - for standard output (default)
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["svg"]))]
    output: Option<PathBuf>,
    /// The clip, by name or number
    #[arg(long, value_name = "CLIP", default_value = "0")]
    clip: String,
    /// Draw only these joints, given by name and separated by commas. Curves and events are always drawn
    #[arg(long, value_name = "JOINTS", value_delimiter = ',')]
    joints: Vec<String>,
    /// Leave out channels that do not change
    #[arg(long)]
    moving: bool,
    /// Print the rows of the drawing as JSON; requires an output file
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    format: &'static str,
    clip: &'a str,
    duration_secs: f32,
    rows: &'a [Row],
    events: Vec<EventAt<'a>>,
    still: usize,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let standard = PathBuf::from("-");
    let output = arguments.output.as_ref().unwrap_or(&standard);
    if arguments.json && files::is_standard(output) {
        return Err(wrong("--json needs a file for the drawing: -o FILE"));
    }
    outputs::check(output)?;
    let import = files::load(&arguments.input)?;
    let character = &import.character;
    let name = || files::name(&arguments.input);
    let clip = files::find_clip(character, &arguments.clip).with_context(name)?;
    let clip = &character.clips[clip];
    let find = |joint: &String| files::find_joint(&character.skeleton, joint);
    let joints: Vec<usize> = arguments
        .joints
        .iter()
        .map(find)
        .collect::<Result<_>>()
        .with_context(name)?;
    let mut rows = rows(character, clip, &joints);
    let cut = rows.iter().filter(|row| row.is_cut).count();
    if cut > 0 {
        files::print_message(&format!(
            "{}: values of {} that are not finite are left out",
            name(),
            files::counted(cut, "channel")
        ));
    }
    rows.retain(|row| !row.line.is_empty());
    let all = rows.len();
    if arguments.moving {
        rows.retain(|row| row.max > row.min);
    }
    if rows.is_empty() && clip.events.is_empty() {
        bail!("{}: clip \"{}\" has nothing to draw", name(), clip.name);
    }
    let still = all - rows.len();
    if still > 0 {
        files::print_message(&format!(
            "{} left out, because the value does not change",
            files::counted(still, "channel")
        ));
    }
    let title = format!("{}: {}", short_name(&arguments.input), clip.name);
    let drawing = svg::draw(&title, clip, &rows);
    let what = format!(
        "{} and {} of \"{}\"",
        files::counted(rows.len(), "channel"),
        files::counted(clip.events.len(), "event"),
        clip.name
    );
    outputs::write(output, &what, |out| out.write_all(drawing.as_bytes()))?;
    if !arguments.json {
        return Ok(());
    }
    let document = Document {
        format: "sinew-plot/1",
        clip: &clip.name,
        duration_secs: clip.duration_secs,
        rows: &rows,
        events: sample::events(clip),
        still,
    };
    outputs::print(&format!("{}\n", serde_json::to_string_pretty(&document)?))
}

fn short_name(path: &std::path::Path) -> String {
    if files::is_standard(path) {
        return files::name(path);
    }
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
