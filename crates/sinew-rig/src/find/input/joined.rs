//! Meshes of a character as one surface.

use glam::Vec3;
use sinew::{Character, DeformError, Method, deform};

/// All meshes of a character at rest as one surface in model space: positions, and triangles as indices of them.
///
/// # Errors
/// [`DeformError`] if the character is inconsistent.
pub fn joined_surface(character: &Character) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), DeformError> {
    let posed = deform(character, None, 0.0, Method::Linear)?;
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for part in &posed.primitives {
        let first = positions.len();
        let primitive = &character.meshes[part.mesh].primitives[part.primitive];
        triangles.extend(primitive.triangles().map(|t| t.map(|v| (first + v) as u32)));
        positions.extend_from_slice(&part.positions);
    }
    Ok((positions, triangles))
}
