//! Random chains of joints with limits, and poses within the limits.

#![allow(dead_code, reason = "each test uses its part of it")]

use glam::{Quat, Vec3};
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::transform::{Axis, EulerOrder, quat};
use sinew::{Affine, Joint, LocalPose, ModelPose, Skeleton, Transform};

/// Xorshift (Marsaglia 2003), for the same chains in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(0x9e37_79b9_7f4a_7c15 ^ seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    pub fn part(&mut self) -> f32 {
        for _ in 0..2 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
        }
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.part()
    }

    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_array([0, 1, 2].map(|_| self.between(-1.0, 1.0)));
            if (0.01..1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    pub fn range(&mut self) -> AngleRange {
        AngleRange::degrees(self.between(-150.0, 0.0), self.between(0.0, 150.0))
    }

    pub fn turn(&mut self) -> RotationLimit {
        let axes = [Axis::X, Axis::Y, Axis::Z];
        let first = (self.part() * 3.0) as usize % 3;
        let second = (first + 1 + (self.part() * 2.0) as usize % 2) % 3;
        match (self.part() * 10.0) as usize {
            0..3 => RotationLimit::Hinge {
                axis: self.direction(),
                range: self.range(),
            },
            3..5 => RotationLimit::Saddle {
                axes: [axes[first], axes[second]],
                ranges: [self.range(), self.range()],
            },
            5..8 => RotationLimit::Ball {
                axis: self.direction(),
                swing_rad: self.between(20.0, 140.0).to_radians(),
                twist: self.range(),
            },
            8 => RotationLimit::Euler {
                order: EulerOrder::new([axes[first], axes[second], axes[3 - first - second]])
                    .unwrap(),
                ranges: [self.range(), self.range(), self.range()],
            },
            _ => RotationLimit::Free,
        }
    }

    /// Rotation within the limits.
    pub fn allowed(&mut self, turn: &RotationLimit) -> Quat {
        allowed_at(turn, [0; 3].map(|_| self.part()))
    }
}

/// Rotation within the limits. `parts` are in [0, 1].
pub fn allowed_at(turn: &RotationLimit, parts: [f32; 3]) -> Quat {
    let within = |r: &AngleRange, part: f32| r.min_rad + (r.max_rad - r.min_rad) * part;
    match turn {
        RotationLimit::Fixed => Quat::IDENTITY,
        RotationLimit::Hinge { axis, range } => {
            quat::from_axis_angle(*axis, within(range, parts[0]))
        }
        RotationLimit::Saddle { axes, ranges } => {
            let outer = axes[0].rotation(within(&ranges[0], parts[0]));
            quat::mul(outer, axes[1].rotation(within(&ranges[1], parts[1])))
        }
        RotationLimit::Euler { order, ranges } => {
            order.to_quat([0, 1, 2].map(|i| within(&ranges[i], parts[i])))
        }
        RotationLimit::Ball {
            axis,
            swing_rad,
            twist,
        } => {
            let twisted = quat::from_axis_angle(*axis, within(twist, parts[2]));
            let about = quat::from_axis_angle(*axis, std::f32::consts::TAU * parts[1]);
            let across = quat::rotate(about, axis.any_orthonormal_vector());
            let swing = quat::from_axis_angle(across, swing_rad * parts[0].sqrt());
            quat::mul(swing, twisted)
        }
        RotationLimit::Free => {
            let order = EulerOrder::XYZ;
            order.to_quat(parts.map(|part| 3.0 * (2.0 * part - 1.0)))
        }
        RotationLimit::Framed(framed) => {
            let stated = allowed_at(&framed.rotation, parts);
            let (axes, rest) = (framed.frame.axes, framed.frame.rest);
            let zero = quat::mul(axes, rest.conjugate());
            quat::mul(quat::mul(zero, stated), axes.conjugate())
        }
    }
}

/// Chain of `joints` joints and a tip.
pub fn chain(dice: &mut Dice, joints: usize) -> Skeleton {
    let mut list: Vec<Joint> = (0..joints)
        .map(|nth| {
            let place = dice.direction()
                * if nth == 0 {
                    0.3
                } else {
                    dice.between(0.2, 1.0)
                };
            let rest = quat::from_axis_angle(dice.direction(), dice.between(-1.5, 1.5));
            let rest = Transform::from_rotation_translation(rest, place);
            Joint::new(format!("joint {nth}"), nth.checked_sub(1), rest).with_freedom(Freedom {
                rotation: dice.turn(),
                ..Freedom::default()
            })
        })
        .collect();
    let place = dice.direction() * dice.between(0.2, 1.0);
    let tip = Transform::from_translation(place);
    list.push(Joint::new("tip", Some(joints - 1), tip));
    Skeleton::new(list).unwrap().0
}

pub fn length(skeleton: &Skeleton) -> f32 {
    (1..skeleton.len())
        .map(|j| skeleton.rest().get(j).translation.length())
        .sum()
}

pub fn any_pose(dice: &mut Dice, skeleton: &Skeleton) -> LocalPose {
    let mut pose = skeleton.rest().clone();
    for joint in 0..skeleton.len() - 1 {
        let turn = dice.allowed(&skeleton.freedom(joint).rotation);
        pose.set_rotation(joint, quat::mul(skeleton.rest().get(joint).rotation, turn));
    }
    pose
}

pub fn tip(skeleton: &Skeleton, pose: &LocalPose) -> Vec3 {
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), pose, &Affine::IDENTITY)
        .expect("of this skeleton");
    model.get(skeleton.len() - 1).translation()
}
