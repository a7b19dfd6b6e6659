use super::effects::Effect;
use super::machine::State;
use serde::{Serialize, Serializer};
use sinew_gpu::Timings;

#[derive(Serialize, Default)]
pub struct Report {
    pub adapter: String,
    pub size: [u32; 2],
    pub frames: usize,
    /// Names of the skinning methods, from left to right.
    pub methods: Vec<&'static str>,
    /// Time to load the file, frame the picture and upload data, in milliseconds.
    pub prepare_ms: f64,
    /// Mean time per frame to pose, draw and read back, in milliseconds. The next two values are means too.
    pub take_ms: f64,
    /// GPU time per frame, measured by the GPU. The sum over all methods.
    #[serde(flatten, serialize_with = "named")]
    pub passes: Timings,
    pub encode_ms: f64,
    pub total_secs: f64,
    /// States of a state machine, with the times at which they were entered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<State>,
    /// Sounds, dust and calls from events of the clip, in animations.
    pub effects: Vec<Effect>,
    /// Notes for the user.
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
