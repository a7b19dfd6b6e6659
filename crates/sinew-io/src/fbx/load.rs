//! Calls `ufbx` with a memory limit.

use super::error::FbxError;
use super::unpacked::unpacked_bytes;
use crate::beside::MAX_MEMORY;
use ufbx::{
    AllocatorOpts, GeometryTransformHandling, InheritModeHandling, LoadOpts, MirrorAxis, SceneRoot,
    SpaceConversion,
};

/// Memory limit for small files, in bytes.
const FLOOR: usize = 16 << 20;

const PER_BYTE: usize = 128;

/// Max bytes of memory per unpacked byte. Arrays may unpack to a thousand times their size.
const PER_UNPACKED_BYTE: u64 = 32;

/// Max bytes of memory for all unpacked arrays.
const MAX_FOR_UNPACKED: u64 = 1 << 30;

/// Max depth of the node tree, far more than a character needs.
const DEEPEST_NODE: u32 = 16_384;

/// Memory limit, in bytes, of each of the three steps of an import. `ufbx` makes two of them.
pub fn memory_limit(file: &[u8]) -> usize {
    let unpacked = unpacked_bytes(file).saturating_mul(PER_UNPACKED_BYTE);
    FLOOR
        .saturating_add(file.len().saturating_mul(PER_BYTE))
        .saturating_add(unpacked.min(MAX_FOR_UNPACKED) as usize)
        .min(MAX_MEMORY as usize / 2)
}

pub(super) fn bounded(memory_limit: usize) -> AllocatorOpts {
    AllocatorOpts {
        memory_limit,
        ..AllocatorOpts::default()
    }
}

/// Loads the scene in metres with y up, with the simplest correct transforms.
pub(super) fn load(bytes: &[u8], limit: usize) -> Result<SceneRoot, FbxError> {
    let scene = load_with(bytes, limit, GeometryTransformHandling::ModifyGeometry)?;
    if scene.blend_shapes.is_empty() {
        return Ok(scene);
    }
    // `ufbx` does not transform blend shapes, so helper nodes hold the geometric transforms.
    drop(scene);
    load_with(bytes, limit, GeometryTransformHandling::HelperNodes)
}

fn load_with(
    bytes: &[u8],
    memory_limit: usize,
    geometry_transform_handling: GeometryTransformHandling,
) -> Result<SceneRoot, FbxError> {
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

/// Remaining memory, in bytes, for arrays that can become larger than their data in the file.
pub(super) struct Memory {
    limit: usize,
    left: usize,
}

impl Memory {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, left: limit }
    }

    pub(super) fn take(&mut self, bytes: usize) -> Result<(), FbxError> {
        let error = FbxError::MemoryLimit { limit: self.limit };
        self.left = self.left.checked_sub(bytes).ok_or(error)?;
        Ok(())
    }

    pub(super) fn left(&self) -> usize {
        self.left
    }

    pub(super) fn give_back(&mut self, bytes: usize) {
        self.left = self.left.saturating_add(bytes).min(self.limit);
    }
}
