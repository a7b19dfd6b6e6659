use crate::painter::Canvas;
use egui::{Rect, TextureId};
use egui_wgpu::Renderer;
use sinew_gpu::Gpu;
use sinew_gpu::wgpu::FilterMode;

#[derive(Debug, Default)]
pub(super) struct Canvases(Vec<Shown>);

#[derive(Debug)]
struct Shown {
    canvas: Canvas,
    texture: TextureId,
}

impl Canvases {
    pub fn canvas(&self, pane: usize) -> Option<&Canvas> {
        self.0.get(pane).map(|shown| &shown.canvas)
    }

    pub fn texture(&self, pane: usize) -> Option<TextureId> {
        self.0.get(pane).map(|shown| shown.texture)
    }

    /// Fits the canvases to the rectangles of the panes. True if a canvas is new.
    pub fn fit(
        &mut self,
        gpu: &Gpu,
        pane_rects: &[Rect],
        scale: f32,
        textures: &mut Renderer,
    ) -> bool {
        for gone in self.0.drain(pane_rects.len().min(self.0.len())..) {
            textures.free_texture(&gone.texture);
        }
        let mut is_new = false;
        for (pane, rect) in pane_rects.iter().enumerate() {
            let points = [rect.width(), rect.height()];
            let wanted = Canvas::size_for(gpu, points, scale);
            match self.0.get_mut(pane) {
                Some(shown) if shown.canvas.size() == wanted => {}
                Some(shown) => {
                    shown.canvas = Canvas::new(gpu, points, scale);
                    let view = shown.canvas.shown();
                    let (device, id) = (&gpu.device, shown.texture);
                    let filter = FilterMode::Linear;
                    textures.update_egui_texture_from_wgpu_texture(device, view, filter, id);
                    is_new = true;
                }
                None => {
                    let canvas = Canvas::new(gpu, points, scale);
                    let (device, view) = (&gpu.device, canvas.shown());
                    let texture =
                        textures.register_native_texture(device, view, FilterMode::Linear);
                    self.0.push(Shown { canvas, texture });
                    is_new = true;
                }
            }
        }
        is_new
    }
}
