//! Looking at weights and changing them by hand: smooth, mirror, prune, normalise, lock.
//!
//! Every call leaves valid influences: no negative weight, sums of one. What is locked keeps its
//! weight, and the others share what it leaves.

use glam::Vec3;
use sinew::mesh::Weld;
use sinew::{InfluenceError, Influences};
use std::collections::HashMap;

/// How often weights are smoothed at most: by then they reach hundreds of edges far.
pub const MAX_SMOOTHING: u16 = 256;

/// The weights of a mesh while they are changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Adjust {
    rows: Vec<Vec<(u16, f32)>>,
    locked: Vec<bool>,
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

    /// Joints whose weights the calls that follow leave as they are; joints that do not exist are
    /// passed over.
    pub fn lock(mut self, joints: impl IntoIterator<Item = usize>) -> Self {
        for joint in joints {
            if let Some(locked) = self.locked.get_mut(joint) {
                *locked = true;
            }
        }
        self
    }

    /// Lets every vertex take half of the mean of its neighbours along edges, near ones counting more,
    /// `times` times, or [`MAX_SMOOTHING`] if that is less. Vertices at one place stay one.
    pub fn smooth(mut self, positions: &[Vec3], triangles: &[[u32; 3]], times: usize) -> Self {
        let count = self.rows.len().min(positions.len());
        let weld = Weld::by_position(&positions[..count]);
        let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); count];
        for triangle in triangles {
            if triangle.iter().any(|&v| v as usize >= count) {
                continue;
            }
            let [a, b, c] = triangle.map(|v| weld.first(v as usize));
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if from != to {
                    neighbours[from].push(to as u32);
                    neighbours[to].push(from as u32);
                }
            }
        }
        for _ in 0..times.min(usize::from(MAX_SMOOTHING)) {
            let mut next = self.rows.clone();
            for vertex in 0..count {
                if neighbours[vertex].is_empty() {
                    continue;
                }
                let away = |&n: &u32| positions[n as usize].distance(positions[vertex]);
                let nearness: Vec<f32> = neighbours[vertex].iter().map(|n| 1.0 / away(n)).collect();
                let total: f32 = nearness.iter().sum();
                let mut mean: Vec<(u16, f32)> = Vec::new();
                if !(total > 0.0 && total.is_finite()) {
                    continue;
                }
                for (&neighbour, near) in neighbours[vertex].iter().zip(&nearness) {
                    let share = 0.5 * near / total;
                    let row = self.rows[neighbour as usize].iter();
                    mean.extend(row.map(|&(joint, weight)| (joint, share * weight)));
                }
                mean.extend(self.rows[vertex].iter().map(|&(j, w)| (j, 0.5 * w)));
                next[vertex] = merged(mean);
                self.keep_locked(vertex, &mut next[vertex]);
            }
            for vertex in 0..count {
                let first = weld.first(vertex);
                if first != vertex {
                    next[vertex] = next[first].clone();
                }
            }
            self.rows = next;
        }
        self
    }

    /// Copies the weights of vertices on the positive side of x = `at` to those opposite, joints by
    /// `mirror_joint`. A vertex without one opposite, to within `tolerance`, stays as it is; one on
    /// the plane gets the mean of itself and its mirror image. A plane or a tolerance that is no number has nothing
    /// on it or opposite.
    pub fn mirror(
        mut self,
        positions: &[Vec3],
        at: f32,
        tolerance: f32,
        mirror_joint: impl Fn(usize) -> usize,
    ) -> Self {
        let cell = tolerance.max(f32::MIN_POSITIVE);
        let key = |p: Vec3| (p / cell).round().to_array().map(|c| c as i64);
        let mut places: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
        let count = self.rows.len().min(positions.len());
        for (vertex, &position) in positions[..count].iter().enumerate() {
            places.entry(key(position)).or_default().push(vertex);
        }
        let opposite = |position: Vec3| {
            let image = Vec3::new(2.0 * at - position.x, position.y, position.z);
            let middle = key(image);
            let around = (0..27).map(|n| {
                let step = [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1];
                std::array::from_fn(|axis| middle[axis].saturating_add(step[axis]))
            });
            let found = around
                .filter_map(|key: [i64; 3]| places.get(&key))
                .flatten();
            let near = found.map(|&v| (v, positions[v].distance(image)));
            let near = near.filter(|(_, away)| *away <= tolerance);
            near.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
        };
        let joints = self.locked.len();
        let mirrored = |row: &[(u16, f32)]| {
            let image = row.iter().map(|&(joint, weight)| {
                let other = mirror_joint(usize::from(joint));
                (if other < joints { other as u16 } else { joint }, weight)
            });
            merged(image.collect())
        };
        let mut next = self.rows.clone();
        for vertex in 0..count {
            let side = positions[vertex].x - at;
            if side.abs() <= tolerance {
                let half = |row: Vec<(u16, f32)>| row.into_iter().map(|(j, w)| (j, 0.5 * w));
                let own = half(self.rows[vertex].clone());
                let both = own.chain(half(mirrored(&self.rows[vertex])));
                next[vertex] = merged(both.collect());
            } else if side < 0.0
                && let Some((source, _)) = opposite(positions[vertex])
            {
                next[vertex] = mirrored(&self.rows[source]);
            }
            self.keep_locked(vertex, &mut next[vertex]);
        }
        self.rows = next;
        self
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

    /// Puts locked joints back to what they have on a vertex and scales the others of `row` to the
    /// rest.
    fn keep_locked(&self, vertex: usize, row: &mut Vec<(u16, f32)>) {
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

fn is_locked(locked: &[bool], joint: u16) -> bool {
    locked.get(usize::from(joint)).copied().unwrap_or(false)
}

/// One entry per joint, ascending.
fn merged(mut row: Vec<(u16, f32)>) -> Vec<(u16, f32)> {
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

/// For every joint the one on the other side, by name: `Left` and `Right`, or `L` and `R` set off by
/// `.`, `_`, `-` or a space, in any case. A joint without one is its own.
///
/// ```
/// use sinew_rig::weights::mirrored_joints;
/// let names = ["hips", "LeftArm", "RightArm", "leg_L_1", "leg_R_1"];
/// assert_eq!(mirrored_joints(&names), [0, 2, 1, 4, 3]);
/// ```
pub fn mirrored_joints(names: &[impl AsRef<str>]) -> Vec<usize> {
    let lower: Vec<String> = names.iter().map(|n| n.as_ref().to_lowercase()).collect();
    let find = |name: &str| lower.iter().position(|n| n == name);
    lower
        .iter()
        .enumerate()
        .map(|(joint, name)| {
            other_side(name)
                .iter()
                .find_map(|n| find(n))
                .unwrap_or(joint)
        })
        .collect()
}

/// What a lower-case name may be on the other side.
pub(crate) fn other_side(name: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (one, other) in [("left", "right"), ("right", "left")] {
        if name.contains(one) {
            names.push(name.replacen(one, other, 1));
        }
    }
    let is_apart = |c: Option<char>| c.is_none_or(|c| " ._-".contains(c));
    for (at, letter) in name.char_indices() {
        let other = match letter {
            'l' => 'r',
            'r' => 'l',
            _ => continue,
        };
        let before = name[..at].chars().next_back();
        let after = name[at + 1..].chars().next();
        if is_apart(before) && is_apart(after) {
            names.push(format!("{}{other}{}", &name[..at], &name[at + 1..]));
        }
    }
    names
}
