//! Triangulates the left half of a symmetric solid: naive surface nets (Gibson 1998) in the cells
//! that the surface crosses. The plane x = 0 is in the middle of the first layer of cells. Vertices
//! of this layer are moved onto the plane and form the rim that joins the right half.

use super::solid::Solid;
use glam::{IVec3, Vec3};
use sinew::steps::pause;

/// Vertices and triangles, counterclockwise from outside.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

struct Grid<'a> {
    solid: &'a Solid,
    origin: Vec3,
    cell: f32,
    size: IVec3,
    /// Distances at grid nodes, evaluated when needed.
    values: Vec<f32>,
}

const UNKNOWN: f32 = f32::INFINITY;

impl Grid<'_> {
    fn index(&self, node: IVec3) -> usize {
        ((node.z * self.size.y + node.y) * self.size.x + node.x) as usize
    }

    fn position(&self, node: IVec3) -> Vec3 {
        self.origin + node.as_vec3() * self.cell
    }

    fn value(&mut self, node: IVec3) -> f32 {
        let index = self.index(node);
        if self.values[index] == UNKNOWN {
            let mut p = self.position(node);
            p.x = p.x.abs();
            self.values[index] = self.solid.distance(p);
        }
        self.values[index]
    }

    fn corners(&mut self, cell: IVec3) -> [f32; 8] {
        std::array::from_fn(|k| self.value(cell + corner(k)))
    }
}

fn corner(k: usize) -> IVec3 {
    IVec3::new(k as i32 & 1, k as i32 >> 1 & 1, k as i32 >> 2 & 1)
}

/// Half with x ≥ 0 of the connected part that contains `inside`, a point on the plane x = 0.
pub async fn left_half(solid: &Solid, inside: Vec3, bounds: [Vec3; 2], cell: f32) -> Surface {
    let size = ((bounds[1] - bounds[0].with_x(0.0)) / cell)
        .ceil()
        .as_ivec3()
        + 3;
    let mut grid = Grid {
        solid,
        origin: Vec3::new(-0.5 * cell, bounds[0].y - cell, bounds[0].z - cell),
        cell,
        size,
        values: vec![UNKNOWN; (size.x * size.y * size.z) as usize],
    };
    let cells = cells_on_surface(&mut grid, inside).await;
    pause().await;
    let mut number = vec![u32::MAX; grid.values.len()];
    let mut surface = Surface::default();
    for &cell in &cells {
        let index = grid.index(cell);
        number[index] = surface.positions.len() as u32;
        let mut vertex = vertex_in(&mut grid, cell);
        if cell.x == 0 {
            vertex.x = 0.0;
        }
        surface.positions.push(vertex);
    }
    pause().await;
    for &cell in &cells {
        for axis in 0..3 {
            add_quad(&mut grid, &number, cell, axis, &mut surface.triangles);
        }
    }
    surface
}

/// Cells that the surface crosses, connected to the first such cell through crossed faces.
async fn cells_on_surface(grid: &mut Grid<'_>, inside: Vec3) -> Vec<IVec3> {
    let mut cell = ((inside - grid.origin) / grid.cell).as_ivec3();
    cell.x = 0;
    while cell.z + 2 < grid.size.z && grid.value(cell + IVec3::Z) < 0.0 {
        cell.z += 1;
    }
    let mut seen = vec![false; grid.values.len()];
    seen[grid.index(cell)] = true;
    let (mut cells, mut next) = (vec![cell], 0);
    while next < cells.len() {
        let cell = cells[next];
        next += 1;
        if next.is_multiple_of(1024) {
            pause().await;
        }
        let values = grid.corners(cell);
        for axis in 0..3 {
            for side in 0..2 {
                let on_face = |k: &usize| k >> axis & 1 == side;
                let inside = (0..8).filter(on_face).filter(|&k| values[k] < 0.0).count();
                let mut step = IVec3::ZERO;
                step[axis] = 2 * side as i32 - 1;
                let there = cell + step;
                let exists = there.cmpge(IVec3::ZERO).all() && (there + 1).cmplt(grid.size).all();
                if inside % 4 != 0 && exists && !seen[grid.index(there)] {
                    seen[grid.index(there)] = true;
                    cells.push(there);
                }
            }
        }
    }
    cells
}

fn vertex_in(grid: &mut Grid<'_>, cell: IVec3) -> Vec3 {
    let values = grid.corners(cell);
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    for a in 0..8 {
        for axis in 0..3 {
            let b = a | 1 << axis;
            if b != a && (values[a] < 0.0) != (values[b] < 0.0) {
                let t = values[a] / (values[a] - values[b]);
                let mut at = corner(a).as_vec3();
                at[axis] = t;
                sum += at;
                count += 1.0;
            }
        }
    }
    grid.position(cell) + sum * (grid.cell / count)
}

fn add_quad(
    grid: &mut Grid<'_>,
    number: &[u32],
    cell: IVec3,
    axis: usize,
    triangles: &mut Vec<[u32; 3]>,
) {
    let mut along = IVec3::ZERO;
    along[axis] = 1;
    // Edges with negative x belong to the right half.
    if cell.x == 0 {
        return;
    }
    let (here, there) = (grid.value(cell), grid.value(cell + along));
    if (here < 0.0) == (there < 0.0) {
        return;
    }
    let (mut u, mut v) = (IVec3::ZERO, IVec3::ZERO);
    u[(axis + 1) % 3] = 1;
    v[(axis + 2) % 3] = 1;
    let around = [cell - u - v, cell - v, cell, cell - u];
    let [a, b, c, d] = around.map(|c| number[grid.index(c)]);
    if here < 0.0 {
        triangles.extend([[a, b, c], [a, c, d]]);
    } else {
        triangles.extend([[a, c, b], [a, d, c]]);
    }
}
