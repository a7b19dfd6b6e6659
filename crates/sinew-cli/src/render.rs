//! `sinew render`: pictures of a character, without a window.

mod options;
pub mod output;
mod surroundings;

use crate::outputs;
use crate::progress::Bar;
use crate::skin::Skinning;
use crate::{files, usage};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use options::{Background, CameraPlace, Passes, Size};
use output::Output;
use serde::Serialize;
use sinew::Character;
use sinew_gpu::{Gpu, Renderer, Shot, ShotOptions, Timings, WeightColors};
use sinew_samples::mannequin::Mannequin;
use std::path::PathBuf;
use std::time::Instant;
use surroundings::{Shading, Surroundings, Tone};

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, BVH or .sinew file, or - for standard input; of files without a mesh --skeleton shows the bones
    #[arg(required_unless_present = "figure", conflicts_with = "figure")]
    input: Option<PathBuf>,
    /// A character made by code in place of a file
    #[arg(long, value_enum)]
    figure: Option<MadeFigure>,
    /// The output: a .png or .apng (an animated PNG; both names take both), or - for standard output. With {frame} in
    /// its name, or {frame:04} for numbers of four digits, one picture per frame, from 0 on
    #[arg(short, long, value_name = "FILE", value_parser = Output::parse)]
    output: Output,
    /// Width and height in pixels; the maximum depends on the GPU
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x720")]
    size: Size,
    /// The clip, by name or number; without it the first one, or the rest pose when there is none
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// The rest pose, whatever clips there are
    #[arg(long, conflicts_with = "clip")]
    rest: bool,
    /// Seconds from the clip's start: a single picture, at 0 if not given; outside the clip its first or last pose
    /// holds
    #[arg(
        long,
        value_name = "SECONDS",
        value_parser = files::seconds,
        conflicts_with = "fps",
        allow_negative_numbers = true
    )]
    time: Option<f64>,
    /// Frames per second: an animation of the whole clip, from 0.01 to 1000; with {frame} in the output's name 30
    /// if not given
    #[arg(long, value_name = "RATE", allow_negative_numbers = true, value_parser = options::rate)]
    fps: Option<f64>,
    /// The skinning method; several, separated by commas, stand side by side
    #[arg(long, value_enum, value_delimiter = ',', default_value = "dqs")]
    method: Vec<Skinning>,
    /// The camera: front, left, right, back, top, three-quarter, turntable (once round), or two angles in
    /// degrees, azimuth and elevation, like 30,10
    #[arg(
        long,
        value_name = "PLACE",
        default_value = "three-quarter",
        allow_hyphen_values = true
    )]
    camera: CameraPlace,
    /// The background: studio, dark, clear, or a colour like #dde4ee
    #[arg(long, default_value = "studio")]
    background: Background,
    /// The light from all around: studio, dark, overcast, sunset, or a .hdr file; without it, that of the background
    #[arg(long, value_name = "NAME|FILE.hdr")]
    environment: Option<Surroundings>,
    /// How surfaces throw light back: by metal and roughness as glTF has it, or by Phong's older sum
    #[arg(long, value_enum, default_value_t)]
    shading: Shading,
    /// How light becomes what a screen shows
    #[arg(long, value_enum, default_value_t)]
    tone: Tone,
    /// The effects of light: shadow, occlusion, reflection and bloom, separated by commas, or none
    #[arg(long, default_value = "shadow,occlusion")]
    passes: Passes,
    /// Draw the bones
    #[arg(long)]
    skeleton: bool,
    /// Draw the axes of every joint
    #[arg(long)]
    axes: bool,
    /// Show the weights of a joint, by name or number, as colours; those of all, mixed, with "all", or the joint of
    /// the largest weight with "dominant"
    #[arg(long, value_name = "JOINT")]
    weights: Option<String>,
    /// Draw the edges of triangles
    #[arg(long)]
    wireframe: bool,
    /// Draw lines on the floor
    #[arg(long)]
    grid: bool,
    /// Print the time that each stage took as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum MadeFigure {
    /// A person with a sword, who walks, runs, waves and fences
    Mannequin,
    /// A person of ten parts, who walks
    Humanoid,
    /// A limb of two joints, which twists and bends
    Tube,
}

impl MadeFigure {
    fn make(self) -> Character {
        match self {
            Self::Mannequin => Mannequin::default().build(),
            Self::Humanoid => sinew_samples::humanoid_character(),
            Self::Tube => sinew_samples::tube_character(),
        }
    }
}

/// The times that stages took.
#[derive(Serialize, Default)]
struct Report {
    adapter: String,
    size: [u32; 2],
    frames: usize,
    /// Loading, framing and taking everything to the GPU.
    prepare_ms: f64,
    /// From here on the mean of all frames: posing, drawing and reading back.
    take_ms: f64,
    /// Of that, by the GPU's own clock; all methods together where several stand side by side.
    skin_ms: f64,
    shadow_ms: f64,
    reflection_ms: f64,
    main_ms: f64,
    bloom_ms: f64,
    tone_ms: f64,
    encode_ms: f64,
    total_secs: f64,
    /// What was said that a person should know.
    notes: Vec<String>,
}

impl Report {
    fn add(&mut self, timings: Timings) {
        self.skin_ms += timings.skin_ms;
        self.shadow_ms += timings.shadow_ms;
        self.reflection_ms += timings.reflection_ms;
        self.main_ms += timings.main_ms;
        self.bloom_ms += timings.bloom_ms;
        self.tone_ms += timings.tone_ms;
    }

    fn divide(&mut self, frames: usize) {
        let all = [
            &mut self.take_ms,
            &mut self.skin_ms,
            &mut self.shadow_ms,
            &mut self.reflection_ms,
            &mut self.main_ms,
            &mut self.bloom_ms,
            &mut self.tone_ms,
            &mut self.encode_ms,
        ];
        all.into_iter().for_each(|ms| *ms /= frames.max(1) as f64);
    }
}

/// How many pictures make a still.
const STILL_LAYERS: u32 = 16;

pub fn run(arguments: &Arguments) -> Result<()> {
    let start = Instant::now();
    if arguments.json && arguments.output.is_standard() {
        return Err(usage::wrong(
            "the picture and --json cannot both go to standard output",
        ));
    }
    arguments.output.check()?;
    let (character, name) = match (&arguments.input, arguments.figure) {
        (Some(input), _) => (files::load(input)?.character, files::name(input)),
        (None, Some(figure)) => (figure.make(), "the figure".to_owned()),
        (None, None) => bail!("name a file, or a figure with --figure"),
    };
    let clip = match &arguments.clip {
        Some(clip) => Some(files::find_clip(&character, clip).with_context(|| name.clone())?),
        None => (!arguments.rest && !character.clips.is_empty()).then_some(0),
    };
    let moments = moments(arguments, &character, clip)?;
    let options = ShotOptions {
        size: arguments.size.0,
        clip,
        methods: arguments.method.iter().map(|&m| m.into()).collect(),
        from: arguments.camera.direction(),
        backdrop: arguments.background.0,
        shading: arguments.shading.into(),
        tone: arguments.tone.into(),
        environment: match &arguments.environment {
            Some(surroundings) => Some(surroundings.map()?),
            None => None,
        },
        skeleton: arguments.skeleton,
        axes: arguments.axes,
        wireframe: arguments.wireframe,
        grid: arguments.grid,
        weight_colors: weight_colors(&character, arguments.weights.as_deref())?,
        shadow: arguments.passes.shadow,
        occlusion: arguments.passes.occlusion,
        layers: if moments.times.len() == 1 {
            STILL_LAYERS
        } else {
            1
        },
        reflection: arguments.passes.reflection,
        bloom: arguments.passes.bloom,
        labels: arguments.method.len() > 1,
    };
    let mut notes = match (clip, arguments.time) {
        (Some(clip), Some(time)) => files::times_outside(&character.clips[clip], &[time]),
        (None, Some(time)) => vec![format!(
            "{name} is drawn at rest, where no time passes: --time {time} changes nothing"
        )],
        (_, None) => Vec::new(),
    };
    if character.meshes.is_empty() && !(arguments.skeleton || arguments.axes) {
        notes.push(format!(
            "{name} has no mesh, so nothing of it is seen; --skeleton draws its bones"
        ));
    }
    notes.iter().for_each(|note| files::say(note));

    let gpu = Gpu::new()?;
    let mut renderer = Renderer::new(&gpu)?;
    if arguments.json {
        renderer.measure(&gpu)?;
    }
    let mut shot = Shot::new(&gpu, &character, options).with_context(|| name.clone())?;
    if arguments.json {
        shot.measure(&gpu)?;
    }
    for problem in shot.problems() {
        files::say(&problem.to_string());
    }
    let mut report = Report {
        adapter: gpu.name(),
        size: arguments.size.0,
        frames: moments.times.len(),
        prepare_ms: milliseconds(start),
        notes,
        ..Report::default()
    };
    let frames = moments.times.len();
    let bar = Bar::frames(frames as u64);
    let mut writer =
        arguments
            .output
            .writer(arguments.size.0, frames, moments.fps, !shot.is_clear())?;
    for (frame, &time) in moments.times.iter().enumerate() {
        if arguments.camera.turns() {
            shot.turn(std::f32::consts::TAU * frame as f32 / frames as f32);
        }
        let begin = Instant::now();
        let picture = shot.take(&gpu, &mut renderer, &character, time)?;
        report.take_ms += milliseconds(begin);
        if let Some(timings) = shot.timings() {
            report.add(timings);
        }
        let begin = Instant::now();
        writer.add(picture)?;
        report.encode_ms += milliseconds(begin);
        bar.set((frame + 1) as f64);
    }
    bar.clear();
    writer.finish()?;
    report.divide(frames);
    report.total_secs = start.elapsed().as_secs_f64();
    if arguments.json {
        let text = serde_json::to_string_pretty(&report)?;
        outputs::print(&format!("{text}\n"))?;
    }
    Ok(())
}

/// Of the times, and how many a second.
struct Moments {
    times: Vec<f64>,
    fps: f64,
}

fn moments(arguments: &Arguments, character: &Character, clip: Option<usize>) -> Result<Moments> {
    const TURN_SECS: f64 = 4.0;
    const MAX_FRAMES: f64 = 100_000.0;
    let duration = clip.map_or(0.0, |c| f64::from(character.clips[c].duration_secs));
    let moves = arguments.fps.is_some() || arguments.output.is_template();
    if !moves {
        if arguments.camera.turns() {
            return Err(usage::wrong("a turntable needs --fps"));
        }
        return Ok(Moments {
            times: vec![arguments.time.unwrap_or(0.0)],
            fps: 1.0,
        });
    }
    let fps = arguments.fps.unwrap_or(30.0);
    let span = match (duration > 0.0, arguments.camera.turns()) {
        (true, _) => duration,
        (false, true) => TURN_SECS,
        (false, false) => 0.0,
    };
    let frames = (span * fps).round().max(1.0);
    if frames > MAX_FRAMES {
        bail!("{frames} frames are too many: at most {MAX_FRAMES} can be made; lower --fps");
    }
    // Played in a loop, the last moment of a clip would be shown twice.
    let times = (0..frames as u64).map(|frame| match arguments.time {
        Some(time) => time,
        None => (frame as f64 / fps).min(duration),
    });
    Ok(Moments {
        times: times.collect(),
        fps,
    })
}

fn weight_colors(character: &Character, joint: Option<&str>) -> Result<Option<WeightColors>> {
    let Some(joint) = joint else {
        return Ok(None);
    };
    match joint {
        "all" => return Ok(Some(WeightColors::Every)),
        "dominant" => return Ok(Some(WeightColors::Dominant)),
        _ => {}
    }
    let skeleton = &character.skeleton;
    let number = || joint.parse().ok().filter(|&j: &usize| j < skeleton.len());
    match skeleton.find(joint).or_else(number) {
        Some(joint) => Ok(Some(WeightColors::Joint(joint))),
        None => files::find_joint(skeleton, joint).map(|joint| Some(WeightColors::Joint(joint))),
    }
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
