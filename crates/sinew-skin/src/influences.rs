//! The joints that move each vertex, and their weights. A vertex can have any number of influences.
//!
//! The influences of a vertex are sorted by joint. So their order in a file does not change any
//! result, and vertices with the same joints are easy to group.

use thiserror::Error;

/// Max difference between 1 and a sum of weights that stays as it is. Above it, weights are normalised.
const SUM_TOLERANCE: f32 = 1e-5;

/// The influences of all vertices of a mesh.
#[derive(Clone, Debug, PartialEq, Default)]
#[doc(alias = "bone weights")]
#[doc(alias = "skin weights")]
#[doc(alias = "vertex groups")]
pub struct Influences {
    /// `starts[v]..starts[v + 1]` are the influences of vertex `v`.
    starts: Vec<u32>,
    joints: Vec<u16>,
    weights: Vec<f32>,
}

/// Number of vertices with each fault that [`Influences`] repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct InfluenceRepairs {
    /// Vertices whose weights did not sum to 1. They were normalised.
    pub renormalized: usize,
    /// Vertices with a joint index that the skin does not have. The influence was dropped.
    pub joint_out_of_range: usize,
    /// Vertices with a negative or non-finite weight. The influence was dropped.
    pub bad_weight: usize,
    /// Vertices that listed a joint more than once. The weights of the joint were added.
    pub duplicate_joint: usize,
    /// Vertices without any weight. They follow their first listed joint.
    pub unweighted: usize,
}

/// The reason why influences were rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InfluenceError {
    /// The joint indices and weights are not `width` of each per vertex.
    #[error(
        "{joints} joint indices and {weights} weights do not make {width} influences per vertex"
    )]
    Mismatch {
        /// The number of joint indices.
        joints: usize,
        /// The number of weights.
        weights: usize,
        /// Number of influences per vertex.
        width: usize,
    },
    /// More influences than a `u32` can count.
    #[error("more than 4294967295 influences")]
    TooMany,
}

impl Influences {
    /// Creates influences from `width` joints and weights per vertex. Zero weights are padding.
    ///
    /// Adds up the weights of a joint that is listed twice. Drops bad weights and joint indices
    /// that are not below `joint_count`. Normalises weights if their sum differs from 1 by more
    /// than 1e-5. A vertex without any weight follows its first joint.
    pub fn from_padded(
        joints: &[u16],
        weights: &[f32],
        width: usize,
        joint_count: usize,
    ) -> Result<(Self, InfluenceRepairs), InfluenceError> {
        if width == 0 || joints.len() != weights.len() || !joints.len().is_multiple_of(width) {
            return Err(InfluenceError::Mismatch {
                joints: joints.len(),
                weights: weights.len(),
                width,
            });
        }
        let vertices = joints.len() / width;
        let mut build = Builder::with_capacity(vertices, joints.len());
        let rows = joints.chunks_exact(width).zip(weights.chunks_exact(width));
        for (joints, weights) in rows {
            let pairs = joints.iter().copied().zip(weights.iter().copied());
            if !build.push_as_is(pairs.clone(), joint_count)? {
                build.push(pairs, joint_count)?;
            }
        }
        Ok(build.finish())
    }

    /// Creates influences from lists of (joint, weight), by the rules of [`Self::from_padded`].
    ///
    /// ```
    /// use sinew::Influences;
    /// let table = [vec![(0, 0.7), (1, 0.3)], vec![(1, 0.5), (0, 0.5)], vec![(1, 3.0), (0, 1.0)]];
    /// let (influences, repairs) = Influences::from_lists(&table, 2)?;
    /// assert_eq!(influences.get(2).collect::<Vec<_>>(), [(0, 0.25), (1, 0.75)]);
    /// assert_eq!(repairs.renormalized, 1);
    /// # Ok::<(), sinew::InfluenceError>(())
    /// ```
    pub fn from_lists(
        lists: &[Vec<(u16, f32)>],
        joint_count: usize,
    ) -> Result<(Self, InfluenceRepairs), InfluenceError> {
        let total = lists.iter().map(Vec::len).sum();
        let mut build = Builder::with_capacity(lists.len(), total);
        for list in lists {
            build.push(list.iter().copied(), joint_count)?;
        }
        Ok(build.finish())
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// True if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Joint and weight of every influence on a vertex, in ascending order of joints.
    pub fn get(&self, vertex: usize) -> impl ExactSizeIterator<Item = (usize, f32)> + '_ {
        let (joints, weights) = self.slices(vertex);
        joints
            .iter()
            .zip(weights)
            .map(|(&joint, &weight)| (usize::from(joint), weight))
    }

    /// Range of a vertex in the list of influences, and in arrays with one entry per influence.
    pub fn range(&self, vertex: usize) -> std::ops::Range<usize> {
        self.starts[vertex] as usize..self.starts[vertex + 1] as usize
    }

    /// The joints and weights of a vertex, as two slices.
    pub fn slices(&self, vertex: usize) -> (&[u16], &[f32]) {
        let range = self.range(vertex);
        (&self.joints[range.clone()], &self.weights[range])
    }

    /// The max number of influences on a vertex.
    pub fn max_per_vertex(&self) -> usize {
        let counts = self.starts.windows(2).map(|w| w[1] - w[0]);
        counts.max().unwrap_or(0) as usize
    }

    /// The number of influences of all vertices.
    pub fn total(&self) -> usize {
        self.weights.len()
    }

    /// Size in memory, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.starts) + size_of_val(&*self.joints) + size_of_val(&*self.weights)
    }

    /// The highest joint index in use. `None` without influences.
    pub fn max_joint(&self) -> Option<usize> {
        self.joints.iter().max().map(|&j| usize::from(j))
    }

    /// Influence with the largest weight. Of equal weights, the one with the lowest joint.
    pub fn heaviest(&self, vertex: usize) -> Option<(usize, f32)> {
        let mut best: Option<(usize, f32)> = None;
        for (joint, weight) in self.get(vertex) {
            if best.is_none_or(|(_, w)| weight > w) {
                best = Some((joint, weight));
            }
        }
        best
    }
}

struct Builder {
    influences: Influences,
    repairs: InfluenceRepairs,
    row: Vec<(u16, f32)>,
}

impl Builder {
    fn with_capacity(vertices: usize, influences: usize) -> Self {
        let mut starts = Vec::with_capacity(vertices + 1);
        starts.push(0);
        Self {
            influences: Influences {
                starts,
                joints: Vec::with_capacity(influences),
                weights: Vec::with_capacity(influences),
            },
            repairs: InfluenceRepairs::default(),
            row: Vec::new(),
        }
    }

    /// Adds a vertex that needs no sorting and no repair. Otherwise adds nothing and returns false.
    fn push_as_is(
        &mut self,
        pairs: impl Iterator<Item = (u16, f32)>,
        joint_count: usize,
    ) -> Result<bool, InfluenceError> {
        let start = self.influences.joints.len();
        let (mut fits, mut lowest, mut sum) = (true, 0, 0.0_f32);
        for (joint, weight) in pairs {
            if weight != 0.0 {
                let index = usize::from(joint);
                fits &= index >= lowest && index < joint_count && weight > 0.0;
                lowest = index + 1;
                sum += weight;
                self.influences.joints.push(joint);
                self.influences.weights.push(weight);
            }
        }
        // Also false for weights that are infinite or NaN.
        fits &= (sum - 1.0).abs() <= SUM_TOLERANCE;
        if fits {
            self.end_vertex()?;
        } else {
            self.influences.joints.truncate(start);
            self.influences.weights.truncate(start);
        }
        Ok(fits)
    }

    fn push(
        &mut self,
        pairs: impl Iterator<Item = (u16, f32)>,
        joint_count: usize,
    ) -> Result<(), InfluenceError> {
        let mut first = None;
        let (mut out_of_range, mut bad) = (false, false);
        self.row.clear();
        for (joint, weight) in pairs {
            let inside = usize::from(joint) < joint_count;
            if inside && first.is_none() {
                first = Some(joint);
            }
            if weight == 0.0 {
                continue;
            }
            out_of_range |= !inside;
            bad |= !(weight > 0.0 && weight.is_finite());
            if inside && weight > 0.0 && weight.is_finite() {
                self.row.push((joint, weight));
            }
        }
        self.repairs.joint_out_of_range += usize::from(out_of_range);
        self.repairs.bad_weight += usize::from(bad);
        // Also sorts by weight, so that the sum for a joint listed three times has a fixed order.
        if !self.row.is_sorted_by(|a, b| a.0 < b.0) {
            self.row
                .sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            let listed = self.row.len();
            self.row.dedup_by(|later, kept| {
                let same = later.0 == kept.0;
                if same {
                    kept.1 = (kept.1 + later.1).min(f32::MAX);
                }
                same
            });
            self.repairs.duplicate_joint += usize::from(self.row.len() < listed);
        }
        let sum: f32 = self.row.iter().map(|r| r.1).sum();
        if self.row.is_empty() {
            self.repairs.unweighted += 1;
            self.row.push((first.unwrap_or(0), 1.0));
        } else if (sum - 1.0).abs() > SUM_TOLERANCE {
            self.repairs.renormalized += 1;
            // Divides by the largest weight first, in f64, because the sum may overflow or vanish.
            let largest = self.row.iter().fold(0.0_f32, |m, r| m.max(r.1));
            let share = |w: f32| f64::from(w) / f64::from(largest);
            let sum: f64 = self.row.iter().map(|r| share(r.1)).sum();
            for (_, weight) in &mut self.row {
                *weight = (share(*weight) / sum) as f32;
            }
            self.row.retain(|r| r.1 > 0.0);
        }
        for &(joint, weight) in &self.row {
            self.influences.joints.push(joint);
            self.influences.weights.push(weight);
        }
        self.end_vertex()
    }

    fn end_vertex(&mut self) -> Result<(), InfluenceError> {
        let end =
            u32::try_from(self.influences.joints.len()).map_err(|_| InfluenceError::TooMany)?;
        self.influences.starts.push(end);
        Ok(())
    }

    fn finish(self) -> (Influences, InfluenceRepairs) {
        (self.influences, self.repairs)
    }
}
