//! Times of a clip's keys, worked out once for a clip.

use crate::document::{FileId, OpenFile};
use egui::{Id, Ui};
use sinew::clip::Clip;
use std::sync::Arc;

/// The times of a clip's keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ClipKeys {
    /// Of all tracks, sorted, each once.
    pub all: Vec<f32>,
    /// Of every joint that has some: translation, rotation, scale.
    pub joints: Vec<JointKeys>,
}

/// The times of a joint's keys.
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

    /// Those of a joint.
    pub fn joint(&self, joint: usize) -> Option<&JointKeys> {
        let place = self.joints.binary_search_by_key(&joint, |keys| keys.joint);
        place.ok().map(|place| &self.joints[place])
    }
}

fn once(times: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut times: Vec<f32> = times.filter(|t| t.is_finite()).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// The keys of a clip of a file, remembered until another one is asked for.
pub(super) fn of(ui: &Ui, file: &OpenFile, clip: usize) -> Option<Arc<ClipKeys>> {
    type Kept = ((FileId, u32, usize), Arc<ClipKeys>);
    let id = Id::unique("keys of the clip");
    let key = (file.id, file.version, clip);
    let kept: Option<Kept> = ui.data(|data| data.get_temp(id));
    if let Some((kept, keys)) = kept
        && kept == key
    {
        return Some(keys);
    }
    let keys = Arc::new(ClipKeys::of(file.character.clips.get(clip)?));
    ui.data_mut(|data| data.insert_temp(id, (key, keys.clone())));
    Some(keys)
}
