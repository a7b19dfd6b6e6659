//! Joints without weights because of their position: roots between the feet, and joints far from
//! the mesh. The root of many skeletons is on the floor, at the origin. Its bone to the hips runs
//! between the legs and is nearer to the inside of both legs than the leg bones, but moves nothing.

use super::joints::Bones;
use super::unweighted::{Unweighted, is_root};
use crate::weights::surface::Surface;
use glam::DVec3;
use std::f64::consts::TAU;

/// Points of the bone of a root that must be in flesh. The half toward the hips does not count.
const ALONG: [f64; 4] = [0.0625, 0.1875, 0.3125, 0.4375];
/// Max distance from the mesh, in lengths of its bone, of a root with weights that is not inside
/// flesh and has an ordinary name. A flag has no inside, but its pole touches it.
const NEAR_ROOT: f64 = 0.04;
/// Distance from all vertices, in diagonals of the mesh, above which a joint moves nothing.
const AWAY: f64 = 0.03;
/// Max distance of equal positions, in diagonals of the mesh.
const SAME: f64 = 1e-4;

struct Scene<'a> {
    surface: &'a Surface<'a>,
    diagonal: f64,
}

/// Marks roots without flesh and trees far from the mesh, if `may`. Writes the reason to `why`.
pub(crate) fn leave_out(
    bones: &mut Bones,
    surface: &Surface<'_>,
    names: &[&str],
    may: &dyn Fn(usize) -> bool,
    why: &mut [Option<Unweighted>],
) {
    let Some(scene) = Scene::new(surface) else {
        return;
    };
    while let Some(root) = (0..bones.len()).find(|&joint| {
        bones.deforms[joint] && may(joint) && scene.is_bare_root(bones, joint, names[joint])
    }) {
        bones.deforms[root] = false;
        why[root] = Some(Unweighted::Root);
    }
    let tops: Vec<usize> = (0..bones.len())
        .filter(|&joint| bones.deforms[joint] && bones.deforming_above(joint).is_none())
        .collect();
    for top in tops {
        let tree: Vec<usize> = (0..bones.len())
            .filter(|&joint| joint == top || bones.above(joint).any(|above| above == top))
            .collect();
        let is_away = tree
            .iter()
            .all(|&joint| may(joint) && scene.is_away(bones, joint));
        // At least one joint must remain to move the mesh.
        let is_all = (0..bones.len()).all(|joint| !bones.deforms[joint] || tree.contains(&joint));
        if is_away && !is_all {
            for joint in tree {
                if bones.deforms[joint] {
                    bones.deforms[joint] = false;
                    why[joint] = Some(Unweighted::Away);
                }
            }
        }
    }
    for joint in 0..bones.len() {
        if bones.parents[joint].is_some() && bones.deforming_above(joint).is_none() {
            bones.tails[joint] = None;
        }
    }
}

impl<'a> Scene<'a> {
    fn new(surface: &'a Surface<'a>) -> Option<Self> {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for position in surface.positions.iter().filter(|p| p.is_finite()) {
            low = low.min(position.as_dvec3());
            high = high.max(position.as_dvec3());
        }
        let diagonal = low.distance(high);
        let is_solid = !surface.triangles.is_empty() && diagonal.is_finite() && diagonal > 0.0;
        is_solid.then_some(Self { surface, diagonal })
    }

    /// True for a joint that only connects its descendants.
    fn is_bare_root(&self, bones: &Bones, joint: usize, name: &str) -> bool {
        if bones.deforming_above(joint).is_some() {
            return false;
        }
        let below: Vec<DVec3> = (0..bones.len())
            .filter(|&other| bones.deforms[other] && bones.deforming_above(other) == Some(joint))
            .map(|other| bones.heads[other].as_dvec3())
            .collect();
        let head = bones.heads[joint].as_dvec3();
        if below.is_empty() || !head.is_finite() {
            return false;
        }
        if let [only] = below[..]
            && only.distance(head) <= SAME * self.diagonal
        {
            return true;
        }
        let at_origin = head.length() <= SAME * self.diagonal;
        if !is_root(name) && !at_origin {
            return false;
        }
        below.into_iter().all(|child| {
            let points = ALONG.map(|part| head.lerp(child, part));
            let outside = points.iter().filter(|point| !self.is_inside(**point));
            let far = NEAR_ROOT * head.distance(child);
            outside.count() * 2 > ALONG.len() && (is_root(name) || self.nearest(head) > far)
        })
    }

    fn is_away(&self, bones: &Bones, joint: usize) -> bool {
        let head = bones.heads[joint].as_dvec3();
        let from = bones
            .deforming_above(joint)
            .map_or(head, |a| bones.heads[a].as_dvec3());
        [0.0, 0.25, 0.5, 0.75].into_iter().all(|part| {
            let point = head.lerp(from, part);
            self.nearest(point) > AWAY * self.diagonal && !self.is_inside(point)
        })
    }

    fn nearest(&self, point: DVec3) -> f64 {
        let away = |p: &glam::Vec3| p.as_dvec3().distance_squared(point);
        let squares = self.surface.positions.iter().map(away);
        squares.fold(f64::INFINITY, f64::min).sqrt()
    }

    /// True if the winding number is at least one half. It is the sum of solid angles (Van Oosterom
    /// and Strackee 1983), which need no closed surface (Jacobson et al. 2013).
    fn is_inside(&self, point: DVec3) -> bool {
        let positions = self.surface.positions;
        let corner = |v: u32| positions.get(v as usize).map(|p| p.as_dvec3() - point);
        let mut angle = 0.0;
        for &[a, b, c] in self.surface.triangles {
            let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) else {
                continue;
            };
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            let part = 2.0 * a.dot(b.cross(c)).atan2(below);
            if part.is_finite() {
                angle += part;
            }
        }
        // Surfaces may be inside out.
        angle.abs() >= 0.5 * 2.0 * TAU
    }
}
