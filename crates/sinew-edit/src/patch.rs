//! Differences between two documents, small enough to keep: what an edit replaced, and what it put there.

use crate::document::{Document, Motion};
use sinew::Transform;
use sinew::clip::{Channel, Clip, Track};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Difference between two documents. `[before, after]` throughout.
#[derive(Clone, Debug)]
pub enum Patch {
    /// The list of clips has another length or order.
    List([Vec<Arc<Motion>>; 2]),
    /// Everything about a clip.
    Motion(usize, [Arc<Motion>; 2]),
    /// One track of a clip.
    Track(usize, usize, Channel, [Option<Track>; 2]),
    /// Duration of a clip, in seconds.
    Duration(usize, [f32; 2]),
    /// The posed joints.
    Pose([Arc<BTreeMap<usize, Transform>>; 2]),
}

const CHANNELS: [Channel; 3] = [Channel::Translation, Channel::Rotation, Channel::Scale];

/// Differences between two documents of the same character.
pub fn between(before: &Document, after: &Document) -> Vec<Patch> {
    let mut patches = Vec::new();
    let (old, new) = (before.motions(), after.motions());
    if !Arc::ptr_eq(before.pose(), after.pose()) {
        patches.push(Patch::Pose([before.pose().clone(), after.pose().clone()]));
    }
    let changed: Vec<usize> = old
        .iter()
        .zip(new)
        .enumerate()
        .filter(|(_, (old, new))| !Arc::ptr_eq(old, new))
        .map(|(clip, _)| clip)
        .collect();
    if old.len() != new.len() {
        patches.push(Patch::List([old.to_vec(), new.to_vec()]));
        return patches;
    }
    for clip in changed {
        if !tracks(clip, &old[clip], &new[clip], &mut patches) {
            patches.push(Patch::Motion(clip, [old[clip].clone(), new[clip].clone()]));
        }
    }
    patches
}

/// Adds the tracks that differ. False if the clips differ in more than tracks of joints and duration.
fn tracks(clip: usize, old: &Motion, new: &Motion, patches: &mut Vec<Patch>) -> bool {
    let is_plain = old.layers.is_none() && new.layers.is_none();
    let (a, b) = (&old.clip, &new.clip);
    if !is_plain || a.name != b.name || a.space != b.space || a.events != b.events {
        return false;
    }
    if a.morphs != b.morphs || a.curves != b.curves {
        return false;
    }
    if a.duration_secs.to_bits() != b.duration_secs.to_bits() {
        patches.push(Patch::Duration(clip, [a.duration_secs, b.duration_secs]));
    }
    let mut joints: Vec<usize> = a
        .joints
        .iter()
        .chain(&b.joints)
        .map(|tracks| tracks.joint)
        .collect();
    joints.sort_unstable();
    joints.dedup();
    for joint in joints {
        for channel in CHANNELS {
            let pair = [a, b].map(|clip| clip.track(joint, channel));
            let is_same = match pair {
                [Some(a), Some(b)] => is_same(a, b),
                [a, b] => a.is_none() && b.is_none(),
            };
            if !is_same {
                patches.push(Patch::Track(
                    clip,
                    joint,
                    channel,
                    pair.map(|track| track.cloned()),
                ));
            }
        }
    }
    true
}

fn is_same(a: &Track, b: &Track) -> bool {
    Arc::ptr_eq(a.times(), b.times())
        && Arc::ptr_eq(a.values(), b.values())
        && a.interpolation() == b.interpolation()
}

/// Applies patches: to the state after them if `forward`, else to the state before them.
pub fn apply(document: &mut Document, patches: &[Patch], forward: bool) {
    let side = usize::from(forward);
    for patch in patches {
        match patch {
            Patch::List(list) => document.motions_mut().clone_from(&list[side]),
            Patch::Motion(clip, motion) => document.motions_mut()[*clip] = motion[side].clone(),
            Patch::Pose(pose) => document.set_pose(pose[side].clone()),
            Patch::Duration(clip, secs) => {
                document.motion_mut(*clip).clip.duration_secs = secs[side];
            }
            Patch::Track(clip, joint, channel, tracks) => {
                put(
                    &mut document.motion_mut(*clip).clip,
                    *joint,
                    *channel,
                    tracks[side].clone(),
                );
            }
        }
    }
}

/// Sets a track as it is: unlike [`Clip::set_track`], without a change of signs or duration.
fn put(clip: &mut Clip, joint: usize, channel: Channel, track: Option<Track>) {
    let tracks = clip.joint_mut(joint);
    match channel {
        Channel::Translation => tracks.translation = track,
        Channel::Rotation => tracks.rotation = track,
        Channel::Scale => tracks.scale = track,
    }
    if tracks.translation.is_none() && tracks.rotation.is_none() && tracks.scale.is_none() {
        clip.joints.retain(|tracks| tracks.joint != joint);
    }
}

/// Memory that the patches keep, in bytes: what they replaced. What they put there is part of the document, or was
/// replaced by a later patch.
pub fn bytes(patches: &[Patch]) -> usize {
    let of_motion = |motion: &Motion| {
        let layers = motion.layers.iter().flat_map(|layers| &layers.layers);
        let tracks =
            layers.map(|layer| layer.tracks.len()).sum::<usize>() + motion.clip.joints.len();
        size_of::<Motion>() + tracks * size_of::<sinew::clip::JointTracks>()
    };
    let of_patch = |patch: &Patch| match patch {
        Patch::List(list) => list.iter().map(|list| size_of_val(&list[..])).sum(),
        Patch::Motion(_, [old, new]) => {
            let kept = old
                .clip
                .tracks()
                .filter(|track| !new.clip.tracks().any(|new| is_same(track, new)));
            of_motion(old) + kept.map(track_bytes).sum::<usize>()
        }
        Patch::Track(_, _, _, [old, new]) => old.as_ref().map_or(0, |old| match new {
            Some(new) if Arc::ptr_eq(old.times(), new.times()) => size_of_val(&old.values()[..]),
            _ => track_bytes(old),
        }),
        Patch::Duration(..) => 0,
        Patch::Pose([old, _]) => old.len() * (size_of::<Transform>() + size_of::<usize>()),
    };
    patches
        .iter()
        .map(|patch| size_of::<Patch>() + of_patch(patch))
        .sum()
}

fn track_bytes(track: &Track) -> usize {
    size_of_val(&track.times()[..]) + size_of_val(&track.values()[..])
}
