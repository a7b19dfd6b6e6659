//! Visits the joints of some points, from the ends of chains upward.

use crate::weights::shape::Shape;

/// Joints that some points follow, from the ends of chains up to their common ancestor. Above it,
/// all points move alike.
pub(crate) struct Chains<const POINTS: usize> {
    /// Joints by number of ancestors, fewest first. The lists below have the same order.
    joints: Vec<usize>,
    place_of_joint: Vec<usize>,
    above: Vec<Option<usize>>,
    /// Share of each point in a joint and its descendants, if its bit in `waiting` is set.
    weights: Vec<[f64; POINTS]>,
    waiting: Vec<u64>,
    count: usize,
    /// Last word of `waiting` with a bit set.
    last: usize,
}

impl<const POINTS: usize> Chains<POINTS> {
    pub fn new(shape: &Shape) -> Self {
        let mut joints: Vec<usize> = (0..shape.joints).collect();
        joints.sort_by_cached_key(|&joint| shape.bones.above(joint).count());
        let mut place_of_joint = vec![0; shape.joints];
        for (index, &joint) in joints.iter().enumerate() {
            place_of_joint[joint] = index;
        }
        let above = |&joint: &usize| shape.bones.parents[joint].map(|above| place_of_joint[above]);
        Self {
            above: joints.iter().map(above).collect(),
            joints,
            place_of_joint,
            weights: vec![[0.0; POINTS]; shape.joints],
            waiting: vec![0; shape.joints.div_ceil(64)],
            count: 0,
            last: 0,
        }
    }

    fn at(&mut self, index: usize) -> &mut [f64; POINTS] {
        let (word, bit) = (index / 64, 1 << (index % 64));
        if self.waiting[word] & bit == 0 {
            self.waiting[word] |= bit;
            self.weights[index] = [0.0; POINTS];
            self.count += 1;
            self.last = self.last.max(word);
        }
        &mut self.weights[index]
    }

    fn next(&mut self) -> Option<usize> {
        self.count = self.count.checked_sub(1)?;
        while self.waiting[self.last] == 0 {
            self.last -= 1;
        }
        let word = &mut self.waiting[self.last];
        let bit = word.ilog2();
        *word &= !(1 << bit);
        Some(64 * self.last + bit as usize)
    }

    /// Calls `visit` with each joint below the common ancestor, and the share of each point in it.
    pub fn each(
        &mut self,
        rows: [&[(u16, f32)]; POINTS],
        mut visit: impl FnMut(usize, [f64; POINTS]),
    ) {
        for (point, row) in rows.into_iter().enumerate() {
            for &(joint, weight) in row {
                let index = self.place_of_joint[usize::from(joint)];
                self.at(index)[point] += f64::from(weight);
            }
        }
        // Chains of different roots have no common ancestor.
        let mut is_root_passed = false;
        while let Some(index) = self.next() {
            if self.count == 0 && !is_root_passed {
                break;
            }
            let weights = self.weights[index];
            visit(self.joints[index], weights);
            match self.above[index] {
                Some(above) => {
                    let sums = self.at(above).iter_mut();
                    sums.zip(weights).for_each(|(sum, weight)| *sum += weight);
                }
                None => is_root_passed = true,
            }
        }
        self.last = 0;
    }
}
