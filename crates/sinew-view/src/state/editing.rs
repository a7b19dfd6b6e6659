use sinew_edit::{Keys, Name};

/// Choices that edits of the shown clip use.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Editing {
    /// Selected keys of the clip that plays, or of its layer.
    pub keys: Vec<Keys>,
    /// True to key joints at the current time as soon as they are posed.
    pub auto_key: bool,
    /// Index of the layer that gets keys. `None` for the clip itself.
    pub layer: Option<usize>,
}

impl Editing {
    /// Moves the selection as an edit moved its keys.
    pub(crate) fn retime(&mut self, keys: &[Keys], time: impl Fn(f32) -> f32) {
        self.keys = keys.to_vec();
        for range in &mut self.keys {
            range.from_secs = time(range.from_secs);
            range.to_secs = time(range.to_secs);
        }
    }
}

/// Times of the selected keys of a joint and channel, as ranges in order without overlaps. `None` for any joint or channel.
pub(crate) fn selected_secs(
    keys: &[Keys],
    joint: Option<(usize, &str)>,
    channel: Option<sinew::clip::Channel>,
) -> Vec<[f32; 2]> {
    let own = keys.iter().filter(|keys| is_of(keys, joint, channel));
    let mut ranges: Vec<[f32; 2]> = own.map(|keys| [keys.from_secs, keys.to_secs]).collect();
    ranges.sort_by(|a, b| a[0].total_cmp(&b[0]));
    ranges.dedup_by(|next, before| {
        let overlaps = next[0] <= before[1];
        if overlaps {
            before[1] = before[1].max(next[1]);
        }
        overlaps
    });
    ranges
}

/// True if one of the ranges in order has a part of a range.
pub(crate) fn touches(ranges: &[[f32; 2]], [from, to]: [f32; 2]) -> bool {
    let next = ranges.partition_point(|range| range[1] < from);
    ranges.get(next).is_some_and(|range| range[0] <= to)
}

/// True if a range contains keys of a joint and channel. `None` for any.
fn is_of(keys: &Keys, joint: Option<(usize, &str)>, channel: Option<sinew::clip::Channel>) -> bool {
    let is_joint = |(index, name): (usize, &str)| {
        let is_it = |own: &Name| match own {
            Name::Index(own) => *own == index,
            Name::Name(own) => own == name,
        };
        keys.joints.is_empty() || keys.joints.iter().any(is_it)
    };
    let is_channel = |channel| keys.channels.is_empty() || keys.channels.contains(&channel);
    joint.is_none_or(is_joint) && channel.is_none_or(is_channel)
}
