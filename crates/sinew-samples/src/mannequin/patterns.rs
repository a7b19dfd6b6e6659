//! Patterns of skin, cloth, hair and leather: tint and height.

use super::regions::Region;
use crate::noise::dice;
use glam::Vec2;
use std::f32::consts::{PI, TAU};

/// Surface properties at a point.
#[derive(Clone, Copy, Debug)]
pub struct Finish {
    /// Factor on the colour of the region: linear RGB, at most 1.
    pub tint: [f32; 3],
    /// Height above the surface, in metres.
    pub height: f32,
}

impl Finish {
    pub const PLAIN: Self = Self {
        tint: [1.0; 3],
        height: 0.0,
    };

    fn grey(tint: f32, height: f32) -> Self {
        Self {
            tint: [tint; 3],
            height,
        }
    }

    /// Finish at a position in metres on the unrolled body, with x around a limb and y along it.
    pub fn at(region: Region, p: Vec2) -> Self {
        match region {
            Region::Skin => skin(p),
            Region::Lips => Self::grey(0.94, 0.000_12 * wave(p.x, 0.0022)),
            Region::Eye | Region::Iris => Self::PLAIN,
            Region::Hair => hair(p),
            Region::Jacket => quilt(p),
            Region::Trim => ribs(p, 0.0052),
            Region::Sash => sash(p),
            Region::Trousers => twill(p),
            Region::Boot => leather(p),
            Region::Sole => Self::grey(1.0, 0.0006 * wave(p.y, 0.009)),
        }
    }
}

fn wave(along: f32, period: f32) -> f32 {
    libm::sinf(TAU * along / period)
}

fn skin(p: Vec2) -> Finish {
    let (mottled, pores) = (clouds(p / 0.018), clouds(p / 0.0032));
    let pale = 0.93 + 0.07 * mottled;
    Finish {
        tint: [1.0, 0.985 * pale, 0.97 * pale],
        height: 0.000_25 * pores,
    }
}

fn hair(p: Vec2) -> Finish {
    let strand = clouds(Vec2::new(p.x / 0.0028, p.y / 0.06));
    Finish::grey(0.55 + 0.45 * strand, 0.0011 * strand)
}

/// Padded diamonds, sewn along their edges with a paler thread.
fn quilt(p: Vec2) -> Finish {
    const SIDE: f32 = 0.026;
    let rotated = Vec2::new(p.x + p.y, p.x - p.y) * std::f32::consts::FRAC_1_SQRT_2;
    let part = rotated / SIDE - (rotated / SIDE).floor();
    let pad = (libm::sinf(PI * part.x) * libm::sinf(PI * part.y)).max(0.0);
    let off = (part - (part + 0.5).floor()).abs() * SIDE;
    let seam = off.min_element();
    let along = if off.x < off.y { rotated.y } else { rotated.x };
    let is_thread = seam < 0.000_9 && wave(along, 0.0052) > -0.35;
    let weave = wave(p.x, 0.0035) * wave(p.y, 0.0035);
    let worn = 0.82 + 0.12 * clouds(p / 0.05);
    let (tint, height) = if is_thread {
        (1.0, 0.000_6)
    } else {
        (worn * (0.72 + 0.22 * pad.sqrt() + 0.06 * weave), 0.0)
    };
    let height = height + 0.0022 * pad.sqrt() + 0.000_06 * weave;
    Finish::grey(tint, height)
}

fn ribs(p: Vec2, period: f32) -> Finish {
    let rib = wave(p.y, period);
    Finish::grey(0.86 + 0.08 * rib + 0.06 * clouds(p / 0.02), 0.000_25 * rib)
}

/// Folds around the waist, with two darker bands.
fn sash(p: Vec2) -> Finish {
    let folds = clouds(Vec2::new(p.x / 0.16, p.y / 0.009));
    let thread = wave(p.x, 0.003);
    let band = wave(p.y, 0.018) > 0.55;
    let tint = 0.72 + 0.22 * folds + 0.05 * thread;
    Finish {
        tint: if band {
            [tint, 0.55 * tint, 0.55 * tint]
        } else {
            [tint; 3]
        },
        height: 0.0016 * folds + 0.000_08 * thread,
    }
}

/// Diagonal lines of a firm cloth.
fn twill(p: Vec2) -> Finish {
    let line = wave(p.x + p.y, 0.0048);
    let worn = clouds(p / 0.06);
    Finish::grey(
        0.70 + 0.12 * line + 0.18 * worn,
        0.000_14 * line + 0.0009 * worn,
    )
}

/// Cells with creases between them, scuffed.
fn leather(p: Vec2) -> Finish {
    let crease = cells(p / 0.0075);
    let scuffed = clouds(p / 0.035);
    let fold = clouds(Vec2::new(p.x / 0.05, p.y / 0.014));
    Finish {
        tint: [
            0.62 + 0.22 * crease + 0.16 * scuffed,
            0.60 + 0.22 * crease + 0.16 * scuffed,
            0.58 + 0.22 * crease + 0.15 * scuffed,
        ],
        height: 0.000_55 * crease + 0.0012 * fold,
    }
}

/// Smooth noise of two sizes, in [0, 1].
fn clouds(p: Vec2) -> f32 {
    let smooth = |p: Vec2, salt: u32| {
        let cell = p.floor();
        let t = p - cell;
        let t = t * t * (3.0 - 2.0 * t);
        let at = |x: i32, y: i32| dice(cell.x as i32 + x, cell.y as i32 + y, salt);
        let row = |y: i32| at(0, y) + (at(1, y) - at(0, y)) * t.x;
        row(0) + (row(1) - row(0)) * t.y
    };
    0.65 * smooth(p, 1) + 0.35 * smooth(2.1 * p, 2)
}

/// 0 on the creases between cells, 1 inside the cells (Worley 1996).
fn cells(p: Vec2) -> f32 {
    let cell = p.floor();
    let (mut nearest, mut second) = (f32::INFINITY, f32::INFINITY);
    for row in -1..=1 {
        for column in -1..=1 {
            let (x, y) = (cell.x as i32 + column, cell.y as i32 + row);
            let at = Vec2::new(x as f32 + dice(x, y, 3), y as f32 + dice(x, y, 4));
            let away = at.distance(p);
            second = second.min(nearest.max(away));
            nearest = nearest.min(away);
        }
    }
    ((second - nearest) * 2.6).clamp(0.0, 1.0)
}
