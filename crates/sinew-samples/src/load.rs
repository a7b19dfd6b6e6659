//! Meshes of any size for measurements: a curled chain of joints, with vertices along it.

use glam::{Vec3, Vec4};
use sinew::mesh::Influences;
use sinew::pose::ModelPose;
use sinew::skeleton::{Joint, Skeleton};
use sinew::skin::{Skin, Vertices};
use sinew::transform::{Affine, Transform, quat};

/// Number of joints, typical of a detailed game character.
const JOINTS: usize = 67;
const SETS: usize = 64;
/// Number of vertices per region with real joint sets. A region has `COMMON` and `RARE` sets.
const REGION: usize = 512;
const COMMON: usize = 6;
const RARE: usize = 8;

/// Character for skinning, with a pose.
#[derive(Clone, Debug)]
pub struct SkinLoad {
    /// Chain of 67 joints.
    pub skeleton: Skeleton,
    /// Skin with all joints, bound at rest.
    pub skin: Skin,
    /// Pose in which the chain is curled.
    pub pose: ModelPose,
    /// Influences. All vertices have the same number of influences.
    pub influences: Influences,
    /// Position of each vertex at the bind pose.
    pub positions: Vec<Vec3>,
    /// Unit normal of each vertex.
    pub normals: Vec<Vec3>,
    /// Tangent of each vertex, with handedness in w.
    pub tangents: Vec<Vec4>,
}

impl SkinLoad {
    /// Creates `vertices` vertices with 1 to 16 `influences`. `scaled` gives all joints a scale.
    pub fn new(vertices: usize, influences: usize, scaled: bool) -> Self {
        let width = influences.clamp(1, 16);
        let set = |vertex: usize| {
            let set = vertex * SETS / vertices;
            let joint = |k: usize| ((set + k * 4) % JOINTS) as u16;
            (0..width).map(joint).collect()
        };
        Self::with_sets(vertices, scaled, set)
    }

    /// Creates a load with joint sets like those of real characters. Each region has a few common
    /// sets and some rare sets. Two or three vertices in a row share a set. A fifth of the vertices
    /// are not in full groups of sixteen with one set (12 to 31 % in seven real meshes).
    pub fn with_real_sets(vertices: usize, influences: usize) -> Self {
        let width = influences.clamp(1, 16);
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let (mut left, mut set) = (0, Vec::new());
        Self::with_sets(vertices, false, |vertex| {
            if left == 0 {
                left = 1 + random.below(4);
                let region = vertex / REGION;
                let nth = match random.below(100) {
                    0..13 => COMMON + random.below(RARE),
                    _ => random.below(COMMON),
                };
                set = set_of(region, nth, width);
            }
            left -= 1;
            set.clone()
        })
    }

    fn with_sets(vertices: usize, scaled: bool, mut set_of: impl FnMut(usize) -> Vec<u16>) -> Self {
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

        let list = |vertex: usize| {
            let along = (vertex % 97) as f32 / 97.0;
            let weight = |k: usize| 0.2 + (along * (k + 1) as f32).fract();
            let joints = set_of(vertex).into_iter().enumerate();
            joints.map(|(k, joint)| (joint, weight(k))).collect()
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
            skin: Skin::bound_at(skeleton.rest_model().as_slice()),
            positions: (0..vertices).map(|v| along(v) + normals[v] * 0.3).collect(),
            tangents: vec![Vec4::new(1.0, 0.0, 0.0, 1.0); vertices],
            skeleton,
            pose,
            influences,
            normals,
        }
    }

    /// Positions, normals and tangents at the bind pose.
    pub fn vertices(&self) -> Vertices<'_> {
        Vertices {
            positions: &self.positions,
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
        }
    }
}

/// Joint set of a region: joints near it and a random joint, so that other regions have other sets.
fn set_of(region: usize, nth: usize, width: usize) -> Vec<u16> {
    let mut random = Random(((region * 100 + nth) as u64 + 1).wrapping_mul(0x2545_f491_4f6c_dd1d));
    let around = (width + 10).min(JOINTS);
    let first = region * 3 % (JOINTS - around + 1);
    let mut joints = Vec::new();
    while joints.len() < width {
        let joint = if joints.len() + 1 < width {
            (first + random.below(around)) as u16
        } else {
            random.below(JOINTS) as u16
        };
        if !joints.contains(&joint) {
            joints.push(joint);
        }
    }
    joints
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 16) % n as u64) as usize
    }
}
