//! Bodies: groups of pieces of a mesh that touch or overlap.
//! Figures often consist of pieces: a head on a trunk, sleeves over arms. Pieces with adjacent
//! cells form one body, and heat and sight pass between them. A body without a bone, such as a
//! plate in front of a chest, sees all bones across a gap, so its gaps are ignored.

use crate::solid::Solid;
use crate::weights::shape::Shape;
use glam::{DVec3, IVec3};

const NONE: u32 = u32::MAX;

/// Solid of a mesh, and the body of each cell.
pub(crate) struct Bodies {
    pub solid: Solid,
    of_cell: Vec<u32>,
    has_bone: Vec<bool>,
    /// Depth of each cell: 0 outside, 1 if one of its 26 neighbours is outside.
    depths: Vec<u8>,
}

impl Bodies {
    pub fn new(shape: &Shape, solid: Solid) -> Self {
        let mut of_cell = vec![NONE; solid.is_solid.len()];
        let mut count = 0;
        let mut open = Vec::new();
        for first in 0..of_cell.len() {
            if !solid.is_solid[first] || of_cell[first] != NONE {
                continue;
            }
            of_cell[first] = count;
            open.push(first);
            while let Some(cell) = open.pop() {
                let at = solid.cell_at(cell);
                for step in 0..27 {
                    if let Some(next) = solid.index(at + neighbour(step))
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
            depths: depths(&solid),
            solid,
            of_cell,
            has_bone: vec![false; count as usize],
        };
        for segment in &shape.segments {
            let steps = (segment.from.distance(segment.to) / cell).ceil();
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

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.has_bone.len()
    }

    /// Body at a position.
    pub fn at(&self, position: DVec3) -> Option<usize> {
        let cell = self.solid.in_cells(position).floor().as_ivec3();
        let cell = self.solid.index(cell)?;
        (self.of_cell[cell] != NONE).then_some(self.of_cell[cell] as usize)
    }

    /// Half of the flesh thickness: the depth at the end of a path into deeper cells. 0 outside.
    pub fn half_thickness(&self, position: DVec3) -> f64 {
        let depth = |cell: IVec3| self.solid.index(cell).map_or(0, |cell| self.depths[cell]);
        let mut cell = self.solid.in_cells(position).floor().as_ivec3();
        loop {
            let around = (0..27).map(|step| cell + neighbour(step));
            let deepest = around.max_by_key(|&other| depth(other)).unwrap_or(cell);
            if depth(deepest) <= depth(cell) {
                return f64::from(depth(cell)) * self.solid.cell;
            }
            cell = deepest;
        }
    }

    /// True for a position in a body without a bone.
    pub fn is_boneless(&self, position: DVec3) -> bool {
        self.at(position).is_some_and(|body| !self.has_bone[body])
    }

    /// Fraction of the line between two points that is in gaps, in [0, 1]. A gap is outside the
    /// solid and has solid beyond it. Outside space at the far end is not a gap, because bones may
    /// be outside the mesh. A gap counts in proportion to the solid beyond it, and fully from one
    /// cell of solid on. So no single point of the line decides.
    pub fn gap(&self, from: DVec3, to: DVec3) -> f64 {
        let solid = &self.solid;
        // From the far end to the near end, cell by cell (Amanatides and Woo 1987).
        let (start, end) = (solid.in_cells(to), solid.in_cells(from));
        let way = end - start;
        let length = way.length();
        let depth = solid
            .index(start.floor().as_ivec3())
            .map_or(0, |cell| self.depths[cell]);
        // No gap is within the depth of the far end.
        let mut at = f64::from(depth.max(1) - 1) / way.abs().max_element();
        let mut beyond = at * length;
        if depth == 0 {
            at = entry(start, way, solid.size);
            beyond = 0.0;
        }
        if at >= 1.0 || at.is_nan() {
            return 0.0;
        }
        let mut cell = (start + at * way).floor();
        let step = way.signum();
        let per_cell = way.abs().recip();
        // Fractions at which the line leaves the cell along each axis.
        let mut leave = (cell + step.max(DVec3::ZERO) - start) / way;
        leave = DVec3::select(way.cmpeq(DVec3::ZERO), DVec3::INFINITY, leave);
        let mut gap = 0.0;
        loop {
            let next = leave.min_element().clamp(at, 1.0);
            let is_solid = solid.index(cell.as_ivec3());
            if is_solid.is_some_and(|cell| solid.is_solid[cell]) {
                beyond += (next - at) * length;
            } else {
                gap += (next - at) * beyond.min(1.0);
            }
            if next >= 1.0 {
                return gap;
            }
            at = next;
            let axis = leave.min_position();
            cell[axis] += step[axis];
            leave[axis] += per_cell[axis];
        }
    }
}

/// Fraction of a line at which it enters the box of the cells. 0 if it starts inside.
fn entry(start: DVec3, way: DVec3, size: [usize; 3]) -> f64 {
    let size = DVec3::from_array(size.map(|count| count as f64));
    let near = DVec3::select(way.cmpgt(DVec3::ZERO), DVec3::ZERO, size);
    let parts = (near - start) / way;
    let outside = start.cmplt(DVec3::ZERO) | start.cmpgt(size);
    DVec3::select(outside, parts, DVec3::ZERO)
        .max_element()
        .max(0.0)
}

/// Depth of each cell, by two passes over the cells (Rosenfeld and Pfaltz 1966).
fn depths(solid: &Solid) -> Vec<u8> {
    let count = solid.is_solid.len();
    let deepest = |&is_solid: &bool| if is_solid { u8::MAX } else { 0 };
    let mut depths: Vec<u8> = solid.is_solid.iter().map(deepest).collect();
    let mut pass = |cell: usize, before: std::ops::Range<i32>| {
        if depths[cell] > 0 {
            let at = solid.cell_at(cell);
            let neighbours = before.map(|step| solid.index(at + neighbour(step)));
            let least = neighbours.map(|n| n.map_or(0, |n| depths[n])).min();
            depths[cell] = depths[cell].min(least.unwrap_or(0).saturating_add(1));
        }
    };
    (0..count).for_each(|cell| pass(cell, 0..13));
    (0..count).rev().for_each(|cell| pass(cell, 14..27));
    depths
}

/// Offset to one of the 26 neighbours of a cell, in the order of cells. Step 13 is the cell itself.
fn neighbour(step: i32) -> IVec3 {
    IVec3::new(step % 3, step / 3 % 3, step / 9) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::bones::joints::Bones;
    use crate::weights::surface::Surface;
    use glam::Vec3;

    fn add_box(low: Vec3, high: Vec3, positions: &mut Vec<Vec3>, triangles: &mut Vec<[u32; 3]>) {
        let first = positions.len() as u32;
        for corner in 0..8 {
            let bit = |axis: u32| ((corner >> axis) & 1) as f32;
            positions.push(low + (high - low) * Vec3::new(bit(0), bit(1), bit(2)));
        }
        let sides = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        for [a, b, c, d] in sides {
            triangles.extend([[a, b, c], [a, c, d]].map(|t| t.map(|corner| first + corner)));
        }
    }

    #[test]
    fn gaps_are_those_of_small_steps() {
        let (mut positions, mut triangles) = (Vec::new(), Vec::new());
        add_box(
            Vec3::ZERO,
            Vec3::new(3.0, 1.0, 1.0),
            &mut positions,
            &mut triangles,
        );
        let [low, high] = [Vec3::new(0.0, 1.4, 0.0), Vec3::new(3.0, 2.2, 1.0)];
        add_box(low, high, &mut positions, &mut triangles);
        let surface = Surface {
            positions: &positions,
            triangles: &triangles,
        };
        let bones = Bones::new(vec![None, Some(0)], vec![Vec3::splat(0.5), Vec3::ONE]);
        let shape = Shape::new(&surface, &bones, None);
        let bodies = Bodies::new(&shape, Solid::new(&shape.points, &shape.triangles, 40));
        let solid = &bodies.solid;
        assert!(bodies.depths.iter().any(|depth| *depth > 4));
        // Small steps, without the shortcuts of `gap` deep in the solid and outside the box.
        const STEPS: usize = 4000;
        let plain = |from: DVec3, to: DVec3| {
            let (from, to) = (solid.in_cells(from), solid.in_cells(to));
            let step = from.distance(to) / STEPS as f64;
            let (mut beyond, mut gap) = (0.0_f64, 0.0);
            for number in 0..STEPS {
                let at = to.lerp(from, (number as f64 + 0.5) / STEPS as f64);
                let cell = solid.index(at.floor().as_ivec3());
                if cell.is_some_and(|cell| solid.is_solid[cell]) {
                    beyond += step;
                } else {
                    gap += beyond.min(1.0) / STEPS as f64;
                }
            }
            gap
        };
        let size = DVec3::new(3.0, 2.2, 1.0).length();
        let mut gaps = 0;
        for line in 0..1000 {
            // Points all over the box and slightly outside (Weyl's sequence).
            let at = |k: f64| {
                let part = |a: f64| (k * a).fract() * 1.2 - 0.1;
                let parts = DVec3::new(part(2_f64.sqrt()), part(3_f64.sqrt()), part(5_f64.sqrt()));
                parts * DVec3::new(3.0, 2.2, 1.0) / size
            };
            let (from, to) = (at(f64::from(2 * line)), at(f64::from(2 * line + 1)));
            let (gap, plain) = (bodies.gap(from, to), plain(from, to));
            // A step may be off at each side of a cell.
            assert!((gap - plain).abs() < 0.01, "{from} to {to}: {gap} {plain}");
            gaps += u32::from(gap > 0.0);
            let far = from + 1e6 * (to - from);
            let (gap, none) = (bodies.gap(from, far), bodies.gap(from, from));
            assert!((0.0..1e-5).contains(&gap) && none == 0.0, "{gap} {none}");
        }
        assert!(gaps > 125, "{gaps}");
    }
}
