//! Meshes of any size for measuring: a chain of joints in a curl and vertices along it.

use glam::{Vec3, Vec4};
use sinew::mesh::Influences;
use sinew::pose::ModelPose;
use sinew::skeleton::{Joint, Skeleton};
use sinew::skin::{Skin, Vertices};
use sinew::transform::{Affine, Transform, quat};

/// As many joints as a detailed game character has.
const JOINTS: usize = 67;
/// As many joint sets as such a character uses.
const SETS: usize = 64;

/// A character to skin, at a pose.
#[derive(Clone, Debug)]
pub struct SkinLoad {
    /// A chain of 67 joints.
    pub skeleton: Skeleton,
    /// All of them, bound at rest.
    pub skin: Skin,
    /// The chain curled up.
    pub pose: ModelPose,
    /// The same number of joints on every vertex, in 64 different sets.
    pub influences: Influences,
    /// One a vertex.
    pub positions: Vec<Vec3>,
    /// One a vertex.
    pub normals: Vec<Vec3>,
    /// One a vertex.
    pub tangents: Vec<Vec4>,
}

impl SkinLoad {
    /// So many vertices with so many influences each (1 to 16); with `scaled`, every joint stretches.
    pub fn new(vertices: usize, influences: usize, scaled: bool) -> Self {
        let step = Transform::from_translation(Vec3::X * 0.1);
        let joints = (0..JOINTS)
            .map(|j| Joint::new(j.to_string(), j.checked_sub(1), step))
            .collect();
        let (skeleton, _) = Skeleton::new(joints).expect("a chain of joints");
        let mut local = skeleton.rest().clone();
        for joint in 0..JOINTS {
            let axis = Vec3::new(1.0, joint as f32, 2.0);
            local.set_rotation(joint, quat::from_axis_angle(axis, 0.1));
            if scaled {
                local.set_scale(joint, Vec3::new(1.02, 0.97, 1.01));
            }
        }
        let mut pose = ModelPose::identity(JOINTS);
        pose.update(skeleton.hierarchy(), &local, &Affine::IDENTITY)
            .expect("of this skeleton");

        let width = influences.clamp(1, 16);
        let list = |vertex: usize| {
            // Neighbours share a set, as they do on a body.
            let set = vertex * SETS / vertices;
            let along = (vertex % 97) as f32 / 97.0;
            let weight = |k: usize| 0.2 + (along * (k + 1) as f32).fract();
            let joint = |k: usize| ((set + k * 4) % JOINTS) as u16;
            (0..width).map(|k| (joint(k), weight(k))).collect()
        };
        let lists: Vec<Vec<(u16, f32)>> = (0..vertices).map(list).collect();
        let (influences, _) =
            Influences::from_lists(&lists, JOINTS).expect("sixteen influences a vertex at most");
        let around = |vertex: usize| (vertex % 63) as f32 * 0.1;
        let normals: Vec<Vec3> = (0..vertices)
            .map(|v| Vec3::new(0.0, around(v).cos(), around(v).sin()))
            .collect();
        let along = |vertex: usize| Vec3::X * (vertex as f32 / vertices as f32 * 6.7);
        Self {
            skin: Skin::bound_at(&skeleton.rest_model()),
            positions: (0..vertices).map(|v| along(v) + normals[v] * 0.3).collect(),
            tangents: vec![Vec4::new(1.0, 0.0, 0.0, 1.0); vertices],
            skeleton,
            pose,
            influences,
            normals,
        }
    }

    /// The vertices at the bind pose.
    pub fn vertices(&self) -> Vertices<'_> {
        Vertices {
            positions: &self.positions,
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
        }
    }
}
