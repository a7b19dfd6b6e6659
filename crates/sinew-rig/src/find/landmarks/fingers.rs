//! Looks for fingers on the hands.

use crate::find::skin::graph::Skin;
use crate::find::skin::reach::{distances, tips};
use crate::find::stance::Pair;

/// Min rise of a finger above the skin between fingers, as a fraction of the arm.
const FINGER: f64 = 0.04;
/// Part of the arm that is searched, from the tip of the hand.
const HAND: f64 = 0.25;
/// Least number of fingers that stand out. A mitten has a thumb and one more.
const FEWEST: usize = 3;

/// True if a hand has fingers that stand out.
pub(crate) fn has(skin: &Skin, hands: &Pair) -> bool {
    hands.iter().any(|hand| {
        let from_tip = distances(skin, &[hand.node]);
        let long = from_tip[hand.fork];
        let from_fork = distances(skin, &[hand.fork]);
        let all = tips(skin, &from_fork, FINGER * long);
        let fingers = all.iter().filter(|tip| from_tip[tip.node] < HAND * long);
        fingers.count() >= FEWEST
    })
}
