//! Joints of a skin at the bind pose, and their tree.

use glam::{DVec3, Vec3};

/// Joints of a skin at the bind pose, in the order of the skin. Parents need not come first.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Bones {
    /// Index of the nearest ancestor in the skin, for each joint.
    pub parents: Vec<Option<usize>>,
    /// Position of each joint, in model space.
    pub heads: Vec<Vec3>,
    /// End of the bone, in model space, for a joint without children. `None` if unknown.
    pub tails: Vec<Option<Vec3>>,
    /// True for joints that may move vertices. False for targets, helpers and end sites.
    pub deforms: Vec<bool>,
    /// Part of the mesh that each joint moves.
    pub flesh: Vec<Flesh>,
    /// Blend radius of each joint, max half a bone, in model units. Default: half the shorter bone.
    pub radii: Vec<Option<f32>>,
}

/// Part of the mesh that a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Flesh {
    /// Flesh around the bones of the joint, or a detail in a face.
    #[default]
    Around,
    /// Flesh around the bones of the joint, even in a face.
    Jaw,
    /// Flesh that bulges from the body in this direction, beside the bone above the joint: breasts.
    Bulge(Vec3),
    /// Flesh around the bones of the joint, never a detail of a face: fingers and toes.
    Digit,
    /// Flesh around the bones of the joint, or nothing if little flesh is beyond the joint: tips.
    Tip,
    /// Nothing. The joint marks the end of the bone above it.
    End,
}

impl Bones {
    /// Creates joints with unknown ends. All joints may move vertices.
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

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// True if there are no joints.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    pub(super) fn head(&self, joint: usize) -> DVec3 {
        self.heads[joint].as_dvec3()
    }

    pub(super) fn radius(&self, joint: usize) -> Option<f64> {
        self.radii[joint].map(f64::from)
    }

    /// Ancestors, nearest first, up to the number of joints, in case the parents form a loop.
    pub(crate) fn above(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        let first = self.parents[joint];
        let all = std::iter::successors(first, |&joint| self.parents[joint]);
        all.take(self.len())
    }

    pub(crate) fn deforming_above(&self, joint: usize) -> Option<usize> {
        self.above(joint).find(|&above| self.deforms[above])
    }

    pub(crate) fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.len()];
        for joint in (0..self.len()).filter(|&joint| self.deforms[joint]) {
            if let Some(parent) = self.deforming_above(joint) {
                children[parent].push(joint);
            }
        }
        children
    }

    pub(crate) fn lies_on_sibling(&self, joint: usize, children: &[Vec<usize>]) -> bool {
        let above = self.deforming_above(joint);
        let siblings = above.map_or(&[][..], |parent| &children[parent]);
        siblings.iter().any(|&other| {
            other != joint && !children[other].is_empty() && self.heads[other] == self.heads[joint]
        })
    }
}
