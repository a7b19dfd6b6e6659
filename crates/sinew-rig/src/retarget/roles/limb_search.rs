//! Finds limbs without known names, below a known joint.
//! A limb continues to the child with the largest number of descendants. Helpers and joints of the
//! other side or of other parts of the body do not count. The limb ends at a branch, such as a
//! hand, or at the first joint that is far enough from the elbow or knee. Twist joints are too near
//! to be the end.

use super::finder::Finder;
use super::joint_names::{Part, sided};
use sinew::skeleton::Side;

/// Min distance of wrist from elbow, or ankle from knee, relative to the upper arm or thigh.
const NEAREST_END: f32 = 0.6;

impl Finder<'_> {
    /// Elbow and wrist, or knee and ankle, below the first joint. `named` has the known joints.
    pub fn two_below(
        &self,
        top: usize,
        named: [Option<usize>; 2],
        side: Side,
    ) -> [Option<usize>; 2] {
        let [lower, end] = named;
        if let Some(lower) = lower {
            return [Some(lower), end.or_else(|| self.end(top, lower, side))];
        }
        let below = self.onward(top, side);
        if let Some(end) = end.or_else(|| self.branching(&below, side)) {
            return [self.halfway(top, end, side), Some(end)];
        }
        let lower = below.first().copied();
        [lower, lower.and_then(|lower| self.end(top, lower, side))]
    }

    fn onward(&self, joint: usize, side: Side) -> Vec<usize> {
        let mut below: Vec<usize> = Vec::new();
        while let Some(next) = self.next(*below.last().unwrap_or(&joint), side) {
            below.push(next);
            if self.branches(next, side) {
                break;
            }
        }
        below
    }

    fn branches(&self, joint: usize, side: Side) -> bool {
        let on = self.skeleton.children(joint);
        on.filter(|j| self.is_limb(*j, side)).count() > 1
    }

    /// Hand, recognised by its fingers, if a joint is between the hand and the start of the limb.
    fn branching(&self, below: &[usize], side: Side) -> Option<usize> {
        let last = below.last().filter(|_| below.len() > 1).copied();
        last.filter(|j| self.branches(*j, side))
    }

    fn halfway(&self, top: usize, end: usize, side: Side) -> Option<usize> {
        let tree = self.skeleton.hierarchy();
        let way = tree.ancestors(end).skip(1).take_while(|j| *j != top);
        let off = |j: &usize| (self.apart(top, *j) - self.apart(*j, end)).abs();
        way.filter(|j| self.is_limb(*j, side))
            .min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    /// End of a limb: the first joint that is far enough from the elbow or knee, or the last joint.
    fn end(&self, top: usize, lower: usize, side: Side) -> Option<usize> {
        let below = self.onward(lower, side);
        let enough = NEAREST_END * self.apart(top, lower);
        let far = |j: &&usize| self.apart(lower, **j) >= enough;
        below.iter().find(far).or(below.last()).copied()
    }

    /// Child in the same limb with the most descendants.
    pub fn next(&self, joint: usize, side: Side) -> Option<usize> {
        let on = self
            .skeleton
            .children(joint)
            .filter(|j| self.is_limb(*j, side));
        self.deepest(on)
    }

    fn deepest(&self, joints: impl Iterator<Item = usize>) -> Option<usize> {
        let tree = self.skeleton.hierarchy();
        joints
            .fold(None, |best: Option<(usize, usize)>, joint| {
                let depth = tree.subtree(joint).filter(|j| !self.helps[*j]).count();
                match best {
                    Some((_, most)) if most >= depth => best,
                    _ => Some((joint, depth)),
                }
            })
            .map(|(joint, _)| joint)
    }

    /// True if the name does not exclude the joint from a limb of that side.
    fn is_limb(&self, joint: usize, side: Side) -> bool {
        use Part::*;
        let fits = match self.names[joint] {
            None => true,
            Some(m) => {
                let other = matches!(m.part, Hips | Spine | Neck | Head | Finger(_) | Toes);
                !other && m.side.is_none_or(|s| s == side)
            }
        };
        fits && !self.helps[joint]
    }

    /// True if a joint named shoulder, without a named upper arm, is a collarbone: three joints
    /// follow, and its bone is shorter than the next.
    pub fn is_collar(&self, shoulder: usize, side: Side) -> bool {
        let below = std::iter::successors(self.next(shoulder, side), |j| self.next(*j, side));
        let below: Vec<usize> = below.take(3).collect();
        let [upper, lower, _] = below[..] else {
            return false;
        };
        self.names[upper].is_none() && self.apart(shoulder, upper) < 0.7 * self.apart(upper, lower)
    }

    /// Joint on top of a neck, if no joint is named head.
    pub fn head_above(&self, neck: usize) -> Option<usize> {
        let is_neck = |j: &usize| self.names[*j].is_some_and(|m| m.part == Part::Neck);
        let next = |j: usize| {
            let on = self.skeleton.children(j);
            self.deepest(on.filter(|j| self.is_middle(*j) || (is_neck(j) && !self.helps[*j])))
        };
        let mut at = neck;
        while let Some(on) = next(at) {
            at = on;
            if !is_neck(&on) {
                break;
            }
        }
        (at != neck).then_some(at)
    }

    /// Head, if neither head nor neck has a known name and one chain is between the arms.
    pub fn head_between(&self, shoulders: usize, arms: &[usize]) -> Option<usize> {
        let tree = self.skeleton.hierarchy();
        let is_arm = |j: usize| tree.subtree(j).any(|j| arms.contains(&j));
        let others = self.skeleton.children(shoulders);
        let mut others = others.filter(|j| self.is_middle(*j) && !is_arm(*j));
        let neck = others.next().filter(|_| others.next().is_none())?;
        let head = self.deepest(self.skeleton.children(neck).filter(|j| self.is_middle(*j)));
        Some(head.unwrap_or(neck))
    }

    fn is_middle(&self, joint: usize) -> bool {
        self.names[joint].is_none()
            && !self.helps[joint]
            && sided(self.skeleton.name(joint)).is_none()
    }

    fn apart(&self, a: usize, b: usize) -> f32 {
        self.positions[a].distance(self.positions[b])
    }
}
