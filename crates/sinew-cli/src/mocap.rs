//! `sinew mocap`: from markers to a character that moves.

use crate::files::{self, counted};
use crate::progress::progress;
use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};
use sinew::Character;
use sinew_io::c3d;
use sinew_io::gltf::{self, ExportOptions};
use sinew_rig::mannequin::Mannequin;
use sinew_rig::mocap::{Capture, Fit, FitReport, Gap, Marker, MarkerSet, Trial};
use std::fmt::Write as _;
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// A C3D file with moving markers, or - for standard input
    input: PathBuf,
    /// Who moves: mannequin, or a file with a character that has the joints of the marker set
    #[arg(long, value_name = "CHARACTER", default_value = "mannequin")]
    onto: PathBuf,
    /// Which marker sits where on which joint, as JSON; without it, Plug-in Gait and plates on the mannequin
    #[arg(long, value_name = "FILE")]
    markers: Option<PathBuf>,
    /// A C3D file of the subject standing still, for its size
    #[arg(long = "static", value_name = "FILE")]
    still: Option<PathBuf>,
    /// Make bones of the left and the right side equally long
    #[arg(long)]
    symmetric: bool,
    /// Where to: .glb, or .gltf with its buffer inside; - for GLB on standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["glb", "gltf"]))]
    output: PathBuf,
    /// Write the markers as they sit on the subject, to edit and to use as --markers
    #[arg(long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["json"]))]
    save_markers: Option<PathBuf>,
    /// List every marker, bone and gap
    #[arg(long)]
    report: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

const MARKERS_FORMAT: &str = "sinew-markers/1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkerFile {
    format: String,
    markers: Vec<MarkerLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkerLine {
    label: String,
    joint: String,
    /// In the joint's frame, in metres.
    offset: [f32; 3],
}

#[derive(Serialize)]
struct Summary<'a> {
    frames: usize,
    rate_hz: f64,
    rms_mm: f64,
    worst_frame: usize,
    worst_frame_rms_mm: f64,
    markers: Vec<MarkerInfo<'a>>,
    unknown_labels: &'a [String],
    impossible_sightings: usize,
    carried: Vec<CarriedInfo<'a>>,
    bones: Vec<BoneInfo<'a>>,
    frame_rms_mm: Vec<f64>,
}

#[derive(Serialize)]
struct MarkerInfo<'a> {
    label: &'a str,
    joint: &'a str,
    rms_mm: f64,
    max_mm: f64,
    /// First frame and number of frames.
    gaps: Vec<[usize; 2]>,
}

#[derive(Serialize)]
struct CarriedInfo<'a> {
    joint: &'a str,
    first_frame: usize,
    frames: usize,
}

#[derive(Serialize)]
struct BoneInfo<'a> {
    joint: &'a str,
    length_mm: f64,
    of_template: f64,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.json && files::is_standard(&arguments.output) {
        let message = "--json and the file cannot both go to standard output";
        return Err(clap::Error::raw(clap::error::ErrorKind::ArgumentConflict, message).into());
    }
    let trial = load_trial(&arguments.input)?;
    let still = arguments.still.as_deref().map(load_trial).transpose()?;
    let set = match &arguments.markers {
        Some(path) => load_markers(path)?,
        None => MarkerSet::standard(),
    };
    let (mut character, source) = match arguments.onto.to_str() {
        Some("mannequin") => (Mannequin::default().build(), None),
        _ => {
            let import = files::load(&arguments.onto)?;
            (import.character, import.source)
        }
    };
    let capture = Capture {
        still: still.as_ref(),
        symmetric: arguments.symmetric,
        ..Capture::new(&character.skeleton, &set, &trial)
    };
    let bar = progress(trial.frames() as u64);
    let fit = capture.fit(|frames| bar.set_position(frames as u64));
    bar.finish_and_clear();
    let fit = fit.with_context(|| files::name(&arguments.input))?;
    put_on(&fit, &arguments.input, &mut character)?;

    let options = ExportOptions {
        source: source.as_ref(),
    };
    let export = gltf::export(&character, &options)?;
    files::say_findings(&export.report);
    let bytes = match files::extension(&arguments.output).as_str() {
        "gltf" => export.to_gltf()?.into_bytes(),
        _ => export.to_glb()?,
    };
    files::write(&arguments.output, |out| out.write_all(&bytes))?;
    if let Some(path) = &arguments.save_markers {
        save_markers(path, &fit.markers)?;
    }
    let summary = summary(&trial, &fit.report);
    let text = match arguments.json {
        true => format!("{}\n", serde_json::to_string_pretty(&summary)?),
        false => describe(&summary, arguments.report)?,
    };
    // The file itself may have gone to standard output.
    if files::is_standard(&arguments.output) {
        files::say(text.trim_end());
        return Ok(());
    }
    files::write("-".as_ref(), |out| out.write_all(text.as_bytes()))
}

/// The motion is the character's only clip, named after the file.
fn put_on(fit: &Fit, input: &Path, character: &mut Character) -> Result<()> {
    let mut clip = fit.onto(&character.skeleton)?;
    if let Some(name) = input.file_stem().filter(|_| !files::is_standard(input)) {
        clip.name = name.to_string_lossy().into_owned();
    }
    character.clips = vec![clip];
    Ok(())
}

fn load_trial(path: &Path) -> Result<Trial> {
    let import = match files::is_standard(path) {
        true => {
            let mut bytes = Vec::new();
            let read = std::io::stdin().lock().read_to_end(&mut bytes);
            read.context("cannot read standard input")?;
            c3d::import_bytes(&bytes)
        }
        false => c3d::import(path),
    };
    let import = import.map_err(|error| match error {
        // Names the file itself.
        c3d::ImportError::Io { .. } => anyhow!(error),
        _ => anyhow!(error).context(files::name(path)),
    })?;
    files::say_findings(&import.report);
    Ok(import.trial)
}

fn load_markers(path: &Path) -> Result<MarkerSet> {
    let name = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", name()))?;
    let file: MarkerFile = serde_json::from_str(&text).with_context(name)?;
    if file.format != MARKERS_FORMAT {
        return Err(anyhow!(
            "{}: the format is \"{}\" and should be \"{MARKERS_FORMAT}\"",
            name(),
            file.format
        ));
    }
    let markers = file.markers.into_iter().map(|line| Marker {
        label: line.label,
        joint: line.joint,
        offset: line.offset.into(),
    });
    Ok(MarkerSet {
        markers: markers.collect(),
    })
}

fn save_markers(path: &Path, set: &MarkerSet) -> Result<()> {
    let lines = set.markers.iter().map(|m| MarkerLine {
        label: m.label.clone(),
        joint: m.joint.clone(),
        offset: m.offset.to_array(),
    });
    let file = MarkerFile {
        format: MARKERS_FORMAT.to_owned(),
        markers: lines.collect(),
    };
    let text = serde_json::to_string_pretty(&file)?;
    files::write(path, |out| writeln!(out, "{text}"))
}

fn summary<'a>(trial: &Trial, report: &'a FitReport) -> Summary<'a> {
    let millimetres = |metres: f64| 1e3 * metres;
    let frames = report.frame_rms_m.iter().enumerate();
    let worst = frames.max_by(|a, b| a.1.total_cmp(b.1));
    let (worst_frame, worst_rms) = worst.map_or((0, 0.0), |(frame, &rms)| (frame, rms));
    let gap = |gap: &Gap| [gap.first_frame, gap.frames];
    Summary {
        frames: trial.frames(),
        rate_hz: trial.rate_hz,
        rms_mm: millimetres(report.rms_m),
        worst_frame,
        worst_frame_rms_mm: millimetres(worst_rms),
        markers: (report.markers.iter())
            .map(|m| MarkerInfo {
                label: &m.label,
                joint: &m.joint,
                rms_mm: millimetres(m.rms_m),
                max_mm: millimetres(m.max_m),
                gaps: m.gaps.iter().map(gap).collect(),
            })
            .collect(),
        unknown_labels: &report.unknown_labels,
        impossible_sightings: report.impossible_sightings,
        carried: (report.carried.iter())
            .map(|c| CarriedInfo {
                joint: &c.joint,
                first_frame: c.gap.first_frame,
                frames: c.gap.frames,
            })
            .collect(),
        bones: (report.bones.iter())
            .map(|b| BoneInfo {
                joint: &b.joint,
                length_mm: millimetres(b.length_m),
                of_template: b.of_template,
            })
            .collect(),
        frame_rms_mm: report.frame_rms_m.iter().map(|&m| millimetres(m)).collect(),
    }
}

fn describe(summary: &Summary<'_>, everything: bool) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let gaps: usize = summary.markers.iter().map(|m| m.gaps.len()).sum();
    writeln!(
        text,
        "{} at {} a second, {}; off by {:.1} mm (root mean square), {:.1} mm in the worst frame ({})",
        counted(summary.frames, "frame"),
        summary.rate_hz,
        counted(summary.markers.len(), "marker"),
        summary.rms_mm,
        summary.worst_frame_rms_mm,
        summary.worst_frame,
    )?;
    writeln!(
        text,
        "{} filled; {} without enough markers, drawn from the frames around",
        counted(gaps, "gap"),
        counted(summary.carried.len(), "joint"),
    )?;
    if !summary.unknown_labels.is_empty() {
        writeln!(
            text,
            "labels that the marker set does not have: {}",
            summary.unknown_labels.join(", ")
        )?;
    }
    if summary.impossible_sightings > 0 {
        writeln!(
            text,
            "{} left out: no numbers, or over a kilometre away",
            counted(summary.impossible_sightings, "sighting")
        )?;
    }
    if !everything {
        return Ok(text);
    }
    writeln!(
        text,
        "\n{:<20} {:<18} {:>8} {:>8}  gaps",
        "marker", "joint", "mm", "most"
    )?;
    for m in &summary.markers {
        let gaps: Vec<String> = (m.gaps.iter())
            .map(|[first, frames]| format!("{first}–{}", first + frames - 1))
            .collect();
        writeln!(
            text,
            "{:<20} {:<18} {:>8.2} {:>8.2}  {}",
            m.label,
            m.joint,
            m.rms_mm,
            m.max_mm,
            gaps.join(", ")
        )?;
    }
    writeln!(text, "\n{:<20} {:>8} {:>10}", "bone to", "mm", "template")?;
    for b in &summary.bones {
        let percent = 100.0 * b.of_template;
        writeln!(
            text,
            "{:<20} {:>8.1} {percent:>8.1} %",
            b.joint, b.length_mm
        )?;
    }
    for c in &summary.carried {
        let last = c.first_frame + c.frames - 1;
        writeln!(
            text,
            "carried: {}, frames {}–{last}",
            c.joint, c.first_frame
        )?;
    }
    Ok(text)
}
