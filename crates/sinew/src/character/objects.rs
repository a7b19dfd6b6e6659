//! Names by which bindings refer to the objects of a character.

use super::Character;
use crate::property::{ObjectKind, Property};

impl Character {
    /// Name of each object of a kind, in the order of its list. Names may be equal or empty.
    pub fn object_names(&self, kind: ObjectKind) -> Vec<&str> {
        match kind {
            ObjectKind::Node => self.nodes.iter().map(|own| &*own.name).collect(),
            ObjectKind::Camera => self.cameras.iter().map(|own| &*own.name).collect(),
            ObjectKind::Light => self.lights.iter().map(|own| &*own.name).collect(),
            ObjectKind::Material => self.materials.iter().map(|own| &*own.name).collect(),
        }
    }

    /// Indices of the objects that a binding means: those with the name, or the one of `#INDEX`.
    pub fn bound_objects(&self, kind: ObjectKind, name: &str) -> Vec<usize> {
        let names = self.object_names(kind);
        let named = names.iter().enumerate().filter(|(_, own)| **own == name);
        let named: Vec<usize> = named.map(|(index, _)| index).collect();
        let index = name.strip_prefix('#').and_then(|index| index.parse().ok());
        match index.filter(|&index: &usize| named.is_empty() && index < names.len()) {
            Some(index) => vec![index],
            None => named,
        }
    }

    /// Properties that bindings set, each with the index of its object and the name of the curve.
    pub fn driven_properties(&self) -> impl Iterator<Item = (usize, Property, &str)> {
        self.bindings.iter().flat_map(move |binding| {
            let bound = binding.target.property();
            bound.into_iter().flat_map(move |(name, property)| {
                let objects = self.bound_objects(property.kind(), name).into_iter();
                objects.map(move |index| (index, property, &*binding.signal))
            })
        })
    }
}

/// Name by which a binding means one object alone: its name, or `#INDEX` if the name is empty or another object has it.
pub fn binding_name(names: &[&str], index: usize) -> String {
    let own = names.get(index).copied().unwrap_or_default();
    let is_alone = names.iter().filter(|name| **name == own).count() == 1;
    match is_alone && !own.is_empty() && !own.starts_with('#') {
        true => own.to_owned(),
        false => format!("#{index}"),
    }
}
