//! Limbs that form one surface although they only touch: a hand on a hip, a sleeve in a jacket.
//! A rotating joint stretches the surface near it. Stretched surface beyond its own bone also
//! follows a joint that does not move.

use super::chains::Chains;
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;
use glam::DVec3;
use std::collections::BTreeMap;

/// Rotation of a joint, in degrees: from hanging arms to half lifted arms, or a long step.
const DEGREES: f64 = 60.0;
/// Min stretch that counts, in lengths: 1.5 makes an edge two and a half times as long.
const STRETCHED: f64 = 1.5;
/// Max growth, as a fraction of the whole surface. Skirts of good bodies have up to 0.065.
const MAX_GROWTH: f64 = 0.1;

/// Max distance between a joint and the surface that blends at it, in diagonals of the mesh.
const AT_JOINT: f64 = 0.06;

pub(crate) struct Weld {
    /// Joint that rotates.
    pub joint: usize,
    /// Two joints of the stretched surface: one moves with the rotating joint, one does not.
    pub joins: [usize; 2],
    /// Point of the worst triangle.
    pub point: usize,
    /// Growth of the surface area, as a fraction of the whole surface.
    pub growth: f64,
}

struct Search<'a> {
    shape: &'a Shape,
    rows: &'a Rows,
    /// Length of the longest bone of each joint. Infinite for a joint without bones.
    bones: Vec<f64>,
    way: f64,
}

impl Search<'_> {
    /// Calls `found` with each stretched triangle, the joint that stretches it, and the growth of
    /// its area. Returns the area of the whole surface.
    fn each(&self, mut found: impl FnMut(&[u32; 3], usize, f64)) -> f64 {
        let mut chains = Chains::<3>::new(self.shape);
        let mut surface = 0.0;
        for triangle in &self.shape.triangles {
            let [a, b, c] = triangle.map(|point| self.shape.points[point as usize]);
            let normal = (b - a).cross(c - a);
            let double = normal.length();
            if double == 0.0 {
                continue;
            }
            surface += 0.5 * double;
            let middle = (a + b + c) / 3.0;
            let rows = triangle.map(|point| self.rows.get(point as usize));
            chains.each(rows, |joint, [of_a, of_b, of_c]| {
                let away = self.shape.heads[joint].distance(middle);
                let sides = (c - b) * of_a + (a - c) * of_b + (b - a) * of_c;
                // Gradient of the weight times the displacement.
                let stretch = sides.length() / double * self.way * away;
                let is_stretched = stretch > STRETCHED && away > self.bones[joint];
                if is_stretched && self.stays_behind(rows, joint, middle) {
                    found(triangle, joint, 0.5 * double * stretch);
                }
            });
        }
        surface
    }

    /// True if a joint that a rotating joint should not touch holds a triangle back. A joint
    /// touches its parent, and limbs of one parent may share cloth, as legs do. A foot that ends
    /// its leg may hang from the root; its joint is then near.
    fn stays_behind(&self, rows: [&[(u16, f32)]; 3], joint: usize, middle: DVec3) -> bool {
        let Some([_, still]) = self.sides(rows, joint) else {
            return false;
        };
        let bones = &self.shape.bones;
        let parent = bones.parents[joint];
        let still = usize::from(still);
        let mut up = std::iter::once(still).chain(bones.above(still));
        let is_kin = up.any(|above| Some(above) == parent);
        !is_kin && self.shape.heads[still].distance(middle) > AT_JOINT
    }

    /// Heaviest joint of a triangle that moves with `joint`, and the heaviest joint that does not.
    fn sides(&self, rows: [&[(u16, f32)]; 3], joint: usize) -> Option<[u16; 2]> {
        let bones = &self.shape.bones;
        let moves = |other: usize| other == joint || bones.above(other).any(|above| above == joint);
        let mut heaviest = [(0.0, None); 2];
        for &(other, weight) in rows.into_iter().flatten() {
            let side = &mut heaviest[usize::from(!moves(usize::from(other)))];
            if weight > side.0 {
                *side = (weight, Some(other));
            }
        }
        Some([heaviest[0].1?, heaviest[1].1?])
    }
}

/// Joint whose rotation stretches the most surface beyond its bone. `None` below [`MAX_GROWTH`].
pub(crate) fn worst(shape: &Shape, rows: &Rows) -> Option<Weld> {
    let mut bones = vec![0.0_f64; shape.joints];
    for segment in &shape.segments {
        let bone = &mut bones[segment.start];
        *bone = bone.max(segment.from.distance(segment.to));
    }
    let own = |bone: f64| if bone > 0.0 { bone } else { f64::INFINITY };
    let search = Search {
        shape,
        rows,
        bones: bones.into_iter().map(own).collect(),
        way: 2.0 * (0.5 * DEGREES.to_radians()).sin(),
    };
    let mut growths = vec![0.0; shape.joints];
    let surface = search.each(|_, joint, growth| growths[joint] += growth);
    let joint = (0..shape.joints).max_by(|&a, &b| growths[a].total_cmp(&growths[b]))?;
    if growths[joint] <= MAX_GROWTH * surface {
        return None;
    }
    let mut pairs: BTreeMap<[u16; 2], f64> = BTreeMap::new();
    let mut worst = (0.0, 0);
    search.each(|triangle, other, growth| {
        if other != joint {
            return;
        }
        let rows = triangle.map(|point| rows.get(point as usize));
        if let Some(sides) = search.sides(rows, joint) {
            *pairs.entry(sides).or_default() += growth;
        }
        if growth > worst.0 {
            worst = (growth, triangle[0] as usize);
        }
    });
    let (joins, _) = pairs.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(Weld {
        joint,
        joins: joins.map(usize::from),
        point: worst.1,
        growth: growths[joint] / surface,
    })
}
