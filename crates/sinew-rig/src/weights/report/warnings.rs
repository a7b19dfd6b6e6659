//! Finds weights that a person should check, from the result alone.

use super::motions::{Limbs, TrialMotion};
use super::volume::KeptVolume;
use super::{beyond, stretches, tears, welds};
use crate::find::check::Finding;
use crate::weights::field::bone_curves::nearest_on_segment;
use crate::weights::given::Given;
use crate::weights::pieces::bodies::Bodies;
use crate::weights::pieces::parts;
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;
use glam::DVec3;
use std::collections::BTreeMap;

/// Max fraction of the surface that one joint may move.
const MAX_SHARE: f64 = 0.6;
const MANY_JOINTS: usize = 8;
/// Max fraction of torn edges. Lips and eyelids have some.
const MAX_TORN: f64 = 0.02;
const MIN_VOLUME: f32 = 0.5;

/// A connected piece of surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfacePiece {
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
    /// Number of vertices of the piece, in all primitives that share positions with it.
    pub vertices: usize,
}

/// Finding about new weights that a person should check.
#[derive(Clone, Debug, PartialEq)]
pub enum BindWarning {
    /// The skeleton does not fit the mesh.
    Placed(Finding),
    /// One of many joints moves most of the surface.
    OneJoint {
        /// Index of the joint in the skin.
        joint: usize,
        /// Fraction of the surface that the joint moves, in [0, 1].
        share: f32,
    },
    /// A separate piece follows a joint that is farther away than the piece is long.
    Far {
        /// Index of the joint in the skin.
        joint: usize,
        /// Index of the mesh of the piece.
        mesh: usize,
        /// Distance from the joint, in model units.
        distance: f32,
        /// Distance from the joint, in lengths of the piece.
        lengths: f32,
        /// Number of vertices of the piece.
        vertices: usize,
    },
    /// A rotation of a joint by 30° makes edges more than three times as long.
    Torn {
        /// Index of the joint in the skin.
        joint: usize,
        /// Piece of the worst edge.
        piece: SurfacePiece,
        /// Fraction of all edges that tear, in [0, 1].
        share: f32,
        /// Factor on the length of the worst edge.
        times: f32,
    },
    /// A rotation of a joint by 30° loses much of the volume around the joint.
    Volume(KeptVolume),
    /// A motion stretches much surface beyond the bone of the rotating joint, because limbs that touch are one surface.
    Welded {
        /// Motion that stretches the surface.
        motion: TrialMotion,
        /// Index of the joint that rotates: the first of its limb if a limb moves.
        joint: usize,
        /// Indices of two joints of this surface: one moves with the joint, one does not.
        joins: [usize; 2],
        /// Piece of the worst triangle.
        piece: SurfacePiece,
        /// Growth of the surface area, as a fraction of the whole surface.
        growth: f32,
    },
    /// A motion of arms or legs makes much of a piece more than three times as long.
    Stretched {
        /// Motion that stretches the piece.
        motion: TrialMotion,
        /// Index of the first joint of the limb that moves the worst edge.
        joint: usize,
        /// Piece that stretches.
        piece: SurfacePiece,
        /// Factor on the length of the worst edge.
        times: f32,
        /// Part of the piece that stretches so, in [0, 1].
        share: f32,
    },
    /// Much of the surface is far from its joints, compared with the thickness of its flesh.
    Beyond {
        /// Index of the joint that moves the largest part of this surface.
        joint: usize,
        /// Piece with the point farthest from that joint.
        piece: SurfacePiece,
        /// Distance of that point, in model units.
        distance: f32,
        /// Fraction of the surface that is too far from its joints, in [0, 1].
        share: f32,
    },
}

pub(crate) fn warnings(
    shape: &Shape,
    bodies: &Bodies,
    rows: &Rows,
    volume: Option<KeptVolume>,
    (given, known): (&Given<'_>, &Limbs),
) -> Vec<BindWarning> {
    let mut warnings = Vec::new();
    let areas = areas(shape);
    let mut of_joint = vec![0.0; shape.joints];
    for (point, area) in areas.iter().enumerate() {
        for &(joint, weight) in rows.get(point) {
            of_joint[usize::from(joint)] += area * f64::from(weight);
        }
    }
    let all: f64 = areas.iter().sum();
    let most = (0..shape.joints).max_by(|&a, &b| of_joint[a].total_cmp(&of_joint[b]));
    let deforming = shape.bones.deforms.iter().filter(|deforms| **deforms);
    let has_many = deforming.count() >= MANY_JOINTS;
    if let Some(joint) = most
        && has_many
        && of_joint[joint] > MAX_SHARE * all
    {
        let share = (of_joint[joint] / all) as f32;
        warnings.push(BindWarning::OneJoint { joint, share });
    }
    if has_many {
        warnings.extend(limbs(shape, bodies, rows, &areas, (given, known)));
    }
    if let Some(tear) = tears::worst(shape, rows)
        && tear.share > MAX_TORN
    {
        warnings.push(BindWarning::Torn {
            joint: tear.joint,
            piece: piece_of(shape, given, tear.point),
            share: tear.share as f32,
            times: tear.times as f32,
        });
    }
    let lost = volume.filter(|volume| volume.kept < MIN_VOLUME);
    warnings.extend(lost.map(BindWarning::Volume));
    if bodies.len() > 1 {
        warnings.extend(far(shape, bodies, rows, given));
    }
    warnings
}

/// Connected piece of a point.
fn piece_of(shape: &Shape, given: &Given<'_>, point: usize) -> SurfacePiece {
    let parts = parts::parts(shape);
    let points = || shape.point_of_vertex.iter().map(|&other| other as usize);
    let vertex = points().position(|other| other == point).unwrap_or(0);
    let (mesh, primitive) = given.primitive(vertex);
    SurfacePiece {
        mesh,
        primitive,
        vertices: points()
            .filter(|&other| parts[other] == parts[point])
            .count(),
    }
}

fn limbs(
    shape: &Shape,
    bodies: &Bodies,
    rows: &Rows,
    areas: &[f64],
    (given, known): (&Given<'_>, &Limbs),
) -> Vec<BindWarning> {
    let weld = welds::worst(shape, rows, known).map(|weld| BindWarning::Welded {
        motion: weld.motion,
        joint: weld.joint,
        joins: weld.joins,
        piece: piece_of(shape, given, weld.point),
        growth: weld.growth as f32,
    });
    let welded = weld.as_ref().and_then(|weld| match weld {
        BindWarning::Welded { piece, .. } => Some(*piece),
        _ => None,
    });
    let stretched = stretches::pieces(shape, rows, known)
        .into_iter()
        .map(|found| BindWarning::Stretched {
            motion: found.motion,
            joint: found.joint,
            piece: piece_of(shape, given, found.point),
            times: found.times as f32,
            share: found.share as f32,
        });
    // A piece is named once.
    let stretched = stretched.filter(|warning| {
        !matches!(warning, BindWarning::Stretched { piece, .. } if Some(*piece) == welded)
    });
    let beyond = beyond::most(shape, bodies, rows, areas);
    let beyond = beyond.map(|beyond| BindWarning::Beyond {
        joint: beyond.joint,
        piece: piece_of(shape, given, beyond.point),
        distance: (beyond.distance * shape.size) as f32,
        share: beyond.share as f32,
    });
    let stretched: Vec<BindWarning> = stretched.collect();
    weld.into_iter().chain(stretched).chain(beyond).collect()
}

fn far(shape: &Shape, bodies: &Bodies, rows: &Rows, given: &Given<'_>) -> Vec<BindWarning> {
    let mut points: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
    for (index, &point) in shape.points.iter().enumerate() {
        if let Some(body) = bodies.at(point) {
            points[body].push(index);
        }
    }
    let mut vertices = vec![0; shape.points.len()];
    let mut first = vec![0; shape.points.len()];
    for (vertex, &point) in shape.point_of_vertex.iter().enumerate().rev() {
        vertices[point as usize] += 1;
        first[point as usize] = vertex;
    }
    let mut warnings = Vec::new();
    // Single points are a point cloud, not pieces.
    for points in points.iter().filter(|points| points.len() > 1) {
        let mut weights: BTreeMap<u16, f64> = BTreeMap::new();
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &point in points {
            low = low.min(shape.points[point]);
            high = high.max(shape.points[point]);
            for &(joint, weight) in rows.get(point) {
                *weights.entry(joint).or_default() += f64::from(weight);
            }
        }
        let Some((&joint, _)) = weights.iter().max_by(|a, b| a.1.total_cmp(b.1)) else {
            continue;
        };
        let joint = usize::from(joint);
        let away = |&point: &usize| shape.distance_to(joint, shape.points[point]);
        let away = points.iter().map(away).fold(f64::INFINITY, f64::min);
        let size = low.distance(high);
        if away > size && size > 0.0 {
            warnings.push(BindWarning::Far {
                joint,
                mesh: given.mesh(first[points[0]]),
                distance: (away * shape.size) as f32,
                lengths: (away / size) as f32,
                vertices: points.iter().map(|&point| vertices[point]).sum(),
            });
        }
    }
    warnings
}

/// Surface area of each point. Equal for all points if there are no triangles.
fn areas(shape: &Shape) -> Vec<f64> {
    let mut areas = vec![0.0; shape.points.len()];
    for triangle in &shape.triangles {
        let [a, b, c] = triangle.map(|point| shape.points[point as usize]);
        let area = (b - a).cross(c - a).length();
        triangle
            .iter()
            .for_each(|&point| areas[point as usize] += area);
    }
    if areas.iter().all(|area| *area == 0.0) {
        areas.fill(1.0);
    }
    areas
}

impl Shape {
    fn distance_to(&self, joint: usize, place: DVec3) -> f64 {
        let bones = self.segments.iter().filter(|s| s.joint == joint);
        let away = bones.map(|s| place.distance(nearest_on_segment(place, s.from, s.to)));
        let away = away.fold(f64::INFINITY, f64::min);
        away.min(place.distance(self.heads[joint]))
    }
}
