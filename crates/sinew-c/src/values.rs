//! Plain values.

use crate::status::{Done, Failure};
use glam::{Quat, Vec3};
use sinew::{Method, Transform};

/// Skinning method of a rig.
pub type sinew_method = i32;
/// Moves a vertex only with its heaviest joint.
pub const SINEW_METHOD_RIGID: sinew_method = 0;
/// Linear blend skinning.
pub const SINEW_METHOD_LINEAR: sinew_method = 1;
/// Dual quaternion skinning with scale. Twisted limbs keep their volume.
pub const SINEW_METHOD_DUAL_QUAT: sinew_method = 2;

/// Index that stands for none, such as the parent of the root.
pub const SINEW_NONE: u32 = u32::MAX;

/// Transform of a joint in the frame of its parent: scale first, then rotation, then translation.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_transform {
    /// In units of the model.
    pub translation: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
    /// Factors along the axes of the joint.
    pub scale: [f32; 3],
}

/// Movement of a character over the ground.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sinew_placement {
    /// In units of the model, in the frame of the character before the step.
    pub translation: [f64; 3],
    /// Rotation about the up axis, in radians.
    pub heading_rad: f64,
}

pub(crate) fn method(value: sinew_method) -> Done<Method> {
    match value {
        SINEW_METHOD_RIGID => Ok(Method::Rigid),
        SINEW_METHOD_LINEAR => Ok(Method::Linear),
        SINEW_METHOD_DUAL_QUAT => Ok(Method::DualQuat),
        _ => Err(Failure::argument(format!(
            "{value} is no sinew_method; pass a constant SINEW_METHOD_..."
        ))),
    }
}

impl From<sinew_transform> for Transform {
    fn from(transform: sinew_transform) -> Self {
        Self {
            translation: Vec3::from_array(transform.translation),
            rotation: Quat::from_array(transform.rotation),
            scale: Vec3::from_array(transform.scale),
        }
    }
}

impl From<Transform> for sinew_transform {
    fn from(transform: Transform) -> Self {
        Self {
            translation: transform.translation.to_array(),
            rotation: transform.rotation.to_array(),
            scale: transform.scale.to_array(),
        }
    }
}
