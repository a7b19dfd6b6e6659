//! Landmarks of a body on two legs, from its limbs. In the frame of the body: x to its left, y up,
//! z to its front.

use super::arms::Arm;
use super::legs::Leg;
use super::limb::Limbed;
use super::marks::Marks;
use super::skin::Skin;
use super::stance::Stance;
use super::trunk::Trunk;
use glam::DVec3;

/// Height of the neck and of the head above the middle of the shoulders, in heights of the body.
const NECK: f64 = 0.03;
const HEAD: f64 = 0.072;
/// Pairs of joints that are mirror images within this fraction of the height become exact ones.
const MIRRORED: f64 = 0.03;

/// Landmarks of a body that stands as `stance` says.
pub(super) fn landmarks(skin: &Skin, stance: &Stance) -> Marks {
    let height = stance.height;
    let mut marks = Marks::default();
    let legs = stance
        .feet
        .map(|feet| sided(skin, feet.map(|tip| Leg::new(skin, &tip, height))));
    let arms = stance
        .hands
        .map(|hands| sided(skin, hands.map(|tip| Arm::new(skin, &tip))));
    let shoulders = arms.as_ref().map(|[l, r]| 0.5 * (l.shoulder + r.shoulder));
    if let (Some(legs), Some(shoulders)) = (&legs, shoulders) {
        for (leg, side) in legs.iter().zip(["left", "right"]) {
            leg.mark(&mut marks, side, shoulders, height);
        }
    }
    if let Some(arms) = &arms {
        for (arm, side) in arms.iter().zip(["left", "right"]) {
            arm.mark(&mut marks, side);
        }
    }
    marks.mirror(MIRRORED * height);
    let trunk = Trunk::new(skin, stance);
    spine(&mut marks, &trunk, height);
    marks
}

/// The left one first.
fn sided<T: Limbed>(_skin: &Skin, [a, b]: [T; 2]) -> [T; 2] {
    if a.root().x >= b.root().x {
        [a, b]
    } else {
        [b, a]
    }
}

/// Joints between hips and head.
fn spine(marks: &mut Marks, trunk: &Trunk, height: f64) {
    let middle = |part: &str| {
        let [l, r] = ["left", "right"].map(|side| marks.at(&format!("{side}_{part}")));
        Some(0.5 * (l? + r?))
    };
    let (Some(below), Some(above)) = (middle("upper_leg"), middle("upper_arm")) else {
        return;
    };
    let axis = (above - below).normalize_or(DVec3::Y);
    let long = below.distance(above);
    let sure = 0.8;
    for (name, part) in [
        ("hips", 0.06),
        ("spine_1", 0.3),
        ("spine_2", 0.52),
        ("chest", 0.74),
    ] {
        let at = trunk.middle(below + axis * (part * long), axis);
        marks.set(name, at, sure);
    }
    let base = trunk.middle(above, axis).lerp(above, 0.5);
    marks.set("neck", base + axis * (NECK * height), 0.6);
    marks.set("head", base + axis * (HEAD * height), 0.6);
    for side in ["left", "right"] {
        if let Some(arm) = marks.at(&format!("{side}_upper_arm")) {
            let inner = base + axis * (NECK * 0.2 * height);
            marks.set(format!("{side}_shoulder"), inner.lerp(arm, 0.3), 0.5);
        }
    }
}
