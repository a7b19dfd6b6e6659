use crate::parts;
use sinew::mesh::Topology;
use sinew::{Character, Deformed, Primitive};
use std::io::{self, Write};

/// Writes every primitive of `deformed` as an object: vertices in the order of the mesh, texture
/// coordinates (v upward), normals, and triangles, lines or points. Omits attributes that do not
/// have one value per vertex.
///
/// # Errors
/// If `deformed` does not match `character`, a vertex is not finite, or `out` cannot be written.
pub fn write_obj(
    character: &Character,
    deformed: &Deformed,
    out: &mut impl Write,
) -> io::Result<()> {
    // OBJ counts each attribute separately, from 1, over the whole file.
    let (mut first, mut first_uv, mut first_normal) = (1, 1, 1);
    for (part, primitive) in parts::parts(character, deformed)? {
        let mesh = &character.meshes[part.mesh];
        let name = match mesh.name.as_str() {
            "" => format!("mesh{}", part.mesh),
            name => name.replace(char::is_whitespace, "_"),
        };
        writeln!(out, "o {name}.{}.{}", part.node, part.primitive)?;
        for p in &part.positions {
            writeln!(out, "v {} {} {}", p.x, p.y, p.z)?;
        }
        let has_all = |len: usize| len == part.positions.len();
        let texcoords = primitive.texcoords.first().filter(|t| has_all(t.len()));
        let normals = part.normals.as_ref().filter(|n| has_all(n.len()));
        for t in texcoords.iter().flat_map(|t| t.iter()) {
            writeln!(out, "vt {} {}", t.x, 1.0 - t.y)?;
        }
        for n in normals.into_iter().flatten() {
            writeln!(out, "vn {} {} {}", n.x, n.y, n.z)?;
        }
        let corner = |vertex: usize| {
            let v = first + vertex;
            match (texcoords.is_some(), normals.is_some()) {
                (true, true) => format!("{v}/{}/{}", first_uv + vertex, first_normal + vertex),
                (true, false) => format!("{v}/{}", first_uv + vertex),
                (false, true) => format!("{v}//{}", first_normal + vertex),
                (false, false) => v.to_string(),
            }
        };
        match primitive.topology {
            Topology::Triangles => {
                for [a, b, c] in part.triangles(primitive) {
                    writeln!(out, "f {} {} {}", corner(a), corner(b), corner(c))?;
                }
            }
            Topology::Lines => {
                for [a, b] in corners::<2>(primitive) {
                    writeln!(out, "l {} {}", first + a, first + b)?;
                }
            }
            Topology::Points => {
                for [point] in corners::<1>(primitive) {
                    writeln!(out, "p {}", first + point)?;
                }
            }
        }
        first += part.positions.len();
        first_uv += texcoords.map_or(0, |t| t.len());
        first_normal += normals.map_or(0, Vec::len);
    }
    Ok(())
}

/// Corners of lines or points. Skips lines and points with missing vertices.
fn corners<const N: usize>(primitive: &Primitive) -> impl Iterator<Item = [usize; N]> + '_ {
    let indices = primitive.indices.as_deref();
    let count = indices.map_or(primitive.len(), Vec::len) / N;
    let corner = move |number: usize| indices.map_or(number, |indices| indices[number] as usize);
    (0..count)
        .map(move |part| std::array::from_fn(|c| corner(N * part + c)))
        .filter(|part: &[usize; N]| part.iter().all(|&v| v < primitive.len()))
}
