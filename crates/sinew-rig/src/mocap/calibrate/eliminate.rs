//! Eliminates the poses from a bundle adjustment, frame by frame.
//! The coupling of a pose number and a body parameter is found like the system of a pose: a
//! parameter moves markers, and the resulting forces add up along the tree to one wrench (moment
//! and force) per segment. A limb depends only on its own markers and on the bones up to the root.

use super::parameters::Moves;
use crate::mocap::pose::body::{Body, ROOT, Twist};
use crate::mocap::pose::bounded::Bounded;
use crate::mocap::pose::normal::{Met, Normal, Wrench};
use crate::mocap::pose::tree::Tree;
use glam::DVec3;
use std::ops::Range;

/// Max gap, in columns, within one run of columns. The run includes the zeros in the gap.
const NEAR: usize = 4;

pub(super) struct System {
    pub tree: Tree,
    pub matrix: Vec<f64>,
    pub right: Vec<f64>,
}

impl System {
    pub fn new(count: usize) -> Self {
        let tree = Tree::path(count);
        Self {
            matrix: vec![0.0; tree.entries()],
            right: vec![0.0; count],
            tree,
        }
    }

    pub fn clear(&mut self) {
        self.matrix.fill(0.0);
        self.right.fill(0.0);
    }
}

/// Part of the system of a frame from which its pose is computed later.
#[derive(Clone, Default)]
pub(super) struct Eliminated {
    pub normal: Normal,
    factor: Vec<f64>,
}

pub(super) struct Elimination {
    moves: Moves,
    /// Columns of the parameters that move markers on each segment or its descendants.
    runs: Vec<Vec<Range<usize>>>,
    /// Index of the first wrench of each moving segment.
    begins: Vec<usize>,
    count: usize,
    /// Moments and forces of every parameter on each segment and its descendants, six rows each.
    wrenches: Vec<f64>,
    coupling: Vec<f64>,
    columns: Vec<(usize, DVec3)>,
    reduced: Vec<f64>,
    of_change: Vec<Wrench>,
    bounded: Bounded,
}

impl Elimination {
    pub fn new(body: &Body, moves: Moves, count: usize) -> Self {
        let mut touched = vec![vec![false; count]; body.segments.len()];
        for (marker, attached) in body.markers.iter().enumerate() {
            for parameter in moves.of(marker) {
                touched[attached.segment][parameter] = true;
            }
        }
        for &index in body.moving.iter().rev() {
            if let Some(parent) = body.segments[index].parent {
                for column in 0..count {
                    touched[parent][column] |= touched[index][column];
                }
            }
        }
        let mut begins = vec![0; body.segments.len()];
        for (nth, &index) in body.moving.iter().enumerate() {
            begins[index] = 6 * count * nth;
        }
        Self {
            moves,
            begins,
            runs: touched.iter().map(|touched| runs(touched)).collect(),
            count,
            wrenches: vec![0.0; 6 * count * body.moving.len()],
            coupling: vec![0.0; body.count * count],
            columns: Vec::new(),
            reduced: Vec::new(),
            of_change: Vec::new(),
            bounded: Bounded::default(),
        }
    }

    /// Adds a frame, reduced by the effect of its pose. False if the pose is not determined.
    #[must_use]
    pub fn eliminate(
        &mut self,
        body: &Body,
        met: &Met,
        Eliminated { normal, factor }: &mut Eliminated,
        damping: f64,
        system: &mut System,
    ) -> bool {
        if !normal.factor(body, damping, &normal.held, factor) {
            return false;
        }
        self.add_markers(body, met, system);
        self.couple(body, normal);
        self.reduced.clear();
        let free = normal.right.iter().zip(&normal.held);
        self.reduced
            .extend(free.map(|(x, held)| if *held { 0.0 } else { *x }));
        body.tree.up(factor, &mut self.reduced);
        self.reduce_coupling(body, factor);
        self.subtract(body, system);
        true
    }

    fn add_markers(&mut self, body: &Body, met: &Met, system: &mut System) {
        let count = self.count;
        for &index in &body.moving {
            for row in self.wrenches[self.begins[index]..][..6 * count].chunks_exact_mut(count) {
                for run in &self.runs[index] {
                    row[run.clone()].fill(0.0);
                }
            }
        }
        for miss in &met.misses {
            let segment = body.markers[miss.marker].segment;
            let wrenches = &mut self.wrenches[self.begins[segment]..][..6 * count];
            self.moves
                .columns(&met.placed, miss.marker, &mut self.columns);
            for (nth, &(i, by)) in self.columns.iter().enumerate() {
                let force = by * miss.counts;
                let Wrench { moment, force } = Wrench::new(miss.at, force);
                let six = moment.to_array().into_iter().chain(force.to_array());
                for (row, x) in six.enumerate() {
                    wrenches[row * count + i] += x;
                }
                system.right[i] -= force.dot(miss.off);
                let row = &mut system.matrix[system.tree.row(i)];
                for &(j, other) in &self.columns[..=nth] {
                    row[j] += force.dot(other);
                }
            }
        }
        for &index in body.moving.iter().rev() {
            let Some(parent) = body.segments[index].parent else {
                continue;
            };
            let (before, own) = self.wrenches.split_at_mut(self.begins[index]);
            let parent = &mut before[self.begins[parent]..][..6 * count];
            let rows = parent.chunks_exact_mut(count).zip(own.chunks_exact(count));
            for (parent, own) in rows {
                for run in &self.runs[index] {
                    let own = &own[run.clone()];
                    for (sum, x) in parent[run.clone()].iter_mut().zip(own) {
                        *sum += x;
                    }
                }
            }
        }
    }

    fn couple(&mut self, body: &Body, normal: &Normal) {
        let count = self.count;
        body.each_number(|number, segment| {
            let Twist { angular, linear } = if normal.held[number] {
                Twist::default()
            } else {
                normal.twists[number]
            };
            let out = &mut self.coupling[number * count..][..count];
            let rows = &self.wrenches[self.begins[segment]..][..6 * count];
            for run in &self.runs[segment] {
                let out = &mut out[run.clone()];
                let n = out.len();
                let row = |nth: usize| &rows[nth * count + run.start..][..n];
                let (a, b, c, d, e, f) = (row(0), row(1), row(2), row(3), row(4), row(5));
                for i in 0..n {
                    out[i] = (angular.x * a[i] + angular.y * b[i] + angular.z * c[i])
                        + (linear.x * d[i] + linear.y * e[i] + linear.z * f[i]);
                }
            }
        });
    }

    /// Solves `Lᵀ · X = coupling` and overwrites `coupling` with X.
    fn reduce_coupling(&mut self, body: &Body, factor: &[f64]) {
        let count = self.count;
        let Self { runs, coupling, .. } = self;
        body.each_number_up(|number, segment| {
            let (before, own) = coupling.split_at_mut(number * count);
            let row = &factor[body.tree.row(number)];
            let mut nth = row.len() - 1;
            let scale = 1.0 / row[nth];
            for run in &runs[segment] {
                own[run.clone()].iter_mut().for_each(|x| *x *= scale);
            }
            let mut next = body.tree.above(number);
            while let Some(other) = next {
                nth -= 1;
                let by = row[nth];
                let out = &mut before[other * count..][..count];
                for run in &runs[segment] {
                    for (out, x) in out[run.clone()].iter_mut().zip(&own[run.clone()]) {
                        *out -= by * x;
                    }
                }
                next = body.tree.above(other);
            }
        });
    }

    fn subtract(&self, body: &Body, system: &mut System) {
        self.subtract_rows::<ROOT>(0, 0, system);
        for &index in &body.moving {
            let first = body.segments[index].first;
            match body.segments[index].coordinates.count() {
                1 => self.subtract_rows::<1>(first, index, system),
                2 => self.subtract_rows::<2>(first, index, system),
                3 => self.subtract_rows::<3>(first, index, system),
                _ => {}
            }
        }
    }

    fn subtract_rows<const N: usize>(&self, first: usize, segment: usize, system: &mut System) {
        let count = self.count;
        let rows: [&[f64]; N] =
            std::array::from_fn(|nth| &self.coupling[(first + nth) * count..][..count]);
        let reduced: [f64; N] = std::array::from_fn(|nth| self.reduced[first + nth]);
        let runs = &self.runs[segment];
        for (nth, run) in runs.iter().enumerate() {
            for i in run.clone() {
                let by: [f64; N] = rows.map(|row| row[i]);
                for (by, reduced) in by.iter().zip(reduced) {
                    system.right[i] -= by * reduced;
                }
                let out = &mut system.matrix[system.tree.row(i)];
                for other in &runs[..=nth] {
                    let to = other.end.min(i + 1);
                    let out = &mut out[other.start..to];
                    let rows: [&[f64]; N] = rows.map(|row| &row[other.start..to]);
                    for (j, out) in out.iter_mut().enumerate() {
                        let mut sum = 0.0;
                        for nth in 0..N {
                            sum += by[nth] * rows[nth][j];
                        }
                        *out -= sum;
                    }
                }
            }
        }
    }

    /// Writes to `q` the pose that follows a change of the parameters, clamped to its limits.
    pub fn follow(
        &mut self,
        body: &Body,
        met: &Met,
        frame: &Eliminated,
        damping: f64,
        changes: &[f64],
        q: &mut Vec<f64>,
    ) -> bool {
        self.of_change.clear();
        self.of_change
            .resize(body.segments.len(), Wrench::default());
        for miss in &met.misses {
            self.moves
                .columns(&met.placed, miss.marker, &mut self.columns);
            let shifts = self.columns.iter().map(|&(i, by)| by * changes[i]);
            let force = shifts.sum::<DVec3>() * miss.counts;
            self.of_change[body.markers[miss.marker].segment].add(Wrench::new(miss.at, force));
        }
        for &index in body.moving.iter().rev() {
            if let Some(parent) = body.segments[index].parent {
                let own = self.of_change[index];
                self.of_change[parent].add(own);
            }
        }
        let normal = &frame.normal;
        self.reduced.clone_from(&normal.right);
        body.each_number(|number, segment| {
            self.reduced[number] -= self.of_change[segment].along(normal.twists[number]);
        });
        self.bounded
            .step(body, normal, &self.reduced, damping, &met.q, q)
    }
}

fn runs(touched: &[bool]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for column in (0..touched.len()).filter(|&column| touched[column]) {
        match runs.last_mut() {
            Some(run) if column < run.end + NEAR => run.end = column + 1,
            _ => runs.push(column..column + 1),
        }
    }
    runs
}
