//! Key times of a clip or of one of its layers, collected once per edit.

use crate::document::{FileId, OpenFile};
use egui::{Id, Ui};
use sinew::clip::JointTracks;
use sinew_edit::Motion;
use std::sync::Arc;

/// Sorted times without duplicates, in seconds.
pub(super) type Times = Arc<Vec<f32>>;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ClipKeys {
    /// Key times of all tracks.
    pub all: Times,
    /// Key times of each joint with keys.
    pub joints: Vec<JointKeys>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct JointKeys {
    pub joint: usize,
    pub all: Times,
    /// Times of translation, rotation and scale.
    pub channels: [Times; 3],
}

impl ClipKeys {
    /// Key times of a clip or of a layer. Joints whose tracks are those of `before` are not read again.
    fn of(motion: &Motion, layer: Option<usize>, before: &Self) -> Self {
        let mut joints: Vec<JointKeys> = tracks(motion, layer)
            .into_iter()
            .map(|tracks| {
                let channels = [&tracks.translation, &tracks.rotation, &tracks.scale];
                let channels = channels.map(|track| {
                    let times = track.as_ref().map(|track| track.times().clone());
                    times.unwrap_or_default()
                });
                let is_same = |old: &&JointKeys| {
                    let pairs = old.channels.iter().zip(&channels);
                    pairs.clone().all(|(old, new)| {
                        Arc::ptr_eq(old, new) || (old.is_empty() && new.is_empty())
                    })
                };
                let kept = before.joint(tracks.joint).filter(is_same);
                let all = kept.map_or_else(|| merged(&channels), |old| old.all.clone());
                JointKeys {
                    joint: tracks.joint,
                    all,
                    channels,
                }
            })
            .filter(|keys| !keys.all.is_empty())
            .collect();
        joints.sort_by_key(|keys| keys.joint);
        let mut own = joints.iter().zip(&before.joints);
        let is_same = joints.len() == before.joints.len()
            && own.all(|(new, old)| Arc::ptr_eq(&new.all, &old.all));
        let all = match is_same {
            true => before.all.clone(),
            false => {
                let all: Vec<Times> = joints.iter().map(|keys| keys.all.clone()).collect();
                merged(&all)
            }
        };
        Self { all, joints }
    }

    /// Key times of a joint.
    pub fn joint(&self, joint: usize) -> Option<&JointKeys> {
        let index = self.joints.binary_search_by_key(&joint, |keys| keys.joint);
        index.ok().map(|index| &self.joints[index])
    }
}

/// Tracks that edits change: those of a layer, or those below all layers.
pub(super) fn tracks(motion: &Motion, layer: Option<usize>) -> Vec<&JointTracks> {
    let Some(layers) = &motion.layers else {
        return motion.clip.joints.iter().collect();
    };
    if let Some(layer) = layer.and_then(|layer| layers.layers.get(layer)) {
        return layer.tracks.iter().collect();
    }
    let is_below =
        |tracks: &&JointTracks| !layers.base.iter().any(|base| base.joint == tracks.joint);
    let clip = motion.clip.joints.iter().filter(is_below);
    clip.chain(&layers.base).collect()
}

/// Times of several lists. Lists that are equal to the first are not read again.
fn merged(lists: &[Times]) -> Times {
    let Some(first) = lists.iter().find(|list| !list.is_empty()) else {
        return Times::default();
    };
    let mut others: Vec<&Times> = Vec::new();
    for list in lists {
        let is_known = |known: &&Times| Arc::ptr_eq(known, list) || *known == list;
        if !list.is_empty() && !is_known(&first) && !others.iter().any(is_known) {
            others.push(list);
        }
    }
    if others.is_empty() {
        return first.clone();
    }
    let mut times: Vec<f32> = others
        .into_iter()
        .flat_map(|list| list.iter().copied())
        .collect();
    times.extend(first.iter());
    times.sort_by(f32::total_cmp);
    times.dedup();
    Arc::new(times)
}

/// Key times of a clip, cached until the panel needs other ones.
pub(super) fn of(
    ui: &Ui,
    file: &OpenFile,
    clip: usize,
    layer: Option<usize>,
) -> Option<Arc<ClipKeys>> {
    type Kept = ((FileId, u32, u64, usize, Option<usize>), Arc<ClipKeys>);
    let id = Id::unique("keys of the clip").with(layer.is_some());
    let key = (file.id, file.version, file.edits, clip, layer);
    let kept: Option<Kept> = ui.data(|data| data.get_temp(id));
    let mut before = Arc::default();
    if let Some((kept, keys)) = kept {
        if kept == key {
            return Some(keys);
        }
        before = keys;
    }
    let keys = Arc::new(ClipKeys::of(file.motions.get(clip)?, layer, &before));
    ui.data_mut(|data| data.insert_temp(id, (key, keys.clone())));
    Some(keys)
}
