//! Durations of the passes, by the GPU's own clock.

use super::formats::{MAX_HALVINGS, MAX_LAYERS};
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::device::timer::Timer;

/// The times of the passes of one picture, all of its layers together, in milliseconds; 0 for passes that were left out.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Timings {
    /// Skinning, which a `Shot` knows of and a renderer does not.
    pub skin_ms: f64,
    /// The sun's view.
    pub shadow_ms: f64,
    /// The picture that the floor mirrors.
    pub reflection_ms: f64,
    /// The part of light from everywhere that reaches each position.
    pub open_ms: f64,
    /// Everything in the light.
    pub main_ms: f64,
    /// Layers that are added up.
    pub sum_ms: f64,
    /// Light that spreads.
    pub bloom_ms: f64,
    /// To what a screen shows.
    pub tone_ms: f64,
}

impl Timings {
    /// Each of them with its name, in the order of the passes.
    pub fn named(&self) -> [(&'static str, f64); 8] {
        [
            ("skin_ms", self.skin_ms),
            ("shadow_ms", self.shadow_ms),
            ("reflection_ms", self.reflection_ms),
            ("open_ms", self.open_ms),
            ("main_ms", self.main_ms),
            ("sum_ms", self.sum_ms),
            ("bloom_ms", self.bloom_ms),
            ("tone_ms", self.tone_ms),
        ]
    }

    /// All of them.
    pub fn total_ms(&self) -> f64 {
        self.named().iter().map(|(_, ms)| ms).sum()
    }

    /// Adds those of another picture.
    pub fn add(&mut self, other: &Self) {
        let all = self.all_mut().into_iter();
        all.zip(other.named())
            .for_each(|(ms, (_, more))| *ms += more);
    }

    /// Divides all of them: the mean of so many pictures.
    pub fn divide(&mut self, pictures: f64) {
        self.all_mut().into_iter().for_each(|ms| *ms /= pictures);
    }

    fn all_mut(&mut self) -> [&mut f64; 8] {
        [
            &mut self.skin_ms,
            &mut self.shadow_ms,
            &mut self.reflection_ms,
            &mut self.open_ms,
            &mut self.main_ms,
            &mut self.sum_ms,
            &mut self.bloom_ms,
            &mut self.tone_ms,
        ]
    }
}

/// A pass that is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    Shadow,
    Mirror,
    Open,
    Main,
    Sum,
    Bloom,
    Tone,
}

/// A layer has two main passes where there is glass, three for what is open, and its sum.
const SPANS: u32 = 6 * MAX_LAYERS + 2 * MAX_HALVINGS as u32 + 3;

#[derive(Debug)]
pub(crate) struct Clock {
    timer: Timer,
    /// The passes of the last picture, in their order.
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

    /// Forgets the last picture.
    pub fn begin(&mut self) {
        self.spans.clear();
    }

    /// The next pass.
    pub fn span(&mut self, span: Span) -> wgpu::RenderPassTimestampWrites<'_> {
        self.spans.push(span);
        self.timer.render(self.spans.len() as u32 - 1)
    }

    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        self.timer.resolve_first(encoder, self.spans.len() as u32);
    }

    pub fn read(&self, gpu: &Gpu) -> Result<Timings, GpuError> {
        let mut timings = Timings::default();
        for (span, ms) in self.spans.iter().zip(self.timer.read_ms(gpu)?) {
            *match span {
                Span::Shadow => &mut timings.shadow_ms,
                Span::Mirror => &mut timings.reflection_ms,
                Span::Open => &mut timings.open_ms,
                Span::Main => &mut timings.main_ms,
                Span::Sum => &mut timings.sum_ms,
                Span::Bloom => &mut timings.bloom_ms,
                Span::Tone => &mut timings.tone_ms,
            } += ms;
        }
        Ok(timings)
    }
}
