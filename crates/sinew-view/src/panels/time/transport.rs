//! Transport buttons: play, step, speed, range, and the ending (loop, ping-pong or stop).

use super::ruler::time_text;
use crate::panels::style::icons::Icon;
use crate::panels::style::theme::{Palette, digits};
use crate::panels::style::widgets::{icon_button, icon_toggle};
use crate::session::Session;
use crate::state::{Command, Ending, Playback, PlaybackCommand, TimeUnit};
use egui::{DragValue, Response, RichText, Role, Ui, WidgetInfo};

/// Width of the buttons and of all that [`time`] shows, in points.
pub(super) const WIDTH: f32 = 690.0;

/// Button that plays or pauses.
pub(super) fn play_button(ui: &mut Ui, playback: &Playback) -> Response {
    let (icon, name) = if playback.is_playing {
        (Icon::Pause, "Pause")
    } else {
        (Icon::Play, "Play")
    };
    icon_toggle(ui, icon, name, "Space", playback.is_playing)
}

pub(super) fn buttons(
    ui: &mut Ui,
    session: &Session,
    duration_secs: f64,
    commands: &mut Vec<Command>,
) {
    let playback = &session.state().playback;
    let mut on_click = |response: Response, command: PlaybackCommand| {
        if response.clicked() {
            commands.push(command.into());
        }
    };
    let [first, last] = playback.played_secs(duration_secs);
    ui.spacing_mut().item_spacing.x = 2.0;
    let button = icon_button(ui, Icon::First, "To the beginning", "Home");
    on_click(button, PlaybackCommand::Seek { time_secs: first });
    let button = icon_button(
        ui,
        Icon::KeyBack,
        "Previous key",
        "Of the selected joint, or of any joint. Ctrl+Left",
    );
    on_click(button, PlaybackCommand::PreviousKey);
    let button = icon_button(ui, Icon::StepBack, "Previous frame", "Left");
    on_click(button, PlaybackCommand::StepFrames { frames: -1 });
    on_click(play_button(ui, playback), PlaybackCommand::TogglePlay);
    let button = icon_button(ui, Icon::StepOn, "Next frame", "Right");
    on_click(button, PlaybackCommand::StepFrames { frames: 1 });
    let button = icon_button(
        ui,
        Icon::KeyOn,
        "Next key",
        "Of the selected joint, or of any joint. Ctrl+Right",
    );
    on_click(button, PlaybackCommand::NextKey);
    let button = icon_button(ui, Icon::Last, "To the end", "End");
    on_click(button, PlaybackCommand::Seek { time_secs: last });
    gap(ui);
    for (ending, icon, name) in [
        (Ending::Loop, Icon::Loop, "Loop"),
        (Ending::PingPong, Icon::PingPong, "Ping-pong"),
        (Ending::Stop, Icon::Stop, "Stop at the end"),
    ] {
        let button = icon_toggle(ui, icon, name, "", playback.ending == ending);
        on_click(button, PlaybackCommand::Ending { ending });
    }
    gap(ui);
    let now = playback.time_secs;
    let button = icon_button(
        ui,
        Icon::In,
        "Begin here",
        "The played range begins at this moment. [",
    );
    let range_secs = Some([now, last.max(now)]);
    on_click(button, PlaybackCommand::Range { range_secs });
    let button = icon_button(
        ui,
        Icon::Out,
        "End here",
        "The played range ends at this moment. ]",
    );
    let range_secs = Some([first.min(now), now]);
    on_click(button, PlaybackCommand::Range { range_secs });
    if playback.range_secs.is_some() {
        let button = icon_button(ui, Icon::Close, "Play all", "Remove the played range");
        on_click(button, PlaybackCommand::Range { range_secs: None });
    }
    let button = icon_toggle(
        ui,
        Icon::Root,
        "Root motion",
        "The figure travels with the clip; off keeps it in one position",
        playback.root_motion,
    );
    let on = !playback.root_motion;
    on_click(button, PlaybackCommand::RootMotion { on });
    gap(ui);
    speed(ui, playback.speed, commands);
}

/// Time and unit. In a narrow window, only the time: the ruler ends with the duration, and the unit is among the tools.
pub(super) fn time(
    ui: &mut Ui,
    session: &Session,
    duration_secs: f64,
    is_narrow: bool,
    commands: &mut Vec<Command>,
) {
    let playback = &session.state().playback;
    let palette = Palette::of(ui);
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        let both = [playback.time_secs, duration_secs];
        let [now, all] = both.map(|t| time_text(t, playback.unit, playback.fps));
        if !is_narrow {
            unit(ui, session, commands);
            gap(ui);
            let all = RichText::new(format!("/ {all}")).font(digits());
            ui.label(all.color(palette.dim));
        }
        let big = egui::FontId::monospace(14.0);
        ui.label(RichText::new(now).font(big).color(palette.accent));
    });
}

fn gap(ui: &mut Ui) {
    ui.add_space(10.0);
}

fn speed(ui: &mut Ui, now: f64, commands: &mut Vec<Command>) {
    let mut speed = now;
    let value = DragValue::new(&mut speed)
        .range(0.05..=4.0)
        .speed(0.01)
        .max_decimals(2)
        .prefix("× ");
    let response = ui
        .add(value)
        .on_hover_text("Playback speed: drag, or click and type");
    response.widget_info(|| named_value("Speed", speed));
    if speed != now {
        commands.push(PlaybackCommand::Speed { speed }.into());
    }
}

fn named_value(name: &str, value: f64) -> WidgetInfo {
    let mut info = WidgetInfo::labeled(Role::SpinButton, true, name);
    info.value = Some(value);
    info
}

/// Unit of the ruler, and its frames per second.
pub(super) fn unit(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let playback = &session.state().playback;
    if playback.unit == TimeUnit::Frames {
        let mut fps = playback.fps;
        let value = DragValue::new(&mut fps)
            .range(1.0..=1000.0)
            .speed(0.2)
            .max_decimals(2)
            .suffix(" fps");
        let response = ui.add(value).on_hover_text("Frames per second");
        response.widget_info(|| named_value("Frames per second", fps));
        if fps != playback.fps {
            commands.push(PlaybackCommand::Fps { fps }.into());
        }
    }
    let (name, unit) = match playback.unit {
        TimeUnit::Seconds => ("Seconds", TimeUnit::Frames),
        TimeUnit::Frames => ("Frames", TimeUnit::Seconds),
    };
    let response = ui
        .button(name)
        .on_hover_text("Unit of the ruler; click to change it");
    if response.clicked() {
        commands.push(PlaybackCommand::Unit { unit }.into());
    }
}
