//! Shadow map: the depth of the scene, seen from the sun.

use super::uniform::FrameUniform;
use crate::device::gpu::Gpu;
use crate::render::formats::SHADOW_FORMAT;
use glam::camera::rh::{proj::directx, view};
use glam::{Mat4, Vec3};
use wgpu::{TextureUsages, TextureView};

const TEXELS: u32 = 2048;

#[derive(Debug)]
pub(in crate::render) struct ShadowMap {
    pub view: TextureView,
    pub sampler: wgpu::Sampler,
}

impl ShadowMap {
    pub fn new(gpu: &Gpu) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadow map"),
            size: wgpu::Extent3d {
                width: TEXELS,
                height: TEXELS,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: SHADOW_FORMAT,
            usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow map"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        Self {
            view: texture.create_view(&Default::default()),
            sampler,
        }
    }
}

pub(in crate::render) fn clip_from_world(to_sun: Vec3, middle: Vec3, radius: f32) -> Mat4 {
    let radius = radius.max(1e-3);
    let to_sun = to_sun.normalize_or(Vec3::Y);
    let up = if to_sun.y.abs() > 0.99 {
        Vec3::Z
    } else {
        Vec3::Y
    };
    let view = view::look_at_mat4(middle + to_sun * radius * 2.0, middle, up);
    let r = radius;
    directx::orthographic(-r, r, -r, r, r * 0.5, r * 3.5) * view
}

/// Sets the values for shadow lookups. Returns the number of taps. `softness` is in world units.
pub(in crate::render) fn look_up(
    frame: &mut FrameUniform,
    clip_from_world: Mat4,
    radius: f32,
    softness: f32,
    sun_width_rad: f32,
) -> u32 {
    let half = Vec3::new(0.5, 0.5, 0.0);
    let texture_from_clip =
        Mat4::from_translation(half) * Mat4::from_scale(Vec3::new(0.5, -0.5, 1.0));
    frame.shadow_from_world = texture_from_clip * clip_from_world;
    let texel = 1.0 / TEXELS as f32;
    let spread = 0.5 * softness / radius.max(1e-3);
    frame.shadow_spread = spread.max(1.4 * texel);
    // Width of the filter on a slope.
    frame.shadow_offset = 2.0 * radius * frame.shadow_spread;
    // The map is 2 radii wide and 3 radii deep.
    frame.penumbra = 1.5 * sun_width_rad.clamp(0.0, 1.0).tan();
    frame.max_penumbra = (0.5 * frame.penumbra).clamp(4.0 * texel, 0.08);
    if frame.shadow_spread > 2.5 * texel {
        16
    } else {
        4
    }
}
