//! Edges that tear when a joint rotates, because their ends follow different joints.
//! In a fold between two limbs, as under a chin, weights may jump between vertices. Mending smooths
//! the weights along such edges. The report lists the tears that remain.

use super::chains::Chains;
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;
use std::collections::BTreeMap;

/// A rotation in degrees, and the max factor on the length of an edge that is not torn.
type Strain = (f64, f64);
/// Strain up to which edges are mended. Stricter than the documented factor of three at 60°,
/// because the smallest influences are removed afterwards.
const MENDED: Strain = (60.0, 2.75);
const TOLD: Strain = (30.0, 3.0);
/// Max difference of weights that cannot tear an edge.
const SAME: f64 = 0.02;
/// Min length of an edge, in diagonals of the mesh.
const SHORTEST: f64 = 1e-9;
const PASSES: usize = 8;

pub(crate) struct Tear {
    pub joint: usize,
    /// Fraction of all edges that the joint tears.
    pub share: f64,
    /// Factor on the length of the worst edge.
    pub times: f64,
    /// Point of the worst edge.
    pub point: usize,
}

/// Search for edges that tear when a joint and its descendants rotate about the worst axis.
struct Search<'a> {
    shape: &'a Shape,
    longest: f64,
    /// Displacement at a distance of 1 from the joint.
    way: f64,
    chains: Chains<2>,
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

    fn edge(&mut self, rows: &Rows, ends: [usize; 2], mut torn: impl FnMut(usize, f64)) {
        let [own, other] = ends.map(|point| rows.get(point));
        if is_same(own, other) {
            return;
        }
        let [here, there] = ends.map(|point| self.shape.points[point]);
        let (heads, way, longest) = (&self.shape.heads, self.way, self.longest);
        self.chains.each([own, other], |joint, [own, other]| {
            let weight = (own - other).abs();
            if weight >= SAME {
                let length = here.distance(there);
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

/// True for rows of the same joints that differ too little to tear. A joint with its descendants
/// gains at most the sum of all gains, and loses at most the sum of all losses.
fn is_same(own: &[(u16, f32)], other: &[(u16, f32)]) -> bool {
    let (mut more, mut less) = (0.0, 0.0);
    for (own, other) in own.iter().zip(other) {
        if own.0 != other.0 {
            return false;
        }
        let by = f64::from(own.1) - f64::from(other.1);
        more += by.max(0.0);
        less -= by.min(0.0);
    }
    own.len() == other.len() && more.max(less) < SAME
}

fn edges([a, b, c]: [u32; 3]) -> [[usize; 2]; 3] {
    [[a, b], [b, c], [c, a]].map(|edge| edge.map(|point| point as usize))
}

pub(crate) fn mend(shape: &Shape, mut rows: Rows) -> Rows {
    let mut search = Search::new(shape, MENDED);
    // Points that may be torn: first all points, later those around changed points.
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
                for [from, to] in [[from, to], [to, from]] {
                    if torn[from] {
                        let length = shape.points[from].distance(shape.points[to]);
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

fn evened_out(rows: &Rows, around: &BTreeMap<usize, Vec<(usize, f64)>>) -> Rows {
    let mut even = Rows::with_capacity(rows.len(), 4);
    for point in 0..rows.len() {
        match around.get(&point) {
            None => even.add_row(rows.get(point)),
            Some(around) => {
                let mut add = |point: usize, share: f64| {
                    for &(joint, weight) in rows.get(point) {
                        even.add(usize::from(joint), share * f64::from(weight));
                    }
                };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::bones::joints::Bones;
    use crate::weights::surface::Surface;
    use glam::Vec3;

    #[test]
    fn chains_give_every_joint_that_points_follow_differently() {
        let joints = 150_usize;
        let parents: Vec<Option<usize>> = (0..joints)
            .map(|joint| {
                let above = joint + 1 + joint * 7 % 5;
                (above < joints && joint % 60 != 59).then_some(above)
            })
            .collect();
        let bones = Bones::new(parents.clone(), vec![Vec3::ZERO; joints]);
        let surface = Surface {
            positions: &[],
            triangles: &[],
        };
        let shape = Shape::new(&surface, &bones, None);
        let mut chains = Chains::<2>::new(&shape);
        for case in 0..300_usize {
            // Quarters, so that sums are exact.
            let row = |seed: usize| -> Vec<(u16, f32)> {
                let joint = |k: usize| (seed * 31 + k * (7 + seed % 41)) % joints;
                (0..4).map(|k| (joint(k) as u16, 0.25)).collect()
            };
            let rows = [row(case), row(case * 13 + 5)];
            let mut sums = vec![[0.0_f64; 2]; joints];
            for (point, row) in rows.iter().enumerate() {
                for &(joint, weight) in row {
                    let joint = usize::from(joint);
                    let up = std::iter::successors(Some(joint), |&joint| parents[joint]);
                    up.for_each(|joint| sums[joint][point] += f64::from(weight));
                }
            }
            let mut visited = vec![false; joints];
            chains.each([&rows[0], &rows[1]], |joint, weights| {
                assert_eq!(weights, sums[joint], "{case}: {joint}");
                assert!(!visited[joint], "{case}: {joint}");
                visited[joint] = true;
            });
            for (joint, [own, other]) in sums.into_iter().enumerate() {
                assert!(visited[joint] || own == other, "{case}: {joint}");
            }
        }
    }

    #[test]
    fn rows_are_the_same_when_no_joint_gains_much() {
        let row = |weights: [f32; 3]| [(4, weights[0]), (7, weights[1]), (9, weights[2])];
        let own = row([0.5, 0.3, 0.2]);
        assert!(is_same(&own, &own));
        assert!(is_same(&own, &row([0.515, 0.285, 0.2])));
        // Two small gains add up in a chain.
        assert!(!is_same(&own, &row([0.515, 0.315, 0.17])));
        assert!(!is_same(&own, &row([0.53, 0.3, 0.2])));
        assert!(!is_same(&row([0.53, 0.3, 0.2]), &own));
        assert!(!is_same(&own, &own[..2]));
        let other = [(4, 0.5), (8, 0.3), (9, 0.2)];
        assert!(!is_same(&own, &other));
    }
}
