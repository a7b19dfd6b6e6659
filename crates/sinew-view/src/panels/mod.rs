//! Panels around the picture. A panel reads the session and returns commands.

mod angles;
mod cleaning;
mod clips;
mod edits;
mod export;
mod findings;
mod gizmo;
mod joints;
mod layers;
mod look;
mod numbers;
mod over;
mod overlays;
mod pictures;
mod selected;
mod shortcuts;
mod style;
mod time;
mod top_bar;
mod viewport;

pub(crate) use numbers::FrameNumbers;
pub(crate) use overlays::toasts::{Notice, NoticeKind};
pub(crate) use pictures::Pictures;
pub(crate) use top_bar::Requests;

use crate::session::Session;
use crate::state::{Command, PanelKind, State, Theme};
use egui::{CentralPanel, Frame, Margin, Panel, ScrollArea, Ui};
use over::Over;
use style::theme::{self, Palette};
use time::{deformation, timeline};

#[derive(Default)]
pub(crate) struct Shown {
    /// The panes, with what is drawn over their pictures.
    pub panes: Vec<Over>,
    /// Commands of the user.
    pub commands: Vec<Command>,
    /// Requests to the window.
    pub requests: Requests,
}

/// Input of the panels, in addition to the session.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PanelInput {
    /// Measurements of earlier frames.
    pub frame: FrameNumbers,
    /// Notices to show over the picture.
    pub notices: Vec<Notice>,
    /// Command line that draws the same picture.
    pub command_line: String,
}

/// Min width of a window with panels on both sides, in points.
const TWO_COLUMNS: f32 = 900.0;

pub(crate) fn dress(ui: &mut Ui, state: &State) {
    let (theme, zoom) = (state.window.theme, state.window.zoom);
    let id = egui::Id::unique("dressed");
    let ctx = ui.ctx().clone();
    let worn: Option<Theme> = ctx.data(|data| data.get_temp(id));
    if worn != Some(theme) {
        let egui_theme = match theme {
            Theme::Dark => egui::Theme::Dark,
            Theme::Light => egui::Theme::Light,
        };
        ctx.set_theme(egui_theme);
        ctx.set_style_of(egui_theme, theme::style(theme));
        ctx.data_mut(|data| data.insert_temp(id, theme));
        ui.set_style(ctx.style_of(egui_theme));
    }
    if ctx.zoom_factor() != zoom {
        ctx.set_zoom_factor(zoom);
    }
}

pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    pictures: &dyn Pictures,
    input: &PanelInput,
) -> Shown {
    let mut shown = Shown::default();
    let commands = &mut shown.commands;
    let palette = Palette::of(ui);
    let size = ui.available_size();
    // A question is answered before anything else is done.
    if session.state().question.is_none() {
        gizmo::keys(ui, session, pictures, commands);
        shown.requests = shortcuts::read(ui, session, commands);
    }
    let requests = &mut shown.requests;
    let bar = Frame::new()
        .fill(palette.panel)
        .inner_margin(Margin::symmetric(10, 6));
    // A small window hides the panels that do not fit.
    let has_panels = !session.state().window.is_picture_only;
    let has_bar = has_panels && size.y > 120.0;
    let has_sides = has_panels && size.x > 620.0 && size.y > 240.0;
    let has_time = has_panels && size.y > 240.0;
    // A narrow window has one column.
    let has_right = has_sides && size.x >= TWO_COLUMNS;
    if has_bar {
        let top = Panel::top("bar").frame(bar).exact_size(42.0);
        let in_bar = top
            .show(ui, |ui| top_bar::show(ui, session, commands))
            .inner;
        requests.open_dialog |= in_bar.open_dialog;
    }
    if has_time {
        time_panels(ui, session, bar, size.y, commands);
    }
    let side = Frame::new()
        .fill(palette.panel)
        .inner_margin(Margin::symmetric(10, 4));
    if has_sides {
        let left = Panel::left("left")
            .frame(side)
            .resizable(true)
            .default_size(236.0)
            .size_range(170.0..=420.0);
        left.show(ui, |ui| {
            let height = ui.available_height();
            let top = ui.cursor().top();
            ScrollArea::vertical()
                .auto_shrink([false; 2])
                .show(ui, |ui| {
                    clips::show(ui, session, commands);
                    layers::show(ui, session, commands);
                    let room = height - (ui.cursor().top() - top) - 118.0;
                    joints::show(ui, session, commands, room);
                    if !has_right {
                        details(ui, session, pictures, input, commands);
                    }
                });
        });
    }
    if has_right {
        let right = Panel::right("right")
            .frame(side)
            .resizable(true)
            .default_size(252.0)
            .size_range(190.0..=440.0);
        right.show(ui, |ui| {
            ScrollArea::vertical()
                .auto_shrink([false; 2])
                .show(ui, |ui| details(ui, session, pictures, input, commands));
        });
    }
    let central = CentralPanel::no_frame();
    let picture = ui.available_rect_before_wrap();
    shown.panes = central
        .show(ui, |ui| viewport::show(ui, session, pictures, commands))
        .inner;
    if has_panels {
        overlays::toasts::show(ui, &input.notices, picture, commands, requests);
    }
    overlays::help::show(ui, session, commands);
    overlays::asking::show(ui, session, commands);
    shown
}

/// Panels below the picture, in a window of this height.
fn time_panels(
    ui: &mut Ui,
    session: &Session,
    bar: Frame,
    height: f32,
    commands: &mut Vec<Command>,
) {
    let is_open = |panel| session.state().window.panels.contains(&panel);
    if !is_open(PanelKind::Timeline) {
        let bottom = Panel::bottom("folded timeline")
            .frame(bar.inner_margin(Margin::symmetric(10, 2)))
            .exact_size(timeline::FOLDED + 4.0);
        bottom.show(ui, |ui| timeline::folded(ui, session, commands));
        return;
    }
    if is_open(PanelKind::Deformation) {
        let plot = Panel::bottom("deformation")
            .frame(bar)
            .resizable(true)
            .default_size(132.0)
            .size_range(90.0..=(height * 0.4).max(91.0));
        plot.show(ui, |ui| deformation::show(ui, session, commands));
    }
    let bottom = Panel::bottom("timeline")
        .frame(bar)
        .resizable(true)
        // A low window leaves more than half of its height to the picture.
        .default_size((height * 0.36).clamp(170.0, 240.0))
        .size_range(96.0..=(height * 0.5).max(97.0));
    bottom.show(ui, |ui| timeline::show(ui, session, commands));
}

/// Panels about looks, the selection and the file.
fn details(
    ui: &mut Ui,
    session: &Session,
    pictures: &dyn Pictures,
    input: &PanelInput,
    commands: &mut Vec<Command>,
) {
    look::show(ui, session, commands);
    selected::show(ui, session, pictures, commands);
    look::morphs::show(ui, session, commands);
    look::materials::show(ui, session, commands);
    findings::show(ui, session, commands);
    numbers::show(ui, session, &input.frame, commands);
    export::show(ui, session, &input.command_line, commands);
    edits::history(ui, session, commands);
}
