//! The shadow map, drawn from the sun.

use super::attachments::cleared_depth;
use super::recording::Recording;
use crate::render::frame::shadow_map::ShadowMap;
use crate::render::pipelines::light_kind::LightKind;
use crate::render::pipelines::surface::Pass;
use crate::render::timings::Span;

/// Draws the depth of all surfaces into the map.
pub(in crate::render) fn encode(recording: &mut Recording<'_>, map: &ShadowMap) {
    let clock = recording.clock.as_deref_mut();
    let mut pass = recording
        .encoder
        .begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow"),
            timestamp_writes: clock.map(|c| c.span(Span::Shadow)),
            depth_stencil_attachment: Some(cleared_depth(&map.view, true)),
            ..Default::default()
        });
    pass.set_bind_group(0, &recording.frames.sun_group, &[]);
    for draw in recording.draws {
        let (gpu, light) = (recording.gpu, LightKind::default());
        recording
            .surfaces
            .draw(gpu, &mut pass, Pass::Shadow, light, draw);
    }
}
