//! Tracks that are stored unchanged. Lists of key times come first; tracks can share a list.

use super::write::Write;
use sinew::clip::{Interpolation, Track};
use std::sync::Arc;

pub(crate) struct TimeArrays<'t>(Vec<&'t Arc<Vec<f32>>>);

impl<'t> TimeArrays<'t> {
    pub fn of(tracks: &[&'t Track]) -> Self {
        let mut arrays: Vec<&Arc<Vec<f32>>> = Vec::new();
        for track in tracks {
            if !arrays.contains(&track.times()) {
                arrays.push(track.times());
            }
        }
        Self(arrays)
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        out.u32(self.0.len());
        for times in &self.0 {
            out.u32(times.len());
            out.f32s(times);
        }
    }

    /// Writes the interpolation, the index of the key times, and the values.
    pub fn write_track(&self, track: &Track, out: &mut Vec<u8>) {
        out.u8(match track.interpolation() {
            Interpolation::Step => 0,
            Interpolation::Linear => 1,
            Interpolation::Slerp => 2,
            Interpolation::Quadratic => 3,
            Interpolation::CubicHermite => 4,
            Interpolation::CatmullRom => 5,
        });
        let index = self.0.iter().position(|&times| times == track.times());
        out.u32(index.unwrap_or_default());
        out.f32s(track.values());
    }
}
