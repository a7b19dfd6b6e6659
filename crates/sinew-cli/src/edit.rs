//! `sinew edit`: runs a script of edits on a character.

use crate::files::{self, counted};
use crate::units::{self, Scale};
use crate::{outputs, usage};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use sinew_edit::{Edit, Editor, LayerEdit, Report, read_script};
use sinew_io::Import;
use sinew_pack::{PackOptions, pack_file};
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// The character: a glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input
    input: PathBuf,
    /// The output: .glb, .gltf with embedded buffer, .vrm for an avatar, .bvh (joints and one clip), or .sinew (packed
    /// clips within 0.1 mm); - writes GLB to standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["glb", "gltf", "vrm", "bvh", "sinew"]))]
    output: PathBuf,
    /// Allow the output to replace the input
    #[arg(long)]
    overwrite: bool,
    /// The clip to write to a .bvh, by name or number. Default: the first clip
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// The edits: a JSON list, or one edit per line as the viewer's journal has them; - for standard input. Can be
    /// repeated
    #[arg(long, value_name = "EDITS.json")]
    script: Vec<PathBuf>,
    /// One edit as JSON, run after the scripts, like `{"do": "reverse_clip", "clip": "walk"}`; can be repeated
    #[arg(long, value_name = "JSON")]
    edit: Vec<String>,
    /// Make the result of layers the motion of their clips
    #[arg(long)]
    flatten: bool,
    /// Print what each edit changed as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    format: &'static str,
    edits: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(rename = "do")]
    name: String,
    #[serde(flatten)]
    report: Report,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.json && files::is_standard(&arguments.output) {
        let message = "--json and the file cannot both go to standard output";
        return Err(usage::wrong(message));
    }
    if arguments.clip.is_some() && files::extension(&arguments.output) != "bvh" {
        return Err(usage::wrong("--clip is for .bvh files"));
    }
    check_overwrite(arguments)?;
    outputs::check(&arguments.output)?;
    let edits = edits(arguments)?;
    if edits.is_empty() && !arguments.flatten {
        return Err(usage::wrong(
            "nothing to do: add --script EDITS.json or --edit JSON; docs/edit.md lists the edits",
        ));
    }
    let mut import = files::load(&arguments.input)?;
    let mut editor = Editor::new(import.character.clone());
    let mut rows = Vec::new();
    for (number, edit) in edits.into_iter().enumerate() {
        let name = edit.name();
        let number = number + 1;
        let report = editor
            .run(edit)
            .with_context(|| format!("{}: edit {number}", files::name(&arguments.input)))?;
        rows.push(Row {
            name,
            report: report.clone(),
        });
    }
    let layered = editor.document().motions().iter().enumerate();
    let layered = layered.filter(|(_, motion)| arguments.flatten && motion.layers.is_some());
    let layered: Vec<usize> = layered.map(|(clip, _)| clip).collect();
    for clip in layered {
        editor.run(LayerEdit::Flatten { clip: clip.into() })?;
    }
    if !editor.document().pose().is_empty() {
        files::print_message(&format!(
            "{} posed and not keyed: the pose is not in the file; `key_pose` keys it",
            counted(editor.document().pose().len(), "joint")
        ));
    }
    for row in &rows {
        let residual = row.report.residual;
        let residual = residual.map(|by| format!("; missed by {by:.4}"));
        let limits = match row.report.at_limits.as_slice() {
            [] => String::new(),
            names => format!("; at their limits: {}", names.join(", ")),
        };
        files::print_message(&format!(
            "{}: {}{}{limits}",
            row.name,
            row.report.text,
            residual.unwrap_or_default()
        ));
    }
    import.character = editor.document().character();
    write(arguments, &import)?;
    if !arguments.json {
        return Ok(());
    }
    let document = Document {
        format: "sinew-edit/1",
        edits: rows,
    };
    outputs::print(&format!("{}\n", serde_json::to_string_pretty(&document)?))
}

/// Refuses to replace the input unasked.
fn check_overwrite(arguments: &Arguments) -> Result<()> {
    let whole = |path: &Path| path.canonicalize().ok();
    let input = whole(&arguments.input);
    if arguments.overwrite || input.is_none() || input != whole(&arguments.output) {
        return Ok(());
    }
    bail!(
        "{} is the input; name another output, or add --overwrite",
        arguments.output.display()
    )
}

/// Writes the character in the format of the extension.
fn write(arguments: &Arguments, import: &Import) -> Result<()> {
    let (output, character) = (&arguments.output, &import.character);
    let extension = files::extension(output);
    if !["bvh", "sinew"].contains(&extension.as_str()) {
        let what = outputs::contents(character);
        outputs::character(output, &what, character, import.source.as_ref())?;
        return Ok(());
    }
    if !character.layers.is_empty() {
        files::print_message(&format!(
            "layers of {} are flattened; only .glb, .gltf and .vrm keep them",
            counted(character.layers.len(), "clip")
        ));
    }
    let name = || files::name(&arguments.input);
    if extension == "sinew" {
        return write_packed(arguments, import).with_context(name);
    }
    let clip = arguments.clip.as_ref();
    let clip = clip.map(|clip| files::find_clip(character, clip));
    let clip = clip.transpose().with_context(name)?;
    outputs::bvh(output, import, clip).with_context(name)
}

/// Packs all clips as `sinew compress` does by default.
fn write_packed(arguments: &Arguments, import: &Import) -> Result<()> {
    let character = &import.character;
    if character.clips.is_empty() {
        bail!("there are no clips to pack");
    }
    let (scale, note) = units::metres(Scale::Auto, import, &files::name(&arguments.input));
    note.iter().for_each(|note| files::print_message(note));
    let options = PackOptions::max_error_m((1e-4 / scale) as f32).shell((0.03 / scale) as f32);
    let bytes = pack_file(&character.skeleton, &character.clips, &options)?;
    let what = counted(character.clips.len(), "packed clip");
    outputs::write(&arguments.output, &what, |out| out.write_all(&bytes))
}

fn edits(arguments: &Arguments) -> Result<Vec<Edit>> {
    let mut edits = Vec::new();
    for script in &arguments.script {
        if files::is_standard(script) && files::is_standard(&arguments.input) {
            bail!("the character and the script cannot both come from standard input");
        }
        let text = if files::is_standard(script) {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text)?;
            text
        } else {
            std::fs::read_to_string(script).with_context(|| files::name(script))?
        };
        edits.extend(read_script(&text).with_context(|| files::name(script))?);
    }
    for edit in &arguments.edit {
        edits.extend(read_script(edit).context("--edit")?);
    }
    Ok(edits)
}
