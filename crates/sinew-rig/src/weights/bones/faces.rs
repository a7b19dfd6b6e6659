//! Faces: joints with more children than a hand, and what moves the bones below them.

use super::joints::{Bones, Flesh};

/// More than the fingers of a hand.
const FACE_CHILDREN: usize = 6;

impl Bones {
    /// The root of the face that each joint is a detail of.
    pub(super) fn faces(&self, children: &[Vec<usize>]) -> Vec<Option<usize>> {
        // How long the longest chain below each joint is.
        let mut long = vec![0.0_f64; self.len()];
        for joint in (0..self.len()).filter(|&joint| self.deforms[joint]) {
            let (mut from, mut way) = (joint, 0.0);
            for above in self.above(joint) {
                way += self.head(from).distance(self.head(above));
                long[above] = long[above].max(way);
                from = above;
            }
        }
        let is_face: Vec<bool> = (0..self.len())
            .map(|joint| {
                let below = &children[joint];
                let away = below
                    .iter()
                    .map(|&c| self.head(c).distance(self.head(joint)));
                below.len() >= FACE_CHILDREN
                    && self.deforming_above(joint).is_some()
                    && below.iter().all(|&child| self.flesh[child] != Flesh::Digit)
                    && middle(below.iter().map(|&c| long[c])) < middle(away)
            })
            .collect();
        let is_face = |&joint: &usize| is_face[joint];
        (0..self.len())
            .map(|joint| self.above(joint).filter(is_face).last())
            .collect()
    }

    /// The joint that moves a joint's bones: itself, or in a face the jaw that it belongs to, or the
    /// face's root.
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

/// The middle one of some numbers.
fn middle(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    let place = values.len() / 2;
    *values.select_nth_unstable_by(place, f64::total_cmp).1
}
