//! `sinew clip`: edits clips, and copies clips from other files.

use crate::files::{self, counted};
use crate::{outputs, usage};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use sinew_batch::steps::clip::{ClipRow, EditClips};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// The character: a glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input. The clips of
    /// further files are added, as with --take
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// The output: .glb, .gltf with embedded buffer, or .vrm for an avatar; - writes GLB to standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    output: PathBuf,
    #[command(flatten)]
    edits: EditClips,
    /// Print the edited clips as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    format: &'static str,
    clips: Vec<ClipRow>,
    notes: Vec<String>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.json && files::is_standard(&arguments.output) {
        let message = "--json and the file cannot both go to standard output";
        return Err(usage::wrong(message));
    }
    outputs::check(&arguments.output)?;
    let Some((input, others)) = arguments.inputs.split_first() else {
        bail!("there is no file to edit");
    };
    let mut import = files::load(input)?;
    let name = || files::name(input);
    if others.is_empty() && !arguments.edits.changes() {
        for clip in &arguments.edits.clip {
            files::find_clip(&import.character, clip).with_context(name)?;
        }
        return Err(usage::wrong(
            "nothing to do: add an edit, such as --trim 0.2..1.4, --clip CLIP --only or --take FILE; `sinew convert` writes \
             the file unchanged",
        ));
    }
    let text = |path: &Path| {
        let text = std::fs::read_to_string(path);
        text.with_context(|| format!("{}: {}", files::name(input), files::name(path)))
    };
    let editing = arguments.edits.editing(others, files::load, text)?;
    let mut notes = Vec::new();
    let rows = editing.run(&mut import, &mut notes).with_context(name)?;
    notes.iter().for_each(|note| files::print_message(note));
    for clip in &rows {
        files::print_message(&format!(
            "clip \"{}\": {:.3} s, {}, {}",
            clip.name,
            clip.duration_secs,
            counted(clip.tracks, "track"),
            counted(clip.events, "event"),
        ));
    }
    let character = &import.character;
    let what = outputs::contents(character);
    outputs::character(&arguments.output, &what, character, import.source.as_ref())?;
    if !arguments.json {
        return Ok(());
    }
    let document = Document {
        format: "sinew-clip/1",
        clips: rows,
        notes,
    };
    outputs::print(&format!("{}\n", serde_json::to_string_pretty(&document)?))
}
