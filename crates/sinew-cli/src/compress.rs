//! `sinew compress`: packs clips into a `.sinew` file, and reports sizes and errors.

use crate::progress::waiting;
use crate::{files, outputs, several, usage};
use anyhow::{Context, Result};
use serde::Serialize;
use sinew::clip::Channel;
use sinew_batch::steps::compress::{Compress, Compressed};
use sinew_pack::{Kept, Packed};
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
    #[command(flatten)]
    compress: Compress,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
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
    let name = files::name(&arguments.input);
    let mut notes = Vec::new();
    let begin = Instant::now();
    let bar = waiting(format!("packing {}", files::one_line(&name)));
    let done = arguments.compress.run(&import, &name, &mut notes);
    drop(bar);
    let encode_ms = begin.elapsed().as_secs_f64() * 1e3;
    notes.iter().for_each(|note| files::print_message(note));
    let Compressed {
        bytes,
        packed,
        metres: scale,
    } = done.context(name)?;
    let what = files::counted(packed.len(), "packed clip");
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
        max_error_mm: arguments.compress.max_error.0 * 1e3,
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
