//! Layers over clips, from the animations that are parts of them.

use crate::gltf::bytes::accessor::Decoder;
use crate::gltf::document::error::GltfError;
use crate::gltf::extras::layers::{FileLayers, report_broken};
use crate::gltf::import::nodes::NodeSkeleton;
use sinew::Clip;
use sinew::clip::{ClipLayer, ClipLayers, JointTracks};

/// Takes the parts of layers out of the clips. Returns the layers, and true for each animation that was a part. Layers
/// with a part that cannot be one are reported, and their parts stay clips.
///
/// # Errors
/// [`GltfError::MemoryLimit`] if the layers exceed the budget of the decoder.
pub(crate) fn take(
    decoder: &mut Decoder<'_>,
    files: Vec<FileLayers>,
    clips: &mut Vec<Clip>,
    skeleton: &NodeSkeleton,
) -> Result<(Vec<ClipLayers>, Vec<bool>), GltfError> {
    let mut is_part = vec![false; clips.len()];
    let mut layers = Vec::with_capacity(files.len());
    for file in files {
        let base_joints = joints(&file.base_nodes, skeleton);
        if let Some(why) = fault(&file, &base_joints, clips) {
            report_broken(decoder, file.whole, "", &why);
            continue;
        }
        let bytes = base_joints.len() * size_of::<JointTracks>();
        let location = format!("/animations/{}/extras/sinew/layers", file.whole);
        decoder.budget().charge(bytes as u64, "layers", location)?;
        for part in file.parts() {
            is_part[part] = true;
        }
        layers.push(made(file, base_joints, clips, skeleton));
    }
    let mut clip_of_animation = Vec::with_capacity(clips.len());
    let mut ordinary = 0;
    for is_part in &is_part {
        clip_of_animation.push(ordinary);
        ordinary += usize::from(!is_part);
    }
    for layers in &mut layers {
        layers.clip = clip_of_animation[layers.clip];
    }
    let mut parts = is_part.iter();
    clips.retain(|_| !parts.next().copied().unwrap_or(false));
    Ok((layers, is_part))
}

/// Joints of nodes, ascending.
fn joints(nodes: &[usize], skeleton: &NodeSkeleton) -> Vec<usize> {
    let joints = nodes.iter().filter_map(|&node| skeleton.joint(node as u32));
    let mut joints: Vec<usize> = joints.collect();
    joints.sort_unstable();
    joints
}

fn fault(file: &FileLayers, base_joints: &[usize], clips: &[Clip]) -> Option<String> {
    let has_more = |part: &usize| {
        let clip = &clips[*part];
        !(clip.morphs.is_empty() && clip.events.is_empty() && clip.curves.is_empty())
    };
    if let Some(part) = file.parts().find(has_more) {
        return Some(format!(
            "animation {part} has morph weights, events or curves, which layers do not have"
        ));
    }
    let is_unlisted = |tracks: &JointTracks| base_joints.binary_search(&tracks.joint).is_err();
    let base = file.base?;
    let has_unlisted = clips[base].joints.iter().any(is_unlisted);
    has_unlisted.then(|| format!("animation {base} moves a node that `baseJoints` does not list"))
}

fn made(
    file: FileLayers,
    base_joints: Vec<usize>,
    clips: &mut [Clip],
    skeleton: &NodeSkeleton,
) -> ClipLayers {
    let mut tracks = |part: Option<usize>| {
        let part = part.map(|part| std::mem::take(&mut clips[part].joints));
        part.unwrap_or_default()
    };
    let mut below = tracks(file.base).into_iter().peekable();
    let entry = |joint| {
        let own = below.next_if(|tracks| tracks.joint == joint);
        own.unwrap_or(JointTracks {
            joint,
            ..JointTracks::default()
        })
    };
    ClipLayers {
        clip: file.whole,
        base: base_joints.into_iter().map(entry).collect(),
        layers: file
            .layers
            .into_iter()
            .map(|layer| ClipLayer {
                name: layer.name,
                additive: layer.additive,
                weight: layer.weight,
                joints: joints(&layer.nodes, skeleton),
                tracks: tracks(layer.animation),
            })
            .collect(),
    }
}
