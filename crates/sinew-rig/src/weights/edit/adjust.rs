//! Looking at weights and changing them by hand: get, set, smooth, prune, normalise, lock.
//!
//! Every call leaves valid influences: no negative weight, sums of one. What is locked keeps its
//! weight, and the others share what it leaves.

use glam::Vec3;
use sinew::mesh::Weld;
use sinew::{InfluenceError, Influences};
use thiserror::Error;

/// The max number of times that weights are smoothed: by then they reach hundreds of edges far.
pub const MAX_SMOOTHING: u16 = 256;

/// The weights of a mesh while they are changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Adjust {
    pub(super) rows: Vec<Vec<(u16, f32)>>,
    pub(super) locked: Vec<bool>,
}

/// The reason why weights were not changed.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AdjustError {
    /// No vertex of that number.
    #[error("there is no vertex {vertex}: the mesh has {vertices}")]
    NoSuchVertex {
        /// The vertex that was asked for.
        vertex: usize,
        /// The number of vertices.
        vertices: usize,
    },
    /// No joint of that number.
    #[error("there is no joint {joint}: the skin has {joints}")]
    NoSuchJoint {
        /// The joint that was asked for.
        joint: usize,
        /// The number of joints.
        joints: usize,
    },
    /// A weight that is none.
    #[error("joint {joint} should weigh {weight}, and weights are from 0 to 1")]
    BadWeight {
        /// The joint.
        joint: usize,
        /// The weight that was asked for.
        weight: f32,
    },
    /// Weights of more than one in all, or of less with nobody to take the rest.
    #[error(
        "the weights sum to {sum}, with what is locked, and should sum to 1; no other joint moves the vertex that could take the rest"
    )]
    Sum {
        /// The sum of the weights.
        sum: f32,
    },
    /// A locked joint whose weight should change.
    #[error("joint {joint} is locked: unlock it, or leave it out")]
    Locked {
        /// The joint.
        joint: usize,
    },
    /// A brush of no size, or somewhere else than in space.
    #[error(
        "a brush has a centre, a radius above 0 and a strength from 0 to 1, not {radius} and {strength}"
    )]
    Brush {
        /// Its radius.
        radius: f32,
        /// Its strength.
        strength: f32,
    },
}

impl Adjust {
    /// Takes the weights of a mesh whose skin has `joints` joints; influences name 65536 at most.
    ///
    /// ```
    /// use sinew::Influences;
    /// use sinew_rig::weights::Adjust;
    /// let rows = [vec![(0, 0.95), (1, 0.05)], vec![(0, 0.5), (1, 0.5)]];
    /// let (influences, _) = Influences::from_lists(&rows, 2)?;
    /// let pruned = Adjust::new(&influences, 2).prune(0.1).finish()?;
    /// assert_eq!(pruned.get(0).collect::<Vec<_>>(), [(0, 1.0)]);
    /// assert_eq!(pruned.get(1).len(), 2);
    /// # Ok::<(), sinew::InfluenceError>(())
    /// ```
    pub fn new(influences: &Influences, joints: usize) -> Self {
        let row = |vertex| {
            let row = influences.get(vertex);
            row.map(|(joint, weight)| (joint as u16, weight)).collect()
        };
        Self {
            rows: (0..influences.len()).map(row).collect(),
            locked: vec![false; joints.min(usize::from(u16::MAX) + 1)],
        }
    }

    /// Joints whose weights the calls that follow leave as they are; joints that do not exist are passed over.
    pub fn lock(mut self, joints: impl IntoIterator<Item = usize>) -> Self {
        for joint in joints {
            if let Some(locked) = self.locked.get_mut(joint) {
                *locked = true;
            }
        }
        self
    }

    /// The joints that move a vertex, with their weights; nothing where there is no such vertex.
    pub fn get(&self, vertex: usize) -> &[(u16, f32)] {
        self.rows.get(vertex).map_or(&[], Vec::as_slice)
    }

    /// Gives joints these weights on vertices; the other joints of each share what is left in the proportions that they
    /// have. Nothing is changed where one of the vertices cannot be.
    ///
    /// ```
    /// use sinew::Influences;
    /// use sinew_rig::weights::Adjust;
    /// let (influences, _) = Influences::from_lists(&[vec![(0, 0.75), (1, 0.25)]], 3)?;
    /// let set = Adjust::new(&influences, 3).set(&[0], &[(2, 0.5)])?;
    /// assert_eq!(set.get(0), [(0, 0.375), (1, 0.125), (2, 0.5)]);
    /// assert!(set.set(&[0], &[(2, 1.5)]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set(
        mut self,
        vertices: &[usize],
        weights: &[(usize, f32)],
    ) -> Result<Self, AdjustError> {
        for &(joint, weight) in weights {
            self.check_joint(joint)?;
            if !(0.0..=1.0).contains(&weight) {
                return Err(AdjustError::BadWeight { joint, weight });
            }
        }
        let asked: f32 = weights.iter().map(|w| w.1).sum();
        for &vertex in vertices {
            let vertex_count = self.rows.len();
            let row = self.rows.get_mut(vertex).ok_or(AdjustError::NoSuchVertex {
                vertex,
                vertices: vertex_count,
            })?;
            let is_asked = |joint: u16| weights.iter().any(|w| w.0 == usize::from(joint));
            let total = |of: &dyn Fn(u16) -> bool| -> f32 {
                row.iter().filter(|r| of(r.0)).map(|r| r.1).sum()
            };
            let held = total(&|joint| !is_asked(joint) && is_locked(&self.locked, joint));
            let free = total(&|joint| !is_asked(joint) && !is_locked(&self.locked, joint));
            let sum = asked + held;
            let left = 1.0 - sum;
            if left < -SUM_SLACK || (left > SUM_SLACK && free <= 0.0) {
                return Err(AdjustError::Sum { sum });
            }
            row.retain(|r| !is_asked(r.0));
            for (joint, weight) in row.iter_mut() {
                if !is_locked(&self.locked, *joint) {
                    *weight *= left.max(0.0) / free;
                }
            }
            row.extend(
                weights
                    .iter()
                    .map(|&(joint, weight)| (joint as u16, weight)),
            );
            *row = merged(std::mem::take(row));
            row.retain(|r| r.1 > 0.0);
        }
        Ok(self)
    }

    pub(super) fn check_joint(&self, joint: usize) -> Result<(), AdjustError> {
        let joints = self.locked.len();
        match self.locked.get(joint) {
            None => Err(AdjustError::NoSuchJoint { joint, joints }),
            Some(true) => Err(AdjustError::Locked { joint }),
            Some(false) => Ok(()),
        }
    }

    /// Lets every vertex take half of the mean of its neighbours along edges, near ones counting more,
    /// `times` times, or [`MAX_SMOOTHING`] if that is less. Vertices at one position stay one.
    pub fn smooth(mut self, positions: &[Vec3], triangles: &[[u32; 3]], times: usize) -> Self {
        let count = self.rows.len().min(positions.len());
        let neighbours = Neighbours::new(&positions[..count], triangles);
        for _ in 0..times.min(usize::from(MAX_SMOOTHING)) {
            let mut next = self.rows.clone();
            for (vertex, row) in next.iter_mut().enumerate().take(count) {
                if let Some(smooth) = self.smoothed(positions, &neighbours, vertex, 0.5) {
                    *row = smooth;
                }
            }
            neighbours.share(&mut next);
            self.rows = next;
        }
        self
    }

    /// A vertex's weights with a part of them taken from its neighbours, near ones counting more; nothing where it
    /// has none.
    pub(super) fn smoothed(
        &self,
        positions: &[Vec3],
        neighbours: &Neighbours,
        vertex: usize,
        part: f32,
    ) -> Option<Vec<(u16, f32)>> {
        let around = &neighbours.of[vertex];
        let away = |&n: &u32| positions[n as usize].distance(positions[vertex]);
        let nearness: Vec<f32> = around.iter().map(|n| 1.0 / away(n)).collect();
        let total: f32 = nearness.iter().sum();
        if !(total > 0.0 && total.is_finite()) {
            return None;
        }
        let mut mean: Vec<(u16, f32)> = Vec::new();
        for (&neighbour, near) in around.iter().zip(&nearness) {
            let share = part * near / total;
            let row = self.rows[neighbour as usize].iter();
            mean.extend(row.map(|&(joint, weight)| (joint, share * weight)));
        }
        let own = self.rows[vertex].iter();
        mean.extend(own.map(|&(j, w)| (j, (1.0 - part) * w)));
        let mut mean = merged(mean);
        self.keep_locked(vertex, &mut mean);
        Some(mean)
    }

    /// Drops weights below `least`, unless locked; the heaviest always stays. Nothing is below what is no number.
    pub fn prune(mut self, least: f32) -> Self {
        if least.is_nan() {
            return self;
        }
        for row in &mut self.rows {
            let heaviest = row.iter().fold(0.0_f32, |most, r| most.max(r.1));
            let locked = &self.locked;
            row.retain(|&(joint, weight)| {
                weight >= least || weight == heaviest || is_locked(locked, joint)
            });
        }
        self.normalise()
    }

    /// Makes sums one again, by what is not locked.
    pub fn normalise(mut self) -> Self {
        for row in &mut self.rows {
            let locked = |joint| is_locked(&self.locked, joint);
            let sum = |wanted: bool| -> f32 {
                let some = row.iter().filter(|r| locked(r.0) == wanted);
                some.map(|r| r.1).sum()
            };
            let (held, free) = (sum(true), sum(false));
            let scale = if free > 0.0 {
                (1.0 - held).max(0.0) / free
            } else {
                0.0
            };
            for (joint, weight) in row.iter_mut() {
                if !locked(*joint) {
                    *weight *= scale;
                }
            }
        }
        self
    }

    /// The weights.
    pub fn finish(self) -> Result<Influences, InfluenceError> {
        let joints = self.locked.len();
        Ok(Influences::from_lists(&self.rows, joints)?.0)
    }

    /// Puts locked joints back to what they have on a vertex and scales the others of `row` to the rest.
    pub(super) fn keep_locked(&self, vertex: usize, row: &mut Vec<(u16, f32)>) {
        if !self.locked.contains(&true) {
            return;
        }
        row.retain(|r| !is_locked(&self.locked, r.0));
        let before = &self.rows[vertex];
        let kept: Vec<_> = before
            .iter()
            .filter(|r| is_locked(&self.locked, r.0))
            .collect();
        let held: f32 = kept.iter().map(|r| r.1).sum();
        let free: f32 = row.iter().map(|r| r.1).sum();
        if free > 0.0 {
            row.iter_mut()
                .for_each(|r| r.1 *= (1.0 - held).max(0.0) / free);
        } else {
            // Nothing else came: the others stay too.
            row.extend(before.iter().filter(|r| !is_locked(&self.locked, r.0)));
        }
        row.extend(kept);
    }
}

/// The distance from one that the sum of a vertex's weights may have by rounding alone.
const SUM_SLACK: f32 = 1e-5;

/// The vertices along the edges of each; those at one position are one, the first of them.
pub(super) struct Neighbours {
    of: Vec<Vec<u32>>,
    weld: Weld,
}

impl Neighbours {
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let weld = Weld::by_position(positions);
        let mut of: Vec<Vec<u32>> = vec![Vec::new(); positions.len()];
        for triangle in triangles {
            if triangle.iter().any(|&v| v as usize >= positions.len()) {
                continue;
            }
            let [a, b, c] = triangle.map(|v| weld.first(v as usize));
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if from != to {
                    of[from].push(to as u32);
                    of[to].push(from as u32);
                }
            }
        }
        Self { of, weld }
    }

    /// The first of the vertices at the position of one.
    pub fn first(&self, vertex: usize) -> usize {
        self.weld.first(vertex)
    }

    /// Gives vertices at one position the weights of the first of them.
    pub fn share(&self, rows: &mut [Vec<(u16, f32)>]) {
        for vertex in 0..self.of.len() {
            let first = self.weld.first(vertex);
            if first != vertex {
                rows[vertex] = rows[first].clone();
            }
        }
    }
}

fn is_locked(locked: &[bool], joint: u16) -> bool {
    locked.get(usize::from(joint)).copied().unwrap_or(false)
}

/// One entry per joint, ascending.
pub(super) fn merged(mut row: Vec<(u16, f32)>) -> Vec<(u16, f32)> {
    row.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    row.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 += later.1;
        }
        same
    });
    row
}
