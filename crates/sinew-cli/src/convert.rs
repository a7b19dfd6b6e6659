//! `sinew convert`: writes a character to another format.

use crate::units::{self, ScaleOption};
use crate::{files, outputs, usage};
use anyhow::{Context, Result};
use serde::Serialize;
use sinew_io::bvh::{self, BvhOptions, MovedOffsets};
use sinew_io::gltf::{self, ExportOptions};
use sinew_io::{FileReport, Format, Import};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input
    input: PathBuf,
    /// The output: .glb, .gltf with embedded buffer, .vrm for an avatar, or .bvh (joints and one clip); - writes GLB to
    /// standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["glb", "gltf", "vrm", "bvh"]))]
    output: PathBuf,
    #[command(flatten)]
    unit: ScaleOption,
    /// The clip to write to a .bvh, by name or number. Default: the first clip
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// Frames per second of a .bvh. Default: the rate of the keys of the clip, or 60 if they are not evenly spaced
    #[arg(long, value_name = "RATE", allow_negative_numbers = true, value_parser = files::rate)]
    fps: Option<f64>,
    /// The OFFSET of joints with position channels in a .bvh. `zero`: all programs show the same motion, although
    /// three.js adds positions to offsets and other programs replace offsets. `rest`: the rest positions. Default:
    /// `rest` if the input is a .bvh, otherwise `zero`
    #[arg(long, value_enum, value_name = "WHICH")]
    offsets: Option<Offsets>,
    /// Compress meshes and clips of a .glb, .gltf or .vrm with `EXT_meshopt_compression`. Positions are rounded to
    /// 2^-14 of the size of the mesh, texture coordinates to 2^-12, normals and weights to 8 bits, rotations to 12
    /// bits. Tracks that keep joints at rest are removed
    #[arg(long, value_enum, value_name = "HOW")]
    compress: Option<Compression>,
    /// Print a report as JSON: the contents of the output, and findings about data that could not be written unchanged
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Offsets {
    Zero,
    Rest,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Compression {
    Meshopt,
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
    if !is_bvh
        && (arguments.clip.is_some() || arguments.fps.is_some() || arguments.offsets.is_some())
    {
        return Err(usage::wrong(
            "--clip, --fps and --offsets are for .bvh files",
        ));
    }
    if is_bvh && arguments.compress.is_some() {
        return Err(usage::wrong("--compress is for .glb, .gltf and .vrm files"));
    }
    outputs::check(output)?;
    let mut import = files::load(&arguments.input)?;
    let name = files::name(&arguments.input);
    let mut notes = units::apply(arguments.unit.scale, &mut import, &name)?;
    // BVH has no unit. glTF is in metres.
    if !is_bvh {
        notes.extend(units::doubt(&import, 1.0, &name));
    }
    notes.iter().for_each(|note| files::print_message(note));
    let character = &import.character;
    let mut report = Report {
        joints: character.skeleton.len(),
        meshes: character.meshes.len(),
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
        let source = import.source.as_ref();
        let mut export = gltf::export(character, &ExportOptions::new().source(source))?;
        if let Some(Compression::Meshopt) = arguments.compress {
            export = export.compressed()?;
        }
        outputs::exported(output, &outputs::contents(character), &export)?;
        export.report
    };
    if arguments.json {
        report.findings = files::findings(&findings);
        report.more_findings = findings.omitted();
        outputs::print(&format!("{}\n", serde_json::to_string_pretty(&report)?))?;
    }
    Ok(())
}

fn write_bvh(arguments: &Arguments, import: &Import, report: &mut Report) -> Result<FileReport> {
    let character = &import.character;
    let name = || files::name(&arguments.input);
    let clip = match &arguments.clip {
        Some(clip) => Some(files::find_clip(character, clip).with_context(name)?),
        None => None,
    };
    let offsets = match (arguments.offsets, import.format) {
        (Some(Offsets::Rest), _) | (None, Some(Format::Bvh)) => MovedOffsets::Rest,
        _ => MovedOffsets::Zero,
    };
    let options = BvhOptions::new()
        .clip(clip)
        .fps(arguments.fps)
        .offsets(offsets);
    let export = bvh::export(character, &options).with_context(name)?;
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
