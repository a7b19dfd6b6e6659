//! Legend of the curve view: a row for each channel, with a letter for each line. A click hides or shows lines.

use super::lines::{AXES, LineId, Plotted, color};
use crate::panels::style::theme::Palette;
use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, FontId, Id, Rect, Role, ScrollArea, Sense, Ui, UiBuilder, Vec2, WidgetInfo};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) type Hidden = Arc<BTreeSet<LineId>>;

const LETTER: f32 = 18.0;
const ROW: f32 = 18.0;
/// Space between rows.
const GAP: f32 = 1.0;

pub(super) fn show(ui: &mut Ui, rect: Rect, id: Id, plotted: &[Plotted]) -> Hidden {
    let hidden: Option<Hidden> = ui.data(|data| data.get_temp(id));
    let hidden = hidden.unwrap_or_default();
    let mut changed = BTreeSet::clone(&hidden);
    // Whole rows: the others are reached by scrolling.
    let rows = ((rect.height() - 2.0) / (ROW + GAP)).floor().max(1.0);
    let height = rows * (ROW + GAP) - GAP;
    let corner = rect.min + Vec2::new(4.0, 1.0);
    let whole = Rect::from_min_size(corner, Vec2::new(rect.width() - 8.0, height));
    let mut inner = ui.new_child(UiBuilder::new().max_rect(whole));
    inner.spacing_mut().item_spacing.y = GAP;
    let area = ScrollArea::vertical()
        .id_salt("legend")
        .auto_shrink([false; 2]);
    area.show_rows(&mut inner, ROW, plotted.len(), |ui, rows| {
        for index in rows {
            row(ui, plotted, index, &hidden, &mut changed);
        }
    });
    if changed == *hidden {
        return hidden;
    }
    let changed: Hidden = Arc::new(changed);
    ui.data_mut(|data| data.insert_temp(id, changed.clone()));
    changed
}

fn row(
    ui: &mut Ui,
    plotted: &[Plotted],
    index: usize,
    hidden: &Hidden,
    changed: &mut BTreeSet<LineId>,
) {
    let palette = Palette::of(ui);
    let own = &plotted[index];
    let lines = [0, 1, 2].map(|axis| own.line(axis));
    let size = Vec2::new(ui.available_width(), ROW);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    if !ui.is_rect_visible(rect) {
        return;
    }
    let name = rect.with_max_x(rect.right() - 3.0 * LETTER);
    let is_on = lines.iter().any(|line| !hidden.contains(line));
    let head = ui.interact(
        name,
        ui.scope_id().with(("channel", lines[0])),
        Sense::click(),
    );
    let label = format!("Curves of {}", own.name);
    head.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, is_on, &label));
    let head = head.on_hover_text(format!("{}: hide or show these curves", own.name));
    let ink = if is_on { palette.text } else { palette.faint };
    let font = FontId::proportional(12.0);
    let mut words = LayoutJob::simple_singleline(own.name.clone(), font, ink);
    words.wrap = TextWrapping::truncate_at_width(name.width() - 8.0);
    let words = ui.painter().layout_job(words);
    let at = Align2::LEFT_CENTER.anchor_size(name.left_center(), words.size());
    ui.painter()
        .galley(at.min + Vec2::new(4.0, 0.0), words, ink);
    if head.clicked() {
        for line in lines {
            match is_on {
                true => _ = changed.insert(line),
                false => _ = changed.remove(&line),
            }
        }
    }
    for (axis, line) in lines.into_iter().enumerate() {
        let x = name.right() + LETTER * axis as f32;
        let spot = Rect::from_x_y_ranges(x..=x + LETTER, rect.y_range());
        let response = ui.interact(spot, ui.scope_id().with(line), Sense::click());
        let is_on = !hidden.contains(&line);
        let label = format!("Curve {} {}", own.name, AXES[axis]);
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, is_on, &label));
        let ink = match is_on {
            true => color(ui, plotted.len(), index, axis),
            false => palette.faint,
        };
        let font = FontId::monospace(12.5);
        let painter = ui.painter();
        painter.text(spot.center(), Align2::CENTER_CENTER, AXES[axis], font, ink);
        if is_on {
            let under = spot.shrink2(Vec2::new(4.0, 1.0));
            painter.hline(under.x_range(), under.bottom(), egui::Stroke::new(2.0, ink));
        }
        if response.clicked() {
            match is_on {
                true => _ = changed.insert(line),
                false => _ = changed.remove(&line),
            }
        }
    }
}
