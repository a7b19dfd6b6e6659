//! Linear systems of a symmetric, positive matrix.

/// The lower triangle whose product with its transpose is the matrix, row by row.
pub(super) struct Cholesky {
    rows: Vec<f64>,
    size: usize,
}

impl Cholesky {
    /// Of the lower half of a matrix; `None` where it is not positive. What is zero at the beginning of a
    /// row stays so, and costs nothing.
    pub fn new(matrix: &[f64], size: usize) -> Option<Self> {
        let mut rows = matrix.to_vec();
        let begins = |i: usize| {
            let row = &matrix[i * size..][..i];
            row.iter().position(|&a| a != 0.0).unwrap_or(i)
        };
        let begins: Vec<usize> = (0..size).map(begins).collect();
        for i in 0..size {
            for j in begins[i]..=i {
                let from = begins[i].max(begins[j]);
                let (a, b) = (&rows[i * size..][from..j], &rows[j * size..][from..j]);
                let sum: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                let left = rows[i * size + j] - sum;
                rows[i * size + j] = match i == j {
                    true if left > 0.0 && left.is_finite() => left.sqrt(),
                    true => return None,
                    false => left / rows[j * size + j],
                };
            }
        }
        Some(Self { rows, size })
    }

    /// Solves `L · x = right` in place.
    pub fn forward(&self, right: &mut [f64]) {
        for i in 0..self.size {
            let row = &self.rows[i * self.size..][..=i];
            let sum: f64 = row[..i].iter().zip(&*right).map(|(a, b)| a * b).sum();
            right[i] = (right[i] - sum) / row[i];
        }
    }

    /// Solves `L · X = right` in place, where the right side has so many columns.
    pub fn forward_rows(&self, right: &mut [f64], columns: usize) {
        for i in 0..self.size {
            let (above, rest) = right.split_at_mut(i * columns);
            let row = &mut rest[..columns];
            let factors = &self.rows[i * self.size..][..=i];
            for (j, &factor) in factors[..i].iter().enumerate().filter(|f| *f.1 != 0.0) {
                for (x, y) in row.iter_mut().zip(&above[j * columns..][..columns]) {
                    *x -= factor * y;
                }
            }
            row.iter_mut().for_each(|x| *x /= factors[i]);
        }
    }

    /// Solves `Lᵀ · x = right` in place.
    pub fn backward(&self, right: &mut [f64]) {
        for i in (0..self.size).rev() {
            let row = &self.rows[i * self.size..][..=i];
            right[i] /= row[i];
            let x = right[i];
            for (right, a) in right[..i].iter_mut().zip(row) {
                *right -= a * x;
            }
        }
    }

    /// Solves the system in place.
    pub fn solve(&self, right: &mut [f64]) {
        self.forward(right);
        self.backward(right);
    }

    /// The diagonal of the inverse.
    pub fn inverse_diagonal(&self) -> Vec<f64> {
        let column = |i: usize| {
            let mut unit = vec![0.0; self.size];
            unit[i] = 1.0;
            self.forward(&mut unit);
            unit.iter().map(|x| x * x).sum()
        };
        (0..self.size).map(column).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_it_should() {
        let matrix = [4.0, 2.0, 0.4, 2.0, 5.0, 1.0, 0.4, 1.0, 3.0];
        let factor = Cholesky::new(&matrix, 3).expect("positive");
        let mut x = [1.0, -2.0, 0.5];
        factor.solve(&mut x);
        for i in 0..3 {
            let row: f64 = (0..3).map(|j| matrix[3 * i + j] * x[j]).sum();
            assert!((row - [1.0, -2.0, 0.5][i]).abs() < 1e-12);
        }
        let mut unit = [0.0, 1.0, 0.0];
        factor.solve(&mut unit);
        assert!((factor.inverse_diagonal()[1] - unit[1]).abs() < 1e-12);
        assert!(Cholesky::new(&[1.0, 2.0, 2.0, 1.0], 2).is_none());
    }
}
