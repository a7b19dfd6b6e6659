use super::bytes::{PackedError, Reader};
use super::raw_tracks::{read_time_arrays, read_track};
use crate::clip::keyed::{Clip, Curve, Event, MorphTrack};

#[derive(Clone, Debug, PartialEq, Default)]
pub(in crate::clip::packed) struct Extras {
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

    pub fn from_bytes(bytes: &[u8], file_offset: usize) -> Result<Self, PackedError> {
        let mut reader = Reader::new(bytes, file_offset, "extras chunk");
        let reader = &mut reader;
        let name = reader.text()?;
        let mut events: Vec<Event> = Vec::new();
        for _ in 0..reader.u32()? {
            let before = reader.clone();
            let time_secs = reader.f32()?;
            if events.last().is_some_and(|e| e.time_secs > time_secs) {
                return Err(before.bad("events must be in ascending order of time"));
            }
            let name = reader.text()?;
            events.push(Event { time_secs, name });
        }
        let times = read_time_arrays(reader)?;
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
            return Err(reader.bad("there are bytes past the end"));
        }
        Ok(Self {
            name,
            events,
            curves,
            morphs,
        })
    }
}
