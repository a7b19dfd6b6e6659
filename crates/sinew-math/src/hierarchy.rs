//! Trees as arrays, parents first. A forward loop visits each parent before its children.

use thiserror::Error;

/// Error of a list of parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HierarchyError {
    /// Parent index out of range.
    #[error("node {node} has parent {parent}, but there are only {len} nodes")]
    NoSuchParent {
        /// Node with this parent.
        node: usize,
        /// Parent index that is out of range.
        parent: usize,
        /// Number of nodes.
        len: usize,
    },
    /// Cycle of parents.
    #[error("node {node} is its own ancestor")]
    Cycle {
        /// Node on the cycle.
        node: usize,
    },
    /// More nodes than a `u32` index can count.
    #[error("{len} nodes are too many: the max is 4294967294")]
    TooMany {
        /// Number of nodes.
        len: usize,
    },
}

/// Parent, first child and next sibling of each node, parents first.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[doc(alias = "bone hierarchy")]
pub struct Hierarchy {
    parents: Vec<u32>,
    first_children: Vec<u32>,
    next_siblings: Vec<u32>,
    /// Pairs of node and parent, by distance from the root. Roots are not included.
    by_depth: Vec<[u32; 2]>,
}

/// Sorted hierarchy, with the maps between its order and the order of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedHierarchy {
    /// Tree with parents first.
    pub hierarchy: Hierarchy,
    /// Index in the input of each node: `old_from_new[new]`.
    pub old_from_new: Vec<usize>,
    /// Index in the hierarchy of each node of the input: `new_from_old[old]`.
    pub new_from_old: Vec<usize>,
}

const NONE: u32 = u32::MAX;

fn some(index: u32) -> Option<usize> {
    (index != NONE).then_some(index as usize)
}

impl Hierarchy {
    /// Builds a hierarchy from parents in any order. Keeps the order if parents come first.
    ///
    /// ```
    /// use sinew_math::Hierarchy;
    /// // hand, forearm, upper arm
    /// let sorted = Hierarchy::sort(&[Some(1), Some(2), None]).unwrap();
    /// assert_eq!(sorted.old_from_new, [2, 1, 0]);
    /// assert_eq!(sorted.hierarchy.parent(2), Some(1));
    /// assert!(Hierarchy::sort(&[Some(1), Some(0)]).is_err());
    /// ```
    pub fn sort(parents: &[Option<usize>]) -> Result<SortedHierarchy, HierarchyError> {
        let len = parents.len();
        if len >= NONE as usize {
            return Err(HierarchyError::TooMany { len });
        }
        for (node, parent) in parents.iter().enumerate() {
            if let Some(parent) = *parent
                && parent >= len
            {
                return Err(HierarchyError::NoSuchParent { node, parent, len });
            }
        }
        let old_from_new = parents_first(parents)?;
        let mut new_from_old = vec![0; len];
        for (new, &old) in old_from_new.iter().enumerate() {
            new_from_old[old] = new;
        }
        let parents = old_from_new
            .iter()
            .map(|&old| parents[old].map_or(NONE, |p| new_from_old[p] as u32))
            .collect();
        Ok(SortedHierarchy {
            hierarchy: Self::linked(parents),
            old_from_new,
            new_from_old,
        })
    }

    fn linked(parents: Vec<u32>) -> Self {
        let mut first_children = vec![NONE; parents.len()];
        let mut next_siblings = vec![NONE; parents.len()];
        // In reverse, so that children end up in ascending order.
        for (node, parent) in parents.iter().enumerate().rev() {
            if let Some(parent) = some(*parent) {
                next_siblings[node] = first_children[parent];
                first_children[parent] = node as u32;
            }
        }
        let mut depths = vec![0_u32; parents.len()];
        for (node, parent) in parents.iter().enumerate() {
            depths[node] = some(*parent).map_or(0, |parent| depths[parent] + 1);
        }
        let nodes = 0..parents.len() as u32;
        let mut by_depth: Vec<[u32; 2]> = nodes
            .zip(parents.iter().copied())
            .filter(|(_, parent)| *parent != NONE)
            .map(|(node, parent)| [node, parent])
            .collect();
        by_depth.sort_by_key(|[node, _]| depths[*node as usize]);
        Self {
            parents,
            first_children,
            next_siblings,
            by_depth,
        }
    }

    /// Number of nodes.
    #[inline]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// True if there are no nodes.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Parent of a node, always of a lower index. `None` for a root.
    #[inline]
    pub fn parent(&self, node: usize) -> Option<usize> {
        some(self.parents[node])
    }

    /// True if the node has no parent.
    #[inline]
    pub fn is_root(&self, node: usize) -> bool {
        self.parents[node] == NONE
    }

    /// Children of a node, in ascending order.
    #[inline]
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.first_child(node), |&child| self.next_sibling(child))
    }

    /// First child of a node.
    #[inline]
    pub fn first_child(&self, node: usize) -> Option<usize> {
        some(self.first_children[node])
    }

    /// Next child of the same parent.
    #[inline]
    pub fn next_sibling(&self, node: usize) -> Option<usize> {
        some(self.next_siblings[node])
    }

    /// A node and its descendants, parents first.
    #[inline]
    pub fn subtree(&self, top: usize) -> impl Iterator<Item = usize> + '_ {
        let after = move |node: usize| {
            self.first_child(node).or_else(|| {
                let below_top = self.ancestors(node).take_while(move |&n| n != top);
                below_top.filter_map(|n| self.next_sibling(n)).next()
            })
        };
        std::iter::successors(Some(top), move |&node| after(node))
    }

    /// A node and its ancestors, up to the root.
    #[inline]
    pub fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(node), |&n| self.parent(n))
    }

    /// Pairs of node and parent, without roots, by depth. Neighbours rarely depend on each other.
    #[inline]
    pub fn by_depth(&self) -> &[[u32; 2]] {
        &self.by_depth
    }

    /// Nodes without a parent.
    #[inline]
    pub fn roots(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(|&node| self.is_root(node))
    }

    /// Parent of each node, in the order of the nodes.
    #[inline]
    pub fn parents(&self) -> impl ExactSizeIterator<Item = Option<usize>> + '_ {
        self.parents.iter().map(|&p| some(p))
    }
}

fn parents_first(parents: &[Option<usize>]) -> Result<Vec<usize>, HierarchyError> {
    let len = parents.len();
    if parents
        .iter()
        .enumerate()
        .all(|(node, p)| p.is_none_or(|p| p < node))
    {
        return Ok((0..len).collect());
    }
    let mut order = Vec::with_capacity(len);
    let mut placed = vec![false; len];
    let mut path = Vec::new();
    for start in 0..len {
        let mut next = Some(start);
        while let Some(node) = next.filter(|&n| !placed[n]) {
            path.push(node);
            if path.len() > len {
                return Err(HierarchyError::Cycle { node });
            }
            next = parents[node];
        }
        while let Some(node) = path.pop() {
            placed[node] = true;
            order.push(node);
        }
    }
    Ok(order)
}
