//! `sinew render`: pictures of a character, without a window.

mod arguments;
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
use crate::{files, several, usage};
use anyhow::{Context, Result, bail};
pub use arguments::Arguments;
use moments::Moments;
use options::Follow;
use output::Kind;
use report::Report;
use sheet::Sheet;
use sinew::binding::Target;
use sinew::{Character, Method};
use sinew_gpu::{
    Backdrop, Framed, Gpu, Renderer, Shot, ShotOptions, WeightColors, direction, find_front,
};
use std::time::Instant;

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
        let text = match &arguments.input {
            Some(input) => several::json(input, &report)?,
            None => serde_json::to_string_pretty(&report)? + "\n",
        };
        outputs::print(&text)?;
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
