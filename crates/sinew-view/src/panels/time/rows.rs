//! Rows below the ruler: keys as diamonds, curves as graphs, events as flags.

use super::dope::{Line, snapped};
use super::keys::{ClipKeys, JointKeys, Times};
use super::ruler::{GUTTER, TimeScale};
use crate::document::OpenFile;
use crate::panels::style::theme::Palette;
use crate::session::Session;
use crate::state::{Command, HistoryCommand, PlaybackCommand, Selection, SelectionCommand, is_of};
use egui::{
    Align2, Color32, FontId, Painter, Pos2, Rangef, Rect, Role, Sense, Shape, Stroke, Ui, Vec2,
    WidgetInfo, pos2,
};
use sinew::clip::{Channel, Clip};
use sinew_edit::{Edit, Keys, Name};

const ROW: f32 = 18.0;
const GRAPH: f32 = 30.0;

const FLASH_SECS: f64 = 0.25;

pub(super) const CHANNELS: [(&str, Channel); 3] = [
    ("translation", Channel::Translation),
    ("rotation", Channel::Rotation),
    ("scale", Channel::Scale),
];

pub(super) enum Row<'a> {
    Keys {
        name: String,
        times: &'a Times,
        /// Joint and channel of the row. `None` for all.
        joint: Option<usize>,
        channel: Option<Channel>,
    },
    Curve {
        name: &'a str,
        curve: usize,
    },
    Events,
}

impl Row<'_> {
    fn height(&self) -> f32 {
        match self {
            Self::Curve { .. } => GRAPH,
            _ => ROW,
        }
    }
}

/// Rows of a clip: all keys, events, keys of joints, and curves.
pub(super) fn rows<'a>(
    file: &OpenFile,
    clip: &'a Clip,
    keys: &'a ClipKeys,
    selection: Selection,
    has_all: bool,
) -> Vec<Row<'a>> {
    let mut rows = vec![Row::Keys {
        name: "All keys".to_owned(),
        times: &keys.all,
        joint: None,
        channel: None,
    }];
    let selected = match selection {
        Selection::Joint(joint) => keys.joint(joint),
        _ => None,
    };
    if !clip.events.is_empty() {
        rows.push(Row::Events);
    }
    let named = |joint: usize| {
        if joint < file.character.skeleton.len() {
            file.character.skeleton.name(joint).to_owned()
        } else {
            format!("joint {joint}")
        }
    };
    let mut add = |own: &'a JointKeys, has_channels: bool| {
        rows.push(Row::Keys {
            name: named(own.joint),
            times: &own.all,
            joint: Some(own.joint),
            channel: None,
        });
        for ((name, channel), times) in CHANNELS.into_iter().zip(&own.channels) {
            if has_channels && !times.is_empty() {
                rows.push(Row::Keys {
                    name: name.to_owned(),
                    times,
                    joint: Some(own.joint),
                    channel: Some(channel),
                });
            }
        }
    };
    match (has_all, selected) {
        (true, _) => {
            for own in &keys.joints {
                let is_selected = selected.is_some_and(|s| s.joint == own.joint);
                add(own, is_selected);
            }
        }
        (false, Some(own)) => add(own, true),
        (false, None) => {}
    }
    let curves = clip.curves.iter().enumerate();
    rows.extend(curves.map(|(curve, c)| Row::Curve {
        name: &c.name,
        curve,
    }));
    rows
}

pub(super) fn draw(
    ui: &mut Ui,
    session: &Session,
    clip: &Clip,
    row: &Row<'_>,
    scale: &TimeScale,
    commands: &mut Vec<Command>,
) -> Option<Line> {
    let palette = Palette::of(ui);
    let size = Vec2::new(ui.available_width(), row.height());
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    if !ui.is_rect_visible(rect) {
        return None;
    }
    let line = Stroke::new(1.0, palette.line);
    ui.painter().hline(rect.x_range(), rect.bottom(), line);
    let gutter = rect.with_max_x(rect.left() + GUTTER);
    match row {
        Row::Keys {
            name,
            times,
            joint,
            channel,
        } => {
            return Some(key_row(
                ui,
                session,
                rect,
                (name, times),
                (*joint, *channel),
                scale,
                commands,
            ));
        }
        Row::Curve { name, curve } => {
            label(ui, gutter, name, 0, false);
            graph(
                ui.painter(),
                &palette,
                rect,
                clip,
                *curve,
                scale,
                session.state().playback.time_secs,
            );
        }
        Row::Events => {
            label(ui, gutter, "Events", 0, false);
            flags(ui, session, clip, rect, scale, commands);
        }
    }
    None
}

fn key_row(
    ui: &Ui,
    session: &Session,
    rect: Rect,
    (name, times): (&str, &Times),
    (joint, channel): (Option<usize>, Option<Channel>),
    scale: &TimeScale,
    commands: &mut Vec<Command>,
) -> Line {
    let palette = Palette::of(ui);
    let gutter = rect.with_max_x(rect.left() + GUTTER);
    let state = session.state();
    let selection = joint.filter(|_| channel.is_none()).map(Selection::Joint);
    let is_on = selection == Some(state.selection);
    let depth = usize::from(channel.is_some());
    label(ui, gutter, name, depth, is_on);
    if let Some(selection) = selection {
        let response = ui.interact(gutter, ui.scope_id().with(name), Sense::click());
        let named = format!("Row {name}");
        response.widget_info(|| WidgetInfo::selected(Role::Row, true, is_on, &named));
        if response.clicked() {
            commands.push(SelectionCommand::Select { selection }.into());
        }
    }
    let color = match (is_on, depth) {
        (true, _) => palette.accent,
        (false, 0) => palette.key,
        (false, _) => palette.dim,
    };
    let area = rect.with_min_x(gutter.right());
    let response = ui.interact(
        area,
        ui.scope_id().with(("keys of", joint, name)),
        Sense::hover(),
    );
    let named = format!("Keys of {name}");
    response.widget_info(|| WidgetInfo::labeled(Role::Row, true, &named));
    let file = session.document().file(state.shown);
    let joint_name = file.zip(joint).map_or("", |(file, joint)| {
        let skeleton = &file.character.skeleton;
        if joint < skeleton.len() {
            skeleton.name(joint)
        } else {
            ""
        }
    });
    let selected = state.editing.keys.iter();
    let selected =
        selected.filter(|keys| is_of(keys, joint.map(|joint| (joint, joint_name)), channel));
    let selected = joined(
        selected
            .map(|keys| [keys.from_secs, keys.to_secs])
            .collect(),
    );
    ticks(
        ui.painter(),
        rect,
        times,
        scale,
        [color, palette.text],
        &selected,
    );
    Line {
        rect: area,
        of: Keys {
            joints: joint.into_iter().map(Name::Index).collect(),
            channels: channel.into_iter().collect(),
            ..Keys::default()
        },
        times: times.clone(),
    }
}

/// Ranges in order, without overlaps.
fn joined(mut ranges: Vec<[f32; 2]>) -> Vec<[f32; 2]> {
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

fn touches(ranges: &[[f32; 2]], [from, to]: [f32; 2]) -> bool {
    let next = ranges.partition_point(|range| range[1] < from);
    ranges.get(next).is_some_and(|range| range[0] <= to)
}

fn label(ui: &Ui, gutter: Rect, name: &str, depth: usize, is_on: bool) {
    let palette = Palette::of(ui);
    let ink = match (is_on, depth) {
        (true, _) => palette.accent,
        (false, 0) => palette.text,
        (false, _) => palette.dim,
    };
    ui.painter().with_clip_rect(gutter).text(
        gutter.left_center() + Vec2::new(10.0 + 12.0 * depth as f32, 0.0),
        Align2::LEFT_CENTER,
        name,
        FontId::proportional(12.0),
        ink,
    );
}

/// Draws keys as diamonds, or as lines if they are close. Draws at most one per screen position, in the second colour
/// if a key there is selected.
fn ticks(
    painter: &Painter,
    rect: Rect,
    times: &[f32],
    scale: &TimeScale,
    [color, chosen]: [Color32; 2],
    selected: &[[f32; 2]],
) {
    let y = rect.center().y;
    let before = |x: f32| move |time: &f32| scale.x_of(f64::from(*time)) < x;
    let mut key = times.partition_point(before(scale.x.min - 4.0));
    let end = times.partition_point(before(scale.x.max + 4.0));
    let spacing = scale.x.span() / (end - key).max(1) as f32;
    while key < end {
        let x = scale.x_of(f64::from(times[key]));
        let next = key + times[key..end].partition_point(before(x + 2.0)).max(1);
        let is_selected = touches(selected, [times[key], times[next - 1]]);
        key = next;
        let color = if is_selected { chosen } else { color };
        if spacing > 7.0 {
            let r = if is_selected { 4.4 } else { 3.2 };
            let corners = [[0.0, -r], [r, 0.0], [0.0, r], [-r, 0.0]];
            let corners = corners.map(|[dx, dy]| pos2(x + dx, y + dy)).to_vec();
            painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
        } else {
            let tick = Rangef::new(y - 4.0, y + 4.0);
            painter.vline(x, tick, Stroke::new(1.0, color));
        }
    }
}

fn graph(
    painter: &Painter,
    palette: &Palette,
    rect: Rect,
    clip: &Clip,
    curve: usize,
    scale: &TimeScale,
    now_secs: f64,
) {
    const STEPS: usize = 160;
    let Some(curve) = clip.curves.get(curve) else {
        return;
    };
    let mut value = vec![0.0; curve.track.width()];
    let mut at = |time: f64| match curve.track.sample(time, &mut value) {
        Ok(()) => value.first().copied().filter(|v| v.is_finite()),
        Err(_) => None,
    };
    let samples: Vec<(f64, f32)> = (0..=STEPS)
        .map(|step| scale.from_secs + scale.span_secs * step as f64 / STEPS as f64)
        .filter_map(|time| Some((time, at(time)?)))
        .collect();
    let first = samples.first().map_or(0.0, |s| s.1);
    let [low, high] = samples
        .iter()
        .fold([first; 2], |[low, high], s| [low.min(s.1), high.max(s.1)]);
    let y_of = |value: f32| {
        let part = if high > low {
            (value - low) / (high - low)
        } else {
            0.5
        };
        rect.bottom() - 5.0 - part * (rect.height() - 10.0)
    };
    let points: Vec<Pos2> = samples
        .iter()
        .map(|&(time, value)| pos2(scale.x_of(time), y_of(value)))
        .collect();
    painter.add(Shape::line(points, Stroke::new(1.4, palette.good)));
    if let Some(now) = at(now_secs) {
        let spot = pos2(scale.x_of(now_secs), y_of(now));
        painter.circle_filled(spot, 2.8, palette.good);
        painter.text(
            pos2(rect.left() + GUTTER - 4.0, rect.center().y),
            Align2::RIGHT_CENTER,
            format!("{now:.2}"),
            crate::panels::style::theme::digits(),
            palette.dim,
        );
    }
}

fn flags(
    ui: &mut Ui,
    session: &Session,
    clip: &Clip,
    rect: Rect,
    scale: &TimeScale,
    commands: &mut Vec<Command>,
) {
    let palette = Palette::of(ui);
    let fired = &session.state().playback.fired;
    for (index, event) in clip.events.iter().enumerate() {
        let time_secs = f64::from(event.time_secs);
        let x = scale.x_of(time_secs);
        if !scale.x.expand(2.0).contains(x) {
            continue;
        }
        let is_lit = fired
            .iter()
            .any(|f| f.event == index && f.age_secs < FLASH_SECS);
        let color = if is_lit {
            palette.accent
        } else {
            palette.warning
        };
        let pole = Rangef::new(rect.top() + 2.0, rect.bottom());
        ui.painter().vline(x, pole, Stroke::new(1.2, color));
        let flag = [
            pos2(x, rect.top() + 2.0),
            pos2(x + 9.0, rect.top() + 6.0),
            pos2(x, rect.top() + 10.0),
        ];
        let flag = Shape::convex_polygon(flag.to_vec(), color, Stroke::NONE);
        ui.painter().add(flag);
        if is_lit {
            let glow = color.gamma_multiply(0.25);
            ui.painter()
                .circle_filled(pos2(x + 3.0, rect.center().y), 9.0, glow);
        }
        let spot = Rect::from_x_y_ranges(x - 3.0..=x + 11.0, rect.y_range());
        let id = ui.scope_id().with(("event", index));
        let response = ui.interact(spot, id, Sense::click_and_drag());
        let name = format!("Event {}", event.name);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let response = response.on_hover_text(format!("{} at {time_secs:.3} s", event.name));
        if response.clicked() {
            commands.push(PlaybackCommand::Seek { time_secs }.into());
        }
        drag_flag(ui, session, &response, index, scale, commands);
    }
}

/// Moves an event. Edits of a drag start from the clip before it, so the index stays, even if events pass each other.
fn drag_flag(
    ui: &Ui,
    session: &Session,
    flag: &egui::Response,
    event: usize,
    scale: &TimeScale,
    commands: &mut Vec<Command>,
) {
    if flag.dragged()
        && let (Some(at), Some(clip)) = (flag.interact_pointer_pos(), session.edited_clip())
    {
        let modifiers = ui.input(|input| input.modifiers);
        let time = snapped(session, scale.time_at(at.x), modifiers);
        let edit = Edit::SetEvent {
            clip,
            event,
            time_secs: Some(time.clamp(0.0, scale.duration_secs) as f32),
            name: None,
        };
        commands.push(HistoryCommand::Drag { edit }.into());
    }
    if flag.drag_stopped() {
        commands.push(HistoryCommand::Release.into());
    }
}
