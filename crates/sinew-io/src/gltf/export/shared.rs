//! Accessors of shared arrays, by address. The character or this struct keeps the arrays alive.

use super::buffer::Purpose;
use crate::gltf::document::schema::{Interpolation, TargetPath};
use sinew::Track;
use sinew::mesh::Deltas;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Default)]
pub(super) struct Shared {
    /// Accessor, by address of the array and kind of attribute.
    pub(super) attributes: HashMap<(usize, &'static str), u32>,
    /// Accessor and max index, by address of the array.
    pub(super) indices: HashMap<usize, (u32, usize)>,
    pub(super) influences: HashMap<usize, Vec<(Box<str>, u32)>>,
    pub(super) deltas: HashMap<DeltasKey, u32>,
    pub(super) tracks: HashMap<TrackKey, WrittenTrack>,
}

pub(super) type DeltasKey = (usize, Option<usize>, Purpose, usize);

pub(super) type TrackKey = (usize, usize, sinew::Interpolation, TargetPath);

#[derive(Clone)]
pub(super) struct WrittenTrack {
    pub(super) input: u32,
    pub(super) output: u32,
    pub(super) interpolation: Interpolation,
    /// Kept, so that no other track gets the same address.
    pub(super) _track: Track,
}

pub(super) fn address<T>(array: &Arc<T>) -> usize {
    Arc::as_ptr(array).addr()
}

pub(super) fn deltas_key(deltas: &Deltas, purpose: Purpose, vertices: usize) -> DeltasKey {
    let moved = deltas.vertices.as_ref().map(address);
    (address(&deltas.values), moved, purpose, vertices)
}

pub(super) fn track_key(track: &Track, path: TargetPath) -> TrackKey {
    let (times, values) = (address(track.times()), address(track.values()));
    (times, values, track.interpolation(), path)
}
