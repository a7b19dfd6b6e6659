//! What measuring finds, as plain data.

use sinew_skin::Method;

/// A joint turned further than this against the one that it shares vertices with strains every method.
pub const FAR_DEG: f64 = 150.0;

/// The measurement of how a character deforms over some frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// When each frame is.
    pub times_secs: Vec<f64>,
    /// What was measured on.
    pub surface: SurfaceReport,
    /// How joints share its vertices.
    pub weights: WeightReport,
    /// The furthest that each joint turns, ascending by joint; for joints that share vertices with
    /// one above them.
    pub turns: Vec<JointRotation>,
    /// One for each method asked for, in that order.
    pub methods: Vec<MethodReport>,
}

impl Measurement {
    /// Joints that turn beyond [`FAR_DEG`]. Near a half turn linear skinning collapses and dual
    /// quaternions jump to the other side: twist joints in between share the turn.
    pub fn far_joints(&self) -> impl Iterator<Item = &JointRotation> {
        self.turns.iter().filter(|t| t.angle_deg > FAR_DEG)
    }
}

/// The surface that skins move, at the rest pose as skinned.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceReport {
    /// How many vertices.
    pub vertices: usize,
    /// How many triangles.
    pub triangles: usize,
    /// The diagonal of the box around it.
    pub extent: f64,
    /// What its closed pieces enclose; `None` when there are none.
    pub volume: Option<f64>,
    /// Meshes with open pieces, which have no volume.
    pub open: Vec<OpenMesh>,
}

/// A mesh that is open somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenMesh {
    /// The node that carries it.
    pub node: usize,
    /// Edges that lack a triangle on one side.
    pub open_edges: usize,
    /// Triangles of the pieces that have such edges.
    pub open_triangles: usize,
}

/// The statistics of weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightReport {
    /// Joints per vertex, on average.
    pub influences_mean: f64,
    /// The most joints that any vertex follows.
    pub influences_max: usize,
    /// Different sets of joints that vertices follow.
    pub joint_sets: usize,
    /// Vertices that follow a single joint.
    pub single_joint_vertices: usize,
}

/// The largest rotation of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointRotation {
    /// Index in the skeleton.
    pub joint: usize,
    /// From the bind pose, against the joint above that it shares most vertices with: 0 to 180.
    pub angle_deg: f64,
    /// The frame of that angle.
    pub frame: usize,
}

/// The report of a skinning method.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodReport {
    /// Which one.
    pub method: Method,
    /// Frame by frame.
    pub frames: Vec<FrameReport>,
    /// The limb around each joint at its worst, ascending by joint.
    pub sections: Vec<SectionReport>,
}

/// One frame of one method. Ratios are to the rest pose as skinned with the frame's morph targets, so what
/// morphs do is not counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameReport {
    /// The volume of closed pieces over what it is at rest; `None` when there are none.
    pub volume: Option<f64>,
    /// Lengths of edges over their lengths at rest.
    pub stretch: Stretch,
    /// Triangles turned over: their normal is more than 90° from where their main joint takes it.
    pub flipped: usize,
    /// How far skinned normals are from the moved triangles'.
    pub normal_error_deg: NormalError,
    /// The fastest vertex since the frame before, in units a second; 0 in the first frame.
    pub speed: f64,
    /// How far that vertex went, in extents of the rest pose; 0 in the first frame.
    pub step: f64,
    /// The limb that is narrowest, by its [`SectionReport::narrowest`]; `None` where there are no limbs.
    pub narrowest: Option<Reading>,
    /// The limb that is widest, by its [`SectionReport::widest`]; likewise.
    pub widest: Option<Reading>,
    /// An end of the longest drawn edge; `None` where there are no edges.
    pub stretch_at: Option<MeshPlace>,
    /// The vertex whose normal is off most.
    pub normal_at: Option<MeshPlace>,
    /// The fastest vertex; `None` in the first frame.
    pub step_at: Option<MeshPlace>,
}

impl FrameReport {
    /// Keeps what is worse than what is known.
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

/// A vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshPlace {
    /// The node that carries the mesh.
    pub node: usize,
    /// Which primitive of the mesh.
    pub primitive: usize,
    /// Which of its vertices.
    pub vertex: usize,
}

/// The distribution of the stretch of edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// One edge in a hundred is at most this.
    pub p1: f64,
    /// The median.
    pub p50: f64,
    /// One edge in a hundred is at least this.
    pub p99: f64,
    /// The longest drawn edge.
    pub max: f64,
}

/// The distribution of angles between normals. The normals skinned are those of the triangles at bind,
/// so that normals painted by hand count as no error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalError {
    /// On average.
    pub mean: f64,
    /// One vertex in a hundred is off by at least this.
    pub p99: f64,
    /// The worst vertex.
    pub max: f64,
}

/// The limb around a joint, over all frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionReport {
    /// Index in the skeleton.
    pub joint: usize,
    /// The smallest mean radius of a ring around the limb over its radius at rest: near 0 where a
    /// twist draws it together like a sweet's wrapper.
    pub narrowest: Reading,
    /// The largest distance of a vertex from the two bones over that at rest: above 1 where a bend
    /// bulges. `None` when no vertex is shared, or the limb has no direction.
    pub widest: Option<Reading>,
}

/// A value and where it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The value.
    pub value: f64,
    /// The frame.
    pub frame: usize,
    /// The joint, for what is measured at joints.
    pub joint: Option<usize>,
}
