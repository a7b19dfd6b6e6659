use super::numbers::Numbers;
use crate::gltf::document::schema::{
    Animation, Channel, Document, Interpolation, Node, TargetPath,
};
use crate::gltf::export::exported::Export;
use crate::gltf::extras::layers::is_layered;
use crate::report::Severity;

/// Max difference from rest, relative to the value. Quantization has the same error.
const RELATIVE: f32 = 1.0 / 32768.0;
/// Max difference from rest, per component of a rotation.
const ROTATION: f32 = 1e-4;

/// Removes channels that equal the rest pose, unless the animation would become shorter.
pub(super) fn leave_out_resting(export: &mut Export) {
    let mut animations = std::mem::take(&mut export.document.animations);
    for (index, animation) in animations.iter_mut().enumerate() {
        // A track of a layer at rest has an effect on the motion below it.
        if is_layered(&animation.rest) {
            continue;
        }
        let rests =
            |channel: &Channel| is_resting(&export.document, &export.bytes, animation, channel);
        let resting: Vec<bool> = animation.channels.iter().map(rests).collect();
        let end = |channel: &Channel| end_of(&export.document, animation, channel);
        let latest = |channels: &mut dyn Iterator<Item = &Channel>| {
            channels.map(end).fold(f64::NEG_INFINITY, f64::max)
        };
        let all = latest(&mut animation.channels.iter());
        let moving = animation.channels.iter().zip(&resting);
        let moving = latest(
            &mut moving
                .filter(|(_, rests)| !**rests)
                .map(|(channel, _)| channel),
        );
        let left_out = resting.iter().filter(|rests| **rests).count();
        if left_out == 0 || moving < all {
            continue;
        }
        let mut resting = resting.into_iter();
        animation
            .channels
            .retain(|_| !resting.next().unwrap_or(false));
        drop_samplers(animation);
        let message = format!("{left_out} tracks that keep nodes in their rest pose were left out");
        let at = format_args!("/animations/{index}/channels");
        export
            .report
            .add(Severity::Note, "TRACKS_AT_REST", at, message);
    }
    export.document.animations = animations;
}

fn end_of(document: &Document, animation: &Animation, channel: &Channel) -> f64 {
    let sampler = channel
        .sampler
        .and_then(|sampler| animation.samplers.get(sampler as usize));
    let input = sampler.and_then(|sampler| document.accessors.get(sampler.input? as usize));
    let max = input.and_then(|input| input.max.as_ref()?.first().copied());
    max.unwrap_or(0.0)
}

fn is_resting(document: &Document, bytes: &[u8], animation: &Animation, channel: &Channel) -> bool {
    let rest = || {
        let target = channel.target.as_ref()?;
        if !channel.rest.is_empty() || !target.rest.is_empty() {
            return None;
        }
        let node = document.nodes.get(target.node? as usize)?;
        rest_of(node, target.path?)
    };
    let numbers = || {
        let sampler = animation.samplers.get(channel.sampler? as usize)?;
        let is_plain = sampler.interpolation != Some(Interpolation::CubicSpline);
        let output = sampler.output.filter(|_| is_plain)? as usize;
        Numbers::read(document, bytes, output)?.floats()
    };
    let (Some(rest), Some(numbers)) = (rest(), numbers()) else {
        return false;
    };
    let is_rotation = rest.len() == 4;
    let largest = rest.iter().fold(0.0_f32, |max, c| max.max(c.abs()));
    let tolerance = if is_rotation {
        ROTATION
    } else {
        RELATIVE * largest
    };
    numbers.chunks_exact(rest.len()).all(|key| {
        let dot: f32 = key.iter().zip(&rest).map(|(a, b)| a * b).sum();
        let sign = if is_rotation && dot < 0.0 { -1.0 } else { 1.0 };
        let mut pairs = key.iter().zip(&rest);
        pairs.all(|(key, rest)| (sign * key - rest).abs() <= tolerance)
    })
}

fn rest_of(node: &Node, path: TargetPath) -> Option<Vec<f32>> {
    if node.matrix.is_some() {
        return None;
    }
    Some(match path {
        TargetPath::Translation => node.translation.as_deref().unwrap_or(&[0.0; 3]).to_vec(),
        TargetPath::Rotation => node
            .rotation
            .as_deref()
            .unwrap_or(&[0.0, 0.0, 0.0, 1.0])
            .to_vec(),
        TargetPath::Scale => node.scale.as_deref().unwrap_or(&[1.0; 3]).to_vec(),
        TargetPath::Weights | TargetPath::Pointer => return None,
    })
}

fn drop_samplers(animation: &mut Animation) {
    let mut kept = Vec::new();
    let mut new_indices = vec![None; animation.samplers.len()];
    for channel in &mut animation.channels {
        let Some(sampler) = channel.sampler.map(|sampler| sampler as usize) else {
            continue;
        };
        if let Some(new_index) = new_indices.get_mut(sampler) {
            channel.sampler = Some(*new_index.get_or_insert_with(|| {
                kept.push(animation.samplers[sampler].clone());
                (kept.len() - 1) as u32
            }));
        }
    }
    animation.samplers = kept;
}
