//! Finds joints of a skeleton by the meaning of their names.

use super::joint_names::{Meaning, Part, is_helper, meaning};
use glam::Vec3;
use sinew::Skeleton;
use sinew::skeleton::Side;

pub(super) struct Finder<'a> {
    pub skeleton: &'a Skeleton,
    pub names: Vec<Option<Meaning>>,
    /// True for joints whose names mark them as helpers.
    pub helps: Vec<bool>,
    /// Positions at rest, in model space.
    pub positions: Vec<Vec3>,
}

impl<'a> Finder<'a> {
    pub fn new(skeleton: &'a Skeleton) -> Self {
        let names = (0..skeleton.len()).map(|joint| skeleton.name(joint));
        let rest = skeleton.rest_model();
        Self {
            skeleton,
            names: names.clone().map(meaning).collect(),
            helps: names.map(is_helper).collect(),
            positions: rest.as_slice().iter().map(|m| m.translation()).collect(),
        }
    }

    /// Topmost joint with the name of one of `parts`, below `above` if given.
    pub fn topmost(
        &self,
        parts: &[Part],
        side: Option<Side>,
        above: Option<usize>,
    ) -> Option<usize> {
        (0..self.names.len()).find(|&joint| {
            self.names[joint].is_some_and(|m| m.side == side && parts.contains(&m.part))
                && above.is_none_or(|above| joint != above && self.is_under(joint, above))
        })
    }

    pub fn is_under(&self, joint: usize, above: usize) -> bool {
        self.skeleton
            .hierarchy()
            .ancestors(joint)
            .any(|j| j == above)
    }

    /// Lowest common ancestor, or the parent of a single joint.
    pub fn meeting(&self, joints: &[usize]) -> Option<usize> {
        let hierarchy = self.skeleton.hierarchy();
        let (first, others) = joints.split_first()?;
        let mut above = hierarchy.ancestors(*first).skip(1);
        above.find(|a| others.iter().all(|j| self.is_under(*j, *a)))
    }
}
