//! Channels with a pointer, from the curves that bindings connect to properties.

use super::keys::keys;
use super::tracks::ClipWriter;
use crate::gltf::document::json::Rest;
use crate::gltf::document::nested;
use crate::gltf::document::schema::{Channel, ChannelTarget, Interpolation, Sampler, TargetPath};
use crate::gltf::export::buffer::Purpose;
use crate::gltf::export::error::ExportError;
use crate::gltf::export::exporter::Exporter;
use crate::gltf::extras::motion::{write_pointer_curve, write_tangents};
use crate::gltf::pointer::{POINTER, Pointed, element_of};
use serde_json::value::to_raw_value;
use sinew::binding::Binding;
use sinew::character::binding_name;
use sinew::clip::{Clip, Curve};
use sinew::property::{ObjectKind, Property};
use sinew::{Interpolation as Between, Track};
use std::collections::HashSet;

/// Index of an object in the exported document. `None` if it was left out.
fn written_index(exporter: &Exporter<'_>, property: Property, index: usize) -> Option<usize> {
    match property.kind() {
        ObjectKind::Camera => {
            let written = exporter.cameras.get(index).copied().flatten()?;
            Some(written as usize)
        }
        _ => Some(index),
    }
}

/// True if a channel can have the keys of a track as they are.
fn fits(track: &Track, property: Property) -> bool {
    let is_step = track.interpolation() == Between::Step;
    let mut values = track.values().iter();
    let are_right = match property {
        Property::Visible => is_step && values.all(|value| [0.0, 1.0].contains(value)),
        _ => values.all(|value| value.is_finite()),
    };
    let mut times = track.times().iter();
    let are_times = times.all(|time| time.is_finite() && *time >= 0.0);
    let is_kept = matches!(
        track.interpolation(),
        Between::Step | Between::Linear | Between::CubicHermite
    );
    track.width() == property.width() && are_right && are_times && is_kept
}

/// True if an import gives the curve of a channel with the target of this binding the same name.
fn is_plain(exporter: &Exporter<'_>, binding: &Binding) -> bool {
    let Some((name, property)) = binding.target.property() else {
        return false;
    };
    let names = exporter.character.object_names(property.kind());
    let objects = exporter.character.bound_objects(property.kind(), name);
    let [object] = objects[..] else {
        return false;
    };
    binding.signal == binding.target.to_string() && binding_name(&names, object) == name
}

impl ClipWriter<'_, '_> {
    /// Writes the curves of a clip that set properties. Returns the names of those that need no extras.
    pub(super) fn curves(&mut self, clip: &Clip) -> Result<HashSet<String>, ExportError> {
        let mut pointed = HashSet::new();
        let mut written = HashSet::new();
        for curve in &clip.curves {
            let mut first = clip.curves.iter().filter(|own| own.name == curve.name);
            if !first.next().is_some_and(|first| std::ptr::eq(first, curve)) {
                continue;
            }
            let character = self.exporter.character;
            let own = character
                .bindings
                .iter()
                .filter(|own| own.signal == curve.name);
            for binding in own {
                let Some((name, property)) = binding.target.property() else {
                    continue;
                };
                if !fits(&curve.track, property) {
                    continue;
                }
                let is_plain = is_plain(self.exporter, binding) && first.next().is_none();
                for index in character.bound_objects(property.kind(), name) {
                    if written.insert((index, property))
                        && self.curve(curve, index, property, is_plain)?
                        && is_plain
                    {
                        pointed.insert(curve.name.clone());
                    }
                }
            }
        }
        Ok(pointed)
    }

    /// Writes a channel for a curve. False if the document does not have the property.
    fn curve(
        &mut self,
        curve: &Curve,
        index: usize,
        property: Property,
        is_plain: bool,
    ) -> Result<bool, ExportError> {
        let object = written_index(self.exporter, property, index);
        let pointer = object.and_then(|own| self.exporter.objects.pointer_to(own, property));
        let Some(pointer) = pointer else {
            return Ok(false);
        };
        let (mut channel, mut sampler) = self.source_of(index, property);
        let name = (!is_plain).then_some(curve.name.as_str());
        if !write_pointer_curve(name, &mut channel.rest)?
            || !write_tangents(&curve.track, &mut sampler.rest)?
        {
            return Ok(false);
        }
        let target = channel.target.get_or_insert_default();
        let object = target.rest.extension(POINTER).and_then(nested::members);
        let mut object = object.unwrap_or_default();
        object.insert("pointer", to_raw_value(&pointer)?);
        let object = nested::object(object)?;
        nested::set_extension(&mut target.rest, POINTER, Some(object))?;
        self.write_keys(&curve.track, property, &mut sampler)?;
        channel.sampler = Some(self.written.samplers.len() as u32);
        self.written.channels.push(channel);
        self.written.samplers.push(sampler);
        self.exporter.driven.insert((index, property));
        Ok(true)
    }

    fn write_keys(
        &mut self,
        track: &Track,
        property: Property,
        sampler: &mut Sampler,
    ) -> Result<(), ExportError> {
        let keys = keys(track, false);
        let buffer = &mut self.exporter.buffer;
        let not_finite = || ExportError::not_finite(self.location);
        let element = element_of(property.width());
        let input = buffer.floats(Purpose::Times, element_of(1), track.times());
        sampler.input = Some(input.ok_or_else(not_finite)?);
        sampler.output = match property {
            Property::Visible => {
                let bytes: Vec<u8> = keys.values.iter().map(|own| *own as u8).collect();
                Some(buffer.flags(&bytes))
            }
            _ => Some(
                buffer
                    .floats(Purpose::Keys, element, &keys.values)
                    .ok_or_else(not_finite)?,
            ),
        };
        sampler.interpolation = match keys.interpolation {
            Interpolation::Linear => None,
            other => Some(other),
        };
        Ok(())
    }

    /// Channel and sampler for the same property in the source, with their unknown members.
    fn source_of(&self, index: usize, property: Property) -> (Channel, Sampler) {
        let targets = self.exporter.source_targets.as_ref();
        let same = self.source.channels.iter().find(|channel| {
            let held = targets.and_then(|own| own.held(self.source, channel).ok());
            held == Some(Pointed::Property(index, property))
        });
        let sampler = same.and_then(|own| self.source.samplers.get(own.sampler? as usize));
        let (target_rest, channel_rest) = same.map_or_else(Default::default, |own| {
            let target = own.target.as_ref().map(|target| target.rest.clone());
            (target.unwrap_or_default(), own.rest.clone())
        });
        let channel = Channel {
            sampler: None,
            target: Some(ChannelTarget {
                node: None,
                path: Some(TargetPath::Pointer),
                rest: target_rest,
            }),
            rest: channel_rest,
        };
        let rest = sampler.map_or_else(Rest::default, |own| own.rest.clone());
        (
            channel,
            Sampler {
                rest,
                ..Sampler::default()
            },
        )
    }
}
