//! Rigid and linear blend skinning: v′ = Σ wⱼ Kⱼ v.

use crate::error::SkinError;
use crate::influences::Influences;
use crate::vertices::{VertexMap, Vertices, VerticesMut, map_vertices};
use glam::Vec3;
use sinew_math::transform::Affine;

impl VertexMap for Affine {
    fn position(&self, p: Vec3) -> Vec3 {
        self.transform_point(p)
    }

    fn normal(&self, n: Vec3) -> Vec3 {
        self.transform_area(n)
    }

    fn tangent(&self, t: Vec3) -> Vec3 {
        self.transform_vector(t)
    }
}

/// Moves every vertex by its heaviest joint. Of equal weights, the lowest joint counts.
pub fn rigid(
    model_from_bind: &[Affine],
    influences: &Influences,
    vertices: &Vertices<'_>,
    out: &mut VerticesMut<'_>,
) -> Result<(), SkinError> {
    map_vertices(
        model_from_bind.len(),
        influences,
        vertices,
        out,
        |vertex| match influences.heaviest(vertex) {
            Some((joint, _)) => model_from_bind[joint],
            None => Affine::IDENTITY,
        },
    )
}

/// Moves every vertex to the weighted mean of the positions that its joints give it.
///
/// ```
/// use glam::Vec3;
/// use sinew::skin::{Vertices, VerticesMut, linear};
/// use sinew::{Affine, Influences};
/// let (influences, _) = Influences::from_lists(&[vec![(0, 0.75), (1, 0.25)]], 2)?;
/// let palette = [Affine::IDENTITY, Affine::from_translation(Vec3::X)];
/// let mut positions = [Vec3::ZERO];
/// let mut out = VerticesMut { positions: &mut positions, normals: None, tangents: None };
/// let bind = Vertices { positions: &[Vec3::Y], normals: None, tangents: None };
/// linear(&palette, &influences, &bind, &mut out)?;
/// assert_eq!(positions[0], Vec3::new(0.25, 1.0, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn linear(
    model_from_bind: &[Affine],
    influences: &Influences,
    vertices: &Vertices<'_>,
    out: &mut VerticesMut<'_>,
) -> Result<(), SkinError> {
    map_vertices(model_from_bind.len(), influences, vertices, out, |vertex| {
        blended(model_from_bind, influences, vertex)
    })
}

pub(super) fn blended(
    model_from_bind: &[Affine],
    influences: &Influences,
    vertex: usize,
) -> Affine {
    let mut blended = Affine::ZERO;
    for (joint, weight) in influences.get(vertex) {
        blended.add_scaled(&model_from_bind[joint], weight);
    }
    blended
}
