//! Edges that tear when a joint turns: neighbours that follow different joints too suddenly.
//!
//! Where a fold of the skin parts two limbs, as under a chin, weights may jump from one vertex to the
//! next. There they are evened out along the edges, and what is left is told.

use super::rows::Rows;
use super::shape::Shape;
use std::collections::BTreeMap;

/// A turn, in degrees, and how many times as long an edge becomes at most without being torn by it.
type Strain = (f64, f64);
/// What is mended: more than what is promised, three times at 60 degrees, for the least influences of a
/// vertex are dropped afterwards.
const MENDED: Strain = (60.0, 2.75);
/// What is told.
const TOLD: Strain = (30.0, 3.0);
/// Weights that differ less tear nothing.
const SAME: f64 = 0.02;
/// Edges that are shorter, in diagonals of the mesh, count as if they were so long.
const SHORTEST: f64 = 1e-9;
/// How often torn vertices become the mean of themselves and those around them.
const PASSES: usize = 8;

/// What the joint that tears most does.
pub(crate) struct Tear {
    pub joint: usize,
    /// The part of all edges that it tears.
    pub share: f64,
    /// How much longer the worst becomes.
    pub times: f64,
    /// A point of the worst.
    pub point: usize,
}

/// Joints that some points follow, from the ends of chains up to where all meet: above, they move alike.
pub(crate) struct Chains<'a> {
    shape: &'a Shape,
    /// How many joints are above each.
    depths: Vec<usize>,
    /// Joints, and how much each point follows them and all that hangs from them.
    joints: Vec<(usize, [f64; 3])>,
}

impl<'a> Chains<'a> {
    pub fn new(shape: &'a Shape) -> Self {
        Self {
            shape,
            depths: (0..shape.joints)
                .map(|joint| shape.bones.above(joint).count())
                .collect(),
            joints: Vec::new(),
        }
    }

    fn add(&mut self, joint: usize, weights: [f64; 3]) {
        let place = self.joints.iter().position(|known| known.0 == joint);
        let place = place.unwrap_or_else(|| {
            self.joints.push((joint, [0.0; 3]));
            self.joints.len() - 1
        });
        let sums = self.joints[place].1.iter_mut();
        sums.zip(weights).for_each(|(sum, weight)| *sum += weight);
    }

    /// Calls `visit` with each joint but the last, and how much each of up to three points follows it
    /// and all that hangs from it.
    pub fn each<const N: usize>(
        &mut self,
        rows: [&[(u16, f32)]; N],
        mut visit: impl FnMut(usize, [f64; 3]),
    ) {
        for (point, row) in rows.into_iter().enumerate() {
            for &(joint, weight) in row {
                let mut weights = [0.0; 3];
                weights[point] = f64::from(weight);
                self.add(usize::from(joint), weights);
            }
        }
        while self.joints.len() > 1 {
            let depths = self.joints.iter().map(|joint| self.depths[joint.0]);
            let (deepest, _) = depths.enumerate().fold((0, 0), |most, (index, depth)| {
                if depth >= most.1 {
                    (index, depth)
                } else {
                    most
                }
            });
            let (joint, weights) = self.joints.swap_remove(deepest);
            visit(joint, weights);
            if let Some(above) = self.shape.bones.parents[joint] {
                self.add(above, weights);
            }
        }
        self.joints.clear();
    }
}

/// A search for edges that tear when a joint turns about the worst axis, and all that hangs from it with
/// it.
struct Search<'a> {
    shape: &'a Shape,
    longest: f64,
    /// The way of a point that is one away from the joint that turns.
    way: f64,
    chains: Chains<'a>,
}

impl<'a> Search<'a> {
    fn new(shape: &'a Shape, (degrees, longest): Strain) -> Self {
        Self {
            shape,
            longest,
            way: 2.0 * (0.5 * degrees.to_radians()).sin(),
            chains: Chains::new(shape),
        }
    }

    /// Calls `torn` with the joints that tear an edge, and how much longer it becomes.
    fn edge(&mut self, rows: &Rows, ends: [usize; 2], mut torn: impl FnMut(usize, f64)) {
        let [own, other] = ends.map(|point| rows.get(point));
        if own == other {
            return;
        }
        let [here, there] = ends.map(|point| self.shape.points[point]);
        let length = here.distance(there);
        let (heads, way, longest) = (&self.shape.heads, self.way, self.longest);
        self.chains.each([own, other], |joint, [own, other, _]| {
            let weight = (own - other).abs();
            if weight >= SAME {
                let away = heads[joint]
                    .distance(here)
                    .max(heads[joint].distance(there));
                let times = 1.0 + weight * way * away / length;
                if times > longest {
                    torn(joint, times);
                }
            }
        });
    }
}

fn edges([a, b, c]: [u32; 3]) -> [[usize; 2]; 3] {
    [[a, b], [b, c], [c, a]].map(|edge| edge.map(|point| point as usize))
}

/// Evens weights out where edges tear.
pub(crate) fn mend(shape: &Shape, mut rows: Rows) -> Rows {
    let mut search = Search::new(shape, MENDED);
    // What may be torn now: at first everything, then what is around those that were changed.
    let mut suspect = vec![true; shape.points.len()];
    for _ in 0..PASSES {
        let mut torn = vec![false; shape.points.len()];
        for &triangle in &shape.triangles {
            if !triangle.iter().any(|&point| suspect[point as usize]) {
                continue;
            }
            for edge in edges(triangle) {
                search.edge(&rows, edge, |_, _| {
                    edge.iter().for_each(|&point| torn[point] = true);
                });
            }
        }
        if !torn.contains(&true) {
            break;
        }
        let mut around: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
        for &triangle in &shape.triangles {
            for [from, to] in edges(triangle) {
                let length = shape.points[from].distance(shape.points[to]);
                for [from, to] in [[from, to], [to, from]] {
                    if torn[from] {
                        around
                            .entry(from)
                            .or_default()
                            .push((to, 1.0 / length.max(SHORTEST)));
                    }
                }
            }
        }
        rows = evened_out(&rows, &around);
        suspect = torn;
    }
    rows
}

/// Half of what points have, and half of what those around them have, by nearness.
fn evened_out(rows: &Rows, around: &BTreeMap<usize, Vec<(usize, f64)>>) -> Rows {
    let mut even = Rows::with_capacity(rows.len(), 4);
    for point in 0..rows.len() {
        let mut add = |point: usize, share: f64| {
            for &(joint, weight) in rows.get(point) {
                even.add(usize::from(joint), share * f64::from(weight));
            }
        };
        match around.get(&point) {
            None => add(point, 1.0),
            Some(around) => {
                add(point, 0.5);
                let all: f64 = around.iter().map(|other| other.1).sum();
                for &(other, near) in around {
                    add(other, 0.5 * near / all);
                }
            }
        }
        even.end_point();
    }
    even
}

/// The joint that tears most edges; none when no edge tears.
pub(crate) fn worst(shape: &Shape, rows: &Rows) -> Option<Tear> {
    let mut search = Search::new(shape, TOLD);
    let mut torn = vec![0_usize; shape.joints];
    let mut worst = vec![(0.0_f64, 0_usize); shape.joints];
    for edge in shape.triangles.iter().copied().flat_map(edges) {
        search.edge(rows, edge, |joint, times| {
            torn[joint] += 1;
            if times > worst[joint].0 {
                worst[joint] = (times, edge[0]);
            }
        });
    }
    let joint = (0..shape.joints).max_by_key(|&joint| torn[joint])?;
    let (times, point) = worst[joint];
    (torn[joint] > 0).then(|| Tear {
        joint,
        share: torn[joint] as f64 / (3 * shape.triangles.len()) as f64,
        times,
        point,
    })
}
