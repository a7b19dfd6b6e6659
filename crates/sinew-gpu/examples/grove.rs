//! The integrated scene: a picture of it, and how fast it is drawn.
//!
//! `grove [PNG] [SECONDS] [FRAMES]` writes the picture at a time, then draws so many frames of the motion
//! without reading them back.

use sinew_gpu::{Gpu, GroveShow, Renderer};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or("grove.png".to_owned());
    let time: f64 = arguments.next().map_or(Ok(0.0), |t| t.parse())?;
    let frames: u32 = arguments.next().map_or(Ok(0), |n| n.parse())?;
    let size = [1280, 720];
    let gpu = Gpu::new()?;
    let mut show = GroveShow::new(&gpu)?;
    show.advance(&gpu, time)?;
    let mut renderer = Renderer::new(&gpu)?;
    let picture = renderer.render(&gpu, &show.stage(), &show.view(size))?;
    sinew_gpu::write_png(&mut std::fs::File::create(&path)?, &picture)?;
    if frames == 0 {
        return Ok(());
    }
    renderer.measure(&gpu)?;
    let start = Instant::now();
    for _ in 0..frames {
        show.advance(&gpu, 1.0 / 30.0)?;
        renderer.draw(&gpu, &show.stage(), &show.view(size))?;
        gpu.wait()?;
    }
    let ms = start.elapsed().as_secs_f64() * 1e3 / f64::from(frames);
    println!(
        "{}: {ms:.1} ms a frame, {:.1} a second",
        gpu.name(),
        1e3 / ms
    );
    if let Some(timings) = renderer.timings(&gpu)? {
        println!("the last one: {timings:.1?}");
    }
    Ok(())
}
