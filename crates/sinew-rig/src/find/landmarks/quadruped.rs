//! Landmarks of a body on four legs. In the frame of the body: x to its left, y up, z to its front.

use super::marks::Marks;
use super::trunk::Trunk;
use crate::find::skin::graph::Skin;
use crate::find::skin::limb::Limb;
use crate::find::skin::reach::{Tip, distances, tips};
use crate::find::stance::{Pair, Stance};
use glam::DVec3;

/// Height of the first joint of a leg above its fork, as a fraction of the trunk there.
const FORE_TOP: f64 = 0.32;
const HIND_TOP: f64 = 0.45;
/// Heights of joints, as fractions of the height of the first joint of the leg.
const ELBOW: f64 = 0.53;
const WRIST: f64 = 0.1;
const KNEE: f64 = 0.7;
const HOCK_RANGE: [f64; 2] = [0.28, 0.46];
const TOES: f64 = 0.07;
/// Distance of the knee in front of the hip, per distance of the hock behind it.
const KNEE_FRONT: f64 = 0.5;
/// Length of the head, per rise of its tip above the throat.
const HEAD: f64 = 1.1;
/// Way of the joint of the head from the muzzle to the widest place of the skull, and by how much the neck is
/// narrower, from not clearly to clearly. Less than a part of this is no neck. The search ends this many times as far as the head by its rise, and the
/// chest begins there, from surely not to surely.
const SKULL: f64 = 0.95;
const NARROWER: [f64; 2] = [0.0, 0.12];
const CLEAR: f64 = 0.5;
const SEARCHED: f64 = 2.5;
const CHEST: [f64; 2] = [1.75, 1.95];
/// Least rise of a head with its neck, and of a tail, in heights.
const NECK: f64 = 0.12;
/// Worth of a tip as the head or the tail that is lost per distance from the middle.
const ASIDE: f64 = 0.7;
/// Max distance of nearly mirrored joints, in heights.
const MIRRORED: f64 = 0.04;

/// A leg: its middle line and where its first joint is.
struct Leg {
    limb: Limb,
    tip: DVec3,
    top: DVec3,
}

impl Leg {
    fn new(skin: &Skin, tip: &Tip, length: f64, back: f64, part: f64) -> Self {
        let limb = Limb::to(skin, tip.node, length);
        let below = limb.mean(0.88 * length, 0.98 * length);
        let top = below.with_y(below.y + part * (back - below.y));
        Self {
            limb,
            tip: skin.at[tip.node],
            top,
        }
    }

    /// Middle of the leg at a height above its tip, as a fraction of the height of its top.
    fn level(&self, part: f64) -> DVec3 {
        let goal = self.tip.y + part * (self.top.y - self.tip.y);
        let steps = 64;
        let at = |k: usize| self.limb.middle(self.limb.length * k as f64 / steps as f64);
        let last = at(steps);
        if goal >= last.y {
            let up = (goal - last.y) / (self.top.y - last.y).max(1e-9);
            return last.lerp(self.top, up.clamp(0.0, 1.0));
        }
        let above = (1..=steps).find(|&k| at(k).y >= goal).unwrap_or(steps);
        let (low, high) = (at(above - 1), at(above));
        let part = (goal - low.y) / (high.y - low.y).max(1e-9);
        low.lerp(high, part.clamp(0.0, 1.0))
    }
}

/// Landmarks of a body that stands as `stance` says.
pub(crate) fn landmarks(skin: &Skin, stance: &Stance) -> Option<Marks> {
    let [a, b] = stance.four?.legs;
    let (fore, hind) = if a.middle().z > b.middle().z {
        (a, b)
    } else {
        (b, a)
    };
    let height = stance.height;
    let mut marks = Marks::default();
    let feet = [fore.feet, hind.feet];
    let trunk = Trunk::new(skin, &feet);
    for (pair, is_fore) in [(fore, true), (hind, false)] {
        legs(skin, &trunk, &pair.feet, pair.length, is_fore, &mut marks);
    }
    marks.mirror(MIRRORED * height);
    let middle = |part: &str| {
        let [l, r] = ["left", "right"].map(|side| marks.at(&format!("{side}_{part}")));
        Some(0.5 * (l? + r?))
    };
    let (hip, shoulder) = (middle("upper_leg")?, middle("front_upper_leg")?);
    let feet = feet.concat();
    // Ears, horns and jaws are part of the head.
    let far = distances(skin, &[stance.crown]);
    let tips = tips(skin, &far, NECK * height);
    let is_foot = |t: &&Tip| feet.iter().any(|f| f.node == t.node);
    let others: Vec<&Tip> = tips.iter().filter(|t| !is_foot(t)).collect();
    back(skin, &trunk, &others, [hip, shoulder], height, &mut marks);
    Some(marks)
}

/// Marks a pair of legs: front legs, or hind legs that stand on their toes.
pub(crate) fn legs(
    skin: &Skin,
    trunk: &Trunk<'_>,
    pair: &Pair,
    length: f64,
    is_fore: bool,
    marks: &mut Marks,
) {
    let z = 0.5 * (skin.at[pair[0].node].z + skin.at[pair[1].node].z);
    let back = trunk.top(z);
    let part = if is_fore { FORE_TOP } else { HIND_TOP };
    let [a, b] = pair.map(|tip| Leg::new(skin, &tip, length, back, part));
    let sides = if a.top.x >= b.top.x { [a, b] } else { [b, a] };
    for (leg, side) in sides.iter().zip(["left", "right"]) {
        let mut set =
            |part: &str, at: DVec3, sure: f64| marks.set(format!("{side}_{part}"), at, sure);
        if is_fore {
            set("front_upper_leg", leg.top, 0.6);
            set("front_lower_leg", leg.level(ELBOW), 0.6);
            set("front_foot", leg.level(WRIST), 0.7);
            set("front_foot_tip", leg.tip, 0.9);
        } else {
            let [low, high] = HOCK_RANGE;
            let steps = 16;
            let at = |k: usize| leg.level(low + (high - low) * k as f64 / steps as f64);
            let rear = (0..=steps).map(at).min_by(|a, b| a.z.total_cmp(&b.z));
            let hock = rear
                .unwrap_or(leg.top)
                .lerp(leg.level(0.5 * (low + high)), 0.5);
            let knee = leg.level(KNEE);
            let front = leg.top.z + KNEE_FRONT * (leg.top.z - hock.z).max(0.0);
            set("upper_leg", leg.top, 0.6);
            set("lower_leg", DVec3::new(knee.x, knee.y, front), 0.5);
            set("foot", hock, 0.7);
            set("toes", leg.level(TOES), 0.7);
            set("toes_tip", leg.tip, 0.9);
        }
    }
}

/// Marks the head, behind the tip that is farthest in front of a z coordinate and nearest to the
/// middle: the muzzle.
pub(crate) fn head(
    skin: &Skin,
    tips: &[&Tip],
    z: f64,
    middle: f64,
    marks: &mut Marks,
) -> Option<DVec3> {
    let ahead = |t: &Tip| skin.at[t.node].z - z - ASIDE * (skin.at[t.node].x - middle).abs();
    let muzzles = tips.iter().filter(|t| ahead(t) > 0.0);
    let tip = muzzles.max_by(|a, b| ahead(a).total_cmp(&ahead(b)))?;
    let length = HEAD * (tip.far - tip.fork_far);
    let limb = Limb::to(skin, tip.node, SEARCHED * length);
    let (bulge, clear) = bulge(&limb);
    // What is wider far behind is the chest of a body without a neck.
    let clear = clear * ((CHEST[1] - bulge / length) / (CHEST[1] - CHEST[0])).clamp(0.0, 1.0);
    let head = limb.middle(length + clear * (SKULL * bulge - length));
    marks.set("head", head, 0.7);
    marks.set("head_tip", skin.at[tip.node], 0.9);
    Some(head)
}

/// Distance from the muzzle to the widest place of the skull, before the neck, and how clearly the neck is narrower, in
/// [0, 1].
fn bulge(head: &Limb) -> (f64, f64) {
    let step = 0.5 * head.step;
    let around = |k: usize| head.girth((k as f64 - 1.0) * step, (k as f64 + 1.0) * step);
    let (mut widest, mut place) = (0.0, 0);
    let mut clear = 0.0_f64;
    for k in 1..(head.length / step) as usize {
        let girth = around(k);
        if girth > widest {
            if clear >= CLEAR {
                break;
            }
            (widest, place, clear) = (girth, k, 0.0);
        }
        let narrower = 1.0 - girth / f64::max(widest, 1e-9);
        clear = clear.max((narrower - NARROWER[0]) / (NARROWER[1] - NARROWER[0]));
    }
    (place as f64 * step, clear.clamp(0.0, 1.0))
}

/// Spine, neck, head and tail.
fn back(
    skin: &Skin,
    trunk: &Trunk<'_>,
    tips: &[&Tip],
    [hip, shoulder]: [DVec3; 2],
    height: f64,
    marks: &mut Marks,
) {
    let raised = |p: DVec3| p.with_y(p.y + 0.3 * (trunk.top(p.z) - p.y).max(0.0));
    let (hips, chest) = (raised(hip), raised(shoulder));
    marks.set("hips", hips, 0.7);
    marks.set("spine_1", hips.lerp(chest, 1.0 / 3.0), 0.6);
    marks.set("spine_2", hips.lerp(chest, 2.0 / 3.0), 0.6);
    marks.set("chest", chest, 0.7);
    for side in ["left", "right"] {
        if let Some(leg) = marks.at(&format!("{side}_front_upper_leg")) {
            marks.set(format!("{side}_front_shoulder"), chest.lerp(leg, 0.5), 0.5);
        }
    }
    if let Some(head) = head(skin, tips, shoulder.z, hip.x, marks) {
        let neck = chest.lerp(head, 0.3);
        marks.set("neck_1", neck, 0.6);
        marks.set("neck_2", neck.lerp(head, 0.5), 0.6);
    }
    let behind = |t: &Tip| hip.z - skin.at[t.node].z - ASIDE * (skin.at[t.node].x - hip.x).abs();
    let tail = tips.iter().filter(|t| behind(t) > 0.02 * height);
    if let Some(tip) = tail.max_by(|a, b| behind(a).total_cmp(&behind(b))) {
        let length = tip.far - tip.fork_far;
        let limb = Limb::to(skin, tip.node, length);
        for k in 1..=4 {
            let part = 1.0 - (f64::from(k) - 1.0) / 4.0;
            let at = limb.middle(0.98 * part * length);
            marks.set(format!("tail_{k}"), at, 0.7);
        }
        marks.set("tail_4_tip", skin.at[tip.node], 0.9);
    }
}
