//! `sinew edit`: runs a script of edits on a character.

use crate::files::{self, counted};
use crate::{outputs, usage};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use sinew_edit::{Edit, Editor, Report, read_script};
use std::io::Read;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// The character: a glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input
    input: PathBuf,
    /// The output: .glb, .gltf with embedded buffer, or .vrm for an avatar; - writes GLB to standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    output: PathBuf,
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
    outputs::check(&arguments.output)?;
    let edits = edits(arguments)?;
    if edits.is_empty() && !arguments.flatten {
        return Err(usage::wrong(
            "nothing to do: add --script EDITS.json or --edit JSON; docs/edit.md lists the edits",
        ));
    }
    let import = files::load(&arguments.input)?;
    let mut editor = Editor::new(import.character);
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
        editor.run(Edit::Flatten { clip: clip.into() })?;
    }
    if !editor.document().pose().is_empty() {
        files::print_message(&format!(
            "{} posed and not keyed: the pose is not in the file; `key_pose` keys it",
            counted(editor.document().pose().len(), "joint")
        ));
    }
    for row in &rows {
        let limits = match row.report.at_limits.as_slice() {
            [] => String::new(),
            names => format!("; at their limits: {}", names.join(", ")),
        };
        files::print_message(&format!("{}: {}{limits}", row.name, row.report.text));
    }
    let character = editor.document().character();
    let what = outputs::contents(&character);
    outputs::character(&arguments.output, &what, &character, import.source.as_ref())?;
    if !arguments.json {
        return Ok(());
    }
    let document = Document {
        format: "sinew-edit/1",
        edits: rows,
    };
    outputs::print(&format!("{}\n", serde_json::to_string_pretty(&document)?))
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
