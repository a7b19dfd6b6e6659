//! Drift of the hips, from the drift of standing feet.
//!
//! A foot stands at one position during a contact. Where it is not, the hips drift, or the leg is
//! noisy. So the correction of the hips is the path with the least sum of three squares: the distances
//! of standing feet from their means, the correction itself, so that it does not add up, and its third
//! differences.

use super::smooth::Factor;
use glam::DVec3;
use std::f64::consts::TAU;

/// Weight of the correction relative to a standing foot.
const RETURN: f64 = 1.0;
/// Frequency, in hertz, above which hips do not drift.
const FASTEST_HZ: f64 = 2.0;
/// Number of times that means and path are found from each other.
const ROUNDS: usize = 30;

/// Positions of a foot during a contact, with the weight of each in [0, 1].
pub(super) struct Standing {
    pub first: usize,
    pub positions: Vec<DVec3>,
    pub weights: Vec<f64>,
}

impl Standing {
    /// Mean position on moved hips.
    pub fn mean(&self, moved: &[DVec3]) -> DVec3 {
        let all: f64 = self.weights.iter().sum();
        let even = if all > 0.0 { 0.0 } else { 1.0 };
        let parts = self
            .positions
            .iter()
            .zip(&self.weights)
            .zip(&moved[self.first..]);
        let sum: DVec3 = parts.map(|((p, w), moved)| (w + even) * (p + moved)).sum();
        sum / (all + even * self.positions.len() as f64)
    }
}

/// Correction of the hips per frame.
pub(super) fn correction(contacts: &[&Standing], frames: usize, fps: f64) -> Vec<DVec3> {
    let mut weights = vec![RETURN; frames];
    for contact in contacts {
        for (sum, weight) in weights[contact.first..].iter_mut().zip(&contact.weights) {
            *sum += weight;
        }
    }
    let stiffness = RETURN * (fps / (TAU * FASTEST_HZ)).powi(6);
    let factor = Factor::weighted(&weights, &vec![stiffness; frames.saturating_sub(3)]);
    let mut path = vec![DVec3::ZERO; frames];
    for _ in 0..ROUNDS {
        let mut pull = vec![[0.0; 3]; frames];
        for contact in contacts {
            let mean = contact.mean(&path);
            let parts = contact.positions.iter().zip(&contact.weights);
            for (sum, (position, weight)) in pull[contact.first..].iter_mut().zip(parts) {
                let way = (*weight * (mean - position)).to_array();
                *sum = std::array::from_fn(|c| sum[c] + way[c]);
            }
        }
        path = factor
            .solve(pull)
            .into_iter()
            .map(DVec3::from_array)
            .collect();
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drift_under_a_standing_foot_is_undone_and_does_not_add_up() {
        let drift = |frame: usize| DVec3::X * (frame as f64 / 60.0 * TAU).sin();
        let contact = |still: DVec3, weight: f64| Standing {
            first: 60,
            positions: (60..180).map(|f| still + drift(f)).collect(),
            weights: vec![weight; 120],
        };
        let off = |path: &[DVec3]| {
            let off = (70..170).map(|f| (path[f] + drift(f)).length());
            off.fold(0.0, f64::max)
        };
        let [left, right] = [DVec3::X, DVec3::Z].map(|still| contact(still, 1.0));
        let two = correction(&[&left, &right], 240, 60.0);
        assert!(off(&two) < 0.4, "{}", off(&two));
        assert!(two[0].length() < 0.2 && two[239].length() < 0.2);
        // Feet that arrive or leave move nothing.
        let none = correction(&[&contact(DVec3::X, 0.0)], 240, 60.0);
        assert!(none.iter().all(|moved| *moved == DVec3::ZERO));
    }
}
