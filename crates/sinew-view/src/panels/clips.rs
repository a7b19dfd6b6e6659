//! Panel of clips: plays one clip and blends others in.

use super::style::theme::{Palette, digits};
use super::style::widgets::{focus_ring, list_row, search, section};
use crate::session::Session;
use crate::state::{Command, PanelKind, PlaybackCommand};
use egui::{Align2, FontId, Rect, Role, ScrollArea, Sense, Slider, Ui, Vec2, WidgetInfo};

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
                row(ui, &name, &secs, is_playing, || {
                    commands.push(PlaybackCommand::Clip { clip: Some(index) }.into());
                });
            }
        });
        if state.playback.clip.is_some() && clips.len() > 1 {
            blends(ui, session, commands);
        }
    });
}

fn row(ui: &mut Ui, name: &str, beside: &str, is_on: bool, mut clicked: impl FnMut()) {
    let palette = Palette::of(ui);
    let (rect, response) = list_row(ui, 22.0, is_on);
    let ink = if is_on { palette.accent } else { palette.text };
    let clip = rect.with_max_x(rect.right() - 62.0);
    ui.painter().with_clip_rect(clip).text(
        rect.left_center() + Vec2::new(8.0, 0.0),
        Align2::LEFT_CENTER,
        name,
        FontId::proportional(13.0),
        ink,
    );
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
    let head = egui::CollapsingHeader::new(title)
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
