//! `sinew compress`: packs clips into a `.sinew` file, and reports sizes and errors.

use crate::progress::waiting;
use crate::units::{self, ScaleOption};
use crate::{files, outputs, several, usage};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use sinew::clip::Channel;
use sinew_pack::{Kept, PackError, PackOptions, Packed, file_bytes, pack};
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args, Clone)]
pub struct Arguments {
    /// Files with a skeleton and clips: glTF, GLB, VRM, FBX, BVH or .sinew; - is standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    #[arg(skip)]
    input: PathBuf,
    /// The output: a .sinew file, or - for standard output. With several inputs, {name} in the file name stands for the
    /// name of each input
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["sinew"]))]
    output: PathBuf,
    /// The max distance between a point of the packed clip and the same point of the original, such as 0.1mm
    #[arg(long, value_name = "LENGTH", default_value = "0.1mm", value_parser = length_metres)]
    max_error: f64,
    /// The shell distance, such as 3cm: the distance from each joint to the points where errors are measured
    #[arg(long, value_name = "LENGTH", default_value = "3cm", value_parser = length_metres)]
    shell: f64,
    #[command(flatten)]
    unit: ScaleOption,
    /// Pack only this clip, given by name or number. Default: all clips
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

fn length_metres(text: &str) -> Result<f64, String> {
    let units = [("mm", 1e-3), ("cm", 1e-2), ("m", 1.0)];
    let length = units.iter().find_map(|(unit, metres)| {
        let number: f64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        Some(number * metres)
    });
    length
        .filter(|l| *l > 0.0 && l.is_finite())
        .ok_or_else(|| "a length is a number above 0 and mm, cm or m, like 0.1mm".to_owned())
}

#[derive(Serialize)]
struct Summary {
    motion_bytes: usize,
    total_bytes: usize,
    skeleton_bytes: usize,
    /// Size of the motion at forty bytes per joint and frame.
    raw_bytes: usize,
    ratio: f64,
    max_error_mm: f64,
    measured_error_mm: f64,
    encode_ms: f64,
    notes: Vec<String>,
    clips: Vec<ClipSummary>,
}

#[derive(Serialize)]
struct ClipSummary {
    name: String,
    frames: usize,
    motion_bytes: usize,
    measured_error_mm: f64,
    /// Numbers of channels that are at rest, constant, packed and unpacked, in this order.
    channels: [usize; 4],
    /// Number of packed channels with a higher frame rate than the others.
    finer: usize,
    raw_joints: Vec<String>,
    kept: Vec<KeptChannel>,
}

#[derive(Serialize)]
struct KeptChannel {
    joint: String,
    channel: &'static str,
    reason: &'static str,
}

fn channel_name(channel: Channel) -> &'static str {
    match channel {
        Channel::Translation => "translation",
        Channel::Rotation => "rotation",
        Channel::Scale => "scale",
    }
}

fn reason(kept: Kept) -> &'static str {
    match kept {
        Kept::Steps => "it jumps from key to key",
        Kept::Bound => "no smaller form is within the max error",
        Kept::Size => "it takes fewer bytes unpacked",
    }
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.json && files::is_standard(&arguments.output) {
        let message = "--json and the file cannot both go to standard output";
        return Err(usage::wrong(message));
    }
    several::check_outputs(&arguments.output.to_string_lossy(), &arguments.inputs)?;
    let report = several::Report::new(arguments.json, true);
    several::each(&arguments.inputs, report, |input| {
        run_one(&Arguments {
            input: input.to_owned(),
            output: several::output(&arguments.output, input),
            ..arguments.clone()
        })
    })
}

fn run_one(arguments: &Arguments) -> Result<()> {
    outputs::check(&arguments.output)?;
    let import = files::load(&arguments.input)?;
    let character = &import.character;
    let file = || files::name(&arguments.input);
    let clips = match &arguments.clip {
        Some(name) => vec![files::find_clip(character, name).with_context(file)?],
        None => (0..character.clips.len()).collect(),
    };
    if clips.is_empty() {
        bail!("{}: there are no clips to compress", file());
    }
    let (scale, note) = units::metres(arguments.unit.scale, &import, &file());
    let notes = note.into_iter();
    let notes: Vec<String> = notes.chain(units::doubt(&import, scale, &file())).collect();
    notes.iter().for_each(|note| files::print_message(note));
    let options = PackOptions::new()
        .max_error((arguments.max_error / scale) as f32)
        .shell((arguments.shell / scale) as f32);
    let begin = Instant::now();
    let mut packed: Vec<Packed> = Vec::new();
    for clip in clips {
        let clip = &character.clips[clip];
        let what = || format!("{}: clip \"{}\"", file(), clip.name);
        let metres = |length: f32| f64::from(length) * scale;
        let bar = waiting(format!("packing \"{}\"", files::one_line(&clip.name)));
        let one = pack(&character.skeleton, clip, &options).map_err(|error| match error {
            PackError::TooFine { requested, reached } => anyhow::anyhow!(
                "--max-error {:.1e}mm is below the precision of the numbers in the clip, {:.1e}mm; use at least that precision",
                metres(requested) * 1e3,
                metres(reached) * 1e3,
            ),
            other => other.into(),
        });
        drop(bar);
        packed.push(one.with_context(what)?);
    }
    let encode_ms = begin.elapsed().as_secs_f64() * 1e3;
    let clips: Vec<_> = packed.iter().map(|p| &p.clip).collect();
    let bytes = file_bytes(&character.skeleton, &clips)?;
    let what = files::counted(clips.len(), "packed clip");
    outputs::write(&arguments.output, &what, |out| out.write_all(&bytes))?;

    let millimetres = |error: f32| f64::from(error) * scale * 1e3;
    let sum = |of: fn(&Packed) -> usize| packed.iter().map(of).sum::<usize>();
    let motion_bytes = sum(|p| p.report.motion_bytes);
    let raw_bytes = sum(|p| p.report.raw_bytes);
    let summary = Summary {
        motion_bytes,
        total_bytes: bytes.len(),
        skeleton_bytes: packed[0].report.skeleton_bytes,
        raw_bytes,
        ratio: raw_bytes as f64 / motion_bytes as f64,
        max_error_mm: arguments.max_error * 1e3,
        measured_error_mm: packed
            .iter()
            .map(|p| millimetres(p.report.measured_error))
            .fold(0.0, f64::max),
        encode_ms,
        notes,
        clips: packed
            .iter()
            .map(|p| ClipSummary {
                name: p.clip.name().to_owned(),
                frames: p.clip.frames(),
                motion_bytes: p.report.motion_bytes,
                measured_error_mm: millimetres(p.report.measured_error),
                channels: p.report.channels,
                finer: p.report.finer,
                raw_joints: (p.report.raw_joints.iter())
                    .map(|&joint| character.skeleton.name(joint).to_owned())
                    .collect(),
                kept: (p.report.kept.iter())
                    .map(|&(joint, channel, kept)| KeptChannel {
                        joint: character.skeleton.name(joint).to_owned(),
                        channel: channel_name(channel),
                        reason: reason(kept),
                    })
                    .collect(),
            })
            .collect(),
    };
    let text = if arguments.json {
        several::json(&arguments.input, &summary)?
    } else {
        describe(&summary)
    };
    outputs::report(&arguments.output, &text)
}

fn describe(summary: &Summary) -> String {
    let mut text = String::new();
    for clip in &summary.clips {
        let [rest, constant, packed, raw] = clip.channels;
        let finer = match clip.finer {
            0 => String::new(),
            finer => format!(" ({finer} at a higher frame rate)"),
        };
        text += &format!(
            "\"{}\": {}, {} bytes, max error {:.4} mm; channels: {rest} at rest, {constant} constant, {packed} packed{finer}, {raw} unpacked\n",
            files::one_line(&clip.name),
            files::counted(clip.frames, "frame"),
            clip.motion_bytes,
            clip.measured_error_mm,
        );
        for why in [Kept::Steps, Kept::Bound, Kept::Size].map(reason) {
            let kept = clip.kept.iter().filter(|k| k.reason == why);
            let names: Vec<_> = kept
                .map(|k| format!("{} of {}", k.channel, files::one_line(&k.joint)))
                .collect();
            if !names.is_empty() {
                text += &format!("  unpacked because {why}: {}\n", names.join(", "));
            }
        }
    }
    text + &format!(
        "{} bytes of motion ({:.1} times smaller than {} bytes uncompressed), {} bytes with skeleton and names; allowed error {} mm, measured error {:.4} mm; {:.0} ms\n",
        summary.motion_bytes,
        summary.ratio,
        summary.raw_bytes,
        summary.total_bytes,
        summary.max_error_mm,
        summary.measured_error_mm,
        summary.encode_ms,
    )
}
