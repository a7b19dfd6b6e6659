//! Diffuses the heat of a few joints at once, each in the cells that it reaches.
//! Solves (hold + neighbours) w − Σ w of neighbours = hold · source by conjugate gradients
//! (Hestenes and Stiefel 1952), with the diagonal as preconditioner. Most joints reach few cells.
//! So the system starts with the cells of the source and adds rings around them until the outermost
//! ring stays cold. Unlike sweeps, this has no direction, so it keeps symmetry.

use glam::{DVec4, Vec4};

pub(crate) const NONE: u32 = u32::MAX;

/// Number of joints per pass. One SIMD vector holds their values in a cell.
pub(crate) const LANES: usize = 4;

const RINGS: usize = 4;
const COLD: f32 = 3e-4;
/// Max difference between the value of a cell and the value from its equation.
const TOLERANCE: f32 = 1e-5;
/// Max number of steps. Only NaN reaches it.
const MAX_STEPS: usize = 2000;

pub(crate) struct Spread<'a> {
    neighbours: &'a [[u32; 6]],
    holds: &'a [f32],
    places: Vec<u32>,
    /// Cells that at least one joint reaches. The lists below have the same order.
    cells: Vec<u32>,
    reached: Vec<[bool; LANES]>,
    sources: Vec<Vec4>,
    weights: Vec<Vec4>,
    /// Indices of neighbours. A neighbour outside has the index after the last cell, which is cold.
    around: Vec<[u32; 6]>,
    totals: Vec<f32>,
    /// 1 / total for cells that a joint reaches. 0 elsewhere, so that the heat stays 0.
    inverse: Vec<Vec4>,
    residual: Vec<Vec4>,
    direction: Vec<Vec4>,
    image: Vec<Vec4>,
}

impl<'a> Spread<'a> {
    pub fn new(neighbours: &'a [[u32; 6]], holds: &'a [f32]) -> Self {
        Self {
            neighbours,
            holds,
            places: vec![NONE; holds.len()],
            cells: Vec::new(),
            reached: Vec::new(),
            sources: Vec::new(),
            weights: Vec::new(),
            around: Vec::new(),
            totals: Vec::new(),
            inverse: Vec::new(),
            residual: Vec::new(),
            direction: Vec::new(),
            image: Vec::new(),
        }
    }

    /// Weights of cells, from a list of sources for each of up to [`LANES`] joints.
    pub fn from(&mut self, sources: &[Vec<(u32, f32)>]) -> impl Iterator<Item = (u32, Vec4)> + '_ {
        for &cell in &self.cells {
            self.places[cell as usize] = NONE;
        }
        self.cells.clear();
        self.reached.clear();
        self.sources.clear();
        self.weights.clear();
        // Joints whose heat may reach farther, with the indices of their outermost ring.
        let mut growing: Vec<(usize, Vec<u32>)> = Vec::with_capacity(LANES);
        for (lane, sources) in sources.iter().enumerate() {
            let mut ring = Vec::with_capacity(sources.len());
            for &(cell, weight) in sources {
                let place = self.place(cell);
                self.reached[place][lane] = true;
                self.sources[place][lane] = weight;
                self.weights[place][lane] = weight;
                ring.push(place as u32);
            }
            growing.push((lane, ring));
        }
        while !growing.is_empty() {
            for (lane, ring) in &mut growing {
                for _ in 0..RINGS {
                    *ring = self.next_ring(*lane, ring);
                }
            }
            self.solve();
            growing.retain(|(lane, ring)| {
                let mut weights = ring
                    .iter()
                    .map(|&place| self.weights[place as usize][*lane]);
                !weights.all(|weight| weight < COLD)
            });
        }
        self.cells.iter().copied().zip(self.weights.iter().copied())
    }

    fn place(&mut self, cell: u32) -> usize {
        let place = &mut self.places[cell as usize];
        if *place == NONE {
            *place = self.cells.len() as u32;
            self.cells.push(cell);
            self.reached.push([false; LANES]);
            self.sources.push(Vec4::ZERO);
            self.weights.push(Vec4::ZERO);
        }
        *place as usize
    }

    fn next_ring(&mut self, lane: usize, ring: &[u32]) -> Vec<u32> {
        let mut next = Vec::new();
        for &place in ring {
            let neighbours = self.neighbours[self.cells[place as usize] as usize];
            for neighbour in neighbours.into_iter().filter(|&n| n != NONE) {
                let place = self.place(neighbour);
                if !self.reached[place][lane] {
                    self.reached[place][lane] = true;
                    next.push(place as u32);
                }
            }
        }
        next
    }

    fn solve(&mut self) {
        let count = self.cells.len();
        self.around.clear();
        self.totals.clear();
        self.inverse.clear();
        for (&cell, reached) in self.cells.iter().zip(&self.reached) {
            let neighbours = self.neighbours[cell as usize];
            let inside = neighbours.iter().filter(|&&n| n != NONE).count();
            let total = self.holds[cell as usize] + inside as f32;
            self.totals.push(total);
            let inverse = reached.map(|reached| if reached { 1.0 / total } else { 0.0 });
            self.inverse.push(Vec4::from_array(inverse));
            self.around.push(neighbours.map(|n| match n {
                NONE => count as u32,
                n => self.places[n as usize].min(count as u32),
            }));
        }
        let Self {
            around,
            totals,
            inverse,
            weights,
            residual,
            direction,
            image,
            ..
        } = self;
        weights.push(Vec4::ZERO);
        direction.clear();
        direction.resize(count + 1, Vec4::ZERO);
        image.resize(count, Vec4::ZERO);
        residual.clear();
        apply(around, totals, weights, image);
        let mut off = Off::default();
        for (place, &cell) in self.cells.iter().enumerate() {
            let heat = self.holds[cell as usize] * self.sources[place];
            residual.push(heat - image[place]);
            off.add(residual[place], inverse[place]);
        }
        let mut before = DVec4::ZERO;
        for _ in 0..MAX_STEPS {
            let is_going = off.is_going();
            if !is_going.contains(&true) {
                break;
            }
            let part = |lane: usize, of: DVec4| {
                if is_going[lane] && of[lane] > 0.0 {
                    (off.product[lane] / of[lane]) as f32
                } else {
                    0.0
                }
            };
            let turn = Vec4::from_array(std::array::from_fn(|lane| part(lane, before)));
            for ((direction, &residual), &inverse) in
                direction.iter_mut().zip(&*residual).zip(&*inverse)
            {
                *direction = residual * inverse + turn * *direction;
            }
            let bend = apply(around, totals, direction, image);
            let step = Vec4::from_array(std::array::from_fn(|lane| part(lane, bend)));
            before = off.product;
            off = Off::default();
            let along = direction.iter().zip(&*image).zip(&*inverse);
            for ((weight, residual), ((&direction, &image), &inverse)) in
                weights.iter_mut().zip(&mut *residual).zip(along)
            {
                *weight += step * direction;
                *residual -= step * image;
                off.add(*residual, inverse);
            }
        }
        weights.pop();
    }
}

#[derive(Default)]
struct Off {
    product: DVec4,
    most: Vec4,
}

impl Off {
    fn add(&mut self, residual: Vec4, inverse: Vec4) {
        let off = residual * inverse;
        self.product += (residual * off).as_dvec4();
        self.most = self.most.max(off.abs());
    }

    fn is_going(&self) -> [bool; LANES] {
        std::array::from_fn(|lane| self.most[lane] > TOLERANCE && self.product[lane].is_finite())
    }
}

/// Left side of the equation, and its dot product with the values. The last value is cold.
fn apply(around: &[[u32; 6]], totals: &[f32], values: &[Vec4], image: &mut [Vec4]) -> DVec4 {
    let mut bend = DVec4::ZERO;
    for (((image, around), &total), &value) in image.iter_mut().zip(around).zip(totals).zip(values)
    {
        let there = around.map(|place| values[place as usize]);
        // Opposite neighbours in pairs, so that a mirrored mesh gives the same bits.
        let sum = (there[0] + there[1]) + (there[2] + there[3]) + (there[4] + there[5]);
        *image = total * value - sum;
        bend += (value * *image).as_dvec4();
    }
    bend
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block([nx, ny, nz]: [u32; 3]) -> Vec<[u32; 6]> {
        let at = |x: u32, y: u32, z: u32| {
            if x < nx && y < ny && z < nz {
                x + nx * (y + ny * z)
            } else {
                NONE
            }
        };
        let cells = 0..nx * ny * nz;
        let places = cells.map(|cell| [cell % nx, cell / nx % ny, cell / (nx * ny)]);
        let neighbours = places.map(|[x, y, z]| {
            let less = |c: u32| c.wrapping_sub(1);
            [
                at(x + 1, y, z),
                at(less(x), y, z),
                at(x, y + 1, z),
                at(x, less(y), z),
                at(x, y, z + 1),
                at(x, y, less(z)),
            ]
        });
        neighbours.collect()
    }

    #[test]
    fn joints_solved_together_are_solved_as_each_alone() {
        let neighbours = block([60, 7, 5]);
        let holds: Vec<f32> = (0..neighbours.len())
            .map(|cell| 0.05 + 0.4 * (cell % 11) as f32 / 11.0)
            .collect();
        let source = |cells: std::ops::Range<u32>, weight: f32| -> Vec<(u32, f32)> {
            cells.map(|cell| (cell, weight)).collect()
        };
        let sources = [
            source(0..40, 1.0),
            source(1000..1030, 0.5),
            source(0..neighbours.len() as u32, 0.25),
            Vec::new(),
        ];
        let mut spread = Spread::new(&neighbours, &holds);
        let mut heat = |sources: &[Vec<(u32, f32)>]| {
            let mut heat = vec![Vec4::ZERO; neighbours.len()];
            for (cell, weights) in spread.from(sources) {
                heat[cell as usize] = weights;
            }
            heat
        };
        let together = heat(&sources);
        for lane in 0..LANES {
            let alone = heat(&sources[lane..=lane]);
            for (cell, neighbours) in neighbours.iter().enumerate() {
                let own = together[cell][lane];
                assert!((own - alone[cell][0]).abs() < 1e-6, "{lane}: {cell}");
                if own > 10.0 * COLD {
                    let inside = neighbours.iter().filter(|n| **n != NONE);
                    let around: f32 = inside.clone().map(|&n| together[n as usize][lane]).sum();
                    let source = sources[lane]
                        .iter()
                        .find(|source| source.0 as usize == cell);
                    let heat = holds[cell] * source.map_or(0.0, |source| source.1);
                    let total = holds[cell] + inside.count() as f32;
                    let off = own - (around + heat) / total;
                    assert!(off.abs() < 2.0 * TOLERANCE, "{lane}: {cell}: {off}");
                }
            }
        }
        assert!(together.iter().any(|heat| heat[0] == 0.0 && heat[1] > 0.0));
        assert!(together.iter().all(|heat| heat[3] == 0.0));
    }
}
