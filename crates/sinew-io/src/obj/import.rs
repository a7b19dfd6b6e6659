use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use sinew::{Affine, Character, Mesh, Node, Primitive};

use super::error::ObjError;
use super::materials;
use super::statements::{Corner, NONE, Statements, read};
use crate::polygons::{Cutter, add_normals};
use crate::report::{FileReport, Severity};

pub(crate) fn import_named(
    bytes: &[u8],
    path: Option<&Path>,
) -> Result<(Character, FileReport), ObjError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(ObjError::Utf16);
    }
    let mut report = FileReport::default();
    let statements = read(bytes, &mut report)?;
    let mut looks = materials::read(&statements, path, &mut report);
    let stem = path.and_then(Path::file_stem).unwrap_or_default();
    let mut meshes = meshes(&statements, &mut looks, &mut report);
    for mesh in meshes.iter_mut().filter(|mesh| mesh.name.is_empty()) {
        mesh.name = stem.to_string_lossy().into_owned();
    }
    let mut rest = meshes.into_iter();
    let mut character = Character::from_mesh(rest.next().unwrap_or_default());
    for mesh in rest {
        character.nodes.push(Node {
            name: mesh.name.clone(),
            parent: None,
            parent_from_node: Affine::IDENTITY,
            joint: None,
            mesh: Some(character.meshes.len()),
            skin: None,
            morph_weights: Vec::new(),
            light: None,
        });
        character.meshes.push(mesh);
    }
    (character.materials, character.textures, character.images) =
        (looks.materials, looks.textures, looks.images);
    Ok((character, report))
}

/// Makes a mesh for every `o` with faces, with a primitive per material.
fn meshes(
    statements: &Statements,
    looks: &mut materials::Looks,
    report: &mut FileReport,
) -> Vec<Mesh> {
    let mut meshes: Vec<Mesh> = Vec::new();
    let mut builders: Vec<Builder> = Vec::new();
    let mut builder_of: HashMap<Option<usize>, usize> = HashMap::new();
    let mut cutter = Cutter::new();
    let mut bare = 0;
    let runs = &statements.runs;
    for (index, run) in runs.iter().enumerate() {
        let end = runs
            .get(index + 1)
            .map_or(statements.faces.len(), |r| r.first_face);
        let next = builders.len();
        let builder = *builder_of.entry(run.material).or_insert(next);
        if builder == next {
            builders.push(Builder::default());
        }
        for face in run.first_face..end {
            builders[builder].face(statements, face, &mut cutter);
        }
        if runs
            .get(index + 1)
            .is_some_and(|next| next.mesh == run.mesh)
        {
            continue;
        }
        let mut mesh = Mesh {
            name: statements.meshes[run.mesh].clone(),
            ..Mesh::default()
        };
        let mut materials: Vec<_> = builder_of.drain().collect();
        materials.sort_unstable_by_key(|(_, builder)| *builder);
        for (builder, (material, _)) in builders.drain(..).zip(materials) {
            let material = looks.material(material);
            mesh.primitives
                .push(builder.primitive(statements, material, &mut bare));
        }
        meshes.push(mesh);
    }
    if bare > 0 {
        let message = format_args!(
            "{bare} primitives lack normals, at least at some corners; smooth normals were computed"
        );
        report.add(Severity::Note, "NORMALS", "", message);
    }
    cutter.report_to(report);
    meshes
}

#[derive(Default)]
struct Builder {
    vertex_of: HashMap<Corner, u32>,
    vertices: Vec<Corner>,
    indices: Vec<u32>,
    polygon: Vec<u32>,
}

impl Builder {
    fn face(&mut self, statements: &Statements, face: usize, cutter: &mut Cutter) {
        self.polygon.clear();
        for &corner in statements.corners_of(face) {
            let vertices = &mut self.vertices;
            let vertex = self.vertex_of.entry(corner).or_insert_with(|| {
                vertices.push(corner);
                // There are no more vertices than corners, which a `u32` counts.
                (vertices.len() - 1) as u32
            });
            self.polygon.push(*vertex);
        }
        let vertices = &self.vertices;
        let position = |vertex: u32| {
            Vec3::from_array(statements.positions[vertices[vertex as usize][0] as usize])
        };
        cutter.cut(&self.polygon, position, &mut self.indices);
    }

    fn primitive(self, statements: &Statements, material: usize, bare: &mut usize) -> Primitive {
        let Self { vertices, .. } = self;
        let all = |part: usize| vertices.iter().all(|corner| corner[part] != NONE);
        let any = |part: usize| vertices.iter().any(|corner| corner[part] != NONE);
        let position = |corner: &Corner| statements.positions[corner[0] as usize];
        let positions: Vec<Vec3> = vertices.iter().map(|c| position(c).into()).collect();
        let mut primitive = Primitive {
            positions: Arc::new(positions),
            material: Some(material),
            ..Primitive::default()
        };
        if any(1) {
            let texcoord = |c: &Corner| statements.texcoords.get(c[1] as usize);
            let texcoord = |c: &Corner| Vec2::from(*texcoord(c).unwrap_or(&[0.0; 2]));
            let texcoords = vertices.iter().map(texcoord).collect();
            primitive.texcoords.push(Arc::new(texcoords));
        }
        if !statements.colors.is_empty() {
            let color = |c: &Corner| Vec4::from(statements.colors[c[0] as usize]);
            primitive
                .colors
                .push(Arc::new(vertices.iter().map(color).collect()));
        }
        if all(2) {
            let normal = |c: &Corner| {
                let normal = Vec3::from(statements.normals[c[2] as usize]);
                normal.try_normalize().unwrap_or(Vec3::Y)
            };
            let normals = vertices.iter().map(normal).collect();
            primitive.normals = Some(Arc::new(normals));
        }
        primitive.indices = Some(Arc::new(self.indices));
        if primitive.normals.is_none() {
            *bare += 1;
            add_normals(&mut primitive);
        }
        primitive
    }
}
