use super::checks::within;
use super::tracks::{below_layers, find_layer, set_below};
use crate::document::{Document, Motion};
use crate::edit::Edit;
use crate::error::Reason;
use crate::name::Name;
use crate::report::Report;
use sinew::clip::{ClipLayer, ClipLayers, ClipSpace};

pub fn run(document: &mut Document, edit: &Edit) -> Result<Report, Reason> {
    match edit {
        Edit::AddLayer {
            clip,
            name,
            additive,
            weight,
            joints,
        } => {
            let at = document.find_clip(clip)?;
            let layer = ClipLayer {
                name: name.clone(),
                additive: *additive,
                weight: *weight,
                joints: mask(document, joints)?,
                tracks: Vec::new(),
            };
            add(document, at, layer)?;
            Ok(Report::clip(at, format!("layer \"{name}\" over {clip}")))
        }
        Edit::SetLayer {
            clip,
            layer,
            name,
            weight,
            joints,
        } => {
            let joints = joints
                .as_ref()
                .map(|joints| mask(document, joints))
                .transpose()?;
            let at = change(document, clip, |motion| {
                let index = find_layer(motion, layer)?;
                let Some(layers) = &mut motion.layers else {
                    return Ok(());
                };
                if let Some(name) = name {
                    check_name(layers, name, Some(index))?;
                    layers.layers[index].name.clone_from(name);
                }
                if let Some(weight) = weight {
                    within("weight", *weight, 0.0..=1.0, "from 0 to 1")?;
                    layers.layers[index].weight = *weight;
                }
                if let Some(joints) = joints {
                    layers.layers[index].joints = joints;
                }
                Ok(())
            })?;
            Ok(Report::clip(at, format!("layer {layer} of {clip}")))
        }
        Edit::DeleteLayer { clip, layer } => {
            let at = change(document, clip, |motion| {
                let index = find_layer(motion, layer)?;
                if let Some(layers) = &mut motion.layers {
                    layers.layers.remove(index);
                }
                Ok(())
            })?;
            let motion = document.motion_mut(at);
            if motion
                .layers
                .as_ref()
                .is_some_and(|layers| layers.layers.is_empty())
            {
                motion.layers = None;
            }
            Ok(Report::clip(at, format!("deleted layer {layer} of {clip}")))
        }
        Edit::Flatten { clip } => {
            let at = document.find_clip(clip)?;
            let layers = document.motion_mut(at).layers.take();
            let count = layers.map_or(0, |layers| layers.layers.len());
            if count == 0 {
                return Err(Reason::Nothing("the clip has no layers"));
            }
            let text = format!(
                "flattened {} of {clip}",
                super::checks::counted(count, "layer")
            );
            Ok(Report::clip(at, text))
        }
        _ => Err(Reason::Nothing("not an edit of layers")),
    }
}

fn mask(document: &Document, joints: &[Name]) -> Result<Vec<usize>, Reason> {
    let joints = joints.iter().map(|joint| document.find_joint(joint));
    let mut joints = joints.collect::<Result<Vec<usize>, Reason>>()?;
    joints.sort_unstable();
    joints.dedup();
    Ok(joints)
}

fn add(document: &mut Document, at: usize, layer: ClipLayer) -> Result<(), Reason> {
    within("weight", layer.weight, 0.0..=1.0, "from 0 to 1")?;
    let motion = document.motion_mut(at);
    if motion.clip.space == ClipSpace::Model {
        return Err(Reason::InModel(motion.clip.name.clone()));
    }
    let layers = motion.layers.get_or_insert_with(ClipLayers::default);
    check_name(layers, &layer.name, None)?;
    layers.layers.push(layer);
    Ok(())
}

fn check_name(layers: &ClipLayers, name: &str, except: Option<usize>) -> Result<(), Reason> {
    let mut others = layers.layers.iter().enumerate();
    if name.is_empty() {
        Err(Reason::Nameless)
    } else if others.any(|(at, layer)| layer.name == name && Some(at) != except) {
        Err(Reason::Taken(name.to_owned()))
    } else {
        Ok(())
    }
}

/// Changes the layers of a clip and flattens them again.
fn change(
    document: &mut Document,
    clip: &Name,
    edit: impl FnOnce(&mut Motion) -> Result<(), Reason>,
) -> Result<usize, Reason> {
    let at = document.find_clip(clip)?;
    let skeleton = document.skeleton().clone();
    let motion = document.motion_mut(at);
    let below = below_layers(motion);
    edit(motion)?;
    set_below(motion, &skeleton, below);
    Ok(at)
}
