//! Differences between two documents, small enough to keep: what an edit replaced, and what it put there.

use crate::document::{Document, Motion};
use sinew::Transform;
use sinew::clip::{Channel, Clip, Track};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Joints posed by hand.
type Posed = BTreeMap<usize, Transform>;

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
    /// Posed joints.
    Pose(Vec<(usize, [Option<Transform>; 2])>),
}

const CHANNELS: [Channel; 3] = [Channel::Translation, Channel::Rotation, Channel::Scale];

/// Differences between two documents of the same character.
pub fn between(before: &Document, after: &Document) -> Vec<Patch> {
    let mut patches = Vec::new();
    let (old, new) = (before.motions(), after.motions());
    if !Arc::ptr_eq(before.pose(), after.pose()) {
        let joints = pose(before.pose(), after.pose());
        if !joints.is_empty() {
            patches.push(Patch::Pose(joints));
        }
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
    patches.shrink_to_fit();
    patches
}

/// Joints whose pose differs.
fn pose(before: &Posed, after: &Posed) -> Vec<(usize, [Option<Transform>; 2])> {
    let gone = before.keys().filter(|joint| !after.contains_key(joint));
    let joints = gone.chain(after.keys());
    let pairs = joints.map(|joint| (*joint, [before, after].map(|pose| pose.get(joint).copied())));
    let bits = |transform: &Transform| -> Vec<u32> {
        let rotation = transform.rotation.to_array();
        let vectors = [transform.translation, transform.scale].map(|vector| vector.to_array());
        let numbers = rotation.iter().chain(vectors.as_flattened());
        numbers.map(|number| number.to_bits()).collect()
    };
    let differs = |(_, [a, b]): &(usize, [Option<Transform>; 2])| {
        a.as_ref().map(bits) != b.as_ref().map(bits)
    };
    let mut joints: Vec<_> = pairs.filter(differs).collect();
    joints.shrink_to_fit();
    joints
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
            Patch::Pose(joints) => {
                let pose = document.pose_mut();
                for (joint, transform) in joints {
                    match transform[side] {
                        Some(transform) => pose.insert(*joint, transform),
                        None => pose.remove(joint),
                    };
                }
            }
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

/// Memory that the patches keep, in bytes: while they are done, what they replaced, and while they are undone, what they
/// put there. The other side is part of the document, or belongs to a later or an earlier patch.
pub fn bytes(patches: &[Patch]) -> [usize; 2] {
    let mut sides = [Held::default(), Held::default()];
    for patch in patches {
        for (side, held) in sides.iter_mut().enumerate() {
            held.add(patch, side);
        }
    }
    let [before, after] = &sides;
    let fixed = size_of_val(patches);
    [before.beside(after) + fixed, after.beside(before) + fixed]
}

/// Arrays and records of one side of patches.
#[derive(Default)]
struct Held {
    /// Size in bytes of each array of keys, by its address.
    arrays: BTreeMap<usize, usize>,
    /// Size in bytes of each motion without these arrays, by its address.
    motions: BTreeMap<usize, usize>,
    /// Size of lists.
    lists: usize,
}

impl Held {
    fn add(&mut self, patch: &Patch, side: usize) {
        match patch {
            Patch::List(list) => {
                self.lists += size_of_val(&list[side][..]);
                list[side].iter().for_each(|motion| self.add_motion(motion));
            }
            Patch::Motion(_, motion) => self.add_motion(&motion[side]),
            Patch::Track(_, _, _, track) => {
                track[side].iter().for_each(|track| self.add_track(track));
            }
            // Both sides of these are in the patch itself.
            Patch::Duration(..) => {}
            Patch::Pose(joints) => self.lists += size_of_val(&joints[..]),
        }
    }

    fn add_motion(&mut self, motion: &Arc<Motion>) {
        let clip = &motion.clip;
        clip.tracks().for_each(|track| self.add_track(track));
        let layers = || motion.layers.iter().flat_map(|layers| &layers.layers);
        let base = motion.layers.iter().flat_map(|layers| &layers.base);
        let above = base.chain(layers().flat_map(|layer| &layer.tracks));
        for tracks in above.clone() {
            let tracks = [&tracks.translation, &tracks.rotation, &tracks.scale];
            tracks
                .into_iter()
                .flatten()
                .for_each(|track| self.add_track(track));
        }
        let joints = clip.joints.len() + above.count();
        let texts = clip.events.iter().map(|event| event.name.len());
        let texts = texts.chain(clip.curves.iter().map(|curve| curve.name.len()));
        let texts = texts.chain(layers().map(|layer| layer.name.len()));
        let texts = texts.sum::<usize>() + clip.name.len();
        let masks = layers().map(|layer| size_of_val(&layer.joints[..]));
        let size = size_of::<Motion>()
            + joints * size_of::<sinew::clip::JointTracks>()
            + size_of_val(&clip.events[..])
            + size_of_val(&clip.curves[..])
            + size_of_val(&clip.morphs[..])
            + layers().count() * size_of::<sinew::clip::ClipLayer>()
            + masks.sum::<usize>()
            + texts;
        self.motions.insert(Arc::as_ptr(motion).addr(), size);
    }

    fn add_track(&mut self, track: &Track) {
        for array in [track.times(), track.values()] {
            let size = size_of::<Vec<f32>>() + array.capacity() * size_of::<f32>();
            self.arrays.insert(Arc::as_ptr(array).addr(), size);
        }
    }

    /// Size of what the other side does not have.
    fn beside(&self, other: &Self) -> usize {
        let own = |own: &BTreeMap<usize, usize>, other: &BTreeMap<usize, usize>| -> usize {
            let own = own
                .iter()
                .filter(|(address, _)| !other.contains_key(address));
            own.map(|(_, size)| size).sum()
        };
        own(&self.arrays, &other.arrays) + own(&self.motions, &other.motions) + self.lists
    }
}
