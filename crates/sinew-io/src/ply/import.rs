use std::path::Path;
use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use sinew::{Character, Material, Mesh, Primitive};

use super::error::PlyError;
use super::header::{self, Element};
use super::values::{Value, Values};
use crate::polygons::{Cutter, add_normals, linear};
use crate::report::{FileReport, Severity};

/// Property names of each vertex attribute, in several spellings.
const ATTRIBUTES: [&[&str]; 12] = [
    &["x"],
    &["y"],
    &["z"],
    &["nx", "normal_x"],
    &["ny", "normal_y"],
    &["nz", "normal_z"],
    &["red", "r", "diffuse_red"],
    &["green", "g", "diffuse_green"],
    &["blue", "b", "diffuse_blue"],
    &["alpha", "a", "diffuse_alpha"],
    &["s", "u", "texture_u", "texture_s"],
    &["t", "v", "texture_v", "texture_t"],
];

pub(crate) type PlyImport = (Character, FileReport, Option<String>);

pub(crate) fn import_named(bytes: &[u8], path: Option<&Path>) -> Result<PlyImport, PlyError> {
    let header = header::read(bytes)?;
    let mut report = FileReport::default();
    for (line, text) in &header.strange {
        let message =
            format_args!("{text:?} is not a valid line of a header; it was read as a comment");
        report.add(
            Severity::Repaired,
            "HEADER",
            format!("line {line}"),
            message,
        );
    }
    let mut values = Values::after(&header, bytes);
    let mut vertices = Vertices::default();
    let mut triangles: Option<Vec<u32>> = None;
    let mut early = None;
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" if vertices.positions.is_empty() => {
                vertices = Vertices::read(element, &mut values, &mut report)?;
            }
            "face" if triangles.is_none() && !vertices.positions.is_empty() => {
                triangles = Some(faces(element, &mut values, &vertices, &mut report)?);
            }
            "face" if early.is_none() && vertices.positions.is_empty() => {
                early = Some((element, values.clone()));
                values.each(element, |_, _, _| Ok(()))?;
            }
            name => {
                let message = format_args!("{} of {name:?} were skipped", element.count);
                report.add(Severity::Ignored, "ELEMENT", "", message);
                values.each(element, |_, _, _| Ok(()))?;
            }
        }
    }
    if let Some((element, mut values)) = early.filter(|_| triangles.is_none()) {
        triangles = Some(faces(element, &mut values, &vertices, &mut report)?);
    }
    let indices = triangles
        .filter(|t| !t.is_empty())
        .ok_or(PlyError::NoFaces)?;
    let stem = path.and_then(Path::file_stem).unwrap_or_default();
    let mesh = Mesh {
        name: stem.to_string_lossy().into_owned(),
        primitives: vec![vertices.primitive(indices, &mut report)],
        ..Mesh::default()
    };
    let mut character = Character::from_mesh(mesh);
    character.materials.push(Material {
        metallic: 0.0,
        double_sided: true,
        ..Material::default()
    });
    Ok((character, report, header.exporter))
}

#[derive(Default)]
struct Vertices {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    colors: Vec<Vec4>,
    texcoords: Vec<Vec2>,
}

impl Vertices {
    fn read(
        element: &Element,
        values: &mut Values<'_>,
        report: &mut FileReport,
    ) -> Result<Self, PlyError> {
        let attribute = |name: &str| ATTRIBUTES.iter().position(|names| names.contains(&name));
        let mut has = [false; 12];
        let mut taken = Vec::with_capacity(element.properties.len());
        for property in &element.properties {
            let found = attribute(&property.name).filter(|_| property.length.is_none());
            let found = found.filter(|found| !std::mem::replace(&mut has[*found], true));
            if found.is_none() {
                let message =
                    format_args!("the property {:?} of vertices was skipped", property.name);
                report.add(Severity::Ignored, "PROPERTY", "", message);
            }
            let whole = match found {
                Some(6..=9) => property.kind.one(),
                _ => 1.0,
            };
            taken.push(found.map(|found| (found, whole)));
        }
        if let Some(missing) = (0..3).find(|axis| !has[*axis]) {
            let property = ["x", "y", "z"][missing];
            return Err(PlyError::NoPositions { property });
        }
        let all = |parts: std::ops::Range<usize>| has[parts].iter().all(|has| *has);
        let (has_normals, has_colors, has_texcoords) = (all(3..6), all(6..9), all(10..12));
        let rows = element.count.min(values.max_rows(element));
        let mut read = Self::default();
        read.positions.reserve_exact(rows);
        let mut vertex = [0.0_f64; 12];
        let last = element.properties.len() - 1;
        values.each(element, |row, property, value| {
            match (value, taken[property]) {
                (Value::Number(number), Some((slot, whole))) => vertex[slot] = number / whole,
                (Value::Number(_), None) if element.properties[property].length.is_some() => {
                    return Ok(());
                }
                _ => {}
            }
            if property < last {
                return Ok(());
            }
            let part = |at: usize| vertex[at] as f32;
            let vec3 = |at: usize| Vec3::new(part(at), part(at + 1), part(at + 2));
            let position = vec3(0);
            if !position.is_finite() {
                return Err(PlyError::NotFinite { vertex: row });
            }
            read.positions.push(position);
            if has_normals {
                let normal = vec3(3).try_normalize().filter(|n| n.is_finite());
                read.normals.push(normal.unwrap_or(Vec3::Y));
            }
            if has_colors {
                let share = |at: usize| match vertex[at] as f32 {
                    share if share.is_finite() => share,
                    _ => 1.0,
                };
                let alpha = if has[9] { share(9) } else { 1.0 };
                let color = [6, 7, 8].map(|at| linear(share(at).max(0.0)));
                read.colors.push(Vec3::from(color).extend(alpha));
            }
            if has_texcoords {
                let texcoord = Vec2::new(part(10), 1.0 - part(11));
                read.texcoords.push(if texcoord.is_finite() {
                    texcoord
                } else {
                    Vec2::ZERO
                });
            }
            Ok(())
        })?;
        Ok(read)
    }

    fn primitive(self, indices: Vec<u32>, report: &mut FileReport) -> Primitive {
        let mut primitive = Primitive {
            positions: Arc::new(self.positions),
            indices: Some(Arc::new(indices)),
            material: Some(0),
            ..Primitive::default()
        };
        if !self.texcoords.is_empty() {
            primitive.texcoords.push(Arc::new(self.texcoords));
        }
        if !self.colors.is_empty() {
            primitive.colors.push(Arc::new(self.colors));
        }
        if self.normals.is_empty() {
            let message = "vertices have no normals; smooth normals were computed";
            report.add(Severity::Note, "NORMALS", "", message);
            add_normals(&mut primitive);
        } else {
            primitive.normals = Some(Arc::new(self.normals));
        }
        primitive
    }
}

fn faces(
    element: &Element,
    values: &mut Values<'_>,
    vertices: &Vertices,
    report: &mut FileReport,
) -> Result<Vec<u32>, PlyError> {
    let is_corners = |name: &str| matches!(name, "vertex_indices" | "vertex_index");
    let mut corners_at = None;
    for (column, property) in element.properties.iter().enumerate() {
        if property.length.is_some() && is_corners(&property.name) && corners_at.is_none() {
            corners_at = Some(column);
        } else {
            let message = format_args!("the property {:?} of faces was skipped", property.name);
            report.add(Severity::Ignored, "PROPERTY", "", message);
        }
    }
    let count = vertices.positions.len();
    let (mut triangles, mut polygon, mut few) = (Vec::new(), Vec::new(), 0_usize);
    let mut cutter = Cutter::new();
    values.each(element, |face, property, value| {
        if Some(property) != corners_at {
            return Ok(());
        }
        match value {
            Value::Number(index) => {
                let is_vertex = index >= 0.0 && index < count as f64 && index.fract() == 0.0;
                if !is_vertex || index >= f64::from(u32::MAX) {
                    let index = index.to_string();
                    return Err(PlyError::Index { face, index, count });
                }
                polygon.push(index as u32);
            }
            Value::End => {
                few += usize::from(polygon.len() < 3);
                let position = |vertex: u32| vertices.positions[vertex as usize];
                cutter.cut(&polygon, position, &mut triangles);
                polygon.clear();
            }
        }
        Ok(())
    })?;
    if few > 0 {
        let message = format_args!("{few} faces with fewer than three corners were left out");
        report.add(Severity::Repaired, "FACE_CORNERS", "", message);
    }
    cutter.report_to(report);
    Ok(triangles)
}
