//! Access to the tracks of a clip or of one of its layers. After a change, the layers are flattened again.

use super::checks::counted;
use crate::document::{Document, Motion, hint};
use crate::edit::Keys;
use crate::error::Reason;
use crate::name::Name;
use sinew::Skeleton;
use sinew::clip::{Channel, Clip, ClipLayer, ClipLayers, ClipSpace, KeyError, Track};
use std::collections::BTreeSet;

pub const CHANNELS: [Channel; 3] = [Channel::Translation, Channel::Rotation, Channel::Scale];

/// Index of a layer.
pub fn find_layer(motion: &Motion, name: &Name) -> Result<usize, Reason> {
    let layers = motion
        .layers
        .as_ref()
        .map_or(&[][..], |layers| &layers.layers);
    let names = || layers.iter().map(|layer| &*layer.name);
    name.find(names()).ok_or_else(|| Reason::NoLayer {
        clip: motion.clip.name.clone(),
        name: name.clone(),
        hint: hint(name, names()),
    })
}

/// The motion below all layers.
pub fn below_layers(motion: &Motion) -> Clip {
    let mut clip = motion.clip.clone();
    for base in motion.layers.iter().flat_map(|layers| &layers.base) {
        clip.joints.retain(|tracks| tracks.joint != base.joint);
        if CHANNELS.iter().any(|&channel| channel_of(base, channel)) {
            *clip.joint_mut(base.joint) = base.clone();
        }
    }
    clip
}

fn channel_of(tracks: &sinew::clip::JointTracks, channel: Channel) -> bool {
    match channel {
        Channel::Translation => tracks.translation.is_some(),
        Channel::Rotation => tracks.rotation.is_some(),
        Channel::Scale => tracks.scale.is_some(),
    }
}

/// Sets the motion below the layers and flattens them again, where they differ from those before the edit.
pub fn set_below(motion: &mut Motion, skeleton: &Skeleton, below: Clip, before: &Motion) {
    motion.clip = below;
    if let Some(layers) = &mut motion.layers {
        layers.base.clear();
        match &before.layers {
            Some(own) => {
                let given = (own, &before.clip);
                layers.flatten_changes_into(skeleton, &mut motion.clip, given);
            }
            None => layers.flatten_into(skeleton, &mut motion.clip),
        }
    }
}

/// The tracks of a layer as a clip, as long as the whole.
pub fn layer_clip(motion: &Motion, layers: &ClipLayers, layer: usize) -> Clip {
    let layer = &layers.layers[layer];
    let mut clip = Clip::new(layer.name.clone());
    clip.joints.clone_from(&layer.tracks);
    clip.duration_secs = motion.clip.duration_secs;
    clip
}

/// Changes the tracks of a clip, or of a layer.
pub fn change<T>(
    document: &mut Document,
    clip: usize,
    layer: Option<&Name>,
    edit: impl FnOnce(&Document, &mut Clip) -> Result<T, Reason>,
) -> Result<T, Reason> {
    let motion = document.motions()[clip].clone();
    if motion.clip.space == ClipSpace::Model {
        return Err(Reason::InModel(motion.clip.name.clone()));
    }
    let mut below = below_layers(&motion);
    let skeleton = document.skeleton().clone();
    let Some(layer) = layer else {
        let done = edit(document, &mut below)?;
        set_below(document.motion_mut(clip), &skeleton, below, &motion);
        return Ok(done);
    };
    let index = find_layer(&motion, layer)?;
    let Some(layers) = &motion.layers else {
        return Err(Reason::Nothing("the clip has no layers"));
    };
    let mut own = layer_clip(&motion, layers, index);
    let done = edit(document, &mut own)?;
    let after = document.motion_mut(clip);
    if let Some(layers) = &mut after.layers {
        layers.layers[index].tracks = own.joints;
    }
    set_below(after, &skeleton, below, &motion);
    Ok(done)
}

/// Checks that a layer may have keys of a joint.
pub fn check_mask(document: &Document, layer: &ClipLayer, joint: usize) -> Result<(), Reason> {
    if layer.joints.is_empty() || layer.joints.contains(&joint) {
        return Ok(());
    }
    Err(Reason::NotInLayer {
        layer: layer.name.clone(),
        joint: document.skeleton().name(joint).to_owned(),
    })
}

/// The layer of a motion that a name means. `None` means the clip itself.
pub fn named_layer<'m>(
    motion: &'m Motion,
    layer: Option<&Name>,
) -> Result<Option<&'m ClipLayer>, Reason> {
    let Some(name) = layer else {
        return Ok(None);
    };
    let index = find_layer(motion, name)?;
    let layers = motion.layers.as_ref();
    Ok(layers.and_then(|layers| layers.layers.get(index)))
}

/// Keys of one channel of a joint that a selection contains.
pub struct Picked {
    pub joint: usize,
    pub channel: Channel,
    pub keys: BTreeSet<usize>,
}

impl Picked {
    /// Changes the track of these keys. Reports the joint by name on an error.
    pub fn change(
        &self,
        document: &Document,
        clip: &mut Clip,
        edit: impl FnOnce(&mut Track) -> Result<(), KeyError>,
    ) -> Result<(), Reason> {
        change_track(document, clip, self.joint, self.channel, edit)
    }
}

/// Changes each track that has selected keys. Returns the index of the clip, and the keys in words like `12 keys`.
pub fn change_picked(
    document: &mut Document,
    (clip, layer): (&Name, Option<&Name>),
    keys: &[Keys],
    edit: impl Fn(&Document, &mut Clip, &Picked) -> Result<(), Reason>,
) -> Result<(usize, String), Reason> {
    let at = document.find_clip(clip)?;
    let count = change(document, at, layer, |document, clip| {
        let mut count = 0;
        for picked in picked(document, clip, keys)? {
            count += picked.keys.len();
            edit(document, clip, &picked)?;
        }
        Ok(count)
    })?;
    Ok((at, counted(count, "key")))
}

/// Changes all tracks of joints. Without channels, all channels. Returns the index of the clip.
pub fn change_tracks(
    document: &mut Document,
    (clip, layer): (&Name, Option<&Name>),
    joints: &[Name],
    channels: &[Channel],
    mut edit: impl FnMut(&mut Track, Channel),
) -> Result<usize, Reason> {
    let at = document.find_clip(clip)?;
    let joints = document.find_joints(joints)?;
    change(document, at, layer, |document, clip| {
        for joint in joints {
            let wanted = |channel: &&Channel| channels.is_empty() || channels.contains(channel);
            for &channel in CHANNELS.iter().filter(wanted) {
                if clip.track(joint, channel).is_some() {
                    change_track(document, clip, joint, channel, |track| {
                        edit(track, channel);
                        Ok(())
                    })?;
                }
            }
        }
        Ok(())
    })?;
    Ok(at)
}

/// Keys of a clip that a selection contains.
///
/// # Errors
/// If a joint does not exist, or there are no such keys.
pub fn picked(document: &Document, clip: &Clip, selection: &[Keys]) -> Result<Vec<Picked>, Reason> {
    let mut found: Vec<Picked> = Vec::new();
    for keys in selection {
        let joints: BTreeSet<usize> = document.find_joints(&keys.joints)?.into_iter().collect();
        for tracks in clip
            .joints
            .iter()
            .filter(|tracks| joints.contains(&tracks.joint))
        {
            let wanted =
                |channel: &&Channel| keys.channels.is_empty() || keys.channels.contains(channel);
            for &channel in CHANNELS.iter().filter(wanted) {
                let Some(track) = clip.track(tracks.joint, channel) else {
                    continue;
                };
                let from = track.times().partition_point(|&time| time < keys.from_secs);
                let to = track.times().partition_point(|&time| time <= keys.to_secs);
                if from >= to {
                    continue;
                }
                let of_track = |picked: &&mut Picked| {
                    picked.joint == tracks.joint && picked.channel == channel
                };
                match found.iter_mut().find(of_track) {
                    Some(picked) => picked.keys.extend(from..to),
                    None => found.push(Picked {
                        joint: tracks.joint,
                        channel,
                        keys: (from..to).collect(),
                    }),
                }
            }
        }
    }
    if found.is_empty() {
        return Err(Reason::NoKeys {
            clip: clip.name.clone(),
        });
    }
    Ok(found)
}

/// Changes one track of a clip. Reports the joint by name on an error.
pub fn change_track(
    document: &Document,
    clip: &mut Clip,
    joint: usize,
    channel: Channel,
    edit: impl FnOnce(&mut Track) -> Result<(), KeyError>,
) -> Result<(), Reason> {
    let named = |error: KeyError| Reason::Key {
        joint: document.skeleton().name(joint).to_owned(),
        error,
    };
    let Some(mut track) = clip.track(joint, channel).cloned() else {
        return Err(named(KeyError::NoTrack { joint, channel }));
    };
    edit(&mut track).map_err(named)?;
    clip.set_track(joint, channel, Some(track)).map_err(named)
}
