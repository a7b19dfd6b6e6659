//! One place of a drawn mesh.

use bytemuck::{Pod, Zeroable};
use sinew::Affine;
use wgpu::{VertexBufferLayout, VertexStepMode, vertex_attr_array};

/// The transform of a mesh and the colour that its own are multiplied with: 64 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Instance {
    /// Rows of `world_from_mesh`.
    pub rows: [[f32; 4]; 3],
    /// Linear red, green, blue and opacity.
    pub color: [f32; 4],
}

impl Instance {
    /// Rows at locations 6 to 8, colour at 9.
    pub const LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Instance,
        attributes: &vertex_attr_array![
            6 => Float32x4, 7 => Float32x4, 8 => Float32x4, 9 => Float32x4
        ],
    };

    /// An instance in its mesh's own colours.
    pub fn at(world_from_mesh: &Affine) -> Self {
        Self {
            rows: world_from_mesh.rows,
            color: [1.0; 4],
        }
    }
}
