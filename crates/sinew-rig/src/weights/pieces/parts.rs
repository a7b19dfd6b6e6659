//! Loose parts: eyes, buttons, armour, the pieces of a robot.
//! A small part moves rigidly, with the mean of its weights. A closed part that mostly belongs to
//! one joint follows only that joint. A mesh of one part stays unchanged.

use crate::weights::rows::Rows;
use crate::weights::shape::Shape;
use std::collections::HashMap;

/// Min share of one joint that makes a closed part rigid. A piece from joint to joint has 3/4, a
/// piece across a joint 1/2.
const RIGID_SHARE: f64 = 2.0 / 3.0;
const SMALL: f64 = 0.05;

pub(crate) fn make_rigid(shape: &Shape, rows: Rows) -> Rows {
    let parts = parts(shape);
    let count = count(&parts);
    if count < 2 {
        return rows;
    }
    let is_closed = closed(shape, &parts, count);
    let mut means: Vec<HashMap<u16, f64>> = vec![HashMap::new(); count];
    let mut sizes = vec![0_usize; count];
    let mut boxes = vec![(glam::DVec3::INFINITY, glam::DVec3::NEG_INFINITY); count];
    for (point, &part) in parts.iter().enumerate() {
        let part = part as usize;
        for &(joint, weight) in rows.get(point) {
            *means[part].entry(joint).or_default() += f64::from(weight);
        }
        sizes[part] += 1;
        let at = shape.points[point];
        boxes[part] = (boxes[part].0.min(at), boxes[part].1.max(at));
    }
    let instead: Vec<Option<Vec<(u16, f64)>>> = (0..count)
        .map(|part| {
            let mut mean: Vec<(u16, f64)> = means[part].iter().map(|(&j, &w)| (j, w)).collect();
            mean.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            let share = mean.first()?.1 / sizes[part] as f64;
            let extent = (boxes[part].1 - boxes[part].0).length();
            if is_closed[part] && share >= RIGID_SHARE {
                mean.truncate(1);
                Some(mean)
            } else {
                // Single vertices are a point cloud, not parts.
                (sizes[part] > 1 && extent < SMALL).then_some(mean)
            }
        })
        .collect();
    let mut out = Rows::with_capacity(rows.len(), 4);
    for (point, &part) in parts.iter().enumerate() {
        match &instead[part as usize] {
            Some(mean) => {
                for &(joint, weight) in mean {
                    out.add(usize::from(joint), weight);
                }
            }
            None => out.add_row(rows.get(point)),
        }
        out.end_point();
    }
    out
}

pub(crate) fn count(parts: &[u32]) -> usize {
    parts.iter().max().map_or(0, |last| *last as usize + 1)
}

pub(crate) fn parts(shape: &Shape) -> Vec<u32> {
    let mut above: Vec<u32> = (0..shape.points.len() as u32).collect();
    fn top(above: &mut [u32], mut point: u32) -> u32 {
        while above[point as usize] != point {
            above[point as usize] = above[above[point as usize] as usize];
            point = above[point as usize];
        }
        point
    }
    for &[a, b, c] in &shape.triangles {
        let first = top(&mut above, a);
        for other in [b, c] {
            let other = top(&mut above, other);
            above[other as usize] = first;
        }
        let first = top(&mut above, first);
        above[a as usize] = first;
    }
    let mut numbers = HashMap::new();
    (0..shape.points.len() as u32)
        .map(|point| {
            let next = numbers.len() as u32;
            *numbers.entry(top(&mut above, point)).or_insert(next)
        })
        .collect()
}

/// True for each part in which every edge has triangles on both sides.
pub(crate) fn closed(shape: &Shape, parts: &[u32], count: usize) -> Vec<bool> {
    let mut sides: HashMap<(u32, u32), u32> = HashMap::with_capacity(2 * shape.triangles.len());
    for &[a, b, c] in &shape.triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *sides.entry((from.min(to), from.max(to))).or_default() += 1;
        }
    }
    let mut has_triangles = vec![false; count];
    let mut is_closed = vec![true; count];
    for ((point, _), sides) in sides {
        let part = parts[point as usize] as usize;
        has_triangles[part] = true;
        is_closed[part] &= sides >= 2;
    }
    let both = is_closed.into_iter().zip(has_triangles);
    both.map(|(closed, any)| closed && any).collect()
}
