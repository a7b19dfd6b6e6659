//! A person made by code: skeleton, surface, weights, colours and clips, from no file.
//!
//! The surface is that of a smooth union of solids over the biped of [`crate::template`]. Its left half
//! is meshed and remeshed to triangles of wanted sizes, small at the face and the fingers, cut where
//! clothes end, and mirrored, so that both halves agree to the bit.

mod binding;
mod figure;
mod head;
mod regions;
mod remesh;
mod solid;
mod surface_nets;

use crate::template::Biped;
use binding::Binder;
use figure::Places;
use glam::{Vec3, Vec4};
use regions::{Region, Tailor};
use remesh::Remesher;
use sinew::character::{Material, Node};
use sinew::mesh::{Mesh, Primitive};
use sinew::skin::Skin;
use sinew::{Affine, Character, Influences, Skeleton};
use solid::Solid;
use std::sync::Arc;
use surface_nets::Surface;

/// How the mannequin is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mannequin {
    /// How long edges are, of what they are by default; half as long are four times the vertices.
    pub edge_scale: f32,
}

impl Default for Mannequin {
    fn default() -> Self {
        Self { edge_scale: 1.0 }
    }
}

/// Cells small enough to keep fingers apart.
const CELL: f32 = 0.005;

impl Mannequin {
    /// Makes it. Edge scales out of 0.4 to 2 are taken for the nearest of these.
    ///
    /// ```
    /// use sinew_rig::mannequin::Mannequin;
    /// let person = Mannequin::default().build();
    /// let vertices = person.meshes[0].primitives[0].len();
    /// assert!((4_800..5_500).contains(&vertices), "{vertices}");
    /// ```
    pub fn build(&self) -> Character {
        let template = Biped::default().template();
        let places = template.positions();
        let skeleton = template.skeleton().expect("the biped is a skeleton");
        let body = self.body(&places, &skeleton);
        let skin = Skin::at_rest(&skeleton);
        let mut character = Character::from_skeleton(skeleton);
        character.skins.push(skin);
        character.materials.push(Material {
            name: "mannequin".to_owned(),
            metallic: 0.0,
            roughness: 0.62,
            ..Material::default()
        });
        character.meshes.push(Mesh {
            name: "mannequin".to_owned(),
            primitives: vec![body],
            ..Mesh::default()
        });
        character.nodes.push(Node {
            name: "mannequin".to_owned(),
            parent: None,
            parent_from_node: Affine::IDENTITY,
            joint: None,
            mesh: Some(0),
            skin: Some(0),
            morph_weights: Vec::new(),
        });
        character
    }

    fn body(&self, places: &Places, skeleton: &Skeleton) -> Primitive {
        let solid = figure::solid(places);
        let tailor = Tailor::new(places);
        let half = self.left_half(&solid, &tailor, places);
        let corners = Corners::new(&half, &tailor);
        let binder = Binder::new(places);
        let left: Vec<binding::Weights> =
            half.positions.iter().map(|&p| binder.weights(p)).collect();
        corners.mirrored(&solid, &half, &left, skeleton)
    }

    fn left_half(&self, solid: &Solid, tailor: &Tailor, places: &Places) -> Surface {
        let bounds = [Vec3::new(0.0, -0.02, -0.2), Vec3::new(0.82, 1.82, 0.24)];
        let inside = Vec3::new(0.0, 1.2, 0.0);
        let rough = surface_nets::left_half(solid, inside, bounds, CELL);
        let spots = spots(places);
        let scale = self.edge_scale.clamp(0.4, 2.0);
        let size = move |p: Vec3| {
            let graded = spots
                .iter()
                .map(|(at, reach, size)| size + 0.3 * (p.distance(*at) - reach).max(0.0));
            graded.fold(COARSEST, f32::min) * scale
        };
        let mut mesh = Remesher::new(solid, rough, size);
        mesh.run(5);
        for line in tailor.lines() {
            mesh.cut(line);
        }
        mesh.finish()
    }
}

const COARSEST: f32 = 0.036;

/// Where edges are short: where, how far around, how long.
fn spots(places: &Places) -> Vec<(Vec3, f32, f32)> {
    let at = |name: &str| places[name];
    vec![
        (Vec3::new(0.0, 1.655, 0.080), 0.060, 0.0088),
        (Vec3::new(0.0, 1.68, 0.0), 0.12, 0.0165),
        (at("left_hand").lerp(at("left_middle_1"), 0.5), 0.055, 0.012),
        (at("left_middle_2"), 0.068, 0.0080),
        (at("left_thumb_2"), 0.045, 0.0092),
        (at("left_toes"), 0.10, 0.019),
        (at("left_lower_arm"), 0.05, 0.024),
        (at("left_lower_leg"), 0.06, 0.029),
        (at("left_lower_leg").lerp(at("left_foot"), 0.5), 0.07, 0.024),
    ]
}

/// Corners of triangles that share a vertex and a region.
struct Corners {
    /// Vertex of the half and region, in order of their vertices.
    corners: Vec<(u32, Region)>,
    triangles: Vec<[u32; 3]>,
}

impl Corners {
    fn new(half: &Surface, tailor: &Tailor) -> Self {
        let regions: Vec<Region> = half
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| half.positions[v as usize]);
                tailor.region((a + b + c) / 3.0)
            })
            .collect();
        let used = half.triangles.iter().zip(&regions);
        let mut corners: Vec<(u32, Region)> = used.flat_map(|(t, &r)| t.map(|v| (v, r))).collect();
        corners.sort_unstable();
        corners.dedup();
        let number = |corner: (u32, Region)| {
            let place = corners.binary_search(&corner);
            place.expect("every corner was listed") as u32
        };
        let used = half.triangles.iter().zip(&regions);
        Self {
            triangles: used.map(|(t, &r)| t.map(|v| number((v, r)))).collect(),
            corners,
        }
    }

    /// Both halves as one primitive; corners on the plane are shared.
    fn mirrored(
        &self,
        solid: &Solid,
        half: &Surface,
        left: &[binding::Weights],
        skeleton: &Skeleton,
    ) -> Primitive {
        let on_plane = |v: u32| half.positions[v as usize].x == 0.0;
        let aside = self.corners.iter().filter(|c| !on_plane(c.0));
        let both = || {
            self.corners
                .iter()
                .map(|c| (c, false))
                .chain(aside.clone().map(|c| (c, true)))
        };
        let flip = |v: Vec3, mirrored: bool| match mirrored {
            true => Vec3::new(-v.x, v.y, v.z),
            false => v,
        };
        let half_normals: Vec<Vec3> = half
            .positions
            .iter()
            .map(|&p| solid.normal(p, p.x == 0.0))
            .collect();
        let positions = both().map(|(c, m)| flip(half.positions[c.0 as usize], m));
        let normals = both().map(|(c, m)| flip(half_normals[c.0 as usize], m));
        let colors = both().map(|(c, _)| Vec3::from_array(c.1.color()).extend(1.0));
        let lists: Vec<Vec<(u16, f32)>> = both()
            .map(|(c, mirrored)| {
                let weights = left[c.0 as usize].iter();
                weights
                    .map(|(name, weight)| {
                        let joint = match mirrored {
                            true => skeleton.find(&other_side(name)),
                            false => skeleton.find(name),
                        };
                        (joint.expect("the biped has these joints") as u16, *weight)
                    })
                    .collect()
            })
            .collect();
        let mut next = self.corners.len() as u32;
        let right: Vec<u32> = (0..self.corners.len() as u32)
            .map(|c| match on_plane(self.corners[c as usize].0) {
                true => c,
                false => {
                    next += 1;
                    next - 1
                }
            })
            .collect();
        let mut indices: Vec<u32> = self.triangles.iter().flatten().copied().collect();
        for &[a, b, c] in &self.triangles {
            indices.extend([a, c, b].map(|v| right[v as usize]));
        }
        let (influences, _) =
            Influences::from_lists(&lists, skeleton.len()).expect("at most four a vertex");
        Primitive {
            positions: Arc::new(positions.collect()),
            normals: Some(Arc::new(normals.collect())),
            colors: vec![Arc::new(colors.collect::<Vec<Vec4>>())],
            influences: Some(Arc::new(influences)),
            indices: Some(Arc::new(indices)),
            material: Some(0),
            ..Primitive::default()
        }
    }
}

/// The name of the joint on the other side.
fn other_side(name: &str) -> String {
    match (name.strip_prefix("left_"), name.strip_prefix("right_")) {
        (Some(part), _) => format!("right_{part}"),
        (_, Some(part)) => format!("left_{part}"),
        _ => name.to_owned(),
    }
}
