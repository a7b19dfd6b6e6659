use sinew::measure::{Check, Measurement, Violation};
use sinew::{Character, Method};

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

/// Name of a method, as in --method.
pub(super) fn name(method: Method) -> &'static str {
    match method {
        Method::Rigid => "rigid",
        Method::Linear => "lbs",
        Method::DualQuat => "dqs",
        Method::Quaternion => "quat",
    }
}
