//! Decoded arrays that several objects share.

use std::collections::HashMap;
use std::sync::Arc;

use bytemuck::Pod;
use glam::{Vec2, Vec3, Vec4};
use sinew::Influences;
use sinew::mesh::Deltas;

use crate::gltf::bytes::accessor::{Decoder, Value};
use crate::gltf::document::error::GltfError;

pub(super) struct Shared<T>(HashMap<u32, Arc<Vec<T>>>);

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Pod> Shared<T> {
    /// Elements of an accessor. `at_first` may check or change newly decoded elements.
    pub(super) fn get<V: Value>(
        &mut self,
        decoder: &mut Decoder<'_>,
        accessor: u32,
        at_first: impl FnOnce(&mut Vec<T>, &mut Decoder<'_>),
    ) -> Result<Arc<Vec<T>>, GltfError> {
        self.get_or_make(accessor, || {
            let mut elements = decoder.elements::<T, V>(accessor)?;
            at_first(&mut elements, decoder);
            Ok(elements)
        })
    }
}

impl<T> Shared<T> {
    pub(super) fn get_or_make(
        &mut self,
        accessor: u32,
        make: impl FnOnce() -> Result<Vec<T>, GltfError>,
    ) -> Result<Arc<Vec<T>>, GltfError> {
        if let Some(known) = self.0.get(&accessor) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(make()?);
        self.0.insert(accessor, Arc::clone(&made));
        Ok(made)
    }
}

#[derive(Default)]
pub(super) struct Arrays {
    pub(super) vec2: Shared<Vec2>,
    pub(super) vec3: Shared<Vec3>,
    pub(super) vec4: Shared<Vec4>,
    pub(super) colors: Shared<Vec4>,
    pub(super) numbers: Shared<f32>,
    pub(super) indices: Shared<u32>,
    pub(super) greatest_index: HashMap<u32, u32>,
    /// True if all indices are valid, by accessor and number of vertices.
    pub(super) all_exist: HashMap<(u32, usize), bool>,
    pub(super) lists: HashMap<(Option<u32>, u64, usize), Arc<Vec<u32>>>,
    pub(super) deltas: HashMap<u32, Deltas>,
    pub(super) influences: HashMap<(Vec<u32>, usize), Arc<Influences>>,
}
