//! Direct quaternion blending, for comparison only. Blends rotations as quaternions, and
//! translations separately as vectors (Hejl 2004, "Hardware skinning with quaternions").
//!
//! Twists keep their volume. But rotations are about the origin of the model, so a limb far from it
//! comes off its joint. Dual quaternions fix this and blend scale in the same way.

use super::dual_quat::JointSum;
use crate::error::SkinError;
use crate::influences::Influences;
use crate::palette::DualQuatPalette;
use crate::vertices::{VertexMap, Vertices, VerticesMut, map_vertices};
use glam::{Quat, Vec3};
use sinew_math::transform::{Affine, quat};

struct StretchRotateMove {
    stretch: Affine,
    rotation: Quat,
    translation: Vec3,
}

impl VertexMap for StretchRotateMove {
    fn position(&self, p: Vec3) -> Vec3 {
        quat::rotate(self.rotation, self.stretch.transform_point(p)) + self.translation
    }

    fn normal(&self, n: Vec3) -> Vec3 {
        quat::rotate(self.rotation, self.stretch.transform_area(n))
    }

    fn tangent(&self, t: Vec3) -> Vec3 {
        quat::rotate(self.rotation, self.stretch.transform_vector(t))
    }
}

/// Moves every vertex by the weighted mean of its joints' quaternions and, separately,
/// translations, with the signs of the palette. If rotations cancel out, uses the heaviest joint.
pub fn quaternion(
    palette: &DualQuatPalette,
    influences: &Influences,
    vertices: &Vertices<'_>,
    out: &mut VerticesMut<'_>,
) -> Result<(), SkinError> {
    map_vertices(palette.len(), influences, vertices, out, |vertex| {
        let (sum, _) = JointSum::of(palette, influences, vertex);
        let mut translation = Vec3::ZERO;
        for (joint, weight) in influences.get(vertex) {
            translation += palette.joint(joint).motion(sum.scale).translation() * weight;
        }
        StretchRotateMove {
            stretch: sum.whole_stretch(),
            rotation: quat::normalized(sum.rotation),
            translation,
        }
    })
}
