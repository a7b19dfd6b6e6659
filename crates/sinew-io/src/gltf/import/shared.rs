//! Arrays that were decoded once and are shared by everything that uses them.

use std::collections::HashMap;
use std::sync::Arc;

use bytemuck::Pod;

use crate::gltf::GltfError;
use crate::gltf::accessor::{Decoder, Value};

/// Decoded accessors, as elements of type `T`.
pub(super) struct Shared<T>(HashMap<u32, Arc<Vec<T>>>);

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Pod> Shared<T> {
    /// The elements of an accessor; `at_first` sees them when they are decoded and may change them.
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
    /// The array kept for an accessor, made when there is none.
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
