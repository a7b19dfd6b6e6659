//! From light to a picture: bloom, then tone mapping.

use super::pipelines::{pipeline_layout, shader};
use super::stage::ToneMap;
use super::targets::{HDR_FORMAT, PICTURE_FORMAT, Target, Targets};
use super::timings::{Clock, Span};
use crate::device::bind;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use bytemuck::{Pod, Zeroable};
use wgpu::{BindGroup, BindGroupLayout, Buffer, BufferUsages, CommandEncoder, RenderPipeline};
use wgpu::{TextureFormat, TextureView};

/// Twin of `Tone` in tone.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct ToneUniform {
    pub exposure: f32,
    pub bloom: f32,
    pub whole: f32,
    pub unused: f32,
}

#[derive(Debug)]
pub(crate) struct Post {
    bloom_layout: BindGroupLayout,
    tone_layout: BindGroupLayout,
    first: RenderPipeline,
    halve: RenderPipeline,
    add_up: RenderPipeline,
    add_part: RenderPipeline,
    copy: RenderPipeline,
    /// By the format that is drawn into and the way there.
    tones: Vec<(TextureFormat, ToneMap, RenderPipeline)>,
    tone_shader: wgpu::ShaderModule,
    /// Of the next picture.
    tone_map: ToneMap,
    sampler: wgpu::Sampler,
    uniform: Buffer,
}

/// What the passes of one set of targets bind.
#[derive(Debug)]
pub(crate) struct PostGroups {
    /// Reads the light, then each halving.
    sources: Vec<BindGroup>,
    tone: BindGroup,
    picture: TextureView,
}

/// What the levels of the picture behind glass are made of.
#[derive(Debug)]
pub(crate) struct BehindGroups {
    sources: Vec<BindGroup>,
}

impl Post {
    pub fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        let bloom_layout = bind::layout(gpu, "bloom", &[bind::TEXTURE, bind::SAMPLER]);
        let kinds = [bind::UNIFORM, bind::TEXTURE, bind::TEXTURE, bind::SAMPLER];
        let tone_layout = bind::layout(gpu, "tone", &kinds);
        let screen = include_str!("../../shaders/screen.wgsl");
        let bloom = shader(
            gpu,
            "bloom",
            &[screen, include_str!("../../shaders/bloom.wgsl")],
        );
        let tone = shader(
            gpu,
            "tone",
            &[screen, include_str!("../../shaders/tone.wgsl")],
        );
        let layout = pipeline_layout(gpu, &[Some(&bloom_layout)]);
        let add = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        let add = wgpu::BlendState {
            color: add,
            alpha: add,
        };
        let part = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::Constant,
            ..add.color
        };
        let add_part = wgpu::BlendState {
            color: part,
            alpha: part,
        };
        let make = |fragment, is_first: f64, blend| {
            let constants = [("is_first", is_first)];
            over_screen(
                gpu, &layout, &bloom, fragment, &constants, HDR_FORMAT, blend,
            )
        };
        let usage = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        Ok(Self {
            first: make("halve", 1.0, None),
            halve: make("halve", 0.0, None),
            add_up: make("add_up", 0.0, Some(add)),
            add_part: make("copied", 0.0, Some(add_part)),
            copy: make("copied", 0.0, None),
            tones: Vec::new(),
            tone_map: ToneMap::default(),
            tone_shader: tone,
            bloom_layout,
            tone_layout,
            sampler: gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("bloom"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            uniform: gpu.buffer("tone", usage, size_of::<ToneUniform>() as u64)?,
        })
    }

    /// Of one picture, or of the sum of several.
    pub fn groups(&self, gpu: &Gpu, targets: &Targets, light: &TextureView) -> PostGroups {
        use wgpu::BindingResource::{Sampler, TextureView};
        let sources = std::iter::once(light).chain(&targets.halvings);
        let source = |view| {
            let bound = [TextureView(view), Sampler(&self.sampler)];
            bind::group(gpu, &self.bloom_layout, &bound)
        };
        let spread = targets.halvings.first().unwrap_or(&targets.mirror);
        let tone = [
            self.uniform.as_entire_binding(),
            TextureView(light),
            TextureView(spread),
            Sampler(&self.sampler),
        ];
        PostGroups {
            sources: sources.map(source).collect(),
            tone: bind::group(gpu, &self.tone_layout, &tone),
            picture: targets.picture.create_view(&Default::default()),
        }
    }

    pub fn prepare(&mut self, gpu: &Gpu, uniform: &ToneUniform, tone_map: ToneMap) {
        self.tone_map = tone_map;
        self.prepare_format(gpu, PICTURE_FORMAT);
        gpu.queue
            .write_buffer(&self.uniform, 0, bytemuck::bytes_of(uniform));
    }

    /// Makes the first halving hold the light that spreads.
    pub fn bloom(
        &self,
        encoder: &mut CommandEncoder,
        targets: &Targets,
        groups: &PostGroups,
        mut clock: Option<&mut Clock>,
    ) {
        let clear = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        for (k, target) in targets.halvings.iter().enumerate() {
            let pipeline = if k == 0 { &self.first } else { &self.halve };
            let span = clock.as_deref_mut().map(|c| c.span(Span::Bloom));
            draw_over(encoder, target, clear, pipeline, &groups.sources[k], span);
        }
        for k in (1..targets.halvings.len()).rev() {
            let (target, source) = (&targets.halvings[k - 1], &groups.sources[k + 1]);
            let load = wgpu::LoadOp::Load;
            let span = clock.as_deref_mut().map(|c| c.span(Span::Bloom));
            draw_over(encoder, target, load, &self.add_up, source, span);
        }
    }

    /// Adds a picture's light to a sum, the first one in its place. `part` is how much of it.
    pub fn add_to_sum(
        &self,
        encoder: &mut CommandEncoder,
        targets: &Targets,
        groups: &PostGroups,
        is_first: bool,
        part: f64,
        clock: Option<&mut Clock>,
    ) {
        let attachment = wgpu::RenderPassColorAttachment {
            view: &targets.sum,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: match is_first {
                    true => wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    false => wgpu::LoadOp::Load,
                },
                store: wgpu::StoreOp::Store,
            },
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("sum"),
            timestamp_writes: clock.map(|c| c.span(Span::Sum)),
            color_attachments: &[Some(attachment)],
            ..Default::default()
        });
        pass.set_pipeline(&self.add_part);
        pass.set_blend_constant(wgpu::Color {
            r: part,
            g: part,
            b: part,
            a: part,
        });
        pass.set_bind_group(0, &groups.sources[0], &[]);
        pass.draw(0..3, 0..1);
    }

    /// Takes the light so far into the first level of what is behind, and blurs it into the others.
    pub fn behind(&self, encoder: &mut CommandEncoder, targets: &Targets, groups: &BehindGroups) {
        let clear = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
        for (level, source) in groups.sources.iter().enumerate() {
            let target = &targets.behind_levels[level];
            draw_over(encoder, target, clear, &self.copy, source, None);
        }
    }

    /// What the levels behind are made of, each of the one before.
    pub fn behind_groups(&self, gpu: &Gpu, targets: &Targets) -> BehindGroups {
        use wgpu::BindingResource::{Sampler, TextureView};
        let sources = std::iter::once(&targets.light).chain(&targets.behind_levels);
        let source = |view| {
            let bound = [TextureView(view), Sampler(&self.sampler)];
            bind::group(gpu, &self.bloom_layout, &bound)
        };
        let count = targets.behind_levels.len();
        BehindGroups {
            sources: sources.take(count).map(source).collect(),
        }
    }

    /// Makes sure that [`Post::tone`] can draw into a format.
    pub fn prepare_format(&mut self, gpu: &Gpu, format: TextureFormat) {
        let tone_map = self.tone_map;
        let mut made = self.tones.iter();
        if made.all(|(known, tone, _)| (*known, *tone) != (format, tone_map)) {
            let made = tone_pipeline(gpu, &self.tone_layout, &self.tone_shader, format, tone_map);
            self.tones.push((format, tone_map, made));
        }
    }

    /// Into our own picture, or into a target whose format was prepared.
    pub fn tone(
        &self,
        encoder: &mut CommandEncoder,
        groups: &PostGroups,
        target: Option<&Target<'_>>,
        clock: Option<&mut Clock>,
    ) {
        let clear = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        let span = clock.map(|c| c.span(Span::Tone));
        let (view, format) = match target {
            Some(target) => (target.view, target.format),
            None => (&groups.picture, PICTURE_FORMAT),
        };
        let made = self.tones.iter();
        for (.., pipeline) in
            made.filter(|(known, tone, _)| (*known, *tone) == (format, self.tone_map))
        {
            draw_over(encoder, view, clear, pipeline, &groups.tone, span.clone());
        }
    }
}

fn tone_pipeline(
    gpu: &Gpu,
    layout: &BindGroupLayout,
    shader: &wgpu::ShaderModule,
    format: TextureFormat,
    tone_map: ToneMap,
) -> RenderPipeline {
    let layout = pipeline_layout(gpu, &[Some(layout)]);
    let constants = [("tone_map_kind", f64::from(tone_map as u8))];
    over_screen(gpu, &layout, shader, "tone_map", &constants, format, None)
}

pub(super) fn draw_over(
    encoder: &mut CommandEncoder,
    target: &TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
    pipeline: &RenderPipeline,
    group: &BindGroup,
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
) {
    draw_over_with(encoder, target, load, pipeline, &[group], timestamp_writes);
}

/// One triangle over all of a target.
pub(super) fn draw_over_with(
    encoder: &mut CommandEncoder,
    target: &TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
    pipeline: &RenderPipeline,
    groups: &[&BindGroup],
    timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
) {
    let attachment = wgpu::RenderPassColorAttachment {
        view: target,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations {
            load,
            store: wgpu::StoreOp::Store,
        },
    };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(attachment)],
        timestamp_writes,
        ..Default::default()
    });
    pass.set_pipeline(pipeline);
    for (index, group) in (0..).zip(groups) {
        pass.set_bind_group(index, *group, &[]);
    }
    pass.draw(0..3, 0..1);
}

pub(super) fn over_screen(
    gpu: &Gpu,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    fragment: &str,
    constants: &[(&str, f64)],
    format: TextureFormat,
    blend: Option<wgpu::BlendState>,
) -> RenderPipeline {
    let target = wgpu::ColorTargetState {
        format,
        blend,
        write_mask: wgpu::ColorWrites::ALL,
    };
    gpu.device
        .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(fragment),
            layout: Some(layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some("screen_vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: Some(fragment),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants,
                    ..Default::default()
                },
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        })
}
