//! Denavit–Hartenberg rows and meta-joints as JSON ([format](../../../../docs/ik.md#rows-and-meta-joints-as-json)).
//! Numbers come back to the bit.

mod members;
mod meta_joints;
mod rows;

pub use meta_joints::{meta_joints_from_json, meta_joints_json};
pub use rows::{rows_from_json, rows_json};

use sinew::skeleton::{MetaJointError, SkeletonError};
use thiserror::Error;

/// Error while rows or meta-joints are read from JSON.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// Text that is not JSON.
    #[error("{message}")]
    Json {
        /// Description of the mistake, with its line and column.
        message: String,
    },
    /// Member that is missing, unknown or has a wrong value.
    #[error("{at}: {expected}")]
    Member {
        /// Path of the member, such as `rows[2].theta_rad`.
        at: String,
        /// Description of the expected value.
        expected: String,
    },
    /// Joints that are not a skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// Joints that cannot be merged.
    #[error(transparent)]
    MetaJoints(#[from] MetaJointError),
}
