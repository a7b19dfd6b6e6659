//! Vertex formats: skinned vertices, written once per frame, and static attributes.
//!
//! An instance's vertices are consecutive, in the order of its mesh's remapped indices. A pass binds the skinned
//! buffers at the instance's offset and the surface buffer at the mesh's, so index 0 is the first vertex.

use bytemuck::{Pod, Zeroable};
use wgpu::{VertexBufferLayout, VertexStepMode, vertex_attr_array};

/// Skinned vertex: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct SkinnedVertex {
    /// Position in model space.
    pub position: [f32; 3],
    /// Unit normal.
    pub normal: [f32; 3],
}

impl SkinnedVertex {
    /// Position at location 0, normal at 1.
    pub const LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Vertex,
        attributes: &vertex_attr_array![0 => Float32x3, 1 => Float32x3],
    };

    /// Position of the previous frame at location 5, for motion vectors.
    pub const PREVIOUS_LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Vertex,
        attributes: &vertex_attr_array![5 => Float32x3],
    };
}

/// Skinned tangent with handedness: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct SkinnedTangent {
    /// Unit tangent, and 1 or -1.
    pub tangent: [f32; 4],
}

impl SkinnedTangent {
    /// Tangent at location 2.
    pub const LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Vertex,
        attributes: &vertex_attr_array![2 => Float32x4],
    };
}

/// Static attributes of a vertex: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct SurfaceVertex {
    /// Two sets of texture coordinates.
    pub uvs: [[f32; 2]; 2],
    /// Linear red, green, blue and opacity, in 65535ths.
    pub color: [u16; 4],
}

impl SurfaceVertex {
    /// Both texture coordinates at location 3, colour at 4.
    pub const LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Vertex,
        attributes: &vertex_attr_array![3 => Float32x4, 4 => Unorm16x4],
    };
}
