//! The joints of a skin at the bind pose, and the tree that they are.

use glam::{DVec3, Vec3};

/// The joints of a skin at the bind pose, and which hangs from which. Joints are in the
/// skin's order, which need not be parents first.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Bones {
    /// The nearest joint above, of those in the skin.
    pub parents: Vec<Option<usize>>,
    /// The position of each joint.
    pub heads: Vec<Vec3>,
    /// The end of the bone of a joint without children, for those of which it is known.
    pub tails: Vec<Option<Vec3>>,
    /// True for joints that may move vertices; targets, helpers and end sites may not.
    pub deforms: Vec<bool>,
    /// The part of the mesh that each joint moves.
    pub flesh: Vec<Flesh>,
    /// The distance from each joint within which curves over it blend, in place of half of the shorter bone. Beyond
    /// the middle of a bone they never do.
    pub radii: Vec<Option<f32>>,
}

/// The part of the mesh that a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Flesh {
    /// The flesh around its bones, or a detail where it is part of a face.
    #[default]
    Around,
    /// The flesh around its bones, though it is part of a face.
    Jaw,
    /// The flesh that bulges out of the body in a direction, beside the bone above: breasts.
    Bulge(Vec3),
    /// The flesh around its bones, of which none is a detail of a face: fingers and toes.
    Digit,
    /// The flesh around its bones, or nothing where little of the mesh is beyond it: tips.
    Tip,
    /// Nothing, where it does not deform: it marks the end of the bone above it.
    End,
}

impl Bones {
    /// Joints that all may move vertices, ends unknown.
    pub fn new(parents: Vec<Option<usize>>, heads: Vec<Vec3>) -> Self {
        let count = heads.len();
        Self {
            parents,
            heads,
            tails: vec![None; count],
            deforms: vec![true; count],
            flesh: vec![Flesh::Around; count],
            radii: vec![None; count],
        }
    }

    /// The number of joints.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// True when there is no joint.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    pub(super) fn head(&self, joint: usize) -> DVec3 {
        self.heads[joint].as_dvec3()
    }

    pub(super) fn radius(&self, joint: usize) -> Option<f64> {
        self.radii[joint].map(f64::from)
    }

    /// The joints above, nearest first. A loop, which a skeleton cannot have, ends after as many steps
    /// as there are joints.
    pub(crate) fn above(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.parents[joint];
        let all = std::iter::successors(first, |&joint| self.parents[joint]);
        all.take(self.len())
    }

    /// The nearest joint above that moves vertices.
    pub(crate) fn deforming_above(&self, joint: usize) -> Option<usize> {
        self.above(joint).find(|&above| self.deforms[above])
    }

    /// The joints that move vertices below each joint, with none that does between.
    pub(crate) fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.len()];
        for joint in (0..self.len()).filter(|&joint| self.deforms[joint]) {
            if let Some(parent) = self.deforming_above(joint) {
                children[parent].push(joint);
            }
        }
        children
    }

    /// True when a sibling with children begins where the joint does.
    pub(crate) fn lies_on_sibling(&self, joint: usize, children: &[Vec<usize>]) -> bool {
        let above = self.deforming_above(joint);
        let siblings = above.map_or(&[][..], |parent| &children[parent]);
        siblings.iter().any(|&other| {
            other != joint && !children[other].is_empty() && self.heads[other] == self.heads[joint]
        })
    }
}
