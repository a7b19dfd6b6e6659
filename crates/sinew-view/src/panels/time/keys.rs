//! Key times of a clip, computed once per clip.

use crate::document::{FileId, OpenFile};
use egui::{Id, Ui};
use sinew::clip::Clip;
use std::sync::Arc;

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ClipKeys {
    /// Key times of all tracks, sorted, without duplicates.
    pub all: Vec<f32>,
    /// Key times of each joint with keys.
    pub joints: Vec<JointKeys>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct JointKeys {
    pub joint: usize,
    pub all: Vec<f32>,
    pub channels: [Vec<f32>; 3],
}

impl ClipKeys {
    fn of(clip: &Clip) -> Self {
        let mut joints: Vec<JointKeys> = clip
            .joints
            .iter()
            .map(|tracks| {
                let of = |track: &Option<sinew::clip::Track>| {
                    track.as_ref().map_or(Vec::new(), |t| t.times().to_vec())
                };
                let channels = [
                    of(&tracks.translation),
                    of(&tracks.rotation),
                    of(&tracks.scale),
                ];
                JointKeys {
                    joint: tracks.joint,
                    all: once(channels.iter().flatten().copied()),
                    channels,
                }
            })
            .filter(|keys| !keys.all.is_empty())
            .collect();
        joints.sort_by_key(|keys| keys.joint);
        let tracks = clip.tracks().flat_map(|track| track.times().to_vec());
        Self {
            all: once(tracks),
            joints,
        }
    }

    /// Key times of a joint.
    pub fn joint(&self, joint: usize) -> Option<&JointKeys> {
        let index = self.joints.binary_search_by_key(&joint, |keys| keys.joint);
        index.ok().map(|index| &self.joints[index])
    }
}

fn once(times: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut times: Vec<f32> = times.filter(|t| t.is_finite()).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// Key times of a clip, cached until the panel needs another clip.
pub(super) fn of(ui: &Ui, file: &OpenFile, clip: usize) -> Option<Arc<ClipKeys>> {
    type Kept = ((FileId, u32, u64, usize), Arc<ClipKeys>);
    let id = Id::unique("keys of the clip");
    let key = (file.id, file.version, file.edits, clip);
    let kept: Option<Kept> = ui.data(|data| data.get_temp(id));
    if let Some((kept, keys)) = kept
        && kept == key
    {
        return Some(keys);
    }
    let keys = Arc::new(ClipKeys::of(file.clip(clip)?));
    ui.data_mut(|data| data.insert_temp(id, (key, keys.clone())));
    Some(keys)
}
