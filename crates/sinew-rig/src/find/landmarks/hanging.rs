//! Arms that hang close to the body and cannot be told from it by distances along the skin: they
//! are what is outermost at each height.

use super::marks::Marks;
use crate::find::skin::graph::Skin;
use crate::find::stance::Stance;
use glam::DVec3;

/// Heights of shoulder, elbow, wrist and tip of the hand of a person, in heights of the body.
const LEVELS: [(&str, f64); 4] = [
    ("upper_arm", 0.805),
    ("lower_arm", 0.63),
    ("hand", 0.49),
    ("hand_tip", 0.41),
];
/// Thickness of an arm, in heights, and of a slice.
const THICK: f64 = 0.05;
const SLICE: f64 = 0.015;
const GUESS: f64 = 0.25;

/// Marks both arms.
pub(crate) fn mark(skin: &Skin, stance: &Stance, marks: &mut Marks) {
    let height = stance.height;
    for (side, sign) in [("left", 1.0), ("right", -1.0)] {
        for (part, level) in LEVELS {
            let y = stance.low + level * height;
            let slice: Vec<usize> = (0..skin.len())
                .filter(|&n| (skin.at[n].y - y).abs() < SLICE * height)
                .collect();
            let outer = slice.iter().map(|&n| sign * skin.at[n].x);
            let outer = outer.fold(f64::NEG_INFINITY, f64::max);
            let (mut sum, mut area) = (DVec3::ZERO, 0.0);
            for n in slice {
                if sign * skin.at[n].x > outer - THICK * height {
                    sum += skin.at[n] * skin.area[n];
                    area += skin.area[n];
                }
            }
            if area > 0.0 {
                let x = sign * (outer - 0.5 * THICK * height);
                let at = DVec3::new(x, y, sum.z / area);
                marks.set(format!("{side}_{part}"), at, GUESS);
            }
        }
    }
}
