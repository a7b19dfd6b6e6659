//! The source document of a character, kept for export.

use super::bytes::buffers::Buffers;
use super::document::budget::Budget;
use super::document::error::GltfError;
use super::document::format::Semantic;
use super::document::schema::{Document, Primitive};
use super::pointer::{POINTER, Targets};

/// Prefixes of extensions that refer to no accessor or buffer view.
const INDEPENDENT_OF_BUFFERS: [&str; 12] = [
    "KHR_materials_",
    "KHR_lights_",
    "KHR_texture_",
    "EXT_texture_",
    "EXT_lights_",
    "KHR_mesh_quantization",
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_node_",
    "KHR_xmp",
    "VRM",
];

/// An imported document, with the bytes that unknown members may refer to. Nodes, meshes, skins,
/// clips, materials, textures and images have the same indices as in the character.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceDocument {
    /// The document as it was in the file, without the animations that are parts of layers over clips.
    pub document: Document,
    /// Bytes of each buffer. Empty if no unknown member can refer to them.
    pub buffers: Vec<Vec<u8>>,
}

impl SourceDocument {
    /// Keeps `document`. Copies its buffers only if an unknown member may refer to them.
    ///
    /// # Errors
    /// [`GltfError::MemoryLimit`] if the copies exceed `budget`.
    pub fn new(
        document: Document,
        buffers: &Buffers<'_>,
        budget: &mut Budget,
    ) -> Result<Self, GltfError> {
        let mut kept = Self {
            document,
            buffers: Vec::new(),
        };
        let all: Option<Vec<&[u8]>> = (0..kept.document.buffers.len() as u32)
            .map(|buffer| buffers.get(buffer))
            .collect();
        if let Some(all) = all.filter(|_| kept.needs_buffers()) {
            let length = all.iter().map(|bytes| bytes.len() as u64).sum();
            budget.charge(length, "the buffers that extensions refer to", "/buffers")?;
            kept.buffers = all.into_iter().map(<[u8]>::to_vec).collect();
        }
        Ok(kept)
    }

    /// True if data that a character cannot hold may refer to accessors or buffer views.
    fn needs_buffers(&self) -> bool {
        let document = &self.document;
        let is_independent = |name: &str| {
            INDEPENDENT_OF_BUFFERS
                .iter()
                .any(|beginning| name.starts_with(beginning))
        };
        let has_unknown_extension = document.extensions_used.iter().any(|name| {
            let is_held = || &**name == POINTER && Targets::new(document).are_all_held();
            !is_independent(name) && !is_held()
        });
        let primitives = || document.meshes.iter().flat_map(|mesh| &mesh.primitives);
        has_unknown_extension || primitives().any(|p| unheld_morphs(p).next().is_some())
    }
}

/// Morphed attributes that a character cannot hold: target, name and accessor.
pub(super) fn unheld_morphs(
    primitive: &Primitive,
) -> impl Iterator<Item = (usize, &str, u32)> + '_ {
    let targets = primitive.targets.iter().enumerate();
    let attributes = targets.flat_map(|(target, attributes)| {
        let named = attributes.0.iter();
        named.map(move |(name, accessor)| (target, &**name, *accessor))
    });
    attributes.filter(|(_, name, _)| {
        !matches!(
            Semantic::parse(name),
            Some(Semantic::Position | Semantic::Normal | Semantic::Tangent)
        )
    })
}
