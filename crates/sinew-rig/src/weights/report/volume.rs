//! Volume that remains around a joint when it rotates.
//! Triangles that follow a joint fully, or not at all, keep their volume relative to it, so only
//! triangles that blend count. The cones from the joint to these triangles are the flesh around it.

use super::chains::Chains;
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;
use glam::{DMat3, DVec3};

const DEGREES: f64 = 30.0;
/// Min volume to measure, in cubes of the diagonal of the mesh.
const LEAST: f64 = 1e-6;
/// Min ratio of signed to unsigned volume. Below it, the surface has no inside.
const SAME_WAY: f64 = 0.5;
const RIGID: f64 = 1e-3;

/// Joint that loses the most volume, and the volume that remains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptVolume {
    /// Index of the joint in the skin.
    pub joint: usize,
    /// Remaining volume relative to rest, after a rotation by 30° about the worst model axis.
    pub kept: f32,
}

struct Flesh {
    rest: f64,
    all: f64,
    rotated: [f64; 3],
}

pub(crate) fn kept(shape: &Shape, rows: &Rows) -> Option<KeptVolume> {
    let rotations = [DVec3::X, DVec3::Y, DVec3::Z]
        .map(|axis| DMat3::from_axis_angle(axis, DEGREES.to_radians()));
    let mut flesh: Vec<Flesh> = Vec::new();
    flesh.resize_with(shape.joints, || Flesh {
        rest: 0.0,
        all: 0.0,
        rotated: [0.0; 3],
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
            for (rotated, rotation) in around.rotated.iter_mut().zip(&rotations) {
                let moved = |k: usize| rest[k].lerp(*rotation * rest[k], weights[k]);
                *rotated += cone([moved(0), moved(1), moved(2)]);
            }
        });
    }
    let all = flesh.iter().enumerate();
    let has_inside =
        |around: &Flesh| around.rest.abs() > LEAST && around.rest.abs() > SAME_WAY * around.all;
    let kept = all.filter(|(_, around)| has_inside(around));
    let kept = kept.map(|(joint, around)| {
        let ratios = around.rotated.map(|rotated| rotated / around.rest);
        KeptVolume {
            joint,
            kept: ratios.into_iter().fold(f64::INFINITY, f64::min) as f32,
        }
    });
    kept.min_by(|a, b| a.kept.total_cmp(&b.kept))
}

fn cone([a, b, c]: [DVec3; 3]) -> f64 {
    a.dot(b.cross(c)) / 6.0
}
