//! Search for the nearest triangle or bone of a posed character along a ray.
//!
//! The test is by Woop, Benthin and Wald (2013, "Watertight ray/triangle intersection"), in `f64`.
//! All triangles are sheared along the ray in the same way. Two triangles with a common edge agree
//! on the side on which the ray passes the edge, so no ray passes between them.

use crate::pose::ModelPose;
use crate::rig::{Actor, ActorError};
use crate::skeleton::Skeleton;
use glam::{DVec3, Vec3};
use sinew_skin::{Layout, Order};

/// Ray from a point in one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Start of the ray.
    pub origin: Vec3,
    /// Direction, of any length except 0.
    pub direction: Vec3,
}

/// Intersection of a ray with the skin of an actor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinPick {
    /// Index in [`Rig::parts`](crate::Rig::parts), in the order of the primitives of
    /// [`deform`](crate::deform).
    pub part: usize,
    /// Corners of the triangle, as vertex indices in the part.
    pub corners: [usize; 3],
    /// Distance, and barycentric coordinates in the triangle.
    pub hit: TriangleHit,
}

impl SkinPick {
    /// Corner nearest to the intersection.
    pub fn vertex(&self) -> usize {
        let [a, b, c] = self.hit.barycentric;
        match (a >= b && a >= c, b >= c) {
            (true, _) => self.corners[0],
            (false, true) => self.corners[1],
            (false, false) => self.corners[2],
        }
    }
}

/// Intersection of a ray with a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// Distance from the origin of the ray.
    pub distance: f64,
    /// Barycentric coordinates. They sum to 1.
    pub barycentric: [f64; 3],
}

/// Ray prepared for tests against many triangles.
#[derive(Clone, Copy, Debug)]
pub struct ShearedRay {
    origin: DVec3,
    /// Axes that become x, y and z of the sheared space, z along the ray.
    axes: [usize; 3],
    shear: [f64; 2],
    /// Distance along the ray per step along z.
    per_z: f64,
}

impl ShearedRay {
    /// Prepares a ray. `None` if the ray is not finite or its direction is zero.
    pub fn new(ray: &Ray) -> Option<Self> {
        let (origin, direction) = (ray.origin.as_dvec3(), ray.direction.as_dvec3());
        let z = direction.abs().max_position();
        let along = direction[z];
        if !(origin.is_finite() && direction.is_finite() && along != 0.0) {
            return None;
        }
        let axes = [(z + 1) % 3, (z + 2) % 3, z];
        Some(Self {
            origin,
            axes,
            shear: [direction[axes[0]] / along, direction[axes[1]] / along],
            per_z: direction.length() / along,
        })
    }

    /// Intersection from either side. `None` for a miss or for a triangle without visible area.
    pub fn meet(&self, triangle: [Vec3; 3]) -> Option<TriangleHit> {
        let corners = triangle.map(|corner| {
            let from_origin = corner.as_dvec3() - self.origin;
            let [x, y, z] = self.axes.map(|axis| from_origin[axis]);
            [x - self.shear[0] * z, y - self.shear[1] * z, z]
        });
        // Side on which the ray passes each edge, in the order of the opposite corners.
        let side = |a: usize, b: usize| {
            let (a, b) = (corners[a], corners[b]);
            // The neighbour has the reversed edge and gets the same bits with the opposite sign.
            a[0] * b[1] - a[1] * b[0]
        };
        let sides = [side(1, 2), side(2, 0), side(0, 1)];
        if sides.iter().any(|&s| s < 0.0) && sides.iter().any(|&s| s > 0.0) {
            return None;
        }
        let sum: f64 = sides.iter().sum();
        let barycentric = sides.map(|s| s / sum);
        let z: f64 = (0..3).map(|k| barycentric[k] * corners[k][2]).sum();
        let distance = z * self.per_z;
        let is_hit = sum != 0.0 && distance >= 0.0 && distance.is_finite();
        is_hit.then_some(TriangleHit {
            distance,
            barycentric,
        })
    }
}

/// First intersection of a ray in model space with the shown parts of an actor. `is_shown` gets the
/// index of a part. Skins all vertices.
///
/// # Errors
/// As [`Actor::skin_into`].
pub fn pick_skin(
    actor: &mut Actor,
    ray: &Ray,
    is_shown: impl Fn(usize) -> bool,
) -> Result<Option<SkinPick>, ActorError> {
    let Some(sheared) = ShearedRay::new(ray) else {
        return Ok(None);
    };
    let layout = Layout {
        stride: 3,
        position: 0,
        normal: None,
        tangent: None,
        order: Order::Mesh,
    };
    let mut floats = vec![0.0_f32; 3 * actor.rig().vertices()];
    actor.skin_into(&mut floats[..], &layout)?;
    let positions: &[Vec3] = bytemuck::cast_slice(&floats);
    let mut nearest: Option<SkinPick> = None;
    let parts = actor.rig().parts().iter().enumerate();
    for (part, piece) in parts.filter(|(part, _)| is_shown(*part)) {
        let posed = &positions[piece.vertices()];
        for corners in piece.surface().triangles() {
            let Some(hit) = sheared.meet(corners.map(|v| posed[v])) else {
                continue;
            };
            if nearest.is_none_or(|n| hit.distance < n.hit.distance) {
                nearest = Some(SkinPick { part, corners, hit });
            }
        }
    }
    Ok(nearest)
}

/// Fraction of a bone, from its lower end, that picks the lower joint.
const LOWER_END: f64 = 0.25;

/// Joint of the bone nearest to a ray in model space, by the angle at the origin of the ray. The
/// angle must be below `angle_rad`.
///
/// A bone is the line from a joint to a child. Its last quarter picks the child, the other part
/// picks the parent. Of equally near bones, the first is picked.
pub fn pick_bone(
    skeleton: &Skeleton,
    pose: &ModelPose,
    ray: &Ray,
    angle_rad: f32,
) -> Option<usize> {
    if pose.len() != skeleton.len() {
        return None;
    }
    let origin = ray.origin.as_dvec3();
    let along = ray.direction.as_dvec3().try_normalize()?;
    let at = |joint: usize| pose.get(joint).translation().as_dvec3() - origin;
    let mut nearest = (f64::from(angle_rad), None);
    for joint in 0..skeleton.len() {
        let lower = at(joint);
        let (upper, above) = match skeleton.parent(joint) {
            Some(parent) => (at(parent), parent),
            None => (lower, joint),
        };
        let (angle, part) = angle_to_segment(along, upper, lower);
        if angle < nearest.0 {
            let is_lower = part > 1.0 - LOWER_END;
            nearest = (angle, Some(if is_lower { joint } else { above }));
        }
    }
    nearest.1
}

/// Min angle between a direction and a segment, and the parameter of the nearest point.
fn angle_to_segment(along: DVec3, a: DVec3, b: DVec3) -> (f64, f64) {
    let angle = |point: DVec3| match point == DVec3::ZERO {
        // The origin itself has no direction.
        true => std::f64::consts::PI,
        false => point.cross(along).length().atan2(point.dot(along)),
    };
    let ends = match (angle(a), angle(b)) {
        (to_a, to_b) if to_b < to_a => (to_b, 1.0),
        (to_a, _) => (to_a, 0.0),
    };
    // From the origin, the segment is an arc. The nearest point of its great circle may be on it.
    let Some(pole) = a.cross(b).try_normalize() else {
        return ends;
    };
    let on_circle = along - pole * pole.dot(along);
    let (after_a, before_b) = (a.cross(on_circle).dot(pole), on_circle.cross(b).dot(pole));
    match after_a > 0.0 && before_b > 0.0 {
        true => (
            pole.dot(along).abs().min(1.0).asin(),
            after_a / (after_a + before_b),
        ),
        false => ends,
    }
}
