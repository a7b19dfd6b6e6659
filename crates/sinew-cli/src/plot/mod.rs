//! `sinew plot`: the channels of a clip as rows over time, curves and events below.

mod svg;

use crate::sample::{self, EventAt};
use crate::usage::wrong;
use crate::{files, outputs};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use sinew::clip::{Clip, ClipSpace, Track};
use sinew::{Character, Skeleton};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH or .sinew file with a clip, or - for standard input
    input: PathBuf,
    /// The output: .svg; without it, or with -, SVG on standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["svg"]))]
    output: Option<PathBuf>,
    /// The clip, by name or number
    #[arg(long, value_name = "CLIP", default_value = "0")]
    clip: String,
    /// Only these joints, by name, separated by commas; curves and events are drawn all the same
    #[arg(long, value_name = "JOINTS", value_delimiter = ',')]
    joints: Vec<String>,
    /// Leave out channels that stand still
    #[arg(long)]
    moving: bool,
    /// Print the rows as JSON; the output has to be a file then
    #[arg(long)]
    json: bool,
}

/// One number over time.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// What it is of: a joint, a mesh or a curve.
    pub of: String,
    /// What it is, such as "rotation x".
    pub channel: String,
    pub kind: Kind,
    pub min: f32,
    pub max: f32,
    pub keys: usize,
    /// Seconds and values, as they are drawn.
    #[serde(skip)]
    pub line: Vec<[f32; 2]>,
    #[serde(skip)]
    pub key_times: Vec<f32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Joint,
    Morph,
    Curve,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    format: &'static str,
    clip: &'a str,
    duration_secs: f32,
    rows: &'a [Row],
    events: Vec<EventAt<'a>>,
    /// Channels that were left out because they stand still.
    still: usize,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let standard = PathBuf::from("-");
    let output = arguments.output.as_ref().unwrap_or(&standard);
    if arguments.json && files::is_standard(output) {
        return Err(wrong("name a file for the drawing with -o, beside --json"));
    }
    outputs::check(output)?;
    let import = files::load(&arguments.input)?;
    let character = &import.character;
    let name = || files::name(&arguments.input);
    let clip = files::find_clip(character, &arguments.clip).with_context(name)?;
    let clip = &character.clips[clip];
    let find = |joint: &String| files::find_joint(&character.skeleton, joint);
    let joints: Vec<usize> = arguments
        .joints
        .iter()
        .map(find)
        .collect::<Result<_>>()
        .with_context(name)?;
    let mut rows = rows(character, clip, &joints);
    let all = rows.len();
    if arguments.moving {
        rows.retain(|row| row.max > row.min);
    }
    if rows.is_empty() && clip.events.is_empty() {
        bail!("{}: clip \"{}\" has nothing to draw", name(), clip.name);
    }
    let still = all - rows.len();
    if still > 0 {
        files::say(&format!(
            "{} that stand still are left out",
            files::counted(still, "channel")
        ));
    }
    let title = format!("{}: {}", short_name(&arguments.input), clip.name);
    let drawing = svg::draw(&title, clip, &rows);
    let what = format!(
        "{} and {} of \"{}\"",
        files::counted(rows.len(), "channel"),
        files::counted(clip.events.len(), "event"),
        clip.name
    );
    outputs::write(output, &what, |out| out.write_all(drawing.as_bytes()))?;
    if !arguments.json {
        return Ok(());
    }
    let document = Document {
        format: "sinew-plot/1",
        clip: &clip.name,
        duration_secs: clip.duration_secs,
        rows: &rows,
        events: sample::events(clip),
        still,
    };
    outputs::print(&format!("{}\n", serde_json::to_string_pretty(&document)?))
}

fn short_name(path: &std::path::Path) -> String {
    match files::is_standard(path) {
        true => files::name(path),
        false => path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
    }
}

/// Every scalar of the clip, joints in their order, then morph weights and curves.
fn rows(character: &Character, clip: &Clip, joints: &[usize]) -> Vec<Row> {
    let skeleton: &Skeleton = &character.skeleton;
    let space = match clip.space {
        ClipSpace::Model => " in the model",
        ClipSpace::Local => "",
    };
    let mut rows = Vec::new();
    for tracks in &clip.joints {
        if !joints.is_empty() && !joints.contains(&tracks.joint) {
            continue;
        }
        let name = if tracks.joint < skeleton.len() {
            skeleton.name(tracks.joint)
        } else {
            "?"
        };
        let channels = [
            ("translation", &tracks.translation),
            ("rotation", &tracks.rotation),
            ("scale", &tracks.scale),
        ];
        for (channel, track) in channels {
            if let Some(track) = track {
                let channel = format!("{channel}{space}");
                add(
                    &mut rows,
                    Kind::Joint,
                    name,
                    &channel,
                    track,
                    clip.duration_secs,
                );
            }
        }
    }
    for morph in &clip.morphs {
        let node = character.nodes.get(morph.node);
        let name = node.map_or("?", |node| node.name.as_str());
        add(
            &mut rows,
            Kind::Morph,
            name,
            "morph",
            &morph.weights,
            clip.duration_secs,
        );
    }
    for curve in &clip.curves {
        add(
            &mut rows,
            Kind::Curve,
            &curve.name,
            "",
            &curve.track,
            clip.duration_secs,
        );
    }
    rows
}

/// A row for each number of a track.
fn add(rows: &mut Vec<Row>, kind: Kind, of: &str, channel: &str, track: &Track, duration: f32) {
    /// Enough that no bend is lost at the width of a page.
    const STEPS: usize = 600;
    let mut times: Vec<f32> = (0..=STEPS)
        .map(|step| duration * step as f32 / STEPS as f32)
        .collect();
    times.extend(
        track
            .times()
            .iter()
            .filter(|time| (0.0..=duration).contains(*time)),
    );
    times.sort_by(f32::total_cmp);
    times.dedup();
    let width = track.width();
    let mut values = vec![0.0; width];
    let mut lines: Vec<Vec<[f32; 2]>> = vec![Vec::with_capacity(times.len()); width];
    for &time in &times {
        if track.sample(f64::from(time), &mut values).is_ok() {
            for (line, &value) in lines.iter_mut().zip(&values) {
                line.push([time, value]);
            }
        }
    }
    for (nth, line) in lines.into_iter().enumerate() {
        let letter = match (kind, width) {
            (Kind::Morph, _) => nth.to_string(),
            (_, 1) => String::new(),
            (_, 2..=4) => ["x", "y", "z", "w"][nth].to_owned(),
            _ => nth.to_string(),
        };
        let fold = |start: f32, pick: fn(f32, f32) -> f32| {
            line.iter()
                .fold(start, |found, point| pick(found, point[1]))
        };
        rows.push(Row {
            of: of.to_owned(),
            channel: [channel, &letter].join(" ").trim().to_owned(),
            kind,
            min: fold(f32::INFINITY, f32::min),
            max: fold(f32::NEG_INFINITY, f32::max),
            keys: track.keys(),
            line,
            key_times: track.times().to_vec(),
        });
    }
}
