//! Arms: from the tip of the hand to the armpit, and the joints on the way.

use super::marks::Marks;
use crate::find::skin::graph::Skin;
use crate::find::skin::limb::Limb;
use crate::find::skin::limb::Limbed;
use crate::find::skin::reach::Tip;
use glam::DVec3;

/// Way of the wrist from the shoulder to the tip of the hand, and the range that is searched for
/// the narrowest section.
const WRIST: f64 = 0.69;
const WRIST_RANGE: [f64; 2] = [0.60, 0.80];
/// Way of the elbow from shoulder to wrist.
const ELBOW: f64 = 0.51;
/// Distance of the shoulder beyond the armpit, in radii of the arm: of a level arm, and how much
/// more if it hangs, because the armpit of an arm that hangs is below the shoulder.
const BEYOND: f64 = 0.5;
const HANGING: f64 = 1.05;

/// An arm.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub shoulder: DVec3,
    pub elbow: DVec3,
    pub wrist: DVec3,
    pub tip: DVec3,
    pub sure: f64,
}

impl Limbed for Arm {
    fn root(&self) -> DVec3 {
        self.shoulder
    }
}

impl Arm {
    pub fn new(skin: &Skin, tip: &Tip) -> Self {
        let limb = Limb::new(skin, tip.node, tip.fork);
        let long = limb.length;
        let radius = limb.girth(0.7 * long, 0.9 * long) / std::f64::consts::TAU;
        let [outer, inner] =
            [[0.62, 0.82], [0.86, 0.98]].map(|[a, b]| limb.mean(a * long, b * long));
        let way = (inner - outer).normalize_or_zero();
        let beyond = (BEYOND + HANGING * way.y.max(0.0).powi(2)) * radius.min(0.1 * long);
        let shoulder = inner + way * (0.08 * long + beyond);
        let whole = long + beyond;
        let wrist_far = wrist(&limb, whole);
        let wrist = limb.middle(wrist_far);
        let (elbow, bend) = limb.bend(wrist_far, long, ELBOW, wrist, shoulder);
        Self {
            shoulder,
            elbow,
            wrist,
            tip: skin.at[tip.node],
            sure: 0.75 + 0.2 * bend,
        }
    }

    pub fn mark(&self, marks: &mut Marks, side: &str) {
        marks.set(format!("{side}_upper_arm"), self.shoulder, 0.8);
        marks.set(format!("{side}_lower_arm"), self.elbow, self.sure);
        marks.set(format!("{side}_hand"), self.wrist, 0.75);
        marks.set(format!("{side}_hand_tip"), self.tip, 0.9);
    }
}

/// Distance of the wrist from the tip: where proportions put it, drawn to the narrowest section.
fn wrist(limb: &Limb, whole: f64) -> f64 {
    let usual = (1.0 - WRIST) * whole;
    let [near, far] = [
        (1.0 - WRIST_RANGE[1]) * whole,
        (1.0 - WRIST_RANGE[0]) * whole,
    ];
    let step = 0.5 * limb.step;
    let count = ((far - near) / step) as usize;
    let at = |k: usize| near + k as f64 * step;
    let around = |far: f64| limb.girth(far - limb.step, far + limb.step);
    let narrow = (0..=count)
        .map(at)
        .min_by(|&a, &b| around(a).total_cmp(&around(b)));
    let widest = (1..10)
        .map(|k| around(0.1 * f64::from(k) * near))
        .fold(0.0, f64::max);
    match narrow {
        Some(place) if around(place) < 0.7 * widest => 0.5 * (usual + place),
        _ => usual,
    }
}
