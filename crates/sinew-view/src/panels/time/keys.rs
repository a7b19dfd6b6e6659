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
    fn of(motion: &Motion, layer: Option<usize>) -> Self {
        let mut joints: Vec<JointKeys> = tracks(motion, layer)
            .into_iter()
            .map(|tracks| {
                let channels = [&tracks.translation, &tracks.rotation, &tracks.scale];
                let channels = channels.map(|track| {
                    let times = track.as_ref().map(|track| track.times().clone());
                    times.unwrap_or_default()
                });
                JointKeys {
                    joint: tracks.joint,
                    all: merged(&channels),
                    channels,
                }
            })
            .filter(|keys| !keys.all.is_empty())
            .collect();
        joints.sort_by_key(|keys| keys.joint);
        let all: Vec<Times> = joints.iter().map(|keys| keys.all.clone()).collect();
        Self {
            all: merged(&all),
            joints,
        }
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
    let others = lists
        .iter()
        .filter(|list| !Arc::ptr_eq(list, first) && *list != first);
    let others: Vec<f32> = others.flat_map(|list| list.iter().copied()).collect();
    if others.is_empty() {
        return first.clone();
    }
    let mut times = others;
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
    let id = Id::unique("keys of the clip");
    let key = (file.id, file.version, file.edits, clip, layer);
    let kept: Option<Kept> = ui.data(|data| data.get_temp(id));
    if let Some((kept, keys)) = kept
        && kept == key
    {
        return Some(keys);
    }
    let keys = Arc::new(ClipKeys::of(file.motions.get(clip)?, layer));
    ui.data_mut(|data| data.insert_temp(id, (key, keys.clone())));
    Some(keys)
}
