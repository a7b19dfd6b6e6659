use sinew_skin::Method;

/// Rotation between neighbouring joints, in degrees, beyond which all skinning methods are poor.
pub const FAR_DEG: f64 = 150.0;

/// Quality of the deformation of a character over a series of frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Time of each frame, in seconds.
    pub times_secs: Vec<f64>,
    /// Report of the skinned surface at rest.
    pub surface: SurfaceReport,
    /// Statistics of the skin weights.
    pub weights: WeightReport,
    /// Max rotation of each joint that shares vertices with an ancestor, in joint order.
    pub rotations: Vec<JointRotation>,
    /// One report per method, in the order of the request.
    pub methods: Vec<MethodReport>,
}

impl Measurement {
    /// Joints that rotate beyond [`FAR_DEG`], where skinning methods collapse or jump.
    pub fn far_joints(&self) -> impl Iterator<Item = &JointRotation> {
        self.rotations.iter().filter(|t| t.angle_deg > FAR_DEG)
    }
}

/// Skinned surface at the rest pose.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceReport {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Diagonal of the bounding box, in units of the model.
    pub extent: f64,
    /// Volume of the closed pieces, in cubic units of the model. `None` without closed pieces.
    pub volume: Option<f64>,
    /// Meshes with open pieces. Open pieces have no volume.
    pub open: Vec<OpenMesh>,
}

/// Mesh with open edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenMesh {
    /// Index of the node.
    pub node: usize,
    /// Number of edges with a triangle on only one side.
    pub open_edges: usize,
    /// Number of triangles in pieces with open edges.
    pub open_triangles: usize,
}

/// Statistics of skin weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightReport {
    /// Mean number of joints per vertex.
    pub influences_mean: f64,
    /// Max number of joints per vertex.
    pub influences_max: usize,
    /// Number of different joint sets.
    pub joint_sets: usize,
    /// Number of vertices with a single joint.
    pub single_joint_vertices: usize,
}

/// Max rotation of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointRotation {
    /// Index of the joint in the skeleton.
    pub joint: usize,
    /// Rotation from the bind pose, in degrees from 0 to 180, relative to the outer joint that
    /// shares the largest number of vertices.
    pub angle_deg: f64,
    /// Index of the frame with this angle.
    pub frame: usize,
}

/// Measurements of a skinning method.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodReport {
    /// Skinning method.
    pub method: Method,
    /// One report per frame.
    pub frames: Vec<FrameReport>,
    /// Worst values at each joint over all frames, in joint order.
    pub sections: Vec<SectionReport>,
}

/// Measurements of one frame, relative to the rest pose with the same morph targets. The feature
/// `serde` writes the values under the names of [`Metric`](super::Metric).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FrameReport {
    /// Volume of the closed pieces, relative to rest. `None` without closed pieces.
    pub volume: Option<f64>,
    /// Lengths of edges relative to rest.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub stretch: Stretch,
    /// Number of triangles with a normal over 90° away from the normal that their main joint gives.
    pub flipped: usize,
    /// Angles between skinned normals and normals of the moved triangles, in degrees.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub normal_error_deg: NormalError,
    /// Max speed of a vertex since the previous frame, in units per second. 0 in the first frame.
    #[cfg_attr(feature = "serde", serde(rename = "speed_max"))]
    pub speed: f64,
    /// Distance that the fastest vertex moved, in extents of the rest pose. 0 in the first frame.
    #[cfg_attr(feature = "serde", serde(rename = "step_max"))]
    pub step: f64,
    /// Min of [`SectionReport::narrowest`] over all joints. `None` without limbs.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub narrowest: Option<Reading>,
    /// Max of [`SectionReport::widest`] over all joints. `None` without limbs.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub widest: Option<Reading>,
    /// One end of the edge with the largest stretch. `None` without edges.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub stretch_at: Option<MeshLocation>,
    /// Vertex with the largest normal error.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub normal_at: Option<MeshLocation>,
    /// Fastest vertex. `None` in the first frame.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub step_at: Option<MeshLocation>,
}

impl FrameReport {
    pub(super) fn note_section(&mut self, found: &SectionReport) {
        let narrowest = found.narrowest;
        if self
            .narrowest
            .is_none_or(|known| narrowest.value < known.value)
        {
            self.narrowest = Some(narrowest);
        }
        let is_wider = |new: &Reading| self.widest.is_none_or(|known| new.value > known.value);
        self.widest = found.widest.filter(is_wider).or(self.widest);
    }
}

/// Vertex of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshLocation {
    /// Index of the node.
    pub node: usize,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
    /// Index of the vertex in the primitive.
    pub vertex: usize,
}

/// Distribution of the stretch of edges, which is their length relative to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Stretch {
    /// First percentile.
    #[cfg_attr(feature = "serde", serde(rename = "stretch_p1"))]
    pub p1: f64,
    /// Median.
    #[cfg_attr(feature = "serde", serde(rename = "stretch_p50"))]
    pub p50: f64,
    /// 99th percentile.
    #[cfg_attr(feature = "serde", serde(rename = "stretch_p99"))]
    pub p99: f64,
    /// Max stretch.
    #[cfg_attr(feature = "serde", serde(rename = "stretch_max"))]
    pub max: f64,
}

/// Angles between normals, in degrees. Skinned normals start from the triangles at bind, so painted
/// normals cause no error.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct NormalError {
    /// Mean angle.
    #[cfg_attr(feature = "serde", serde(rename = "normal_error_mean"))]
    pub mean: f64,
    /// 99th percentile.
    #[cfg_attr(feature = "serde", serde(rename = "normal_error_p99"))]
    pub p99: f64,
    /// Max angle.
    #[cfg_attr(feature = "serde", serde(rename = "normal_error_max"))]
    pub max: f64,
}

/// Worst values of the limb around a joint over all frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionReport {
    /// Index of the joint in the skeleton.
    pub joint: usize,
    /// Min mean radius of a ring around the limb, relative to rest. Near 0 if the limb collapses.
    pub narrowest: Reading,
    /// Max distance of a vertex from the two bones, relative to rest. Above 1 if a bend bulges.
    /// `None` if the limb has no shared vertices or no direction.
    pub widest: Option<Reading>,
}

/// Value with its frame and joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Measured value.
    pub value: f64,
    /// Index of the frame.
    pub frame: usize,
    /// Index of the joint, if there is one value per joint.
    pub joint: Option<usize>,
}
