//! Chains of hinges in Denavit–Hartenberg parameters (1955), classic convention: a row is
//! `Rz(theta) · Tz(d) · Tx(a) · Rx(alpha)`.
//!
//! A row rotates first and then translates. A joint translates first. The rest transform of a joint
//! is therefore `Tz · Tx · Rx` of the previous row times `Rz(theta)` of its own row. Each hinge is
//! about z. The fixed joint at the end is the tool.

use super::limits::{AngleRange, Freedom, RotationLimit};
use super::{Joint, Skeleton, SkeletonError};
use crate::pose::{LocalPose, PoseMismatch};
use glam::Vec3;
use sinew_math::transform::quat_f64::QuatF64;
use sinew_math::transform::{Axis, Transform};
use std::f64::consts::TAU;
use thiserror::Error;

/// Hinge and the link after it.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Row {
    /// Angle of the hinge about z, in radians.
    pub theta_rad: f32,
    /// Offset along z.
    pub d: f32,
    /// Offset along the new x axis.
    pub a: f32,
    /// Angle about the new x axis to the next z axis, in radians.
    pub alpha_rad: f32,
}

/// Error of [`rows`].
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RowsError {
    /// Pose of another skeleton.
    #[error(transparent)]
    OtherSkeleton(#[from] PoseMismatch),
    /// Joint that is not the only child of its parent.
    #[error(
        "joint \"{name}\" is not the only child of its parent; Denavit-Hartenberg rows describe a chain without branches"
    )]
    Branches {
        /// Name of the joint.
        name: String,
    },
    /// Joint that slides or is not a hinge about z. The last joint must be fixed.
    #[error("joint \"{name}\" is not a hinge about z, or is the last joint and not fixed")]
    NotAHinge {
        /// Name of the joint.
        name: String,
    },
    /// Frame that `Tz · Tx · Rx · Rz` cannot produce.
    #[error("joint \"{name}\" cannot be described by a row: the nearest row is off by {off}")]
    OutOfReach {
        /// Name of the joint.
        name: String,
        /// Largest error, in radians, in lengths of the chain, or in scale.
        off: f32,
    },
}

/// Chain of joints from rows, with the tool at the end. Its rest pose has the angles of the rows.
///
/// ```
/// use sinew::skeleton::denavit_hartenberg::{Row, skeleton};
/// let link = Row { a: 1.0, ..Row::default() };
/// let arm = skeleton(&[link, link])?;
/// assert_eq!(arm.rest_model().get(2).translation().to_array(), [2.0, 0.0, 0.0]);
/// # Ok::<(), sinew::SkeletonError>(())
/// ```
pub fn skeleton(rows: &[Row]) -> Result<Skeleton, SkeletonError> {
    let hinge = Freedom {
        rotation: RotationLimit::Hinge {
            axis: Vec3::Z,
            range: AngleRange::FULL,
        },
        slides: [false; 3],
    };
    let fixed = Freedom {
        rotation: RotationLimit::Fixed,
        slides: [false; 3],
    };
    let mut joints = Vec::with_capacity(rows.len() + 1);
    let mut before = Row::default();
    for (index, row) in rows.iter().enumerate() {
        let parent = index.checked_sub(1);
        let rest = stand(&before, row.theta_rad);
        let name = format!("joint {}", index + 1);
        joints.push(Joint::new(name, parent, rest).with_freedom(hinge.clone()));
        before = *row;
    }
    let tool = Joint::new("tool", rows.len().checked_sub(1), stand(&before, 0.0));
    joints.push(tool.with_freedom(fixed));
    Ok(Skeleton::new(joints)?.0)
}

/// Rows of a chain in a pose, with angles in [−π, π]. The chain must be like a chain from
/// [`skeleton`], with a scale of 1 and errors of up to 1e-6 in radians or relative to its length.
pub fn rows(skeleton: &Skeleton, pose: &LocalPose) -> Result<Vec<Row>, RowsError> {
    PoseMismatch::check(pose.len(), skeleton.len())?;
    let tool = skeleton.len() - 1;
    if let Some(twig) = (0..=tool).find(|&j| skeleton.parent(j) != j.checked_sub(1)) {
        let name = skeleton.name(twig).to_owned();
        return Err(RowsError::Branches { name });
    }
    let length: f32 = pose.iter().map(|t| largest(t.translation)).sum();
    let mut rows = vec![Row::default(); tool];
    for joint in 0..=tool {
        let name = || skeleton.name(joint).to_owned();
        let before = skeleton.parent(joint);
        if !moves_as_a_row_does(skeleton.freedom(joint), joint == tool) {
            return Err(RowsError::NotAHinge { name: name() });
        }
        let now = pose.get(joint);
        let angles = QuatF64::from_quat(now.rotation).angles_about_pair([Axis::X, Axis::Z]);
        let [alpha_rad, theta_rad] = angles.map(|a| libm::remainder(a, TAU) as f32);
        if let Some(before) = before {
            rows[before].a = now.translation.x;
            rows[before].d = now.translation.z;
            rows[before].alpha_rad = alpha_rad;
        }
        if let Some(row) = rows.get_mut(joint) {
            row.theta_rad = theta_rad;
        }
        let link = before.map_or(Row::default(), |b| rows[b]);
        let reached = stand(&link, rows.get(joint).map_or(0.0, |row| row.theta_rad));
        let off = distance(&now, &reached, length);
        if off > 1e-6 {
            return Err(RowsError::OutOfReach { name: name(), off });
        }
    }
    Ok(rows)
}

fn stand(before: &Row, theta_rad: f32) -> Transform {
    let alpha = Axis::X.rotation_f64(f64::from(before.alpha_rad));
    let rotation = alpha.mul(Axis::Z.rotation_f64(f64::from(theta_rad)));
    Transform::from_rotation_translation(rotation.to_quat(), Vec3::new(before.a, 0.0, before.d))
}

fn distance(a: &Transform, b: &Transform, length: f32) -> f32 {
    let way = largest(difference(a.translation, b.translation));
    let angle = QuatF64::from_quat(a.rotation).angle_to(QuatF64::from_quat(b.rotation));
    let part = if way > 0.0 { way / length } else { 0.0 };
    part.max(angle as f32)
        .max(largest(difference(a.scale, b.scale)))
}

fn difference(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a.x - b.x, a.y - b.y, a.z - b.z)
}

fn largest(v: Vec3) -> f32 {
    v.x.abs().max(v.y.abs()).max(v.z.abs())
}

fn moves_as_a_row_does(freedom: &Freedom, is_tool: bool) -> bool {
    let rotates = match freedom.rotation {
        RotationLimit::Hinge { axis, .. } => !is_tool && axis == Vec3::Z,
        RotationLimit::Fixed => is_tool,
        _ => false,
    };
    rotates && freedom.slides == [false; 3]
}
