//! Pieces that stretch or go along with a hand when arms are lifted or legs swing, each by itself.
//! The growth of the whole surface ([`super::welds`]) misses a hem that is small but torn far.

use super::motions::{Limbs, TrialMotion};
use super::welds::Search;
use crate::weights::pieces::parts;
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;

/// Min factor on the length of an edge of a stretched triangle.
const TIMES: f64 = 3.0;
/// Max part of a piece that may stretch so, and the min part of the whole surface that matters.
const MAX_SHARE: f64 = 0.02;
const MATTERS: f64 = 0.001;

pub(crate) struct Stretched {
    pub motion: TrialMotion,
    /// First joint of the limb that moves the worst triangle.
    pub joint: usize,
    /// Point of the worst triangle.
    pub point: usize,
    /// Factor on the length of the worst edge.
    pub times: f64,
    /// Part of the piece that stretches, in [0, 1].
    pub share: f64,
}

/// Worst motion of each piece that stretches too much, the largest share first.
pub(crate) fn pieces(shape: &Shape, rows: &Rows, limbs: &Limbs) -> Vec<Stretched> {
    let motions = limbs.motions(&shape.heads);
    if motions.is_empty() {
        return Vec::new();
    }
    let search = Search::new(shape, rows, limbs);
    let parts = parts::parts(shape);
    let mut areas = vec![0.0; parts::count(&parts)];
    for triangle in &shape.triangles {
        areas[parts[triangle[0] as usize] as usize] += search.area_of(triangle);
    }
    let all: f64 = areas.iter().sum();
    let mut worst: Vec<Option<Stretched>> = areas.iter().map(|_| None).collect();
    for motion in &motions {
        let posed: Vec<_> = (0..shape.points.len())
            .map(|point| search.posed(motion, point))
            .collect();
        let mut sums = vec![0.0; areas.len()];
        let mut ends = vec![(0.0, 0); areas.len()];
        for triangle in &shape.triangles {
            let [a, b, c] = triangle.map(|point| point as usize);
            let longer = |(from, to): (usize, usize)| {
                let before = shape.points[from].distance(shape.points[to]);
                posed[from].distance(posed[to]) / before.max(f64::MIN_POSITIVE)
            };
            let times = [(a, b), (b, c), (c, a)].map(longer);
            let times = times.into_iter().fold(0.0, f64::max);
            let part = parts[a] as usize;
            if times > TIMES {
                sums[part] += search.area_of(triangle);
            }
            if times > ends[part].0 {
                ends[part] = (times, a);
            }
        }
        for (part, &sum) in sums.iter().enumerate() {
            let share = sum / areas[part];
            let known = worst[part].as_ref().map_or(0.0, |known| known.share);
            if share > MAX_SHARE.max(known) && sum > MATTERS * all {
                let (times, point) = ends[part];
                let joint = search.limb_at(point).unwrap_or(motion.limbs[0].0);
                worst[part] = Some(Stretched {
                    motion: motion.name,
                    joint,
                    point,
                    times,
                    share,
                });
            }
        }
    }
    let mut found: Vec<Stretched> = worst.into_iter().flatten().collect();
    found.sort_by(|a, b| b.share.total_cmp(&a.share));
    found
}
