//! Bones as line segments, each moved by one joint.

use super::joints::{Bones, Flesh};
use glam::DVec3;

/// Range of a twist joint along its bone, and its max distance from the bone, in bone lengths.
const TWIST_ALONG: std::ops::Range<f64> = 0.05..0.95;
const TWIST_ASIDE: f64 = 0.1;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    /// Joint that moves the bone.
    pub joint: usize,
    /// Joint at the start.
    pub start: usize,
    /// Joint at the end. `None` at the end of a chain.
    pub child: Option<usize>,
    pub from: DVec3,
    pub to: DVec3,
    /// Requested blend radius of the curve at the start.
    pub radius: Option<f64>,
    /// True if the length is unknown and copied from the previous bone.
    pub guessed: bool,
}

impl Segment {
    pub fn middle(&self) -> DVec3 {
        0.5 * (self.from + self.to)
    }
}

impl Bones {
    /// Start of the bone that ends at each joint: its parent, or a twist joint on that bone.
    fn before(&self, children: &[Vec<usize>], faces: &[Option<usize>]) -> Vec<Option<usize>> {
        let above = (0..self.len()).map(|joint| self.deforming_above(joint));
        let mut before: Vec<Option<usize>> = above.collect();
        for (joint, below) in children.iter().enumerate() {
            let is_leaf = |&&other: &&usize| children[other].is_empty() && faces[other].is_none();
            for &child in below {
                let way = self.head(child) - self.head(joint);
                let mut on_way: Vec<(f64, usize)> = Vec::new();
                for &twist in below
                    .iter()
                    .filter(is_leaf)
                    .filter(|&&twist| twist != child)
                {
                    let to = self.head(twist) - self.head(joint);
                    let along = to.dot(way) / way.length_squared();
                    let across = to.distance(along * way);
                    if TWIST_ALONG.contains(&along) && across < TWIST_ASIDE * way.length() {
                        on_way.push((along, twist));
                    }
                }
                on_way.sort_by(|a, b| a.0.total_cmp(&b.0));
                let mut last = joint;
                for (_, twist) in on_way {
                    before[twist] = Some(last);
                    last = twist;
                }
                before[child] = Some(last);
            }
        }
        before
    }

    /// Segments of every deforming joint: one to each child, and the last bones of chains.
    pub(crate) fn segments(&self) -> Vec<Segment> {
        let children = self.children();
        let faces = self.faces(&children);
        let before = self.before(&children, &faces);
        let begins_at = |joint: usize, other: usize| self.heads[joint] == self.heads[other];
        let holds_together = |joint: usize| match &children[joint][..] {
            [first, rest @ ..] if self.deforming_above(joint).is_none() && !rest.is_empty() => {
                rest.iter().all(|&other| begins_at(other, *first))
            }
            _ => false,
        };
        let mut has_bone = vec![false; self.len()];
        let mut segments = Vec::with_capacity(self.len());
        let is_end = |joint: usize| self.flesh[joint] == Flesh::End;
        for joint in (0..self.len()).filter(|&j| self.deforms[j] || is_end(j)) {
            let Some(parent) = before[joint] else {
                continue;
            };
            let deforms = self.deforms[joint];
            if !deforms && begins_at(joint, parent) {
                continue;
            }
            has_bone[parent] = true;
            if !holds_together(parent) {
                segments.push(Segment {
                    joint: self.mover(parent, &faces),
                    start: parent,
                    child: deforms.then_some(joint),
                    from: self.head(parent),
                    to: self.head(joint),
                    radius: self.radius(parent),
                    guessed: false,
                });
            }
        }
        let may_end = |&joint: &usize| {
            let is_detail = faces[joint].is_some() && self.flesh[joint] != Flesh::Jaw;
            self.deforms[joint] && !has_bone[joint] && !is_detail
        };
        for joint in (0..self.len()).filter(may_end) {
            let from = self.head(joint);
            let to = match (self.tails[joint], self.deforming_above(joint)) {
                (Some(tail), _) => tail.as_dvec3(),
                (None, Some(_)) if self.lies_on_sibling(joint, &children) => continue,
                (None, Some(parent)) => 2.0 * from - self.head(parent),
                (None, None) => from,
            };
            segments.push(Segment {
                joint,
                start: joint,
                child: None,
                from,
                to,
                radius: self.radius(joint),
                guessed: true,
            });
        }
        if segments.is_empty() {
            let joints = (0..self.len()).filter(|&j| self.deforms[j]);
            segments.extend(joints.map(|joint| Segment {
                joint,
                start: joint,
                child: None,
                from: self.head(joint),
                to: self.head(joint),
                radius: None,
                guessed: false,
            }));
        }
        segments
    }
}
