//! Faces: joints with more children than a hand has fingers, and the joints that move face bones.

use super::joints::{Bones, Flesh};
use crate::weights::median::median;

/// Min number of children of the root of a face, one more than the fingers of a hand.
const FACE_CHILDREN: usize = 6;

impl Bones {
    pub(super) fn faces(&self, children: &[Vec<usize>]) -> Vec<Option<usize>> {
        let mut long = vec![0.0_f64; self.len()];
        for joint in (0..self.len()).filter(|&joint| self.deforms[joint]) {
            let (mut from, mut way) = (joint, 0.0);
            for above in self.above(joint) {
                way += self.head(from).distance(self.head(above));
                long[above] = long[above].max(way);
                from = above;
            }
        }
        let is_face = |joint: usize| {
            let below = &children[joint];
            let away = |&c: &usize| self.head(c).distance(self.head(joint));
            let mut aways: Vec<f64> = below.iter().map(away).collect();
            let mut lengths: Vec<f64> = below.iter().map(|&c| long[c]).collect();
            below.len() >= FACE_CHILDREN
                && self.deforming_above(joint).is_some()
                && below.iter().all(|&child| self.flesh[child] != Flesh::Digit)
                && median(&mut lengths) < median(&mut aways)
        };
        let is_face: Vec<bool> = (0..self.len()).map(is_face).collect();
        let is_face = |&joint: &usize| is_face[joint];
        (0..self.len())
            .map(|joint| self.above(joint).filter(is_face).last())
            .collect()
    }

    /// Joint that moves the bones of `joint`: the joint itself, or the jaw or root of its face.
    pub(super) fn mover(&self, joint: usize, faces: &[Option<usize>]) -> usize {
        let Some(face) = faces[joint] else {
            return joint;
        };
        let is_jaw = |&joint: &usize| self.flesh[joint] == Flesh::Jaw;
        let below = self.above(joint).take_while(|&above| above != face);
        let jaw = std::iter::once(joint).chain(below).find(is_jaw);
        let mover = jaw.unwrap_or(face);
        if self.deforms[mover] { mover } else { joint }
    }
}
