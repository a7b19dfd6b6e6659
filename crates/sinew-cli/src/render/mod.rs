//! `sinew render`: draws pictures of a character, without a window.

mod arguments;
mod effects;
mod ffmpeg;
mod kind;
mod machine;
mod moments;
mod options;
pub mod output;
mod posed;
mod report;
mod sheet;
mod shot;
mod subject;
mod surroundings;
pub mod writer;

pub use arguments::Arguments;

use crate::outputs;
use crate::progress::Bar;
use crate::{files, several, usage};
use anyhow::{Context, Result};
use kind::Kind;
use moments::Moments;
use output::Output;
use report::Report;
use sheet::Sheet;
use sinew::Method;
use sinew_gpu::{Backdrop, Front, Gpu, Renderer, Shot, find_front};
use std::time::Instant;
use subject::Subject;

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.json && arguments.output.is_standard() {
        return Err(usage::wrong(
            "the picture and --json cannot both go to standard output",
        ));
    }
    several::check_outputs(&arguments.output.path.to_string_lossy(), &arguments.inputs)?;
    let report = several::Report::new(arguments.json, false);
    several::each(&arguments.inputs, report, |input| {
        run_one(&Arguments {
            input: input.to_owned(),
            output: arguments.output.of(input),
            ..arguments.clone()
        })
    })
}

fn run_one(arguments: &Arguments) -> Result<()> {
    let start = Instant::now();
    let output = checked_output(arguments)?;
    let subject = Subject::new(arguments)?;
    let (character, clip) = (&subject.character, subject.clip);
    let moments = Moments::new(arguments, character, clip)?;
    let pictures = match arguments.sheet {
        Some(_) => 1,
        None => moments.times.len(),
    };
    let clear = arguments.background.0 == Backdrop::Clear;
    output.check(arguments.size.0, pictures, moments.fps, clear)?;
    let front = find_front(character, clip, moments.times[0]);
    let options = shot::options(arguments, &subject, &moments, &front)?;
    let mut notes = notes(arguments, &subject, &moments, &output, &front);
    notes.iter().for_each(|note| files::print_message(note));

    let gpu = Gpu::new()?;
    let mut renderer = Renderer::new(&gpu)?;
    let mut shot = Shot::new(&gpu, character, options).with_context(|| subject.name.clone())?;
    if arguments.json {
        renderer.measure(&gpu)?;
        shot.measure(&gpu)?;
    }
    let effects = match (clip, moments.moves) {
        (Some(clip), true) => effects::of_clip(character, clip, &moments.times),
        _ => Vec::new(),
    };
    let problems = shot.problems().iter().map(|problem| problem.to_string());
    let messages: Vec<String> = problems.chain(effects::summary(&effects)).collect();
    messages.iter().for_each(|note| files::print_message(note));
    notes.extend(messages);
    let mut report = Report {
        adapter: gpu.name(),
        size: arguments.size.0,
        frames: pictures,
        states: subject.states.clone(),
        methods: shot.methods().map(Method::name).collect(),
        prepare_ms: milliseconds(start),
        notes,
        effects,
        ..Report::default()
    };
    let studio = Studio {
        gpu,
        renderer,
        shot,
    };
    film(
        arguments,
        &output,
        &subject,
        &moments,
        &front,
        studio,
        &mut report,
    )?;
    report.total_secs = start.elapsed().as_secs_f64();
    if arguments.json {
        outputs::print(&several::json(&arguments.input, &report)?)?;
    }
    Ok(())
}

fn checked_output(arguments: &Arguments) -> Result<Output> {
    let output = if arguments.raw {
        arguments.output.raw()?
    } else {
        arguments.output.clone()
    };
    if arguments.sheet.is_some() && (output.is_template() || output.kind.is_film()) {
        return Err(usage::wrong(
            "a sheet is one picture: use a .png, .jpg or .gif without {frame}",
        ));
    }
    outputs::check(&output.path)?;
    Ok(output)
}

fn notes(
    arguments: &Arguments,
    subject: &Subject,
    moments: &Moments,
    output: &Output,
    front: &Front,
) -> Vec<String> {
    let (character, name) = (&subject.character, &subject.name);
    let mut notes = match (subject.clip, arguments.time) {
        (Some(clip), Some(time)) => files::times_outside(&character.clips[clip], &[time]),
        (None, Some(time)) => vec![format!(
            "{name} is drawn at rest, so --time {time} has no effect"
        )],
        (_, None) => Vec::new(),
    };
    if character.meshes.is_empty() && !(arguments.skeleton || arguments.axes) {
        notes.push(format!(
            "{name} has no mesh, so its bones are drawn as with --skeleton"
        ));
    }
    if output.kind == Kind::Gif && moments.fps > 50.0 {
        notes.push(format!(
            "a GIF shows each frame for at least 0.02 s, so an animation with {} frames per second plays more slowly; the max is --fps 50",
            moments.fps
        ));
    }
    if arguments.report {
        if !subject.states.is_empty() {
            notes.push(machine::summary(&subject.states));
        }
        notes.push(format!(
            "{name} faces {:.0}° from +Z towards +X: {}",
            // Removes the sign of −0.
            front.azimuth_rad.to_degrees().round() + 0.0,
            front.by
        ));
        if arguments.method.is_empty() && !character.skins.is_empty() {
            notes.push(format!("{name} is skinned by {}", files::method(character)));
        }
    }
    notes
}

struct Studio {
    gpu: Gpu,
    renderer: Renderer,
    shot: Shot,
}

fn film(
    arguments: &Arguments,
    output: &Output,
    subject: &Subject,
    moments: &Moments,
    front: &Front,
    studio: Studio,
    report: &mut Report,
) -> Result<()> {
    let Studio {
        gpu,
        mut renderer,
        mut shot,
    } = studio;
    let size = arguments.size.0;
    let frames = moments.times.len();
    let bar = Bar::frames(frames as u64);
    let sheet = arguments.sheet;
    let mut sheet = sheet.map(|sheet| Sheet::new(sheet, size, shot.ink()));
    let mut writer = output.writer(size, report.frames, moments.fps, !shot.is_clear())?;
    let [azimuth_rad, _] = arguments.camera_view().angles_rad(front.azimuth_rad);
    let from_front_rad = azimuth_rad - front.azimuth_rad;
    for (frame, (&time, &turn)) in moments.times.iter().zip(&moments.turns).enumerate() {
        shot.orbit(std::f32::consts::TAU * turn);
        let begin = Instant::now();
        let picture = shot.take(&gpu, &mut renderer, &subject.character, time)?;
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
    Ok(())
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
