//! Curves and bindings of channels with a pointer.

use super::tracks::{Keys, track_of};
use crate::gltf::bytes::accessor::Decoder;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::json::string;
use crate::gltf::document::schema::{Animation, Channel, Document, TargetPath};
use crate::gltf::extras::motion::{pointer_curve, with_tangents};
use crate::gltf::import::cameras::cameras;
use crate::gltf::import::lights::lights;
use crate::gltf::pointer::{Pointed, Targets, is_pointing};
use crate::report::Severity;
use sinew::Clip;
use sinew::binding::{Binding, Target};
use sinew::character::binding_name;
use sinew::clip::Curve;
use sinew::property::{ObjectKind, Property};
use std::collections::HashSet;

/// Max number of properties that channels of a document drive, because each is searched in every frame.
const MAX_DRIVEN: usize = 256;

pub(super) struct Pointers<'d> {
    targets: &'d Targets<'d>,
    lights: Vec<String>,
    cameras: Vec<String>,
    driven: HashSet<(usize, Property)>,
    /// Bindings of the curves, each once.
    pub bindings: Vec<Binding>,
}

impl<'d> Pointers<'d> {
    pub fn new(document: &Document, targets: &'d Targets<'d>) -> Self {
        Self {
            targets,
            lights: lights(document).into_iter().map(|own| own.name).collect(),
            cameras: cameras(document).into_iter().map(|own| own.name).collect(),
            driven: HashSet::new(),
            bindings: Vec::new(),
        }
    }

    /// Adds the curves of an animation to its clip. Reports channels that nothing follows.
    pub fn read(
        &mut self,
        decoder: &mut Decoder<'_>,
        keys: &mut Keys,
        animation: &Animation,
        index: usize,
        clip: &mut Clip,
    ) -> Result<(), GltfError> {
        let mut seen = HashSet::new();
        let channels = animation.channels.iter().enumerate();
        for (number, channel) in channels.filter(|(_, channel)| is_pointing(channel)) {
            let at = format!("/animations/{index}/channels/{number}");
            let (object, property) = match self.targets.held(animation, channel) {
                Ok(Pointed::Property(object, property)) => (object, property),
                Ok(Pointed::Path(..)) => continue,
                Err(why) => {
                    let message = format!("{why}; the channel was left out");
                    report(decoder, &format!("{at}/target"), &message);
                    continue;
                }
            };
            if !seen.insert((object, property)) {
                let message = "another channel has the same target; this one was left out";
                report(decoder, &format!("{at}/target"), message);
                continue;
            }
            if !self.driven.contains(&(object, property)) && self.driven.len() == MAX_DRIVEN {
                let message = format!(
                    "there are more than {MAX_DRIVEN} animated properties; the channel was left out"
                );
                report(decoder, &format!("{at}/target"), &message);
                continue;
            }
            self.driven.insert((object, property));
            let target = Target::of(self.name(decoder.document(), object, property), property);
            self.curve(
                decoder,
                keys,
                (animation, channel, &at),
                index,
                target,
                clip,
            )?;
        }
        Ok(())
    }

    fn curve(
        &mut self,
        decoder: &mut Decoder<'_>,
        keys: &mut Keys,
        (animation, channel, at): (&Animation, &Channel, &str),
        index: usize,
        target: Target,
        clip: &mut Clip,
    ) -> Result<(), GltfError> {
        let stated = pointer_curve(&channel.rest).and_then(string);
        let name = stated
            .as_deref()
            .map_or_else(|| target.to_string(), str::to_owned);
        if clip.curves.iter().any(|curve| curve.name == name) {
            // The extras of the animation have the curve as it was.
            if stated.is_none() {
                report(
                    decoder,
                    at,
                    "the clip has a curve of this name; the channel was left out",
                );
            }
            return Ok(());
        }
        let sampler_index = channel.sampler.unwrap_or_default();
        let Some(sampler) = animation.samplers.get(sampler_index as usize) else {
            return Ok(());
        };
        let width = target
            .property()
            .map_or(1, |(_, property)| property.width());
        let at_input = format!("/animations/{index}/samplers/{sampler_index}/input");
        let path = TargetPath::Pointer;
        let track = match track_of(decoder, keys, sampler, path, width, &at_input, at)? {
            Ok(track) => with_tangents(&track, &sampler.rest).unwrap_or(track),
            Err(why) => {
                report(decoder, at, &format!("the channel was left out: {why}"));
                return Ok(());
            }
        };
        let bytes = size_of::<Curve>() + size_of::<Binding>() + 3 * name.len();
        decoder.budget().charge(bytes as u64, "a curve", at)?;
        clip.duration_secs = clip.duration_secs.max(track.end_secs());
        let signal = name.clone();
        clip.curves.push(Curve { name, track });
        let binding = Binding { signal, target };
        if !self.bindings.contains(&binding) {
            self.bindings.push(binding);
        }
        Ok(())
    }

    fn name(&self, document: &Document, index: usize, property: Property) -> String {
        let names: Vec<&str> = match property.kind() {
            ObjectKind::Node => {
                let nodes = document.nodes.iter();
                nodes
                    .map(|own| own.name.as_deref().unwrap_or_default())
                    .collect()
            }
            ObjectKind::Material => {
                let materials = document.materials.iter();
                materials
                    .map(|own| own.name.as_deref().unwrap_or_default())
                    .collect()
            }
            ObjectKind::Camera => self.cameras.iter().map(String::as_str).collect(),
            ObjectKind::Light => self.lights.iter().map(String::as_str).collect(),
        };
        binding_name(&names, index)
    }
}

fn report(decoder: &mut Decoder<'_>, at: &str, message: &str) {
    let code = "UNUSABLE_ANIMATION_CHANNEL";
    decoder.report().add(Severity::Ignored, code, at, message);
}
