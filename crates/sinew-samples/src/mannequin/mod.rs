//! A person made by code: skeleton, surface, weights, colours and clips.
//!
//! The surface is a smooth union of solids over the biped of [`sinew_rig::template`]. Its left half
//! is meshed, remeshed (with small triangles at face and fingers), cut along the edges of clothes,
//! and mirrored. So the halves have equal bits.

mod binding;
mod clips;
mod figure;
mod head;
#[cfg(feature = "gpu")]
mod patterns;
mod regions;
mod remesh;
mod shapes;
mod solid;
mod surface_nets;
mod sword;
#[cfg(feature = "gpu")]
mod texture;
mod unwrap;

pub use clips::{TWIST_DEG, grow, sword_form_bindings, walk};

use crate::parts::skinned_character;
use binding::Binder;
use figure::JointPositions;
use glam::{Vec2, Vec3, Vec4};
use regions::{Region, Tailor};
use remesh::Remesher;
use sinew::character::{Material, Node};
use sinew::mesh::{Mesh, Primitive};
use sinew::steps::{finish, pause};
use sinew::{Character, Influences, Skeleton};
use sinew_rig::template::Biped;
use solid::Solid;
use std::sync::Arc;
use surface_nets::Surface;
use unwrap::Charts;

/// Settings of the mannequin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mannequin {
    /// Factor on the default edge length, clamped to [0.4, 2]. 0.5 gives four times the vertices.
    pub edge_scale: f32,
    /// True if the right hand holds a sword.
    pub sword: bool,
}

impl Default for Mannequin {
    fn default() -> Self {
        Self {
            edge_scale: 1.0,
            sword: true,
        }
    }
}

/// Size of a grid cell, in metres, small enough to separate fingers.
const CELL: f32 = 0.0055;

impl Mannequin {
    /// Builds the character.
    ///
    /// # Panics
    /// If the edge scale is NaN.
    ///
    /// ```
    /// use sinew_samples::mannequin::Mannequin;
    /// let person = Mannequin::default().build();
    /// let vertices = person.meshes[0].primitives[0].len();
    /// assert!((4_800..5_500).contains(&vertices), "{vertices}");
    pub fn build(&self) -> Character {
        finish(self.build_in_steps())
    }

    /// As [`Mannequin::build`], in [steps](sinew::steps).
    ///
    /// # Panics
    /// If the edge scale is NaN.
    pub async fn build_in_steps(&self) -> Character {
        assert!(!self.edge_scale.is_nan(), "the edge scale is not a number");
        let template = Biped::default().template();
        let joint_positions = template.positions();
        let skeleton = template.skeleton().expect("the biped is a skeleton");
        let body = self.body(&joint_positions, &skeleton).await;
        let mut character = skinned_character("mannequin", skeleton, body);
        character.materials[0].roughness = 0.62;
        if self.sword {
            add_sword(&mut character);
        }
        character.clips = clips::all(&character.skeleton).await;
        character
    }

    /// Builds the character with colour, normal and roughness textures.
    ///
    /// # Panics
    /// If the edge scale is NaN.
    #[cfg(feature = "gpu")]
    pub fn textured(&self) -> Character {
        let mut character = self.build();
        texture::paint(&mut character);
        character
    }

    async fn body(&self, joint_positions: &JointPositions, skeleton: &Skeleton) -> Primitive {
        let solid = figure::solid(joint_positions);
        let tailor = Tailor::new(joint_positions);
        let half = self.left_half(&solid, &tailor, joint_positions).await;
        let charts = Charts::new(joint_positions, &half);
        let corners = Corners::new(&half, &tailor, &charts);
        let binder = Binder::new(joint_positions);
        let mut left: Vec<binding::Weights> = Vec::with_capacity(half.positions.len());
        for some in half.positions.chunks(256) {
            pause().await;
            left.extend(some.iter().map(|&p| binder.weights(p)));
        }
        pause().await;
        corners.mirrored(&solid, &half, &charts, &left, skeleton)
    }

    async fn left_half(
        &self,
        solid: &Solid,
        tailor: &Tailor,
        joint_positions: &JointPositions,
    ) -> Surface {
        let bounds = [Vec3::new(0.0, -0.02, -0.2), Vec3::new(0.82, 1.82, 0.24)];
        let inside = Vec3::new(0.0, 1.2, 0.0);
        let rough = surface_nets::left_half(solid, inside, bounds, CELL).await;
        let spots = spots(joint_positions);
        let scale = self.edge_scale.clamp(0.4, 2.0);
        let size = move |p: Vec3| {
            let graded = spots
                .iter()
                .map(|(at, reach, size)| size + 0.3 * (p.distance(*at) - reach).max(0.0));
            graded.fold(COARSEST, f32::min) * scale
        };
        let mut mesh = Remesher::new(solid, rough, size);
        mesh.run(5).await;
        for line in tailor.lines() {
            pause().await;
            mesh.cut(line);
        }
        mesh.finish()
    }
}

fn add_sword(character: &mut Character) {
    let (blade, hilt) = sword::sword();
    let steel = character.materials.len();
    for (name, metallic, roughness) in [("steel", 0.9, 0.25), ("hilt", 0.2, 0.45)] {
        character.materials.push(Material {
            name: name.to_owned(),
            metallic,
            roughness,
            ..Material::default()
        });
    }
    let part = |primitive: Primitive, material: usize| Primitive {
        material: Some(material),
        ..primitive
    };
    character.meshes.push(Mesh {
        name: "sword".to_owned(),
        primitives: vec![part(blade, steel), part(hilt, steel + 1)],
        ..Mesh::default()
    });
    let hand = character.nodes.iter().position(|n| n.name == "right_hand");
    character.nodes.push(Node {
        name: "sword".to_owned(),
        parent: hand,
        parent_from_node: sword::hand_from_sword().to_affine(),
        joint: None,
        mesh: Some(character.meshes.len() - 1),
        skin: None,
        morph_weights: Vec::new(),
        light: None,
    });
}

const COARSEST: f32 = 0.0450;

/// Regions of fine detail: centre, radius and edge length, in metres.
fn spots(joint_positions: &JointPositions) -> Vec<(Vec3, f32, f32)> {
    let at = |name: &str| joint_positions[name];
    vec![
        (Vec3::new(0.0, 1.655, 0.080), 0.055, 0.0108),
        (Vec3::new(0.033, 1.686, 0.078), 0.019, 0.0057),
        (Vec3::new(0.0, 1.602, 0.090), 0.020, 0.0066),
        (Vec3::new(0.0, 1.68, 0.0), 0.12, 0.0185),
        (Vec3::new(0.0, 1.748, -0.128), 0.025, 0.0150),
        (Vec3::new(0.095, 1.440, -0.055), 0.030, 0.0210),
        (at("left_hand").lerp(at("left_middle_1"), 0.5), 0.05, 0.0135),
        (at("left_middle_2"), 0.065, 0.0082),
        (at("left_thumb_2"), 0.040, 0.0095),
        (at("left_toes"), 0.09, 0.023),
        (at("left_foot") - Vec3::new(0.0, 0.05, 0.05), 0.04, 0.030),
        (at("left_lower_arm"), 0.04, 0.027),
        (at("left_lower_leg"), 0.05, 0.033),
        (at("left_lower_leg").lerp(at("left_foot"), 0.5), 0.06, 0.029),
    ]
}

/// Vertex of the left half in one region and one chart of texture coordinates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Corner {
    vertex: u32,
    region: Region,
    chart: u8,
    /// True if the vertex is across the seam of the chart.
    over: bool,
}

/// Unique corners of the triangles of the left half, in the order of their vertices.
struct Corners {
    corners: Vec<Corner>,
    triangles: Vec<[u32; 3]>,
}

impl Corners {
    fn new(half: &Surface, tailor: &Tailor, charts: &Charts) -> Self {
        let triangles: Vec<[Corner; 3]> = half
            .triangles
            .iter()
            .map(|t| {
                let points = t.map(|v| half.positions[v as usize]);
                let middle = (points[0] + points[1] + points[2]) / 3.0;
                let (region, chart) = (tailor.region(middle), charts.of(middle));
                let angles = points.map(|p| charts.angle(chart, p));
                let highest = angles.into_iter().fold(f32::NEG_INFINITY, f32::max);
                std::array::from_fn(|k| Corner {
                    vertex: t[k],
                    region,
                    chart,
                    over: highest - angles[k] > std::f32::consts::PI,
                })
            })
            .collect();
        let mut corners: Vec<Corner> = triangles.iter().flatten().copied().collect();
        corners.sort_unstable();
        corners.dedup();
        let number = |corner: Corner| {
            let index = corners.binary_search(&corner);
            index.expect("every corner was listed") as u32
        };
        Self {
            triangles: triangles.iter().map(|t| t.map(number)).collect(),
            corners,
        }
    }

    /// The two halves as one primitive. On the plane, corners with equal texture coordinates are
    /// shared.
    fn mirrored(
        &self,
        solid: &Solid,
        half: &Surface,
        charts: &Charts,
        left: &[binding::Weights],
        skeleton: &Skeleton,
    ) -> Primitive {
        let position = |c: &Corner| half.positions[c.vertex as usize];
        let uv = |c: &Corner, mirrored: bool| charts.uv(c.chart, position(c), c.over, mirrored);
        let shared = |c: &Corner| position(c).x == 0.0 && uv(c, false) == uv(c, true);
        let mut both: Vec<(&Corner, bool)> = self.corners.iter().map(|c| (c, false)).collect();
        let mut right = Vec::with_capacity(self.corners.len());
        for (index, corner) in self.corners.iter().enumerate() {
            if shared(corner) {
                right.push(index as u32);
            } else {
                right.push(both.len() as u32);
                both.push((corner, true));
            }
        }
        let mut indices: Vec<u32> = self.triangles.iter().flatten().copied().collect();
        for &[a, b, c] in &self.triangles {
            indices.extend([a, c, b].map(|v| right[v as usize]));
        }
        let flip = |v: Vec3, mirrored: bool| {
            if mirrored {
                // Avoids −0 on the plane.
                Vec3::new(0.0 - v.x, v.y, v.z)
            } else {
                v
            }
        };
        let points = half.positions.iter();
        let half_normals: Vec<Vec3> = points.map(|&p| solid.normal(p, p.x == 0.0)).collect();
        let influences = both.iter().map(|(c, mirrored)| {
            let weights = left[c.vertex as usize].iter();
            let joint = |(name, weight): &(String, f32)| {
                let found = if *mirrored {
                    skeleton.find(&other_side(name))
                } else {
                    skeleton.find(name)
                };
                (found.expect("the biped has these joints") as u16, *weight)
            };
            weights.map(joint).collect()
        });
        let lists: Vec<Vec<(u16, f32)>> = influences.collect();
        let (influences, _) =
            Influences::from_lists(&lists, skeleton.len()).expect("at most four per vertex");
        let color = |c: &Corner| Vec3::from_array(c.region.color()).extend(1.0);
        let positions = both.iter().map(|(c, m)| flip(position(c), *m));
        let normals = both
            .iter()
            .map(|(c, m)| flip(half_normals[c.vertex as usize], *m));
        let texcoords: Vec<Vec2> = both.iter().map(|(c, m)| uv(c, *m)).collect();
        let colors: Vec<Vec4> = both.iter().map(|(c, _)| color(c)).collect();
        Primitive {
            positions: Arc::new(positions.collect()),
            normals: Some(Arc::new(normals.collect())),
            texcoords: vec![Arc::new(texcoords)],
            colors: vec![Arc::new(colors)],
            influences: Some(Arc::new(influences)),
            indices: Some(Arc::new(indices)),
            material: Some(0),
            ..Primitive::default()
        }
    }
}

fn other_side(name: &str) -> String {
    match (name.strip_prefix("left_"), name.strip_prefix("right_")) {
        (Some(part), _) => format!("right_{part}"),
        (_, Some(part)) => format!("left_{part}"),
        _ => name.to_owned(),
    }
}
