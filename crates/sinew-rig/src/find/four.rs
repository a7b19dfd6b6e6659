//! Feet of an animal on four legs: which of the tips they are, and which of them are side by side. Feet that walk
//! stand anywhere, so this is told by where the legs leave the trunk.

use super::skin::graph::Skin;
use super::skin::limb::Limb;
use super::skin::reach::{Tip, distances};
use glam::DVec3;

/// Max height of the tip of a foot, as a fraction of the height of the body: feet that walk are lifted.
const LIFTED: f64 = 0.2;
/// Max number of tips that may be feet.
const CANDIDATES: usize = 8;
/// Least distance between the pairs of legs, in heights, and per distance between left and right.
const LONG: f64 = 0.25;
const LONGER: f64 = 1.3;
/// Least rise of a leg over its foot, in heights.
const LEG: f64 = 0.15;
/// Rise of limbs that are longer than the legs of an animal, from not surely to surely: of a person who sits, seen as
/// lying on the stomach.
const LYING: [f64; 2] = [0.65, 0.85];
/// Rise of a limb that is clearly one, in heights.
const SHORT: f64 = 0.12;
/// Likeness of a body without a head before or behind its feet, and the max distance of a head from the middle, per
/// distance before or behind it.
const HEADLESS: f64 = 0.3;
const ASIDE: f64 = 0.65;

/// Two legs side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Legs {
    /// Tips of the feet.
    pub feet: [Tip; 2],
    /// Length from the tip of a foot to the trunk.
    pub length: f64,
    /// Where the legs leave the trunk.
    tops: [DVec3; 2],
    /// Middle of the feet.
    ground: DVec3,
}

/// Four legs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Four {
    pub legs: [Legs; 2],
    /// Likeness of the legs to those of an animal, and of the body to an animal, in [0, 1].
    pub stands: f64,
    pub likeness: f64,
}

impl Legs {
    fn new(skin: &Skin, feet: [Tip; 2], far: [&[f64]; 2]) -> Self {
        let half = 0.5 * far[0][feet[1].node];
        let limbs = far.map(|far| Limb::of(skin, far, half));
        // Half of the way from foot to foot, less the way on the belly.
        let girth =
            0.5 * (limbs[0].girth(0.3 * half, 0.6 * half) + limbs[1].girth(0.3 * half, 0.6 * half));
        let [a, b] = [0, 1].map(|k| limbs[k].mean(0.5 * half, 0.8 * half));
        let apart = (0.5 * a.distance(b) - girth / std::f64::consts::TAU).max(0.0);
        let length = (half - apart).max(0.5 * half);
        let tops = [0, 1].map(|k| limbs[k].mean(0.85 * length, length));
        let ground = 0.5 * (skin.at[feet[0].node] + skin.at[feet[1].node]);
        Self {
            feet,
            length,
            tops,
            ground,
        }
    }

    pub fn middle(&self) -> DVec3 {
        0.5 * (self.tops[0] + self.tops[1])
    }

    /// Likeness to legs of one length, in [0, 1].
    fn alike(&self, up: DVec3, height: f64) -> f64 {
        let [a, b] = self.feet;
        let rise = (a.far - a.fork_far).min(b.far - b.fork_far) / height;
        let alike = 1.0 - 3.0 * (a.far - b.far).abs() / a.far.max(b.far).max(1e-9);
        let upright = (self.middle() - self.ground).dot(up) / height;
        let lying = ((LYING[1] - rise) / (LYING[1] - LYING[0])).clamp(0.0, 1.0);
        alike.max(0.0) * (rise / SHORT).min(1.0) * (upright / LEG).clamp(0.0, 1.0) * lying
    }
}

fn level(way: DVec3, up: DVec3) -> DVec3 {
    way - up * way.dot(up)
}

/// Mean of two directions of length 1, which may be opposite.
fn mean_across(a: DVec3, b: DVec3) -> DVec3 {
    let [a, b] = [a, b].map(DVec3::normalize_or_zero);
    0.5 * (if a.dot(b) < 0.0 { a - b } else { a + b })
}

impl Four {
    /// Direction from the legs of one side to those of the other.
    pub fn across(&self, up: DVec3) -> Option<DVec3> {
        let [a, b] = self.legs.map(|legs| level(legs.tops[0] - legs.tops[1], up));
        mean_across(a, b).try_normalize()
    }

    /// The best four feet among the tips of a body. `above` gives the height of a point over the ground, as a
    /// fraction of `height`.
    pub fn new(
        skin: &Skin,
        up: DVec3,
        height: f64,
        tips: &[Tip],
        above: impl Fn(DVec3) -> f64,
    ) -> Option<Self> {
        let is_low = |t: &&Tip| above(skin.at[t.node]) < LIFTED;
        let mut low: Vec<Tip> = tips.iter().filter(is_low).copied().collect();
        low.sort_by(|a, b| above(skin.at[a.node]).total_cmp(&above(skin.at[b.node])));
        low.truncate(CANDIDATES);
        if low.len() < 4 {
            return None;
        }
        let far: Vec<Vec<f64>> = low.iter().map(|t| distances(skin, &[t.node])).collect();
        let mut pairs = Vec::new();
        for a in 0..low.len() {
            for b in a + 1..low.len() {
                let legs = Legs::new(skin, [low[a], low[b]], [&far[a], &far[b]]);
                pairs.push(([a, b], legs));
            }
        }
        let mut best: Option<Self> = None;
        for (first, (used, a)) in pairs.iter().enumerate() {
            for (other, b) in &pairs[first + 1..] {
                if used.iter().any(|k| other.contains(k)) {
                    continue;
                }
                let four = Self::rated(skin, [*a, *b], up, height, tips);
                if best.is_none_or(|best| four.likeness > best.likeness) {
                    best = Some(four);
                }
            }
        }
        best
    }

    fn rated(skin: &Skin, legs: [Legs; 2], up: DVec3, height: f64, tips: &[Tip]) -> Self {
        let [wide, other] = legs.map(|pair| level(pair.tops[0] - pair.tops[1], up));
        let long = level(legs[0].middle() - legs[1].middle(), up);
        let along = long.normalize_or_zero();
        // At a trot, the pairs are turned against each other.
        let across = mean_across(wide, other);
        let square = across.length() * (1.0 - across.normalize_or_zero().dot(along).abs());
        let wide = 0.5 * (wide.length() + other.length());
        let length = (long.length() / (LONG * height)).min(1.0)
            * (long.length() / (LONGER * wide).max(1e-9)).min(1.0);
        let [a, b] = legs.map(|pair| pair.alike(up, height));
        let stands = square * length * (a * b).sqrt();
        let feet = [legs[0].feet, legs[1].feet].concat();
        let centre = 0.5 * (legs[0].middle() + legs[1].middle());
        let is_head = |t: &Tip| {
            let way = level(skin.at[t.node] - centre, up);
            let ahead = way.dot(along).abs();
            let beside = (way - along * way.dot(along)).length();
            ahead > 0.5 * long.length()
                && beside < ASIDE * ahead
                && feet.iter().all(|foot| foot.node != t.node)
        };
        let head = if tips.iter().any(is_head) {
            1.0
        } else {
            HEADLESS
        };
        Self {
            legs,
            stands,
            likeness: stands * head * (height / 0.4).min(1.0),
        }
    }
}
