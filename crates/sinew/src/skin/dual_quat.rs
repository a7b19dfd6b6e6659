//! Dual quaternion skinning with scale: first the blended stretch about each joint's own bind
//! position, then the blended rigid motion.
//!
//! Kavan et al. 2008 for the blend and its two phases. The printed variant with column norms for
//! scale and a sign reference per vertex is in the tests, where it fails.

use super::palette::{DualQuatJoint, DualQuatPalette};
use super::{SkinError, VertexMap, Vertices, VerticesMut, map_vertices};
use crate::dual_quat::DualQuat;
use crate::mesh::Influences;
use crate::transform::Affine;
use glam::Vec3;

struct StretchThenMove {
    stretch: Option<Affine>,
    motion: DualQuat,
}

impl VertexMap for StretchThenMove {
    fn position(&self, p: Vec3) -> Vec3 {
        let stretched = self.stretch.map_or(p, |s| s.transform_point(p));
        self.motion.transform_point(stretched)
    }

    fn normal(&self, n: Vec3) -> Vec3 {
        let stretched = self.stretch.map_or(n, |s| s.transform_area(n));
        self.motion.transform_vector(stretched)
    }

    fn tangent(&self, t: Vec3) -> Vec3 {
        let stretched = self.stretch.map_or(t, |s| s.transform_vector(t));
        self.motion.transform_vector(stretched)
    }
}

/// Every vertex takes the weighted mean of its joints' motions.
///
/// Where the weighted motions cancel out, which takes a relative half turn, the heaviest joint's is
/// used. With signs from the pose the result is continuous while every joint stays under a half turn
/// from its bind pose.
pub fn dual_quat(
    palette: &DualQuatPalette,
    influences: &Influences,
    vertices: &Vertices,
    out: &mut VerticesMut,
) -> Result<(), SkinError> {
    let joints = palette.as_slice();
    map_vertices(joints.len(), influences, vertices, out, |vertex| {
        let heaviest = influences.heaviest(vertex).map(|(joint, _)| &joints[joint]);
        let mut sum = DualQuat::ZERO;
        let mut stretch = Affine::ZERO;
        let mut stretched = false;
        for (joint, weight) in influences.get(vertex) {
            let joint = &joints[joint];
            sum = sum.add_scaled(&signed_motion(palette, joint, heaviest), weight);
            stretch.add_scaled(&joint.stretch, weight);
            stretched |= !joint.is_rigid;
        }
        let motion = sum
            .normalized()
            .or(heaviest.map(|h| h.motion))
            .unwrap_or(DualQuat::IDENTITY);
        StretchThenMove {
            stretch: stretched.then_some(stretch),
            motion,
        }
    })
}

/// A joint's motion with the sign that it has in a blend: the palette's own, or else the one on the
/// side of the heaviest influence.
pub(super) fn signed_motion(
    palette: &DualQuatPalette,
    joint: &DualQuatJoint,
    heaviest: Option<&DualQuatJoint>,
) -> DualQuat {
    match heaviest {
        Some(heaviest) if !palette.signs_are_fixed() => joint.motion.aligned(heaviest.motion.real),
        _ => joint.motion,
    }
}
