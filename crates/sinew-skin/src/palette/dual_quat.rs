//! One rigid motion and one stretch a joint, with signs fixed from the pose: what dual quaternion
//! skinning reads.
//!
//! With c a joint's bind position and d where the palette takes it, K(x) = R S (x − c) + d, R a rotation
//! and S symmetric (polar decomposition; of a mirrored joint R = −U and S = −P). σ, the signed cube root
//! of K's determinant, is how much the joint scales. How far a vertex is from its joints is measured in
//! the scale that these share, s = Σ w σ: the vertex goes to Σ w S (x − c) + s Σ w c, and from there by
//! the blend of the unit dual quaternions of (R, d − s R c). Their dual part is ½ d q − s ½ q c, so both
//! terms are blended on their own and s comes in at the end. Nothing is divided by a scale: a joint scaled
//! to nothing is nothing special.

use super::matrices::Skin;
use crate::error::SkinError;
use glam::{Quat, Vec3};
use sinew_math::transform::{Affine, polar, quat};
use sinew_math::{DualQuat, Hierarchy};

/// One joint of a dual quaternion palette: K(x) = R S (x − c) + d.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuatJoint {
    /// R, as a unit quaternion q.
    pub rotation: Quat,
    /// x ↦ S (x − c).
    pub stretch: Affine,
    /// σ, the signed cube root of the determinant.
    pub scale: f32,
    /// c, where the joint was bound.
    pub bind_position: Vec3,
    /// d, where it is now.
    pub position: Vec3,
    /// True if it scales all directions alike: S = σ I.
    pub is_uniform: bool,
}

/// The max distance from a rotation, in the products of its columns, of what forward kinematics in `f32` leaves of
/// one.
const ROTATION_TOLERANCE: f64 = 1e-5;

/// Scales that are apart by less than this part of themselves are one: rounding of forward kinematics.
const SAME_SCALE: f32 = 2e-6;

impl DualQuatJoint {
    /// Splits `model_from_bind` about the joint's bind position. A map that flattens space to a line or
    /// a point leaves open how it rotates: as `reference` does, as far as it can.
    pub fn new(model_from_bind: &Affine, bind_position: Vec3, reference: Quat) -> Self {
        let split = Split::new(&model_from_bind.linear_f64(), reference);
        let (s, c) = (split.stretch, bind_position.to_array().map(f64::from));
        let stretch = Affine::from_rows([0, 1, 2].map(|i| {
            let moved = s[i][0] * c[0] + s[i][1] * c[1] + s[i][2] * c[2];
            [s[i][0], s[i][1], s[i][2], -moved].map(|x| x as f32)
        }));
        Self {
            rotation: split.rotation,
            stretch,
            scale: split.scale as f32,
            bind_position,
            position: model_from_bind.transform_point(bind_position),
            is_uniform: split.is_uniform,
        }
    }

    /// The same joint with its rotation's quaternion on the side of `reference`.
    pub fn aligned(&self, reference: Quat) -> Self {
        Self {
            rotation: quat::aligned(self.rotation, reference),
            ..*self
        }
    }

    /// x ↦ R x + d − s R c: the motion that follows the stretch where lever arms count `scale`.
    pub fn motion(&self, scale: f32) -> DualQuat {
        let (now, turned) = (
            self.position,
            quat::rotate(self.rotation, self.bind_position),
        );
        let along = |now: f32, turned: f32| now - scale * turned;
        let translation = Vec3::new(
            along(now.x, turned.x),
            along(now.y, turned.y),
            along(now.z, turned.z),
        );
        DualQuat::new(self.rotation, translation)
    }

    /// ½ d q.
    pub fn dual(&self) -> Quat {
        DualQuat::new(self.rotation, self.position).dual
    }

    /// ½ q c, what the shared scale takes off the dual part.
    pub fn lever(&self) -> Quat {
        let c = self.bind_position;
        let c = Quat::from_xyzw(c.x, c.y, c.z, 0.0);
        quat::scaled(quat::mul(self.rotation, c), 0.5)
    }

    /// The dual quaternion of a joint whose lever arms count its own scale.
    fn rigid_row(&self) -> [f32; 8] {
        let DualQuat { real: r, dual: d } = self.motion(self.scale);
        [r.x, r.y, r.z, r.w, d.x, d.y, d.z, d.w]
    }

    /// q and ½ d q; the upper triangle of S, which is symmetric, and −S c; c; σ; ½ q c.
    fn row(&self) -> [f32; 25] {
        let (q, d, l, c) = (self.rotation, self.dual(), self.lever(), self.bind_position);
        let [[xx, xy, xz, x], [_, yy, yz, y], [_, _, zz, z]] = self.stretch.rows;
        [
            q.x, q.y, q.z, q.w, d.x, d.y, d.z, d.w, xx, xy, xz, yy, yz, zz, x, y, z, c.x, c.y, c.z,
            self.scale, l.x, l.y, l.z, l.w,
        ]
    }
}

/// The linear part of a joint's map, taken apart.
struct Split {
    rotation: Quat,
    scale: f64,
    stretch: [[f64; 3]; 3],
    is_uniform: bool,
}

impl Split {
    fn new(linear: &[[f64; 3]; 3], reference: Quat) -> Self {
        let det = determinant(linear);
        let scale = det.cbrt();
        let is_uniform = is_rotation_times(linear, scale);
        if !is_uniform {
            let split = polar_near(linear, det, reference);
            return Self {
                rotation: split.rotation_quat(),
                scale,
                stretch: split.stretch,
                is_uniform,
            };
        }
        // What was meant to be 1 is 1.
        let is_rigid = (scale - 1.0).abs() <= 0.5 * ROTATION_TOLERANCE;
        let s = if is_rigid { 1.0 } else { scale };
        Self {
            rotation: quat::from_rows(&linear.map(|row| row.map(|x| x / s))),
            scale: s,
            stretch: [[s, 0.0, 0.0], [0.0, s, 0.0], [0.0, 0.0, s]],
            is_uniform,
        }
    }
}

fn determinant(m: &[[f64; 3]; 3]) -> f64 {
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
}

/// True if a map is a proper rotation times `scale`, to what forward kinematics in `f32` leaves of one.
fn is_rotation_times(m: &[[f64; 3]; 3], scale: f64) -> bool {
    let square = scale * scale;
    for i in 0..3 {
        for j in 0..=i {
            let gram = m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
            let wanted = if i == j { square } else { 0.0 };
            let off = (gram - wanted).abs();
            if off.is_nan() || off >= ROTATION_TOLERANCE * square {
                return false;
            }
        }
    }
    true
}

/// The polar decomposition; of a map that flattens space, the one whose rotation is near `reference`.
fn polar_near(linear: &[[f64; 3]; 3], det: f64, reference: Quat) -> polar::Polar {
    let largest = linear.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    if det.abs() > 1e-12 * largest * largest * largest {
        return polar::decompose(*linear);
    }
    // Seen from the reference, the nearest rotation is the one nearest to none at all.
    let r = quat::to_rows(reference).map(|row| row.map(f64::from));
    let times = |a: &dyn Fn(usize, usize) -> f64, b: &[[f64; 3]; 3]| {
        let entry = |i: usize, j: usize| (0..3).map(|k| a(i, k) * b[k][j]).sum::<f64>();
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
    };
    let mut split = polar::decompose(times(&|i, k| r[k][i], linear));
    split.rotation = times(&|i, k| r[i][k], &split.rotation);
    split
}

/// The palette for dual quaternion skinning, with signs fixed from the pose.
///
/// A rotation has two quaternions, and which one a joint takes decides which way round a blend goes.
/// Here each joint takes the one on its parent's side, parents first, so a joint's sign follows from
/// the pose alone: neighbouring vertices never disagree and the order of influences cannot matter.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "skinning matrix")]
pub struct DualQuatPalette {
    joints: Vec<DualQuatJoint>,
    /// The numbers of each joint that kernels read: a motion alone, and everything.
    rigid_rows: Vec<[f32; 8]>,
    rows: Vec<[f32; 25]>,
    chain: Option<SignChain>,
}

/// The data that fixing the signs needs: every joint of the skeleton, in the skin or not.
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

impl SignChain {
    /// The rotation of every joint since it was bound, each on the side of its parent's. Roots follow
    /// the first of them, so that turning the whole pose changes no sign against another.
    fn update(&mut self, model_from_joint: &[Affine]) {
        for joint in 0..self.parents.len() {
            let moved = model_from_joint[joint] * self.joint_from_model[joint];
            let reference = match self.parents[joint] {
                Some(parent) => self.rotations[parent],
                None if joint > 0 => self.rotations[0],
                None => Quat::IDENTITY,
            };
            let rotation = Split::new(&moved.linear_f64(), reference).rotation;
            self.rotations[joint] = quat::aligned(rotation, tilted(reference));
        }
    }
}

/// `reference` by a hair off, the same way in its own frame: a joint that is mirrored along an axis stands
/// exactly half a turn from its parent, and rounding must not choose its side.
fn tilted(reference: Quat) -> Quat {
    quat::mul(reference, Quat::from_xyzw(0.7e-5, 0.55e-5, 0.45e-5, 1.0))
}

impl DualQuatPalette {
    /// For a skin on a skeleton: its tree, and `model_from_joint` of every joint at rest, where the palette stands
    /// until [`DualQuatPalette::update`].
    ///
    /// # Errors
    /// When tree and rest pose differ in length, or the skin names a joint that they do not have.
    pub fn new(hierarchy: &Hierarchy, rest: &[Affine], skin: &Skin) -> Result<Self, SkinError> {
        skin.check(rest.len())?;
        let at_rest = Skin::bound_at(rest);
        let mut joint_from_model = at_rest.joint_from_model;
        for (&joint, inverse_bind) in skin.joints.iter().zip(&skin.joint_from_model).rev() {
            joint_from_model[joint] = *inverse_bind;
        }
        let bind_positions = (0..skin.joints.len()).map(|p| skin.bind_position(p));
        let chain = SignChain {
            parents: hierarchy.parents().collect(),
            joint_from_model,
            rotations: vec![Quat::IDENTITY; hierarchy.len()],
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
        palette.update(rest)?;
        Ok(palette)
    }

    /// From matrices without a hierarchy. Signs are then chosen per vertex, against its heaviest
    /// influence, which can tear the skin between neighbours that disagree: prefer
    /// [`DualQuatPalette::new`].
    ///
    /// # Errors
    /// When there is not a bind position for each matrix.
    pub fn from_matrices(
        model_from_bind: &[Affine],
        bind_positions: &[Vec3],
    ) -> Result<Self, SkinError> {
        if model_from_bind.len() != bind_positions.len() {
            return Err(SkinError::InverseBinds {
                found: bind_positions.len(),
                wanted: model_from_bind.len(),
            });
        }
        let joints = model_from_bind.iter().zip(bind_positions);
        let split = |(m, &c): (&Affine, &Vec3)| DualQuatJoint::new(m, c, Quat::IDENTITY);
        Ok(Self {
            joints: joints.map(split).collect(),
            rigid_rows: Vec::new(),
            rows: Vec::new(),
            chain: None,
        })
    }

    /// Fills the palette for a pose of the skeleton it was made for; allocates nothing after the
    /// first time. Does nothing for a palette made from matrices.
    ///
    /// # Errors
    /// When the pose has another number of joints than that skeleton; nothing is changed then.
    pub fn update(&mut self, model_from_joint: &[Affine]) -> Result<(), SkinError> {
        let Some(chain) = &mut self.chain else {
            return Ok(());
        };
        let (found, wanted) = (model_from_joint.len(), chain.parents.len());
        if found != wanted {
            return Err(SkinError::OtherSkeleton { found, wanted });
        }
        chain.update(model_from_joint);
        self.joints.clear();
        for (place, &joint) in chain.skin_joints.iter().enumerate() {
            let model_from_bind = model_from_joint[joint] * chain.inverse_binds[place];
            let (bind_position, rotation) = (chain.bind_positions[place], chain.rotations[joint]);
            let entry = DualQuatJoint::new(&model_from_bind, bind_position, rotation);
            self.joints.push(entry.aligned(rotation));
        }
        self.rigid_rows.clear();
        let rigid_rows = self.joints.iter().map(|j| j.rigid_row());
        self.rigid_rows.extend(rigid_rows);
        self.rows.clear();
        self.rows.extend(self.joints.iter().map(|j| j.row()));
        Ok(())
    }

    /// The scale of all joints, where they do so alike and in all directions: 1 when all are rigid.
    pub fn common_scale(&self) -> Option<f32> {
        common_scale(self.joints.iter())
    }

    /// The scale of some joints, where they do so alike and in all directions.
    pub(crate) fn common_scale_of(&self, joints: &[u16]) -> Option<f32> {
        common_scale(joints.iter().map(|&j| &self.joints[usize::from(j)]))
    }

    pub(crate) fn rigid_rows(&self) -> &[[f32; 8]] {
        &self.rigid_rows
    }

    pub(crate) fn rows(&self) -> &[[f32; 25]] {
        &self.rows
    }

    /// The joints, in the skin's order.
    pub fn as_slice(&self) -> &[DualQuatJoint] {
        &self.joints
    }

    /// True if the signs come from the pose, so that the vertex loop need not choose any.
    pub fn signs_are_fixed(&self) -> bool {
        self.chain.is_some()
    }
}

fn common_scale<'a>(mut joints: impl Iterator<Item = &'a DualQuatJoint>) -> Option<f32> {
    let Some(first) = joints.next() else {
        return Some(1.0);
    };
    let (scale, near) = (first.scale, SAME_SCALE * first.scale.abs());
    let is_alike = |j: &DualQuatJoint| j.is_uniform && (j.scale - scale).abs() <= near;
    (first.is_uniform && joints.all(is_alike)).then_some(scale)
}
