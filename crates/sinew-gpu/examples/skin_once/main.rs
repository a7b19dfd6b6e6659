//! Does it pay to skin once? The same scene and the same passes, with vertices that a compute pass skins
//! once per frame and with vertices that the vertex shader of every pass skins anew.
//!
//! `cargo run --release -p sinew-gpu --example skin_once -- [--vertices N] [--copies N,N,…] [--size N]
//! [--reps N] [--png FILE] [--json]`
//!
//! Passes are the camera's, a shadow map, a reflection, and three more shadow maps. Those that light need
//! normals, shadow maps do not. Each copy has a palette of its own and is a draw of its own. The two ways
//! take turns, and times are the least of the repetitions: by the GPU's clock from the begin of the first
//! pass to the end of the last, and by the wall's. The ratio is of the former; but software adapters take
//! the time of a compute pass before it is done, so there it is of the latter.

mod crowd;
mod passes;

use crowd::Crowd;
use passes::{MAX_PASSES, Scene, Took, Way};
use sinew::Method;
use sinew_gpu::Gpu;
use std::error::Error;
use std::process::ExitCode;

struct Arguments {
    vertices: usize,
    copies: Vec<usize>,
    size: Option<u32>,
    reps: usize,
    png: Option<String>,
    json: bool,
}

impl Arguments {
    fn parse() -> Result<Self, Box<dyn Error>> {
        let mut parsed = Self {
            vertices: 5138,
            copies: vec![1, 4, 20, 100],
            size: None,
            reps: 9,
            png: None,
            json: false,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match &*word {
                "--vertices" => parsed.vertices = value()?.parse()?,
                "--copies" => {
                    let list = value()?;
                    let counts = list
                        .split(',')
                        .map(|n| n.parse::<usize>().map(|n| n.max(1)));
                    parsed.copies = counts.collect::<Result<_, _>>()?;
                }
                "--size" => parsed.size = Some(value()?.parse::<u32>()?.next_multiple_of(64)),
                "--reps" => parsed.reps = value()?.parse::<usize>()?.max(1),
                "--png" => parsed.png = Some(value()?),
                "--json" => parsed.json = true,
                // cargo bench gives this to everything.
                "--bench" => {}
                _ => return Err(format!("no such option: {word}").into()),
            }
        }
        Ok(parsed)
    }
}

impl Took {
    /// The time to go by.
    fn ms(&self, is_software: bool) -> f64 {
        match is_software {
            true => self.wall_ms,
            false => self.gpu_ms,
        }
    }
}

/// One line of the table.
struct Row {
    method: Method,
    vertices: usize,
    passes: usize,
    once: Took,
    each: Took,
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
    let gpu = Gpu::new()?;
    let smaller = if gpu.is_software() { 512 } else { 1024 };
    let size = arguments.size.unwrap_or(smaller);
    let say = |text: String| {
        if !arguments.json {
            println!("{text}");
        }
    };
    say(format!(
        "adapter: {}, {size} × {size} pixels per pass",
        gpu.name()
    ));
    let mut rows = Vec::new();
    for method in [Method::Linear, Method::DualQuat] {
        say(format!(
            "\n{method:?}\n{:>9} {:>6} {:>9} {:>9} {:>9} {:>7}   {:>9} {:>9}",
            "vertices", "passes", "once ms", "of skin", "each ms", "ratio", "wall once", "each"
        ));
        for &copies in &arguments.copies {
            let crowd = Crowd::new(arguments.vertices, copies)?;
            let mut scene = Scene::new(&gpu, &crowd, method, size)?;
            let apart = difference(&mut scene, arguments.png.as_deref())?;
            for passes in 1..=MAX_PASSES {
                let by_wall = gpu.is_software();
                let [once, each] = fastest(&mut scene, passes, arguments.reps, by_wall)?;
                say(format!(
                    "{:>9} {passes:>6} {:>9.3} {:>9.3} {:>9.3} {:>7.2}   {:>9.3} {:>9.3}",
                    crowd.vertices(),
                    once.gpu_ms,
                    once.skin_ms,
                    each.gpu_ms,
                    once.ms(by_wall) / each.ms(by_wall),
                    once.wall_ms,
                    each.wall_ms
                ));
                let vertices = crowd.vertices();
                rows.push(Row {
                    method,
                    vertices,
                    passes,
                    once,
                    each,
                });
            }
            say(apart);
        }
    }
    if arguments.json {
        print_json(&gpu.name(), size, &rows);
    }
    Ok(())
}

/// Both ways must draw the same picture.
fn difference(scene: &mut Scene<'_>, png: Option<&str>) -> Result<String, Box<dyn Error>> {
    scene.frame(Way::Once, 1)?;
    let once = scene.picture()?;
    scene.frame(Way::EachPass, 1)?;
    let each = scene.picture()?;
    if let Some(path) = png {
        sinew_gpu::write_png(&mut std::fs::File::create(path)?, &once)?;
    }
    let pixels = once.rgba().chunks_exact(4).zip(each.rgba().chunks_exact(4));
    let off = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 2);
    let differ = pixels.clone().filter(off).count();
    let drawn = pixels.filter(|(a, _)| a[..3] != [0; 3]).count();
    // An edge may fall on either side of a sample.
    if drawn == 0 || differ * 100 > drawn {
        return Err(format!("the two ways differ in {differ} of {drawn} pixels").into());
    }
    Ok(format!(
        "the two ways differ by more than 2 of 255 in {differ} of {drawn} pixels"
    ))
}

/// The fastest frame of either way. They take turns, so that a busy moment slows both.
fn fastest(
    scene: &mut Scene<'_>,
    passes: usize,
    reps: usize,
    by_wall: bool,
) -> Result<[Took; 2], Box<dyn Error>> {
    let ways = [Way::Once, Way::EachPass];
    let mut best = [scene.frame(ways[0], passes)?, scene.frame(ways[1], passes)?];
    for _ in 0..reps {
        for (best, way) in best.iter_mut().zip(ways) {
            let took = scene.frame(way, passes)?;
            if took.ms(by_wall) < best.ms(by_wall) {
                *best = took;
            }
        }
    }
    Ok(best)
}

fn print_json(adapter: &str, size: u32, rows: &[Row]) {
    println!("{{\"adapter\": {adapter:?}, \"size\": {size}, \"rows\": [");
    for (place, row) in rows.iter().enumerate() {
        let Row { once, each, .. } = row;
        println!(
            "  {{\"method\": \"{:?}\", \"vertices\": {}, \"passes\": {}, \"once_ms\": {:.4}, \
             \"skin_ms\": {:.4}, \"each_ms\": {:.4}, \"once_wall_ms\": {:.4}, \"each_wall_ms\": {:.4}}}{}",
            row.method,
            row.vertices,
            row.passes,
            once.gpu_ms,
            once.skin_ms,
            each.gpu_ms,
            once.wall_ms,
            each.wall_ms,
            if place + 1 < rows.len() { "," } else { "" }
        );
    }
    println!("]}}");
}
