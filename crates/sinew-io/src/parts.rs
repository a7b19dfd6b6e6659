//! Deformed primitives to write. Checks that they match their character and are finite.

use sinew::{Character, Deformed, DeformedPrimitive, Primitive};
use std::io;

pub(crate) fn parts<'a>(
    character: &'a Character,
    deformed: &'a Deformed,
) -> io::Result<Vec<(&'a DeformedPrimitive, &'a Primitive)>> {
    let part = |part: &'a DeformedPrimitive| {
        let (mesh, primitive) = (part.mesh, part.primitive);
        let found = character.meshes.get(mesh);
        let found = found.and_then(|mesh| mesh.primitives.get(primitive));
        let source = found
            .filter(|source| source.len() == part.positions.len())
            .ok_or_else(|| {
                refused(format!(
                    "primitive {primitive} of mesh {mesh} does not belong to this character"
                ))
            })?;
        let normals = part.normals.as_deref().unwrap_or_default();
        let mut vectors = part.positions.iter().chain(normals);
        if vectors.all(|v| v.is_finite()) {
            Ok((part, source))
        } else {
            Err(refused(format!(
                "mesh {mesh} has a vertex that is infinite or not a number"
            )))
        }
    };
    deformed.primitives.iter().map(part).collect()
}

fn refused(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, why)
}
