use proptest::prelude::*;
use sinew::{Hierarchy, HierarchyError};

#[test]
fn what_is_not_a_forest_is_refused() {
    let table = [
        (
            vec![None, Some(2)],
            HierarchyError::NoSuchParent {
                node: 1,
                parent: 2,
                len: 2,
            },
        ),
        (vec![Some(0)], HierarchyError::Cycle { node: 0 }),
    ];
    for (parents, error) in table {
        assert_eq!(Hierarchy::sort(&parents), Err(error));
    }
    let loops = Hierarchy::sort(&[None, Some(3), Some(1), Some(2)]);
    assert!(matches!(loops, Err(HierarchyError::Cycle { node: 1..=3 })));
    assert!(Hierarchy::sort(&[]).unwrap().hierarchy.is_empty());
}

/// pelvis ─┬─ spine ─┬─ neck
///         │         ├─ left arm
///         │         └─ right arm
///         └─ leg
fn body() -> Hierarchy {
    let parents = [None, Some(0), Some(1), Some(1), Some(1), Some(0)];
    Hierarchy::sort(&parents).unwrap().hierarchy
}

#[test]
fn the_tree_is_its_parents_and_lists_its_children() {
    let body = body();
    assert!(body.is_root(0) && (1..6).all(|node| !body.is_root(node)));
    let parents: Vec<_> = body.parents().collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(1), Some(1), Some(0)]);
    assert_eq!(body.children(0).collect::<Vec<_>>(), [1, 5]);
    assert_eq!(body.children(1).collect::<Vec<_>>(), [2, 3, 4]);
    assert_eq!(body.children(4).count(), 0);
    assert_eq!(body.ancestors(3).collect::<Vec<_>>(), [3, 1, 0]);
}

#[test]
fn child_and_sibling_links_reach_every_node() {
    let body = body();
    assert_eq!((body.first_child(0), body.next_sibling(0)), (Some(1), None));
    assert_eq!(
        (body.first_child(1), body.next_sibling(1)),
        (Some(2), Some(5))
    );
    assert_eq!((body.first_child(2), body.next_sibling(2)), (None, Some(3)));
    let (mut walked, mut at) = (Vec::new(), Some(0));
    while let Some(node) = at {
        walked.push(node);
        let across = || body.ancestors(node).find_map(|n| body.next_sibling(n));
        at = body.first_child(node).or_else(across);
    }
    assert_eq!(walked, [0, 1, 2, 3, 4, 5]);
}

proptest! {
    #[test]
    fn any_order_is_sorted_and_the_way_back_is_known(
        picks in prop::collection::vec(any::<usize>(), 1..40),
        shuffle in any::<u64>(),
    ) {
        let len = picks.len();
        let mut names: Vec<usize> = (0..len).collect();
        let mut seed = shuffle | 1;
        for i in (1..len).rev() {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            names.swap(i, (seed >> 33) as usize % (i + 1));
        }
        let mut parents = vec![None; len];
        for node in 1..len {
            parents[names[node]] = Some(names[picks[node] % node]);
        }
        let sorted = Hierarchy::sort(&parents).unwrap();
        for (old, parent) in parents.iter().enumerate() {
            let new = sorted.new_from_old[old];
            prop_assert_eq!(sorted.old_from_new[new], old);
            let parent = parent.map(|p| sorted.new_from_old[p]);
            prop_assert_eq!(sorted.hierarchy.parent(new), parent);
            prop_assert!(parent.is_none_or(|p| p < new), "parents first");
            let listed = parent.is_none_or(|p| sorted.hierarchy.children(p).any(|c| c == new));
            prop_assert!(listed);
        }
    }
}
