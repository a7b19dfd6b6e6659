//! Least-squares fit of lines to frames. The normal equations are tridiagonal. All tracks with the
//! same knots share them, so they are factored once (Cholesky).

use sinew::clip::packed::format::{Spacing, UnevenTimes};

/// Ridge that keeps the equations solvable for knots with too few frames.
const RIDGE: f64 = 1e-6;

pub(crate) struct Fit {
    pub spacing: Spacing,
    frames: usize,
    /// Elements (i, i) and (i, i − 1) of the Cholesky factor.
    lower: Vec<[f64; 2]>,
    /// Interval of each frame and the weights of its two knots.
    intervals: Vec<(usize, [f64; 2])>,
}

impl Fit {
    pub fn new(spacing: Spacing, times: &[f32], are_uneven: bool) -> Self {
        let frames = times.len();
        let last = spacing.last_interval(frames);
        let intervals: Vec<_> = (0..frames)
            .map(|frame| {
                let (interval, u) = if are_uneven {
                    UnevenTimes(times).locate(spacing, frame, 0.0, last)
                } else {
                    spacing.locate(frame, 0.0, last)
                };
                (interval, [1.0 - f64::from(u), f64::from(u)])
            })
            .collect();
        let mut lower = vec![[RIDGE, 0.0]; spacing.knots(frames)];
        for &(first, [a, b]) in &intervals {
            lower[first][0] += a * a;
            lower[first + 1][0] += b * b;
            lower[first + 1][1] += a * b;
        }
        let mut above = 1.0;
        for row in &mut lower {
            row[1] /= above;
            row[0] = (row[0] - row[1] * row[1]).sqrt();
            above = row[0];
        }
        Self {
            spacing,
            frames,
            lower,
            intervals,
        }
    }

    /// Knots that fit a signal best.
    pub fn knots(&self, signal: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut knots = vec![0.0; self.lower.len()];
        for frame in 0..self.frames {
            let (first, [a, b]) = self.intervals[frame];
            let value = signal(frame);
            knots[first] += a * value;
            knots[first + 1] += b * value;
        }
        let mut before = 0.0;
        for (knot, [diagonal, off]) in knots.iter_mut().zip(&self.lower) {
            *knot = (*knot - off * before) / diagonal;
            before = *knot;
        }
        let mut after = 0.0;
        for (knot, [diagonal, off]) in knots.iter_mut().zip(&self.lower).rev() {
            *knot = (*knot - after) / diagonal;
            after = off * *knot;
        }
        knots
    }

    /// Value of the line at a frame.
    pub fn at(&self, knots: &[f64], frame: usize) -> f64 {
        let (first, [a, b]) = self.intervals[frame];
        a * knots[first] + b * knots[first + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_knots_is_found_again() {
        for spacing in Spacing::all() {
            for frames in [2, 3, 17, 100, 300] {
                // With fewer frames, some knots are undetermined.
                if frames <= 1 << spacing.log2 {
                    continue;
                }
                for are_uneven in [false, true] {
                    let off = |f: usize| {
                        if are_uneven {
                            0.4 * (f % 3) as f32
                        } else {
                            0.0
                        }
                    };
                    let times: Vec<f32> = (0..frames).map(|f| f as f32 + off(f)).collect();
                    let line = |f: usize| 0.3 * f64::from(times[f]) - 1.0;
                    let fit = Fit::new(spacing, &times, are_uneven);
                    let knots = fit.knots(line);
                    for frame in 0..frames {
                        let error = fit.at(&knots, frame) - line(frame);
                        assert!(
                            error.abs() < 2e-3 * frames as f64,
                            "{spacing:?} {frames} {error}"
                        );
                    }
                }
            }
        }
    }
}
