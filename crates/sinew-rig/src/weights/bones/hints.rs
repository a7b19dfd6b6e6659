//! Hints about the bones of a skin, from the axes and names of its joints.
//!
//! - In rigs of Blender and Mixamo, the same axis of most joints points to the next joint. The last
//!   bone of a chain is then along that axis too.
//! - A jaw hangs from the face like an eyelid, but has its own bones like a limb.
//! - In some rigs, the joints of breasts start at the spine and have no end. Only the name shows
//!   that they move a bulge in front, left or right.
//! - Roots, controls and ends move nothing: see [`super::unweighted`].

use super::joints::{Bones, Flesh};
use super::sides::other_side;
use super::unweighted::{Unweighted, is_digit, is_tip};
use glam::Vec3;
use sinew::Affine;

const JAWS: [&str; 2] = ["jaw", "mandible"];
const BREASTS: [&str; 3] = ["breast", "bust", "pectoral"];

/// Min fraction of bones within eleven degrees of the axis.
const MAJORITY: f64 = 0.6;
const ALONG: f32 = 0.98;
/// Sideways part of the direction of a breast. The forward part is 1.
const ASIDE: f32 = 0.5;

impl Bones {
    /// Sets ends, flesh and deforming joints from names and from the joint frames at the bind pose.
    /// Returns the reason for each joint that does not deform.
    pub(crate) fn take_hints(
        &mut self,
        frames: &[Option<Affine>],
        names: &[&str],
    ) -> Vec<Option<Unweighted>> {
        let why = self.unweighted_by_name(names);
        let children = self.children();
        if let Some(axis) = self.bone_axis(frames, &children) {
            for joint in (0..self.len()).filter(|&joint| children[joint].is_empty()) {
                let (Some(frame), Some(parent)) = (frames[joint], self.deforming_above(joint))
                else {
                    continue;
                };
                let length = self.heads[joint].distance(self.heads[parent]);
                let along = frame.transform_vector(axis).normalize_or_zero() * length;
                if along != Vec3::ZERO && along.is_finite() {
                    self.tails[joint] = Some(self.heads[joint] + along);
                }
            }
        }
        let lower: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let is = |joint: usize, words: &[&str]| words.iter().any(|w| lower[joint].contains(w));
        let is_digit = |joint: usize| is_digit(names[joint]);
        let sides = Sides::new(&self.heads, &lower);
        for joint in 0..self.len() {
            if !self.deforms[joint] {
                continue;
            }
            if is(joint, &JAWS) {
                self.flesh[joint] = Flesh::Jaw;
            } else if children[joint].is_empty() && is_tip(names[joint]) {
                self.flesh[joint] = Flesh::Tip;
            } else if is_digit(joint) {
                self.flesh[joint] = Flesh::Digit;
            } else if is(joint, &BREASTS)
                && self.tails[joint].is_none()
                && self.lies_on_sibling(joint, &children)
                && let Some(root) = self.above(joint).last()
            {
                let up = self.heads[joint] - self.heads[root];
                let front = sides.left.cross(up).normalize_or_zero();
                let sideways = sides.left * (ASIDE * sides.of_joint[joint]);
                if front != Vec3::ZERO && sideways != Vec3::ZERO {
                    self.flesh[joint] = Flesh::Bulge(front + sideways);
                }
            }
        }
        why
    }

    fn bone_axis(&self, frames: &[Option<Affine>], children: &[Vec<usize>]) -> Option<Vec3> {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let axes = axes.into_iter().flat_map(|axis| [axis, -axis]);
        let mut counts: Vec<(Vec3, usize)> = axes.map(|axis| (axis, 0)).collect();
        let mut ways = 0;
        for (joint, frame) in frames.iter().enumerate() {
            let (Some(frame), [child]) = (frame, &children[joint][..]) else {
                continue;
            };
            let way = (self.heads[*child] - self.heads[joint]).normalize_or_zero();
            if way == Vec3::ZERO {
                continue;
            }
            ways += 1;
            for (axis, count) in &mut counts {
                let along = frame.transform_vector(*axis).normalize_or_zero();
                *count += usize::from(along.dot(way) > ALONG);
            }
        }
        let (axis, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        (ways > 2 && count as f64 >= MAJORITY * f64::from(ways)).then_some(axis)
    }
}

/// Direction to the left, from joints whose names contain a side.
struct Sides {
    left: Vec3,
    /// 1 on the left, −1 on the right, 0 in the middle.
    of_joint: Vec<f32>,
}

impl Sides {
    fn new(heads: &[Vec3], lower: &[String]) -> Self {
        let mut left = Vec3::ZERO;
        let mut of_joint = vec![0.0; lower.len()];
        for (joint, name) in lower.iter().enumerate() {
            let opposite = other_side(name).into_iter().find_map(|other| {
                let index = lower.iter().position(|name| *name == other)?;
                Some((index, other))
            });
            let Some((opposite, other)) = opposite else {
                continue;
            };
            let differ = name.bytes().zip(other.bytes()).find(|(a, b)| a != b);
            let side = match differ {
                Some((b'l', _)) => 1.0,
                Some((b'r', _)) => -1.0,
                _ => continue,
            };
            of_joint[joint] = side;
            left += side * (heads[joint] - heads[opposite]);
        }
        Self {
            left: left.normalize_or_zero(),
            of_joint,
        }
    }
}
