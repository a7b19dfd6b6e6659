//! Contact sheet: a figure from plain mesh to picture, compared with hand-made weights.

use anyhow::Result;
use glam::Vec3;
use sinew::{Character, Method};
use sinew_gpu::{
    Camera, Gpu, Picture, Renderer, Shot, ShotOptions, WeightColors, direction, draw_text,
    text_width,
};
use sinew_rig::weights::unbind;

pub const GAP: u32 = 16;
pub const CAPTION: u32 = 40;
const COLUMNS: u32 = 4;
pub const PAPER: [u8; 4] = [244, 245, 247, 255];
const INK: [u8; 4] = [48, 54, 62, 255];

struct Tile<'a> {
    caption: &'static str,
    figure: &'a Character,
    clip: Option<&'static str>,
    time_secs: f64,
    options: ShotOptions,
    near: Option<(Vec3, f32)>,
}

/// Draws four pictures per row: from plain mesh to picture; hand-made weights; twists and scales with both methods.
pub fn contact_sheet(
    gpu: &Gpu,
    renderer: &mut Renderer,
    [by_bind, by_hand]: [&Character; 2],
    side: u32,
) -> Result<Picture> {
    let mut bare = by_bind.clone();
    unbind(&mut bare);
    let tiles = tiles([by_bind, by_hand, &bare], side);
    let rows = (tiles.len() as u32).div_ceil(COLUMNS);
    let across = COLUMNS * side + (COLUMNS + 1) * GAP;
    let mut sheet = Picture::new(across, rows * (side + CAPTION) + GAP, PAPER);
    for (cell, tile) in (0..).zip(tiles) {
        let picture = tile.take(gpu, renderer)?;
        let x = GAP + cell % COLUMNS * (side + GAP);
        let y = GAP + cell / COLUMNS * (side + CAPTION);
        sheet.paste(&picture, x, y);
        write_caption(&mut sheet, [x, y + side], side, tile.caption);
    }
    Ok(sheet)
}

/// Writes a caption below a picture, given the lower left corner and the width of the picture.
pub fn write_caption(sheet: &mut Picture, [x, y]: [u32; 2], width: u32, caption: &str) {
    let height = 13.0;
    let middle = x as f32 + (width as f32 - text_width(height, caption)) / 2.0;
    let below = y as f32 + (CAPTION as f32 - GAP as f32 - height) / 2.0 + 4.0;
    draw_text(sheet, [middle, below], height, INK, caption);
}

fn tiles([by_bind, by_hand, bare]: [&Character; 3], side: u32) -> Vec<Tile<'_>> {
    let tile = |caption, figure, clip, time_secs| Tile {
        caption,
        figure,
        clip,
        time_secs,
        options: ShotOptions::default().size([side; 2]).layers(2),
        near: None,
    };
    let weights = |options: &mut ShotOptions| options.weight_colors = Some(WeightColors::Every);
    let all_passes = |options: &mut ShotOptions| {
        (options.reflection, options.bloom) = (true, true);
    };
    let linear = |options: &mut ShotOptions| options.methods = vec![Method::Linear];
    let (walk, step) = (Some("walk"), 0.0);
    let jacket = |tile| near(tile, [0.02, 1.22, 0.0], 1.25, direction(0.35, 0.08));
    let boots = |tile| near(tile, [0.0, 0.32, 0.05], 1.35, direction(0.75, 0.2));
    let shoulder = |tile| near(tile, [0.26, 1.42, 0.0], 1.1, direction(0.2, 0.1));
    let hand = |tile| near(tile, [0.24, 1.52, 0.1], 2.1, direction(0.25, 0.05));
    // The twist is largest at a quarter of its clip, and the hand at half of its clip.
    let twist = |caption| tile(caption, by_bind, Some("shoulder twist"), 1.0);
    let growth = |caption| tile(caption, by_bind, Some("grow"), 2.0);
    vec![
        with(tile("1  bare mesh and skeleton", bare, None, 0.0), |o| {
            (o.wireframe, o.skeleton) = (true, true);
        }),
        with(tile("2  weights by bind", by_bind, walk, step), weights),
        with(tile("3  posed by a clip", by_bind, walk, step), |o| {
            (o.skeleton, o.grid) = (true, true);
        }),
        with(
            tile("4  skinned, lit in all passes", by_bind, walk, step),
            all_passes,
        ),
        jacket(tile(
            "cloth and skin, with a normal map",
            by_bind,
            walk,
            step,
        )),
        with(tile("weights by hand", by_hand, walk, step), weights),
        boots(tile("cloth and leather", by_bind, walk, step)),
        with(
            tile("by hand, lit in all passes", by_hand, walk, step),
            all_passes,
        ),
        with(shoulder(twist("twisted shoulder, linear blend")), linear),
        shoulder(twist("twisted shoulder, dual quaternion")),
        with(hand(growth("scaled bones, linear blend")), linear),
        hand(growth("scaled bones, dual quaternion")),
    ]
}

fn with(mut tile: Tile<'_>, change: fn(&mut ShotOptions)) -> Tile<'_> {
    change(&mut tile.options);
    tile
}

fn near(mut tile: Tile<'_>, target: [f32; 3], away: f32, from: Vec3) -> Tile<'_> {
    tile.near = Some((target.into(), away));
    tile.options.from = from;
    tile
}

impl Tile<'_> {
    fn take(&self, gpu: &Gpu, renderer: &mut Renderer) -> Result<Picture> {
        let options = self
            .options
            .clone()
            .clip(self.clip.and_then(|name| self.figure.find_clip(name)));
        let mut shot = Shot::new(gpu, self.figure, options)?;
        if let Some((target, away)) = self.near {
            shot.set_camera(Camera {
                eye: target + self.options.from * away,
                target,
                near: 0.05,
                ..shot.camera()
            });
        }
        Ok(shot.take(gpu, renderer, self.figure, self.time_secs)?)
    }
}
