//! Diffusion through the solid: weights spread about as far as the distance to the bone.
//! The bone heat of Baran and Popović (2007), in the volume instead of the surface: −Δw + H w = H
//! p. Here p is the weight of a cell before diffusion, H = c / d², and d the distance to its bone.
//! Heat flows from the bones, where weights are certain, to the skin, where they are ambiguous. It
//! does not cross gaps, because gaps have no cells. A vertex is one more cell with eight
//! neighbours, so that details finer than the cells keep their own weights.

use super::spread::{LANES, NONE, Spread};
use crate::solid::Solid;
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;
use glam::{DVec3, IVec3};

/// Extra strength of a vertex, per cell face of its triangles, for the details of coarse meshes.
const COARSE: f64 = 2.0;
/// Range in which small weights fade to 0. Artists paint none; a step would depend on rounding.
const PAINTED: [f32; 2] = [5e-3, 1.5e-2];

/// Spreads the weights of all points through the solid. `alone` adds the own weights of a position
/// to a row and returns the distance to its bone. `strength` is c. `watch` receives the progress.
pub(crate) fn diffuse(
    shape: &Shape,
    solid: &Solid,
    mut alone: impl FnMut(DVec3, &mut Rows) -> f64,
    strength: f64,
    watch: &dyn Fn(f64),
) -> Rows {
    let (points, joints) = (&shape.points, shape.joints);
    let cells = Cells::new(solid);
    let hold = |distance: f64| {
        let cells_away = (distance / solid.cell).max(1e-3);
        strength / (cells_away * cells_away)
    };
    let mut sources = Rows::with_capacity(cells.places.len(), 4);
    let count = cells.places.len() as f64;
    let sized = cells.places.iter().enumerate();
    let holds: Vec<f32> = sized
        .map(|(cell, place)| {
            if cell % 1024 == 0 {
                watch(0.4 * cell as f64 / count);
            }
            let centre = solid.origin + (place.as_dvec3() + 0.5) * solid.cell;
            let distance = alone(centre, &mut sources);
            sources.end_point();
            hold(distance) as f32
        })
        .collect();
    let field = cells.solve(&sources, &holds, joints, &|done| watch(0.4 + 0.2 * done));
    let faces = faces(shape, solid.cell);
    let mut rows = Rows::with_capacity(points.len(), 4);
    let mut own = Rows::default();
    let mut sum = vec![0.0_f32; joints];
    for (index, &point) in points.iter().enumerate() {
        if index % 1024 == 0 {
            watch(0.6 + 0.4 * index as f64 / points.len() as f64);
        }
        let hold = hold(alone(point, &mut own)) * (COARSE * faces[index]).max(1.0);
        own.end_point();
        sum.fill(0.0);
        let total = cells.sample(solid, &field, joints, point, &mut sum);
        let share = if total > 0.0 { 1.0 / (1.0 + hold) } else { 0.0 };
        for &(joint, weight) in own.get(index) {
            rows.add(usize::from(joint), (1.0 - share) * f64::from(weight));
        }
        for (joint, &weight) in sum.iter().enumerate() {
            let [least, full] = PAINTED;
            let painted = ((weight / total - least) / (full - least)).clamp(0.0, 1.0);
            if painted > 0.0 {
                rows.add(joint, share * f64::from(painted * weight / total));
            }
        }
        rows.end_point();
    }
    rows
}

/// Surface of each point, in cell faces: its shortest edge squared. Areas depend on quad diagonals.
fn faces(shape: &Shape, cell: f64) -> Vec<f64> {
    let mut shortest = vec![f64::INFINITY; shape.points.len()];
    for &[a, b, c] in &shape.triangles {
        for [from, to] in [[a, b], [b, c], [c, a]].map(|edge| edge.map(|point| point as usize)) {
            let edge = shape.points[from].distance_squared(shape.points[to]);
            if edge > 0.0 {
                shortest[from] = shortest[from].min(edge);
                shortest[to] = shortest[to].min(edge);
            }
        }
    }
    let lone = |square: f64| if square.is_finite() { square } else { 0.0 };
    let faces = shortest.into_iter().map(lone);
    faces.map(|square| square / (cell * cell)).collect()
}

struct Cells {
    places: Vec<IVec3>,
    /// Number of each cell of the box. [`NONE`] for a cell that is not solid.
    numbers: Vec<u32>,
    neighbours: Vec<[u32; 6]>,
}

impl Cells {
    fn new(solid: &Solid) -> Self {
        let mut numbers = vec![NONE; solid.is_solid.len()];
        let mut places = Vec::new();
        for (index, _) in solid.is_solid.iter().enumerate().filter(|(_, s)| **s) {
            numbers[index] = places.len() as u32;
            places.push(solid.cell_at(index));
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

    fn solve(&self, sources: &Rows, holds: &[f32], joints: usize, watch: &dyn Fn(f64)) -> Vec<f32> {
        let mut of_joints: Vec<Vec<(u32, f32)>> = vec![Vec::new(); joints];
        for cell in 0..self.places.len() {
            for &(joint, weight) in sources.get(cell) {
                of_joints[usize::from(joint)].push((cell as u32, weight));
            }
        }
        let mut field = vec![0.0_f32; self.places.len() * joints];
        let mut spread = Spread::new(&self.neighbours, holds);
        for (few, sources) in of_joints.chunks(LANES).enumerate() {
            let joint = few * LANES;
            watch(joint as f64 / joints as f64);
            for (cell, weights) in spread.from(sources) {
                let start = cell as usize * joints + joint;
                let here = &mut field[start..start + sources.len()];
                for (here, weight) in here.iter_mut().zip(weights.to_array()) {
                    *here = weight.max(0.0);
                }
            }
        }
        field
    }

    /// Adds the weights of the eight cells around a point, by nearness. Returns the sum of factors.
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
