//! Diffusion through the solid: weights that start at every point and spread about as far as the bone
//! is away.
//!
//! Baran and Popović's bone heat (2007), in the volume in place of the surface: −Δw + H w = H p, where
//! p is what a cell would have alone and H = c / d² with d the distance to its bone. Heat from near
//! the bones, which is sure, reaches the skin, where which bone is near is often a close call; and it
//! does not cross gaps, because there are no cells in them. A vertex is one more cell on its eight
//! neighbours, so that what is finer than the cells keeps its own weights.

use super::rows::Rows;
use super::solid::Solid;
use glam::{DVec3, IVec3};

/// Sweeps stop when no weight of a cell changes by more than this.
const TOLERANCE: f32 = 1e-3;
/// Heat spreads over a few dozen cells at most.
const MOST_SWEEPS: usize = 60;

/// Lets the weights of all points spread through the solid. `alone` adds the weights that a place would
/// have by itself to a row and gives the distance to its bone; `strength` is c.
pub(crate) fn diffuse(
    points: &[DVec3],
    solid: &Solid,
    mut alone: impl FnMut(DVec3, &mut Rows) -> f64,
    joints: usize,
    strength: f64,
) -> Rows {
    let cells = Cells::new(solid);
    let hold = |distance: f64| {
        let cells_away = (distance / solid.cell).max(1e-3);
        strength / (cells_away * cells_away)
    };
    let mut sources = Rows::with_capacity(cells.places.len(), 4);
    let holds: Vec<f32> = cells
        .places
        .iter()
        .map(|place| {
            let centre = solid.origin + (place.as_dvec3() + 0.5) * solid.cell;
            let distance = alone(centre, &mut sources);
            sources.end_point();
            hold(distance) as f32
        })
        .collect();
    let field = cells.solve(&sources, &holds, joints);
    let mut rows = Rows::with_capacity(points.len(), 4);
    let mut own = Rows::default();
    let mut sum = vec![0.0_f32; joints];
    for (index, &point) in points.iter().enumerate() {
        let hold = hold(alone(point, &mut own));
        own.end_point();
        sum.fill(0.0);
        let total = cells.sample(solid, &field, joints, point, &mut sum);
        let share = if total > 0.0 { 1.0 / (1.0 + hold) } else { 0.0 };
        for &(joint, weight) in own.get(index) {
            rows.add(usize::from(joint), (1.0 - share) * f64::from(weight));
        }
        for (joint, &weight) in sum.iter().enumerate() {
            // Less than any artist paints.
            if weight > 1e-3 * total {
                rows.add(joint, share * f64::from(weight / total));
            }
        }
        rows.end_point();
    }
    rows
}

/// The cells of the solid, and which are side by side.
struct Cells {
    places: Vec<IVec3>,
    /// The number of a cell of the box; none where it is not solid.
    numbers: Vec<u32>,
    /// Up to six a cell.
    neighbours: Vec<[u32; 6]>,
}

const NONE: u32 = u32::MAX;

impl Cells {
    fn new(solid: &Solid) -> Self {
        let mut numbers = vec![NONE; solid.is_solid.len()];
        let mut places = Vec::new();
        let [nx, ny, _] = solid.size;
        for (index, _) in solid.is_solid.iter().enumerate().filter(|(_, s)| **s) {
            numbers[index] = places.len() as u32;
            let (x, y, z) = (index % nx, index / nx % ny, index / (nx * ny));
            places.push(IVec3::new(x as i32, y as i32, z as i32));
        }
        let steps = [IVec3::X, IVec3::Y, IVec3::Z];
        let neighbours = places
            .iter()
            .map(|&place| {
                let mut all = [NONE; 6];
                for (axis, &step) in steps.iter().enumerate() {
                    for (side, step) in [step, -step].into_iter().enumerate() {
                        let index = solid.index(place + step);
                        all[2 * axis + side] = index.map_or(NONE, |index| numbers[index]);
                    }
                }
                all
            })
            .collect();
        Self {
            places,
            numbers,
            neighbours,
        }
    }

    /// Weights of all joints in every cell, by Gauss and Seidel's sweeps, back and forth, from what
    /// the cells have alone.
    fn solve(&self, sources: &Rows, holds: &[f32], joints: usize) -> Vec<f32> {
        let mut field = vec![0.0_f32; self.places.len() * joints];
        for (cell, row) in field.chunks_exact_mut(joints).enumerate() {
            for &(joint, weight) in sources.get(cell) {
                row[usize::from(joint)] = weight;
            }
        }
        let mut next = vec![0.0_f32; joints];
        for sweep in 0..MOST_SWEEPS {
            let mut change = 0.0_f32;
            for step in 0..self.places.len() {
                let cell = if sweep % 2 == 0 {
                    step
                } else {
                    self.places.len() - 1 - step
                };
                let hold = holds[cell];
                next.fill(0.0);
                let mut total = hold;
                for &neighbour in self.neighbours[cell].iter().filter(|&&n| n != NONE) {
                    let start = neighbour as usize * joints;
                    total += 1.0;
                    for (next, &there) in next.iter_mut().zip(&field[start..start + joints]) {
                        *next += there;
                    }
                }
                for &(joint, weight) in sources.get(cell) {
                    next[usize::from(joint)] += hold * weight;
                }
                let scale = 1.0 / total;
                let row = &mut field[cell * joints..(cell + 1) * joints];
                for (here, &next) in row.iter_mut().zip(&next) {
                    let value = next * scale;
                    change = change.max((value - *here).abs());
                    *here = value;
                }
            }
            if change < TOLERANCE {
                break;
            }
        }
        field
    }

    /// Adds the weights of the eight cells around a point, by nearness; how much nearness there was.
    fn sample(
        &self,
        solid: &Solid,
        field: &[f32],
        joints: usize,
        point: DVec3,
        sum: &mut [f32],
    ) -> f32 {
        let at = solid.in_cells(point) - 0.5;
        let low = at.floor();
        let part = at - low;
        let mut total = 0.0;
        for corner in 0..8 {
            let bit = |axis: i32| (corner >> axis) & 1;
            let step = IVec3::new(bit(0), bit(1), bit(2));
            let Some(index) = solid.index(low.as_ivec3() + step) else {
                continue;
            };
            let cell = self.numbers[index];
            if cell == NONE {
                continue;
            }
            let near = step.as_dvec3() * part + (1.0 - step.as_dvec3()) * (1.0 - part);
            let near = near.element_product() as f32;
            total += near;
            let start = cell as usize * joints;
            for (sum, &weight) in sum.iter_mut().zip(&field[start..start + joints]) {
                *sum += near * weight;
            }
        }
        total
    }
}
