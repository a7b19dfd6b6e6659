//! Chains of hinges and slides in Denavit–Hartenberg parameters (1955), classic convention: a row is
//! `Rz(theta) · Tz(d) · Tx(a) · Rx(alpha)`. A hinge changes theta, a slide changes d.
//!
//! A row rotates first and then translates. A joint translates first. The rest transform of a joint
//! is therefore `Tz · Tx · Rx` of the previous row times `Rz(theta)` of its own row. The rest
//! transform of a slide ends with its own `Tz(d)`, and the next one begins with `Tx`. Each hinge is
//! about z, and each slide is along z. The fixed joint at the end is the tool.

mod chain;
mod row;

pub use chain::Chain;

use super::limits::AngleRange;
use super::{Skeleton, SkeletonError};
use crate::pose::{LocalPose, PoseMismatch};
use sinew_math::transform::Transform;
use thiserror::Error;

/// Hinge or slide and the link after it.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Row {
    /// Angle about z, in radians. A hinge changes it.
    pub theta_rad: f32,
    /// Offset along z. A slide changes it.
    pub d: f32,
    /// Offset along the new x axis.
    pub a: f32,
    /// Angle about the new x axis to the next z axis, in radians.
    pub alpha_rad: f32,
    /// Parameter that changes, and its range. Default: theta, without limits.
    pub moves: Moves,
}

/// Parameter of a [`Row`] that changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moves {
    /// Hinge with a range of theta.
    Theta(AngleRange),
    /// Slide with a range of d.
    D {
        /// Min d.
        min: f32,
        /// Max d.
        max: f32,
    },
}

impl Default for Moves {
    fn default() -> Self {
        Self::Theta(AngleRange::FULL)
    }
}

/// Error of [`rows`] and [`Chain::of`].
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
    /// Joint that is neither a hinge about z nor a slide along z with a range. The last joint must
    /// be fixed.
    #[error(
        "joint \"{name}\" is not a hinge about z or a slide along z with a range, or is the last joint and not fixed"
    )]
    NotARow {
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

/// Chain of joints from rows, with the tool at the end. Its rest pose has the angles and offsets of
/// the rows.
///
/// ```
/// use sinew::skeleton::denavit_hartenberg::{Row, skeleton};
/// let link = Row { a: 1.0, ..Row::default() };
/// let arm = skeleton(&[link, link])?;
/// assert_eq!(arm.rest_model().get(2).translation().to_array(), [2.0, 0.0, 0.0]);
/// # Ok::<(), sinew::SkeletonError>(())
/// ```
pub fn skeleton(rows: &[Row]) -> Result<Skeleton, SkeletonError> {
    let named = |(index, row): (usize, &Row)| (format!("joint {}", index + 1), *row);
    let chain = Chain {
        base: Transform::IDENTITY,
        rows: rows.iter().enumerate().map(named).collect(),
        tool: "tool".to_owned(),
    };
    chain.skeleton()
}

/// Rows of a chain in a pose, with angles in [−π, π]. The chain must be like a chain from
/// [`skeleton`], with a scale of 1 and errors of up to 1e-6 in radians or relative to its length.
/// If the z axes of a slide and of the joint before it are parallel, the slide gets the whole
/// offset along them.
pub fn rows(skeleton: &Skeleton, pose: &LocalPose) -> Result<Vec<Row>, RowsError> {
    let chain = Chain::at_origin(skeleton, pose)?;
    Ok(chain.rows.into_iter().map(|(_, row)| row).collect())
}
