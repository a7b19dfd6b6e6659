use anyhow::Result;
use glam::Vec3;

const SIZE: u32 = 256;

/// PNG of a function of u and v, from the upper left, without colour conversion.
pub fn png(size: u32, color: impl Fn(f32, f32) -> [f32; 4]) -> Result<Vec<u8>> {
    let mut rgba = Vec::new();
    for y in 0..size {
        for x in 0..size {
            let at = |i: u32| (i as f32 + 0.5) / size as f32;
            rgba.extend(color(at(x), at(y)).map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8));
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size, size);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgba)?;
    writer.finish()?;
    Ok(bytes)
}

/// Chart that shows its orientation: red increases to the right, green downward, on a blue
/// checkerboard with a white upper left corner.
pub fn chart() -> Result<Vec<u8>> {
    png(SIZE, |u, v| {
        if u < 0.25 && v < 0.25 {
            return [1.0; 4];
        }
        let dark = checker(u, v, 8.0);
        [0.15 + 0.8 * u, 0.15 + 0.8 * v, 0.2 + 0.5 * dark, 1.0]
    })
}

/// Value of a checkerboard of 0 and 1, with `fields` fields per side.
pub fn checker(u: f32, v: f32, fields: f32) -> f32 {
    ((u * fields).floor() + (v * fields).floor()).rem_euclid(2.0)
}

/// Checkerboard of two colours.
pub fn checkerboard(fields: f32, colors: [[f32; 4]; 2]) -> Result<Vec<u8>> {
    png(SIZE, |u, v| colors[checker(u, v, fields) as usize])
}

/// Normal map of round bumps, `count` per side. Green points up.
pub fn bumps(count: f32) -> Result<Vec<u8>> {
    png(SIZE, |u, v| {
        let at = |t: f32| 2.0 * (t * count).fract() - 1.0;
        let (x, y) = (at(u), -at(v));
        let far = x.hypot(y);
        let steep = if far < 0.8 {
            0.9 * (far / 0.8 * std::f32::consts::PI).sin()
        } else {
            0.0
        };
        let normal = Vec3::new(steep * x / far.max(1e-3), steep * y / far.max(1e-3), 1.0);
        let stored = normal.normalize() * 0.5 + 0.5;
        stored.extend(1.0).to_array()
    })
}
