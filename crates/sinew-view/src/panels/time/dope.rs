//! Keys under the pointer: clicks and boxes select them, drags move them in time.

use super::keys::Times;
use super::ruler::TimeScale;
use crate::panels::style::theme::Palette;
use crate::session::Session;
use crate::state::{Command, EditingCommand, HistoryCommand};
use egui::{
    CornerRadius, Modifiers, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
};
use sinew_edit::{KeyEdit, Keys, Name};

/// Max distance from the pointer to a key, in points.
const REACH: f32 = 7.0;

/// A drawn row of keys.
pub(super) struct Line {
    pub rect: Rect,
    /// Joints and channels of the row, without times.
    pub of: Keys,
    pub times: Times,
}

#[derive(Clone, Debug)]
enum Drag {
    Keys {
        keys: Vec<Keys>,
        grabbed_secs: f32,
        from_x: f32,
        /// Seconds per point when the drag began. The scale may change with the clip.
        secs_per_point: f64,
        by_secs: f32,
    },
    Box {
        from: Pos2,
    },
}

/// Area of the keys. It takes the pointer unless something in front of it does.
pub(super) fn area(ui: &Ui, rect: Rect) -> Response {
    let response = ui.interact(rect, ui.scope_id().with("keys"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Grid, true, "Keys"));
    response
}

pub(super) fn run(
    ui: &Ui,
    session: &Session,
    area: &Response,
    lines: &[Line],
    scale: &TimeScale,
    commands: &mut Vec<Command>,
) {
    let id = area.id.with("drag");
    let modifiers = ui.input(|input| input.modifiers);
    if area.clicked()
        && let Some(at) = area.interact_pointer_pos()
    {
        click(session, find(lines, scale, at), modifiers, commands);
    }
    if area.drag_started()
        && let Some(from) = ui.input(|input| input.pointer.press_origin())
    {
        let drag = begin(session, lines, scale, from, modifiers, commands);
        ui.data_mut(|data| data.insert_temp(id, drag));
    }
    let drag: Option<Drag> = ui.data(|data| data.get_temp(id));
    let (Some(drag), Some(at)) = (drag, area.interact_pointer_pos()) else {
        return;
    };
    let drag = match drag {
        Drag::Keys { .. } => moved(session, drag, at, modifiers, commands),
        Drag::Box { from } => {
            let chosen = Rect::from_two_pos(from, at);
            frame(ui, chosen);
            if area.drag_stopped() {
                let (keys, add) = (within(lines, scale, chosen), modifiers.shift);
                commands.push(EditingCommand::SelectKeys { keys, add }.into());
            }
            drag
        }
    };
    if area.drag_stopped() {
        if matches!(drag, Drag::Keys { .. }) {
            commands.push(HistoryCommand::Release.into());
        }
        ui.data_mut(|data| data.remove::<Drag>(id));
    } else {
        ui.data_mut(|data| data.insert_temp(id, drag));
    }
}

fn click(
    session: &Session,
    found: Option<Keys>,
    modifiers: Modifiers,
    commands: &mut Vec<Command>,
) {
    let mut keys: Vec<Keys> = found.into_iter().collect();
    let mut add = modifiers.shift;
    if add && let Some(key) = keys.first().cloned() {
        let selected = &session.state().editing.keys;
        if selected.contains(&key) {
            keys = selected
                .iter()
                .filter(|own| **own != key)
                .cloned()
                .collect();
            add = false;
        }
    }
    commands.push(EditingCommand::SelectKeys { keys, add }.into());
}

fn begin(
    session: &Session,
    lines: &[Line],
    scale: &TimeScale,
    from: Pos2,
    modifiers: Modifiers,
    commands: &mut Vec<Command>,
) -> Drag {
    let Some(key) = find(lines, scale, from) else {
        return Drag::Box { from };
    };
    let mut keys = session.state().editing.keys.clone();
    if !keys.iter().any(|own| contains(own, &key)) {
        let add = modifiers.shift;
        if !add {
            keys.clear();
        }
        keys.push(key.clone());
        let key = vec![key.clone()];
        commands.push(EditingCommand::SelectKeys { keys: key, add }.into());
    }
    Drag::Keys {
        keys,
        grabbed_secs: key.from_secs,
        from_x: from.x,
        secs_per_point: scale.secs_per_point(),
        by_secs: 0.0,
    }
}

fn moved(
    session: &Session,
    mut drag: Drag,
    at: Pos2,
    modifiers: Modifiers,
    commands: &mut Vec<Command>,
) -> Drag {
    if let Drag::Keys {
        keys,
        grabbed_secs,
        from_x,
        secs_per_point,
        by_secs,
    } = &mut drag
    {
        let wanted = f64::from(*grabbed_secs) + f64::from(at.x - *from_x) * *secs_per_point;
        let time = snapped(session, wanted, modifiers);
        let first = keys.iter().map(|key| key.from_secs);
        let first = first.fold(f32::INFINITY, f32::min);
        let by = ((time as f32) - *grabbed_secs).max(-first.max(0.0));
        if by != *by_secs
            && let Some(clip) = session.edited_clip()
        {
            *by_secs = by;
            let edit = KeyEdit::MoveKeys {
                clip,
                layer: session.edited_layer().map(Name::Index),
                keys: keys.clone(),
                by_secs: by,
            };
            commands.push(HistoryCommand::drag(edit).into());
        }
    }
    drag
}

/// The nearest frame. With Shift or Ctrl, the time itself.
pub(super) fn snapped(session: &Session, time_secs: f64, modifiers: Modifiers) -> f64 {
    if modifiers.shift || modifiers.command {
        return time_secs;
    }
    let fps = session.state().playback.fps;
    (time_secs * fps).round() / fps
}

/// The key of a row under a point.
fn find(lines: &[Line], scale: &TimeScale, at: Pos2) -> Option<Keys> {
    let line = lines.iter().find(|line| line.rect.contains(at))?;
    let near = scale.time_beyond(at.x) as f32;
    let next = line.times.partition_point(|&time| time < near);
    let beside = [next.checked_sub(1), Some(next)];
    let times = beside
        .into_iter()
        .flatten()
        .filter_map(|index| line.times.get(index));
    let away = |time: f32| (scale.x_of(f64::from(time)) - at.x).abs();
    let time = times
        .copied()
        .min_by(|a, b| away(*a).total_cmp(&away(*b)))?;
    (away(time) <= REACH).then(|| spanning(&line.of, time, time))
}

/// Keys of each row in a box, as ranges.
fn within(lines: &[Line], scale: &TimeScale, chosen: Rect) -> Vec<Keys> {
    let [from, to] = [chosen.left(), chosen.right()].map(|x| scale.time_beyond(x) as f32);
    let in_box = lines
        .iter()
        .filter(|line| line.rect.y_range().intersects(chosen.y_range()));
    let ranges = in_box.filter_map(|line| {
        let times = &line.times;
        let first = *times.get(times.partition_point(|&time| time < from))?;
        let after = times.partition_point(|&time| time <= to);
        let last = *times.get(after.checked_sub(1)?)?;
        (first <= last).then(|| spanning(&line.of, first, last))
    });
    ranges.collect()
}

fn spanning(of: &Keys, from_secs: f32, to_secs: f32) -> Keys {
    Keys {
        from_secs,
        to_secs,
        ..of.clone()
    }
}

fn contains(range: &Keys, key: &Keys) -> bool {
    let has_joints = range.joints.is_empty() || range.joints == key.joints;
    let has_channels = range.channels.is_empty() || range.channels == key.channels;
    let has_time = range.from_secs <= key.from_secs && key.to_secs <= range.to_secs;
    has_joints && has_channels && has_time
}

fn frame(ui: &Ui, chosen: Rect) {
    let accent = Palette::of(ui).accent;
    let painter = ui.painter();
    painter.rect_filled(chosen, CornerRadius::ZERO, accent.gamma_multiply(0.12));
    let stroke = Stroke::new(1.0, accent);
    painter.rect_stroke(chosen, CornerRadius::ZERO, stroke, StrokeKind::Inside);
}
