//! Input and output vertices, and the scalar loop over them.

use crate::error::SkinError;
use crate::influences::Influences;
use glam::{Vec3, Vec4};

/// Skinning method: the formula that combines the joints of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[doc(alias = "skinning mode")]
pub enum Method {
    /// Moves a vertex only by its heaviest joint. Cracks open between joints.
    Rigid,
    /// The weighted mean of the positions that the joints give a vertex. A twisted limb collapses.
    #[default]
    Linear,
    /// Weighted mean of the motions of the joints. Twisted limbs keep volume; bent limbs bulge.
    DualQuat,
    /// Weighted means of rotations and, separately, of translations. For comparison only.
    Quaternion,
}

impl Method {
    /// All methods, the simplest first.
    pub const ALL: [Self; 4] = [Self::Rigid, Self::Linear, Self::DualQuat, Self::Quaternion];

    /// Name in files and in the program: `rigid`, `lbs`, `dqs` or `quat`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rigid => "rigid",
            Self::Linear => "lbs",
            Self::DualQuat => "dqs",
            Self::Quaternion => "quat",
        }
    }

    /// Method with this [`Method::name`].
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
}

/// Vertices before skinning.
#[derive(Clone, Copy, Debug)]
pub struct Vertices<'a> {
    /// Positions at the bind pose, in model space.
    pub positions: &'a [Vec3],
    /// Normals at the bind pose, one per position.
    pub normals: Option<&'a [Vec3]>,
    /// Tangents at the bind pose with handedness in w, one per position.
    pub tangents: Option<&'a [Vec4]>,
}

impl Vertices<'_> {
    pub(crate) fn check_lengths(&self, expected: usize) -> Result<(), SkinError> {
        let lengths = [
            ("the position stream", Some(self.positions.len())),
            ("the normal stream", self.normals.map(<[_]>::len)),
            ("the tangent stream", self.tangents.map(<[_]>::len)),
        ];
        check_lengths(&lengths, expected)
    }
}

/// Output slices, as long as the input. Normals and tangents need the same stream in the input.
#[derive(Debug)]
pub struct VerticesMut<'a> {
    /// Positions at the current pose, in model space.
    pub positions: &'a mut [Vec3],
    /// Unit normals at the current pose.
    pub normals: Option<&'a mut [Vec3]>,
    /// Unit tangents at the current pose. The handedness stays the same.
    pub tangents: Option<&'a mut [Vec4]>,
}

/// The blended map of a vertex, for position, normal and tangent.
pub(crate) trait VertexMap {
    fn position(&self, p: Vec3) -> Vec3;
    fn normal(&self, n: Vec3) -> Vec3;
    fn tangent(&self, t: Vec3) -> Vec3;
}

pub(crate) fn map_vertices<M: VertexMap>(
    palette_len: usize,
    influences: &Influences,
    vertices: &Vertices<'_>,
    out: &mut VerticesMut<'_>,
    map_of: impl Fn(usize) -> M,
) -> Result<(), SkinError> {
    check(palette_len, influences, vertices, out)?;
    for vertex in 0..vertices.positions.len() {
        let map = map_of(vertex);
        out.positions[vertex] = map.position(vertices.positions[vertex]);
        if let (Some(out), Some(normals)) = (&mut out.normals, vertices.normals) {
            out[vertex] = unit_or(map.normal(normals[vertex]), normals[vertex]);
        }
        if let (Some(out), Some(tangents)) = (&mut out.tangents, vertices.tangents) {
            let t = tangents[vertex];
            out[vertex] = unit_or(map.tangent(t.truncate()), t.truncate()).extend(t.w);
        }
    }
    Ok(())
}

/// `v` at unit length, or `fallback` if the length of `v` is zero. Computed in `f64`: an area grows
/// with the square of the scale, and the square of an area with the fourth power.
#[doc(hidden)]
pub fn unit_or(v: Vec3, fallback: Vec3) -> Vec3 {
    let wide = v.as_dvec3();
    let length = wide.length();
    if length > 0.0 && length.is_finite() {
        (wide / length).as_vec3()
    } else {
        fallback
    }
}

pub(crate) fn check(
    palette_len: usize,
    influences: &Influences,
    vertices: &Vertices<'_>,
    out: &VerticesMut<'_>,
) -> Result<(), SkinError> {
    let expected = vertices.positions.len();
    vertices.check_lengths(expected)?;
    let lengths = [
        ("the influence list", Some(influences.len())),
        ("the position output", Some(out.positions.len())),
        ("the normal output", out.normals.as_ref().map(|n| n.len())),
        ("the tangent output", out.tangents.as_ref().map(|t| t.len())),
    ];
    check_lengths(&lengths, expected)?;
    if out.normals.is_some() && vertices.normals.is_none() {
        return Err(SkinError::Missing { what: "normals" });
    }
    if out.tangents.is_some() && vertices.tangents.is_none() {
        return Err(SkinError::Missing { what: "tangents" });
    }
    check_joints(palette_len, influences)
}

pub(crate) fn check_joints(palette_len: usize, influences: &Influences) -> Result<(), SkinError> {
    match influences.max_joint() {
        Some(joint) if joint >= palette_len => Err(SkinError::NoSuchJoint {
            joint,
            len: palette_len,
        }),
        _ => Ok(()),
    }
}

pub(crate) fn check_lengths(
    lengths: &[(&'static str, Option<usize>)],
    expected: usize,
) -> Result<(), SkinError> {
    for &(what, found) in lengths {
        if let Some(found) = found.filter(|&f| f != expected) {
            return Err(SkinError::Length {
                what,
                found,
                expected,
            });
        }
    }
    Ok(())
}
