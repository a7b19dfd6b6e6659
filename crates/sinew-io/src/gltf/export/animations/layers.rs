//! Export of layers over clips: the animations that the flattened clip was made from.

use super::keys::as_read;
use super::tracks::animation;
use crate::gltf::document::schema;
use crate::gltf::export::error::ExportError;
use crate::gltf::export::exporter::Exporter;
use crate::gltf::export::meshes::WrittenMesh;
use crate::gltf::export::plan::Plan;
use crate::gltf::extras::layers::{FileLayer, FileLayers, write_layers, write_part};
use sinew::Clip;
use sinew::clip::{ClipLayers, ClipSpace, JointTracks};
use std::collections::BTreeMap;

/// Layers of a clip as an import reads them, and the clip that they give.
pub(super) struct Layered {
    pub(super) layers: ClipLayers,
    pub(super) clip: Clip,
}

/// Layers to write, by clip. Leaves out layers that do not give their clip.
///
/// glTF changes some tracks: parabolas become cubic splines, for example. The layers are flattened again with the changed
/// tracks, so that an import finds layers that give their clip to the bit.
pub(super) fn layered(
    exporter: &mut Exporter<'_>,
) -> Result<BTreeMap<usize, Layered>, ExportError> {
    let character = exporter.character;
    let skeleton = &character.skeleton;
    let mut all: BTreeMap<usize, Layered> = BTreeMap::new();
    for layers in &character.layers {
        let location = format!("/animations/{}", layers.clip);
        let clip = character.clips.get(layers.clip);
        let is_given = |clip: &&Clip| {
            let mut masks = layers.layers.iter().flat_map(|layer| &layer.joints);
            let is_known = masks.all(|joint| *joint < skeleton.len());
            is_known && clip.space == ClipSpace::Local && layers.gives(skeleton, clip)
        };
        let is_first = !all.contains_key(&layers.clip);
        let Some(clip) = clip.filter(is_given).filter(|_| is_first) else {
            exporter.leave_out(location, "a set of layers that does not give its clip");
            continue;
        };
        let (mut layers, mut clip) = (layers.clone(), clip.clone());
        let above = layers.layers.iter_mut().flat_map(|layer| &mut layer.tracks);
        for tracks in layers.base.iter_mut().chain(above) {
            read_back(tracks).map_err(|_| ExportError::not_finite(&location))?;
        }
        layers.flatten_into(skeleton, &mut clip);
        all.insert(layers.clip, Layered { layers, clip });
    }
    Ok(all)
}

fn read_back(tracks: &mut JointTracks) -> Result<(), sinew::TrackError> {
    let translation_and_scale = [&mut tracks.translation, &mut tracks.scale];
    for track in translation_and_scale.into_iter().flatten() {
        *track = as_read(track, false)?;
    }
    // Tracks of another width are refused when they are written.
    for track in tracks.rotation.iter_mut().filter(|t| t.width() == 4) {
        *track = as_read(track, true)?;
    }
    Ok(())
}

/// Writes the animations of layers after those of all clips. `wholes` has the animation of each clip.
pub(super) fn write(
    exporter: &mut Exporter<'_>,
    to: (&Plan, &[Option<WrittenMesh>]),
    layered: BTreeMap<usize, Layered>,
    wholes: &BTreeMap<usize, usize>,
) -> Result<(), ExportError> {
    let nodes = |joints: &mut dyn Iterator<Item = usize>| -> Vec<usize> {
        joints
            .filter_map(|joint| to.0.node_of_joint[joint])
            .collect()
    };
    for (clip, Layered { layers, clip: flat }) in layered {
        let Some(&whole) = wholes.get(&clip) else {
            continue;
        };
        let base_nodes = nodes(&mut layers.base.iter().map(|base| base.joint));
        let name = format!("{} (base)", flat.name);
        let mut file = FileLayers {
            whole,
            base: part(exporter, to, whole, name, layers.base)?,
            base_nodes,
            layers: Vec::with_capacity(layers.layers.len()),
        };
        for layer in layers.layers {
            let name = format!("{}: {}", flat.name, layer.name);
            file.layers.push(FileLayer {
                name: layer.name,
                additive: layer.additive,
                weight: layer.weight,
                nodes: nodes(&mut layer.joints.iter().copied()),
                animation: part(exporter, to, whole, name, layer.tracks)?,
            });
        }
        // The extras are an object, because the motion was written there.
        write_layers(&file, &mut exporter.document.animations[whole].rest)?;
    }
    Ok(())
}

/// Writes tracks as an animation and returns its index. `None` if there are no tracks.
fn part(
    exporter: &mut Exporter<'_>,
    to: (&Plan, &[Option<WrittenMesh>]),
    whole: usize,
    name: String,
    joints: Vec<JointTracks>,
) -> Result<Option<usize>, ExportError> {
    let clip = Clip {
        joints,
        ..Clip::new(name)
    };
    let index = exporter.document.animations.len();
    let location = format!("/animations/{index}");
    let source = schema::Animation::default();
    let (mut written, _) = animation(exporter, &clip, &source, &location, to)?;
    if written.channels.is_empty() {
        return Ok(None);
    }
    write_part(whole, &mut written.rest)?;
    exporter.document.animations.push(written);
    Ok(Some(index))
}
