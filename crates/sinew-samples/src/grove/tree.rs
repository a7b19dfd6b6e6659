//! Tree: a trunk that forks twice, with leaves around the ends of its twigs.

use super::dice::Dice;
use super::plant::{Growth, Ring, near};
use glam::Vec3;
use sinew::mesh::Primitive;

const LEAVES: usize = 24;

pub(super) fn tree(seed: u64, height: f32) -> (Primitive, Primitive) {
    let mut dice = Dice::new(seed);
    let (mut wood, mut leaves) = (Growth::default(), Growth::default());
    let trunk = Limb {
        from: Vec3::ZERO,
        along: near(&mut dice, Vec3::Y, 0.12) * height * 0.45,
        radius: height * 0.032,
        forks: 2,
    };
    trunk.grow(&mut dice, &mut wood, &mut leaves);
    (wood.build(), leaves.build())
}

struct Limb {
    from: Vec3,
    along: Vec3,
    radius: f32,
    /// Number of forks between this branch and the leaves.
    forks: u32,
}

impl Limb {
    fn grow(&self, dice: &mut Dice, wood: &mut Growth, leaves: &mut Growth) {
        let to = self.from + self.along;
        let knee = self.from
            + self.along * 0.5
            + near(dice, self.along, 1.5).normalize_or_zero() * self.along.length() * 0.06;
        let bark = Vec3::new(0.085, 0.055, 0.035);
        let ring = |center: Vec3, part: f32| Ring {
            center,
            radius: self.radius * part,
            color: bark * (1.25 - 0.25 * part),
        };
        let foot = if self.forks == 2 { 1.5 } else { 1.0 };
        let rings = [ring(self.from, foot), ring(knee, 0.85), ring(to, 0.62)];
        wood.stalk(&rings, if self.forks == 2 { 8 } else { 5 });
        let length = self.along.length();
        if self.forks == 0 {
            for _ in 0..LEAVES {
                let away = near(dice, Vec3::Y, std::f32::consts::PI);
                let position = to + away * length * dice.within(0.15, 0.85);
                let along = near(dice, away.with_y(-0.2), 0.8) * dice.within(0.14, 0.24);
                let up = near(dice, Vec3::Y, 0.8);
                let color =
                    Vec3::new(0.42, 0.2, 0.02).lerp(Vec3::new(0.5, 0.07, 0.015), dice.part());
                leaves.leaf(position, along, up, dice.within(0.03, 0.055), color);
            }
            return;
        }
        let branches = if self.forks == 2 { 4 } else { 3 };
        for branch in 0..branches {
            let angle =
                std::f32::consts::TAU * (branch as f32 + 0.6 * dice.part()) / branches as f32;
            let (sin, cos) = libm::sincosf(angle);
            let out = Vec3::new(cos, dice.within(0.45, 0.95), sin).normalize_or(Vec3::Y);
            let limb = Self {
                from: to,
                along: (self.along / length + out * 1.1).normalize_or(Vec3::Y)
                    * length
                    * dice.within(0.55, 0.75),
                radius: self.radius * 0.55,
                forks: self.forks - 1,
            };
            limb.grow(dice, wood, leaves);
        }
    }
}
