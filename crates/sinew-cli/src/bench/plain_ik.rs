//! Inverse kinematics written with glam: the plain code that the `ik` cases are compared with.

use glam::{Affine3A, Quat, Vec3, Vec3A};
use sinew::ik::{Goal, GoalKind};
use sinew::{Skeleton, Transform};

pub fn plain_tip(locals: &[Transform], parent: &Affine3A) -> Vec3 {
    let local = |t: &Transform| Affine3A::from_rotation_translation(t.rotation, t.translation);
    let hand = locals.iter().fold(*parent, |above, t| above * local(t));
    hand.translation.into()
}

pub fn plain_two_bone(locals: &mut [Transform], parent: &Affine3A, goal: Vec3, pole: Vec3) {
    let (upper, lower, hand) = (locals[0], locals[1], locals[2].translation);
    let parent_from_model = parent.inverse();
    let goal = parent_from_model.transform_point3(goal) - upper.translation;
    let pole = parent_from_model.transform_point3(pole) - upper.translation;
    let (a, b) = (lower.translation.length(), hand.length());
    let distance = goal.length().clamp((a - b).abs(), a + b);
    let wanted = ((distance * distance - a * a - b * b) / (2.0 * a * b))
        .clamp(-1.0, 1.0)
        .acos();
    let forearm = lower.rotation * hand;
    let now = lower.translation.angle_between(forearm);
    let axis = lower.translation.cross(forearm).normalize_or(Vec3::Z);
    let bent = Quat::from_axis_angle(axis, wanted - now) * lower.rotation;
    let tip = upper.rotation * (lower.translation + bent * hand);
    let swing = Quat::from_rotation_arc(tip.normalize(), goal.normalize());
    let swung = swing * upper.rotation;
    let line = goal.normalize();
    let elbow = (swung * lower.translation).reject_from_normalized(line);
    let side = pole.reject_from_normalized(line);
    let angle = elbow.cross(side).dot(line).atan2(elbow.dot(side));
    locals[1].rotation = bent.normalize();
    locals[0].rotation = (Quat::from_axis_angle(line, angle) * swung).normalize();
}

pub fn plain_aim(head: &mut Transform, parent: &Affine3A, target: Vec3, eye: Vec3) {
    let target = parent.inverse().transform_point3(target) - head.translation;
    let ahead = eye.dot(Vec3::Z);
    let squared = ahead * ahead + target.length_squared() - eye.length_squared();
    let meets = eye + Vec3::Z * (squared.max(0.0).sqrt() - ahead);
    let now = (head.rotation * meets).normalize();
    let swing = Quat::from_rotation_arc(now, target.normalize());
    head.rotation = (swing * head.rotation).normalize();
}

/// Damped least squares in which every joint rotates about three axes for every goal.
pub struct PlainBody {
    parents: Vec<Option<usize>>,
    positions: Vec<Vec3A>,
    tips: Vec<usize>,
    carries: Vec<Vec<bool>>,
}

impl PlainBody {
    pub fn new(skeleton: &Skeleton, tips: &[usize]) -> Self {
        let joints = 0..skeleton.len();
        let carries = |joint: usize| {
            let below = |&tip: &usize| {
                let mut at = Some(tip);
                while at.is_some_and(|a| a > joint) {
                    at = at.and_then(|a| skeleton.parent(a));
                }
                at == Some(joint)
            };
            tips.iter().map(below).collect()
        };
        Self {
            parents: joints.clone().map(|joint| skeleton.parent(joint)).collect(),
            positions: joints
                .clone()
                .map(|joint| skeleton.rest().get(joint).translation.into())
                .collect(),
            tips: tips.to_vec(),
            carries: joints.map(carries).collect(),
        }
    }

    pub fn solve(&mut self, goals: &[Goal]) -> bool {
        let count = self.positions.len();
        let rows = 3 * self.tips.len();
        let mut rotations = vec![Quat::IDENTITY; count];
        let mut maps = vec![Affine3A::IDENTITY; count];
        for _ in 0..60 {
            for joint in 0..count {
                let local = Affine3A::from_rotation_translation(
                    rotations[joint],
                    self.positions[joint].into(),
                );
                maps[joint] = self.parents[joint].map_or(local, |parent| maps[parent] * local);
            }
            let mut errors = vec![0.0; rows];
            for (nth, (goal, &tip)) in goals.iter().zip(&self.tips).enumerate() {
                if let GoalKind::Position { at, .. } = goal.kind {
                    let off = Vec3A::from(at) - maps[tip].translation;
                    errors[3 * nth..3 * nth + 3].copy_from_slice(&off.to_array());
                }
            }
            // A thousandth of the longest chain, from the hips to a hand.
            let is_met = |e: &[f32]| e.iter().map(|c| c * c).sum::<f32>().sqrt() < 1.2e-3;
            if errors.chunks(3).all(is_met) {
                return true;
            }
            let mut jacobian = vec![0.0; rows * 3 * count];
            for joint in 0..count {
                let frame = maps[joint].matrix3;
                for axis in 0..3 {
                    let about = frame.col(axis);
                    for (nth, &tip) in self.tips.iter().enumerate() {
                        if self.carries[joint][nth] {
                            let way = about.cross(maps[tip].translation - maps[joint].translation);
                            let at = (3 * joint + axis) * rows + 3 * nth;
                            jacobian[at..at + 3].copy_from_slice(&way.to_array());
                        }
                    }
                }
            }
            let mut square = vec![0.0; rows * rows];
            for column in jacobian.chunks_exact(rows) {
                for i in 0..rows {
                    for j in 0..rows {
                        square[i * rows + j] += column[i] * column[j];
                    }
                }
            }
            for i in 0..rows {
                square[i * rows + i] += 1e-3;
            }
            eliminate(&mut square, &mut errors, rows);
            for joint in 0..count {
                let step = |axis: usize| {
                    let column = &jacobian[(3 * joint + axis) * rows..][..rows];
                    column.iter().zip(&errors).map(|(a, b)| a * b).sum::<f32>()
                };
                let step = Vec3::new(step(0), step(1), step(2));
                rotations[joint] = (rotations[joint] * Quat::from_scaled_axis(step)).normalize();
            }
        }
        false
    }
}

fn eliminate(m: &mut [f32], x: &mut [f32], n: usize) {
    for k in 0..n {
        for i in k + 1..n {
            let factor = m[i * n + k] / m[k * n + k];
            for j in k..n {
                m[i * n + j] -= factor * m[k * n + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            x[i] -= m[i * n + j] * x[j];
        }
        x[i] /= m[i * n + i];
    }
}
