//! Why vertices cannot be skinned.

use thiserror::Error;

/// Why vertices were not skinned; the output is untouched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SkinError {
    /// Streams of different lengths.
    #[error("{what} has {found} elements where the mesh has {wanted} vertices")]
    Length {
        /// Which stream.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The number of positions.
        wanted: usize,
    },
    /// An output stream without its input.
    #[error("{what} were requested, but the mesh has none")]
    Missing {
        /// Which stream.
        what: &'static str,
    },
    /// Tangents without normals: the fast kernels skin both or normals alone.
    #[error("tangents were requested without normals; request both")]
    TangentsAlone,
    /// A dual quaternion palette made from matrices, whose signs only the scalar loop can choose.
    #[error("the palette's signs are not fixed; make it with DualQuatPalette::new")]
    SignsNotFixed,
    /// A vertex layout whose parts overlap or reach past its stride, or a buffer too short for it.
    #[error("the vertex layout does not fit: {why}")]
    Layout {
        /// The reason.
        why: &'static str,
    },
    /// A pose of another skeleton.
    #[error("the pose has {found} joints where {wanted} are wanted: it is of another skeleton")]
    OtherSkeleton {
        /// Joints of the pose.
        found: usize,
        /// Joints of the skeleton.
        wanted: usize,
    },
    /// A skin of a joint that the pose does not have.
    #[error("the skin names joint {joint}, but the pose has only {joints} joints")]
    SkinJoint {
        /// The joint.
        joint: usize,
        /// Joints of the pose.
        joints: usize,
    },
    /// A skin that has not an inverse bind for each of its joints.
    #[error("the skin has {wanted} joints and {found} inverse binds")]
    InverseBinds {
        /// The number of inverse binds.
        found: usize,
        /// The number of joints.
        wanted: usize,
    },
    /// An influence of a joint that the palette does not have.
    #[error("influences name joint {joint}, but the palette has only {len}")]
    NoSuchJoint {
        /// The highest joint named.
        joint: usize,
        /// The palette's length.
        len: usize,
    },
    /// Weight gradients of other influences.
    #[error(
        "there are {found} weight gradients for {wanted} influences; there must be one per influence"
    )]
    Gradients {
        /// The number of gradients.
        found: usize,
        /// The number of influences.
        wanted: usize,
    },
}
