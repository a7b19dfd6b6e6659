//! The call into `ufbx`, and what it may take.

use super::error::FbxError;
use ufbx::{
    AllocatorOpts, GeometryTransformHandling, InheritModeHandling, LoadOpts, MirrorAxis, SceneRoot,
    SpaceConversion,
};

/// Bytes that every import may use whatever the size of its file.
const FLOOR: usize = 16 << 20;

/// Max bytes of memory that a byte of the file may become: arrays are compressed, and curves that stand still to
/// almost nothing.
const PER_BYTE: usize = 128;

/// Deeper trees than this are of no character.
const DEEPEST_NODE: u32 = 16_384;

/// The most memory that one step of reading a file of so many bytes may take.
pub(super) fn limit(file_bytes: usize) -> usize {
    FLOOR.saturating_add(file_bytes.saturating_mul(PER_BYTE))
}

/// An allocator that ends there.
pub(super) fn bounded(memory_limit: usize) -> AllocatorOpts {
    AllocatorOpts {
        memory_limit,
        ..AllocatorOpts::default()
    }
}

/// The scene in metres with y up, transforms as plain as they can be without being wrong.
pub(super) fn load(bytes: &[u8]) -> Result<SceneRoot, FbxError> {
    let scene = load_with(bytes, GeometryTransformHandling::ModifyGeometry)?;
    if scene.blend_shapes.is_empty() {
        return Ok(scene);
    }
    // What is moved into the vertices is not moved into the shapes, so that a node is made for it.
    drop(scene);
    load_with(bytes, GeometryTransformHandling::HelperNodes)
}

fn load_with(
    bytes: &[u8],
    geometry_transform_handling: GeometryTransformHandling,
) -> Result<SceneRoot, FbxError> {
    let memory_limit = limit(bytes.len());
    let axes = ufbx::axes_right_handed_y_up();
    let options = LoadOpts {
        temp_allocator: bounded(memory_limit),
        result_allocator: bounded(memory_limit),
        node_depth_limit: DEEPEST_NODE,
        file_format: ufbx::FileFormat::Fbx,
        target_axes: axes,
        target_light_axes: axes,
        target_unit_meters: 1.0,
        space_conversion: SpaceConversion::ModifyGeometry,
        handedness_conversion_axis: MirrorAxis::X,
        geometry_transform_handling,
        inherit_mode_handling: InheritModeHandling::HelperNodes,
        generate_missing_normals: true,
        normalize_normals: true,
        normalize_tangents: true,
        use_blender_pbr_material: true,
        ..LoadOpts::default()
    };
    ufbx::load_memory(bytes, options).map_err(|error| FbxError::of(&error, memory_limit))
}

/// Bytes that our own arrays may still take where the file could ask for more than it holds.
pub(super) struct Room {
    limit: usize,
    left: usize,
}

impl Room {
    pub(super) fn new(file_bytes: usize) -> Self {
        let limit = limit(file_bytes);
        Self { limit, left: limit }
    }

    /// Counts `bytes` that are about to be allocated.
    pub(super) fn take(&mut self, bytes: usize) -> Result<(), FbxError> {
        let error = FbxError::MemoryLimit { limit: self.limit };
        self.left = self.left.checked_sub(bytes).ok_or(error)?;
        Ok(())
    }

    /// Bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// Gives back what is free again.
    pub(super) fn give_back(&mut self, bytes: usize) {
        self.left = self.left.saturating_add(bytes).min(self.limit);
    }
}
