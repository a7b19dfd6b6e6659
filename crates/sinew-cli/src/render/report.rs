//! The times that stages took.

use super::effects::Effect;
use serde::{Serialize, Serializer};
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
    #[serde(flatten, serialize_with = "named")]
    pub passes: Timings,
    pub encode_ms: f64,
    pub total_secs: f64,
    /// The sounds, dust and calls that events of the clip asked for, of moving pictures.
    pub effects: Vec<Effect>,
    /// What was said that a person should know.
    pub notes: Vec<String>,
}

impl Report {
    pub fn divide(&mut self, frames: usize) {
        let frames = frames.max(1) as f64;
        self.take_ms /= frames;
        self.encode_ms /= frames;
        self.passes.divide(frames);
    }
}

fn named<S: Serializer>(passes: &Timings, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(passes.named())
}
