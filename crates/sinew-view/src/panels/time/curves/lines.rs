//! Lines of the curve view: which channels are shown, their samples and their ranges.

use super::super::keys;
use super::super::rows::CHANNELS;
use super::super::ruler::TimeScale;
use super::super::values::{self, Shown, name_of, track_of};
use crate::panels::style::theme::Palette;
use crate::session::Session;
use crate::state::selected_secs;
use egui::ecolor::Hsva;
use egui::{Color32, Id, Ui};
use sinew::clip::{Channel, Interpolation, Track};
use sinew_edit::Motion;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(super) const AXES: [&str; 3] = ["x", "y", "z"];
/// Samples of all lines together, at most.
const SAMPLES: usize = 24_000;

/// A channel of a joint.
#[derive(Clone)]
pub(super) struct Plotted {
    pub joint: usize,
    pub channel: Channel,
    /// Joint and channel, like `head rotation`.
    pub name: String,
    pub track: Track,
    /// Values of the keys as shown.
    pub keys: Arc<Vec<Shown>>,
    /// Times of the selected keys, as ranges in order.
    pub selected: Vec<[f32; 2]>,
}

/// Joint, channel and axis of a line.
pub(super) type LineId = (usize, &'static str, usize);

impl Plotted {
    pub fn line(&self, axis: usize) -> LineId {
        (self.joint, name_of(self.channel), axis)
    }
}

/// Channels of the selected joints. Without any, channels that have selected keys.
pub(super) fn chosen(ui: &Ui, session: &Session, motion: &Motion) -> Vec<Plotted> {
    let state = session.state();
    let Some(file) = session.document().file(state.shown) else {
        return Vec::new();
    };
    let skeleton = &file.character.skeleton;
    let joints = state.selected_joints();
    let mut plotted = Vec::new();
    for tracks in keys::tracks(motion, session.edited_layer()) {
        let joint = tracks.joint;
        if joint >= skeleton.len() || !(joints.is_empty() || joints.contains(&joint)) {
            continue;
        }
        let own_name = skeleton.name(joint);
        for (name, channel) in CHANNELS {
            let Some(track) = track_of(tracks, channel) else {
                continue;
            };
            let named = Some((joint, own_name));
            let selected = selected_secs(&state.editing.keys, named, Some(channel));
            if joints.is_empty() && selected.is_empty() {
                continue;
            }
            plotted.push(Plotted {
                joint,
                channel,
                name: format!("{own_name} {name}"),
                track: track.clone(),
                keys: values::of_keys(ui, joint, channel, track),
                selected,
            });
        }
    }
    plotted
}

pub(super) type Samples = Arc<Vec<(f64, Shown)>>;

/// Values in the visible time, kept until the track or the time changes.
pub(super) fn samples(ui: &Ui, plotted: &Plotted, scale: &TimeScale, channels: usize) -> Samples {
    type Key = (Arc<Vec<f32>>, Arc<Vec<f32>>, [u64; 2], usize);
    let steps = (SAMPLES / (3 * channels.max(1))).clamp(60, 240);
    let range = [scale.from_secs.to_bits(), scale.span_secs.to_bits()];
    let track = &plotted.track;
    let id = Id::unique("samples of curves").with((plotted.joint, name_of(plotted.channel)));
    let kept: Option<(Key, Samples)> = ui.data(|data| data.get_temp(id));
    if let Some((key, samples)) = kept
        && Arc::ptr_eq(&key.0, track.values())
        && Arc::ptr_eq(&key.1, track.times())
        && (key.2, key.3) == (range, steps)
    {
        return samples;
    }
    let made: Samples = Arc::new(sampled(plotted, scale, steps));
    let key: Key = (track.values().clone(), track.times().clone(), range, steps);
    ui.data_mut(|data| data.insert_temp(id, (key, made.clone())));
    made
}

fn sampled(plotted: &Plotted, scale: &TimeScale, steps: usize) -> Vec<(f64, Shown)> {
    let track = &plotted.track;
    let step_secs = scale.span_secs / steps as f64;
    let mut times: Vec<f64> = (0..=steps)
        .map(|step| scale.from_secs + step_secs * step as f64)
        .collect();
    let own = track.times();
    let from = own.partition_point(|&time| f64::from(time) < scale.from_secs);
    let to = own.partition_point(|&time| f64::from(time) <= scale.from_secs + scale.span_secs);
    // Corners at keys are exact, unless keys are closer than samples.
    if to.saturating_sub(from) <= steps {
        times.extend(own[from..to].iter().map(|&time| f64::from(time)));
        if track.interpolation() == Interpolation::Step {
            let before = |&time: &f32| f64::from(time) - step_secs * 1e-3;
            times.extend(own[from..to].iter().map(before));
        }
        times.sort_by(f64::total_cmp);
        times.dedup();
    }
    let mut value = vec![0.0; track.width()];
    let mut last: Option<(usize, Shown)> = None;
    let mut samples = Vec::with_capacity(times.len());
    for time in times {
        let key = own.partition_point(|&own| f64::from(own) <= time);
        let key = key.saturating_sub(1);
        let before = last.filter(|last| last.0 == key);
        let before = before.map_or(plotted.keys[key], |last| last.1);
        let now = match track.sample_rotation(time) {
            Some(turn) if plotted.channel == Channel::Rotation => {
                values::shown(Channel::Rotation, &turn.to_array(), Some(before))
            }
            _ => {
                if track.sample(time, &mut value).is_err() {
                    continue;
                }
                values::shown(Channel::Translation, &value, None)
            }
        };
        if now.iter().all(|part| part.is_finite()) {
            last = Some((key, now));
            samples.push((time, now));
        }
    }
    samples
}

/// Lowest and highest value of each line, with room around them.
pub(super) type Ranges = Arc<BTreeMap<LineId, [f32; 2]>>;

/// Ranges that stay until the shown lines change or the view is fitted.
pub(super) fn ranges(
    ui: &Ui,
    id: Id,
    lines: &[(LineId, Samples)],
    is_normalised: bool,
    is_fitted: bool,
) -> Ranges {
    type Kept = (bool, Ranges);
    let kept: Option<Kept> = ui.data(|data| data.get_temp(id));
    if let Some((was_normalised, ranges)) = kept
        && !is_fitted
        && was_normalised == is_normalised
        && ranges.keys().eq(lines
            .iter()
            .map(|line| line.0)
            .collect::<BTreeSet<_>>()
            .iter())
    {
        return ranges;
    }
    let extent = |(line, samples): &(LineId, Samples)| {
        let values = samples.iter().map(|sample| sample.1[line.2]);
        let range = values.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], value| {
            [low.min(value), high.max(value)]
        });
        (*line, range)
    };
    let mut own: BTreeMap<LineId, [f32; 2]> = lines.iter().map(extent).collect();
    if !is_normalised {
        let low = own.values().map(|range| range[0]);
        let low = low.fold(f32::INFINITY, f32::min);
        let high = own.values().map(|range| range[1]);
        let high = high.fold(f32::NEG_INFINITY, f32::max);
        own.values_mut().for_each(|range| *range = [low, high]);
    }
    for range in own.values_mut() {
        let [low, high] = *range;
        *range = match low <= high {
            true => {
                let room = ((high - low) * 0.1).max(1e-3 * high.abs().max(1.0));
                [low - room, high + room]
            }
            false => [0.0, 1.0],
        };
    }
    let made: Ranges = Arc::new(own);
    ui.data_mut(|data| data.insert_temp::<Kept>(id, (is_normalised, made.clone())));
    made
}

/// Colour of a line: red, green and blue for a single channel, otherwise a hue for each line.
pub(super) fn color(ui: &Ui, channels: usize, channel: usize, axis: usize) -> Color32 {
    let palette = Palette::of(ui);
    if channels <= 1 {
        return [palette.error, palette.good, palette.key][axis];
    }
    let hue = ((3 * channel + axis) as f32 * 0.618_034).fract();
    let value = if ui.visuals().dark_mode { 0.92 } else { 0.6 };
    Hsva::new(hue, 0.6, value, 1.0).into()
}
