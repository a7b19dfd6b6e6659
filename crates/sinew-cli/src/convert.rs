//! `sinew convert`: writes a character to another format.

use crate::shown::ShownOption;
use crate::{files, outputs, several, usage};
use anyhow::{Context, Result};
use serde::Serialize;
use sinew_batch::steps::convert::Convert;
use sinew_io::gltf::Export;
use sinew_io::{FileReport, Import};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input
    input: PathBuf,
    /// The output: .glb, .gltf with embedded buffer, .vrm for an avatar, .bvh (joints and one clip), or .html (a page that
    /// shows the character in a browser, with everything inside it); - writes GLB to standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["glb", "gltf", "vrm", "bvh", "html"]))]
    output: PathBuf,
    /// The page of the viewer for an .html output. Default: viewer.html beside the program, or what `make web` built
    #[arg(long, value_name = "FILE")]
    viewer: Option<PathBuf>,
    #[command(flatten)]
    convert: Convert,
    #[command(flatten)]
    shown: ShownOption,
    /// Print a report as JSON: the contents of the output, and findings about data that could not be written unchanged
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    joints: usize,
    meshes: usize,
    clips: usize,
    /// BVH only.
    #[serde(skip_serializing_if = "Option::is_none")]
    frames: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frame_secs: Option<f64>,
    findings: Vec<files::FindingInfo>,
    more_findings: u64,
    notes: Vec<String>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let output = &arguments.output;
    if arguments.json && files::is_standard(output) {
        let message = "--json and the file cannot both go to standard output";
        return Err(usage::wrong(message));
    }
    let is_bvh = files::extension(output) == "bvh";
    arguments
        .convert
        .check(&files::extension(output))
        .map_err(usage::wrong)?;
    let is_page = files::extension(output) == "html";
    if arguments.viewer.is_some() && !is_page {
        return Err(usage::wrong("--viewer is for .html files"));
    }
    outputs::check(output)?;
    let viewer = if is_page {
        Some(viewer_page(arguments.viewer.as_deref())?)
    } else {
        None
    };
    let mut import = files::load(&arguments.input)?;
    let name = files::name(&arguments.input);
    let shown = arguments.shown.apply(&mut import.character);
    shown.with_context(|| name.clone())?;
    let mut notes = Vec::new();
    let convert = &arguments.convert;
    convert.scale(&mut import, is_bvh, &name, &mut notes)?;
    notes.iter().for_each(|note| files::print_message(note));
    let character = &import.character;
    let mut report = Report {
        joints: character.skeleton.len(),
        meshes: outputs::meshes(character),
        clips: character.clips.len(),
        frames: None,
        frame_secs: None,
        findings: Vec::new(),
        more_findings: 0,
        notes,
    };
    let findings = if is_bvh {
        write_bvh(arguments, &import, &mut report)?
    } else {
        let export = convert.gltf(&import)?;
        let contents = outputs::contents(character);
        match viewer {
            Some(viewer) => write_page(arguments, &export, &viewer, &contents)?,
            None => outputs::exported(output, &contents, &export)?,
        }
        export.report
    };
    if arguments.json {
        report.findings = files::findings(&findings);
        report.more_findings = findings.omitted();
        outputs::print(&format!("{}\n", serde_json::to_string_pretty(&report)?))?;
    }
    Ok(())
}

/// Text of the page of the viewer.
fn viewer_page(given: Option<&Path>) -> Result<String> {
    let beside = |path: &str| {
        let program = std::env::current_exe().ok()?.canonicalize().ok()?;
        Some(program.parent()?.join(path))
    };
    let found = match given {
        Some(path) => path.to_owned(),
        None => ["viewer.html", "../../web/dist/viewer.html"]
            .into_iter()
            .filter_map(beside)
            .find(|path| path.is_file())
            .context(
                "a page needs viewer.html, which is in the archive of the program; `make web` builds it from source, \
                 and --viewer FILE names it",
            )?,
    };
    let name = found.display().to_string();
    std::fs::read_to_string(&found).with_context(|| format!("cannot read {name}"))
}

fn write_page(arguments: &Arguments, export: &Export, viewer: &str, contents: &str) -> Result<()> {
    files::print_findings(&export.report);
    let name = match files::is_standard(&arguments.input) {
        true => "character.glb".to_owned(),
        false => several::named("{name}.glb", &arguments.input),
    };
    let page = export.to_page(viewer, &name)?;
    outputs::write(&arguments.output, contents, |out| {
        out.write_all(page.as_bytes())
    })
}

fn write_bvh(arguments: &Arguments, import: &Import, report: &mut Report) -> Result<FileReport> {
    let character = &import.character;
    let name = || files::name(&arguments.input);
    let convert = &arguments.convert;
    let clip = convert.index(import).with_context(name)?;
    let export = convert.bvh(import, clip).with_context(name)?;
    files::print_findings(&export.report);
    report.meshes = 0;
    report.clips = character.clips.len().min(1);
    report.frames = Some(export.frames);
    report.frame_secs = Some(export.frame_secs);
    let frames = files::counted(export.frames, "frame");
    let what = format!("{}, {frames}", files::counted(report.joints, "joint"));
    outputs::write(&arguments.output, &what, |out| {
        out.write_all(export.text.as_bytes())
    })?;
    Ok(export.report)
}
