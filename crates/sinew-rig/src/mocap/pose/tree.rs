//! Linear systems with a symmetric positive definite matrix whose unknowns form a tree.
//! Two unknowns share an entry only if one is an ancestor of the other. A row holds the entries on
//! the path from the root to its unknown. The factorization `H = Lᵀ · L` starts at the leaves, so
//! it keeps this layout and adds no entries (Featherstone, Rigid Body Dynamics Algorithms, 2008,
//! §6.5). A tree without branches is a dense matrix.

#[derive(Clone, Debug)]
pub(crate) struct Tree {
    above: Vec<Option<usize>>,
    rows: Vec<usize>,
}

impl Tree {
    pub fn new(above: Vec<Option<usize>>) -> Self {
        let mut lengths: Vec<usize> = Vec::with_capacity(above.len());
        let mut rows = vec![0];
        for (k, above) in above.iter().enumerate() {
            debug_assert!(above.is_none_or(|above| above < k));
            lengths.push(above.map_or(1, |above| lengths[above] + 1));
            rows.push(rows[k] + lengths[k]);
        }
        Self { above, rows }
    }

    /// Chain in which each unknown is the child of the previous unknown. Its matrix is dense.
    pub fn path(count: usize) -> Self {
        Self::new((0..count).map(|k| k.checked_sub(1)).collect())
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.above.len()
    }

    /// Number of entries of a matrix.
    pub fn entries(&self) -> usize {
        self.rows[self.len()]
    }

    /// Parent of an unknown.
    pub fn above(&self, k: usize) -> Option<usize> {
        self.above[k]
    }

    /// Range of a row in the matrix. The last entry of the row is on the diagonal.
    pub fn row(&self, k: usize) -> std::ops::Range<usize> {
        self.rows[k]..self.rows[k + 1]
    }

    /// Index of a diagonal entry.
    pub fn diagonal(&self, k: usize) -> usize {
        self.rows[k + 1] - 1
    }

    /// Product of a matrix and a vector.
    pub fn multiply(&self, matrix: &[f64], by: &[f64], out: &mut [f64]) {
        for k in 0..self.len() {
            let row = &matrix[self.row(k)];
            let mut sum = row[row.len() - 1] * by[k];
            let mut nth = row.len() - 1;
            let mut next = self.above[k];
            while let Some(i) = next {
                nth -= 1;
                sum += row[nth] * by[i];
                out[i] += row[nth] * by[k];
                next = self.above[i];
            }
            out[k] = sum;
        }
    }

    /// Removes unknowns: their rows and columns become rows and columns of the identity.
    pub fn take_out(&self, matrix: &mut [f64], taken: &[bool]) {
        for k in 0..self.len() {
            let mut next = Some(k);
            for entry in matrix[self.row(k)].iter_mut().rev() {
                let Some(i) = next else { break };
                if taken[k] || taken[i] {
                    *entry = if i == k { 1.0 } else { 0.0 };
                }
                next = self.above[i];
            }
        }
    }

    /// Replaces a matrix with its factor. False if the matrix is not positive definite.
    #[must_use]
    pub fn factor(&self, matrix: &mut [f64]) -> bool {
        for k in (0..self.len()).rev() {
            let (before, row) = matrix[..self.rows[k + 1]].split_at_mut(self.rows[k]);
            let Some((pivot, row)) = row.split_last_mut() else {
                return false;
            };
            if !(*pivot > 0.0 && pivot.is_finite()) {
                return false;
            }
            *pivot = pivot.sqrt();
            let inverse = 1.0 / *pivot;
            row.iter_mut().for_each(|x| *x *= inverse);
            let mut next = self.above[k];
            while let Some(i) = next {
                let out = &mut before[self.row(i)];
                let row = &row[..out.len()];
                let by = row[row.len() - 1];
                if by != 0.0 {
                    for (out, x) in out.iter_mut().zip(row) {
                        *out -= by * x;
                    }
                }
                next = self.above[i];
            }
        }
        true
    }

    /// Solves `Lᵀ · x = right` from the leaves and writes x to `right`.
    pub fn up(&self, factor: &[f64], right: &mut [f64]) {
        for k in (0..self.len()).rev() {
            let row = &factor[self.row(k)];
            let mut nth = row.len() - 1;
            let x = right[k] / row[nth];
            right[k] = x;
            let mut next = self.above[k];
            while let Some(i) = next {
                nth -= 1;
                right[i] -= row[nth] * x;
                next = self.above[i];
            }
        }
    }

    /// Solves `L · x = right` from the root and writes x to `right`.
    pub fn down(&self, factor: &[f64], right: &mut [f64]) {
        for k in 0..self.len() {
            let row = &factor[self.row(k)];
            let mut nth = row.len() - 1;
            let pivot = row[nth];
            let mut x = right[k];
            let mut next = self.above[k];
            while let Some(i) = next {
                nth -= 1;
                x -= row[nth] * right[i];
                next = self.above[i];
            }
            right[k] = x / pivot;
        }
    }

    /// Solves the factored system and writes the solution to `right`.
    pub fn solve(&self, factor: &[f64], right: &mut [f64]) {
        self.up(factor, right);
        self.down(factor, right);
    }

    /// Diagonal of the inverse matrix. Replaces `factor` with its own inverse.
    pub fn inverse_diagonal(&self, factor: &mut [f64]) -> Vec<f64> {
        let mut diagonal = Vec::with_capacity(self.len());
        let mut own = Vec::new();
        for k in 0..self.len() {
            let (before, row) = factor[..self.rows[k + 1]].split_at_mut(self.rows[k]);
            own.clear();
            own.extend_from_slice(row);
            row.fill(0.0);
            let last = row.len() - 1;
            let mut next = self.above[k];
            while let Some(i) = next {
                let inverse = &before[self.row(i)];
                let by = own[inverse.len() - 1];
                if by != 0.0 {
                    for (x, inverse) in row.iter_mut().zip(inverse) {
                        *x -= by * inverse;
                    }
                }
                next = self.above[i];
            }
            row[last] = 1.0;
            let scale = 1.0 / own[last];
            row.iter_mut().for_each(|x| *x *= scale);
            diagonal.push(row.iter().map(|x| x * x).sum());
        }
        diagonal
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(tree: &Tree, rows: &[f64]) -> Vec<Vec<f64>> {
        let mut whole = vec![vec![0.0; tree.len()]; tree.len()];
        for k in 0..tree.len() {
            let mut next = Some(k);
            for entry in rows[tree.row(k)].iter().rev() {
                let i = next.expect("as many above as entries");
                (whole[k][i], whole[i][k]) = (*entry, *entry);
                next = tree.above(i);
            }
        }
        whole
    }

    #[test]
    fn solves_what_it_should() {
        let branches = vec![None, Some(0), Some(1), Some(1), Some(0), Some(4)];
        for tree in [Tree::new(branches), Tree::path(5)] {
            let n = tree.len();
            let mut matrix = vec![0.3; tree.entries()];
            for k in 0..n {
                matrix[tree.diagonal(k)] = 3.0 + k as f64;
                matrix[tree.row(k).start] += 0.1 * k as f64;
            }
            let whole = whole(&tree, &matrix);
            let by: Vec<f64> = (0..n).map(|k| 0.3 + k as f64).collect();
            let mut product = vec![0.0; n];
            tree.multiply(&matrix, &by, &mut product);
            for k in 0..n {
                let row: f64 = whole[k].iter().zip(&by).map(|(a, x)| a * x).sum();
                assert!((row - product[k]).abs() < 1e-12);
            }
            let mut factor = matrix.clone();
            assert!(tree.factor(&mut factor));
            let right: Vec<f64> = (0..n).map(|k| 1.0 - 0.7 * k as f64).collect();
            let mut x = right.clone();
            tree.solve(&factor, &mut x);
            for k in 0..n {
                let row: f64 = whole[k].iter().zip(&x).map(|(a, x)| a * x).sum();
                assert!((row - right[k]).abs() < 1e-12);
            }
            let diagonal = tree.inverse_diagonal(&mut factor.clone());
            for k in 0..n {
                let mut unit = vec![0.0; n];
                unit[k] = 1.0;
                tree.solve(&factor, &mut unit);
                assert!((diagonal[k] - unit[k]).abs() < 1e-12);
            }
        }
        assert!(!Tree::path(2).factor(&mut [1.0, 2.0, 1.0]));
        assert!(!Tree::path(1).factor(&mut [f64::NAN]));
    }
}
