use super::Session;
use super::figures::{Figure, Slot};
use crate::document::{OpenFile, Work};
use crate::state::{Playback, State};
use sinew::blend::{BlendJob, Layer};
use sinew::root_motion::{RootAxes, RootMotion};
use sinew::transform::Axis;
use sinew::{Character, Clip, Playable, Track};
use std::sync::Arc;

/// Root motion to remove: the movement over the ground, but not the heading.
const ON_THE_SPOT: RootAxes = RootAxes {
    translation: [true, false, true],
    heading: false,
    up: Axis::Y,
};

/// Min distance that counts as travel, in the unit of the file.
const TRAVELS: f32 = 1e-5;

struct Played<'a> {
    index: usize,
    clip: &'a dyn Playable,
    time_secs: f64,
    weight: f32,
}

impl Session {
    /// Figure of a pane in its current pose. `None` until it is prepared.
    pub fn figure(&mut self, pane: usize) -> Option<Figure<'_>> {
        self.figure_at(pane, self.state.playback.time_secs)
    }

    /// Figure of a pane at another time in seconds, with the actor of [`Session::figure`].
    pub fn figure_at(&mut self, pane: usize, time_secs: f64) -> Option<Figure<'_>> {
        let packed = self.packed_clip(pane);
        let (document, state) = (&self.document, &self.state);
        let slot = self.figures.slot(document, &state.panes, pane)?;
        let pane = state.panes[pane];
        let file = document.file(pane.file)?;
        let shown = document.file(state.shown)?;
        pose(slot, state, [file, shown], packed.as_deref(), time_secs);
        Some(slot.figure(pane.method))
    }

    /// First clip that a pane plays, and its time in seconds.
    pub fn playing(&self, pane: usize) -> Option<(&dyn Playable, f64)> {
        let state = &self.state;
        let file = self.document.file(state.panes.get(pane)?.file)?;
        let shown = self.document.file(state.shown)?;
        let time_secs = state.playback.time_secs;
        let first = played(&state.playback, shown, file, time_secs)
            .into_iter()
            .next()?;
        Some((first.clip, first.time_secs))
    }

    /// Packed clip, if the pane plays it and it is ready.
    fn packed_clip(&self, pane: usize) -> Option<Arc<dyn Playable>> {
        match self.packed(pane) {
            Work::Done(motion) if self.state.panes.get(pane)?.is_packed => {
                Some(motion.clip.clone())
            }
            _ => None,
        }
    }
}

fn pose(
    slot: &mut Slot,
    state: &State,
    [file, shown]: [&OpenFile; 2],
    packed: Option<&dyn Playable>,
    time_secs: f64,
) {
    let character = slot.character.clone();
    let rig = slot.actor.rig().clone();
    let skeleton = rig.skeleton();
    if slot.edits != file.edits {
        slot.edits = file.edits;
        slot.roots.clear();
    }
    let mut played = played(&state.playback, shown, file, time_secs);
    if let (Some(packed), Some(first)) = (packed, played.first_mut()) {
        first.clip = packed;
    }
    let on_the_spot = |slot: &mut Slot, played: &Played<'_>, pose: usize| {
        if state.playback.root_motion {
            return;
        }
        let clip = file.clip(played.index);
        let root = slot.roots.entry(played.index);
        let root = root.or_insert_with(|| clip.and_then(|clip| root_of(clip, &character)));
        if let Some(root) = root {
            root.take_out(0.0, &mut slot.poses[pose]);
        }
    };
    slot.poses
        .resize_with(played.len().max(1), || skeleton.rest().clone());
    slot.poses[0].copy_from(skeleton.rest());
    for (index, played) in played.iter().enumerate() {
        let pose = &mut slot.poses[index];
        // With a clip of another skeleton, joints stay at rest.
        let _ = played.clip.sample_into(skeleton, played.time_secs, pose);
        on_the_spot(slot, played, index);
    }
    match played.len() {
        0 | 1 => slot.actor.pose_mut().copy_from(&slot.poses[0]),
        _ => {
            let layers = slot.poses.iter().zip(&played);
            let mut layers: Vec<_> = layers
                .map(|(pose, played)| Layer::new(pose, played.weight))
                .collect();
            let blended = BlendJob::new(skeleton.rest(), &mut layers).run(slot.actor.pose_mut());
            if blended.is_err() {
                slot.actor.pose_mut().copy_from(&slot.poses[0]);
            }
        }
    }
    for (&joint, &transform) in file.pose.iter() {
        if joint < skeleton.len() {
            slot.actor.pose_mut().set(joint, transform);
        }
    }
    slot.actor
        .set_morph_weights(|node, rest, out| morph_weights(&played, node, rest, out));
    slot.actor.bind_morphs(|name| curve(&played, name));
    if !state.morphs.is_empty() {
        slot.actor.set_morph_weights(|node, _, out| {
            for (target, out) in out.iter_mut().enumerate() {
                *out = *state.morphs.get(&(file.id, node, target)).unwrap_or(out);
            }
        });
    }
}

/// Clips that match the playing clips, by name or else by index. Blended clips share a phase.
fn played<'a>(
    playback: &Playback,
    shown: &OpenFile,
    file: &'a OpenFile,
    time_secs: f64,
) -> Vec<Played<'a>> {
    let Some(first) = playback.clip else {
        return Vec::new();
    };
    let length = |clip: &Clip| f64::from(clip.duration_secs).max(f64::MIN_POSITIVE);
    let part = shown.clip(first).map(|clip| time_secs / length(clip));
    let all = std::iter::once((first, 1.0)).chain(playback.blended.iter().copied());
    let mut played: Vec<Played<'a>> = Vec::new();
    for (nth, (clip, weight)) in all.enumerate() {
        let Some(index) = same_clip(shown, file, clip) else {
            continue;
        };
        if played.iter().any(|known| known.index == index) {
            continue;
        }
        let Some(clip) = file.clip(index) else {
            continue;
        };
        let time_secs = match (nth, part) {
            (0, _) | (_, None) => time_secs,
            (_, Some(part)) => part * length(clip),
        };
        played.push(Played {
            index,
            clip,
            time_secs,
            weight,
        });
    }
    played
}

/// Clip of a file that matches a clip of another file, by name or else by index.
pub(super) fn same_clip(shown: &OpenFile, file: &OpenFile, clip: usize) -> Option<usize> {
    let name = shown.clip(clip).map(|clip| &clip.name);
    let is_it = |index: usize| file.clip(index).map(|clip| &clip.name) == name;
    let by_name = match is_it(clip) {
        true => Some(clip),
        false => (0..file.motions.len()).find(|&index| is_it(index)),
    };
    by_name.or((clip < file.motions.len()).then_some(clip))
}

/// Root motion of a clip: that of the first joint that travels, if no ancestor travels.
fn root_of(clip: &Clip, character: &Character) -> Option<RootMotion> {
    let travels = |track: &Track| {
        let values = track.values().chunks_exact(3);
        let first = values.clone().next().map(<[f32]>::to_vec);
        let first = first.unwrap_or_default();
        values
            .flat_map(|key| key.iter().zip(&first).map(|(a, b)| (a - b).abs()))
            .any(|moved| moved > TRAVELS)
    };
    let mut joints = clip.joints.iter();
    let root = joints.find(|joint| joint.translation.as_ref().is_some_and(travels))?;
    RootMotion::of_clip(clip, &character.skeleton, root.joint, ON_THE_SPOT).ok()
}

fn curve(played: &[Played<'_>], name: &str) -> Option<f32> {
    let total: f32 = played.iter().map(|played| played.weight).sum();
    let values = played.iter().filter_map(|played| {
        let curve = played.clip.curves().iter().find(|c| c.name == name)?;
        let mut value = [0.0];
        curve.track.sample(played.time_secs, &mut value).ok()?;
        Some(value[0] * played.weight / total)
    });
    values.reduce(|sum, value| sum + value)
}

fn morph_weights(played: &[Played<'_>], node: usize, rest: &[f32], out: &mut [f32]) {
    out.fill(0.0);
    let total: f32 = played.iter().map(|played| played.weight).sum();
    let mut own = vec![0.0; out.len()];
    for played in played {
        own.fill(0.0);
        let tracks = played.clip.morphs().iter();
        let track = tracks.map(|t| (t.node, &t.weights)).find(|t| t.0 == node);
        let width = track.map_or(0, |(_, track)| track.width());
        let sampled = match (track, own.get_mut(..width)) {
            (Some((_, track)), Some(own)) => track.sample(played.time_secs, own).is_ok(),
            _ => false,
        };
        if !sampled {
            own.iter_mut()
                .zip(rest)
                .for_each(|(own, rest)| *own = *rest);
        }
        for (out, own) in out.iter_mut().zip(&own) {
            *out += own * played.weight / total;
        }
    }
    if played.is_empty() {
        out.iter_mut()
            .zip(rest)
            .for_each(|(out, rest)| *out = *rest);
    }
}
