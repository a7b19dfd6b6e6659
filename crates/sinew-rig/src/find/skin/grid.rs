//! Cells of a grid around a mesh, and sets that merge.

use glam::{DVec3, IVec3};

/// Margin that enlarges cells slightly, so that their sides avoid vertices at round coordinates.
const OFF_ROUND: f64 = 0.37;

/// Grid of cubic cells around a box. The middle of the box is the middle of a cell, so that a mirrored mesh
/// has mirrored cells.
pub(crate) struct Grid {
    middle: DVec3,
    pub cell: f64,
    pub size: [usize; 3],
}

impl Grid {
    /// Grid with `resolution` cells along the longest side of a box.
    pub fn new(low: DVec3, high: DVec3, resolution: usize) -> Self {
        let cell = (high - low).max_element() / (resolution as f64 - OFF_ROUND);
        let size = (high - low).to_array();
        Self {
            middle: 0.5 * (low + high),
            cell,
            size: size.map(|l| ((l / cell) as usize + 4) | 1),
        }
    }

    /// Point in units of cells from the middle of the grid.
    pub fn in_cells(&self, point: DVec3) -> DVec3 {
        (point - self.middle) / self.cell
    }

    /// Point that is given in units of cells.
    pub fn place(&self, in_cells: DVec3) -> DVec3 {
        self.middle + self.cell * in_cells
    }

    fn half(&self) -> IVec3 {
        IVec3::from_array(self.size.map(|count| (count / 2) as i32))
    }

    /// Number of a cell that is given by its place from the middle. Cells outside have the number of the nearest one.
    pub fn index_of(&self, cell: IVec3) -> u32 {
        let half = self.half();
        let [x, y, z] = (cell.clamp(-half, half) + half)
            .to_array()
            .map(|c| c as usize);
        (x + self.size[0] * (y + self.size[1] * z)) as u32
    }

    /// Place of a cell from the middle.
    pub fn place_of(&self, cell: u32) -> IVec3 {
        let [nx, ny, _] = self.size;
        let cell = cell as usize;
        let at = [cell % nx, cell / nx % ny, cell / (nx * ny)];
        IVec3::from_array(at.map(|c| c as i32)) - self.half()
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
