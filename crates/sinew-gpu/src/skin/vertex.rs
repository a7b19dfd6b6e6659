//! Vertex formats: skinned vertices, written once per frame, and static attributes.
//!
//! The vertices of an instance are consecutive, in the order of the remapped indices of the mesh. A
//! pass binds the skinned buffers at the offset of the instance and the surface buffer at the
//! offset of the mesh, so that index 0 is the first vertex.

use bytemuck::{Pod, Zeroable};
use wgpu::{VertexBufferLayout, VertexStepMode, vertex_attr_array};

/// Skinned vertex, in 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct SkinnedVertex {
    /// Position in model space.
    pub position: [f32; 3],
    /// Unit normal in model space.
    pub normal: [f32; 3],
}

impl SkinnedVertex {
    /// Vertex layout: position at location 0, normal at 1.
    pub const LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Vertex,
        attributes: &vertex_attr_array![0 => Float32x3, 1 => Float32x3],
    };

    /// Vertex layout: position of the previous frame at location 5, for motion vectors.
    pub const PREVIOUS_LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Vertex,
        attributes: &vertex_attr_array![5 => Float32x3],
    };
}

/// Skinned tangent with handedness, in 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct SkinnedTangent {
    /// Unit tangent in model space, then the handedness: 1 or -1.
    pub tangent: [f32; 4],
}

impl SkinnedTangent {
    /// Vertex layout: tangent at location 2.
    pub const LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Vertex,
        attributes: &vertex_attr_array![2 => Float32x4],
    };
}

/// Static attributes of a vertex, in 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct SurfaceVertex {
    /// Two sets of texture coordinates.
    pub uvs: [[f32; 2]; 2],
    /// Linear red, green, blue and opacity, in units of 1/65535.
    pub color: [u16; 4],
}

impl SurfaceVertex {
    /// Vertex layout: both sets of texture coordinates at location 3, colour at 4.
    pub const LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Vertex,
        attributes: &vertex_attr_array![3 => Float32x4, 4 => Unorm16x4],
    };
}
