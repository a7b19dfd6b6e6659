//! Paint that replaces the materials of a character.

use super::material::{self, GpuMaterial, Uploads};
use super::weight_colors::WeightColors;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::image::pixels::{Encoding, Pixels};
use sinew::Material;

/// Appearance of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Paint {
    /// The materials of the character.
    #[default]
    Materials,
    /// Skin weights as colours.
    Weights(WeightColors),
    /// World-space normals: x as red, y as green, z as blue.
    Normals,
    /// Checkerboard with lines, drawn with the first set of texture coordinates.
    UvChecker,
}

pub(crate) fn material(gpu: &Gpu, paint: Paint) -> Result<Option<GpuMaterial>, GpuError> {
    let mut uploads = Uploads::new(gpu)?;
    Ok(match paint {
        Paint::Materials => None,
        Paint::Weights(_) => Some(uploads.material(&material::plain(), None, None)?),
        Paint::Normals => {
            let unlit = Material {
                unlit: true,
                ..material::plain()
            };
            let mut normals = uploads.material(&unlit, None, None)?;
            normals.show_normals(gpu);
            Some(normals)
        }
        Paint::UvChecker => {
            let checked = Material {
                base_color: [1.0; 4],
                ..material::plain()
            };
            let squares = uploads.pixels(&checker(), Encoding::Srgb)?;
            Some(uploads.material(&checked, Some(squares), None)?)
        }
    })
}

fn checker() -> Pixels {
    const SQUARES: u32 = 16;
    const SIDE: u32 = 512;
    let square = SIDE / SQUARES;
    Pixels::from_fn(SIDE, SIDE, |x, y| {
        let [column, row] = [x / square, y / square];
        let is_line = x % square == 0 || y % square == 0;
        let is_light = (column + row) % 2 == 0;
        let grey = match (is_line, is_light) {
            (true, _) => 0.12,
            (false, true) => 0.62,
            (false, false) => 0.3,
        };
        let tinted = |on: bool, part: u32| {
            if on {
                grey * (0.55 + 0.9 * part as f32 / SQUARES as f32)
            } else {
                grey
            }
        };
        [
            tinted(row % 4 == 0, column),
            grey,
            tinted(column % 4 == 0, row),
            1.0,
        ]
    })
}
