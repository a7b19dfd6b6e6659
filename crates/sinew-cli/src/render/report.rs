//! The times that stages took.

use serde::Serialize;
use sinew_gpu::Timings;

#[derive(Serialize, Default)]
pub struct Report {
    pub adapter: String,
    pub size: [u32; 2],
    pub frames: usize,
    /// Loading, framing and taking everything to the GPU.
    pub prepare_ms: f64,
    /// From here on the mean of all frames: posing, drawing and reading back.
    pub take_ms: f64,
    /// Of that, by the GPU's own clock; all methods together where several stand side by side.
    pub skin_ms: f64,
    pub shadow_ms: f64,
    pub reflection_ms: f64,
    pub main_ms: f64,
    pub bloom_ms: f64,
    pub tone_ms: f64,
    pub encode_ms: f64,
    pub total_secs: f64,
    /// What was said that a person should know.
    pub notes: Vec<String>,
}

impl Report {
    pub fn add(&mut self, timings: Timings) {
        self.skin_ms += timings.skin_ms;
        self.shadow_ms += timings.shadow_ms;
        self.reflection_ms += timings.reflection_ms;
        self.main_ms += timings.main_ms;
        self.bloom_ms += timings.bloom_ms;
        self.tone_ms += timings.tone_ms;
    }

    pub fn divide(&mut self, frames: usize) {
        let all = [
            &mut self.take_ms,
            &mut self.skin_ms,
            &mut self.shadow_ms,
            &mut self.reflection_ms,
            &mut self.main_ms,
            &mut self.bloom_ms,
            &mut self.tone_ms,
            &mut self.encode_ms,
        ];
        all.into_iter().for_each(|ms| *ms /= frames.max(1) as f64);
    }
}
