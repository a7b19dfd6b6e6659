use sinew::Character;
use sinew::measure::{Check, Measurement, Violation};

pub(super) struct Findings<'a> {
    pub character: &'a Character,
    pub clip: Option<usize>,
    pub fps: f64,
    pub measurement: Measurement,
    pub failed: Vec<(Check, Violation)>,
    /// Remarks for the user.
    pub notes: Vec<String>,
}

impl Findings<'_> {
    pub fn joint_name(&self, joint: usize) -> &str {
        self.character.skeleton.name(joint)
    }
}
