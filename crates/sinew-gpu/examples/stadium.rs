//! Draws a block of people who all move differently. Writes a picture and prints timings.
//!
//! `cargo run --release -p sinew-gpu --example stadium -- [--actors N] [--size WxH] [--frames N] [--png FILE]
//! [--no-detail]`
//!
//! Each person plays a state machine (idle, walk, run, wave). The picture has shadow, environment
//! and occlusion. Times are medians over the frames, without readback. The clock of the GPU times
//! the passes. `cpu` is the time from posing until submission, and `wall` until the GPU is done.
//! `stream` is the mean time per frame if no frame waits for the GPU.

use sinew::glam::{Quat, Vec3};
use sinew::graph::{Graph, State, StateMachine};
use sinew::rig::CrowdPlayer;
use sinew::{Method, Rig, Transform};
use sinew_gpu::{
    Camera, DrawnCrowd, Environment, EnvironmentMap, Floor, Framing, Gpu, Lighting, Renderer,
    Shading, Stage, Timings, ToneMap, View, corners, direction,
};
use sinew_samples::mannequin::Mannequin;
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

struct Arguments {
    actors: usize,
    size: [u32; 2],
    frames: usize,
    png: Option<String>,
    detail: bool,
}

impl Arguments {
    fn parse() -> Result<Self, Box<dyn Error>> {
        let mut parsed = Self {
            actors: 1000,
            size: [1920, 1080],
            frames: 120,
            png: None,
            detail: true,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match &*word {
                "--actors" => parsed.actors = value()?.parse()?,
                "--size" => {
                    let text = value()?;
                    let (width, height) = text.split_once('x').ok_or("a size is like 1920x1080")?;
                    parsed.size = [width.parse()?, height.parse()?];
                }
                "--frames" => parsed.frames = value()?.parse()?,
                "--png" => parsed.png = Some(value()?),
                "--no-detail" => parsed.detail = false,
                // `cargo bench` passes this flag to every program.
                "--bench" => {}
                _ => return Err(format!("no such option: {word}").into()),
            }
        }
        Ok(parsed)
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Clips, and how many of ten members play each clip.
const STATES: [(&str, usize); 4] = [("idle", 4), ("walk", 3), ("run", 1), ("wave", 2)];

fn graph(rig: &Rig) -> Result<Graph, Box<dyn Error>> {
    let states = STATES.iter();
    let machine = states.fold(StateMachine::new(), |machine, (clip, _)| {
        machine.state(State::clip(*clip, *clip))
    });
    Ok(machine.build(rig)?)
}

/// Pseudo-random number in [0, 1] for a member and a `salt`.
fn chance(member: usize, salt: u32) -> f32 {
    let mixed = (member as u32 ^ salt.wrapping_mul(0x9e37_79b9)).wrapping_mul(0x85eb_ca6b);
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0xc2b2_ae35);
    (mixed ^ (mixed >> 16)) as f32 / u32::MAX as f32
}

/// Arranges the members in a square block, facing roughly to the front.
fn arrange(crowd: &mut DrawnCrowd, players: &mut CrowdPlayer) -> Result<(), Box<dyn Error>> {
    let columns = ((crowd.len() as f32).sqrt().ceil() as usize).max(1);
    for member in 0..crowd.len() {
        let (column, row) = (member % columns, member / columns);
        let aside = |salt| 0.35 * (chance(member, salt) - 0.5);
        let x = 1.1 * (column as f32 - 0.5 * (columns - 1) as f32) + aside(1);
        let z = -1.1 * row as f32 + aside(2);
        let transform = Transform {
            translation: Vec3::new(x, 0.0, z),
            rotation: Quat::from_rotation_y(1.2 * (chance(member, 3) - 0.5)),
            scale: Vec3::splat(0.92 + 0.14 * chance(member, 4)),
        };
        crowd.place(member, &transform.to_affine())?;
        let shade = 0.55 + 0.45 * chance(member, 5);
        let warm = 0.12 * (chance(member, 6) - 0.5);
        crowd.tint(member, [shade + warm, shade, shade - warm, 1.0])?;

        let mut lot = (10.0 * chance(member, 7)) as usize;
        let state = STATES.iter().find(|(_, many)| {
            let found = lot < *many;
            lot = lot.wrapping_sub(*many);
            found
        });
        let player = players.player_mut(member).ok_or("no such member")?;
        let state = state.map_or(STATES[0].0, |state| state.0);
        player.jump(state, 5.0 * f64::from(chance(member, 8)))?;
    }
    Ok(())
}

fn stage<'a>(crowd: &'a DrawnCrowd, surroundings: &Stage<'a>) -> Stage<'a> {
    Stage {
        crowds: vec![crowd],
        ..surroundings.clone()
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse()?;
    let size = arguments.size;
    let gpu = Gpu::new()?;
    let person = Mannequin::default().build();
    let rig = Rig::new(&person, Method::DualQuat)?;
    let mut players = CrowdPlayer::new(&graph(&rig)?, &rig, arguments.actors)?;
    let mut crowd = DrawnCrowd::new(&gpu, &person, &rig, arguments.actors)?;
    crowd.set_detail(arguments.detail);
    arrange(&mut crowd, &mut players)?;

    let step = 1.0 / 60.0;
    let advance =
        |crowd: &mut DrawnCrowd, players: &mut CrowdPlayer| -> Result<(), Box<dyn Error>> {
            players.update(step, |_, _| {})?;
            crowd.set_all(players)?;
            Ok(crowd.skin(&gpu)?)
        };
    advance(&mut crowd, &mut players)?;
    let bounds = crowd.bounds().ok_or("nobody is there")?;
    let aspect = size[0] as f32 / size[1] as f32;
    let mut framing = Framing::new(direction(0.35, 0.42), 0.5, aspect);
    corners(bounds).into_iter().for_each(|c| framing.add(c));
    // The boxes around poses are slightly too large.
    let camera: Camera = framing.camera().zoomed(1.15);
    let mut floor = Floor::studio(&gpu)?;
    floor.half_size = 200.0;
    floor.is_backdrop = true;
    let environment = Environment::new(&gpu, &EnvironmentMap::studio())?;
    let view = View {
        size,
        camera,
        lighting: Lighting::backdrop(),
        shading: Shading::Physical,
        tone: ToneMap::Neutral,
        occlusion: Some(0.25),
        shadow_softness: Some(0.03),
        reflection: false,
        ..View::default()
    };
    let mut renderer = Renderer::new(&gpu)?;
    let surroundings = Stage {
        floor: Some(&floor),
        environment: Some(&environment),
        ..Stage::default()
    };
    let picture = renderer.render(&gpu, &stage(&crowd, &surroundings), &view)?;
    if let Some(path) = &arguments.png {
        sinew_gpu::write_png(&mut std::fs::File::create(path)?, &picture)?;
    }
    let [all, drawn] = crowd.triangles(&view.camera, size);
    println!(
        "{}, {} × {}: {} actors, {} triangles, {} of them drawn",
        gpu.name(),
        size[0],
        size[1],
        crowd.len(),
        all,
        drawn,
    );
    if arguments.frames == 0 {
        return Ok(());
    }

    let start = Instant::now();
    for _ in 0..arguments.frames {
        advance(&mut crowd, &mut players)?;
        renderer.draw(&gpu, &stage(&crowd, &surroundings), &view)?;
    }
    gpu.wait()?;
    let stream_ms = start.elapsed().as_secs_f64() * 1e3 / arguments.frames as f64;

    crowd.measure(&gpu)?;
    renderer.measure(&gpu)?;
    let mut took: Vec<[f64; 2]> = Vec::new();
    let mut passes: Vec<Timings> = Vec::new();
    for _ in 0..arguments.frames {
        let start = Instant::now();
        advance(&mut crowd, &mut players)?;
        renderer.draw(&gpu, &stage(&crowd, &surroundings), &view)?;
        let cpu_ms = start.elapsed().as_secs_f64() * 1e3;
        gpu.wait()?;
        took.push([cpu_ms, start.elapsed().as_secs_f64() * 1e3]);
        let mut timings = renderer.timings(&gpu)?.unwrap_or_default();
        timings.skin_ms = crowd.skin_ms(&gpu)?.unwrap_or_default();
        passes.push(timings);
    }
    println!("medians of {} frames, ms:", arguments.frames);
    let of = |ms: fn(&Timings) -> f64| middle(passes.iter().map(ms).collect());
    let rows = [
        ("skin", of(|t| t.skin_ms)),
        ("shadow", of(|t| t.shadow_ms)),
        ("open", of(|t| t.occlusion_ms)),
        ("main", of(|t| t.main_ms)),
        ("bloom", of(|t| t.bloom_ms)),
        ("tone", of(|t| t.tone_ms)),
        ("gpu", of(Timings::total_ms)),
        ("cpu", middle(took.iter().map(|t| t[0]).collect())),
        ("wall", middle(took.iter().map(|t| t[1]).collect())),
        ("stream", stream_ms),
    ];
    for (name, ms) in rows {
        println!("{name:>12} {ms:9.3}");
    }
    println!("{:.1} frames per second", 1e3 / stream_ms);
    Ok(())
}

fn middle(mut ms: Vec<f64>) -> f64 {
    ms.sort_by(f64::total_cmp);
    ms[ms.len() / 2]
}
