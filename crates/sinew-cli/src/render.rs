//! `sinew render`: pictures of a character, without a window.

mod effects;
mod face;
mod ffmpeg;
mod moments;
mod options;
pub mod output;
mod posed;
mod report;
mod sheet;
mod surroundings;
pub mod writer;

use crate::outputs;
use crate::progress::Bar;
use crate::skin::Skinning;
use crate::{files, several, usage};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use moments::Moments;
use options::{Background, CameraPlace, FloorPlace, Follow, Passes, Size};
use output::{Kind, Output};
use report::Report;
use sheet::{Sheet, SheetSize};
use sinew::binding::{Binding, Target};
use sinew::{Character, Method};
use sinew_gpu::{
    Backdrop, Framed, Gpu, Renderer, Shot, ShotOptions, WeightColors, direction, find_front,
};
use sinew_samples::mannequin::Mannequin;
use std::path::PathBuf;
use std::time::Instant;
use surroundings::{Shading, Surroundings, Tone};

#[derive(clap::Args, Clone)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input, or several; of files without a mesh the bones are
    /// drawn
    #[arg(
        required_unless_present = "figure",
        conflicts_with = "figure",
        value_name = "INPUT"
    )]
    inputs: Vec<PathBuf>,
    /// The one of them that is at hand
    #[arg(skip)]
    input: Option<PathBuf>,
    /// A character made by code in place of a file
    #[arg(long, value_enum)]
    figure: Option<MadeFigure>,
    /// The output, by its ending: .png or .apng (both take stills and, with --fps, animated PNG), .gif, .jpg or .jpeg
    /// (stills), .mp4 or .webm (through the program ffmpeg, which must be on the path), or - for PNG on standard
    /// output. .gif, .mp4 and .webm move unless --time asks for a still. With {frame} in a .png's or .jpg's name, or
    /// {frame:04} for numbers of four digits, one picture per frame, from 0 on. Of several inputs with {name} in it, which
    /// is each file's own
    #[arg(short, long, value_name = "FILE", value_parser = Output::parse)]
    output: Output,
    /// Write bare frames to standard output, with -o -: four bytes for each pixel (red, green, blue, opacity), rows
    /// from the top, one frame after the other, as `ffmpeg -f rawvideo -pix_fmt rgba` reads them
    #[arg(long)]
    raw: bool,
    /// Width and height of the whole picture in pixels; the maximum depends on the GPU
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x720")]
    size: Size,
    /// The clip, by name or number; without it the first one, or the rest pose when there is none
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// The rest pose, whatever clips there are
    #[arg(long, conflicts_with = "clip")]
    rest: bool,
    /// The angles of a joint in degrees from rest, as many as it has: one of a hinge (elbow=40), two of a saddle, three of others,
    /// separated by commas; more than once for several joints. On top of --clip, otherwise of the rest pose
    #[arg(long, value_name = "JOINT=DEGREES", allow_hyphen_values = true, value_parser = posed::angles)]
    set: Vec<posed::Angles>,
    /// The expression of an avatar, such as happy, where the clip has none; several are separated by commas. `sinew info`
    /// lists them
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "inputs")]
    expression: Vec<String>,
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
    /// Frames per second: an animation of the whole clip, from 0.01 to 1000; if not given, 25 for .gif, and 30 for
    /// .mp4, .webm and with {frame} in the output's name
    #[arg(long, value_name = "RATE", allow_negative_numbers = true, value_parser = files::rate)]
    fps: Option<f64>,
    /// A contact sheet: so many moments of the clip, from its start to its end, in columns and rows of one still
    /// picture, each with its time; of what does not move, views from all around, each with its angle
    #[arg(long, value_name = "COLUMNSxROWS", conflicts_with_all = ["fps", "time", "raw"])]
    sheet: Option<SheetSize>,
    /// The skinning method; several, separated by commas, stand side by side; if not given, the one that the file asks
    /// for, which only FBX files do, or dqs
    #[arg(long, value_enum, value_delimiter = ',')]
    method: Vec<Skinning>,
    /// What a curve or an event of the clip drives, as NAME=TARGET, beside what the file binds; may be given many times. Curves
    /// drive camera.eye, camera.target, camera.fov, light.NAME.strength and .color (the studio's own is key),
    /// material.NAME.uv, .color and .emissive, and morph.NAME; events sound.NAME, dust.JOINT and call.NAME, of which
    /// sounds and calls are said and listed by --json
    #[arg(long, value_name = "NAME=TARGET")]
    bind: Vec<Binding>,
    /// The camera: front, left, right, back, three-quarter or turntable (once round), as seen by the character, whose
    /// front is found by its joints (--report says how); top; or two angles in degrees, like 30,10: azimuth, from
    /// the file's +Z towards its +X, and elevation. If not given, the clip's own where its curves are bound to one, or
    /// three-quarter
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    camera: Option<CameraPlace>,
    /// Larger or smaller than framed: 2 shows everything in the middle of the picture twice as large; from 0.01 to 100
    #[arg(long, value_name = "FACTOR", default_value = "1", allow_negative_numbers = true, value_parser = options::zoom)]
    zoom: f32,
    /// The angle of view from the lower to the upper edge, in degrees from 1 to 150; the camera stands so far away
    /// that everything is in the picture
    #[arg(long, value_name = "DEGREES", default_value = "28.65", allow_negative_numbers = true, value_parser = options::fov)]
    fov: f32,
    /// The joint in the middle of the picture, by name or number; --zoom goes near it
    #[arg(long, value_name = "JOINT")]
    target: Option<String>,
    /// Whether the camera of a moving picture goes along with a figure that leaves its place; off frames all of its way
    #[arg(long, value_enum, default_value_t)]
    follow: Follow,
    /// The floor: auto lies at the lowest point of a still, or of the whole motion; zero at y = 0 of the file; or none
    #[arg(long, value_enum, default_value_t)]
    floor: FloorPlace,
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
    /// Write the names of joints beside them; one that would lie over another is left out
    #[arg(long)]
    names: bool,
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
    /// Say on standard error, and in the notes of --json, which way the character faces, and by what that was decided
    #[arg(long)]
    report: bool,
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
    /// A base, a shoulder and an elbow, which fetch and carry
    RobotArm,
    /// A chassis, two steering joints and four wheels, which drive in a circle
    Car,
    /// A sun, a planet and a moon
    SolarSystem,
}

impl Arguments {
    fn camera_place(&self) -> CameraPlace {
        self.camera.unwrap_or(CameraPlace::THREE_QUARTER)
    }
}

impl MadeFigure {
    fn make(self) -> Character {
        match self {
            Self::Mannequin => Mannequin::default().build(),
            Self::Humanoid => sinew_samples::humanoid_character(),
            Self::Tube => sinew_samples::tube_character(),
            Self::RobotArm => sinew_samples::robot_arm_character(),
            Self::Car => sinew_samples::car_character(),
            Self::SolarSystem => sinew_samples::solar_system_character(),
        }
    }
}

/// How many pictures make a still.
const STILL_LAYERS: u32 = 4;

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.json && arguments.output.is_standard() {
        return Err(usage::wrong(
            "the picture and --json cannot both go to standard output",
        ));
    }
    if arguments.figure.is_some() {
        return run_one(arguments);
    }
    several::check_outputs(&arguments.output.path.to_string_lossy(), &arguments.inputs)?;
    let report = several::Report::new(arguments.json, false);
    several::each(&arguments.inputs, report, |input| {
        run_one(&Arguments {
            input: Some(input.to_owned()),
            output: arguments.output.of(input),
            ..arguments.clone()
        })
    })
}

fn run_one(arguments: &Arguments) -> Result<()> {
    let start = Instant::now();
    let output = match arguments.raw {
        true => arguments.output.raw()?,
        false => arguments.output.clone(),
    };
    if arguments.sheet.is_some() && (output.is_template() || output.kind.is_film()) {
        return Err(usage::wrong(
            "a sheet is one picture: name a .png, .jpg or .gif without {frame}",
        ));
    }
    outputs::check(&output.path)?;
    let (mut character, asked, name) = match (&arguments.input, arguments.figure) {
        (Some(input), _) => {
            let mut import = files::load(input)?;
            face::show(&mut import, &arguments.expression).with_context(|| files::name(input))?;
            (import.character, import.method, files::name(input))
        }
        (None, Some(figure)) => (figure.make(), None, "the figure".to_owned()),
        (None, None) => bail!("name a file, or a figure with --figure"),
    };
    bind(arguments, &mut character).with_context(|| name.clone())?;
    let clip = match &arguments.clip {
        Some(clip) => Some(files::find_clip(&character, clip).with_context(|| name.clone())?),
        None if arguments.rest || !arguments.set.is_empty() => None,
        None => (!character.clips.is_empty()).then_some(0),
    };
    let clip = posed::pose(&mut character, clip, &arguments.set).with_context(|| name.clone())?;
    let moments = Moments::new(arguments, &character, clip)?;
    let frames = moments.times.len();
    let size = match arguments.sheet {
        Some(sheet) => sheet.cell(arguments.size.0),
        None => arguments.size.0,
    };
    let pictures = if arguments.sheet.is_some() { 1 } else { frames };
    let clear = arguments.background.0 == Backdrop::Clear;
    output.check(arguments.size.0, pictures, moments.fps, clear)?;
    let front = find_front(&character, clip, moments.times[0]);
    let [azimuth_rad, elevation_rad] = arguments.camera_place().angles_rad(front.azimuth_rad);
    let joint = |joint: &String| find_joint(&character, joint).with_context(|| name.clone());
    let options = ShotOptions {
        size,
        clip,
        methods: match arguments.method.as_slice() {
            [] => vec![asked.unwrap_or(Method::DualQuat)],
            methods => methods.iter().map(|&method| method.into()).collect(),
        },
        framed: match (moments.moves, arguments.follow) {
            (false, _) => Framed::Moment(moments.times[0]),
            (true, Follow::On) => Framed::Following,
            (true, Follow::Off) => Framed::Motion,
        },
        from: direction(azimuth_rad, elevation_rad),
        fov_y_rad: arguments.fov.to_radians(),
        turntable: moments.turns.iter().any(|&turn| turn > 0.0),
        zoom: arguments.zoom,
        target: arguments.target.as_ref().map(joint).transpose()?,
        floor: arguments.floor.into(),
        backdrop: arguments.background.0,
        shading: arguments.shading.into(),
        tone: arguments.tone.into(),
        environment: match &arguments.environment {
            Some(surroundings) => Some(surroundings.map()?),
            None => None,
        },
        skeleton: arguments.skeleton,
        names: arguments.names,
        axes: arguments.axes,
        wireframe: arguments.wireframe,
        grid: arguments.grid,
        weight_colors: weight_colors(&character, arguments.weights.as_deref())?,
        shadow: arguments.passes.shadow,
        occlusion: arguments.passes.occlusion,
        layers: if frames == 1 { STILL_LAYERS } else { 1 },
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
            "{name} has no mesh, so its bones are drawn, as --skeleton does"
        ));
    }
    if output.kind == Kind::Gif && moments.fps > 50.0 {
        notes.push(format!(
            "a GIF's frames are shown for 0.02 s at least, so {} a second play more slowly; --fps 50 is the most",
            moments.fps
        ));
    }
    if arguments.report {
        notes.push(format!(
            "{name} faces {:.0}° from +Z towards +X: {}",
            // Without the sign of -0.
            front.azimuth_rad.to_degrees().round() + 0.0,
            front.by
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
        notes.push(problem.to_string());
    }
    let effects = match (clip, moments.moves) {
        (Some(clip), true) => effects::of_clip(&character, clip, &moments.times),
        _ => Vec::new(),
    };
    if let Some(said) = effects::said(&effects) {
        files::say(&said);
        notes.push(said);
    }
    let mut report = Report {
        adapter: gpu.name(),
        size: arguments.size.0,
        frames: pictures,
        prepare_ms: milliseconds(start),
        notes,
        effects,
        ..Report::default()
    };
    let bar = Bar::frames(frames as u64);
    let mut sheet = arguments
        .sheet
        .map(|sheet| Sheet::new(sheet, arguments.size.0, shot.ink()));
    let mut writer = output.writer(arguments.size.0, pictures, moments.fps, !shot.is_clear())?;
    let from_front_rad = azimuth_rad - front.azimuth_rad;
    for (frame, (&time, &turn)) in moments.times.iter().zip(&moments.turns).enumerate() {
        shot.turn(std::f32::consts::TAU * turn);
        let begin = Instant::now();
        let picture = shot.take(&gpu, &mut renderer, &character, time)?;
        report.take_ms += milliseconds(begin);
        if let Some(timings) = shot.timings() {
            report.passes.add(&timings);
        }
        let begin = Instant::now();
        match &mut sheet {
            Some(sheet) => sheet.add(picture, &moments.label(frame, from_front_rad)),
            None => writer.add(picture)?,
        }
        report.encode_ms += milliseconds(begin);
        bar.set((frame + 1) as f64);
    }
    if let Some(sheet) = sheet {
        writer.add(sheet.finish())?;
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

/// Adds what the command line binds to what the file does. A camera that was asked for is not the clip's.
fn bind(arguments: &Arguments, character: &mut Character) -> Result<()> {
    for binding in &arguments.bind {
        if matches!(binding.target, Target::Parameter(_)) {
            return Err(usage::wrong(&format!(
                "{binding}: a picture plays a clip and no graph, so there is no parameter"
            )));
        }
        character.check_binding(binding, &Shot::names())?;
    }
    character.bindings.extend(arguments.bind.iter().cloned());
    if arguments.camera.is_some() {
        let is_camera = |target: &Target| {
            use Target::{CameraEye, CameraFov, CameraTarget};
            matches!(target, CameraEye | CameraTarget | CameraFov)
        };
        if let Some(bound) = arguments.bind.iter().find(|own| is_camera(&own.target)) {
            return Err(usage::wrong(&format!(
                "--camera and --bind {bound} are two cameras: leave one out"
            )));
        }
        character.bindings.retain(|own| !is_camera(&own.target));
    }
    Ok(())
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
    find_joint(character, joint).map(|joint| Some(WeightColors::Joint(joint)))
}

/// The joint of that name or number.
fn find_joint(character: &Character, joint: &str) -> Result<usize> {
    let skeleton = &character.skeleton;
    let number = || joint.parse().ok().filter(|&j: &usize| j < skeleton.len());
    match skeleton.find(joint).or_else(number) {
        Some(joint) => Ok(joint),
        None => files::find_joint(skeleton, joint),
    }
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
