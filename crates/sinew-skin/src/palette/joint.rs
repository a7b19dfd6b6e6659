//! One joint of a dual quaternion palette, split in `f64`, even if [`super::split`] cannot do it.

use glam::{Quat, Vec3};
use sinew_math::DualQuat;
use sinew_math::transform::{Affine, polar, quat};

/// One joint of a dual quaternion palette: K(x) = R S (x − c) + d.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuatJoint {
    /// R, as the unit quaternion q.
    pub rotation: Quat,
    /// The map x ↦ S (x − c).
    pub stretch: Affine,
    /// σ, the signed cube root of K's determinant.
    pub scale: f32,
    /// c, the position of the joint at the bind pose, in model space.
    pub bind_position: Vec3,
    /// d, the position of the joint at the current pose, in model space.
    pub position: Vec3,
    /// True if the joint scales all directions equally: S = σ I.
    pub is_uniform: bool,
}

/// Max error of products of columns that forward kinematics in `f32` leaves in a rotation.
pub(super) const ROTATION_TOLERANCE: f64 = 1e-5;

impl DualQuatJoint {
    /// Splits `model_from_bind` about the bind position of the joint. The rotation of a map that
    /// flattens space to a line or point is as near to `reference` as possible.
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

    /// Same joint with q or −q, whichever is nearer to `reference`.
    pub fn aligned(&self, reference: Quat) -> Self {
        Self {
            rotation: quat::aligned(self.rotation, reference),
            ..*self
        }
    }

    /// The motion after the stretch, x ↦ R x + d − s R c, where s is `scale`.
    pub fn motion(&self, scale: f32) -> DualQuat {
        let (now, rotated) = (
            self.position,
            quat::rotate(self.rotation, self.bind_position),
        );
        let along = |now: f32, rotated: f32| now - scale * rotated;
        let translation = Vec3::new(
            along(now.x, rotated.x),
            along(now.y, rotated.y),
            along(now.z, rotated.z),
        );
        DualQuat::new(self.rotation, translation)
    }

    /// ½ d q.
    pub fn dual(&self) -> Quat {
        DualQuat::new(self.rotation, self.position).dual
    }

    /// ½ q c. Its product with the shared scale is subtracted from the dual part.
    pub fn lever(&self) -> Quat {
        let c = self.bind_position;
        let c = Quat::from_xyzw(c.x, c.y, c.z, 0.0);
        quat::scaled(quat::mul(self.rotation, c), 0.5)
    }
}

struct Split {
    rotation: Quat,
    scale: f64,
    stretch: [[f64; 3]; 3],
    is_uniform: bool,
}

impl Split {
    fn new(linear: &[[f64; 3]; 3], reference: Quat) -> Self {
        let det = determinant(linear);
        let scale = libm::cbrt(det);
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

/// True if a map is a proper rotation times `scale`, up to the rounding of forward kinematics.
fn is_rotation_times(m: &[[f64; 3]; 3], scale: f64) -> bool {
    let square = scale * scale;
    for i in 0..3 {
        for j in 0..=i {
            let gram = m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
            let expected = if i == j { square } else { 0.0 };
            let off = (gram - expected).abs();
            if off.is_nan() || off >= ROTATION_TOLERANCE * square {
                return false;
            }
        }
    }
    true
}

/// Polar decomposition. The rotation of a map that flattens space is near `reference`.
fn polar_near(linear: &[[f64; 3]; 3], det: f64, reference: Quat) -> polar::Polar {
    let largest = linear.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    if det.abs() > 1e-12 * largest * largest * largest {
        return polar::decompose(*linear);
    }
    // Relative to `reference`, the nearest rotation is the smallest rotation.
    let r = quat::to_rows(reference).map(|row| row.map(f64::from));
    let times = |a: &dyn Fn(usize, usize) -> f64, b: &[[f64; 3]; 3]| {
        let entry = |i: usize, j: usize| (0..3).map(|k| a(i, k) * b[k][j]).sum::<f64>();
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
    };
    let mut split = polar::decompose(times(&|i, k| r[k][i], linear));
    split.rotation = times(&|i, k| r[i][k], &split.rotation);
    split
}
