use crate::parts;
use glam::Vec3;
use sinew::{Character, Deformed};
use std::io::{self, Write};

/// Writes all primitives of `deformed` as one little-endian mesh of positions, normals (zero if
/// absent) and triangles. Omits lines and points.
///
/// # Errors
/// If `deformed` does not belong to `character`, a vertex is not finite, there are too many
/// vertices for the format, or `out` cannot be written.
pub fn write_ply(
    character: &Character,
    deformed: &Deformed,
    out: &mut impl Write,
) -> io::Result<()> {
    let parts = parts::parts(character, deformed)?;
    let vertices: usize = parts.iter().map(|(part, _)| part.positions.len()).sum();
    if i32::try_from(vertices).is_err() {
        let message = format!("{vertices} vertices are too many for the indices of a PLY file");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let triangles: usize = parts
        .iter()
        .map(|(_, primitive)| primitive.triangles().count())
        .sum();
    write!(
        out,
        "ply\nformat binary_little_endian 1.0\ncomment made by sinew\n\
         element vertex {vertices}\n\
         property float x\nproperty float y\nproperty float z\n\
         property float nx\nproperty float ny\nproperty float nz\n\
         element face {triangles}\nproperty list uchar int vertex_indices\nend_header\n"
    )?;
    for (part, _) in &parts {
        for (vertex, p) in part.positions.iter().enumerate() {
            let n = part.normals.as_ref().and_then(|n| n.get(vertex));
            let n = n.copied().unwrap_or(Vec3::ZERO);
            for x in p.to_array().into_iter().chain(n.to_array()) {
                out.write_all(&x.to_le_bytes())?;
            }
        }
    }
    let mut first = 0;
    for (part, primitive) in &parts {
        for triangle in part.triangles(primitive) {
            out.write_all(&[3])?;
            for vertex in triangle {
                out.write_all(&((first + vertex) as i32).to_le_bytes())?;
            }
        }
        first += part.positions.len();
    }
    Ok(())
}
