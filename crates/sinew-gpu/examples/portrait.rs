//! Writes a PNG of a figure made by code, in the middle of its walk.

use sinew::Method;
use sinew_gpu::{Camera, Floor, Gpu, GpuCharacter, Renderer, Stage, View, corners, direction};
use sinew_samples::mannequin::Mannequin;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::new()?;
    let person = Mannequin::default().build();
    let mut figure = GpuCharacter::new(&gpu, &person, Method::DualQuat)?;
    figure.pose(&gpu, &person, person.find_clip("walk"), 0.1)?;
    let floor = Floor::studio(&gpu)?;

    let size = [640, 800];
    let aspect = size[0] as f32 / size[1] as f32;
    let corners = figure
        .bounds()
        .map_or_else(Vec::new, |b| corners(b).to_vec());
    let view = View {
        size,
        camera: Camera::framing(corners, direction(0.6, 0.15), aspect),
        ..View::default()
    };
    let stage = Stage {
        characters: vec![&figure],
        floor: Some(&floor),
        ..Stage::default()
    };
    let picture = Renderer::new(&gpu)?.render(&gpu, &stage, &view)?;
    let path = std::env::args().nth(1).unwrap_or("portrait.png".to_owned());
    sinew_gpu::write_png(&mut std::fs::File::create(&path)?, &picture)?;
    println!("{path}, drawn by {}", gpu.name());
    Ok(())
}
