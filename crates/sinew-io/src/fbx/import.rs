use super::clips::{self, Take};
use super::error::FbxError;
use super::load::{self, Memory};
use super::meshes::{self, skins};
use super::nodes::Tree;
use super::surfaces::materials;
use super::surfaces::textures::{Source, Textures};
use super::{defects, findings, lights};
use crate::folder::Folder;
use crate::report::FileReport;
use sinew::{Character, Node};
use std::path::Path;
use ufbx::Scene;

/// The contents of an FBX file.
#[derive(Clone, Debug)]
pub struct FbxImport {
    /// The character, in metres with y up. Its parts are consistent.
    pub character: Character,
    /// Repairs and omissions.
    pub report: FileReport,
    /// The program that wrote the file, and its exporter.
    pub exporter: Option<String>,
}

/// Imports the bytes of an FBX file. Image files beside it are not read.
///
/// # Errors
/// [`FbxError`] states the fault and a remedy.
pub fn import_bytes(bytes: &[u8]) -> Result<FbxImport, FbxError> {
    import_file(bytes, None)
}

pub(crate) fn import_file(bytes: &[u8], path: Option<&Path>) -> Result<FbxImport, FbxError> {
    let limit = load::memory_limit(bytes);
    let scene = load::load(bytes, limit)?;
    let mut report = FileReport::default();
    findings::origin(&scene, &mut report);
    findings::warnings(&scene, &mut report);
    defects::defects(&scene, &mut report);
    findings::check_caches(&scene, &Folder::of(path))?;
    findings::left_out(&scene, &mut report);
    let mut memory = Memory::new(limit);
    let takes = clips::takes(&scene, limit, &mut memory, &mut report);
    let tree = tree_of(&scene, &takes)?;
    let mut nodes = tree.nodes(&scene);
    let method = skins::method_of(&scene, &mut report);
    let read = meshes::meshes(&scene, &tree, &mut nodes, &mut memory, &mut report)?;
    let lights = attach_lights(&scene, &tree, &mut nodes);
    let extent = extent_of(&scene);
    let mut all_clips = Vec::with_capacity(takes.len());
    for take in &takes {
        match clips::clip(&scene, &tree, take, extent, &mut memory) {
            Ok(clip) => all_clips.push(clip),
            Err(error) => take.leave_out(&error, &mut report),
        }
    }
    let mut textures = Textures::default();
    let mut source = Source {
        folder: Folder::of(path),
        memory: &mut memory,
        report: &mut report,
    };
    let materials = materials::materials(&scene, &mut textures, &mut source);
    let character = Character {
        skeleton: tree.skeleton,
        nodes,
        meshes: read.meshes,
        skins: read.skins,
        clips: all_clips,
        materials,
        textures: textures.textures,
        images: textures.images,
        lights,
        cameras: Vec::new(),
        hidden: Vec::new(),
        correctives: Vec::new(),
        layers: Vec::new(),
        bindings: Vec::new(),
        stated_method: method,
    };
    character.check().map_err(|error| FbxError::Character {
        reason: error.to_string(),
    })?;
    Ok(FbxImport {
        character,
        report,
        exporter: findings::exporter(&scene),
    })
}

fn tree_of(scene: &Scene, takes: &[Take<'_>]) -> Result<Tree, FbxError> {
    let mut moving = vec![false; scene.nodes.count];
    skins::mark_joints(scene, &mut moving);
    for take in takes {
        take.mark_joints(&mut moving);
    }
    Tree::new(scene, &moving)
}

fn attach_lights(scene: &Scene, tree: &Tree, nodes: &mut [Node]) -> Vec<sinew::character::Light> {
    for (index, source) in scene.nodes.as_ref().iter().enumerate() {
        if let (Some(light), Some(node)) = (&source.light, tree.node_of[index]) {
            nodes[node].light = Some(light.element.typed_id as usize);
        }
    }
    lights::lights(scene)
}

/// Longest side of the bounding box of the rest pose. 1 for an empty scene.
fn extent_of(scene: &Scene) -> f64 {
    let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
    let mut add = |p: ufbx::Vec3| {
        for (axis, part) in [p.x, p.y, p.z].into_iter().enumerate() {
            if part.is_finite() {
                low[axis] = low[axis].min(part);
                high[axis] = high[axis].max(part);
            }
        }
    };
    for node in &scene.nodes {
        let m = &node.node_to_world;
        add(ufbx::Vec3 {
            x: m.m03,
            y: m.m13,
            z: m.m23,
        });
        for point in node.mesh.iter().flat_map(|mesh| mesh.vertices.iter()) {
            add(ufbx::transform_position(&node.geometry_to_world, *point));
        }
    }
    let sides = (0..3).map(|axis| high[axis] - low[axis]);
    let extent = sides.fold(0.0, f64::max);
    if extent > 0.0 && extent.is_finite() {
        extent
    } else {
        1.0
    }
}
