//! Positions of the joints that are encoded so far, as they decode.

use crate::sampled::frames::Map;
use sinew_math::transform::quat_f64::QuatF64;

/// Joints as they decode at every instant: `joint * instants + instant`.
#[derive(Default)]
pub(crate) struct Decoded {
    pub maps: Vec<Map>,
    /// Product of rotations alone.
    pub turns: Vec<QuatF64>,
    /// The maps of the unpacked clip, when it is held to the bound.
    pub even: Vec<Map>,
}

impl Decoded {
    /// Of one joint alone, or of what stands above the root.
    pub fn of(&self, joint: Option<usize>, instants: usize) -> Self {
        let Some(joint) = joint else {
            return Self {
                maps: vec![Map::IDENTITY; instants],
                turns: vec![QuatF64::IDENTITY; instants],
                even: vec![Map::IDENTITY; instants],
            };
        };
        let range = joint * instants..(joint + 1) * instants;
        Self {
            maps: self.maps[range.clone()].to_vec(),
            turns: self.turns[range.clone()].to_vec(),
            even: self.even.get(range).unwrap_or_default().to_vec(),
        }
    }

    pub fn truncate(&mut self, len: usize) {
        self.maps.truncate(len);
        self.turns.truncate(len);
        self.even.truncate(len);
    }
}
