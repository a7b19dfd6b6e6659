//! Textures of the mannequin. Triangles are drawn with their region into the square of texture
//! coordinates. Regions grow into the gaps, and each pixel evaluates the pattern of its region.

use super::patterns::Finish;
use super::regions::Region;
use glam::{Vec2, Vec3};
use sinew::character::{Image, Texture, TextureUse};
use sinew::mesh::Primitive;
use sinew::{Character, Material};
use sinew_gpu::{Picture, Pixels, linear_to_srgb, write_png};
use std::sync::Arc;

/// Pixels per side. On the body, a pixel is smaller than a millimetre.
const SIZE: u32 = 2048;
/// Pixels per side of the roughness texture, which is constant in a region.
const COARSE: u32 = 512;
const GROWN: usize = 24;

/// Adds the textures to the material of the body.
pub fn paint(character: &mut Character) {
    let body = &character.meshes[0].primitives[0];
    let Some(square) = Square::new(body) else {
        return;
    };
    let color = Pixels::from_fn(SIZE, SIZE, |x, y| {
        let [r, g, b] = square.finish(x, y).tint;
        [r, g, b, 1.0].map(linear_to_srgb)
    });
    let normal = Pixels::from_fn(SIZE, SIZE, |x, y| {
        let [r, g, b] = (square.normal(x, y) * 0.5 + 0.5).to_array();
        [r, g, b, 1.0]
    });
    let step = SIZE / COARSE;
    let rough = Pixels::from_fn(COARSE, COARSE, |x, y| {
        let rough = square.region(x * step, y * step).map_or(1.0, roughness);
        [0.0, rough, 0.0, 1.0]
    });
    let mut add = |name: &str, pixels: Pixels| {
        character.images.push(Image {
            name: name.to_owned(),
            mime_type: "image/png".to_owned(),
            bytes: Arc::new(encoded(pixels)),
        });
        character.textures.push(Texture {
            image: Some(character.images.len() - 1),
            ..Texture::default()
        });
        Some(TextureUse::new(character.textures.len() - 1, 0))
    };
    let textures = [
        add("mannequin color", color),
        add("mannequin normal", normal),
        add("mannequin roughness", rough),
    ];
    let material = &mut character.materials[0];
    *material = Material {
        base_color_texture: textures[0],
        normal_texture: textures[1],
        metallic_roughness_texture: textures[2],
        roughness: 1.0,
        ..material.clone()
    };
}

fn encoded(pixels: Pixels) -> Vec<u8> {
    let mut bytes = Vec::new();
    let picture = Picture::from_rgba(pixels.width, pixels.height, pixels.rgba);
    let picture = picture.expect("four bytes for each pixel");
    write_png(&mut bytes, &picture).expect("memory takes all that is written");
    bytes
}

fn roughness(region: Region) -> f32 {
    match region {
        Region::Skin => 0.56,
        Region::Lips => 0.42,
        Region::Eye | Region::Iris => 0.15,
        Region::Hair => 0.5,
        Region::Jacket => 0.8,
        Region::Trim => 0.72,
        Region::Sash => 0.6,
        Region::Trousers => 0.9,
        Region::Boot => 0.36,
        Region::Sole => 0.85,
    }
}

struct Square {
    regions: Vec<Option<Region>>,
    /// Length of the side of a pixel on the body, in metres.
    metres: f32,
}

impl Square {
    /// `None` if the body lacks colours or texture coordinates.
    fn new(body: &Primitive) -> Option<Self> {
        let (uvs, colors) = (body.texcoords.first()?, body.colors.first()?);
        let mut regions = vec![None; (SIZE * SIZE) as usize];
        let (mut on_body, mut on_square) = (0.0_f64, 0.0_f64);
        for [a, b, c] in body.triangles() {
            let corners = [a, b, c].map(|v| uvs[v] * SIZE as f32);
            let [p, q, r] = [a, b, c].map(|v| body.positions[v]);
            on_body += f64::from((q - p).cross(r - p).length());
            let area = (corners[1] - corners[0]).perp_dot(corners[2] - corners[0]);
            on_square += f64::from(area.abs());
            let color = colors[a].truncate().to_array();
            let region = Region::ALL.into_iter().find(|r| r.color() == color);
            fill(&mut regions, corners, area, region);
        }
        grow(&mut regions);
        let metres = (on_body / on_square).sqrt() as f32;
        (on_square > 0.0).then_some(Self { regions, metres })
    }

    fn region(&self, x: u32, y: u32) -> Option<Region> {
        self.regions[(y * SIZE + x) as usize]
    }

    fn finish_at(&self, region: Option<Region>, x: u32, y: u32) -> Finish {
        let point = Vec2::new(x as f32, y as f32) * self.metres;
        region.map_or(Finish::PLAIN, |region| Finish::at(region, point))
    }

    fn finish(&self, x: u32, y: u32) -> Finish {
        self.finish_at(self.region(x, y), x, y)
    }

    /// Normal from the heights of a pixel and its neighbours, all with the region of the pixel.
    fn normal(&self, x: u32, y: u32) -> Vec3 {
        let Some(region) = self.region(x, y) else {
            return Vec3::Z;
        };
        let height = |x: u32, y: u32| self.finish_at(Some(region), x, y).height;
        let here = height(x, y);
        let across = (height(x + 1, y) - here) / self.metres;
        let down = (height(x, y + 1) - here) / self.metres;
        // Green is up.
        Vec3::new(-across, down, 1.0).normalize()
    }
}

/// Fills the pixels whose centres are in a triangle. `area` is twice its area.
fn fill(regions: &mut [Option<Region>], [a, b, c]: [Vec2; 3], area: f32, region: Option<Region>) {
    if area == 0.0 {
        return;
    }
    let last = (SIZE - 1) as f32;
    let low = a.min(b).min(c).floor().clamp(Vec2::ZERO, Vec2::splat(last));
    let high = a.max(b).max(c).ceil().clamp(Vec2::ZERO, Vec2::splat(last));
    for y in low.y as u32..=high.y as u32 {
        for x in low.x as u32..=high.x as u32 {
            let at = Vec2::new(x as f32, y as f32) + 0.5;
            let side = |from: Vec2, to: Vec2| (to - from).perp_dot(at - from) / area >= 0.0;
            if side(a, b) && side(b, c) && side(c, a) {
                regions[(y * SIZE + x) as usize] = region;
            }
        }
    }
}

fn grow(regions: &mut [Option<Region>]) {
    let size = SIZE as usize;
    let mut rim: Vec<usize> = (0..regions.len())
        .filter(|&at| regions[at].is_some())
        .collect();
    for _ in 0..GROWN {
        let mut next = Vec::new();
        for at in rim {
            let (x, y) = (at % size, at / size);
            let around = [
                (x > 0).then(|| at - 1),
                (x + 1 < size).then(|| at + 1),
                (y > 0).then(|| at - size),
                (y + 1 < size).then(|| at + size),
            ];
            for other in around.into_iter().flatten() {
                if regions[other].is_none() {
                    regions[other] = regions[at];
                    next.push(other);
                }
            }
        }
        rim = next;
    }
}
