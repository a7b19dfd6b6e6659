//! Bamboo: a culm with knots and a bent top, and leaves in fans on thin twigs.

use super::dice::Dice;
use super::plant::{Growth, Ring, near};
use glam::Vec3;
use sinew::mesh::Primitive;

const RINGS: usize = 9;
const SIDES: u32 = 6;
const FANS: usize = 15;
const LEAVES: usize = 4;

pub(super) fn bamboo(seed: u64, height: f32) -> (Primitive, Primitive) {
    let mut dice = Dice::new(seed);
    let lean = near(&mut dice, Vec3::Y, 0.05);
    let bow_angle = dice.within(0.0, std::f32::consts::TAU);
    let (sin, cos) = libm::sincosf(bow_angle);
    let bow = Vec3::new(cos, -0.25, sin) * height * dice.within(0.08, 0.2);
    let at = |part: f32| lean * height * part + bow * (part * part * part);

    let mut culm = Growth::default();
    let young = Vec3::new(0.13, 0.24, 0.035);
    let old = Vec3::new(0.2, 0.23, 0.05);
    let rings: Vec<Ring> = (0..RINGS)
        .map(|k| {
            let part = k as f32 / (RINGS - 1) as f32;
            Ring {
                center: at(part),
                radius: 0.045 * (1.0 - 0.82 * part),
                color: old.lerp(young, part) * if k % 2 == 0 { 1.0 } else { 0.72 },
            }
        })
        .collect();
    culm.stalk(&rings, SIDES);

    let mut leaves = Growth::default();
    for fan in 0..FANS {
        let part = 0.4 + 0.6 * (fan as f32 + dice.part()) / FANS as f32;
        let angle = fan as f32 * 2.4 + dice.part();
        let (sin, cos) = libm::sincosf(angle);
        let out = Vec3::new(cos, 0.35, sin);
        let reach = height * dice.within(0.05, 0.11) * (1.25 - 0.6 * part);
        let tip = at(part.min(1.0)) + out * reach;
        for _ in 0..LEAVES {
            let droop = Vec3::new(out.x, -0.45, out.z);
            let along = near(&mut dice, droop, 0.9) * dice.within(0.2, 0.36);
            let shade = dice.within(0.7, 1.15);
            let green = Vec3::new(0.14, 0.3, 0.035).lerp(Vec3::new(0.33, 0.36, 0.05), dice.part());
            let up = near(&mut dice, Vec3::Y, 0.7);
            leaves.leaf(tip, along, up, dice.within(0.016, 0.028), green * shade);
        }
    }
    (culm.build(), leaves.build())
}
