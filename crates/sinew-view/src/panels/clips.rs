//! Panel of clips: plays one clip, edits it, and blends others in.

use super::cleaning;
use super::edits::free_name;
use super::style::theme::{Palette, digits};
use super::style::widgets::{chip, focus_ring, list_row, search, section};
use super::time::controls::{field, spin};
use crate::document::OpenFile;
use crate::session::Session;
use crate::state::{Command, PanelKind, PlaybackCommand};
use egui::{
    Align2, CollapsingHeader, DragValue, FontId, Rect, Role, ScrollArea, Sense, Slider, Ui, Vec2,
    WidgetInfo,
};
use sinew::names::namespace;
use sinew_edit::{ClipEdit, Name};

const MANY: usize = 8;

pub(super) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    section(ui, session, PanelKind::Files, commands, |ui, commands| {
        let state = session.state();
        let Some(file) = session.document().file(state.shown) else {
            return;
        };
        let clips = &file.motions;
        if clips.is_empty() {
            ui.weak("This file has no clips: it is shown at rest.");
            new_clip(ui, session, commands);
            return;
        }
        let wanted = if clips.len() > MANY {
            search(ui, "Search clips")
        } else {
            String::new()
        };
        let area = ScrollArea::vertical()
            .id_salt("clips")
            .max_height(190.0)
            .auto_shrink([false, true]);
        let shared = shared_namespace(file);
        area.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            if wanted.is_empty() {
                row(ui, "Rest pose", "", state.playback.clip.is_none(), || {
                    commands.push(PlaybackCommand::Clip { clip: None }.into());
                });
            }
            for (index, clip) in clips.iter().enumerate() {
                let name = if clip.clip.name.is_empty() {
                    format!("clip {index}")
                } else {
                    clip.clip.name.clone()
                };
                if !name.to_lowercase().contains(&wanted) {
                    continue;
                }
                let is_playing = state.playback.clip == Some(index);
                let secs = format!("{:.2} s", clip.clip.duration_secs);
                let short = name.strip_prefix(shared).unwrap_or(&name);
                row(ui, short, &secs, is_playing, || {
                    commands.push(PlaybackCommand::Clip { clip: Some(index) }.into());
                });
            }
        });
        new_clip(ui, session, commands);
        if let Some(clip) = session.edited_clip() {
            let head = CollapsingHeader::new("Edit the clip").id_salt("edit clip");
            head.show(ui, |ui| edit_clip(ui, session, &clip, commands));
        }
        if state.playback.clip.is_some() && clips.len() > 1 {
            blends(ui, session, commands);
        }
    });
}

/// Namespace of most clips, which their rows leave out. Empty for a single clip.
fn shared_namespace(file: &OpenFile) -> &str {
    match file.motions.len() {
        0 | 1 => "",
        _ => namespace(file.clips().map(|clip| clip.name.as_str())),
    }
}

/// Adds an empty clip of a second and shows its start.
fn new_clip(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    if chip(ui, "New clip", "Add an empty clip of one second", false).clicked() {
        let edit = ClipEdit::NewClip {
            name: unused(session, "clip"),
            duration_secs: 1.0,
        };
        add(session, edit, commands);
        commands.push(PlaybackCommand::Pause.into());
    }
}

/// Runs an edit that adds a clip at the end of the list, and plays it.
fn add(session: &Session, edit: ClipEdit, commands: &mut Vec<Command>) {
    let file = session.document().file(session.state().shown);
    let clip = file.map(|file| file.motions.len());
    commands.push(edit.into());
    commands.push(PlaybackCommand::Clip { clip }.into());
}

/// Name that no clip of the shown file has.
fn unused(session: &Session, wanted: &str) -> String {
    let file = session.document().file(session.state().shown);
    let taken = |name: &str| file.is_some_and(|file| file.clips().any(|clip| clip.name == name));
    free_name(wanted, "clip", taken)
}

/// Name, cuts and changes of the clip that plays.
fn edit_clip(ui: &mut Ui, session: &Session, clip: &Name, commands: &mut Vec<Command>) {
    let Some(now) = session.clip() else { return };
    let name_id = ui.scope_id().with(("clip name", &now.name));
    let kept: Option<String> = ui.data(|data| data.get_temp(name_id));
    let mut name = kept.unwrap_or_else(|| now.name.clone());
    ui.horizontal(|ui| {
        field(ui, "Clip name", &mut name, 110.0);
        if chip(ui, "Rename", "Give the clip this name", false).clicked() && name != now.name {
            let (clip, name) = (clip.clone(), name.trim().to_owned());
            commands.push(ClipEdit::RenameClip { clip, name }.into());
        }
    });
    ui.data_mut(|data| data.insert_temp(name_id, name));
    ui.horizontal_wrapped(|ui| {
        whole_clip(ui, session, clip, &now.name, commands);
    });
    let id = ui.scope_id().with("retime");
    let mut factor: f32 = ui.data(|data| data.get_temp(id)).unwrap_or(1.0);
    ui.horizontal(|ui| {
        let value = DragValue::new(&mut factor)
            .range(0.01..=100.0)
            .speed(0.01)
            .max_decimals(3)
            .prefix("× ");
        let response = ui
            .add(value)
            .on_hover_text("Factor on all times; 2 plays at half the speed");
        response.widget_info(|| spin("Factor of time", f64::from(factor)));
        if chip(ui, "Retime", "Multiply all times of the clip", false).clicked() {
            let clip = clip.clone();
            commands.push(ClipEdit::RetimeClip { clip, factor }.into());
            factor = 1.0;
        }
    });
    ui.data_mut(|data| data.insert_temp(id, factor));
    resample(ui, clip, session.state().playback.fps, commands);
    cleaning::menu(ui, session, clip, commands);
}

/// Sets keys at a fixed rate in every track.
fn resample(ui: &mut Ui, clip: &Name, now_fps: f64, commands: &mut Vec<Command>) {
    let id = ui.scope_id().with("resample");
    let mut fps: f64 = ui.data(|data| data.get_temp(id)).unwrap_or(now_fps);
    ui.horizontal(|ui| {
        let value = DragValue::new(&mut fps).range(1.0..=1000.0).speed(0.5);
        let response = ui.add(value.max_decimals(2).suffix(" fps"));
        let response = response.on_hover_text("Keys per second");
        response.widget_info(|| spin("Keys per second", fps));
        let hint = "Set keys at this rate in every track";
        if chip(ui, "Resample", hint, false).clicked() {
            let clip = clip.clone();
            commands.push(ClipEdit::ResampleClip { clip, fps }.into());
        }
    });
    ui.data_mut(|data| data.insert_temp(id, fps));
}

fn whole_clip(
    ui: &mut Ui,
    session: &Session,
    clip: &Name,
    name: &str,
    commands: &mut Vec<Command>,
) {
    let own = || clip.clone();
    if chip(ui, "Duplicate", "Add a copy of the clip", false).clicked() {
        let name = unused(session, name);
        add(session, ClipEdit::CopyClip { clip: own(), name }, commands);
    }
    let playback = &session.state().playback;
    let mut edits = vec![
        (
            "Delete clip",
            "Remove the clip",
            ClipEdit::DeleteClip { clip: own() },
        ),
        (
            "Reverse",
            "Play the clip backwards",
            ClipEdit::ReverseClip { clip: own() },
        ),
        (
            "Mirror",
            "Exchange left and right",
            ClipEdit::MirrorClip { clip: own() },
        ),
        (
            "Close loop",
            "Make the motion end in its first pose",
            ClipEdit::CloseLoop { clip: own() },
        ),
    ];
    if let Some([from, to]) = playback.range_secs {
        let (from_secs, to_secs) = (from as f32, to as f32);
        let clip = own();
        edits.push((
            "Trim to range",
            "Keep the played range",
            ClipEdit::TrimClip {
                clip,
                from_secs,
                to_secs,
            },
        ));
    }
    edits.push((
        "Split here",
        "Cut the clip in two at the current time",
        ClipEdit::SplitClip {
            clip: own(),
            time_secs: playback.time_secs as f32,
            name: unused(session, name),
        },
    ));
    for (name, hint, edit) in edits {
        if chip(ui, name, hint, false).clicked() {
            commands.push(edit.into());
        }
    }
}

fn row(ui: &mut Ui, name: &str, beside: &str, is_on: bool, mut clicked: impl FnMut()) {
    let palette = Palette::of(ui);
    let ink = if is_on { palette.accent } else { palette.text };
    let beside_width = if beside.is_empty() { 8.0 } else { 66.0 };
    let room = (ui.available_width() - 8.0 - beside_width).max(40.0);
    // A long name takes several lines.
    let font = FontId::proportional(13.0);
    let words = ui.painter().layout(name.to_owned(), font, ink, room);
    let height = (words.size().y + 6.0).max(22.0);
    let (rect, response) = list_row(ui, Vec2::new(0.0, height), is_on);
    let corner = rect.left_center() + Vec2::new(8.0, -words.size().y / 2.0);
    ui.painter().galley(corner, words, ink);
    ui.painter().text(
        rect.right_center() - Vec2::new(8.0, 0.0),
        Align2::RIGHT_CENTER,
        beside,
        digits(),
        palette.dim,
    );
    focus_ring(ui, &response, rect);
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, is_on, name));
    if response.clicked() {
        clicked();
    }
}

/// Sliders for the weights of the other clips, collapsed by default.
fn blends(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let state = session.state();
    let Some(file) = session.document().file(state.shown) else {
        return;
    };
    let count = state.playback.blended.len();
    let title = match count {
        0 => "Blend in other clips".to_owned(),
        _ => format!("Blend in other clips ({count})"),
    };
    let head = CollapsingHeader::new(title)
        .id_salt("blend")
        .default_open(count > 0);
    head.show(ui, |ui| {
        ScrollArea::vertical()
            .id_salt("blends")
            .max_height(140.0)
            .show(ui, |ui| {
                for (index, clip) in file.clips().enumerate() {
                    if state.playback.clip == Some(index) {
                        continue;
                    }
                    let blended = state.playback.blended.iter().find(|b| b.0 == index);
                    let mut weight = blended.map_or(0.0, |b| b.1);
                    let before = weight;
                    let width = ui.available_width();
                    let (rect, _) = ui.allocate_exact_size(Vec2::new(width, 22.0), Sense::hover());
                    let [left, right] = [
                        Rect::from_min_max(rect.min, rect.max - Vec2::new(130.0, 0.0)),
                        Rect::from_min_max(rect.min + Vec2::new(width - 124.0, 0.0), rect.max),
                    ];
                    let palette = Palette::of(ui);
                    ui.painter().with_clip_rect(left).text(
                        left.left_center(),
                        Align2::LEFT_CENTER,
                        &clip.name,
                        FontId::proportional(12.5),
                        palette.text,
                    );
                    ui.spacing_mut().slider_width = 70.0;
                    let slider = Slider::new(&mut weight, 0.0..=1.0).max_decimals(2);
                    let name = format!("Blend {}", clip.name);
                    let response = ui.put(right, slider);
                    response.widget_info(|| WidgetInfo::slider(true, f64::from(weight), &name));
                    if weight != before {
                        commands.push(
                            PlaybackCommand::Blend {
                                clip: index,
                                weight,
                            }
                            .into(),
                        );
                    }
                }
            });
    });
}
