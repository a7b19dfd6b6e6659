use super::bytes::{PackedError, Reader, sound_rotation};
use crate::clip::packed::motion::{Channel, RawTrack};
use crate::clip::track::{Interpolation, Track};
use glam::Quat;
use std::sync::Arc;

pub(super) fn read_raw(
    reader: &mut Reader<'_>,
    channels: impl Iterator<Item = (usize, Channel)>,
) -> Result<Vec<RawTrack>, PackedError> {
    let times = read_time_arrays(reader)?;
    let mut raw = Vec::new();
    for (joint, channel) in channels {
        let width = if channel == Channel::Rotation { 4 } else { 3 };
        let mut track = read_track(reader, &times, width)?;
        if channel == Channel::Rotation {
            track = with_sound_rotations(track);
        }
        raw.push(RawTrack {
            joint,
            channel,
            track,
        });
    }
    Ok(raw)
}

fn with_sound_rotations(track: Track) -> Track {
    let quat = |numbers: &[f32]| Quat::from_array([0, 1, 2, 3].map(|k| numbers[k]));
    let rotation = |key: usize| quat(track.key(key));
    if (0..track.keys()).all(|key| sound_rotation(rotation(key)) == rotation(key)) {
        return track;
    }
    track.map_elements(|is_tangent, element| {
        if !is_tangent {
            let sound = sound_rotation(quat(element));
            element.copy_from_slice(&sound.to_array());
        }
    })
}

pub(super) fn read_time_arrays(reader: &mut Reader<'_>) -> Result<Vec<Arc<Vec<f32>>>, PackedError> {
    let mut arrays = Vec::new();
    for _ in 0..reader.u32()? {
        let keys = reader.u32()? as usize;
        arrays.push(Arc::new(reader.f32_vec(keys)?));
    }
    Ok(arrays)
}

pub(super) fn read_track(
    reader: &mut Reader<'_>,
    times: &[Arc<Vec<f32>>],
    width: usize,
) -> Result<Track, PackedError> {
    let before = reader.clone();
    let interpolation = match reader.u8()? {
        0 => Interpolation::Step,
        1 => Interpolation::Linear,
        2 => Interpolation::Slerp,
        3 => Interpolation::Quadratic,
        4 => Interpolation::CubicHermite,
        5 => Interpolation::CatmullRom,
        other => return Err(before.bad(format!("interpolation {other} is unknown"))),
    };
    let index = reader.u32()? as usize;
    let Some(times) = times.get(index) else {
        return Err(before.bad(format!("there is no list of times {index}")));
    };
    let per_key = width.saturating_mul(interpolation.elements_per_key());
    let values = reader.f32_vec(times.len().saturating_mul(per_key))?;
    Track::new(times.clone(), values, width, interpolation).map_err(|e| before.bad(e.to_string()))
}
