//! Middle lines of limbs: sections at equal distances from the tip.

use super::graph::Skin;
use super::reach::distances;
use glam::DVec3;

/// Width of a section, in cells.
const WIDTH: f64 = 1.5;

/// Arm or leg, which starts at the trunk.
pub(crate) trait Limbed {
    /// Position of its start.
    fn root(&self) -> DVec3;
}

/// Part of a limb between two distances from its tip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub middle: DVec3,
    /// Length around the limb.
    pub girth: f64,
}

/// A limb, from its tip to its fork.
#[derive(Clone, Debug)]
pub(crate) struct Limb {
    /// Sections from the tip on, [`Limb::step`] apart.
    pub sections: Vec<Section>,
    pub step: f64,
    /// Distance of the fork from the tip.
    pub length: f64,
}

impl Limb {
    /// Limb from a tip to a fork.
    pub fn new(skin: &Skin, tip: usize, fork: usize) -> Self {
        let far = distances(skin, &[tip]);
        Self::of(skin, &far, far[fork])
    }

    /// Limb from a tip, of a length.
    pub fn to(skin: &Skin, tip: usize, length: f64) -> Self {
        Self::of(skin, &distances(skin, &[tip]), length)
    }

    /// Limb of a length, with known distances from its tip.
    pub fn of(skin: &Skin, far: &[f64], length: f64) -> Self {
        let step = WIDTH * skin.cell;
        let count = ((length / step) as usize + 1).min(4096);
        let mut sums = vec![(DVec3::ZERO, 0.0); count];
        for (node, &far) in far.iter().enumerate() {
            // A patch between the middles of two sections belongs to both in part, so that nothing jumps.
            let place = far / step - 0.5;
            let below = place.floor();
            for (section, part) in [(below, 1.0 - (place - below)), (below + 1.0, place - below)] {
                if far <= length && section >= 0.0 && (section as usize) < count {
                    let (sum, area) = (&mut sums[section as usize], part * skin.area[node]);
                    *sum = (sum.0 + skin.at[node] * area, sum.1 + area);
                }
            }
        }
        let sections = sums.iter().filter(|s| s.1 > 0.0).map(|s| Section {
            middle: s.0 / s.1,
            girth: s.1 / step,
        });
        Self {
            sections: sections.collect(),
            step,
            length,
        }
    }

    /// Middle of the limb at a distance from the tip, between sections.
    pub fn middle(&self, far: f64) -> DVec3 {
        let last = self.sections.len() - 1;
        let place = (far / self.step - 0.5).clamp(0.0, last as f64);
        let below = place.floor() as usize;
        let [a, b] = [below, (below + 1).min(last)].map(|k| self.sections[k].middle);
        a.lerp(b, place - below as f64)
    }

    /// Distance from the tip at which the limb bends furthest, within fractions of its length. Its
    /// middle if it is straight there.
    pub fn turn(&self, [from, to]: [f64; 2]) -> f64 {
        const STEPS: usize = 32;
        const ARM: f64 = 0.15;
        const STRAIGHT_DEG: f64 = 30.0;
        const CLEAR: f64 = 0.75;
        let turn = |place: f64| {
            let [before, at, after] =
                [-ARM, 0.0, ARM].map(|by| self.middle(place + by * self.length));
            (at - before).angle_between(after - at)
        };
        let place = |k: usize| (from + (to - from) * k as f64 / STEPS as f64) * self.length;
        let turns: Vec<f64> = (0..=STEPS).map(|k| turn(place(k))).collect();
        let most = turns.iter().fold(0.0, |most: f64, &turn| most.max(turn));
        if most < STRAIGHT_DEG.to_radians() {
            return from * self.length;
        }
        // The middle of the largest bends, so that no single section decides.
        let (mut sum, mut all) = (0.0, 0.0);
        for (k, turn) in turns.iter().enumerate() {
            let weight = (turn - CLEAR * most).max(0.0);
            sum += weight * place(k);
            all += weight;
        }
        sum / all
    }

    /// Mean of the middle line between two distances.
    pub fn mean(&self, from: f64, to: f64) -> DVec3 {
        const STEPS: usize = 8;
        let at = |k: usize| self.middle(from + (to - from) * k as f64 / STEPS as f64);
        (0..=STEPS).map(at).sum::<DVec3>() / (STEPS + 1) as f64
    }

    /// Mean girth between two distances.
    pub fn girth(&self, from: f64, to: f64) -> f64 {
        let last = self.sections.len() - 1;
        let [from, to] = [from, to].map(|far| ((far / self.step) as usize).min(last));
        let here = &self.sections[from..=to.max(from)];
        here.iter().map(|s| s.girth).sum::<f64>() / here.len() as f64
    }
}

impl Limb {
    /// Joint between two others on a limb, such as an elbow: at a fraction of the way from `near`
    /// to `far`, drawn to where the limb bends most. Also returns how clearly it bends, in [0, 1].
    pub fn bend(
        &self,
        near_far: f64,
        far_far: f64,
        part: f64,
        near: DVec3,
        far: DVec3,
    ) -> (DVec3, f64) {
        const FROM: f64 = 0.3;
        const STEPS: usize = 40;
        let chord = far - near;
        let long = chord.length().max(1e-9);
        let axis = chord / long;
        let at = |k: usize| {
            let t = FROM + (1.0 - 2.0 * FROM) * k as f64 / STEPS as f64;
            self.middle(near_far + t * (far_far - near_far))
        };
        let off = |p: DVec3| {
            let way = p - near;
            (way - axis * way.dot(axis)).length()
        };
        let usual = self.on_chord(near_far, far_far, near, axis, (1.0 - part) * long);
        let bent = (0..=STEPS)
            .map(at)
            .max_by(|&a, &b| off(a).total_cmp(&off(b)))
            .unwrap_or(usual);
        let clear = ((off(bent) / long - 0.08) / 0.1).clamp(0.0, 1.0);
        (usual.lerp(bent, clear), clear)
    }

    /// Point of the middle line at a distance along a chord.
    fn on_chord(&self, near_far: f64, far_far: f64, near: DVec3, axis: DVec3, along: f64) -> DVec3 {
        let (mut low, mut high) = (near_far, far_far);
        for _ in 0..30 {
            let half = 0.5 * (low + high);
            if (self.middle(half) - near).dot(axis) < along {
                low = half;
            } else {
                high = half;
            }
        }
        self.middle(low)
    }
}
