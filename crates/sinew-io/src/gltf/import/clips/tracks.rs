//! Tracks from samplers. Samplers that share accessors share arrays.

use std::collections::HashMap;
use std::sync::Arc;

use sinew::{Interpolation, Track};

use crate::gltf::bytes::accessor::Decoder;
use crate::gltf::check::data;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::schema::{self, Sampler, TargetPath};
use crate::gltf::import::shared::Shared;

#[derive(Default)]
pub(super) struct Keys {
    times: Shared<f32>,
    /// Indices of the kept keys, by accessor of times that do not ascend.
    kept: HashMap<u32, Vec<usize>>,
    values: Shared<f32>,
    rotations: HashMap<(u32, usize), Arc<Vec<f32>>>,
    /// Tracks that were read, so that a shared sampler is checked once.
    tracks: HashMap<TrackKey, Result<Track, String>>,
}

/// Accessors of times and values, numbers per key, interpolation, and true for rotations.
type TrackKey = (u32, u32, usize, Interpolation, bool);

pub(super) fn track_of(
    decoder: &mut Decoder<'_>,
    keys: &mut Keys,
    sampler: &Sampler,
    path: TargetPath,
    width: usize,
    at_input: &str,
    pointer: &str,
) -> Result<Result<Track, String>, GltfError> {
    let (Some(input), Some(output)) = (sampler.input, sampler.output) else {
        return Ok(Err("its sampler has no keys".to_owned()));
    };
    let interpolation = match (sampler.interpolation.unwrap_or_default(), path) {
        (schema::Interpolation::Step, _) => Interpolation::Step,
        (schema::Interpolation::CubicSpline, _) => Interpolation::CubicHermite,
        (schema::Interpolation::Linear, TargetPath::Rotation) => Interpolation::Slerp,
        (schema::Interpolation::Linear, _) => Interpolation::Linear,
    };
    let is_rotation = path == TargetPath::Rotation;
    let key = (input, output, width, interpolation, is_rotation);
    if let Some(known) = keys.tracks.get(&key) {
        return Ok(known.clone());
    }
    let kept = &mut keys.kept;
    let times = keys.times.get::<f32>(decoder, input, |times, decoder| {
        if !data::check_times(times, at_input, decoder.report()) {
            kept.insert(input, keep_ascending(times));
        }
    })?;
    let per_key = interpolation.elements_per_key();
    let mut values = keys
        .values
        .get_or_make(output, || decoder.values::<f32>(output))?;
    if is_rotation {
        values = unit_rotations(decoder, keys, output, per_key, &values, pointer)?;
    }
    if let Some(kept) = keys.kept.get(&input) {
        let key_length = width * per_key;
        let key = |key: &usize| {
            values
                .get(key * key_length..(key + 1) * key_length)
                .unwrap_or_default()
        };
        decoder
            .budget()
            .charge((values.len() * size_of::<f32>()) as u64, "keys", pointer)?;
        values = Arc::new(kept.iter().flat_map(key).copied().collect());
    }
    let track = Track::new(times, values, width, interpolation).map_err(|error| error.to_string());
    keys.tracks.insert(key, track.clone());
    Ok(track)
}

/// Removes times that do not ascend. Returns the indices of the kept keys.
fn keep_ascending(times: &mut Vec<f32>) -> Vec<usize> {
    let mut kept = Vec::new();
    let mut last = f32::NEG_INFINITY;
    for (key, time) in times.iter().enumerate() {
        if *time > last {
            last = *time;
            kept.push(key);
        }
    }
    *times = kept.iter().map(|key| times[*key]).collect();
    kept
}

fn unit_rotations(
    decoder: &mut Decoder<'_>,
    keys: &mut Keys,
    output: u32,
    per_key: usize,
    values: &Arc<Vec<f32>>,
    pointer: &str,
) -> Result<Arc<Vec<f32>>, GltfError> {
    if let Some(known) = keys.rotations.get(&(output, per_key)) {
        return Ok(Arc::clone(known));
    }
    let at = format!("{pointer}/sampler");
    let accessor = decoder.document().accessors.get(output as usize);
    let tolerance = data::rotation_tolerance(accessor.and_then(|a| a.component_type));
    let unit = if data::has_non_unit_rotations(values, per_key, tolerance) {
        decoder.budget().charge(
            (values.len() * size_of::<f32>()) as u64,
            "rotations",
            pointer,
        )?;
        let mut copy = values.to_vec();
        // If one rotation is normalised, all rotations get the precision of floats.
        let tolerance = data::rotation_tolerance(None);
        data::normalize_rotations(&mut copy, per_key, tolerance, at, decoder.report());
        Arc::new(copy)
    } else {
        Arc::clone(values)
    };
    keys.rotations.insert((output, per_key), Arc::clone(&unit));
    Ok(unit)
}
