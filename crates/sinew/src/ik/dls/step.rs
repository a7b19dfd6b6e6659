//! One damped step within bounds. Its unknowns are the rows of the goals, not the joints.

use sinew_math::transform::quat_f64::{add_scaled, dot};

/// Linear problem `columns · steps ≈ errors` with bounds. Columns have three rows per goal.
#[derive(Clone, Debug)]
pub(super) struct Step {
    columns: Vec<Column>,
    parts: Vec<Part>,
    errors: Vec<[f64; 3]>,
    steps: Vec<f64>,
    is_held: Vec<bool>,
    /// 3 × 3 block per pair of goals.
    blocks: Vec<[[f64; 3]; 3]>,
    matrix: Vec<f64>,
    pivot: Vec<f64>,
    solution: Vec<f64>,
    left: Vec<[f64; 3]>,
}

#[derive(Clone, Debug)]
struct Column {
    parts: [usize; 2],
    mobility: f64,
    step_range: [f64; 2],
}

#[derive(Clone, Debug)]
struct Part {
    goal: usize,
    change: [f64; 3],
}

const ROWS: usize = 3;

/// Max number of times that the free steps are solved again after other steps stopped at a bound.
const PASSES: usize = 6;

/// Max step in radians. Beyond it, the linearization is too inaccurate.
const LONGEST_STEP_RAD: f64 = 1.0;

impl Step {
    pub fn new(max_columns: usize, max_goals: usize) -> Self {
        let rows = ROWS * max_goals;
        Self {
            columns: Vec::with_capacity(max_columns),
            parts: Vec::with_capacity(max_columns * max_goals),
            errors: Vec::with_capacity(max_goals),
            steps: Vec::with_capacity(max_columns),
            is_held: Vec::with_capacity(max_columns),
            blocks: Vec::with_capacity(max_goals * max_goals),
            matrix: Vec::with_capacity(rows * rows),
            pivot: Vec::with_capacity(rows),
            solution: Vec::with_capacity(rows),
            left: Vec::with_capacity(max_goals),
        }
    }

    /// Clears goals and columns.
    pub fn begin(&mut self) {
        self.columns.clear();
        self.parts.clear();
        self.errors.clear();
    }

    /// Adds a goal with its error.
    pub fn add_goal(&mut self, error: [f64; 3]) {
        self.errors.push(error);
    }

    /// Adds a column, initially without effects on goals.
    pub fn add_column(&mut self, mobility: f64, step_range: [f64; 2]) {
        let end = self.parts.len();
        self.columns.push(Column {
            parts: [end, end],
            mobility,
            step_range,
        });
    }

    /// Adds the effect of the last column on a goal. Goals must come in ascending order.
    pub fn add_part(&mut self, goal: usize, change: [f64; 3]) {
        self.parts.push(Part { goal, change });
        if let Some(column) = self.columns.last_mut() {
            column.parts[1] = self.parts.len();
        }
    }

    pub fn steps(&self) -> &[f64] {
        &self.steps
    }

    /// Scale for damping: the largest diagonal element of the undamped matrix.
    pub fn scale(&mut self) -> f64 {
        self.left.clear();
        self.left.resize(self.errors.len(), [0.0; 3]);
        for column in &self.columns {
            for part in &self.parts[column.parts[0]..column.parts[1]] {
                let squares = part.change.map(|c| c * c);
                let sum = &mut self.left[part.goal];
                *sum = add_scaled(*sum, squares, column.mobility);
            }
        }
        self.left.iter().flatten().fold(1e-30, |a, &b| a.max(b))
    }

    /// Computes the step for a damping. Returns the predicted decrease of the sum of squares.
    pub fn solve(&mut self, damping: f64) -> f64 {
        self.steps.clear();
        self.steps.resize(self.columns.len(), 0.0);
        self.is_held.clear();
        for column in &self.columns {
            let slope = along(&self.parts, column, &self.errors);
            let [down, up] = column.step_range;
            let is_held = (slope <= 0.0 && down > -1e-9) || (slope >= 0.0 && up < 1e-9);
            self.is_held.push(is_held || column.mobility == 0.0);
        }
        self.left.clear();
        self.left.extend_from_slice(&self.errors);
        let goals = self.errors.len();
        self.blocks.clear();
        self.blocks.resize(goals * goals, [[0.0; 3]; 3]);
        for (column, is_held) in self.columns.iter().zip(&self.is_held) {
            if !is_held {
                add_square(
                    &mut self.blocks,
                    goals,
                    &self.parts,
                    column,
                    column.mobility,
                );
            }
        }
        for pass in 0..PASSES {
            self.solve_free(damping);
            let mut is_stopped = false;
            for (nth, column) in self.columns.iter().enumerate() {
                if self.is_held[nth] {
                    continue;
                }
                let (solution, _) = self.solution.as_chunks::<3>();
                let step = column.mobility * along(&self.parts, column, solution);
                let [down, up] = column.step_range;
                let within = step.max(down).min(up);
                self.steps[nth] = within;
                if within != step && pass + 1 < PASSES {
                    is_stopped = true;
                    self.is_held[nth] = true;
                    take(&mut self.left, &self.parts, column, within);
                    add_square(
                        &mut self.blocks,
                        goals,
                        &self.parts,
                        column,
                        -column.mobility,
                    );
                }
            }
            if !is_stopped {
                break;
            }
        }
        let longest = self.steps.iter().fold(0.0_f64, |most, s| most.max(s.abs()));
        if longest > LONGEST_STEP_RAD {
            let scale = LONGEST_STEP_RAD / longest;
            self.steps.iter_mut().for_each(|s| *s *= scale);
        }
        self.promised()
    }

    /// Solves `(Σ mobility · column · columnᵀ + damping) · solution = left` over the free columns.
    fn solve_free(&mut self, damping: f64) {
        let goals = self.errors.len();
        let n = ROWS * goals;
        self.matrix.clear();
        for i in 0..n {
            let (goal, row) = (i / ROWS, i % ROWS);
            for block in &self.blocks[goal * goals..(goal + 1) * goals] {
                self.matrix.extend_from_slice(&block[row]);
            }
            self.matrix[i * n + i] += damping;
        }
        self.solution.clear();
        self.solution.extend(self.left.iter().flatten());
        self.pivot.clear();
        self.pivot.resize(n, 0.0);
        cholesky(&mut self.matrix, n, &mut self.pivot, &mut self.solution);
    }

    fn promised(&mut self) -> f64 {
        let sum = |errors: &[[f64; 3]]| errors.iter().fold(0.0, |sum, &e| sum + dot(e, e));
        self.left.clear();
        self.left.extend_from_slice(&self.errors);
        for (column, &step) in self.columns.iter().zip(&self.steps) {
            take(&mut self.left, &self.parts, column, step);
        }
        sum(&self.errors) - sum(&self.left)
    }
}

#[inline(always)]
fn along(parts: &[Part], column: &Column, rows: &[[f64; 3]]) -> f64 {
    let [from, to] = column.parts;
    let parts = parts[from..to].iter();
    parts.fold(0.0, |sum, part| sum + dot(part.change, rows[part.goal]))
}

#[inline(always)]
fn take(left: &mut [[f64; 3]], parts: &[Part], column: &Column, step: f64) {
    for part in &parts[column.parts[0]..column.parts[1]] {
        left[part.goal] = add_scaled(left[part.goal], part.change, -step);
    }
}

#[inline(always)]
fn add_square(
    blocks: &mut [[[f64; 3]; 3]],
    goals: usize,
    parts: &[Part],
    column: &Column,
    factor: f64,
) {
    let parts = &parts[column.parts[0]..column.parts[1]];
    for (nth, a) in parts.iter().enumerate() {
        let row = &mut blocks[a.goal * goals..(a.goal + 1) * goals];
        let [x, y, z] = a.change;
        let (x, y, z) = (x * factor, y * factor, z * factor);
        for b in &parts[..=nth] {
            let block = &mut row[b.goal];
            block[0] = add_scaled(block[0], b.change, x);
            block[1] = add_scaled(block[1], b.change, y);
            block[2] = add_scaled(block[2], b.change, z);
        }
    }
}

/// Solves a symmetric positive definite system by right-looking Cholesky. Overwrites `matrix`.
fn cholesky(matrix: &mut [f64], n: usize, pivot: &mut [f64], x: &mut [f64]) {
    for k in 0..n {
        // Damping keeps the pivots positive, except for rounding. The diagonal holds inverses.
        let inverse = 1.0 / matrix[k * n + k].max(1e-300).sqrt();
        matrix[k * n + k] = inverse;
        x[k] *= inverse;
        let known = x[k];
        for i in k + 1..n {
            let row = &mut matrix[i * n..i * n + i + 1];
            row[k] *= inverse;
            let factor = row[k];
            pivot[i] = factor;
            x[i] -= factor * known;
            for (m, p) in row[k + 1..].iter_mut().zip(&pivot[k + 1..=i]) {
                *m -= factor * p;
            }
        }
    }
    for i in (0..n).rev() {
        let row = &matrix[i * n..i * n + i + 1];
        x[i] *= row[i];
        let known = x[i];
        for (x, a) in x.iter_mut().zip(&row[..i]) {
            *x -= a * known;
        }
    }
}
