//! Landmarks of a body on two legs, from its limbs. In the frame of the body: x to its left, y up,
//! z to its front.

use super::arms::Arm;
use super::fitted;
use super::hanging;
use super::hints::Hints;
use super::legs::Leg;
use super::marks::Marks;
use super::quadruped;
use super::trunk::Trunk;
use crate::find::constants::Constants;
use crate::find::fit::Fit;
use crate::find::skin::graph::Skin;
use crate::find::skin::limb::Limbed;
use crate::find::skin::reach::{Tip, distances};
use crate::find::stance::{Pair, Stance};
use glam::DVec3;

/// Height of the neck and of the head above the middle of the shoulders, in heights of the body.
const NECK: f64 = 0.03;
const HEAD: f64 = 0.072;
/// Max distance of the spine from the line between hips and shoulders, in heights.
const OFF_LINE: f64 = 0.02;
/// Height of the shoulders above the sole without arms, in heights.
const SHOULDERS: f64 = 0.8;
/// Least length of a tail behind the feet, in heights, and lean of the trunk of a body that stands
/// on its toes.
const TAIL: f64 = 0.3;
const LEAN: f64 = 0.4;
/// Pairs of joints that are mirror images within this fraction of the height become exact ones.
const MIRRORED: f64 = 0.03;

/// Landmarks of a body that stands as `stance` says, and whose limbs are near those of a fit.
pub(crate) fn landmarks(
    skin: &Skin,
    stance: &Stance,
    hints: &Hints,
    fit: Option<&Fit>,
    constants: &Constants,
) -> Marks {
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
    if let Some(legs) = &legs {
        let usual = 0.5 * (legs[0].root() + legs[1].root());
        let shoulders = shoulders.unwrap_or(usual.with_y(stance.low + SHOULDERS * height));
        for (leg, side) in legs.iter().zip(["left", "right"]) {
            leg.mark(
                &mut marks,
                side,
                shoulders,
                [stance.low, height],
                constants.hip,
            );
        }
    }
    if let Some(arms) = &arms {
        for (arm, side) in arms.iter().zip(["left", "right"]) {
            arm.mark(&mut marks, side);
        }
    }
    let shoulders = shoulders.filter(|_| fit.is_none());
    match fit {
        Some(fit) => fitted::mark(fit, &mut marks, height, constants),
        None if arms.is_none() => hanging::mark(skin, stance, &mut marks),
        None => {}
    }
    hints.fill(&mut marks, stance.low, height);
    marks.mirror(MIRRORED * height);
    let limbs: Vec<Pair> = stance.hands.into_iter().chain(stance.feet).collect();
    let trunk = Trunk::new(skin, &limbs);
    if let (Some(feet), Some(shoulders)) = (&stance.feet, shoulders)
        && leans(skin, stance, feet, shoulders)
    {
        let length = 0.5 * distances(skin, &[feet[0].node])[feet[1].node];
        quadruped::legs(skin, &trunk, feet, length, false, &mut marks);
        marks.mirror(MIRRORED * height);
    }
    spine(&mut marks, &trunk, height);
    if let Some(fit) = fit {
        fitted::mark_head(fit, &mut marks, height, constants);
    }
    if let (Some(feet), Some(shoulders)) = (&stance.feet, shoulders)
        && leans(skin, stance, feet, shoulders)
    {
        let limbs: Vec<usize> = limbs.iter().flatten().map(|tip| tip.node).collect();
        let others = stance.tips.iter().filter(|t| !limbs.contains(&t.node));
        let others: Vec<&Tip> = others.collect();
        quadruped::head(skin, &others, shoulders.z, shoulders.x, &mut marks);
    }
    marks
}

/// True for a body with a tail whose trunk leans forward: it stands on its toes like an animal.
fn leans(skin: &Skin, stance: &Stance, feet: &Pair, shoulders: DVec3) -> bool {
    let middle = 0.5 * (skin.at[feet[0].node] + skin.at[feet[1].node]);
    let fork = skin.at[feet[0].fork];
    let is_tail = |t: &Tip| {
        let way = skin.at[t.node] - middle;
        -way.z > TAIL * stance.height && way.x.abs() < 0.2 * -way.z
    };
    let lean = (shoulders.z - middle.z) / (shoulders.y - fork.y).max(1e-9);
    stance.tips.iter().any(is_tail) && lean > LEAN
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
