//! Environment made by code: a sky, a ground and three soft boxes.
//!
//! It has no small bright sun: there the filters of the renderers differ most, which would hide
//! other differences.

use glam::Vec3;
use std::f32::consts::{PI, TAU};

/// Pixels per row.
pub const WIDTH: u32 = 512;
/// Number of rows.
pub const HEIGHT: u32 = 256;

/// Soft boxes: direction, cosines at the outer edge and at full brightness, and radiance.
const BOXES: [(Vec3, [f32; 2], Vec3); 3] = [
    // Key light from the upper left, warm.
    (
        Vec3::new(-0.6, 0.6, 0.55),
        [0.975, 0.99],
        Vec3::new(20.0, 17.0, 13.0),
    ),
    // Fill light from the lower right, cool.
    (
        Vec3::new(0.95, 0.1, 0.3),
        [0.94, 0.97],
        Vec3::new(1.5, 2.5, 4.0),
    ),
    // Back light from above.
    (
        Vec3::new(0.1, 0.7, -0.7),
        [0.9, 0.95],
        Vec3::new(3.0, 2.8, 3.2),
    ),
];

/// Radiance from a unit direction.
pub fn radiance(direction: Vec3) -> Vec3 {
    let up = direction.y;
    let sky = Vec3::new(0.4, 0.44, 0.5).lerp(Vec3::new(0.1, 0.2, 0.4), smooth(0.0, 1.0, up));
    let ground = Vec3::new(0.15, 0.12, 0.09) * (1.0 - 0.5 * smooth(0.0, 1.0, -up));
    let mut light = ground.lerp(sky, smooth(-0.08, 0.08, up));
    for (middle, [edge, whole], color) in BOXES {
        light += color * smooth(edge, whole, direction.dot(middle.normalize()));
    }
    light
}

/// Direction of a pixel: u = atan2(z, x) / 2π + ½, with row 0 at the top.
pub fn direction(x: u32, y: u32) -> Vec3 {
    let around = ((x as f32 + 0.5) / WIDTH as f32 - 0.5) * TAU;
    let up = (0.5 - (y as f32 + 0.5) / HEIGHT as f32) * PI;
    Vec3::new(up.cos() * around.cos(), up.sin(), up.cos() * around.sin())
}

/// Radiance of all pixels, rows from the top.
pub fn map() -> Vec<[f32; 3]> {
    let pixels = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    pixels
        .map(|(x, y)| radiance(direction(x, y)).to_array())
        .collect()
}

fn smooth(low: f32, high: f32, x: f32) -> f32 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_have_the_directions_of_three() {
        let near = |a: Vec3, b: Vec3| assert!(a.distance(b) < 0.03, "{a} {b}");
        near(direction(WIDTH / 2, HEIGHT / 2), Vec3::X);
        near(direction(WIDTH * 3 / 4, HEIGHT / 2), Vec3::Z);
        near(direction(WIDTH / 4, HEIGHT / 2), Vec3::NEG_Z);
        near(direction(7, 0), Vec3::Y);
        let map = map();
        let brightest = (0..map.len()).max_by(|&a, &b| map[a][0].total_cmp(&map[b][0]));
        let brightest = brightest.expect("pixels") as u32;
        let direction = direction(brightest % WIDTH, brightest / WIDTH);
        assert!(
            direction.dot(BOXES[0].0.normalize()) > BOXES[0].1[1],
            "{direction}"
        );
    }
}
