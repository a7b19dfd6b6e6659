//! Distances along the skin, and the tips where a body ends.

use super::graph::Skin;
use super::grid::{join, root};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Distances along the skin from some patches (Dijkstra 1959). Infinite where there is no way.
pub(crate) fn distances(skin: &Skin, from: &[usize]) -> Vec<f64> {
    let mut distances = vec![f64::INFINITY; skin.len()];
    // The bits of positive numbers have the order of the numbers.
    let mut open: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
    for &node in from {
        distances[node] = 0.0;
        open.push(Reverse((0, node as u32)));
    }
    while let Some(Reverse((bits, node))) = open.pop() {
        let here = f64::from_bits(bits);
        if here > distances[node as usize] {
            continue;
        }
        for &(next, length) in skin.next(node as usize) {
            let there = here + f64::from(length);
            if there < distances[next as usize] {
                distances[next as usize] = there;
                open.push(Reverse((there.to_bits(), next)));
            }
        }
    }
    distances
}

/// Local maximum of a distance: the end of a limb, seen from where the distance begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tip {
    pub node: usize,
    /// Distance at the tip.
    pub far: f64,
    /// Patch at which the limb meets another limb for the first time.
    pub fork: usize,
    /// Distance at the fork.
    pub fork_far: f64,
    /// The tip of the limb that it meets there.
    pub other: usize,
}

/// Tips that rise at least `least` above the fork where they meet another such limb. The sets
/// above a distance grow and merge as the distance falls (the join tree of Carr et al. 2003).
pub(crate) fn tips(skin: &Skin, distances: &[f64], least: f64) -> Vec<Tip> {
    let mut order: Vec<u32> = (0..skin.len() as u32)
        .filter(|&n| distances[n as usize].is_finite())
        .collect();
    order.sort_by(|&a, &b| {
        distances[b as usize]
            .total_cmp(&distances[a as usize])
            .then(a.cmp(&b))
    });
    let mut groups: Vec<u32> = (0..skin.len() as u32).collect();
    let mut top: Vec<u32> = groups.clone();
    let mut is_in = vec![false; skin.len()];
    let mut tips: Vec<Tip> = Vec::new();
    for &node in &order {
        let here = distances[node as usize];
        is_in[node as usize] = true;
        for &(next, _) in skin.next(node as usize) {
            if !is_in[next as usize] {
                continue;
            }
            let (a, b) = (root(&mut groups, node), root(&mut groups, next));
            if a == b {
                continue;
            }
            let (of_a, of_b) = (top[a as usize], top[b as usize]);
            let rise = |of: u32| distances[of as usize] - here;
            if rise(of_a) >= least && rise(of_b) >= least {
                for (of, other) in [(of_a, of_b), (of_b, of_a)] {
                    if !tips.iter().any(|tip| tip.node == of as usize) {
                        tips.push(Tip {
                            node: of as usize,
                            far: distances[of as usize],
                            fork: node as usize,
                            fork_far: here,
                            other: other as usize,
                        });
                    }
                }
            }
            let higher = if distances[of_a as usize] >= distances[of_b as usize] {
                of_a
            } else {
                of_b
            };
            join(&mut groups, a, b);
            let both = root(&mut groups, a);
            top[both as usize] = higher;
        }
    }
    tips
}
