//! One map a joint, from the bind pose to the current one: what skinning reads.
//!
//! The documents call them K_j = T⁽ᵗ⁾[M←j] T[j←M] or M_i = M_{i,a} M_{i,d}⁻¹. In the bind pose each
//! is the identity.

use crate::dual_quat::DualQuat;
use crate::pose::{ModelPose, forward};
use crate::simd::Level;
use crate::skeleton::{JointMap, Skeleton};
use crate::transform::{Affine, polar, quat};
use glam::{Quat, Vec3};

/// Which joints move a mesh, and where they stood when it was bound to them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Skin {
    /// Its name.
    pub name: String,
    /// Joints of the skeleton, in the order in which influences name them.
    pub joints: Vec<usize>,
    /// The inverse bind: model space at the bind pose to each joint's frame. As long as `joints`.
    pub joint_from_model: Vec<Affine>,
}

impl Skin {
    /// A skin of all joints of a skeleton, bound at its rest pose. A joint scaled to nothing at rest
    /// gets the identity.
    pub fn at_rest(skeleton: &Skeleton) -> Self {
        let rest = skeleton.rest_model();
        let inverse = |m: &Affine| m.inverse().unwrap_or(Affine::IDENTITY);
        Self {
            name: String::new(),
            joints: (0..skeleton.len()).collect(),
            joint_from_model: rest.as_slice().iter().map(inverse).collect(),
        }
    }

    /// The same skin on an edited skeleton; influences stay as they are. What a merged joint carried,
    /// the joint that it was merged into carries, as if the two had been welded at rest. Joints that
    /// the map does not know stay as they are.
    pub fn remapped(&self, map: &JointMap) -> Self {
        let mut skin = self.clone();
        for (joint, joint_from_model) in skin.joints.iter_mut().zip(&mut skin.joint_from_model) {
            let Some((carrier, carrier_from_joint)) = map.carrier(*joint) else {
                continue;
            };
            if map.get(*joint).is_none() {
                *joint_from_model = carrier_from_joint.to_affine() * *joint_from_model;
            }
            *joint = carrier;
        }
        skin
    }

    /// Where a joint stood at the bind pose; the origin when its inverse bind has no inverse.
    pub fn bind_position(&self, place: usize) -> Vec3 {
        let model_from_joint = self.joint_from_model[place].inverse();
        model_from_joint.map_or(Vec3::ZERO, |m| m.translation())
    }
}

/// `model_from_bind` of every joint of a skin.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Palette {
    model_from_bind: Vec<Affine>,
}

impl Palette {
    /// Fills the palette for a pose; allocates only when the number of joints changes.
    pub fn update(&mut self, skin: &Skin, pose: &ModelPose) {
        let count = skin.joints.len().min(skin.joint_from_model.len());
        self.model_from_bind.resize(count, Affine::IDENTITY);
        let (maps, out) = (pose.as_slice(), self.model_from_bind.as_mut_slice());
        let (joints, inverse_binds) = (&*skin.joints, &*skin.joint_from_model);
        fearless_simd::dispatch!(Level::best().0, simd => {
            forward::products(simd, maps, joints, inverse_binds, out)
        });
    }

    /// The maps, in the skin's order.
    pub fn as_slice(&self) -> &[Affine] {
        &self.model_from_bind
    }
}

/// One joint of a dual quaternion palette: K(x) = motion(stretch(x)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuatJoint {
    /// x ↦ S x + (I − S) c, with S symmetric and c the joint's bind position.
    pub stretch: Affine,
    /// x ↦ R x + d − R c, with d where the joint is now.
    pub motion: DualQuat,
    /// Whether the stretch is the identity.
    pub is_rigid: bool,
}

impl DualQuatJoint {
    /// Splits `model_from_bind` about the joint's bind position.
    pub fn new(model_from_bind: &Affine, bind_position: Vec3) -> Self {
        let linear = model_from_bind.linear_f64();
        let is_rigid = is_rotation(&linear);
        let (rotation, s) = if is_rigid {
            (quat::from_rows(&linear), IDENTITY)
        } else {
            let split = polar::decompose(linear);
            (split.rotation_quat(), split.stretch)
        };
        let c = bind_position.to_array().map(f64::from);
        let stretch = if is_rigid {
            Affine::IDENTITY
        } else {
            Affine::from_rows([0, 1, 2].map(|i| {
                let moved = s[i][0] * c[0] + s[i][1] * c[1] + s[i][2] * c[2];
                [
                    s[i][0] as f32,
                    s[i][1] as f32,
                    s[i][2] as f32,
                    (c[i] - moved) as f32,
                ]
            }))
        };
        let now = model_from_bind.transform_point(bind_position);
        let turned = quat::rotate(rotation, bind_position);
        let translation = Vec3::new(now.x - turned.x, now.y - turned.y, now.z - turned.z);
        Self {
            stretch,
            motion: DualQuat::new(rotation, translation),
            is_rigid,
        }
    }
}

impl DualQuatJoint {
    fn rigid_row(&self) -> [f32; 8] {
        let (r, d) = (self.motion.real, self.motion.dual);
        [r.x, r.y, r.z, r.w, d.x, d.y, d.z, d.w]
    }

    /// The dual quaternion, the upper triangle of the stretch, which is symmetric, and the translation
    /// that goes with it.
    fn row(&self) -> [f32; 17] {
        let motion = self.rigid_row();
        let [[xx, xy, xz, x], [_, yy, yz, y], [_, _, zz, z]] = self.stretch.rows;
        let stretch = [xx, xy, xz, yy, yz, zz, x, y, z];
        std::array::from_fn(|i| if i < 8 { motion[i] } else { stretch[i - 8] })
    }
}

const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Whether a map is a proper rotation, to what forward kinematics in `f32` leaves of one.
fn is_rotation(m: &[[f64; 3]; 3]) -> bool {
    for i in 0..3 {
        for j in 0..=i {
            let gram = m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
            if (gram - IDENTITY[i][j]).abs() > 1e-5 || !gram.is_finite() {
                return false;
            }
        }
    }
    let det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    det > 0.0
}

/// The palette for dual quaternion skinning, with signs fixed from the pose.
///
/// A rotation has two quaternions, and which one a joint takes decides which way round a blend goes.
/// Here each joint takes the one on its parent's side, parents first, so a joint's sign follows from
/// the pose alone: neighbouring vertices never disagree and the order of influences cannot matter.
#[derive(Clone, Debug, PartialEq)]
pub struct DualQuatPalette {
    joints: Vec<DualQuatJoint>,
    /// What kernels read of each joint: real and dual part, alone and followed by the stretch.
    rigid_rows: Vec<[f32; 8]>,
    rows: Vec<[f32; 17]>,
    chain: Option<SignChain>,
}

/// What fixing the signs needs: every joint of the skeleton, in the skin or not.
#[derive(Clone, Debug, PartialEq)]
struct SignChain {
    parents: Vec<Option<usize>>,
    /// The inverse bind, or the inverse of the rest pose for joints outside the skin.
    joint_from_model: Vec<Affine>,
    rotations: Vec<Quat>,
    skin_joints: Vec<usize>,
    inverse_binds: Vec<Affine>,
    bind_positions: Vec<Vec3>,
}

impl DualQuatPalette {
    /// For a skin on its skeleton; at rest until [`DualQuatPalette::update`].
    pub fn new(skeleton: &Skeleton, skin: &Skin) -> Self {
        let rest = Skin::at_rest(skeleton);
        let mut joint_from_model = rest.joint_from_model;
        for (&joint, inverse_bind) in skin.joints.iter().zip(&skin.joint_from_model).rev() {
            joint_from_model[joint] = *inverse_bind;
        }
        let bind_positions = (0..skin.joints.len()).map(|p| skin.bind_position(p));
        let chain = SignChain {
            parents: skeleton.hierarchy().parents().collect(),
            joint_from_model,
            rotations: vec![Quat::IDENTITY; skeleton.len()],
            skin_joints: skin.joints.clone(),
            inverse_binds: skin.joint_from_model.clone(),
            bind_positions: bind_positions.collect(),
        };
        let mut palette = Self {
            joints: Vec::new(),
            rigid_rows: Vec::new(),
            rows: Vec::new(),
            chain: Some(chain),
        };
        palette.update(&skeleton.rest_model());
        palette
    }

    /// From matrices without a hierarchy. Signs are then chosen per vertex, against its heaviest
    /// influence, which can tear the skin between neighbours that disagree: prefer
    /// [`DualQuatPalette::new`].
    pub fn from_matrices(model_from_bind: &[Affine], bind_positions: &[Vec3]) -> Self {
        assert_eq!(
            model_from_bind.len(),
            bind_positions.len(),
            "a bind position a joint"
        );
        let joints = model_from_bind.iter().zip(bind_positions);
        Self {
            joints: joints.map(|(m, &c)| DualQuatJoint::new(m, c)).collect(),
            rigid_rows: Vec::new(),
            rows: Vec::new(),
            chain: None,
        }
    }

    /// Fills the palette for a pose of the skeleton it was made for; allocates nothing after the
    /// first time. Does nothing for a palette made from matrices.
    pub fn update(&mut self, pose: &ModelPose) {
        let Some(chain) = &mut self.chain else {
            return;
        };
        for joint in 0..chain.parents.len() {
            let moved = *pose.get(joint) * chain.joint_from_model[joint];
            let rotation = rotation_of(&moved);
            let reference = chain.parents[joint].map_or(Quat::IDENTITY, |p| chain.rotations[p]);
            chain.rotations[joint] = quat::aligned(rotation, reference);
        }
        self.joints.clear();
        for (place, &joint) in chain.skin_joints.iter().enumerate() {
            let model_from_bind = *pose.get(joint) * chain.inverse_binds[place];
            let mut entry = DualQuatJoint::new(&model_from_bind, chain.bind_positions[place]);
            entry.motion = entry.motion.aligned(chain.rotations[joint]);
            self.joints.push(entry);
        }
        self.rigid_rows.clear();
        self.rigid_rows
            .extend(self.joints.iter().map(|j| j.rigid_row()));
        self.rows.clear();
        self.rows.extend(self.joints.iter().map(|j| j.row()));
    }

    /// Whether no joint stretches.
    pub fn is_rigid(&self) -> bool {
        self.joints.iter().all(|j| j.is_rigid)
    }

    pub(crate) fn rigid_rows(&self) -> &[[f32; 8]] {
        &self.rigid_rows
    }

    pub(crate) fn rows(&self) -> &[[f32; 17]] {
        &self.rows
    }

    /// The joints, in the skin's order.
    pub fn as_slice(&self) -> &[DualQuatJoint] {
        &self.joints
    }

    /// Whether the signs come from the pose, so that the vertex loop need not choose any.
    pub fn signs_are_fixed(&self) -> bool {
        self.chain.is_some()
    }
}

fn rotation_of(map: &Affine) -> Quat {
    let linear = map.linear_f64();
    if is_rotation(&linear) {
        quat::from_rows(&linear)
    } else {
        polar::decompose(linear).rotation_quat()
    }
}
