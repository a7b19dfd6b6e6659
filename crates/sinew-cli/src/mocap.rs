//! `sinew mocap`: converts markers to an animated character.

use crate::files::{self, counted};
use crate::progress::Bar;
use crate::{outputs, usage};
use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use sinew_batch::StepError;
use sinew_batch::steps::markers::{markers_text, read_markers};
use sinew_batch::steps::mocap::{Captured, Capturer, Mocap, figure};
use sinew_io::c3d;
use sinew_rig::mocap::{FitReport, Gap, MarkerSet, Progress, Trial};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// A C3D file with moving markers, or - for standard input
    input: PathBuf,
    #[command(flatten)]
    mocap: Mocap,
    /// The output: .glb, .gltf with embedded buffer, or .vrm for an avatar; - writes GLB to standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    output: PathBuf,
    /// Write the marker set, fitted to the subject, to this JSON file, which --markers can read
    #[arg(long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["json"]))]
    save_markers: Option<PathBuf>,
    /// Add every marker, bone length and gap to the report
    #[arg(long)]
    report: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary<'a> {
    frames: usize,
    rate_hz: f64,
    rms_mm: f64,
    worst_frame: usize,
    worst_frame_rms_mm: f64,
    markers: Vec<MarkerInfo<'a>>,
    /// Labels that are not in the marker set: unnamed markers, points computed from markers, and others.
    unlabelled: Vec<&'a str>,
    not_markers: Vec<&'a str>,
    unknown_labels: Vec<&'a str>,
    impossible_sightings: usize,
    analog_samples: usize,
    events: usize,
    findings: Vec<files::FindingInfo>,
    more_findings: u64,
    static_findings: Vec<files::FindingInfo>,
    more_static_findings: u64,
    carried: Vec<CarriedInfo<'a>>,
    /// True if the character has other joints than the marker set, so that the motion was retargeted.
    retargeted: bool,
    /// Size of the subject relative to the template.
    size: f64,
    bones: Vec<BoneInfo<'a>>,
    frame_rms_mm: Vec<f64>,
}

#[derive(Serialize)]
struct MarkerInfo<'a> {
    label: &'a str,
    joint: &'a str,
    rms_mm: f64,
    max_mm: f64,
    /// First frame and number of frames of each gap.
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
    /// Fraction of the length that the markers determine, in [0, 1].
    determined: f64,
    /// "motion" if the markers determine more than 75 % of the length, otherwise "template".
    from: &'static str,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.json && files::is_standard(&arguments.output) {
        let message = "--json and the file cannot both go to standard output";
        return Err(usage::wrong(message));
    }
    for output in [Some(&arguments.output), arguments.save_markers.as_ref()] {
        output.map_or(Ok(()), |output| outputs::check(output))?;
    }
    let c3d::C3dImport {
        trial,
        not_markers,
        skipped,
        report,
    } = load_trial(&arguments.input)?;
    let options = &arguments.mocap;
    let still = options.still.as_deref().map(load_trial).transpose()?;
    let (still, still_report) = still.map(|import| (import.trial, import.report)).unzip();
    let markers = options.markers.as_deref().map(load_markers).transpose()?;
    let onto = match options.onto.to_str() {
        Some("mannequin") => figure(),
        _ => files::load(&options.onto)?,
    };
    let capturer = options.capturer(onto, markers, still);
    let stem = arguments.input.file_stem();
    let clip = stem.filter(|_| !files::is_standard(&arguments.input));
    let clip = clip.map(|name| name.to_string_lossy());
    let mut notes = Vec::new();
    let done = with_bars(&capturer, &trial, clip.as_deref(), &mut notes);
    let Captured {
        import,
        fit,
        retargeted,
    } = done.with_context(|| files::name(&arguments.input))?;
    files::print_findings(&report);
    still_report.iter().for_each(files::print_findings);
    notes.iter().for_each(|note| files::print_message(note));
    let clip = &import.character.clips[0];
    let what = format!(
        "clip \"{}\", {} in {:.2} s",
        clip.name,
        counted(trial.frames(), "frame"),
        clip.duration_secs
    );
    let source = import.source.as_ref();
    outputs::character(&arguments.output, &what, &import.character, source)?;
    if let Some(path) = &arguments.save_markers {
        let what = counted(fit.markers.markers.len(), "marker");
        let text = markers_text(&fit.markers);
        outputs::write(path, &what, |out| writeln!(out, "{text}"))?;
    }
    let mut summary = summary(&trial, &not_markers, &fit.report);
    summary.retargeted = retargeted;
    (summary.analog_samples, summary.events) = (skipped.analog_samples, skipped.events);
    (summary.findings, summary.more_findings) = (files::findings(&report), report.omitted());
    if let Some(still) = &still_report {
        summary.static_findings = files::findings(still);
        summary.more_static_findings = still.omitted();
    }
    let text = if arguments.json {
        format!("{}\n", serde_json::to_string_pretty(&summary)?)
    } else {
        describe(&summary, arguments.report)?
    };
    outputs::report(&arguments.output, &text)
}

fn with_bars(
    capturer: &Capturer,
    trial: &Trial,
    clip: Option<&str>,
    notes: &mut Vec<String>,
) -> Result<Captured, StepError> {
    let frames = trial.frames() as u64;
    let mut bar = Bar::percent();
    let mut sizes = true;
    let done = capturer.run(trial, clip, notes, |at| match at {
        Progress::Size(part) => bar.set(100.0 * part),
        Progress::Frames(done) => {
            if std::mem::take(&mut sizes) {
                bar = bar.then_frames(frames);
            }
            bar.set(done as f64);
        }
    });
    bar.clear();
    done
}

fn load_markers(path: &Path) -> Result<MarkerSet> {
    let name = path.display().to_string();
    let text = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
    Ok(read_markers(&text, &name)?)
}

fn load_trial(path: &Path) -> Result<c3d::C3dImport> {
    let import = if files::is_standard(path) {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.context("cannot read standard input")?;
        c3d::import_bytes(&bytes)
    } else {
        c3d::import(path)
    };
    import.map_err(|error| match error {
        // This error already names the file.
        c3d::C3dError::Io { .. } => anyhow!(error),
        _ => anyhow!(error).context(files::name(path)),
    })
}

/// True if a label is only a number: `*12` from Vicon, or `marker 12` from the importer.
fn is_unlabelled(label: &str) -> bool {
    let number = label.strip_prefix('*').or(label.strip_prefix("marker "));
    number.is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
}

fn summary<'a>(trial: &Trial, not_markers: &[String], report: &'a FitReport) -> Summary<'a> {
    let computed: HashSet<&str> = not_markers.iter().map(String::as_str).collect();
    let unknown = report.unknown_labels.iter().map(String::as_str);
    let (unlabelled, others): (Vec<_>, Vec<_>) = unknown.partition(|label| is_unlabelled(label));
    let (not_markers, unknown_labels) = others.into_iter().partition(|l| computed.contains(l));
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
        unlabelled,
        not_markers,
        unknown_labels,
        impossible_sightings: report.impossible_sightings,
        analog_samples: 0,
        events: 0,
        findings: Vec::new(),
        more_findings: 0,
        static_findings: Vec::new(),
        more_static_findings: 0,
        retargeted: false,
        carried: (report.carried.iter())
            .map(|c| CarriedInfo {
                joint: &c.joint,
                first_frame: c.gap.first_frame,
                frames: c.gap.frames,
            })
            .collect(),
        size: report.size,
        bones: (report.bones.iter())
            .map(|b| BoneInfo {
                joint: &b.joint,
                length_mm: millimetres(b.length_m),
                of_template: b.of_template,
                determined: b.determined,
                from: if b.is_determined() {
                    "motion"
                } else {
                    "template"
                },
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
        "{} at {} per second; error {:.1} mm (root mean square), {:.1} mm in the worst frame ({})",
        counted(summary.frames, "frame"),
        summary.rate_hz,
        summary.rms_mm,
        summary.worst_frame_rms_mm,
        summary.worst_frame,
    )?;
    write!(text, "{} used", counted(summary.markers.len(), "marker"))?;
    for (labels, what) in [
        (&summary.unlabelled, "unlabelled"),
        (&summary.not_markers, "not markers"),
        (&summary.unknown_labels, "not in the marker set"),
    ] {
        if !labels.is_empty() {
            write!(text, ", {} {what}", labels.len())?;
        }
    }
    writeln!(text)?;
    let determined = summary.bones.iter().filter(|b| b.from == "motion").count();
    writeln!(
        text,
        "{} determined by the motion, {} taken from the template at {:.0} % of its size",
        counted(determined, "bone length"),
        summary.bones.len() - determined,
        100.0 * summary.size
    )?;
    writeln!(
        text,
        "{} filled; {} without enough markers, whose rotations are interpolated from other frames",
        counted(gaps, "gap"),
        counted(summary.carried.len(), "joint"),
    )?;
    if !summary.unknown_labels.is_empty() {
        writeln!(
            text,
            "labels not in the marker set: {}",
            files::names(&summary.unknown_labels)
        )?;
    }
    if summary.impossible_sightings > 0 {
        writeln!(
            text,
            "{} left out: the position is not a number, or is over a kilometre away",
            counted(summary.impossible_sightings, "marker position")
        )?;
    }
    if !everything {
        return Ok(text);
    }
    writeln!(
        text,
        "\n{:<20} {:<18} {:>8} {:>8}  gaps",
        "marker", "joint", "mm", "max"
    )?;
    for m in &summary.markers {
        let gaps: Vec<String> = (m.gaps.iter())
            .map(|[first, frames]| format!("{first}–{}", first + frames - 1))
            .collect();
        writeln!(
            text,
            "{:<20} {:<18} {:>8.2} {:>8.2}  {}",
            files::one_line(m.label),
            files::one_line(m.joint),
            m.rms_mm,
            m.max_mm,
            gaps.join(", ")
        )?;
    }
    writeln!(
        text,
        "\n{:<20} {:>8} {:>10}  {:<8} {:>10}",
        "bone to", "mm", "template", "from", "determined"
    )?;
    for b in &summary.bones {
        let percent = 100.0 * b.of_template;
        writeln!(
            text,
            "{:<20} {:>8.1} {percent:>8.1} %  {:<8} {:>8.0} %",
            files::one_line(b.joint),
            b.length_mm,
            b.from,
            100.0 * b.determined
        )?;
    }
    for c in &summary.carried {
        let last = c.first_frame + c.frames - 1;
        writeln!(
            text,
            "interpolated: {}, frames {}–{last}",
            files::one_line(c.joint),
            c.first_frame
        )?;
    }
    Ok(text)
}
