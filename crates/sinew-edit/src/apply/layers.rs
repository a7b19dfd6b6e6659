use super::checks::within;
use super::key_pose::{below_layer, difference};
use super::tracks::{below_layers, find_layer, named_layer, set_below};
use crate::document::{Document, Motion};
use crate::edit::LayerEdit;
use crate::error::Reason;
use crate::name::Name;
use crate::report::Report;
use glam::{Quat, Vec3};
use sinew::clip::{Channel, ClipLayer, ClipLayers, ClipSpace, Track};
use sinew::{Interpolation, Transform, sample_joint};

pub fn run(document: &mut Document, edit: &LayerEdit) -> Result<Report, Reason> {
    match edit {
        LayerEdit::AddLayer {
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
        LayerEdit::SetLayer {
            clip,
            layer,
            name,
            additive,
            weight,
            joints,
        } => {
            let joints = joints
                .as_ref()
                .map(|joints| mask(document, joints))
                .transpose()?;
            let converted = additive
                .map(|additive| converted(document, clip, layer, additive))
                .transpose()?;
            let at = change(document, clip, |motion| {
                let index = find_layer(motion, layer)?;
                let Some(layers) = &mut motion.layers else {
                    return Ok(());
                };
                if let Some(converted) = converted {
                    layers.layers[index] = converted;
                }
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
        LayerEdit::DeleteLayer { clip, layer } => {
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
        LayerEdit::Flatten { clip } => {
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

/// The layer as an additive or a replacing one. Keys are converted at their times; tangents become automatic.
fn converted(
    document: &Document,
    clip: &Name,
    layer: &Name,
    additive: bool,
) -> Result<ClipLayer, Reason> {
    let at = document.find_clip(clip)?;
    let motion = &document.motions()[at];
    let (below, _) = below_layer(document, at, layer)?;
    let Some(layer) = named_layer(motion, Some(layer))? else {
        return Err(Reason::Nothing("the clip has no layers"));
    };
    let mut layer = layer.clone();
    if layer.additive == additive {
        return Ok(layer);
    }
    layer.additive = additive;
    let skeleton = document.skeleton();
    for tracks in &mut layer.tracks {
        let joint = tracks.joint;
        let plays = |time: f32| sample_joint(&below, skeleton, joint, f64::from(time));
        let convert = |channel: Channel, track: &mut Option<Track>| {
            if let Some(track) = track {
                *track = rekeyed(track, |time, key| {
                    let value = transform(channel, key);
                    match additive {
                        true => difference(channel, plays(time), value),
                        false => sum(channel, plays(time), value),
                    }
                });
            }
        };
        convert(Channel::Translation, &mut tracks.translation);
        convert(Channel::Rotation, &mut tracks.rotation);
        convert(Channel::Scale, &mut tracks.scale);
    }
    Ok(layer)
}

fn rekeyed(track: &Track, value: impl Fn(f32, &[f32]) -> Vec<f32>) -> Track {
    let values = track.times().iter().enumerate();
    let values = values.flat_map(|(key, &time)| value(time, track.key(key)));
    let plain = match track.interpolation() {
        Interpolation::CubicHermite => Interpolation::Linear,
        other => other,
    };
    let values: Vec<f32> = values.collect();
    let made = Track::new(track.times().clone(), values, track.width(), plain);
    made.map_or_else(
        |_| track.clone(),
        |made| made.with_interpolation(track.interpolation()),
    )
}

fn transform(channel: Channel, key: &[f32]) -> Transform {
    let mut transform = Transform::IDENTITY;
    match channel {
        Channel::Rotation => {
            transform.rotation = Quat::from_xyzw(key[0], key[1], key[2], key[3]).normalize();
        }
        Channel::Translation => transform.translation = Vec3::from_slice(key),
        Channel::Scale => transform.scale = Vec3::from_slice(key),
    }
    transform
}

/// Value that is seen where an additive key lies over the motion below.
fn sum(channel: Channel, plays: Transform, key: Transform) -> Vec<f32> {
    match channel {
        Channel::Rotation => {
            let seen = (plays.rotation * key.rotation).normalize();
            seen.to_array().to_vec()
        }
        Channel::Translation => (plays.translation + key.translation).to_array().to_vec(),
        Channel::Scale => (plays.scale * key.scale).to_array().to_vec(),
    }
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
    let before = document.motions()[at].clone();
    let motion = document.motion_mut(at);
    let below = below_layers(&before);
    edit(motion)?;
    set_below(motion, &skeleton, below, &before);
    Ok(at)
}
