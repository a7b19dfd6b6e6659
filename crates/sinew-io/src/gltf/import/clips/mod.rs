//! Clips of a document.

pub(super) mod layers;
mod pointers;
mod tracks;

use std::collections::HashSet;

use sinew::Clip;
use sinew::binding::Binding;
use sinew::clip::MorphTrack;
use sinew::steps::pause;

use super::nodes::{NodeSkeleton, target_of};
use crate::gltf::bytes::accessor::Decoder;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::schema::{Animation, TargetPath};
use crate::gltf::extras::motion::{is_empty, read_motion, with_tangents};
use crate::gltf::pointer::Targets;
use crate::report::Severity;
use pointers::Pointers;
use tracks::{Keys, track_of};

pub(super) async fn clips(
    decoder: &mut Decoder<'_>,
    skeleton: &NodeSkeleton,
    targets: &Targets<'_>,
) -> Result<(Vec<Clip>, Vec<Binding>), GltfError> {
    let mut keys = Keys::default();
    let mut pointers = Pointers::new(decoder.document(), targets);
    let animations = &decoder.document().animations;
    let mut clips = Vec::with_capacity(animations.len());
    for (index, animation) in animations.iter().enumerate() {
        pause().await;
        let mut clip = clip_of(decoder, &mut keys, animation, index, (skeleton, targets))?;
        pointers.read(decoder, &mut keys, animation, index, &mut clip)?;
        clips.push(clip);
    }
    Ok((clips, pointers.bindings))
}

fn clip_of(
    decoder: &mut Decoder<'_>,
    keys: &mut Keys,
    animation: &Animation,
    index: usize,
    (skeleton, targets): (&NodeSkeleton, &Targets<'_>),
) -> Result<Clip, GltfError> {
    let mut clip = Clip::new(animation.name.as_deref().unwrap_or_default());
    let mut seen = HashSet::new();
    // Sorted, so that each joint is appended to the sorted list of the clip.
    let channels = animation.channels.iter().enumerate();
    let channels = channels.filter(|_| !is_empty(animation));
    let mut channels: Vec<_> = channels
        .filter_map(|(number, channel)| {
            let (node, path) = target_of(targets, animation, channel)?;
            Some((number, channel, node, path))
        })
        .collect();
    channels.sort_by_key(|(_, _, node, _)| skeleton.joint(*node));
    for (number, channel, node, path) in channels {
        let sampler = channel
            .sampler
            .and_then(|sampler| animation.samplers.get(sampler as usize).zip(Some(sampler)));
        let Some((sampler, sampler_index)) = sampler else {
            continue;
        };
        if path == TargetPath::Pointer || !seen.insert((node, path)) {
            continue;
        }
        let pointer = format!("/animations/{index}/channels/{number}");
        let at_input = format!("/animations/{index}/samplers/{sampler_index}/input");
        let Some(width) = width_of(decoder, node, path) else {
            continue;
        };
        let track = match track_of(decoder, keys, sampler, path, width, &at_input, &pointer)? {
            Ok(track) => with_tangents(&track, &sampler.rest).unwrap_or(track),
            Err(reason) => {
                let message = format_args!("the channel was left out: {reason}");
                decoder.report().add(
                    Severity::Ignored,
                    "UNUSABLE_ANIMATION_CHANNEL",
                    &pointer,
                    message,
                );
                continue;
            }
        };
        decoder.budget().charge(
            (2 * size_of::<sinew::clip::JointTracks>()) as u64,
            "a track",
            pointer.as_str(),
        )?;
        match (path, skeleton.joint(node)) {
            (TargetPath::Weights, _) => clip.morphs.push(MorphTrack {
                node: node as usize,
                weights: track,
            }),
            (TargetPath::Translation, Some(joint)) => {
                clip.joint_mut(joint).translation = Some(track);
            }
            (TargetPath::Rotation, Some(joint)) => clip.joint_mut(joint).rotation = Some(track),
            (TargetPath::Scale, Some(joint)) => clip.joint_mut(joint).scale = Some(track),
            _ => {}
        }
    }
    clip.fit_duration();
    let pointer = format!("/animations/{index}");
    read_motion(&animation.rest, &mut clip, &pointer, decoder)?;
    Ok(clip)
}

fn width_of(decoder: &Decoder<'_>, node: u32, path: TargetPath) -> Option<usize> {
    match path {
        TargetPath::Translation | TargetPath::Scale => Some(3),
        TargetPath::Rotation => Some(4),
        TargetPath::Weights => {
            let document = decoder.document();
            let mesh = document.nodes.get(node as usize)?.mesh?;
            let first = document.meshes.get(mesh as usize)?.primitives.first()?;
            Some(first.targets.len()).filter(|targets| *targets > 0)
        }
        TargetPath::Pointer => None,
    }
}
