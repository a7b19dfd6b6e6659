//! Cells of a grid around a mesh, and sets that merge.

use glam::{DVec3, IVec3};

/// Margin that enlarges cells slightly, so that their sides avoid vertices at round coordinates.
const OFF_ROUND: f64 = 0.37;

/// Grid of cubic cells around a box.
pub(crate) struct Grid {
    origin: DVec3,
    pub cell: f64,
    pub size: [usize; 3],
}

impl Grid {
    /// Grid with `resolution` cells along the longest side of a box.
    pub fn new(low: DVec3, high: DVec3, resolution: usize) -> Self {
        let cell = (high - low).max_element() / (resolution as f64 - OFF_ROUND);
        // An odd count makes a plane of symmetry pass through the middle of cells.
        let size = (high - low)
            .to_array()
            .map(|l| ((l / cell) as usize + 4) | 1);
        let half = DVec3::from_array(size.map(|count| 0.5 * count as f64));
        let origin = 0.5 * (low + high) - half * cell;
        Self { origin, cell, size }
    }

    /// Cell of a point. Points outside are in the nearest cell.
    pub fn index(&self, point: DVec3) -> u32 {
        let [x, y, z] = ((point - self.origin) / self.cell)
            .to_array()
            .map(|c| c.max(0.0) as usize);
        let last = self.size.map(|count| count - 1);
        let (x, y, z) = (x.min(last[0]), y.min(last[1]), z.min(last[2]));
        (x + self.size[0] * (y + self.size[1] * z)) as u32
    }

    /// Cells at most `radius` away, along each axis.
    pub fn around(&self, cell: u32, radius: i32) -> impl Iterator<Item = u32> + '_ {
        let [nx, ny, nz] = self.size.map(|count| count as i32);
        let cell = cell as i32;
        let at = IVec3::new(cell % nx, cell / nx % ny, cell / (nx * ny));
        let side = 2 * radius + 1;
        (0..side * side * side).filter_map(move |step| {
            let offset = IVec3::new(step % side, step / side % side, step / (side * side));
            let to = at + offset - radius;
            let inside = to.cmpge(IVec3::ZERO).all() && to.cmplt(IVec3::new(nx, ny, nz)).all();
            inside.then(|| (to.x + nx * (to.y + ny * to.z)) as u32)
        })
    }
}

/// Representative of a set, with paths shortened on the way.
pub(crate) fn root(parents: &mut [u32], mut of: u32) -> u32 {
    while parents[of as usize] != of {
        parents[of as usize] = parents[parents[of as usize] as usize];
        of = parents[of as usize];
    }
    of
}

/// Merges the sets of two.
pub(crate) fn join(parents: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(parents, a), root(parents, b));
    parents[a.max(b) as usize] = a.min(b);
}
