//! Splines through frames by least squares: the normal equations are banded and the same for every
//! track with the same knots, so they are factored once (Cholesky).

use super::basis::Basis;

/// Keeps the equations solvable where frames say too little about a knot.
const RIDGE: f64 = 1e-6;

/// The least-squares fit of one basis to so many frames.
pub(super) struct Fit {
    pub basis: Basis,
    frames: usize,
    /// `lower[i][k]` is the factor's element (i, i − k).
    lower: Vec<[f64; 4]>,
    /// The interval of each frame and the weights there.
    places: Vec<(usize, [f64; 4])>,
}

impl Fit {
    pub fn new(basis: Basis, frames: usize) -> Self {
        let last = basis.last_interval(frames);
        let places: Vec<_> = (0..frames)
            .map(|frame| {
                let (interval, u) = basis.locate(frame, last);
                (interval, basis.weights(u).map(f64::from))
            })
            .collect();
        let knots = basis.knots(frames);
        let degree = basis.degree();
        let mut normal = vec![[0.0; 4]; knots];
        for (first, w) in &places {
            for x in 0..=degree {
                for y in 0..=x {
                    normal[first + x][x - y] += w[x] * w[y];
                }
            }
        }
        let mut lower = vec![[0.0; 4]; knots];
        for i in 0..knots {
            for k in (0..=degree.min(i)).rev() {
                let j = i - k;
                let mut sum: f64 = normal[i][k];
                if k == 0 {
                    sum += RIDGE;
                }
                for m in 1..=degree.min(j) {
                    if k + m <= degree {
                        sum -= lower[i][k + m] * lower[j][m];
                    }
                }
                lower[i][k] = if k == 0 {
                    sum.sqrt()
                } else {
                    sum / lower[j][0]
                };
            }
        }
        Self {
            basis,
            frames,
            lower,
            places,
        }
    }

    /// The knots of a signal.
    pub fn knots(&self, signal: impl Fn(usize) -> f64) -> Vec<f64> {
        let degree = self.basis.degree();
        let mut knots = vec![0.0; self.lower.len()];
        for frame in 0..self.frames {
            let (first, w) = &self.places[frame];
            let value = signal(frame);
            for x in 0..=degree {
                knots[first + x] += w[x] * value;
            }
        }
        for i in 0..knots.len() {
            let mut sum = knots[i];
            for k in 1..=degree.min(i) {
                sum -= self.lower[i][k] * knots[i - k];
            }
            knots[i] = sum / self.lower[i][0];
        }
        for i in (0..knots.len()).rev() {
            let mut sum = knots[i];
            for k in 1..=degree.min(knots.len() - 1 - i) {
                sum -= self.lower[i + k][k] * knots[i + k];
            }
            knots[i] = sum / self.lower[i][0];
        }
        knots
    }

    /// The spline at a frame.
    pub fn at(&self, knots: &[f64], frame: usize) -> f64 {
        let (first, w) = &self.places[frame];
        let mut sum = 0.0;
        for x in 0..=self.basis.degree() {
            sum += w[x] * knots[first + x];
        }
        sum
    }
}

/// The solution of a 3×3 system by Cramer's rule; `None` when it has none.
pub(super) fn solve3(m: [[f64; 3]; 3], b: [f64; 3]) -> Option<[f64; 3]> {
    let determinant = |m: &[[f64; 3]; 3]| {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
            - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let whole = determinant(&m);
    let mut solution = [0.0; 3];
    for (column, x) in solution.iter_mut().enumerate() {
        let mut replaced = m;
        for row in 0..3 {
            replaced[row][column] = b[row];
        }
        *x = determinant(&replaced) / whole;
    }
    solution.iter().all(|x| x.is_finite()).then_some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spline_of_its_own_kind_is_found_again() {
        for bits in 0..16 {
            let basis = Basis::from_bits(bits).unwrap();
            for frames in [2, 3, 17, 100, 300] {
                // Fewer frames leave knots open.
                if frames <= 1 << basis.log2_spacing {
                    continue;
                }
                let fit = Fit::new(basis, frames);
                // Straight lines are splines of both kinds.
                let knots = fit.knots(|f| 0.3 * f as f64 - 1.0);
                for frame in 0..frames {
                    let error = fit.at(&knots, frame) - (0.3 * frame as f64 - 1.0);
                    assert!(
                        error.abs() < 2e-3 * frames as f64,
                        "{basis:?} {frames} {error}"
                    );
                }
            }
        }
    }
}
