//! Skins: joints with a common root, and a matrix for each.

use std::collections::HashMap;

use super::{Checker, parents};
use crate::gltf::format::{ComponentType, ElementType, Format};
use crate::gltf::schema::Skin;
use crate::report::Severity;

const MATRICES: Format = Format {
    element: ElementType::Mat4,
    component: ComponentType::Float,
    normalized: false,
};

pub(super) fn check(checker: &mut Checker<'_>) {
    let document = checker.document;
    let parents = parents(document);
    let mut roots = Vec::with_capacity(document.skins.len());
    let forest = Forest::new(&parents);
    let mut listed_by = vec![usize::MAX; document.nodes.len()];
    for (index, skin) in document.skins.iter().enumerate() {
        let pointer = format!("/skins/{index}");
        for (place, joint) in skin.joints.iter().enumerate() {
            let at = format_args!("{pointer}/joints/{place}");
            checker.resolve(Some(*joint), &document.nodes, Severity::Error, at);
            if let Some(listed) = listed_by.get_mut(*joint as usize)
                && std::mem::replace(listed, index) == index
            {
                checker.repaired("DUPLICATE_ELEMENTS", at, "this joint is listed already");
            }
        }
        roots.push(check_root(checker, skin, &forest, &pointer));
        check_matrices(checker, skin, &pointer);
    }
    check_scenes(checker, &forest, &roots);
}

/// Finds the lowest node above all joints. `None` when there is none or the skin has no joints to ask about.
fn check_root(
    checker: &mut Checker<'_>,
    skin: &Skin,
    forest: &Forest,
    pointer: &str,
) -> Option<usize> {
    let document = checker.document;
    let mut joints = skin
        .joints
        .iter()
        .map(|joint| *joint as usize)
        .filter(|joint| *joint < document.nodes.len());
    let root = joints
        .next()
        .and_then(|first| joints.try_fold(first, |root, joint| forest.common(root, joint)));
    if root.is_none() && !skin.joints.is_empty() {
        let message = "the joints have no common root; one was put above them";
        checker.repaired(
            "SKIN_NO_COMMON_ROOT",
            format_args!("{pointer}/joints"),
            message,
        );
    }
    let at = format!("{pointer}/skeleton");
    checker.resolve(skin.skeleton, &document.nodes, Severity::Ignored, &at);
    if let Some(skeleton) = skin
        .skeleton
        .map(|node| node as usize)
        .filter(|node| *node < document.nodes.len())
        && root.is_none_or(|root| forest.common(root, skeleton) != Some(skeleton))
    {
        checker.ignored(
            "SKIN_SKELETON_INVALID",
            &at,
            "the node is not above all joints",
        );
    }
    root
}

fn check_matrices(checker: &mut Checker<'_>, skin: &Skin, pointer: &str) {
    let document = checker.document;
    let at = format!("{pointer}/inverseBindMatrices");
    let index = skin.inverse_bind_matrices;
    let Some(accessor) = checker.resolve(index, &document.accessors, Severity::Error, &at) else {
        return;
    };
    let view = accessor
        .buffer_view
        .and_then(|view| document.buffer_views.get(view as usize));
    if view.is_some_and(|view| view.byte_stride.is_some()) {
        checker.repaired(
            "SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE",
            &at,
            "inverse bind matrices have no stride",
        );
    }
    match accessor.format() {
        Some(format) if format != MATRICES => {
            let message = format_args!("the accessor is {format} and must be {MATRICES}");
            checker.error("SKIN_IBM_INVALID_FORMAT", &at, message);
        }
        Some(_) => {}
        None => checker.error(
            "SKIN_IBM_INVALID_FORMAT",
            &at,
            "the accessor's format is unknown",
        ),
    }
    if accessor.count < skin.joints.len() as u64 {
        let message = format_args!(
            "there are {} matrices for {} joints",
            accessor.count,
            skin.joints.len()
        );
        checker.error("INVALID_IBM_ACCESSOR_COUNT", &at, message);
    }
}

/// A skinned mesh must be in scenes that also hold the root of its joints.
fn check_scenes(checker: &mut Checker<'_>, forest: &Forest, roots: &[Option<usize>]) {
    let document = checker.document;
    let mut scenes_of_root: Vec<Vec<u32>> = vec![Vec::new(); document.nodes.len()];
    for (scene, object) in document.scenes.iter().enumerate() {
        for node in &object.nodes {
            // A node that a scene lists twice is in it once.
            if let Some(scenes) = scenes_of_root.get_mut(*node as usize)
                && scenes.last() != Some(&(scene as u32))
            {
                scenes.push(scene as u32);
            }
        }
    }
    let mut known: HashMap<(usize, usize), bool> = HashMap::new();
    for (index, node) in document.nodes.iter().enumerate() {
        let Some(joint_root) = node
            .skin
            .and_then(|skin| roots.get(skin as usize).copied().flatten())
        else {
            continue;
        };
        let (mesh_top, joint_top) = (forest.top(index), forest.top(joint_root));
        let joints_are_there = mesh_top == joint_top
            || *known.entry((mesh_top, joint_top)).or_insert_with(|| {
                let with_joints = &scenes_of_root[joint_top];
                let mut with_mesh = scenes_of_root[mesh_top].iter();
                with_mesh.all(|scene| with_joints.binary_search(scene).is_ok())
            });
        if !joints_are_there {
            let message = "the mesh is in a scene that its joints are not in";
            checker.ignored(
                "NODE_SKIN_NO_SCENE",
                format_args!("/nodes/{index}"),
                message,
            );
        }
    }
}

/// Finds common ancestors in few steps, however deep the tree: every node knows its parent and one ancestor further
/// up, at distances that make any walk logarithmic. Nodes on loops count as roots.
struct Forest {
    depths: Vec<u32>,
    tops: Vec<u32>,
    parents: Vec<u32>,
    jumps: Vec<u32>,
}

impl Forest {
    fn new(given: &[Option<usize>]) -> Self {
        let count = given.len();
        // A root is its own parent and jump.
        let own: Vec<u32> = (0..count as u32).collect();
        let mut forest = Forest {
            depths: vec![0; count],
            tops: own.clone(),
            parents: own.clone(),
            jumps: own,
        };
        let mut walk = vec![usize::MAX; count];
        let mut path = Vec::new();
        for start in 0..count {
            let mut next = Some(start);
            while let Some(node) = next.filter(|node| walk[*node] == usize::MAX) {
                walk[node] = start;
                path.push(node);
                next = given[node];
            }
            // The walk ended above a root, at a placed node, or at itself where a loop closes.
            let closes_a_loop = |node: &usize| walk[*node] == start;
            let mut above = next.filter(|node| !closes_a_loop(node));
            while let Some(node) = path.pop() {
                if let Some(parent) = above {
                    forest.hang(node, parent);
                }
                above = Some(node);
            }
        }
        forest
    }

    fn hang(&mut self, node: usize, parent: usize) {
        let jump = self.jumps[parent] as usize;
        let far = self.jumps[jump];
        let evenly = self.depths[parent] - self.depths[jump]
            == self.depths[jump] - self.depths[far as usize];
        self.parents[node] = parent as u32;
        self.jumps[node] = if evenly { far } else { parent as u32 };
        self.depths[node] = self.depths[parent] + 1;
        self.tops[node] = self.tops[parent];
    }

    fn top(&self, node: usize) -> usize {
        self.tops[node] as usize
    }

    fn raised(&self, mut node: usize, depth: u32) -> usize {
        while self.depths[node] > depth {
            let jump = self.jumps[node] as usize;
            node = if self.depths[jump] >= depth {
                jump
            } else {
                self.parents[node] as usize
            };
        }
        node
    }

    fn common(&self, a: usize, b: usize) -> Option<usize> {
        if self.tops[a] != self.tops[b] {
            return None;
        }
        let depth = self.depths[a].min(self.depths[b]);
        let (mut a, mut b) = (self.raised(a, depth), self.raised(b, depth));
        while a != b {
            let step = if self.jumps[a] == self.jumps[b] {
                &self.parents
            } else {
                &self.jumps
            };
            (a, b) = (step[a] as usize, step[b] as usize);
        }
        Some(a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_ancestors_are_those_of_a_plain_walk() {
        let parents: Vec<Option<usize>> = (0..200usize)
            .map(|node| node.checked_sub(1).map(|n| n * 7 / 8))
            .collect();
        let forest = Forest::new(&parents);
        let ancestors = |node| {
            std::iter::successors(Some(node), |node: &usize| parents[*node]).collect::<Vec<_>>()
        };
        for a in 0..200 {
            for b in (0..200).step_by(7) {
                let of_b = ancestors(b);
                let plain = ancestors(a).into_iter().find(|node| of_b.contains(node));
                assert_eq!(forest.common(a, b), plain);
            }
        }
    }

    #[test]
    fn loops_and_separate_trees_end() {
        let forest = Forest::new(&[Some(1), Some(0), None, Some(2)]);
        assert_eq!(forest.common(2, 3), Some(2));
        assert_eq!(forest.common(0, 2), None);
        assert!(forest.common(0, 1).is_some());
    }
}
