//! The flesh that is left around a joint when it turns.
//!
//! Seen from the joint, triangles that follow it as one, or not at all, keep their part of the volume
//! when it turns, and those between rigid parts are torn or not. So only those that blend are looked at:
//! their cones from the joint are the flesh around it.

use super::chains::Chains;
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;
use glam::{DMat3, DVec3};

/// The rotation of joints.
const DEGREES: f64 = 30.0;
/// Flesh that is less, in cubes of the mesh's diagonal, is none.
const LEAST: f64 = 1e-6;
/// The part of the cones' volumes that is left where some are turned round: of less than that there is no inside.
const SAME_WAY: f64 = 0.5;
/// Weights this near to nothing or to all are rigid.
const RIGID: f64 = 1e-3;

/// The joint that loses most, by its index in the skin, and what is left of the flesh around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptVolume {
    /// The joint, by its index in the skin.
    pub joint: usize,
    /// The volume over that at rest, when it turns by 30 degrees about the worst axis of the model.
    pub kept: f32,
}

/// Rotations of a joint by 30 degrees about three axes.
struct Flesh {
    rest: f64,
    /// Without regard to which way triangles face.
    all: f64,
    turned: [f64; 3],
}

/// The worst of all joints; none where no joint has flesh around it.
pub(crate) fn kept(shape: &Shape, rows: &Rows) -> Option<KeptVolume> {
    let turns = [DVec3::X, DVec3::Y, DVec3::Z]
        .map(|axis| DMat3::from_axis_angle(axis, DEGREES.to_radians()));
    let mut flesh: Vec<Flesh> = Vec::new();
    flesh.resize_with(shape.joints, || Flesh {
        rest: 0.0,
        all: 0.0,
        turned: [0.0; 3],
    });
    let mut chains = Chains::new(shape);
    for triangle in &shape.triangles {
        let corners = triangle.map(|point| point as usize);
        chains.each(corners.map(|point| rows.get(point)), |joint, weights| {
            let blends = |w: &f64| (RIGID..=1.0 - RIGID).contains(w);
            if !weights.iter().any(blends) {
                return;
            }
            let head = shape.heads[joint];
            let rest = corners.map(|point| shape.points[point] - head);
            let around = &mut flesh[joint];
            around.rest += cone(rest);
            around.all += cone(rest).abs();
            for (turned, turn) in around.turned.iter_mut().zip(&turns) {
                let moved = |k: usize| rest[k].lerp(*turn * rest[k], weights[k]);
                *turned += cone([moved(0), moved(1), moved(2)]);
            }
        });
    }
    let all = flesh.iter().enumerate();
    let has_inside =
        |around: &Flesh| around.rest.abs() > LEAST && around.rest.abs() > SAME_WAY * around.all;
    let kept = all.filter(|(_, around)| has_inside(around));
    let kept = kept.map(|(joint, around)| {
        let ratios = around.turned.map(|turned| turned / around.rest);
        KeptVolume {
            joint,
            kept: ratios.into_iter().fold(f64::INFINITY, f64::min) as f32,
        }
    });
    kept.min_by(|a, b| a.kept.total_cmp(&b.kept))
}

/// The signed volume between the origin and a triangle.
fn cone([a, b, c]: [DVec3; 3]) -> f64 {
    a.dot(b.cross(c)) / 6.0
}
