//! Keys from values that are seen: of a clip as they are, of an additive layer relative to the motion below it.

use super::checks::check_time;
use super::tracks::{
    CHANNELS, below_layers, change, check_mask, find_layer, layer_clip, named_layer,
};
use crate::document::{Document, Motion};
use crate::edit::KeyEdit;
use crate::error::Reason;
use crate::name::Name;
use crate::report::Report;
use glam::{Quat, Vec3};
use sinew::clip::{Channel, Clip, ClipLayers, Key, KeyError, OverLimit};
use sinew::{Transform, sample_joint};

pub fn run(document: &mut Document, edit: &KeyEdit) -> Result<Report, Reason> {
    let KeyEdit::KeyPose {
        clip,
        layer,
        time_secs,
        joints,
        whole,
    } = edit
    else {
        return Err(Reason::Nothing("no pose"));
    };
    let at = document.find_clip(clip)?;
    check_time(*time_secs)?;
    let mut chosen: Vec<usize> = match (joints.is_empty(), whole) {
        (true, false) => document.pose().keys().copied().collect(),
        _ => document.find_joints(joints)?,
    };
    let motion = document.motions()[at].clone();
    if joints.is_empty()
        && *whole
        && let Some(layer) = named_layer(&motion, layer.as_ref())?
    {
        // All joints of a layer are those that it may change.
        chosen.retain(|&joint| check_mask(document, layer, joint).is_ok());
    }
    if chosen.is_empty() {
        return Err(Reason::Nothing(
            "no joint is posed; pose one, or set whole to true",
        ));
    }
    let pose = document.posed(Some((at, f64::from(*time_secs))));
    let target = match (layer, &motion.layers) {
        (Some(layer), Some(layers)) => layer_clip(&motion, layers, find_layer(&motion, layer)?),
        _ => motion.clip.clone(),
    };
    let mut keys = Vec::new();
    for &joint in &chosen {
        let whole = *whole && !document.pose().contains_key(&joint);
        let skeleton = document.skeleton();
        let below = if whole {
            skeleton.rest().get(joint)
        } else {
            sample_joint(&motion.clip, skeleton, joint, f64::from(*time_secs))
        };
        keys.extend(channels(&target, joint, pose.get(joint), below, whole));
    }
    insert(
        document,
        at,
        layer.as_ref(),
        *time_secs,
        &keys,
        OverLimit::Allow,
    )?;
    chosen.iter().for_each(|joint| {
        document.pose_mut().remove(joint);
    });
    let text = format!(
        "keyed {} at {time_secs} s of {clip}",
        super::checks::counted(chosen.len(), "joint")
    );
    Ok(Report::clip(at, text))
}

/// Channels of a joint that need a key: those that differ from the motion below, or from rest for a whole pose, and those
/// that have keys already. A whole pose has all rotations, so that later keys of a joint do not change it. A single joint
/// without such channels has its rotation, so that it can be held as it is.
fn channels(
    target: &Clip,
    joint: usize,
    now: Transform,
    below: Transform,
    whole: bool,
) -> Vec<(usize, Key)> {
    let is_keyed = |channel: &Channel| {
        let differs = match channel {
            Channel::Translation => now.translation != below.translation,
            Channel::Rotation => now.rotation != below.rotation,
            Channel::Scale => now.scale != below.scale,
        };
        differs || target.track(joint, *channel).is_some()
    };
    let mut keyed: Vec<Channel> = CHANNELS.into_iter().filter(is_keyed).collect();
    if (whole || keyed.is_empty()) && !keyed.contains(&Channel::Rotation) {
        keyed.push(Channel::Rotation);
    }
    let key = |channel: Channel| match channel {
        Channel::Translation => (joint, Key::Translation(now.translation)),
        Channel::Rotation => (joint, Key::Rotation(now.rotation)),
        Channel::Scale => (joint, Key::Scale(now.scale)),
    };
    keyed.into_iter().map(key).collect()
}

/// Sets keys of a clip, or of a layer so that the clip shows these values at a weight of 1.
pub fn insert(
    document: &mut Document,
    at: usize,
    layer: Option<&Name>,
    time_secs: f32,
    keys: &[(usize, Key)],
    limits: OverLimit,
) -> Result<(), Reason> {
    let motion = document.motions()[at].clone();
    if let Some(layer) = named_layer(&motion, layer)? {
        let mut joints = keys.iter().map(|key| key.0);
        joints.try_for_each(|joint| check_mask(document, layer, joint))?;
    }
    let below = layer
        .map(|layer| below_layer(document, at, layer))
        .transpose()?;
    change(document, at, layer, |document, clip| {
        let skeleton = document.skeleton();
        for &(joint, key) in keys {
            let named = |error: KeyError| Reason::Key {
                joint: skeleton.name(joint).to_owned(),
                error,
            };
            let Some((below, true)) = &below else {
                let set = clip.insert_key(skeleton, joint, time_secs, key, limits);
                set.map_err(named)?;
                continue;
            };
            // A clip of this key alone applies the limits.
            let mut alone = Clip::default();
            alone
                .insert_key(skeleton, joint, time_secs, key, limits)
                .map_err(named)?;
            let plays = sample_joint(below, skeleton, joint, f64::from(time_secs));
            let seen = sample_joint(&alone, skeleton, joint, f64::from(time_secs));
            let key = difference_key(key, plays, seen);
            let set = clip.insert_key(skeleton, joint, time_secs, key, OverLimit::Allow);
            set.map_err(named)?;
        }
        Ok(())
    })
}

/// The motion below a layer, and true if the layer is additive.
pub fn below_layer(document: &Document, at: usize, layer: &Name) -> Result<(Clip, bool), Reason> {
    let motion: &Motion = &document.motions()[at];
    let index = find_layer(motion, layer)?;
    let mut below = below_layers(motion);
    let Some(layers) = &motion.layers else {
        return Ok((below, false));
    };
    let mut lower = ClipLayers {
        clip: 0,
        base: Vec::new(),
        layers: layers.layers[..index].to_vec(),
    };
    lower.flatten_into(document.skeleton(), &mut below);
    Ok((below, layers.layers[index].additive))
}

/// Value of an additive key that makes what plays below it be seen as wanted.
pub fn difference(channel: Channel, plays: Transform, seen: Transform) -> Vec<f32> {
    match channel {
        Channel::Rotation => {
            let difference = (plays.rotation.conjugate() * seen.rotation).normalize();
            difference.to_array().to_vec()
        }
        Channel::Translation => (seen.translation - plays.translation).to_array().to_vec(),
        Channel::Scale => {
            let factor = |seen: f32, plays: f32| if plays == 0.0 { 1.0 } else { seen / plays };
            let axes = [0, 1, 2].into_iter();
            axes.map(|axis| factor(seen.scale[axis], plays.scale[axis]))
                .collect()
        }
    }
}

fn difference_key(key: Key, plays: Transform, seen: Transform) -> Key {
    let value = |channel: Channel| difference(channel, plays, seen);
    match key {
        Key::Rotation(_) => Key::Rotation(Quat::from_slice(&value(Channel::Rotation))),
        Key::Translation(_) => Key::Translation(Vec3::from_slice(&value(Channel::Translation))),
        Key::Scale(_) => Key::Scale(Vec3::from_slice(&value(Channel::Scale))),
    }
}
