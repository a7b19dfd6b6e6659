//! Rows below the ruler: keys as diamonds, curves as graphs, events as flags.

use super::dope::Line;
use super::keys::{ClipKeys, JointKeys, Times};
use super::ruler::{GUTTER, TimeScale};
use super::{flags, graphs};
use crate::document::OpenFile;
use crate::panels::style::theme::Palette;
use crate::session::Session;
use crate::state::{Command, Selection, SelectionCommand, selected_secs, touches};
use egui::{
    Align2, Color32, FontId, Painter, Rangef, Rect, Role, Sense, Shape, Stroke, Ui, Vec2,
    WidgetInfo, pos2,
};
use sinew::clip::{Channel, Clip, Curve};
use sinew_edit::{Keys, Name};

const ROW: f32 = 18.0;
const GRAPH: f32 = 30.0;

pub(super) const CHANNELS: [(&str, Channel); 3] = [
    ("translation", Channel::Translation),
    ("rotation", Channel::Rotation),
    ("scale", Channel::Scale),
];

pub(super) enum Row<'a> {
    Keys(KeyRow<'a>),
    Curve(&'a Curve),
    Events,
}

/// Keys of a channel, of a joint or of all joints.
pub(super) struct KeyRow<'a> {
    name: String,
    times: &'a Times,
    /// Keys of the clip below the active layer. They are drawn only.
    under: Option<&'a Times>,
    /// Joint and channel of the row. `None` for all.
    joint: Option<usize>,
    channel: Option<Channel>,
}

impl Row<'_> {
    fn height(&self) -> f32 {
        match self {
            Self::Curve(_) => GRAPH,
            _ => ROW,
        }
    }
}

static NO_TIMES: std::sync::LazyLock<Times> = std::sync::LazyLock::new(Times::default);

/// Rows of a clip: all keys, events, keys of joints, and curves. `below` has the keys of the clip if a layer is active.
/// Without keys of its own, a selected joint stands for the joints that a pull of it rotates.
pub(super) fn rows<'a>(
    file: &OpenFile,
    clip: &'a Clip,
    (keys, below): (&'a ClipKeys, Option<&'a ClipKeys>),
    selected: &[usize],
    has_all: bool,
) -> Vec<Row<'a>> {
    let mut rows = vec![Row::Keys(KeyRow {
        name: "All keys".to_owned(),
        times: &keys.all,
        under: below.map(|below| &below.all),
        joint: None,
        channel: None,
    })];
    if !clip.events.is_empty() {
        rows.push(Row::Events);
    }
    let mut joints: Vec<usize> = match has_all {
        true => {
            let all = keys
                .joints
                .iter()
                .chain(below.iter().flat_map(|below| &below.joints));
            all.map(|own| own.joint).collect()
        }
        false => {
            let is_keyed = |joint: usize| {
                let below = below.and_then(|below| below.joint(joint));
                keys.joint(joint).is_some() || below.is_some()
            };
            let shown = selected.iter();
            shown
                .flat_map(|&own| keyed_for(file, own, is_keyed))
                .collect()
        }
    };
    joints.sort_unstable();
    joints.dedup();
    for joint in joints {
        let own = keys.joint(joint);
        let under = below.and_then(|below| below.joint(joint));
        if own.is_some() || under.is_some() {
            let has_channels = selected.contains(&joint);
            add_joint(&mut rows, file, joint, (own, under), has_channels);
        }
    }
    rows.extend(clip.curves.iter().map(Row::Curve));
    rows
}

/// Joints whose keys move a joint: itself, or the two above it, which a pull rotates.
fn keyed_for(file: &OpenFile, joint: usize, is_keyed: impl Fn(usize) -> bool) -> Vec<usize> {
    let skeleton = &file.character.skeleton;
    if joint >= skeleton.len() || is_keyed(joint) {
        return vec![joint];
    }
    let above = skeleton.hierarchy().ancestors(joint).skip(1).take(2);
    above.filter(|&joint| is_keyed(joint)).collect()
}

fn add_joint<'a>(
    rows: &mut Vec<Row<'a>>,
    file: &OpenFile,
    joint: usize,
    (own, under): (Option<&'a JointKeys>, Option<&'a JointKeys>),
    has_channels: bool,
) {
    let skeleton = &file.character.skeleton;
    let name = match joint < skeleton.len() {
        true => skeleton.name(joint).to_owned(),
        false => format!("joint {joint}"),
    };
    rows.push(Row::Keys(KeyRow {
        name,
        times: own.map_or(&NO_TIMES, |own| &own.all),
        under: under.map(|under| &under.all),
        joint: Some(joint),
        channel: None,
    }));
    for (index, (name, channel)) in CHANNELS.into_iter().enumerate() {
        let times = own.map_or(&*NO_TIMES, |own| &own.channels[index]);
        let under = under.map(|under| &under.channels[index]);
        let is_keyed = !times.is_empty() || under.is_some_and(|under| !under.is_empty());
        if has_channels && is_keyed {
            rows.push(Row::Keys(KeyRow {
                name: name.to_owned(),
                times,
                under,
                joint: Some(joint),
                channel: Some(channel),
            }));
        }
    }
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
        Row::Keys(row) => return Some(key_row(ui, session, rect, row, scale, commands)),
        Row::Curve(curve) => {
            label(ui, gutter, &curve.name, 0, false);
            graphs::show(ui, session, rect, curve, scale, commands);
        }
        Row::Events => {
            label(ui, gutter, "Events", 0, false);
            flags::flags(ui, session, clip, rect, scale, commands);
        }
    }
    None
}

fn key_row(
    ui: &Ui,
    session: &Session,
    rect: Rect,
    row: &KeyRow<'_>,
    scale: &TimeScale,
    commands: &mut Vec<Command>,
) -> Line {
    let palette = Palette::of(ui);
    let KeyRow {
        name,
        times,
        joint,
        channel,
        ..
    } = row;
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
    let id = ui.scope_id().with(("keys of", joint, name));
    let response = ui.interact(area, id, Sense::hover());
    let named = format!("Keys of {name}");
    response.widget_info(|| WidgetInfo::labeled(Role::Row, true, &named));
    let file = session.document().file(state.shown);
    let joint_name = file.zip(*joint).map_or("", |(file, joint)| {
        let skeleton = &file.character.skeleton;
        if joint < skeleton.len() {
            skeleton.name(joint)
        } else {
            ""
        }
    });
    if let Some(under) = row.under {
        ticks(ui.painter(), rect, under, scale, [palette.faint; 2], &[]);
    }
    let of = joint.map(|joint| (joint, joint_name));
    let selected = selected_secs(&state.editing.keys, of, *channel);
    let colors = [color, palette.text];
    ticks(ui.painter(), rect, times, scale, colors, &selected);
    Line {
        rect: area,
        of: Keys {
            joints: joint.iter().copied().map(Name::Index).collect(),
            channels: channel.iter().copied().collect(),
            ..Keys::default()
        },
        times: Times::clone(times),
    }
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
