//! Notices over the picture: progress of files, and errors.

use crate::panels::style::icons::{self, Icon};
use crate::panels::style::theme::Palette;
use crate::panels::style::widgets::icon_button;
use crate::panels::top_bar::Requests;
use crate::state::{Command, FileCommand};
use egui::{Align2, Area, Frame, Margin, Order, ProgressBar, RichText, Sense, Stroke, Ui, Vec2};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Notice {
    /// Kind of the notice. It decides what the button does.
    pub kind: NoticeKind,
    /// Headline.
    pub title: String,
    /// Details.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NoticeKind {
    /// Loading of a file, with the completed fraction. The button cancels it.
    Loading(Option<f32>),
    /// Writing of a picture, with the completed fraction. The button cancels it.
    Filming(f32),
    /// Failure, with its index in the messages of the session.
    Problem(usize),
    /// Success, with its index in the messages of the session.
    Done(usize),
}

pub(crate) fn show(
    ui: &Ui,
    notices: &[Notice],
    picture: egui::Rect,
    commands: &mut Vec<Command>,
    requests: &mut Requests,
) {
    if notices.is_empty() {
        return;
    }
    let area = Area::new(egui::Id::unique("notices"))
        .order(Order::Foreground)
        .fade_in(false)
        .pivot(Align2::RIGHT_BOTTOM)
        .fixed_pos(picture.right_bottom() - Vec2::new(14.0, 14.0));
    area.show(ui.ctx(), |ui| {
        ui.set_max_width(340.0);
        ui.vertical(|ui| {
            for notice in notices.iter().take(5) {
                if !show_one(ui, notice) {
                    continue;
                }
                match notice.kind {
                    NoticeKind::Loading(_) => commands.push(FileCommand::CancelOpening.into()),
                    NoticeKind::Filming(_) => requests.stop_filming = true,
                    NoticeKind::Problem(message) | NoticeKind::Done(message) => {
                        commands.push(FileCommand::DismissMessage { message }.into());
                    }
                }
            }
        });
    });
}

/// Shows a notice. True if the user pressed its button.
fn show_one(ui: &mut Ui, notice: &Notice) -> bool {
    let palette = Palette::of(ui);
    let (icon, color, name) = match notice.kind {
        NoticeKind::Loading(_) => (Icon::Open, palette.accent, "Cancel opening"),
        NoticeKind::Filming(_) => (Icon::Camera, palette.accent, "Cancel writing"),
        NoticeKind::Problem(_) => (Icon::Warning, palette.warning, "Dismiss"),
        NoticeKind::Done(_) => (Icon::Note, palette.good, "Dismiss"),
    };
    let frame = Frame::new()
        .fill(palette.panel)
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(8)
        .inner_margin(Margin::symmetric(12, 9))
        .outer_margin(Margin::symmetric(0, 3))
        .shadow(ui.visuals().popup_shadow);
    let mut is_pressed = false;
    frame.show(ui, |ui| {
        ui.set_width(314.0);
        ui.horizontal_top(|ui| {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(18.0), Sense::hover());
            icons::paint(ui.painter(), rect, icon, color);
            ui.vertical(|ui| {
                ui.set_width(250.0);
                ui.label(RichText::new(&notice.title).strong());
                if !notice.text.is_empty() {
                    ui.label(RichText::new(&notice.text).size(12.0).color(palette.dim));
                }
                match notice.kind {
                    NoticeKind::Loading(Some(part)) | NoticeKind::Filming(part) => {
                        let bar = ProgressBar::new(part)
                            .desired_height(4.0)
                            .fill(palette.accent);
                        ui.add(bar);
                    }
                    NoticeKind::Loading(None) => {
                        ui.add(egui::Spinner::new().size(12.0).color(palette.dim));
                    }
                    _ => {}
                }
            });
            is_pressed = icon_button(ui, Icon::Close, name, "").clicked();
        });
    });
    is_pressed
}
