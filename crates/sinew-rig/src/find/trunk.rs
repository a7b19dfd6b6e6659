//! The trunk: the skin without arms and legs.

use super::reach::distances;
use super::skin::Skin;
use super::stance::Stance;
use glam::DVec3;

/// Half thickness of a cut, in cells.
const CUT: f64 = 1.5;

/// Patches of the trunk and the head.
pub(super) struct Trunk<'a> {
    skin: &'a Skin,
    is_trunk: Vec<bool>,
}

impl<'a> Trunk<'a> {
    pub fn new(skin: &'a Skin, stance: &Stance) -> Self {
        let mut is_trunk = vec![true; skin.len()];
        for tip in stance.hands.iter().chain(&stance.feet).flatten() {
            let far = distances(skin, &[tip.node]);
            for (is_trunk, &far_here) in is_trunk.iter_mut().zip(&far) {
                *is_trunk &= far_here > 0.95 * far[tip.fork];
            }
        }
        Self { skin, is_trunk }
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
