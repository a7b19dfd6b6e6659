//! How long each pass takes.

use super::targets::MAX_HALVINGS;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::device::timer::Timer;

/// The times of the passes of one picture, in milliseconds; 0 for passes that were left out.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Timings {
    /// Skinning, which a `Shot` knows of and a renderer does not.
    pub skin_ms: f64,
    /// The sun's view.
    pub shadow_ms: f64,
    /// What the floor mirrors.
    pub reflection_ms: f64,
    /// Everything in the light.
    pub main_ms: f64,
    /// Light that spreads.
    pub bloom_ms: f64,
    /// To what a screen shows.
    pub tone_ms: f64,
}

impl Timings {
    /// All of them.
    pub fn total_ms(&self) -> f64 {
        let light = self.shadow_ms + self.reflection_ms + self.main_ms;
        self.skin_ms + light + self.bloom_ms + self.tone_ms
    }

    /// Adds those of another picture.
    pub fn add(&mut self, other: &Self) {
        self.skin_ms += other.skin_ms;
        self.shadow_ms += other.shadow_ms;
        self.reflection_ms += other.reflection_ms;
        self.main_ms += other.main_ms;
        self.bloom_ms += other.bloom_ms;
        self.tone_ms += other.tone_ms;
    }
}

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    Shadow,
    Mirror,
    Main,
    Tone,
    /// A step of many.
    Bloom(u32),
}

impl Span {
    fn index(self) -> u32 {
        match self {
            Self::Shadow => 0,
            Self::Mirror => 1,
            Self::Main => 2,
            Self::Tone => 3,
            Self::Bloom(step) => 4 + step,
        }
    }
}

/// The first halving is not added to anything.
const SPANS: u32 = 4 + 2 * MAX_HALVINGS as u32 - 1;

#[derive(Debug)]
pub(crate) struct Clock {
    timer: Timer,
    /// Whether the last picture had a shadow, a mirror and bloom.
    drawn: [bool; 3],
}

impl Clock {
    pub fn new(gpu: &Gpu) -> Result<Option<Self>, GpuError> {
        let timer = Timer::new(gpu, SPANS)?;
        Ok(timer.map(|timer| Self {
            timer,
            drawn: [false; 3],
        }))
    }

    /// Says which passes the next picture has.
    pub fn begin(&mut self, shadow: bool, mirror: bool, bloom: bool) {
        self.drawn = [shadow, mirror, bloom];
    }

    pub fn span(&self, span: Span) -> wgpu::RenderPassTimestampWrites<'_> {
        self.timer.render(span.index())
    }

    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        self.timer.resolve(encoder);
    }

    pub fn read(&self, gpu: &Gpu) -> Result<Timings, GpuError> {
        let ms = self.timer.read_ms(gpu)?;
        let of = |span: Span| ms[span.index() as usize];
        let when = |drawn: bool, ms: f64| if drawn { ms } else { 0.0 };
        let [shadow, mirror, bloom] = self.drawn;
        Ok(Timings {
            skin_ms: 0.0,
            shadow_ms: when(shadow, of(Span::Shadow)),
            reflection_ms: when(mirror, of(Span::Mirror)),
            main_ms: of(Span::Main),
            bloom_ms: when(bloom, ms[4..].iter().sum()),
            tone_ms: of(Span::Tone),
        })
    }
}
