//! A soft ball of dust, as it is drawn.

use bytemuck::{Pod, Zeroable};
use wgpu::{VertexBufferLayout, VertexStepMode, vertex_attr_array};

/// A soft ball of dust: 32 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct DustParticle {
    /// Its middle.
    pub place: [f32; 3],
    /// How far it reaches.
    pub radius: f32,
    /// Linear red, green, blue and opacity in its middle.
    pub color: [f32; 4],
}

impl DustParticle {
    pub(crate) const LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Instance,
        attributes: &vertex_attr_array![0 => Float32x4, 1 => Float32x4],
    };
}
