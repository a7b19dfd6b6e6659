//! Fields for time and value of the selected key, or for the time offset of several keys.

use super::controls::spin;
use super::keys;
use super::rows::CHANNELS;
use super::values::{self, Shown, set_value, track_of};
use crate::session::Session;
use crate::state::{Command, HistoryCommand, selected_secs};
use egui::{DragValue, Id, Ui, Vec2};
use sinew::clip::{Channel, Track};
use sinew_edit::{KeyEdit, Keys, Motion, Name};

/// The selected key, if there is only one.
struct One<'a> {
    joint: usize,
    channel: Channel,
    track: &'a Track,
    key: usize,
}

/// Selected keys: none, one, keys at one time, or others.
enum Picked<'a> {
    None,
    One(One<'a>),
    /// Keys at this time.
    Pose(f32),
    Several,
}

/// Change of a number by its field.
enum Change {
    None,
    Drag(f32),
    Set(f32),
    Release,
}

pub(super) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let state = session.state();
    let file = session.document().file(state.shown);
    let motion = file
        .zip(state.playback.clip)
        .and_then(|(file, clip)| file.motions.get(clip));
    let Some(motion) = motion else {
        return;
    };
    let picked = picked(session, motion);
    match &picked {
        Picked::None => ui.add_enabled_ui(false, |ui| time(ui, session, None, commands)),
        Picked::One(one) => {
            let at = one.track.times()[one.key];
            ui.scope(|ui| time(ui, session, Some(at), commands))
        }
        Picked::Pose(at) => ui.scope(|ui| time(ui, session, Some(*at), commands)),
        Picked::Several => ui.scope(|ui| time(ui, session, None, commands)),
    };
    let one = match &picked {
        Picked::One(one) => Some(one),
        _ => None,
    };
    ui.add_enabled_ui(one.is_some(), |ui| {
        value(ui, session, motion, one, commands);
    });
}

fn picked<'a>(session: &Session, motion: &'a Motion) -> Picked<'a> {
    let state = session.state();
    let Some(file) = session.document().file(state.shown) else {
        return Picked::None;
    };
    if state.editing.keys.is_empty() {
        return Picked::None;
    }
    let skeleton = &file.character.skeleton;
    let mut picked = Picked::None;
    for tracks in keys::tracks(motion, session.edited_layer()) {
        let joint = tracks.joint;
        if joint >= skeleton.len() {
            continue;
        }
        let named = Some((joint, skeleton.name(joint)));
        for (_, channel) in CHANNELS {
            let Some(track) = track_of(tracks, channel) else {
                continue;
            };
            for [from, to] in selected_secs(&state.editing.keys, named, Some(channel)) {
                let times = track.times();
                let first = times.partition_point(|&time| time < from);
                let after = times.partition_point(|&time| time <= to);
                if first >= after {
                    continue;
                }
                let at = times[first];
                picked = match picked {
                    _ if after - first > 1 => Picked::Several,
                    Picked::None => Picked::One(One {
                        joint,
                        channel,
                        track,
                        key: first,
                    }),
                    Picked::One(one) if one.track.times()[one.key] == at => Picked::Pose(at),
                    Picked::Pose(time) if time == at => Picked::Pose(at),
                    _ => Picked::Several,
                };
                if matches!(picked, Picked::Several) {
                    return picked;
                }
            }
        }
    }
    picked
}

/// Time of the key or pose, or an offset for keys at several times.
fn time(ui: &mut Ui, session: &Session, at: Option<f32>, commands: &mut Vec<Command>) {
    type Start = (f32, Vec<Keys>);
    let id = Id::unique("start of the time of keys");
    let start: Option<Start> = ui.data(|data| data.get_temp(id));
    let keys = &session.state().editing.keys;
    let (from, keys) = start.unwrap_or_else(|| (at.unwrap_or(0.0), keys.clone()));
    let offset_id = id.with("offset");
    let offset: f32 = ui.data(|data| data.get_temp(offset_id)).unwrap_or(0.0);
    let (name, hint, now) = match at {
        Some(at) => ("Key time", "Time of the selected key, in seconds", at),
        None => ("Time offset", "Moves the selected keys, in seconds", offset),
    };
    let Some(clip) = session.edited_clip() else {
        return;
    };
    let first = keys.iter().map(|keys| keys.from_secs);
    let first = first.fold(f32::INFINITY, f32::min).max(0.0);
    let move_to = |time: f32| KeyEdit::MoveKeys {
        clip: clip.clone(),
        layer: session.edited_layer().map(Name::Index),
        keys: keys.clone(),
        by_secs: difference(from, time).max(-first),
    };
    match number(ui, (name, hint, " s"), now, 0.005) {
        Change::None => {}
        Change::Drag(time) => {
            let kept: Start = (from, keys.clone());
            ui.data_mut(|data| {
                data.insert_temp(id, kept);
                data.insert_temp(offset_id, time);
            });
            let edit = move_to(time);
            commands.push(HistoryCommand::drag(edit).into());
        }
        Change::Set(time) => commands.push(move_to(time).into()),
        Change::Release => {
            ui.data_mut(|data| {
                data.remove::<Start>(id);
                data.remove::<f32>(offset_id);
            });
            commands.push(HistoryCommand::Release.into());
        }
    }
}

/// The number that gives `to` when added to `from`, if there is one.
fn difference(from: f32, to: f32) -> f32 {
    let by = to - from;
    let near = [by, by.next_up(), by.next_down()];
    near.into_iter().find(|by| from + by == to).unwrap_or(by)
}

/// Three numbers of the key: degrees for rotations.
fn value(
    ui: &mut Ui,
    session: &Session,
    motion: &Motion,
    one: Option<&One<'_>>,
    commands: &mut Vec<Command>,
) {
    let now: Shown = one.map_or([0.0; 3], |one| {
        values::of_keys(ui, one.joint, one.channel, one.track)[one.key]
    });
    let is_angle = one.is_some_and(|one| one.channel == Channel::Rotation);
    let (unit, speed) = if is_angle { ("°", 0.5) } else { ("", 0.005) };
    for (axis, name) in ["Key value x", "Key value y", "Key value z"]
        .into_iter()
        .enumerate()
    {
        let hint = "Value of the selected key: degrees for rotations, about x, then y, then z";
        let change = number(ui, (name, hint, unit), now[axis], speed);
        let Some(one) = one else {
            continue;
        };
        let of = (one.joint, one.channel);
        let edit = |value: f32| {
            let mut wanted = now;
            wanted[axis] = value;
            set_value(session, motion, of, one.track.times()[one.key], wanted)
        };
        match change {
            Change::None => {}
            Change::Drag(value) => {
                let dragged = edit(value).map(|edit| HistoryCommand::drag(edit).into());
                commands.extend(dragged);
            }
            Change::Set(value) => commands.extend(edit(value).map(Command::from)),
            Change::Release => commands.push(HistoryCommand::Release.into()),
        }
    }
}

fn number(ui: &mut Ui, (name, hint, unit): (&str, &str, &str), now: f32, speed: f64) -> Change {
    let mut value = now;
    let field = DragValue::new(&mut value)
        .speed(speed)
        .max_decimals(4)
        .suffix(unit)
        .update_while_editing(false);
    let response = ui.add_sized(Vec2::new(62.0, 20.0), field);
    let response = response.on_hover_text(hint);
    response.widget_info(|| spin(name, f64::from(now)));
    if response.drag_stopped() {
        Change::Release
    } else if value == now || !value.is_finite() {
        Change::None
    } else if response.dragged() {
        Change::Drag(value)
    } else {
        Change::Set(value)
    }
}
