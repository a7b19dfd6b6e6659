use super::formats::{MAX_HALVINGS, MAX_LAYERS};
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::device::timer::{Ticks, Timer};

/// GPU times of a picture in milliseconds, summed over its layers. A pass that was not drawn has 0.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Timings {
    /// Skinning. Only `Shot` sets it.
    pub skin_ms: f64,
    /// Shadow map.
    pub shadow_ms: f64,
    /// Reflection in the floor.
    pub reflection_ms: f64,
    /// Ambient occlusion.
    pub occlusion_ms: f64,
    /// Main pass.
    pub main_ms: f64,
    /// Sum of the layers.
    pub sum_ms: f64,
    /// Bloom.
    pub bloom_ms: f64,
    /// Tone mapping.
    pub tone_ms: f64,
}

impl Timings {
    /// Times and their names, in the order of the passes.
    pub fn named(&self) -> [(&'static str, f64); 8] {
        [
            ("skin_ms", self.skin_ms),
            ("shadow_ms", self.shadow_ms),
            ("reflection_ms", self.reflection_ms),
            ("open_ms", self.occlusion_ms),
            ("main_ms", self.main_ms),
            ("sum_ms", self.sum_ms),
            ("bloom_ms", self.bloom_ms),
            ("tone_ms", self.tone_ms),
        ]
    }

    /// Sum of all times.
    pub fn total_ms(&self) -> f64 {
        self.named().iter().map(|(_, ms)| ms).sum()
    }

    /// Adds the times of another picture.
    pub fn add(&mut self, other: &Self) {
        let all = self.all_mut().into_iter();
        all.zip(other.named())
            .for_each(|(ms, (_, more))| *ms += more);
    }

    /// Divides all times by `pictures`, to get the mean of that many pictures.
    pub fn divide(&mut self, pictures: f64) {
        self.all_mut().into_iter().for_each(|ms| *ms /= pictures);
    }

    fn all_mut(&mut self) -> [&mut f64; 8] {
        [
            &mut self.skin_ms,
            &mut self.shadow_ms,
            &mut self.reflection_ms,
            &mut self.occlusion_ms,
            &mut self.main_ms,
            &mut self.sum_ms,
            &mut self.bloom_ms,
            &mut self.tone_ms,
        ]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    Shadow,
    Mirror,
    Occlusion,
    Main,
    Sum,
    Bloom,
    Tone,
}

/// Max number of spans: per layer two main passes, three occlusion passes and the sum.
const SPANS: u32 = 6 * MAX_LAYERS + 2 * MAX_HALVINGS as u32 + 3;

#[derive(Debug)]
pub(crate) struct Clock {
    timer: Timer,
    spans: Vec<Span>,
}

impl Clock {
    pub fn new(gpu: &Gpu) -> Result<Option<Self>, GpuError> {
        let timer = Timer::new(gpu, SPANS)?;
        Ok(timer.map(|timer| Self {
            timer,
            spans: Vec::new(),
        }))
    }

    /// Clears the times of the last picture.
    pub fn begin(&mut self) {
        self.spans.clear();
    }

    /// Timestamps of the next pass.
    pub fn span(&mut self, span: Span) -> wgpu::RenderPassTimestampWrites<'_> {
        self.spans.push(span);
        self.timer.render(self.spans.len() as u32 - 1)
    }

    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        self.timer.resolve_first(encoder, self.spans.len() as u32);
    }

    /// Starts to read the times of the last picture without blocking.
    pub fn read_later(&self, gpu: &Gpu) -> Result<PendingTimings, GpuError> {
        Ok(PendingTimings {
            spans: self.spans.clone(),
            ticks: self.timer.read_later(gpu)?,
        })
    }
}

/// GPU times that are being read.
#[derive(Debug)]
pub struct PendingTimings {
    spans: Vec<Span>,
    ticks: Ticks,
}

impl PendingTimings {
    /// Returns the times once they have arrived, `None` before. Does not block.
    ///
    /// # Errors
    /// If the device was lost or the read failed.
    pub fn take(&mut self, gpu: &Gpu) -> Result<Option<Timings>, GpuError> {
        let Some(lengths) = self.ticks.take_ms(gpu)? else {
            return Ok(None);
        };
        let mut timings = Timings::default();
        for (span, ms) in self.spans.iter().zip(lengths) {
            *match span {
                Span::Shadow => &mut timings.shadow_ms,
                Span::Mirror => &mut timings.reflection_ms,
                Span::Occlusion => &mut timings.occlusion_ms,
                Span::Main => &mut timings.main_ms,
                Span::Sum => &mut timings.sum_ms,
                Span::Bloom => &mut timings.bloom_ms,
                Span::Tone => &mut timings.tone_ms,
            } += ms;
        }
        Ok(Some(timings))
    }
}
