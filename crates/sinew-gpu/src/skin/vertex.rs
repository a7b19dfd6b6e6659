//! What passes read: skinned vertices, written once per frame, beside attributes that never change.
//!
//! An instance's vertices lie together, in the order of its mesh's remapped indices. A pass binds the
//! skinned buffers from the instance's own offset on and the surface buffer from the mesh's, so index 0
//! is the instance's first vertex in all of them.

use bytemuck::{Pod, Zeroable};
use wgpu::{VertexBufferLayout, VertexStepMode, vertex_attr_array};

/// A vertex where the pose has taken it: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct SkinnedVertex {
    /// In model space.
    pub position: [f32; 3],
    /// Of unit length.
    pub normal: [f32; 3],
}

impl SkinnedVertex {
    /// Position at location 0, normal at 1.
    pub const LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Vertex,
        attributes: &vertex_attr_array![0 => Float32x3, 1 => Float32x3],
    };

    /// Only the position, at location 5, of a buffer of the frame before: for motion vectors.
    pub const PREVIOUS_LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Vertex,
        attributes: &vertex_attr_array![5 => Float32x3],
    };
}

/// A tangent where the pose has taken it, with its handedness: 16 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct SkinnedTangent {
    /// Of unit length, and 1 or -1.
    pub tangent: [f32; 4],
}

impl SkinnedTangent {
    /// At location 2.
    pub const LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Vertex,
        attributes: &vertex_attr_array![2 => Float32x4],
    };
}

/// The attributes of a vertex that no pose changes: 24 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct SurfaceVertex {
    /// Texture coordinates, of two sets.
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
