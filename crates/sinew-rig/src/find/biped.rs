//! Landmarks of a body on two legs, from its limbs. In the frame of the body: x to its left, y up,
//! z to its front.

use super::arms::Arm;
use super::hints::Hints;
use super::legs::Leg;
use super::limb::Limbed;
use super::marks::Marks;
use super::reach::distances;
use super::skin::Skin;
use super::stance::{Pair, Stance};
use super::trunk::Trunk;
use glam::DVec3;

/// Height of the neck and of the head above the middle of the shoulders, in heights of the body.
const NECK: f64 = 0.03;
const HEAD: f64 = 0.072;
/// Max distance of the spine from the line between hips and shoulders, in heights.
const OFF_LINE: f64 = 0.02;
/// Pairs of joints that are mirror images within this fraction of the height become exact ones.
const MIRRORED: f64 = 0.03;

/// Landmarks of a body that stands as `stance` says.
pub(super) fn landmarks(skin: &Skin, stance: &Stance, hints: &Hints) -> Marks {
    let height = stance.height;
    let mut marks = Marks::default();
    let legs = stance.feet.map(|feet| {
        // The shorter of both, because the fork may be on the side of one leg.
        let lengths = feet.map(|tip| distances(skin, &[tip.node])[tip.fork]);
        let length = lengths[0].min(lengths[1]);
        sided(feet.map(|tip| Leg::new(skin, &tip, length, height)))
    });
    let arms = stance
        .hands
        .map(|hands| sided(hands.map(|tip| Arm::new(skin, &tip))));
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
    hints.fill(&mut marks, stance.low, height);
    marks.mirror(MIRRORED * height);
    let limbs: Vec<Pair> = stance.hands.into_iter().chain(stance.feet).collect();
    let trunk = Trunk::new(skin, &limbs);
    spine(&mut marks, &trunk, height);
    marks
}

/// The left one first.
fn sided<T: Limbed>([a, b]: [T; 2]) -> [T; 2] {
    if a.root().x >= b.root().x {
        [a, b]
    } else {
        [b, a]
    }
}

/// Joints between hips and head.
fn spine(marks: &mut Marks, trunk: &Trunk<'_>, height: f64) {
    let middle = |part: &str| {
        let [l, r] = ["left", "right"].map(|side| marks.at(&format!("{side}_{part}")));
        Some(0.5 * (l? + r?))
    };
    let (Some(below), Some(above)) = (middle("upper_leg"), middle("upper_arm")) else {
        return;
    };
    let axis = (above - below).normalize_or(DVec3::Y);
    let long = below.distance(above);
    // A bag on the back or a bust moves the middle of the skin, but not the spine.
    let held = |at: DVec3| at + (trunk.middle(at, axis) - at).clamp_length_max(OFF_LINE * height);
    for (name, part) in [
        ("hips", 0.06),
        ("spine_1", 0.3),
        ("spine_2", 0.52),
        ("chest", 0.74),
    ] {
        marks.set(name, held(below + axis * (part * long)), 0.8);
    }
    let neck = above + axis * (NECK * height);
    marks.set("neck", held(neck), 0.6);
    marks.set("head", held(above + axis * (HEAD * height)), 0.6);
    let base = held(above);
    for side in ["left", "right"] {
        if let Some(arm) = marks.at(&format!("{side}_upper_arm")) {
            let inner = base + axis * (NECK * 0.2 * height);
            marks.set(format!("{side}_shoulder"), inner.lerp(arm, 0.3), 0.5);
        }
    }
}
