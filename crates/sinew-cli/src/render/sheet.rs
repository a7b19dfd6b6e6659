use sinew_gpu::{Picture, draw_text, text_width};
use std::str::FromStr;

/// Columns and rows, as `4x3`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetSize([u32; 2]);

impl FromStr for SheetSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once(['x', '×']);
        let side = |s: &str| s.trim().parse().ok().filter(|n: &u32| (1..=64).contains(n));
        let size = sides.and_then(|(columns, rows)| Some([side(columns)?, side(rows)?]));
        size.map(Self)
            .ok_or_else(|| "a sheet is columns and rows from 1 to 64, like 4x3".to_owned())
    }
}

impl SheetSize {
    pub fn cells(self) -> u32 {
        self.0[0] * self.0[1]
    }

    /// Size of a cell in pixels, on a sheet of `width` by `height`, rounded down.
    pub fn cell(self, [width, height]: [u32; 2]) -> [u32; 2] {
        [width / self.0[0], height / self.0[1]]
    }
}

/// A contact sheet that is filled row by row.
pub struct Sheet {
    whole: Picture,
    columns: u32,
    next: u32,
    ink: [u8; 4],
}

impl Sheet {
    pub fn new(size: SheetSize, [width, height]: [u32; 2], ink: [u8; 4]) -> Self {
        Self {
            whole: Picture::new(width, height, [0; 4]),
            columns: size.0[0],
            next: 0,
            ink,
        }
    }

    /// Adds a picture to the next cell, with a label in its upper left corner.
    pub fn add(&mut self, mut picture: Picture, label: &str) {
        let wanted = (picture.height() as f32 * 0.045).clamp(7.0, 22.0);
        let margin = wanted * 0.8;
        let space = (picture.width() as f32 - 2.0 * margin).max(1.0);
        let height = wanted.min(wanted * space / text_width(wanted, label).max(1.0));
        draw_text(&mut picture, [margin, margin], height, self.ink, label);
        let (column, row) = (self.next % self.columns, self.next / self.columns);
        let (x, y) = (column * picture.width(), row * picture.height());
        self.whole.paste(&picture, x, y);
        self.next += 1;
    }

    pub fn finish(self) -> Picture {
        self.whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_are_columns_and_rows() {
        let sheet: SheetSize = "4x3".parse().unwrap();
        assert_eq!((sheet.cells(), sheet.cell([961, 720])), (12, [240, 240]));
        for wrong in ["", "4", "0x3", "4x65", "4x3x2", "-1x2", "axb"] {
            assert!(wrong.parse::<SheetSize>().is_err(), "{wrong}");
        }
    }
}
