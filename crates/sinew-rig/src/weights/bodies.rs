//! Bodies: pieces of a mesh that touch or overlap.
//!
//! Figures are often made of pieces, a head stuck on a trunk and sleeves over arms. Pieces whose cells
//! are side by side are one body, through which heat and sight pass. A body that no bone is in, such as
//! a plate that floats before a chest, sees every bone across a gap, so there gaps say nothing.

use super::shape::Shape;
use crate::solid::Solid;
use glam::{DVec3, IVec3};

/// Where there is no body.
const NONE: u32 = u32::MAX;

/// A solid, and the body of every cell of it.
pub(crate) struct Bodies {
    pub solid: Solid,
    of_cell: Vec<u32>,
    has_bone: Vec<bool>,
}

impl Bodies {
    pub fn new(shape: &Shape, solid: Solid) -> Self {
        let mut of_cell = vec![NONE; solid.is_solid.len()];
        let [nx, ny, _] = solid.size;
        let mut count = 0;
        let mut open = Vec::new();
        for first in 0..of_cell.len() {
            if !solid.is_solid[first] || of_cell[first] != NONE {
                continue;
            }
            of_cell[first] = count;
            open.push(first);
            while let Some(cell) = open.pop() {
                let place = [cell % nx, cell / nx % ny, cell / (nx * ny)].map(|c| c as i32);
                // Across corners too.
                for step in 0..27 {
                    let step = IVec3::new(step % 3, step / 3 % 3, step / 9) - 1;
                    if let Some(next) = solid.index(IVec3::from_array(place) + step)
                        && solid.is_solid[next]
                        && of_cell[next] == NONE
                    {
                        of_cell[next] = count;
                        open.push(next);
                    }
                }
            }
            count += 1;
        }
        let cell = solid.cell;
        let mut bodies = Self {
            solid,
            of_cell,
            has_bone: vec![false; count as usize],
        };
        for segment in &shape.segments {
            let steps = (segment.from.distance(segment.to) / cell).ceil();
            // Bones longer than any mesh are looked at coarsely.
            let steps = steps.clamp(1.0, 512.0) as usize;
            for step in 0..=steps {
                let at = segment.from.lerp(segment.to, step as f64 / steps as f64);
                if let Some(body) = bodies.at(at) {
                    bodies.has_bone[body] = true;
                }
            }
        }
        bodies
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.has_bone.len()
    }

    /// The body that a place is in.
    pub fn at(&self, place: DVec3) -> Option<usize> {
        let cell = self.solid.in_cells(place).floor().as_ivec3();
        let cell = self.solid.index(cell)?;
        (self.of_cell[cell] != NONE).then_some(self.of_cell[cell] as usize)
    }

    /// Whether a place is in a body that no bone is in.
    pub fn is_boneless(&self, place: DVec3) -> bool {
        self.at(place).is_some_and(|body| !self.has_bone[body])
    }
}
