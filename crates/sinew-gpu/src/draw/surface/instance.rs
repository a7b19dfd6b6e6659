use bytemuck::{Pod, Zeroable};
use sinew::Affine;
use wgpu::{VertexBufferLayout, VertexStepMode, vertex_attr_array};

/// Transform of a mesh and factor on its colours, in 64 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Instance {
    /// Rows of `world_from_mesh`.
    pub rows: [[f32; 4]; 3],
    /// Factor on the colours: linear red, green, blue and opacity.
    pub color: [f32; 4],
}

impl Instance {
    /// Vertex layout: rows at locations 6 to 8, colour at 9.
    pub const LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Instance,
        attributes: &vertex_attr_array![
            6 => Float32x4, 7 => Float32x4, 8 => Float32x4, 9 => Float32x4
        ],
    };

    /// Instance that keeps the colours of its mesh.
    pub fn at(world_from_mesh: &Affine) -> Self {
        Self {
            rows: world_from_mesh.rows,
            color: [1.0; 4],
        }
    }
}
