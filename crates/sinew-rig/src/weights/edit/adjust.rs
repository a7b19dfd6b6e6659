//! Reads and edits weights: get, set, smooth, prune, normalise, lock.
//! Every call results in valid influences: none negative, sum 1. Locked joints keep their weights.
//! The other joints share the remaining weight.

use glam::Vec3;
use sinew::mesh::Weld;
use sinew::{InfluenceError, Influences};
use thiserror::Error;

/// Max number of smoothing passes, which reach over hundreds of edges.
pub const MAX_SMOOTHING: u16 = 256;

/// Weights of a mesh that are being edited.
#[derive(Clone, Debug, PartialEq)]
pub struct Adjust {
    pub(super) rows: Vec<Vec<(u16, f32)>>,
    pub(super) locked: Vec<bool>,
}

/// Reason why weights were not changed.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum AdjustError {
    /// The vertex index is out of range.
    #[error("there is no vertex {vertex}: the mesh has {vertices} vertices")]
    NoSuchVertex {
        /// Requested vertex.
        vertex: usize,
        /// Number of vertices.
        vertices: usize,
    },
    /// The joint index is out of range.
    #[error("there is no joint {joint}: the skin has {joints} joints")]
    NoSuchJoint {
        /// Requested joint.
        joint: usize,
        /// Number of joints.
        joints: usize,
    },
    /// A weight is not in [0, 1].
    #[error("the weight {weight} of joint {joint} is out of range; weights are from 0 to 1")]
    BadWeight {
        /// Index of the joint.
        joint: usize,
        /// Requested weight.
        weight: f32,
    },
    /// The weights sum to more than 1, or to less and no other joint can take the remaining weight.
    #[error(
        "the new and the locked weights sum to {sum} instead of 1, and the vertex has no other joint that could take the rest"
    )]
    Sum {
        /// Sum of the weights, including those of locked joints.
        sum: f32,
    },
    /// The edit would change the weight of a locked joint.
    #[error("joint {joint} is locked: unlock it, or leave it out")]
    Locked {
        /// Index of the joint.
        joint: usize,
    },
    /// The brush has an invalid centre, radius or strength.
    #[error(
        "a brush needs a finite centre, a radius above 0 (not {radius}) and a strength from 0 to 1 (not {strength})"
    )]
    Brush {
        /// Given radius.
        radius: f32,
        /// Given strength.
        strength: f32,
    },
}

impl Adjust {
    /// Starts an edit of the weights of a mesh, whose skin has `joints` joints, max 65536.
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

    /// Locks joints, so that later calls keep their weights. Ignores indices out of range.
    pub fn lock(mut self, joints: impl IntoIterator<Item = usize>) -> Self {
        for joint in joints {
            if let Some(locked) = self.locked.get_mut(joint) {
                *locked = true;
            }
        }
        self
    }

    /// Joints that move a vertex, with their weights. Empty for an index out of range.
    pub fn get(&self, vertex: usize) -> &[(u16, f32)] {
        self.rows.get(vertex).map_or(&[], Vec::as_slice)
    }

    /// Sets weights of joints on vertices. The other joints share the remaining weight in
    /// proportion. No vertex changes on an error.
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
        let requested: f32 = weights.iter().map(|w| w.1).sum();
        for &vertex in vertices {
            let vertex_count = self.rows.len();
            let row = self.rows.get_mut(vertex).ok_or(AdjustError::NoSuchVertex {
                vertex,
                vertices: vertex_count,
            })?;
            let is_requested = |joint: u16| weights.iter().any(|w| w.0 == usize::from(joint));
            let total = |of: &dyn Fn(u16) -> bool| -> f32 {
                row.iter().filter(|r| of(r.0)).map(|r| r.1).sum()
            };
            let held = total(&|joint| !is_requested(joint) && is_locked(&self.locked, joint));
            let free = total(&|joint| !is_requested(joint) && !is_locked(&self.locked, joint));
            let sum = requested + held;
            let left = 1.0 - sum;
            if left < -SUM_SLACK || (left > SUM_SLACK && free <= 0.0) {
                return Err(AdjustError::Sum { sum });
            }
            row.retain(|r| !is_requested(r.0));
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

    /// Smooths the weights in `times` passes, at most [`MAX_SMOOTHING`]. Each pass blends every
    /// vertex halfway to the mean of its neighbours along edges. Nearer neighbours count more.
    /// Vertices at one position stay equal.
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

    /// Weights of a vertex, with the fraction `part` from its neighbours. `None` if it has none.
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

    /// Removes weights below `least`, except the heaviest and locked weights. NaN has no effect.
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

    /// Scales unlocked weights so that the weights of each vertex sum to 1.
    pub fn normalise(mut self) -> Self {
        for row in &mut self.rows {
            let locked = |joint| is_locked(&self.locked, joint);
            let sum = |expected: bool| -> f32 {
                let some = row.iter().filter(|r| locked(r.0) == expected);
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

    /// Returns the edited influences.
    pub fn finish(self) -> Result<Influences, InfluenceError> {
        let joints = self.locked.len();
        Ok(Influences::from_lists(&self.rows, joints)?.0)
    }

    /// Restores the locked joints of a vertex and scales others in `row` to the remaining weight.
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
            row.extend(before.iter().filter(|r| !is_locked(&self.locked, r.0)));
        }
        row.extend(kept);
    }
}

const SUM_SLACK: f32 = 1e-5;

/// Neighbours of each vertex along edges. All vertices at one position count as the first of them.
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

    /// First vertex at the same position as a vertex.
    pub fn first(&self, vertex: usize) -> usize {
        self.weld.first(vertex)
    }

    /// Gives all vertices at one position the weights of the first of them.
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
