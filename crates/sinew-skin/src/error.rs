//! Errors of skinning.

use thiserror::Error;

/// Reason why no vertices were skinned. The output is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SkinError {
    /// A stream that is not as long as the positions.
    #[error("{what} has {found} elements, but the mesh has {expected} vertices")]
    Length {
        /// Name of the stream.
        what: &'static str,
        /// Length of the stream.
        found: usize,
        /// The number of positions.
        expected: usize,
    },
    /// Output stream without an input stream.
    #[error("{what} were requested, but the mesh has none")]
    Missing {
        /// Name of the stream.
        what: &'static str,
    },
    /// Tangents without normals. The fast kernels skin normals alone, or normals and tangents.
    #[error("tangents were requested without normals; request both")]
    TangentsAlone,
    /// Dual quaternion palette made from matrices. Only the scalar reference can choose its signs.
    #[error("the palette's signs are not fixed; make it with DualQuatPalette::new")]
    SignsNotFixed,
    /// Vertex layout with parts that overlap or exceed its stride, or a buffer that is too short.
    #[error("the vertex layout does not fit: {why}")]
    Layout {
        /// Description of the problem.
        why: &'static str,
    },
    /// A pose of another skeleton, with another number of joints.
    #[error("the pose has {found} joints instead of {expected}: it belongs to another skeleton")]
    OtherSkeleton {
        /// Number of joints in the pose.
        found: usize,
        /// Number of joints in the skeleton.
        expected: usize,
    },
    /// A skin that refers to a joint that the pose does not have.
    #[error("the skin refers to joint {joint}, but the pose has only {joints} joints")]
    SkinJoint {
        /// Index of the joint.
        joint: usize,
        /// Number of joints in the pose.
        joints: usize,
    },
    /// A skin that does not have one inverse bind per joint.
    #[error("the skin has {expected} joints, but {found} inverse binds")]
    InverseBinds {
        /// The number of inverse binds.
        found: usize,
        /// The number of joints.
        expected: usize,
    },
    /// An influence that refers to a joint that the palette does not have.
    #[error("influences refer to joint {joint}, but the palette has only {len} joints")]
    NoSuchJoint {
        /// Highest joint index of the influences.
        joint: usize,
        /// Number of joints in the palette.
        len: usize,
    },
    /// Number of weight gradients that differs from the number of influences.
    #[error(
        "there are {found} weight gradients for {expected} influences; there must be one per influence"
    )]
    Gradients {
        /// The number of gradients.
        found: usize,
        /// The number of influences.
        expected: usize,
    },
}
