//! The heat of one joint, on the cells that it reaches.
//!
//! (hold + neighbours) w − Σ w of neighbours = hold · source, by conjugate gradients (Hestenes and
//! Stiefel 1952) with the diagonal as preconditioner. Most joints move a few cells of many, so the
//! cells are those of the source and rings around them, more until the outermost stays cold. Unlike
//! sweeps from one end to the other this has no direction, so what is symmetric stays so.

/// Where there is no cell.
pub(crate) const NONE: u32 = u32::MAX;

/// Rings that are added at once.
const RINGS: usize = 4;
/// A cell with less is cold.
const COLD: f32 = 3e-4;
/// Done when no cell is this far from the mean of what surrounds it.
const TOLERANCE: f32 = 1e-5;
/// Never reached but by numbers that are none.
const MAX_STEPS: usize = 2000;

/// Cells and how strongly each holds on to its source, with room for the heat of a joint.
pub(crate) struct Spread<'a> {
    neighbours: &'a [[u32; 6]],
    holds: &'a [f32],
    /// A cell's place in `cells`.
    places: Vec<u32>,
    cells: Vec<u32>,
    /// Places of neighbours; those outside are one past the last, where it is cold.
    around: Vec<[u32; 6]>,
    totals: Vec<f32>,
    sources: Vec<f32>,
    weights: Vec<f32>,
    residual: Vec<f32>,
    direction: Vec<f32>,
    image: Vec<f32>,
}

impl<'a> Spread<'a> {
    pub fn new(neighbours: &'a [[u32; 6]], holds: &'a [f32]) -> Self {
        Self {
            neighbours,
            holds,
            places: vec![NONE; holds.len()],
            cells: Vec::new(),
            around: Vec::new(),
            totals: Vec::new(),
            sources: Vec::new(),
            weights: Vec::new(),
            residual: Vec::new(),
            direction: Vec::new(),
            image: Vec::new(),
        }
    }

    /// The weights of cells when these have a source; cells that are not given have none.
    pub fn from(&mut self, sources: &[(u32, f32)]) -> impl Iterator<Item = (u32, f32)> + '_ {
        for &cell in &self.cells {
            self.places[cell as usize] = NONE;
        }
        self.cells.clear();
        self.weights.clear();
        self.sources.clear();
        for &(cell, weight) in sources {
            self.add(cell);
            self.sources.push(weight);
            self.weights.push(weight);
        }
        let mut ring = 0;
        loop {
            for _ in 0..RINGS {
                let end = self.cells.len();
                for place in ring..end {
                    for neighbour in self.neighbours[self.cells[place] as usize] {
                        if neighbour != NONE && self.places[neighbour as usize] == NONE {
                            self.add(neighbour);
                        }
                    }
                }
                ring = end;
            }
            self.sources.resize(self.cells.len(), 0.0);
            self.weights.resize(self.cells.len(), 0.0);
            self.solve();
            if self.weights[ring..self.cells.len()]
                .iter()
                .all(|w| *w < COLD)
            {
                break;
            }
        }
        self.cells.iter().copied().zip(self.weights.iter().copied())
    }

    fn add(&mut self, cell: u32) {
        self.places[cell as usize] = self.cells.len() as u32;
        self.cells.push(cell);
    }

    fn solve(&mut self) {
        let count = self.cells.len();
        self.around.clear();
        self.totals.clear();
        for &cell in &self.cells {
            let neighbours = self.neighbours[cell as usize];
            let inside = neighbours.iter().filter(|&&n| n != NONE).count();
            self.totals.push(self.holds[cell as usize] + inside as f32);
            self.around.push(neighbours.map(|n| match n {
                NONE => count as u32,
                n => self.places[n as usize].min(count as u32),
            }));
        }
        let Self {
            around,
            totals,
            weights,
            residual,
            direction,
            image,
            ..
        } = self;
        // Cold where there is no cell.
        weights.push(0.0);
        direction.clear();
        direction.resize(count + 1, 0.0);
        image.resize(count, 0.0);
        residual.clear();
        apply(around, totals, weights, image);
        let (mut product, mut most) = (0.0_f64, 0.0_f32);
        for (place, &cell) in self.cells.iter().enumerate() {
            let heat = self.holds[cell as usize] * self.sources[place];
            let rest = heat - image[place];
            let off = rest / totals[place];
            product += f64::from(rest * off);
            most = most.max(off.abs());
            residual.push(rest);
        }
        let mut before = 0.0;
        for _ in 0..MAX_STEPS {
            if most <= TOLERANCE || !product.is_finite() {
                break;
            }
            let turn = if before > 0.0 {
                (product / before) as f32
            } else {
                0.0
            };
            before = product;
            for ((direction, &residual), &total) in
                direction.iter_mut().zip(&*residual).zip(&*totals)
            {
                *direction = residual / total + turn * *direction;
            }
            let bend = apply(around, totals, direction, image);
            let step = (product / bend) as f32;
            (product, most) = (0.0, 0.0);
            let along = direction.iter().zip(&*image).zip(&*totals);
            for ((weight, residual), ((&direction, &image), &total)) in
                weights.iter_mut().zip(&mut *residual).zip(along)
            {
                *weight += step * direction;
                *residual -= step * image;
                let off = *residual / total;
                product += f64::from(*residual * off);
                most = most.max(off.abs());
            }
        }
        weights.pop();
    }
}

/// What the equation's left side makes of values, the last of which is where there is no cell; the sum of
/// the products of values and this.
fn apply(around: &[[u32; 6]], totals: &[f32], values: &[f32], image: &mut [f32]) -> f64 {
    let mut bend = 0.0;
    for (((image, around), &total), &value) in image.iter_mut().zip(around).zip(totals).zip(values)
    {
        let there = around.map(|place| values[place as usize]);
        // Opposite neighbours in pairs, so that a mirror changes no bit.
        let sum = (there[0] + there[1]) + (there[2] + there[3]) + (there[4] + there[5]);
        *image = total * value - sum;
        bend += f64::from(value * *image);
    }
    bend
}
