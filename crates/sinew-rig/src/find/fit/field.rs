//! Depth below the surface of a mesh, on a grid: the distance to the nearest cell on the other side
//! (exact distance transform of Felzenszwalb and Huttenlocher 2012).

use crate::solid::Solid;
use glam::DVec3;

/// Depths at the centres of cells: positive inside, negative outside.
pub(crate) struct Field {
    origin: DVec3,
    cell: f64,
    size: [usize; 3],
    depth: Vec<f32>,
}

impl Field {
    pub fn new(solid: &Solid) -> Self {
        let inner = squared(solid, false);
        let outer = squared(solid, true);
        let depth = inner.iter().zip(&outer).map(|(inner, outer)| {
            // The surface is half a cell before the nearest cell of the other side.
            let away = |squared: f32| squared.min(1e12).sqrt() - 0.5;
            let cells = if *inner > 0.0 {
                away(*inner)
            } else {
                -away(*outer)
            };
            cells * solid.cell as f32
        });
        Self {
            origin: solid.origin,
            cell: solid.cell,
            size: solid.size,
            depth: depth.collect(),
        }
    }

    /// Depth of a point, and the direction in which it grows. Beyond the grid, the depth falls with the distance.
    pub fn at(&self, point: DVec3) -> (f64, DVec3) {
        let place = (point - self.origin) / self.cell - 0.5;
        let last = DVec3::from_array(self.size.map(|n| n as f64 - 1.000_001));
        let held = place.clamp(DVec3::ZERO, last);
        let low = held.floor();
        let part = held - low;
        let [x, y, z] = low.to_array().map(|c| c as usize);
        let corner = |dx: usize, dy: usize, dz: usize| {
            let index = x + dx + self.size[0] * (y + dy + self.size[1] * (z + dz));
            f64::from(self.depth[index])
        };
        let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
        let mut edge = [0.0; 4];
        let mut slope_x = [0.0; 4];
        for (k, (dy, dz)) in [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().enumerate() {
            let (a, b) = (corner(0, dy, dz), corner(1, dy, dz));
            (edge[k], slope_x[k]) = (mix(a, b, part.x), b - a);
        }
        let (near, far) = (mix(edge[0], edge[1], part.y), mix(edge[2], edge[3], part.y));
        let slope = DVec3::new(
            mix(
                mix(slope_x[0], slope_x[1], part.y),
                mix(slope_x[2], slope_x[3], part.y),
                part.z,
            ),
            mix(edge[1] - edge[0], edge[3] - edge[2], part.z),
            far - near,
        );
        let beyond = (place - held) * self.cell;
        let depth = mix(near, far, part.z) - beyond.length();
        let slope = slope / self.cell - beyond.normalize_or_zero();
        (depth, slope)
    }
}

/// Squared distance of each cell from the nearest cell that is solid or not, in cells.
fn squared(solid: &Solid, to_solid: bool) -> Vec<f32> {
    let all = solid.is_solid.iter();
    let mut squared: Vec<f32> = all
        .map(|is| if *is == to_solid { 0.0 } else { 1e20 })
        .collect();
    let [nx, ny, nz] = solid.size;
    let most = nx.max(ny).max(nz);
    let mut line = Line::new(most);
    for (count, stride, starts) in [
        (nx, 1, [ny, nz]),
        (ny, nx, [nx, nz]),
        (nz, nx * ny, [nx, ny]),
    ] {
        let steps = match stride {
            1 => [nx, nx * ny],
            s if s == nx => [1, nx * ny],
            _ => [1, nx],
        };
        for v in 0..starts[1] {
            for u in 0..starts[0] {
                line.transform(&mut squared, u * steps[0] + v * steps[1], stride, count);
            }
        }
    }
    squared
}

/// Buffers of the transform of a row of cells.
struct Line {
    values: Vec<f32>,
    roots: Vec<usize>,
    bounds: Vec<f32>,
}

impl Line {
    fn new(most: usize) -> Self {
        Self {
            values: vec![0.0; most],
            roots: vec![0; most],
            bounds: vec![0.0; most + 1],
        }
    }

    /// Lower envelope of parabolas that stand on the values of a row.
    fn transform(&mut self, all: &mut [f32], start: usize, stride: usize, count: usize) {
        let f = &mut self.values;
        for k in 0..count {
            f[k] = all[start + k * stride];
        }
        let (v, z) = (&mut self.roots, &mut self.bounds);
        let mut top = 0;
        (v[0], z[0], z[1]) = (0, f32::NEG_INFINITY, f32::INFINITY);
        for q in 1..count {
            let value = f[q];
            let meet = |p: usize| {
                let (q, p2) = (q as f32, p as f32);
                ((value + q * q) - (f[p] + p2 * p2)) / (2.0 * (q - p2))
            };
            let mut s = meet(v[top]);
            while s <= z[top] {
                top -= 1;
                s = meet(v[top]);
            }
            top += 1;
            (v[top], z[top], z[top + 1]) = (q, s, f32::INFINITY);
        }
        let mut top = 0;
        for q in 0..count {
            while z[top + 1] < q as f32 {
                top += 1;
            }
            let away = q as f32 - v[top] as f32;
            all[start + q * stride] = away * away + f[v[top]];
        }
    }
}
