//! Decoded transforms of the joints encoded so far.

use crate::sampled::frames::Map;
use sinew_math::transform::quat_f64::QuatF64;

/// Decoded joints, indexed `joint * instants + instant`.
pub(crate) struct Decoded {
    pub maps: Vec<Map>,
    /// Products of the rotations alone, without scale and translation.
    pub rotations: Vec<QuatF64>,
    /// Maps of the unpacked clip. Filled only if the unpacked clip must also keep to the bound.
    pub even: Vec<Map>,
}

impl Decoded {
    /// Identity maps, to be overwritten joint by joint.
    pub fn new(joints: usize, instants: usize, is_even: bool) -> Self {
        let len = joints * instants;
        Self {
            maps: vec![Map::IDENTITY; len],
            rotations: vec![QuatF64::IDENTITY; len],
            even: vec![Map::IDENTITY; if is_even { len } else { 0 }],
        }
    }

    /// Values of one joint. `None` gives identity maps, for the parent of the root.
    pub fn of(&self, joint: Option<usize>, instants: usize) -> Self {
        let Some(joint) = joint else {
            return Self::new(1, instants, true);
        };
        let range = joint * instants..(joint + 1) * instants;
        Self {
            maps: self.maps[range.clone()].to_vec(),
            rotations: self.rotations[range.clone()].to_vec(),
            even: self.even.get(range).unwrap_or_default().to_vec(),
        }
    }
}
