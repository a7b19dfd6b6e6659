//! Flags of events: a click goes to the event, a drag moves it.

use super::dope::snapped;
use super::ruler::TimeScale;
use crate::panels::style::theme::Palette;
use crate::session::Session;
use crate::state::{Command, HistoryCommand, PlaybackCommand};
use egui::{Rangef, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2};
use sinew::clip::Clip;
use sinew_edit::EventEdit;

const FLASH_SECS: f64 = 0.25;

pub(super) fn flags(
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
        let edit = EventEdit::SetEvent {
            clip,
            event,
            time_secs: Some(time.clamp(0.0, scale.duration_secs) as f32),
            name: None,
        };
        commands.push(HistoryCommand::drag(edit).into());
    }
    if flag.drag_stopped() {
        commands.push(HistoryCommand::Release.into());
    }
}
