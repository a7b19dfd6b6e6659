//! One view of the curves of all selected joints: a line per number, with keys and tangents to drag.

mod drag;
mod legend;
mod lines;
mod view;

use super::controls::Choice;
use super::ruler::{GUTTER, TimeScale};
use crate::panels::style::theme::Palette;
use crate::session::Session;
use crate::state::{Command, EditingCommand, HistoryCommand};
use drag::{Drag, What};
use egui::{Align2, FontId, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo};
use lines::{Plotted, Samples};
use sinew_edit::Motion;
use view::{Line, View};

pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    motion: &Motion,
    below: Rect,
    scale: &TimeScale,
    choice: Choice,
    commands: &mut Vec<Command>,
) {
    let id = ui.scope_id().with("curves");
    let rect = below
        .with_min_x(below.left() + GUTTER)
        .shrink2(Vec2::new(0.0, 8.0));
    let plotted = lines::chosen(ui, session, motion);
    if plotted.is_empty() {
        let words = "Select joints with keys, or keys, to see their curves.";
        let font = FontId::proportional(13.0);
        let dim = Palette::of(ui).dim;
        ui.painter()
            .text(rect.center(), Align2::CENTER_CENTER, words, font, dim);
        return;
    }
    let corner = Rect::from_min_size(below.min, Vec2::new(GUTTER, below.height()));
    let hidden = legend::show(ui, corner, id.with("hidden"), &plotted);
    let area = ui.interact(rect, id, Sense::click_and_drag());
    area.widget_info(|| WidgetInfo::labeled(Role::Grid, true, "Keys on curves"));
    let view = view(ui, session, &plotted, &hidden, (rect, *scale), choice);
    view.draw(ui);
    run(ui, session, motion, &area, &view, choice, commands);
}

fn view<'a>(
    ui: &Ui,
    session: &Session,
    plotted: &'a [Plotted],
    hidden: &legend::Hidden,
    (rect, scale): (Rect, TimeScale),
    choice: Choice,
) -> View<'a> {
    let mut found: Vec<(usize, usize, Samples)> = Vec::new();
    for (index, own) in plotted.iter().enumerate() {
        let is_shown = |axis: &usize| !hidden.contains(&own.line(*axis));
        let axes: Vec<usize> = (0..3).filter(is_shown).collect();
        if axes.is_empty() {
            continue;
        }
        let samples = lines::samples(ui, own, &scale, plotted.len());
        found.extend(axes.into_iter().map(|axis| (index, axis, samples.clone())));
    }
    let named: Vec<(lines::LineId, Samples)> = found
        .iter()
        .map(|(index, axis, samples)| (plotted[*index].line(*axis), samples.clone()))
        .collect();
    let state = session.state();
    let of = (state.shown.0, state.playback.clip, session.edited_layer());
    let id = ui.scope_id().with(("ranges", of));
    let ranges = lines::ranges(ui, id, &named, choice.normalised, choice.fit);
    let lines = found.into_iter().map(|(index, axis, samples)| Line {
        of: &plotted[index],
        axis,
        samples,
        range: ranges
            .get(&plotted[index].line(axis))
            .copied()
            .unwrap_or([0.0, 1.0]),
        color: lines::color(ui, plotted.len(), index, axis),
    });
    View {
        lines: lines.collect(),
        rect,
        scale,
        is_normalised: choice.normalised,
    }
}

fn run(
    ui: &Ui,
    session: &Session,
    motion: &Motion,
    area: &Response,
    view: &View<'_>,
    choice: Choice,
    commands: &mut Vec<Command>,
) {
    let id = area.id.with("drag");
    let modifiers = ui.input(|input| input.modifiers);
    if area.clicked()
        && let Some(at) = area.interact_pointer_pos()
    {
        let keys = view.find(at).map(|found| found.one()).into_iter().collect();
        let add = modifiers.shift;
        commands.push(EditingCommand::SelectKeys { keys, add }.into());
    }
    let origin = ui.input(|input| input.pointer.press_origin());
    if area.drag_started()
        && let Some(mut drag) = origin.and_then(|from| view.find(from))
    {
        drag.keys = session.state().editing.keys.clone();
        if drag.what == What::Key && !drag.is_selected {
            if !modifiers.shift {
                drag.keys.clear();
            }
            drag.keys.push(drag.one());
            let (keys, add) = (vec![drag.one()], modifiers.shift);
            commands.push(EditingCommand::SelectKeys { keys, add }.into());
        }
        ui.data_mut(|data| data.insert_temp(id, drag));
    }
    let drag: Option<Drag> = ui.data(|data| data.get_temp(id));
    let (Some(mut drag), Some(at)) = (drag, area.interact_pointer_pos()) else {
        return;
    };
    if let Some(edit) = drag.edit(session, motion, at, modifiers, choice.is_free) {
        commands.push(HistoryCommand::drag(edit).into());
    }
    if area.drag_stopped() {
        commands.push(HistoryCommand::Release.into());
        ui.data_mut(|data| data.remove::<Drag>(id));
    } else {
        ui.data_mut(|data| data.insert_temp(id, drag));
    }
}
