//! Node trees with fast search for common ancestors.

/// Trees of nodes. Each node stores its parent and a farther ancestor, so the search for a common
/// ancestor takes logarithmic time. Nodes in loops count as roots.
pub(in crate::gltf) struct Forest {
    depths: Vec<u32>,
    tops: Vec<u32>,
    parents: Vec<u32>,
    jumps: Vec<u32>,
}

impl Forest {
    pub(in crate::gltf) fn new(given: &[Option<usize>]) -> Self {
        let count = given.len();
        // A root is its own parent and its own farther ancestor.
        let own: Vec<u32> = (0..count as u32).collect();
        let mut forest = Self {
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
            // The walk ended above a root, at a finished node, or in a loop at a node of this walk.
            let closes_a_loop = |node: &usize| walk[*node] == start;
            let mut above = next.filter(|node| !closes_a_loop(node));
            while let Some(node) = path.pop() {
                if let Some(parent) = above {
                    forest.attach(node, parent);
                }
                above = Some(node);
            }
        }
        forest
    }

    fn attach(&mut self, node: usize, parent: usize) {
        let jump = self.jumps[parent] as usize;
        let far = self.jumps[jump];
        let evenly = self.depths[parent] - self.depths[jump]
            == self.depths[jump] - self.depths[far as usize];
        self.parents[node] = parent as u32;
        self.jumps[node] = if evenly { far } else { parent as u32 };
        self.depths[node] = self.depths[parent] + 1;
        self.tops[node] = self.tops[parent];
    }

    pub(in crate::gltf) fn top(&self, node: usize) -> usize {
        self.tops[node] as usize
    }

    /// Lowest common ancestor of `nodes`. It may be one of `nodes`.
    pub(in crate::gltf) fn common_of(
        &self,
        mut nodes: impl Iterator<Item = usize>,
    ) -> Option<usize> {
        let first = nodes.next()?;
        nodes.try_fold(first, |root, node| self.common(root, node))
    }

    /// True if `above` is `node` or an ancestor of `node`.
    pub(in crate::gltf) fn is_above(&self, above: usize, node: usize) -> bool {
        self.common(above, node) == Some(above)
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

    /// Lowest common ancestor of two nodes. `None` if they are in different trees.
    pub(in crate::gltf) fn common(&self, a: usize, b: usize) -> Option<usize> {
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
        let parents: Vec<Option<usize>> = (0..200_usize)
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
