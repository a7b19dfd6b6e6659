//! Capture, inverse kinematics and effects on one figure: the mannequin takes over a captured walk and reaches for a
//! lamp on its way. Its steps raise dust, and its touch lights the lamp.
//!
//! `cargo run --release -p sinew-cli --example together -- [FOLDER] [--capture FILE.bvh] [--no-pictures]`
//!
//! Writes `together.glb`, whose bindings `sinew render` applies too. With a GPU, hardware or software, it also writes
//! `together.png`, six moments in a row, and `together-moving.png`, an APNG. Without a file it uses a BVH file made by
//! code.

mod motion;

use motion::Together;
use sinew::binding::events;
use sinew::{Player, Wrap};
use sinew_gpu::{ApngWriter, Backdrop, Gpu, Picture, Renderer, Shot, ShotOptions, write_png};
use sinew_io::gltf::{self, ExportOptions};
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

const FPS: f64 = 15.0;
const MOVING: [u32; 2] = [640, 400];
const STILL: [u32; 2] = [480, 420];
/// Seconds relative to the touch.
const MOMENTS: [f64; 6] = [-1.1, -0.45, 0.0, 0.12, 0.4, 1.1];

fn main() -> Result<(), Box<dyn Error>> {
    let mut folder = PathBuf::from("out");
    let (mut pictures, mut captured) = (true, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match &*word {
            "--no-pictures" => pictures = false,
            "--capture" => {
                let file = words.next().ok_or("--capture needs a file")?;
                captured = Some(std::fs::read(&file).map_err(|error| format!("{file}: {error}"))?);
            }
            _ if word.starts_with('-') => return Err(format!("no such option: {word}").into()),
            _ => folder = word.into(),
        }
    }
    std::fs::create_dir_all(&folder)?;
    let captured = match captured {
        Some(captured) => captured,
        None => motion::capture::made()?,
    };
    let together = Together::new(&captured)?;
    print_summary(&together);
    let glb = folder.join("together.glb");
    let options = ExportOptions::default();
    std::fs::write(&glb, gltf::to_glb(&together.character, &options)?)?;
    println!("wrote {}", glb.display());
    if !pictures {
        return Ok(());
    }
    match Gpu::new() {
        Ok(gpu) => draw(&gpu, &folder, &together),
        Err(why) => {
            println!("no pictures were made: {why}");
            Ok(())
        }
    }
}

fn print_summary(together: &Together) {
    for foot in &together.report.feet {
        println!(
            "{:?} foot: {} contacts, max slide {:.4} m/s, without the foot lock {:.4} m/s",
            foot.side,
            foot.contacts.len(),
            foot.slide_after,
            foot.slide_before
        );
    }
    let (character, clip) = (&together.character, &together.character.clips[0]);
    let mut player = Player::new(Wrap::Clamp);
    while player.time_secs() < f64::from(clip.duration_secs) {
        player.advance(clip, 1.0 / FPS, |event| {
            for target in events(&character.bindings, &event.name) {
                println!("{:6.3} s  {} drives {target}", event.time_secs, event.name);
            }
        });
    }
}

fn draw(gpu: &Gpu, folder: &Path, together: &Together) -> Result<(), Box<dyn Error>> {
    let character = &together.character;
    let duration = f64::from(character.clips[0].duration_secs);
    let options = |size| {
        ShotOptions::default()
            .size(size)
            .clip(Some(0))
            .backdrop(Backdrop::Dark)
            .bloom(true)
    };
    let mut renderer = Renderer::new(gpu)?;
    let mut shot = Shot::new(gpu, character, options(STILL))?;
    for problem in shot.problems() {
        println!("{problem}");
    }
    let [width, height] = STILL;
    let mut strip = Picture::new(width * 3, height * 2, [255; 4]);
    for (moment, secs) in (0..).zip(MOMENTS) {
        let secs = (f64::from(together.touch_secs) + secs).clamp(0.0, duration);
        let picture = shot.take(gpu, &mut renderer, character, secs)?;
        strip.paste(&picture, moment % 3 * width, moment / 3 * height);
    }
    let still = folder.join("together.png");
    write_png(&mut BufWriter::new(File::create(&still)?), &strip)?;
    println!("wrote {}", still.display());

    let moving = folder.join("together-moving.png");
    let mut shot = Shot::new(gpu, character, options(MOVING))?;
    let frames = (duration * FPS).round() as u32;
    let file = BufWriter::new(File::create(&moving)?);
    let mut writer = ApngWriter::new(file, MOVING, frames, FPS, true)?;
    for frame in 0..frames {
        let secs = f64::from(frame) / FPS;
        writer.add(shot.take(gpu, &mut renderer, character, secs)?)?;
    }
    writer.finish()?;
    println!("wrote {}", moving.display());
    Ok(())
}
