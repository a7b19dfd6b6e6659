//! The bones of a skeleton at the bind pose: what a joint carries, as line segments.

use glam::{DVec3, Vec3};
use sinew::{Skeleton, Skin};

/// Where the joints of a skin stand at the bind pose, and which hangs from which. Joints are in the
/// skin's order, which need not be parents first.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Bones {
    /// The nearest joint above, of those in the skin.
    pub parents: Vec<Option<usize>>,
    /// Where each joint is.
    pub heads: Vec<Vec3>,
    /// Where the bone of a joint without children ends, for those where that is known.
    pub tails: Vec<Option<Vec3>>,
    /// Whether a joint may move vertices; targets, helpers and end sites may not.
    pub deforms: Vec<bool>,
}

/// A piece of bone that moves with one joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    /// The joint that moves it.
    pub joint: usize,
    /// The joint at its end; none at the end of a chain.
    pub child: Option<usize>,
    pub from: DVec3,
    pub to: DVec3,
}

impl Segment {
    pub fn middle(&self) -> DVec3 {
        0.5 * (self.from + self.to)
    }
}

impl Bones {
    /// Joints that all move vertices, ends unknown.
    pub fn new(parents: Vec<Option<usize>>, heads: Vec<Vec3>) -> Self {
        let count = heads.len();
        Self {
            parents,
            heads,
            tails: vec![None; count],
            deforms: vec![true; count],
        }
    }

    /// The joints of a skin where its inverse bind matrices have them.
    pub fn of_skin(skeleton: &Skeleton, skin: &Skin) -> Self {
        let mut place = vec![None; skeleton.len()];
        for (index, &joint) in skin.joints.iter().enumerate() {
            if place[joint].is_none() {
                place[joint] = Some(index);
            }
        }
        let parent_of = |&joint: &usize| {
            let mut above = skeleton.parent(joint);
            while let Some(joint) = above {
                if place[joint].is_some() {
                    return place[joint];
                }
                above = skeleton.parent(joint);
            }
            None
        };
        let parents = skin.joints.iter().map(parent_of).collect();
        let heads = (0..skin.joints.len()).map(|index| skin.bind_position(index));
        Self::new(parents, heads.collect())
    }

    /// How many joints there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The nearest joint above that moves vertices.
    fn deforming_parent(&self, joint: usize) -> Option<usize> {
        let mut above = self.parents[joint];
        // A loop, which a skeleton cannot have, ends after as many steps as there are joints.
        for _ in 0..self.len() {
            match above {
                Some(parent) if !self.deforms[parent] => above = self.parents[parent],
                _ => break,
            }
        }
        above.filter(|&parent| self.deforms[parent])
    }

    /// The segments of every joint that moves vertices: one to each child, or, at the end of a chain,
    /// one as long as the bone before it, in its direction. A joint that stands alone is a point.
    pub(crate) fn segments(&self) -> Vec<Segment> {
        let head = |joint: usize| self.heads[joint].as_dvec3();
        let mut has_child = vec![false; self.len()];
        let mut segments = Vec::with_capacity(self.len());
        for joint in (0..self.len()).filter(|&j| self.deforms[j]) {
            if let Some(parent) = self.deforming_parent(joint) {
                has_child[parent] = true;
                segments.push(Segment {
                    joint: parent,
                    child: Some(joint),
                    from: head(parent),
                    to: head(joint),
                });
            }
        }
        for joint in (0..self.len()).filter(|&j| self.deforms[j] && !has_child[j]) {
            let from = head(joint);
            let before = self.parents[joint].map_or(DVec3::ZERO, |parent| from - head(parent));
            let to = self.tails[joint].map_or(from + before, |tail| tail.as_dvec3());
            segments.push(Segment {
                joint,
                child: None,
                from,
                to,
            });
        }
        segments
    }
}
