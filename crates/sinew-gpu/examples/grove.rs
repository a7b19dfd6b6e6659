//! Draws the grove, a scene that uses all passes. Writes a picture and prints timings.
//!
//! `cargo run --release -p sinew-gpu --example grove -- [--size WxH] [--time SECONDS] [--frames N] [--png FILE]
//! [--json]`
//!
//! Times are medians over the frames of the motion, without readback. The clock of the GPU times
//! the passes. `wall` is the time from posing until the GPU is done. `stream` is the mean time per
//! frame if no frame waits for the GPU.

use sinew::Character;
use sinew_gpu::{Gpu, Renderer};
use sinew_samples::GroveShow;
use sinew_samples::mannequin::{Mannequin, sword_form_bindings};
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

struct Arguments {
    size: [u32; 2],
    time: f64,
    frames: usize,
    png: Option<String>,
    json: bool,
}

impl Arguments {
    fn parse() -> Result<Self, Box<dyn Error>> {
        let mut parsed = Self {
            size: [1920, 1080],
            time: 1.65,
            frames: 30,
            png: None,
            json: false,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match &*word {
                "--size" => {
                    let text = value()?;
                    let (width, height) = text.split_once('x').ok_or("a size is like 1920x1080")?;
                    parsed.size = [width.parse()?, height.parse()?];
                }
                "--time" => parsed.time = value()?.parse()?,
                "--frames" => parsed.frames = value()?.parse()?,
                "--png" => parsed.png = Some(value()?),
                "--json" => parsed.json = true,
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

fn run() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse()?;
    let size = arguments.size;
    let gpu = Gpu::new()?;
    let fencer = Character {
        bindings: sword_form_bindings(),
        ..Mannequin::default().build()
    };
    let mut show = GroveShow::new(&gpu, fencer)?;
    show.advance(&gpu, arguments.time)?;
    let mut renderer = Renderer::new(&gpu)?;
    let picture = renderer.render(&gpu, &show.stage(), &show.view(size))?;
    if let Some(path) = &arguments.png {
        sinew_gpu::write_png(&mut std::fs::File::create(path)?, &picture)?;
    }
    if arguments.frames == 0 {
        return Ok(());
    }
    let step = 1.0 / 60.0;
    let start = Instant::now();
    for _ in 0..arguments.frames {
        show.advance(&gpu, step)?;
        renderer.draw(&gpu, &show.stage(), &show.view(size))?;
    }
    gpu.wait()?;
    let stream_ms = start.elapsed().as_secs_f64() * 1e3 / arguments.frames as f64;

    show.measure(&gpu)?;
    renderer.measure(&gpu)?;
    let names = [
        "skin",
        "shadow",
        "reflection",
        "main",
        "bloom",
        "tone",
        "gpu",
        "wall",
    ];
    let mut took: [Vec<f64>; 8] = Default::default();
    for _ in 0..arguments.frames {
        let start = Instant::now();
        show.advance(&gpu, step)?;
        renderer.draw(&gpu, &show.stage(), &show.view(size))?;
        gpu.wait()?;
        let wall_ms = start.elapsed().as_secs_f64() * 1e3;
        let skin = show.skin_ms(&gpu)?.unwrap_or(f64::NAN);
        let passes = renderer.timings(&gpu)?;
        let of = |ms: fn(&sinew_gpu::Timings) -> f64| passes.as_ref().map_or(f64::NAN, ms);
        let frame = [
            skin,
            of(|t| t.shadow_ms),
            of(|t| t.reflection_ms),
            of(|t| t.main_ms),
            of(|t| t.bloom_ms),
            of(|t| t.tone_ms),
            skin + of(|t| t.total_ms()),
            wall_ms,
        ];
        took.iter_mut()
            .zip(frame)
            .for_each(|(all, ms)| all.push(ms));
    }
    let mut middles: Vec<(&str, f64)> = names.into_iter().zip(took.map(middle)).collect();
    middles.push(("stream", stream_ms));
    match arguments.json {
        true => {
            let [width, height] = size;
            let members = middles.iter().map(|(name, ms)| match ms.is_nan() {
                true => format!("\"{name}_ms\": null"),
                false => format!("\"{name}_ms\": {ms:.4}"),
            });
            let members = members.collect::<Vec<_>>().join(", ");
            println!(
                "{{\"adapter\": {:?}, \"size\": [{width}, {height}], {members}}}",
                gpu.name()
            );
        }
        false => {
            println!("{}, {} × {}, ms per frame:", gpu.name(), size[0], size[1]);
            for (name, ms) in &middles {
                println!("{name:>12} {ms:9.3}");
            }
            println!("{:.1} frames per second", 1e3 / stream_ms);
        }
    }
    Ok(())
}

fn middle(mut ms: Vec<f64>) -> f64 {
    ms.sort_by(f64::total_cmp);
    ms[ms.len() / 2]
}
