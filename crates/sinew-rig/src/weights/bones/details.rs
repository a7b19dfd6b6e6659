//! Joints that move the surface near a point: ends of chains in faces, and bulges of the body.

use super::joints::{Bones, Flesh};
use glam::DVec3;

/// Reach of a face detail, as a fraction of the mean distance of the joints of the face from its
/// root. Eyelids, lips and nostrils have about that size in weights by artists.
const DETAIL_REACH: f64 = 0.125;
/// Reach of a bulge, as a fraction of its distance from its joint.
const BULGE_REACH: f64 = 1.0 / 3.0;

/// Joint that moves a bulge beside the bone above the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bulge {
    joint: usize,
    /// Parent of the joint.
    pub parent: usize,
    above: [DVec3; 2],
    direction: DVec3,
}

impl Bulge {
    /// Detail at the point that is farthest to the side of the bone above the joint.
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

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Detail {
    pub joint: usize,
    pub at: DVec3,
    pub reach: f64,
}

impl Bones {
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
