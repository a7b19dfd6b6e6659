//! Pairs of vertices that share joints, so that a joint is read once for both.
//!
//! In plan order, neighbours mostly have the same joints. If two neighbours together have more than
//! four joints, the first is paired with itself, and the output gets an unused slot.

use super::layout::PAIR_ALIGNMENT;
use sinew::Influences;
use sinew::skin::Order;

/// Max number of joints of a pair without extra cost.
pub(crate) const NARROW: usize = 4;

#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// Mesh vertex of every slot, two per pair. Padded to a multiple of [`PAIR_ALIGNMENT`] pairs.
    pub mesh_from_slot: Vec<u32>,
    /// First slot of every mesh vertex.
    pub slot_from_mesh: Vec<u32>,
    /// Joints of every pair, ascending.
    pub joints: Vec<Vec<u16>>,
}

impl Pairs {
    /// Pairs neighbours of `order`. `Order::Mesh` pairs all neighbours, whatever their joints.
    pub fn new(influences: &Influences, order: &[u32], kind: Order) -> Self {
        let mut pairs = Self {
            slot_from_mesh: vec![0; order.len()],
            ..Self::default()
        };
        let joints = |vertex: u32| influences.slices(vertex as usize).0;
        let mut rest = order;
        while let [first, after @ ..] = rest {
            let mut both = joints(*first).to_vec();
            let mut second = *first;
            rest = after;
            if let [next, after @ ..] = rest {
                let together = union(&both, joints(*next));
                if kind == Order::Mesh || together.len() <= both.len().max(NARROW) {
                    (both, second, rest) = (together, *next, after);
                }
            }
            pairs.push([*first, second], both);
        }
        while !pairs.joints.len().is_multiple_of(PAIR_ALIGNMENT) {
            let last = pairs.joints.len() - 1;
            let both = [2 * last, 2 * last + 1].map(|slot| pairs.mesh_from_slot[slot]);
            pairs.mesh_from_slot.extend(both);
            pairs.joints.push(pairs.joints[last].clone());
        }
        pairs
    }

    fn push(&mut self, both: [u32; 2], joints: Vec<u16>) {
        let slot = self.mesh_from_slot.len() as u32;
        for (vertex, slot) in [(both[1], slot + 1), (both[0], slot)] {
            if let Some(entry) = self.slot_from_mesh.get_mut(vertex as usize) {
                *entry = slot;
            }
        }
        self.mesh_from_slot.extend(both);
        self.joints.push(joints);
    }

    pub fn len(&self) -> usize {
        self.joints.len()
    }
}

fn union(a: &[u16], b: &[u16]) -> Vec<u16> {
    let mut both = [a, b].concat();
    both.sort_unstable();
    both.dedup();
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(lists: &[&[u16]], kind: Order) -> Pairs {
        let even = |joints: &&[u16]| joints.iter().map(|&j| (j, 1.0)).collect();
        let lists: Vec<Vec<_>> = lists.iter().map(even).collect();
        let (influences, _) = Influences::from_lists(&lists, 100).unwrap();
        let order: Vec<u32> = (0..lists.len() as u32).collect();
        Pairs::new(&influences, &order, kind)
    }

    #[test]
    fn neighbours_are_paired_while_four_joints_serve_both() {
        let lists: [&[u16]; 5] = [&[0, 1], &[1, 2], &[0, 1, 2, 3], &[7], &[7]];
        let paired = pairs(&lists, Order::Plan);
        assert_eq!(
            paired.joints[..3],
            [vec![0, 1, 2], vec![0, 1, 2, 3], vec![7]]
        );
        assert_eq!(paired.mesh_from_slot[..6], [0, 1, 2, 2, 3, 4]);
        assert_eq!(paired.slot_from_mesh, [0, 1, 2, 4, 5]);
        assert_eq!(paired.len(), PAIR_ALIGNMENT);
    }

    #[test]
    fn the_meshs_order_is_kept_whatever_joints_it_takes() {
        let lists: [&[u16]; 3] = [&[0, 1, 2, 3], &[4, 5, 6, 7], &[9]];
        let paired = pairs(&lists, Order::Mesh);
        assert_eq!(paired.joints[0], [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(paired.slot_from_mesh, [0, 1, 2]);
        assert!(paired.mesh_from_slot[2..].iter().all(|&v| v == 2));
    }

    #[test]
    fn no_vertices_are_no_pairs() {
        assert_eq!(pairs(&[], Order::Plan).len(), 0);
    }
}
