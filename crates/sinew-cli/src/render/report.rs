use super::effects::Effect;
use serde::{Serialize, Serializer};
use sinew_gpu::Timings;

#[derive(Serialize, Default)]
pub struct Report {
    pub adapter: String,
    pub size: [u32; 2],
    pub frames: usize,
    /// Time of loading, framing and uploading.
    pub prepare_ms: f64,
    /// Mean time per frame of posing, drawing and reading back. The next two are means too.
    pub take_ms: f64,
    /// Part of it by the GPU's clock; the sum of methods side by side.
    #[serde(flatten, serialize_with = "named")]
    pub passes: Timings,
    pub encode_ms: f64,
    pub total_secs: f64,
    /// Sounds, dust and calls of the clip's events, for animations.
    pub effects: Vec<Effect>,
    /// Remarks for the user.
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
