//! A mesh and bones, prepared for binding.

use super::bones::details::{Bulge, Detail};
use super::bones::joints::{Bones, Flesh};
use super::bones::segments::Segment;
use super::surface::Surface;
use glam::{DVec3, Vec3};
use sinew::mesh::Weld;

/// Mesh and bones, scaled to about unit size, so that later steps do not depend on the size of the
/// model. Vertices at one position are merged.
pub(crate) struct Shape {
    /// Size of the model before scaling.
    pub size: f64,
    pub points: Vec<DVec3>,
    pub point_of_vertex: Vec<u32>,
    pub triangles: Vec<[u32; 3]>,
    pub bones: Bones,
    pub segments: Vec<Segment>,
    pub joints: usize,
    pub heads: Vec<DVec3>,
    pub details: Vec<Detail>,
    pub bulges: Vec<Bulge>,
}

impl Shape {
    pub fn new(surface: &Surface<'_>, bones: &Bones, radius: Option<f32>) -> Self {
        let positions = surface.positions;
        let weld = Weld::by_position(positions);
        let finite = || positions.iter().filter(|p| p.is_finite());
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for position in finite() {
            low = low.min(position.as_dvec3());
            high = high.max(position.as_dvec3());
        }
        let heads = bones.heads.iter().filter(|h| h.is_finite());
        if low.x > high.x {
            (low, high) = (DVec3::ZERO, DVec3::ZERO);
        }
        let mut size = (high - low).length();
        if size == 0.0 {
            // The skeleton gives the scale if all vertices are at one position.
            size = heads
                .map(|h| (h.as_dvec3() - low).length())
                .fold(0.0, f64::max);
        }
        let scale = if size > 0.0 { 1.0 / size } else { 1.0 };
        let into = |p: Vec3| {
            if p.is_finite() {
                (p.as_dvec3() - low) * scale
            } else {
                (high - low) * (0.5 * scale)
            }
        };
        let mut points = Vec::new();
        let mut point_of_vertex = vec![0; positions.len()];
        for vertex in 0..positions.len() {
            let first = weld.first(vertex);
            if first == vertex {
                point_of_vertex[vertex] = points.len() as u32;
                points.push(into(positions[vertex]));
            } else {
                point_of_vertex[vertex] = point_of_vertex[first];
            }
        }
        let exists = |t: &&[u32; 3]| t.iter().all(|&v| (v as usize) < positions.len());
        let triangles = surface.triangles.iter().filter(exists);
        let triangles = triangles.map(|t| t.map(|v| point_of_vertex[v as usize]));
        let placed = Bones {
            heads: bones.heads.iter().map(|&h| into(h).as_vec3()).collect(),
            tails: bones
                .tails
                .iter()
                .map(|t| t.map(|t| into(t).as_vec3()))
                .collect(),
            radii: bones
                .radii
                .iter()
                .map(|own| own.or(radius).map(|r| (f64::from(r) * scale) as f32))
                .collect(),
            ..bones.clone()
        };
        Self {
            size: 1.0 / scale,
            triangles: triangles.collect(),
            segments: placed.segments(),
            joints: bones.len(),
            heads: bones.heads.iter().map(|&h| into(h)).collect(),
            details: placed.details(),
            bulges: placed.bulges(),
            bones: placed,
            points,
            point_of_vertex,
        }
    }

    /// Makes some joints the ends of the bones above them.
    pub fn end_at(&mut self, ends: &[usize]) {
        if ends.is_empty() {
            return;
        }
        for &joint in ends {
            self.bones.deforms[joint] = false;
            self.bones.flesh[joint] = Flesh::End;
        }
        self.segments = self.bones.segments();
        self.details = self.bones.details();
        self.bulges = self.bones.bulges();
    }
}
