//! The trunk: the skin without arms and legs.

use crate::find::skin::graph::Skin;
use crate::find::skin::reach::distances;
use crate::find::stance::Pair;
use glam::DVec3;

/// Half thickness of a cut, in cells.
const CUT: f64 = 1.5;

/// Patches of the trunk and the head.
pub(crate) struct Trunk<'a> {
    skin: &'a Skin,
    is_trunk: Vec<bool>,
}

impl<'a> Trunk<'a> {
    /// The skin without the limbs of some tips.
    pub fn new(skin: &'a Skin, limbs: &[Pair]) -> Self {
        let mut is_trunk = vec![true; skin.len()];
        for tip in limbs.iter().flatten() {
            let far = distances(skin, &[tip.node]);
            for (is_trunk, &far_here) in is_trunk.iter_mut().zip(&far) {
                *is_trunk &= far_here > 0.95 * far[tip.fork];
            }
        }
        Self { skin, is_trunk }
    }

    /// Height of the back at a z coordinate.
    pub fn top(&self, z: f64) -> f64 {
        let near = |n: &usize| {
            self.is_trunk[*n] && (self.skin.at[*n].z - z).abs() <= 2.0 * CUT * self.skin.cell
        };
        let heights = (0..self.skin.len()).filter(near).map(|n| self.skin.at[n].y);
        let own = heights.fold(f64::NEG_INFINITY, f64::max);
        if own.is_finite() {
            return own;
        }
        let all = self.skin.at.iter().map(|p| p.y);
        all.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Middle of the trunk in a cut across `axis`, moved only across.
    pub fn middle(&self, at: DVec3, axis: DVec3) -> DVec3 {
        let (mut sum, mut area) = (DVec3::ZERO, 0.0);
        for n in 0..self.skin.len() {
            let way = self.skin.at[n] - at;
            if self.is_trunk[n] && way.dot(axis).abs() <= CUT * self.skin.cell {
                sum += way * self.skin.area[n];
                area += self.skin.area[n];
            }
        }
        if area == 0.0 {
            return at;
        }
        let way = sum / area;
        at + way - axis * way.dot(axis)
    }
}
