//! A four-legged animal 0.75 m tall at the withers that faces +z, with +x on its left.

use super::draft::{Draft, Side};
use super::joints::Template;
use glam::Vec3;
use sinew::skeleton::limits::{Freedom, RotationLimit};

/// Template of a four-legged animal, with optional parts. Joints have no limits.
///
/// Names: `hips`, `spine_1` upward, `chest`, `neck_1` upward, `head`, `tail_1` upward. On each
/// side, with `left_` or `right_`: `front_shoulder`, `front_upper_leg`, `front_lower_leg`,
/// `front_foot`, `upper_leg`, `lower_leg`, `foot` (the hock), `toes`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quadruped {
    /// Number of joints between hips and chest, at most 256. Default 2.
    pub spine: usize,
    /// Number of joints of the neck, at most 256. Default 2.
    pub neck: usize,
    /// Number of joints of the tail, at most 256. Default 4.
    pub tail: usize,
}

impl Default for Quadruped {
    fn default() -> Self {
        Self {
            spine: 2,
            neck: 2,
            tail: 4,
        }
    }
}

const MOST: usize = 256;
const HIPS: Vec3 = Vec3::new(0.0, 0.66, -0.42);
const CHEST: Vec3 = Vec3::new(0.0, 0.63, 0.26);
const NECK: Vec3 = Vec3::new(0.0, 0.70, 0.38);
const HEAD: Vec3 = Vec3::new(0.0, 0.92, 0.56);
const NOSE: Vec3 = Vec3::new(0.0, 0.84, 0.80);
const TAIL: [Vec3; 2] = [Vec3::new(0.0, 0.68, -0.52), Vec3::new(0.0, 0.42, -0.90)];

fn free() -> Freedom {
    Freedom {
        rotation: RotationLimit::Free,
        ..Freedom::default()
    }
}

impl Quadruped {
    /// Joints of an animal 0.75 m tall at the withers.
    pub fn template(&self) -> Template {
        let mut draft = Draft { joints: Vec::new() };
        let root = Freedom {
            slides: [true; 3],
            ..free()
        };
        let hips = draft.add("hips", None, HIPS, Vec3::Y, root);
        let mut below = hips;
        let spine = self.spine.min(MOST);
        for k in 1..=spine {
            let at = HIPS.lerp(CHEST, k as f32 / (spine + 1) as f32);
            below = draft.next(&format!("spine_{k}"), below, at, Vec3::Y, free());
        }
        let chest = draft.next("chest", below, CHEST, Vec3::Y, free());
        below = chest;
        let neck = self.neck.min(MOST);
        for k in 1..=neck {
            let at = NECK.lerp(HEAD, (k - 1) as f32 / neck as f32);
            below = draft.next(&format!("neck_{k}"), below, at, Vec3::Y, free());
        }
        let head = draft.next("head", below, HEAD, Vec3::Y, free());
        draft.joints[head].tip = NOSE;
        let tail = self.tail.min(MOST);
        let mut above = hips;
        for k in 1..=tail {
            let [from, to] = TAIL;
            let [at, end] = [k - 1, k].map(|k| from.lerp(to, k as f32 / tail as f32));
            let name = format!("tail_{k}");
            above = if k == 1 {
                draft.add(&name, Some(above), at, Vec3::Y, free())
            } else {
                draft.next(&name, above, at, Vec3::Y, free())
            };
            draft.joints[above].tip = end;
        }
        for side in [Side::LEFT, Side::RIGHT] {
            let fore = [
                ("front_shoulder", [0.06, 0.66, 0.26]),
                ("front_upper_leg", [0.10, 0.50, 0.34]),
                ("front_lower_leg", [0.10, 0.27, 0.28]),
                ("front_foot", [0.10, 0.07, 0.28]),
            ];
            leg(&mut draft, &side, chest, &fore, [0.10, 0.01, 0.36]);
        }
        for side in [Side::LEFT, Side::RIGHT] {
            let hind = [
                ("upper_leg", [0.09, 0.60, -0.42]),
                ("lower_leg", [0.10, 0.42, -0.34]),
                ("foot", [0.10, 0.22, -0.52]),
                ("toes", [0.10, 0.04, -0.46]),
            ];
            leg(&mut draft, &side, hips, &hind, [0.10, 0.01, -0.38]);
        }
        Template {
            joints: draft.joints,
        }
    }
}

fn leg(draft: &mut Draft, side: &Side, root: usize, joints: &[(&str, [f32; 3])], tip: [f32; 3]) {
    let mut above = root;
    for (k, (name, at)) in joints.iter().enumerate() {
        let add = if k == 0 { Side::add } else { Side::next };
        let at = Vec3::from_array(*at);
        above = add(side, draft, name, above, at, Vec3::NEG_Z, free());
    }
    draft.joints[above].tip = side.of(Vec3::from_array(tip));
}
