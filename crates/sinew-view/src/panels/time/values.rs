//! Values of keys as the window shows them: rotations as Euler angles in degrees (about x, then y, then z), other
//! channels as they are.

use super::rows::CHANNELS;
use crate::session::Session;
use egui::{Id, Ui};
use glam::{DQuat, DVec3, EulerRot, Vec3};
use sinew::clip::{Channel, Clip, ClipLayers, JointTracks, Track};
use sinew::sample_joint;
use sinew_edit::{KeyEdit, Motion, Name};
use std::sync::Arc;

/// Three numbers of a key: degrees for rotations.
pub(super) type Shown = [f32; 3];

/// Value of a key or sample. `before` is a value that the angles of a rotation follow on from.
pub(super) fn shown(channel: Channel, value: &[f32], before: Option<Shown>) -> Shown {
    match channel {
        Channel::Rotation => near(degrees(quat(value)), before),
        _ => [0, 1, 2].map(|axis| value.get(axis).copied().unwrap_or(0.0)),
    }
}

fn quat(value: &[f32]) -> DQuat {
    let at = |index: usize| value.get(index).map_or(0.0, |v| f64::from(*v));
    DQuat::from_xyzw(at(0), at(1), at(2), at(3))
}

fn degrees(rotation: DQuat) -> Shown {
    if !rotation.is_finite() || rotation.length_squared() < 1e-12 {
        return [0.0; 3];
    }
    let (x, y, z) = rotation.normalize().to_euler(EulerRot::XYZ);
    [x, y, z].map(|angle| angle.to_degrees() as f32)
}

/// Angles of the same rotation that are nearest to others.
fn near(angles: Shown, other: Option<Shown>) -> Shown {
    let Some(other) = other else {
        return angles;
    };
    let [x, y, z] = angles;
    let sets = [angles, [x + 180.0, 180.0 - y, z + 180.0]].map(|mut set| {
        for (angle, other) in set.iter_mut().zip(other) {
            *angle += 360.0 * ((other - *angle) / 360.0).round();
        }
        set
    });
    let away = |set: &Shown| -> f32 { set.iter().zip(other).map(|(a, b)| (a - b).abs()).sum() };
    match away(&sets[1]) < away(&sets[0]) {
        true => sets[1],
        false => sets[0],
    }
}

fn rotation(angles: Shown) -> DQuat {
    let [x, y, z] = angles.map(|angle| f64::from(angle).to_radians());
    DQuat::from_euler(EulerRot::XYZ, x, y, z)
}

/// Values of all keys. Angles follow on from the key before, so that they do not jump by 360°. Kept until the track
/// changes.
pub(super) fn of_keys(ui: &Ui, joint: usize, channel: Channel, track: &Track) -> Arc<Vec<Shown>> {
    type Kept = (Arc<Vec<f32>>, Arc<Vec<Shown>>);
    let id = Id::unique("values of keys").with((joint, name_of(channel)));
    let kept: Option<Kept> = ui.data(|data| data.get_temp(id));
    if let Some((values, shown)) = kept
        && Arc::ptr_eq(&values, track.values())
    {
        return shown;
    }
    let mut before = None;
    let all = (0..track.keys()).map(|key| {
        let now = shown(channel, track.key(key), before);
        before = Some(now);
        now
    });
    let all: Arc<Vec<Shown>> = Arc::new(all.collect());
    let kept: Kept = (track.values().clone(), all.clone());
    ui.data_mut(|data| data.insert_temp(id, kept));
    all
}

pub(super) fn name_of(channel: Channel) -> &'static str {
    let is_it = |named: &&(&str, Channel)| named.1 == channel;
    CHANNELS.iter().find(is_it).map_or("", |named| named.0)
}

pub(super) fn track_of(tracks: &JointTracks, channel: Channel) -> Option<&Track> {
    match channel {
        Channel::Translation => tracks.translation.as_ref(),
        Channel::Rotation => tracks.rotation.as_ref(),
        Channel::Scale => tracks.scale.as_ref(),
    }
}

/// Slopes of a stored value as shown, per second.
pub(super) fn shown_slopes(channel: Channel, key: &[f32], slopes: &[f32], at: Shown) -> Shown {
    if channel != Channel::Rotation {
        return shown(channel, slopes, None);
    }
    let (key, slopes) = (quat(key), quat(slopes));
    let length = slopes.length();
    if length <= 0.0 {
        return [0.0; 3];
    }
    let secs = 1e-4 / length;
    let [before, after] = [-secs, secs].map(|secs| near(degrees(key + slopes * secs), Some(at)));
    std::array::from_fn(|axis| (f64::from(after[axis] - before[axis]) / (2.0 * secs)) as f32)
}

/// Slopes of the stored value that give shown slopes.
pub(super) fn stored_slopes(channel: Channel, key: &[f32], slopes: Shown, at: Shown) -> Vec<f32> {
    if channel != Channel::Rotation {
        return slopes.to_vec();
    }
    let fastest = slopes
        .iter()
        .fold(0.0_f32, |max, slope| max.max(slope.abs()));
    if fastest <= 0.0 {
        return vec![0.0; 4];
    }
    let secs = 0.02 / f64::from(fastest);
    let key = quat(key);
    let moved = |secs: f64| {
        let angles =
            DVec3::from_array(at.map(f64::from)) + DVec3::from_array(slopes.map(f64::from)) * secs;
        let [x, y, z] = angles.to_array().map(f64::to_radians);
        let rotation = DQuat::from_euler(EulerRot::XYZ, x, y, z);
        match rotation.dot(key) < 0.0 {
            true => -rotation,
            false => rotation,
        }
    };
    let slope = (moved(secs) - moved(-secs)) * (0.5 / secs);
    slope.to_array().map(|part| part as f32).to_vec()
}

/// Edit that gives a key of the clip or of the active layer another value.
pub(super) fn set_value(
    session: &Session,
    motion: &Motion,
    (joint, channel): (usize, Channel),
    time_secs: f32,
    value: Shown,
) -> Option<KeyEdit> {
    let layer = session.edited_layer();
    let mut turn = rotation(value).as_quat();
    let mut vector = Vec3::from_array(value);
    let additive = layer.filter(|&index| {
        let layers = motion.layers.as_ref();
        layers.is_some_and(|layers| layers.layers[index].additive)
    });
    if let Some(index) = additive {
        let file = session.document().file(session.state().shown)?;
        let skeleton = &file.character.skeleton;
        let below = below_layer(motion, skeleton, index, joint);
        let below = sample_joint(&below, skeleton, joint, f64::from(time_secs));
        turn = (below.rotation * turn).normalize();
        vector = match channel {
            Channel::Scale => below.scale * vector,
            _ => below.translation + vector,
        };
    }
    let only = |wanted: Channel| (channel == wanted).then_some(vector);
    Some(KeyEdit::InsertKey {
        clip: session.edited_clip()?,
        layer: layer.map(Name::Index),
        joint: Name::Index(joint),
        time_secs,
        translation: only(Channel::Translation),
        rotation: (channel == Channel::Rotation).then_some(turn),
        scale: only(Channel::Scale),
        limits: session.state().posing.limits(),
    })
}

/// Motion of a joint below a layer, as a clip.
fn below_layer(motion: &Motion, skeleton: &sinew::Skeleton, layer: usize, joint: usize) -> Clip {
    let mut below = Clip::default();
    let Some(layers) = &motion.layers else {
        return below;
    };
    let is_it = |tracks: &&JointTracks| tracks.joint == joint;
    let base = layers.base.iter().find(is_it);
    let own = base.or_else(|| motion.clip.joints.iter().find(is_it));
    below.joints.extend(own.cloned());
    let mut lower = layers.layers[..layer].to_vec();
    for layer in &mut lower {
        layer.tracks.retain(|tracks| tracks.joint == joint);
    }
    let mut lower = ClipLayers {
        layers: lower,
        ..ClipLayers::default()
    };
    lower.flatten_into(skeleton, &mut below);
    below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_go_back_and_forth_and_do_not_jump() {
        let mut before = None;
        for step in 0..80 {
            let angle = step as f32 * 10.0;
            let value = rotation([angle, 20.0, -30.0]).as_quat().to_array();
            let now = shown(Channel::Rotation, &value, before);
            let off = [angle - now[0], 20.0 - now[1], -30.0 - now[2]];
            assert!(off.iter().all(|off| off.abs() < 1e-3), "{now:?} {angle}");
            before = Some(now);
        }
    }

    #[test]
    fn slopes_of_angles_go_back_and_forth() {
        let at = [20.0, -35.0, 50.0];
        let key = rotation(at).as_quat().to_array();
        let slopes = [90.0, -40.0, 12.0];
        let stored = stored_slopes(Channel::Rotation, &key, slopes, at);
        let back = shown_slopes(Channel::Rotation, &key, &stored, at);
        for (slope, back) in slopes.iter().zip(back) {
            assert!((slope - back).abs() < 0.05, "{back} {slope}");
        }
    }
}
