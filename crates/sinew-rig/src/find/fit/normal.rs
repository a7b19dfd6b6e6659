//! Normal equations of a least squares problem, and their solution (Cholesky).

/// Sum of squares of linear residuals.
pub(crate) struct Normal {
    size: usize,
    /// Lower triangle, row by row.
    matrix: Vec<f64>,
    right: Vec<f64>,
}

impl Normal {
    pub fn new(size: usize) -> Self {
        Self {
            size,
            matrix: vec![0.0; size * size],
            right: vec![0.0; size],
        }
    }

    /// Adds `weight` times the square of `residual` + Σ slope × step.
    pub fn add(&mut self, slopes: &[(usize, f64)], residual: f64, weight: f64) {
        for &(row, a) in slopes {
            self.right[row] -= weight * a * residual;
            for &(column, b) in slopes {
                if column <= row {
                    self.matrix[row * self.size + column] += weight * a * b;
                }
            }
        }
    }

    /// Steps with the least sum, with `damping` on each.
    pub fn solve(mut self, damping: f64) -> Vec<f64> {
        let n = self.size;
        for row in 0..n {
            self.matrix[row * n + row] += damping;
        }
        for j in 0..n {
            let (above, below) = self.matrix.split_at_mut((j + 1) * n);
            let head = &mut above[j * n..];
            let left: f64 = head[..j].iter().map(|x| x * x).sum();
            let pivot = (head[j] - left).max(1e-12).sqrt();
            head[j] = pivot;
            for row in below.chunks_exact_mut(n) {
                let dot: f64 = row[..j].iter().zip(&head[..j]).map(|(a, b)| a * b).sum();
                row[j] = (row[j] - dot) / pivot;
            }
        }
        let mut x = self.right;
        for row in 0..n {
            let known = &self.matrix[row * n..row * n + row];
            let dot: f64 = known.iter().zip(&x).map(|(a, b)| a * b).sum();
            x[row] = (x[row] - dot) / self.matrix[row * n + row];
        }
        for row in (0..n).rev() {
            x[row] /= self.matrix[row * n + row];
            for column in 0..row {
                x[column] -= self.matrix[row * n + column] * x[row];
            }
        }
        x
    }
}
