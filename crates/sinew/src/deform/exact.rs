//! Exact normals of a deformed primitive, and tangents perpendicular to them.

use super::deformed::DeformedPrimitive;
use super::palette::SkinPalette;
use crate::mesh::{Influences, Primitive};
use sinew_skin::{
    Method, SkinError, WeightGradients, exact_normals_dual_quat, exact_normals_linear, unit_or,
};

/// Replaces the normals of `part` by exact ones. `bind` has its vertices before skinning, with
/// morph targets applied. Other methods than linear and dual quaternion keep their normals.
pub(super) fn replace(
    method: Method,
    palette: &SkinPalette,
    primitive: &Primitive,
    influences: &Influences,
    bind: &DeformedPrimitive,
    part: &mut DeformedPrimitive,
) -> Result<(), SkinError> {
    let Some(normals) = &mut part.normals else {
        return Ok(());
    };
    let still = bind.as_input();
    let gradients = || WeightGradients::estimate(&still, primitive.triangles(), influences);
    match (method, palette) {
        (Method::Linear, SkinPalette::Matrices(palette)) => {
            let maps = palette.as_slice();
            exact_normals_linear(maps, influences, &gradients()?, &still, normals)?;
        }
        (Method::DualQuat, SkinPalette::DualQuats(palette)) => {
            exact_normals_dual_quat(palette, influences, &gradients()?, &still, normals)?;
        }
        _ => return Ok(()),
    }
    for (tangent, normal) in part.tangents.iter_mut().flatten().zip(normals) {
        let along = tangent.truncate();
        let level = along - *normal * along.dot(*normal);
        *tangent = unit_or(level, along).extend(tangent.w);
    }
    Ok(())
}
