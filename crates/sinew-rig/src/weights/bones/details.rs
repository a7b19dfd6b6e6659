//! Joints that move what is near a point: the ends of chains in faces, and what bulges out of the body.

use super::joints::{Bones, Flesh};
use glam::DVec3;

/// The reach of a detail of a face, as a part of the mean distance of the face's joints from its root. An artist's
/// eyelids, lips and nostrils are about that size.
const DETAIL_REACH: f64 = 0.125;
/// The reach of a bulge, as a part of its distance from the joint that moves it.
const BULGE_REACH: f64 = 1.0 / 3.0;

/// A joint that moves what sticks out beside the bone above it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bulge {
    joint: usize,
    /// The joint above it.
    pub parent: usize,
    /// The bone above it.
    above: [DVec3; 2],
    direction: DVec3,
}

impl Bulge {
    /// Finds its position: the point that sticks out farthest beside the bone above, of these.
    pub fn detail(&self, points: impl Iterator<Item = DVec3>) -> Option<Detail> {
        let [from, joint] = self.above;
        let bone = joint - from;
        let is_beside = |point: &DVec3| {
            let along = (*point - from).dot(bone);
            0.0 < along && along < bone.length_squared()
        };
        let out = |point: &DVec3| (*point - joint).dot(self.direction);
        let beside = points.filter(is_beside);
        let at = beside.max_by(|a, b| out(a).total_cmp(&out(b)))?;
        let reach = BULGE_REACH * at.distance(joint);
        (reach > 0.0).then_some(Detail {
            joint: self.joint,
            at,
            reach,
        })
    }
}

/// A joint that moves what is near a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Detail {
    pub joint: usize,
    pub at: DVec3,
    pub reach: f64,
}

impl Bones {
    /// The joints that move what bulges out.
    pub(crate) fn bulges(&self) -> Vec<Bulge> {
        let of_joint = |joint: usize| match (self.flesh[joint], self.deforming_above(joint)) {
            (Flesh::Bulge(direction), Some(parent)) if self.deforms[joint] => Some(Bulge {
                joint,
                parent,
                above: [self.head(parent), self.head(joint)],
                direction: direction.as_dvec3(),
            }),
            _ => None,
        };
        (0..self.len()).filter_map(of_joint).collect()
    }

    /// The ends of the chains of faces, which move what is near them.
    pub(crate) fn details(&self) -> Vec<Detail> {
        let children = self.children();
        let faces = self.faces(&children);
        let mut details = Vec::new();
        let is_detail = |&joint: &usize| {
            self.deforms[joint] && children[joint].is_empty() && self.flesh[joint] != Flesh::Jaw
        };
        for joint in (0..self.len()).filter(is_detail) {
            let (Some(face), Some(parent)) = (faces[joint], self.deforming_above(joint)) else {
                continue;
            };
            let away = |&child: &usize| self.head(child).distance(self.head(face));
            let size: f64 = children[face].iter().map(away).sum();
            let size = size / children[face].len() as f64;
            let reach = self.head(parent).distance(self.head(joint));
            let reach = reach.min(DETAIL_REACH * size);
            if reach > 0.0 {
                let at = self.head(joint);
                details.push(Detail { joint, at, reach });
            }
        }
        details
    }
}
