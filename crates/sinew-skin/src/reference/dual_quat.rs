//! Dual quaternion skinning with scale: the blended stretch, then the blended rigid motion. Formula
//! in [`crate::palette::dual_quat`].
//!
//! The blend and its two phases are from Kavan et al. 2008. Their variant takes scale from column
//! norms and chooses signs per vertex. The tests contain that variant and show where it fails.

use crate::error::SkinError;
use crate::influences::Influences;
use crate::palette::{DualQuatJoint, DualQuatPalette};
use crate::vertices::{VertexMap, Vertices, VerticesMut, map_vertices};
use glam::{Quat, Vec3};
use sinew_math::DualQuat;
use sinew_math::transform::{Affine, quat};

const ZERO: Quat = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);

pub(crate) struct JointSum {
    /// Σ w q.
    pub rotation: Quat,
    /// Σ w ½ d q.
    pub dual: Quat,
    /// Σ w ½ q c.
    pub lever: Quat,
    /// Σ w S (x − c).
    pub stretch: Affine,
    /// Σ w c.
    pub centre: Vec3,
    /// s = Σ w σ.
    pub scale: f32,
}

impl JointSum {
    /// Sum of the joints of a vertex. If their rotations cancel out (at a relative rotation of
    /// 180°), the heaviest joint and true.
    pub fn of(palette: &DualQuatPalette, influences: &Influences, vertex: usize) -> (Self, bool) {
        let heaviest = influences.heaviest(vertex).map(|(joint, _)| joint);
        Self::blend(palette, influences.get(vertex), heaviest)
    }

    /// The sum of given joints and weights, and the heaviest joint.
    pub fn blend(
        palette: &DualQuatPalette,
        influences: impl Iterator<Item = (usize, f32)>,
        heaviest: Option<usize>,
    ) -> (Self, bool) {
        let heaviest = heaviest.map(|joint| palette.joint(joint));
        let heaviest = heaviest.as_ref();
        let mut sum = Self::NOTHING;
        for (joint, weight) in influences {
            sum.add(&signed(palette, palette.joint(joint), heaviest), weight);
        }
        match heaviest {
            Some(heaviest) if sum.motion().normalized().is_none() => {
                let mut alone = Self::NOTHING;
                alone.add(heaviest, 1.0);
                (alone, true)
            }
            Some(_) => (sum, false),
            None => (Self::AT_BIND, false),
        }
    }

    const NOTHING: Self = Self {
        rotation: ZERO,
        dual: ZERO,
        lever: ZERO,
        stretch: Affine::ZERO,
        centre: Vec3::ZERO,
        scale: 0.0,
    };

    const AT_BIND: Self = Self {
        rotation: Quat::IDENTITY,
        stretch: Affine::IDENTITY,
        ..Self::NOTHING
    };

    fn add(&mut self, joint: &DualQuatJoint, weight: f32) {
        self.rotation = quat::add_scaled(self.rotation, joint.rotation, weight);
        self.dual = quat::add_scaled(self.dual, joint.dual(), weight);
        self.lever = quat::add_scaled(self.lever, joint.lever(), weight);
        self.stretch.add_scaled(&joint.stretch, weight);
        self.centre += joint.bind_position * weight;
        self.scale += joint.scale * weight;
    }

    /// The blended motion, of any length.
    pub fn motion(&self) -> DualQuat {
        DualQuat {
            real: self.rotation,
            dual: quat::add_scaled(self.dual, self.lever, -self.scale),
        }
    }

    /// x ↦ Σ w S (x − c) + s Σ w c.
    pub fn whole_stretch(&self) -> Affine {
        let mut stretch = self.stretch;
        for (row, c) in stretch.rows.iter_mut().zip(self.centre.to_array()) {
            row[3] += self.scale * c;
        }
        stretch
    }
}

pub(crate) struct StretchThenMove {
    stretch: Affine,
    motion: DualQuat,
}

impl StretchThenMove {
    /// Map of a vertex, from the sum of its joints.
    pub fn new(sum: &JointSum) -> Self {
        Self {
            stretch: sum.whole_stretch(),
            motion: sum.motion().normalized().unwrap_or(DualQuat::IDENTITY),
        }
    }
}

impl VertexMap for StretchThenMove {
    fn position(&self, p: Vec3) -> Vec3 {
        self.motion.transform_point(self.stretch.transform_point(p))
    }

    fn normal(&self, n: Vec3) -> Vec3 {
        self.motion.transform_vector(self.stretch.transform_area(n))
    }

    fn tangent(&self, t: Vec3) -> Vec3 {
        self.motion
            .transform_vector(self.stretch.transform_vector(t))
    }
}

/// Moves every vertex by the weighted mean of its joints' motions.
///
/// If the weighted motions cancel out (at a relative rotation of 180°), uses the heaviest joint.
/// With signs from the pose, the result is continuous within 180° of the bind pose of every joint.
pub fn dual_quat(
    palette: &DualQuatPalette,
    influences: &Influences,
    vertices: &Vertices<'_>,
    out: &mut VerticesMut<'_>,
) -> Result<(), SkinError> {
    map_vertices(palette.len(), influences, vertices, out, |vertex| {
        let (sum, _) = JointSum::of(palette, influences, vertex);
        StretchThenMove::new(&sum)
    })
}

/// Joint with the sign of the palette or, if not fixed, the sign nearer to the heaviest influence.
pub(super) fn signed(
    palette: &DualQuatPalette,
    joint: DualQuatJoint,
    heaviest: Option<&DualQuatJoint>,
) -> DualQuatJoint {
    match heaviest {
        Some(heaviest) if !palette.signs_are_fixed() => joint.aligned(heaviest.rotation),
        _ => joint,
    }
}
