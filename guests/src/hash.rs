//! Hash of poses.

use sinew::Affine;

/// FNV-1a (Fowler, Noll and Vo) over the bytes of numbers.
#[derive(Clone, Copy)]
pub struct Hash(pub u64);

impl Hash {
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub fn add_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub fn add(&mut self, number: f32) {
        self.add_bytes(&number.to_le_bytes());
    }

    /// Adds twelve numbers for each joint.
    pub fn add_pose(&mut self, pose: &[Affine]) {
        for number in pose.iter().flat_map(|map| map.rows.as_flattened()) {
            self.add(*number);
        }
    }
}
