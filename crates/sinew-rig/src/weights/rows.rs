//! Weights of points during construction: short lists of joints and weights.

use super::error::BindError;
use sinew::{InfluenceError, Influences};

const TIE: f32 = 1e-4;

#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    entries: Vec<(u16, f32)>,
    ends: Vec<u32>,
    open: usize,
}

impl Rows {
    pub fn with_capacity(points: usize, each: usize) -> Self {
        Self {
            entries: Vec::with_capacity(points * each),
            ends: Vec::with_capacity(points),
            open: 0,
        }
    }

    /// Adds to the weight of a joint on the current point.
    pub fn add(&mut self, joint: usize, weight: f64) {
        let (joint, weight) = (joint as u16, weight as f32);
        if weight > 0.0 {
            match self.entries[self.open..].iter_mut().find(|e| e.0 == joint) {
                Some(entry) => entry.1 += weight,
                None => self.entries.push((joint, weight)),
            }
        }
    }

    /// Copies another row to the current point, which must be empty.
    pub fn add_row(&mut self, row: &[(u16, f32)]) {
        self.entries.extend_from_slice(row);
    }

    /// Normalises the weights of the current point and starts the next point.
    pub fn end_point(&mut self) {
        let row = &mut self.entries[self.open..];
        let sum: f32 = row.iter().map(|e| e.1).sum();
        for entry in row {
            entry.1 /= sum;
        }
        self.open = self.entries.len();
        self.ends.push(self.open as u32);
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn get(&self, point: usize) -> &[(u16, f32)] {
        let start = point.checked_sub(1).map_or(0, |p| self.ends[p] as usize);
        &self.entries[start..self.ends[point] as usize]
    }

    /// Keeps the `count` heaviest joints of every point.
    pub fn keep_heaviest(&mut self, count: usize) {
        let mut kept = Self {
            entries: Vec::with_capacity(self.entries.len()),
            ends: Vec::with_capacity(self.len()),
            open: 0,
        };
        let mut row = Vec::new();
        for point in 0..self.len() {
            row.clear();
            row.extend_from_slice(self.get(point));
            heaviest(&mut row, count);
            kept.add_row(&row);
            kept.end_point();
        }
        *self = kept;
    }

    /// Influences of vertices at these points.
    pub fn into_influences(
        mut self,
        point_of_vertex: &[u32],
        most: usize,
        joints: usize,
    ) -> Result<Influences, BindError> {
        self.keep_heaviest(most);
        let lists: Vec<Vec<(u16, f32)>> = point_of_vertex
            .iter()
            .map(|&point| self.get(point as usize).to_vec())
            .collect();
        Ok(Influences::from_lists(&lists, joints)?.0)
    }
}

/// Keeps the `count` heaviest joints, at least one. Drops both of two equal weights at the cut, as
/// between the legs. Keeps the first if all weights are equal.
pub(crate) fn heaviest(row: &mut Vec<(u16, f32)>, count: usize) {
    row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let count = count.max(1);
    if let Some(&(_, dropped)) = row.get(count) {
        let heavier = row.partition_point(|entry| entry.1 > dropped + TIE);
        row.truncate(if heavier > 0 {
            heavier.min(count)
        } else {
            count
        });
    }
}

/// Keeps the `count` heaviest influences of every vertex. Keeps or drops equal influences together
/// if possible, so that symmetric weights stay symmetric.
pub fn keep_heaviest(
    influences: &Influences,
    count: usize,
    joints: usize,
) -> Result<Influences, InfluenceError> {
    let mut lists: Vec<Vec<(u16, f32)>> = Vec::with_capacity(influences.len());
    for vertex in 0..influences.len() {
        let row = influences.get(vertex);
        let mut row: Vec<_> = row.map(|(joint, weight)| (joint as u16, weight)).collect();
        heaviest(&mut row, count);
        lists.push(row);
    }
    Ok(Influences::from_lists(&lists, joints)?.0)
}
