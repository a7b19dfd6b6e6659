use crate::render::targets::Targets;

/// Colour target of the main pass. The samples are stored only if another pass follows.
pub(super) fn color(
    targets: &Targets,
    is_first: bool,
    is_last: bool,
) -> wgpu::RenderPassColorAttachment<'_> {
    wgpu::RenderPassColorAttachment {
        view: &targets.samples,
        depth_slice: None,
        resolve_target: Some(&targets.light),
        ops: wgpu::Operations {
            load: if is_first {
                wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT)
            } else {
                wgpu::LoadOp::Load
            },
            store: if is_last {
                wgpu::StoreOp::Discard
            } else {
                wgpu::StoreOp::Store
            },
        },
    }
}

pub(super) fn kept_depth(view: &wgpu::TextureView) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations {
            load: wgpu::LoadOp::Load,
            store: wgpu::StoreOp::Discard,
        }),
        stencil_ops: None,
    }
}

pub(super) fn cleared_depth(
    view: &wgpu::TextureView,
    kept: bool,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations {
            load: wgpu::LoadOp::Clear(1.0),
            store: if kept {
                wgpu::StoreOp::Store
            } else {
                wgpu::StoreOp::Discard
            },
        }),
        stencil_ops: None,
    }
}
