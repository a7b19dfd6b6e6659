use super::error::IkError;
use super::tip::Tip;
use crate::pose::{BLOCK, LocalPose};
use crate::skeleton::Skeleton;
use glam::Vec3;
use sinew_math::transform::Affine;
use sinew_math::transform::quat_f64::{QuatF64, add_scaled, cross, dot, scaled};

pub(super) type Vec3F64 = [f64; 3];

#[derive(Clone, Copy)]
pub(super) struct Local {
    pub translation: Vec3F64,
    pub rotation: QuatF64,
    pub scale: Vec3F64,
}

impl Local {
    /// Reads components one by one, because a whole transform would go through memory.
    #[inline(always)]
    pub fn of(pose: &LocalPose, joint: usize) -> Self {
        let (block, lane) = (&pose.blocks()[joint / BLOCK], joint % BLOCK);
        let wide = |row: &[f32; BLOCK]| f64::from(row[lane]);
        let ([tx, ty, tz], [rx, ry, rz, rw]) = (&block.translation, &block.rotation);
        let [sx, sy, sz] = &block.scale;
        Self {
            translation: [wide(tx), wide(ty), wide(tz)],
            rotation: QuatF64 {
                v: [wide(rx), wide(ry), wide(rz)],
                w: wide(rw),
            },
            scale: [wide(sx), wide(sy), wide(sz)],
        }
    }

    /// Converts a point from the frame of the joint to the frame of its parent.
    #[inline(always)]
    pub fn place(&self, point: Vec3F64) -> Vec3F64 {
        let scaled = stretched(point, self.scale);
        add_scaled(self.rotation.rotate(scaled), self.translation, 1.0)
    }

    /// Scale of the joint. An error if it is not uniform.
    #[inline(always)]
    pub fn even_scale(&self, skeleton: &Skeleton, joint: usize) -> Result<f64, IkError> {
        let [x, y, z] = self.scale;
        if (x - y).abs().max((x - z).abs()) <= 1e-5 * x.abs() {
            Ok(x)
        } else {
            Err(self.uneven(skeleton, joint))
        }
    }

    #[cold]
    fn uneven(&self, skeleton: &Skeleton, joint: usize) -> IkError {
        if self.is_finite() {
            IkError::UnevenScale {
                joint: name(skeleton, joint),
            }
        } else {
            not_finite(skeleton, joint, "transform")
        }
    }

    pub fn is_finite(&self) -> bool {
        let numbers = self.translation.iter().chain(&self.rotation.v);
        let mut numbers = numbers.chain(&self.scale).chain([&self.rotation.w]);
        numbers.all(|x| x.is_finite())
    }
}

pub(super) struct Above {
    model_from_here: [[f64; 4]; 3],
    here_from_model: [Vec3F64; 3],
}

impl Above {
    #[inline(always)]
    pub fn new(
        skeleton: &Skeleton,
        joint: usize,
        model_from_here: &Affine,
    ) -> Result<Self, IkError> {
        let wide = |row: &[f32; 4]| [row[0].into(), row[1].into(), row[2].into(), row[3].into()];
        let [a, b, c] = &model_from_here.rows;
        let m: [[f64; 4]; 3] = [wide(a), wide(b), wide(c)];
        let first_three = |row: &[f64; 4]| [row[0], row[1], row[2]];
        let (a, b, c) = (first_three(&m[0]), first_three(&m[1]), first_three(&m[2]));
        let columns = [cross(b, c), cross(c, a), cross(a, b)];
        let inverse = 1.0 / dot(a, columns[0]);
        if !inverse.is_finite() || !(m[0][3] + m[1][3] + m[2][3]).is_finite() {
            return Err(IkError::FlatParent {
                joint: name(skeleton, joint),
            });
        }
        Ok(Self {
            model_from_here: m,
            here_from_model: [
                scaled(columns[0], inverse),
                scaled(columns[1], inverse),
                scaled(columns[2], inverse),
            ],
        })
    }

    /// Converts a point from model space to this frame.
    #[inline(always)]
    pub fn point(&self, in_model: Vec3) -> Vec3F64 {
        let [x, y, z] = wide(in_model);
        let m = &self.model_from_here;
        self.direction([x - m[0][3], y - m[1][3], z - m[2][3]])
    }

    /// Converts a vector from model space to this frame.
    #[inline(always)]
    pub fn direction(&self, in_model: Vec3F64) -> Vec3F64 {
        let [a, b, c] = self.here_from_model;
        let row = |i: usize| a[i] * in_model[0] + b[i] * in_model[1] + c[i] * in_model[2];
        [row(0), row(1), row(2)]
    }

    /// Length in model space of a vector in this frame.
    #[inline(always)]
    pub fn length_in_model(&self, here: Vec3F64) -> f64 {
        let row = |m: &[f64; 4]| m[0] * here[0] + m[1] * here[1] + m[2] * here[2];
        let [a, b, c] = &self.model_from_here;
        length([row(a), row(b), row(c)])
    }
}

#[inline(always)]
pub(super) fn wide(v: Vec3) -> Vec3F64 {
    let [x, y, z] = v.to_array();
    [x.into(), y.into(), z.into()]
}

#[inline(always)]
pub(super) fn stretched(v: Vec3F64, scale: Vec3F64) -> Vec3F64 {
    [v[0] * scale[0], v[1] * scale[1], v[2] * scale[2]]
}

/// Writes a rotation in the hemisphere of the old rotation.
#[inline(always)]
pub(super) fn write_rotation(pose: &mut LocalPose, joint: usize, rotation: QuatF64) {
    let (block, lane) = (&mut pose.blocks_mut()[joint / BLOCK], joint % BLOCK);
    let [x, y, z, w] = &mut block.rotation;
    let (v, n) = (rotation.v, rotation.w);
    let was = [x[lane], y[lane], z[lane]];
    let was = [f64::from(was[0]), f64::from(was[1]), f64::from(was[2])];
    let is_far = dot(v, was) + n * f64::from(w[lane]) < 0.0;
    let side = if is_far { -1.0 } else { 1.0 };
    x[lane] = (v[0] * side) as f32;
    y[lane] = (v[1] * side) as f32;
    z[lane] = (v[2] * side) as f32;
    w[lane] = (n * side) as f32;
}

#[inline(always)]
pub(super) fn sub(a: Vec3F64, b: Vec3F64) -> Vec3F64 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(super) fn length(v: Vec3F64) -> f64 {
    dot(v, v).sqrt()
}

#[cold]
pub(super) fn name(skeleton: &Skeleton, joint: usize) -> String {
    skeleton.name(joint).to_owned()
}

#[cold]
pub(super) fn not_finite(skeleton: &Skeleton, joint: usize, what: &'static str) -> IkError {
    IkError::NotFinite {
        joint: name(skeleton, joint),
        what,
    }
}

#[cold]
pub(super) fn not_below(skeleton: &Skeleton, joint: usize, above: usize) -> IkError {
    IkError::NotBelow {
        joint: name(skeleton, joint),
        above: name(skeleton, above),
    }
}

#[inline(always)]
pub(super) fn check_joint(skeleton: &Skeleton, joint: usize) -> Result<(), IkError> {
    let joints = skeleton.len();
    if joint < joints {
        Ok(())
    } else {
        Err(IkError::NoSuchJoint { joint, joints })
    }
}

#[inline(always)]
pub(super) fn check_pose(skeleton: &Skeleton, pose: &LocalPose) -> Result<(), IkError> {
    if pose.len() == skeleton.len() {
        Ok(())
    } else {
        Err(IkError::OtherSkeleton {
            pose: pose.len(),
            skeleton: skeleton.len(),
        })
    }
}

/// Position of a tip in the frame of `joint`. The joint must carry the tip.
#[inline(always)]
pub(super) fn tip_in(
    skeleton: &Skeleton,
    pose: &LocalPose,
    tip: &Tip,
    joint: usize,
) -> Result<Vec3F64, IkError> {
    let (mut point, mut at) = (wide(tip.offset), tip.joint);
    if tip.offset == Vec3::ZERO && skeleton.parent(at) == Some(joint) {
        return Ok(Local::of(pose, at).translation);
    }
    while at != joint {
        // Parents have lower indices, so a joint before `joint` is not its descendant.
        let parent = skeleton.parent(at).filter(|_| at > joint);
        let Some(parent) = parent else {
            return Err(not_below(skeleton, tip.joint, joint));
        };
        point = Local::of(pose, at).place(point);
        at = parent;
    }
    Ok(point)
}
