//! One damped step within bounds, in as many unknowns as the goals have rows.

/// A linear problem, `columns · steps ≈ errors`, with room for each step; and its solution.
#[derive(Clone, Debug)]
pub(super) struct Step {
    rows: usize,
    /// One after the other, each of `rows` numbers.
    columns: Vec<f64>,
    /// The rows of each column that are not 0, from and to.
    spans: Vec<[usize; 2]>,
    mobility: Vec<f64>,
    room: Vec<[f64; 2]>,
    errors: Vec<f64>,
    steps: Vec<f64>,
    is_held: Vec<bool>,
    matrix: Vec<f64>,
    solution: Vec<f64>,
    left: Vec<f64>,
}

/// How often the rest is solved again after some steps were stopped at a bound.
const PASSES: usize = 6;

/// Farther than this a linear picture of turns means nothing.
const LONGEST_STEP_RAD: f64 = 1.0;

impl Step {
    pub fn new(most_columns: usize, most_rows: usize) -> Self {
        Self {
            rows: 0,
            columns: Vec::with_capacity(most_columns * most_rows),
            spans: Vec::with_capacity(most_columns),
            mobility: Vec::with_capacity(most_columns),
            room: Vec::with_capacity(most_columns),
            errors: Vec::with_capacity(most_rows),
            steps: Vec::with_capacity(most_columns),
            is_held: Vec::with_capacity(most_columns),
            matrix: Vec::with_capacity(most_rows * most_rows),
            solution: Vec::with_capacity(most_rows),
            left: Vec::with_capacity(most_rows),
        }
    }

    /// Begins a problem with so many rows, all errors 0.
    pub fn begin(&mut self, rows: usize) {
        self.rows = rows;
        self.columns.clear();
        self.spans.clear();
        self.mobility.clear();
        self.room.clear();
        self.errors.clear();
        self.errors.resize(rows, 0.0);
    }

    pub fn set_error(&mut self, row: usize, error: [f64; 3]) {
        self.errors[row..row + 3].copy_from_slice(&error);
    }

    /// Adds a step that is 0 in all rows so far.
    pub fn add_column(&mut self, mobility: f64, room: [f64; 2]) {
        self.columns.resize(self.columns.len() + self.rows, 0.0);
        self.spans.push([self.rows, 0]);
        self.mobility.push(mobility);
        self.room.push(room);
    }

    pub fn set(&mut self, column: usize, row: usize, numbers: [f64; 3]) {
        let at = column * self.rows + row;
        self.columns[at..at + 3].copy_from_slice(&numbers);
        let span = &mut self.spans[column];
        *span = [span[0].min(row), span[1].max(row + 3)];
    }

    pub fn steps(&self) -> &[f64] {
        &self.steps
    }

    /// What damping is measured by: the largest diagonal element of the undamped matrix.
    pub fn scale(&self) -> f64 {
        let mut most = 0.0_f64;
        for row in 0..self.rows {
            let columns = self.columns.chunks_exact(self.rows).zip(&self.mobility);
            let sum: f64 = columns.map(|(c, m)| c[row] * c[row] * m).sum();
            most = most.max(sum);
        }
        most.max(1e-30)
    }

    /// Finds the step for a damping; by how much the sum of squares falls if all is linear.
    pub fn solve(&mut self, damping: f64) -> f64 {
        let count = self.spans.len();
        self.steps.clear();
        self.steps.resize(count, 0.0);
        self.is_held.clear();
        for nth in 0..count {
            let slope = self.along(nth, &self.errors);
            let [down, up] = self.room[nth];
            let is_held = (slope <= 0.0 && down > -1e-9) || (slope >= 0.0 && up < 1e-9);
            self.is_held.push(is_held || self.mobility[nth] == 0.0);
        }
        self.left.clear();
        self.left.extend_from_slice(&self.errors);
        for pass in 0..PASSES {
            self.solve_free(damping);
            let mut is_stopped = false;
            for nth in 0..count {
                if self.is_held[nth] {
                    continue;
                }
                let step = self.mobility[nth] * self.along(nth, &self.solution);
                let [down, up] = self.room[nth];
                let within = step.max(down).min(up);
                self.steps[nth] = within;
                if within != step && pass + 1 < PASSES {
                    is_stopped = true;
                    self.is_held[nth] = true;
                    let ([from, to], at) = (self.spans[nth], nth * self.rows);
                    for row in from..to {
                        self.left[row] -= within * self.columns[at + row];
                    }
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

    fn along(&self, column: usize, rows: &[f64]) -> f64 {
        let ([from, to], at) = (self.spans[column], column * self.rows);
        if from >= to {
            return 0.0;
        }
        let numbers = self.columns[at + from..at + to].iter();
        let products = numbers.zip(&rows[from..to]).map(|(a, b)| a * b);
        products.fold(0.0, |sum, x| sum + x)
    }

    /// Solves `(Σ mobility · column · columnᵀ + damping) · solution = left` over columns not held.
    fn solve_free(&mut self, damping: f64) {
        let n = self.rows;
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        for (nth, column) in self.columns.chunks_exact(n).enumerate() {
            if self.is_held[nth] {
                continue;
            }
            let [from, to] = self.spans[nth];
            for i in from..to {
                let scaled = column[i] * self.mobility[nth];
                let row = &mut self.matrix[i * n + from..=i * n + i];
                for (m, c) in row.iter_mut().zip(&column[from..=i]) {
                    *m += scaled * c;
                }
            }
        }
        self.solution.clear();
        self.solution.extend_from_slice(&self.left);
        for i in 0..n {
            self.matrix[i * n + i] += damping;
        }
        cholesky(&mut self.matrix, n, &mut self.solution);
    }

    fn promised(&mut self) -> f64 {
        let before: f64 = self.errors.iter().map(|e| e * e).sum();
        self.left.clear();
        self.left.extend_from_slice(&self.errors);
        for (nth, column) in self.columns.chunks_exact(self.rows).enumerate() {
            let [from, to] = self.spans[nth];
            for row in from..to {
                self.left[row] -= self.steps[nth] * column[row];
            }
        }
        let after: f64 = self.left.iter().map(|e| e * e).sum();
        before - after
    }
}

/// Solves a symmetric positive definite system in place, given by its lower half.
fn cholesky(matrix: &mut [f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        let (above, row) = matrix.split_at_mut(i * n);
        for j in 0..i {
            let other = &above[j * n..j * n + j + 1];
            let products = row[..j].iter().zip(other).map(|(a, b)| a * b);
            let sum = products.fold(0.0, |sum, x| sum + x);
            row[j] = (row[j] - sum) * other[j];
        }
        let squares = row[..i].iter().map(|a| a * a);
        let left = row[i] - squares.fold(0.0, |sum, x| sum + x);
        // The diagonal holds inverses. Damping keeps what is left above 0 but for rounding.
        row[i] = 1.0 / left.max(1e-300).sqrt();
    }
    for i in 0..n {
        let row = &matrix[i * n..i * n + i + 1];
        let products = row[..i].iter().zip(x.iter()).map(|(a, b)| a * b);
        let sum = products.fold(0.0, |sum, x| sum + x);
        x[i] = (x[i] - sum) * row[i];
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
