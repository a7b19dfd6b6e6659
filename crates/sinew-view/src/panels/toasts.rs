//! Messages over the picture: what is being read or written, and what went wrong.

use super::icons::{self, Icon};
use super::theme::Palette;
use super::top_bar::Asked;
use super::widgets::icon_button;
use egui::{Align2, Area, Frame, Margin, Order, ProgressBar, RichText, Sense, Stroke, Ui, Vec2};

/// Something to be told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Notice {
    /// What it is about.
    pub kind: NoticeKind,
    /// What happened.
    pub title: String,
    /// What more there is to say.
    pub text: String,
}

/// What a notice is about, and what its button does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NoticeKind {
    /// A file that is read; its button gives up.
    Loading(Option<f32>),
    /// A file that is written; its button gives up.
    Writing(f32),
    /// A message of the session, by its place there.
    Message(usize),
    /// Something that was done, by its place among those.
    Done(usize),
}

/// What the buttons of notices ask for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NoticeAnswer {
    CancelOpening,
    CancelWriting,
    DismissMessage(usize),
    DismissDone(usize),
}

/// Shows all of them in the lower right corner of the picture.
pub(super) fn show(ui: &Ui, notices: &[Notice], place: egui::Rect, asked: &mut Asked) {
    if notices.is_empty() {
        return;
    }
    let area = Area::new(egui::Id::unique("notices"))
        .order(Order::Foreground)
        .pivot(Align2::RIGHT_BOTTOM)
        .fixed_pos(place.right_bottom() - Vec2::new(14.0, 14.0));
    area.show(ui.ctx(), |ui| {
        ui.set_max_width(340.0);
        ui.vertical(|ui| {
            for notice in notices.iter().take(5) {
                if let Some(answer) = show_one(ui, notice) {
                    asked.answers.push(answer);
                }
            }
        });
    });
}

fn show_one(ui: &mut Ui, notice: &Notice) -> Option<NoticeAnswer> {
    let palette = Palette::of(ui);
    let (icon, color, answer, name) = match notice.kind {
        NoticeKind::Loading(_) => (
            Icon::Open,
            palette.accent,
            NoticeAnswer::CancelOpening,
            "Cancel opening",
        ),
        NoticeKind::Writing(_) => (
            Icon::Camera,
            palette.accent,
            NoticeAnswer::CancelWriting,
            "Cancel writing",
        ),
        NoticeKind::Message(at) => (
            Icon::Warning,
            palette.warning,
            NoticeAnswer::DismissMessage(at),
            "Dismiss",
        ),
        NoticeKind::Done(at) => (
            Icon::Note,
            palette.good,
            NoticeAnswer::DismissDone(at),
            "Dismiss",
        ),
    };
    let frame = Frame::new()
        .fill(palette.panel)
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(8)
        .inner_margin(Margin::symmetric(12, 9))
        .outer_margin(Margin::symmetric(0, 3))
        .shadow(ui.visuals().popup_shadow);
    let mut answered = None;
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
                    NoticeKind::Loading(Some(part)) | NoticeKind::Writing(part) => {
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
            if icon_button(ui, Icon::Close, name, "").clicked() {
                answered = Some(answer);
            }
        });
    });
    answered
}
