use super::connected::Connected;
use super::error::MeasureError;
use super::report::{MeshLocation, OpenMesh, SurfaceReport, WeightReport};
use crate::character::Character;
use crate::clip::sample::sample_morphs;
use crate::clip::{Clip, Playable};
use crate::deform::{DeformError, morphed};
use crate::drivers::MorphDrivers;
use crate::mesh::{Influences, Weld, volume};
use crate::pose::LocalPose;
use glam::Vec3;
use sinew_skin::{SkinError, mesh_normals};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// Min volume, in cubes of the extent. Smaller volumes are only rounding.
const MIN_VOLUME: f64 = 1e-9;

pub(super) struct Part {
    pub node: usize,
    pub mesh: usize,
    pub primitive: usize,
    pub skin: usize,
    pub influences: Arc<Influences>,
    pub vertices: Range<usize>,
}

/// Skinned surface. Joint `i` of a skin is *bone* `first_bones[skin] + i`.
pub(super) struct Surface {
    pub parts: Vec<Part>,
    open: Vec<OpenMesh>,
    /// Positions at bind, with morph targets.
    pub positions: Vec<Vec3>,
    /// Normals of the triangles at bind.
    pub normals: Vec<Vec3>,
    pub triangles: Vec<[usize; 3]>,
    is_closed: Vec<bool>,
    /// Bone with the largest weight, per triangle.
    pub carriers: Vec<usize>,
    pub edges: Vec<[usize; 2]>,
    /// Vertices with equal positions.
    pub points: Weld,
    /// Vertices that share a normal.
    pub smooth: Weld,
    /// First bone of each skin.
    pub first_bones: Vec<usize>,
    has_morphs: bool,
    drivers: MorphDrivers,
}

impl Surface {
    pub fn new(character: &Character) -> Result<Self, MeasureError> {
        let mut first_bones = vec![0];
        for skin in &character.skins {
            first_bones.push(first_bones[first_bones.len() - 1] + skin.joints.len());
        }
        let mut surface = Self {
            parts: Vec::new(),
            open: Vec::new(),
            positions: Vec::new(),
            normals: Vec::new(),
            triangles: Vec::new(),
            is_closed: Vec::new(),
            carriers: Vec::new(),
            edges: Vec::new(),
            points: Weld::default(),
            smooth: Weld::default(),
            first_bones,
            has_morphs: false,
            drivers: MorphDrivers::new(character),
        };
        for (index, node) in character.nodes.iter().enumerate() {
            if let (Some(mesh), Some(skin)) = (node.mesh, node.skin) {
                surface.add_body(character, index, mesh, skin)?;
            }
        }
        if surface.positions.is_empty() {
            return Err(MeasureError::NothingSkinned);
        }
        surface.bind(character, None, 0.0, character.skeleton.rest());
        Ok(surface)
    }

    fn add_body(
        &mut self,
        character: &Character,
        node: usize,
        mesh_index: usize,
        skin: usize,
    ) -> Result<(), DeformError> {
        let mesh = &character.meshes[mesh_index];
        let (first_vertex, first_triangle) = (self.positions.len(), self.triangles.len());
        for (place, primitive) in mesh.primitives.iter().enumerate() {
            let Some(influences) = &primitive.influences else {
                continue;
            };
            check(
                influences,
                primitive.len(),
                character.skins[skin].joints.len(),
            )
            .map_err(|source| DeformError::Skin {
                node,
                primitive: place,
                source,
            })?;
            let start = self.positions.len();
            self.positions.extend(primitive.positions.iter());
            let normals = primitive.normals.iter().flat_map(|n| n.iter());
            self.normals.extend(normals);
            // Equal normals, so that vertices differ only by position.
            self.normals.resize(self.positions.len(), Vec3::Y);
            self.has_morphs |= !primitive.morphs.is_empty();
            for triangle in primitive.triangles() {
                let bone = carrier(influences, triangle);
                self.carriers.push(self.first_bones[skin] + bone);
                self.triangles.push(triangle.map(|v| start + v));
            }
            self.parts.push(Part {
                node,
                mesh: mesh_index,
                primitive: place,
                skin,
                influences: influences.clone(),
                vertices: start..self.positions.len(),
            });
        }
        if self.positions.len() == first_vertex {
            return Ok(());
        }
        let positions = &self.positions[first_vertex..];
        self.points.append(&Weld::by_position(positions));
        let normals = &self.normals[first_vertex..];
        self.smooth.append(&Weld::smooth(positions, Some(normals)));

        self.add_edges(node, first_vertex, first_triangle);
        Ok(())
    }

    fn add_edges(&mut self, node: usize, first_vertex: usize, first_triangle: usize) {
        // An edge with equal use in both directions has surface on both sides.
        let mut balance: HashMap<[usize; 2], i32> = HashMap::new();
        let mut pieces = Connected::default();
        (first_vertex..self.positions.len()).for_each(|_| _ = pieces.push());
        for triangle in &self.triangles[first_triangle..] {
            let [a, b, c] = triangle.map(|v| self.points.first(v));
            for (from, to) in [(a, b), (b, c), (c, a)].into_iter().filter(|e| e.0 != e.1) {
                pieces.join(from - first_vertex, to - first_vertex);
                let balance_of_edge = balance.entry([from.min(to), from.max(to)]).or_default();
                *balance_of_edge += if from < to { 1 } else { -1 };
            }
        }
        let mut piece_of = |vertex: usize| pieces.root(vertex - first_vertex);
        let unpaired = balance
            .iter()
            .filter(|(_, balance_of_edge)| **balance_of_edge != 0);
        let open_at: Vec<usize> = unpaired.map(|(edge, _)| piece_of(edge[0])).collect();
        let open_pieces: HashSet<usize> = open_at.iter().copied().collect();
        for triangle in &self.triangles[first_triangle..] {
            let piece = piece_of(self.points.first(triangle[0]));
            self.is_closed.push(!open_pieces.contains(&piece));
        }
        if !open_at.is_empty() {
            let triangles = self.is_closed[first_triangle..].iter();
            self.open.push(OpenMesh {
                node,
                open_edges: open_at.len(),
                open_triangles: triangles.filter(|is_closed| !**is_closed).count(),
            });
        }
        let known = self.edges.len();
        self.edges.extend(balance.into_keys());
        self.edges[known..].sort_unstable();
    }

    /// Applies the morph targets of a clip and a pose to the bind pose.
    pub fn bind(
        &mut self,
        character: &Character,
        clip: Option<&Clip>,
        time_secs: f64,
        pose: &LocalPose,
    ) {
        let playing = clip.map(|clip| (clip as &dyn Playable, time_secs));
        for part in self.parts.iter().filter(|_| self.has_morphs) {
            let mesh = &character.meshes[part.mesh];
            let mut weights = vec![0.0; mesh.morph_targets()];
            let rest = character.rest_morph_weights(part.node);
            sample_morphs(clip, part.node, time_secs, rest, &mut weights);
            let skeleton = &character.skeleton;
            let drivers = &self.drivers;
            drivers.drive(part.mesh, playing, skeleton, pose, &mut weights);
            let positions = morphed(mesh, part.primitive, &weights).positions;
            self.positions[part.vertices.clone()].copy_from_slice(&positions);
        }
        let mut normals = vec![Vec3::ZERO; self.normals.len()];
        self.normals_at(&self.positions, &self.normals, &mut normals);
        self.normals = normals;
    }

    /// Normals of the triangles with vertices at `positions`.
    pub fn normals_at(&self, positions: &[Vec3], fallback: &[Vec3], out: &mut [Vec3]) {
        let triangles = self.triangles.iter().copied();
        mesh_normals(&self.smooth, triangles, positions, fallback, out)
            .expect("every array is as long as the surface");
    }

    /// Node, primitive and index of a vertex.
    pub fn location(&self, vertex: usize) -> Option<MeshLocation> {
        let part = self.parts.iter().find(|p| p.vertices.contains(&vertex))?;
        Some(MeshLocation {
            node: part.node,
            primitive: part.primitive,
            vertex: vertex - part.vertices.start,
        })
    }

    /// True if [`Surface::bind`] depends on time.
    pub fn has_morphs(&self) -> bool {
        self.has_morphs
    }

    /// Volume of the closed pieces with vertices at `positions`.
    pub fn volume(&self, positions: &[Vec3]) -> Option<f64> {
        let all = self.triangles.iter().zip(&self.is_closed);
        let closed = all.filter(|t| *t.1).map(|t| *t.0);
        let is_any = self.is_closed.contains(&true);
        is_any.then(|| volume(positions, closed))
    }

    /// Volume at rest. `None` if it is 0, for example for two-sided sheets.
    pub fn rest_volume(&self, rest: &[Vec3]) -> Option<f64> {
        let least = MIN_VOLUME * extent(rest).powi(3);
        self.volume(rest).filter(|v| v.abs() > least)
    }

    /// Report of the surface at rest.
    pub fn report(&self, rest: &[Vec3]) -> SurfaceReport {
        SurfaceReport {
            vertices: self.positions.len(),
            triangles: self.triangles.len(),
            extent: extent(rest),
            volume: self.rest_volume(rest),
            open: self.open.clone(),
        }
    }

    pub fn weights(&self) -> WeightReport {
        let mut sets = HashSet::new();
        let (mut total, mut single, mut most) = (0, 0, 0);
        for part in &self.parts {
            let influences = &part.influences;
            total += influences.total();
            most = most.max(influences.max_per_vertex());
            for vertex in 0..influences.len() {
                let (joints, _) = influences.slices(vertex);
                single += usize::from(joints.len() == 1);
                sets.insert((part.skin, joints));
            }
        }
        WeightReport {
            influences_mean: total as f64 / self.positions.len() as f64,
            influences_max: most,
            joint_sets: sets.len(),
            single_joint_vertices: single,
        }
    }
}

pub(super) fn extent(positions: &[Vec3]) -> f64 {
    let first = positions.first().copied().unwrap_or_default();
    let (low, high) = positions
        .iter()
        .fold((first, first), |(low, high), p| (low.min(*p), high.max(*p)));
    f64::from(low.distance(high))
}

fn carrier(influences: &Influences, triangle: [usize; 3]) -> usize {
    let mut sums: Vec<(usize, f32)> = Vec::new();
    for (joint, weight) in triangle.into_iter().flat_map(|v| influences.get(v)) {
        match sums.iter_mut().find(|s| s.0 == joint) {
            Some(sum) => sum.1 += weight,
            None => sums.push((joint, weight)),
        }
    }
    sums.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    sums.first().map_or(0, |s| s.0)
}

fn check(influences: &Influences, vertices: usize, joints: usize) -> Result<(), SkinError> {
    if influences.len() != vertices {
        return Err(SkinError::Length {
            what: "the influence list",
            found: influences.len(),
            expected: vertices,
        });
    }
    match influences.max_joint() {
        Some(joint) if joint >= joints => Err(SkinError::NoSuchJoint { joint, len: joints }),
        _ => Ok(()),
    }
}
