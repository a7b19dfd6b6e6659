//! What travels with the motion: the clip's name, events, curves and morph weights, all as they were.

use super::bytes::{PackedError, Reader, Write};
use super::read::read_track;
use crate::clip::{Clip, Curve, Event, Interpolation, MorphTrack, Track};
use std::sync::Arc;

/// The rest of a clip.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Extras {
    pub name: String,
    pub events: Vec<Event>,
    pub curves: Vec<Curve>,
    pub morphs: Vec<MorphTrack>,
}

impl Extras {
    pub fn of(clip: &Clip) -> Self {
        Self {
            name: clip.name.clone(),
            events: clip.events.clone(),
            curves: clip.curves.clone(),
            morphs: clip.morphs.clone(),
        }
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        out.text(&self.name);
        out.u32(self.events.len());
        for event in &self.events {
            out.f32s(&[event.time_secs]);
            out.text(&event.name);
        }
        let curves = self.curves.iter().map(|c| &c.track);
        let tracks: Vec<&Track> = curves
            .chain(self.morphs.iter().map(|m| &m.weights))
            .collect();
        let times = TimeArrays::of(&tracks);
        times.write(out);
        out.u32(self.curves.len());
        for curve in &self.curves {
            out.text(&curve.name);
            out.u32(curve.track.width());
            times.write_track(&curve.track, out);
        }
        out.u32(self.morphs.len());
        for morph in &self.morphs {
            out.u32(morph.node);
            out.u32(morph.weights.width());
            times.write_track(&morph.weights, out);
        }
    }

    pub fn from_bytes(bytes: &[u8], file_offset: usize) -> Result<Self, PackedError> {
        let mut reader = Reader::new(bytes, file_offset, "extras chunk");
        let reader = &mut reader;
        let name = reader.text()?;
        let mut events: Vec<Event> = Vec::new();
        for _ in 0..reader.u32()? {
            let before = reader.clone();
            let time_secs = reader.f32()?;
            if events.last().is_some_and(|e| e.time_secs > time_secs) {
                return Err(before.bad("an event before the one that stands before it"));
            }
            let name = reader.text()?;
            events.push(Event { time_secs, name });
        }
        let times = TimeArrays::read(reader)?;
        let mut curves = Vec::new();
        for _ in 0..reader.u32()? {
            let name = reader.text()?;
            let width = reader.u32()? as usize;
            let track = read_track(reader, &times, width)?;
            curves.push(Curve { name, track });
        }
        let mut morphs = Vec::new();
        for _ in 0..reader.u32()? {
            let node = reader.u32()? as usize;
            let width = reader.u32()? as usize;
            let weights = read_track(reader, &times, width)?;
            morphs.push(MorphTrack { node, weights });
        }
        if reader.left() > 0 {
            return Err(reader.bad("bytes past the end"));
        }
        Ok(Self {
            name,
            events,
            curves,
            morphs,
        })
    }
}

/// Key times that several tracks may share, each written once.
pub(super) struct TimeArrays<'t>(Vec<&'t Arc<Vec<f32>>>);

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

    pub fn read(reader: &mut Reader<'_>) -> Result<Vec<Arc<Vec<f32>>>, PackedError> {
        let mut arrays = Vec::new();
        for _ in 0..reader.u32()? {
            let keys = reader.u32()? as usize;
            arrays.push(Arc::new(reader.f32_vec(keys)?));
        }
        Ok(arrays)
    }

    /// Interpolation, which times, numbers.
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
