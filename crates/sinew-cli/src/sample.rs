//! `sinew sample`: writes the poses of a clip at given times, or lists its events.

use crate::{files, outputs, usage};
use anyhow::{Context, Result};
use serde::Serialize;
use sinew::{Affine, Clip, LocalPose, ModelPose, Skeleton, sample};
use std::io::{self, Write};
use std::path::PathBuf;

/// Max number of poses. More are probably a mistake in --fps.
const MAX_SAMPLES: f64 = 1_000_000.0;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH or .sinew file with a clip, or - for standard input
    input: PathBuf,
    /// The output: .json or .csv, or - for JSON on standard output (default)
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["json", "csv"]))]
    output: Option<PathBuf>,
    /// The clip, by name or number
    #[arg(long, value_name = "CLIP", default_value = "0")]
    clip: String,
    /// Times in the clip in seconds, separated by commas. Default: 0. Outside the clip, its first or last pose is used
    #[arg(
        long,
        value_name = "SECONDS",
        value_delimiter = ',',
        value_parser = files::seconds,
        allow_negative_numbers = true,
        conflicts_with = "fps"
    )]
    time: Vec<f64>,
    /// Poses per second from the start to the end of the clip, instead of --time
    #[arg(long, value_name = "RATE", allow_negative_numbers = true, value_parser = rate)]
    fps: Option<f64>,
    /// Write only these joints, given by name and separated by commas
    #[arg(long, value_name = "JOINTS", value_delimiter = ',')]
    joints: Vec<String>,
    /// List the events of the clip instead of its poses
    #[arg(long, conflicts_with_all = ["time", "fps", "joints"])]
    events: bool,
    /// Write JSON, the default. A .csv output is then refused
    #[arg(long)]
    json: bool,
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.trim().parse().ok();
    let rate = rate.filter(|r: &f64| r.is_finite() && *r > 0.0);
    rate.ok_or_else(|| "a rate is a number of poses per second, like 30".to_owned())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    format: &'static str,
    clip: &'a str,
    duration_secs: f32,
    joints: Vec<JointName<'a>>,
    samples: Vec<Sample>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Serialize)]
struct JointName<'a> {
    name: &'a str,
    /// Index of the parent in the skeleton; -1 for the root.
    parent: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sample {
    time: f64,
    translation: Vec<[f32; 3]>,
    rotation: Vec<[f32; 4]>,
    scale: Vec<[f32; 3]>,
    world_position: Vec<[f32; 3]>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EventList<'a> {
    format: &'static str,
    clip: &'a str,
    duration_secs: f32,
    events: Vec<EventAt<'a>>,
}

/// An event, for JSON.
#[derive(Serialize)]
pub struct EventAt<'a> {
    time: f32,
    name: &'a str,
}

/// Events of a clip.
pub fn events(clip: &Clip) -> Vec<EventAt<'_>> {
    let events = clip.events.iter().map(|event| EventAt {
        time: event.time_secs,
        name: &event.name,
    });
    events.collect()
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let standard = PathBuf::from("-");
    let output = arguments.output.as_ref().unwrap_or(&standard);
    let is_csv = files::extension(output) == "csv";
    if is_csv && arguments.json {
        return Err(usage::wrong(
            "a .csv file is not JSON: remove --json, or write .json",
        ));
    }
    outputs::check(output)?;
    let import = files::load(&arguments.input)?;
    let character = &import.character;
    let clip = files::find_clip(character, &arguments.clip)
        .with_context(|| files::name(&arguments.input))?;
    let clip = &character.clips[clip];
    if arguments.events {
        let events = files::counted(clip.events.len(), "event");
        let what = format!("{events} of \"{}\"", clip.name);
        return outputs::write(output, &what, |out| write_events(clip, is_csv, out));
    }
    let skeleton = &character.skeleton;
    let joints =
        chosen(skeleton, &arguments.joints).with_context(|| files::name(&arguments.input))?;
    let times = times(arguments, clip)?;
    let notes = match arguments.fps {
        Some(_) => Vec::new(),
        None => files::times_outside(clip, &times),
    };
    notes.iter().for_each(|note| files::print_message(note));
    let mut pose = skeleton.rest().clone();
    let mut model = ModelPose::identity(skeleton.len());
    for &time in &times {
        sample(clip, skeleton, time, &mut pose)?;
        model.update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)?;
        check_finite(skeleton, &model, time).with_context(|| files::name(&arguments.input))?;
    }
    let samples: Vec<Sample> = times
        .iter()
        .map(|&time| {
            sample(clip, skeleton, time, &mut pose).expect("sampled above");
            model
                .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
                .expect("a sampled pose has its skeleton's joints");
            Sample::new(time, &joints, &pose, &model)
        })
        .collect();
    let what = format!(
        "{} of {}, clip \"{}\"",
        files::counted(samples.len(), "pose"),
        files::counted(joints.len(), "joint"),
        clip.name
    );
    outputs::write(output, &what, |out| {
        if is_csv {
            write_csv(skeleton, &joints, &samples, out)
        } else {
            let name = |&joint: &usize| JointName {
                name: skeleton.name(joint),
                parent: skeleton.parent(joint).map_or(-1, |p| p as i64),
            };
            let document = Document {
                format: "sinew-sample/1",
                clip: &clip.name,
                duration_secs: clip.duration_secs,
                joints: joints.iter().map(name).collect(),
                samples,
                notes,
            };
            outputs::write_json(out, &document)
        }
    })
}

fn times(arguments: &Arguments, clip: &Clip) -> Result<Vec<f64>> {
    let Some(fps) = arguments.fps else {
        return Ok(match arguments.time.as_slice() {
            [] => vec![0.0],
            times => times.to_vec(),
        });
    };
    let last = (f64::from(clip.duration_secs) * fps + 1e-6).floor();
    anyhow::ensure!(
        last < MAX_SAMPLES,
        "{last} poses are too many: the max is a million; lower --fps"
    );
    Ok((0..=last as u64).map(|frame| frame as f64 / fps).collect())
}

fn check_finite(skeleton: &Skeleton, model: &ModelPose, time: f64) -> Result<()> {
    let joint = model.first_not_finite().map(|joint| skeleton.name(joint));
    match joint {
        None => Ok(()),
        Some(joint) => Err(anyhow::anyhow!(
            "joint \"{joint}\" is infinite or not a number at {time} s: its keys, or the keys of a joint above it, \
             are too large"
        )),
    }
}

fn chosen(skeleton: &Skeleton, names: &[String]) -> Result<Vec<usize>> {
    if names.is_empty() {
        return Ok((0..skeleton.len()).collect());
    }
    let find = |name: &String| files::find_joint(skeleton, name);
    names.iter().map(find).collect()
}

impl Sample {
    fn new(time: f64, joints: &[usize], pose: &LocalPose, model: &ModelPose) -> Self {
        let locals = || joints.iter().map(|&joint| pose.get(joint));
        let positions = joints.iter().map(|&joint| model.get(joint).translation());
        Self {
            time,
            translation: locals().map(|t| t.translation.to_array()).collect(),
            rotation: locals().map(|t| t.rotation.to_array()).collect(),
            scale: locals().map(|t| t.scale.to_array()).collect(),
            world_position: positions.map(|p| p.to_array()).collect(),
        }
    }
}

fn write_csv(
    skeleton: &Skeleton,
    joints: &[usize],
    samples: &[Sample],
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "time,joint,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz,x,y,z")?;
    for sample in samples {
        for (index, &joint) in joints.iter().enumerate() {
            write!(out, "{},{}", sample.time, quoted(skeleton.name(joint)))?;
            let (t, r, s) = (
                &sample.translation[index],
                &sample.rotation[index],
                &sample.scale[index],
            );
            let numbers = t.iter().chain(r).chain(s);
            for x in numbers.chain(&sample.world_position[index]) {
                write!(out, ",{x}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn write_events(clip: &Clip, is_csv: bool, out: &mut dyn Write) -> io::Result<()> {
    if is_csv {
        writeln!(out, "time,event")?;
        for event in &clip.events {
            writeln!(out, "{},{}", event.time_secs, quoted(&event.name))?;
        }
        return Ok(());
    }
    let list = EventList {
        format: "sinew-events/1",
        clip: &clip.name,
        duration_secs: clip.duration_secs,
        events: events(clip),
    };
    outputs::write_json(out, &list)
}

/// Quotes a field of a CSV table (RFC 4180).
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}
