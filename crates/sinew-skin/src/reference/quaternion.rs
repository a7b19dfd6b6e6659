//! Direct quaternion blending, for comparison only: rotations are blended as quaternions and
//! translations as vectors, each on its own.
//!
//! Hejl 2004, "Hardware skinning with quaternions". Twists keep their volume, but rotation happens
//! about the model's origin, so that a limb far from it is thrown off its joint: the fault that dual
//! quaternions mend. Scale is blended as dual quaternion skinning does.

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

/// Every vertex takes the weighted mean of its joints' quaternions and, apart, of their translations.
/// Signs are the palette's; where rotations cancel out, the heaviest joint's is used.
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
