//! Graphs of the named curves of a clip. Keys are dragged in time and value; a click with Ctrl adds a key, and a click with Alt
//! deletes one.

use super::dope::snapped;
use super::ruler::{GUTTER, TimeScale};
use crate::panels::style::theme::{Palette, digits};
use crate::session::Session;
use crate::state::{Command, HistoryCommand};
use egui::{
    Align2, Id, Modifiers, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2,
};
use sinew::clip::{Curve, Track};
use sinew_edit::EventEdit;

const REACH: f32 = 7.0;
const STEPS: usize = 160;

/// Key of a curve that is dragged.
#[derive(Clone, Copy, Debug)]
struct Drag {
    time_secs: f32,
    value: f32,
    from: Pos2,
    secs_per_point: f64,
    value_per_point: f32,
    range: [f32; 2],
}

struct Graph<'a> {
    track: &'a Track,
    rect: Rect,
    scale: TimeScale,
    range: [f32; 2],
}

/// Id of the name of the chosen curve.
pub(super) fn chosen_id() -> Id {
    Id::unique("chosen curve")
}

pub(super) fn show(
    ui: &Ui,
    session: &Session,
    rect: Rect,
    curve: &Curve,
    scale: &TimeScale,
    commands: &mut Vec<Command>,
) {
    let id = ui.scope_id().with(("curve", &curve.name));
    let area = rect.with_min_x(scale.x.min - 6.0);
    let response = ui.interact(area, id, Sense::click_and_drag());
    let label = format!("Curve {}", curve.name);
    response.widget_info(|| WidgetInfo::labeled(Role::Grid, true, &label));
    let drag: Option<Drag> = ui.data(|data| data.get_temp(id));
    let now = session.state().playback.time_secs;
    let mut graph = Graph {
        track: &curve.track,
        rect,
        scale: *scale,
        range: [0.0; 2],
    };
    // The range stays during a drag, so that the key stays under the pointer.
    graph.range = drag.map_or_else(|| graph.extent(), |drag| drag.range);
    graph.draw(ui, now);
    let hint = "Drag keys. Ctrl-click adds a key, Alt-click deletes one.";
    let response = response.on_hover_text(hint);
    run(ui, session, &response, curve, &graph, drag, commands);
}

fn run(
    ui: &Ui,
    session: &Session,
    response: &Response,
    curve: &Curve,
    graph: &Graph<'_>,
    drag: Option<Drag>,
    commands: &mut Vec<Command>,
) {
    let Some(clip) = session.edited_clip() else {
        return;
    };
    let id = response.id;
    let modifiers = ui.input(|input| input.modifiers);
    let set = |time_secs: f32, value: f32| EventEdit::SetCurveKey {
        clip: clip.clone(),
        curve: curve.name.clone(),
        time_secs,
        value,
    };
    if response.clicked() || response.drag_started() {
        ui.data_mut(|data| data.insert_temp(chosen_id(), curve.name.clone()));
    }
    let at = response.interact_pointer_pos();
    if let Some(at) = at.filter(|_| response.clicked() && modifiers.command) {
        let time = snapped(session, graph.scale.time_at(at.x), Modifiers::NONE);
        let time = time.clamp(0.0, graph.scale.duration_secs) as f32;
        commands.push(set(time, graph.value_at(at.y)).into());
    } else if let Some(key) = at
        .filter(|_| response.clicked() && modifiers.alt)
        .and_then(|at| graph.find(at))
    {
        let (clip, curve) = (clip.clone(), curve.name.clone());
        let time_secs = graph.track.times()[key];
        let edit = EventEdit::DeleteCurveKey {
            clip,
            curve,
            time_secs,
        };
        commands.push(edit.into());
    }
    let origin = ui.input(|input| input.pointer.press_origin());
    let mut drag = drag;
    if response.drag_started()
        && let Some((key, from)) = origin.and_then(|from| Some((graph.find(from)?, from)))
    {
        drag = Some(Drag {
            time_secs: graph.track.times()[key],
            value: graph.track.key(key).first().copied().unwrap_or(0.0),
            from,
            secs_per_point: graph.scale.secs_per_point(),
            value_per_point: graph.value_per_point(),
            range: graph.range,
        });
    }
    let (Some(own), Some(at)) = (drag, at) else {
        return;
    };
    let by = at - own.from;
    // A drag that is nearly upright leaves the time.
    let wanted = match by.x.abs() < 4.0 {
        true => f64::from(own.time_secs),
        false => {
            let wanted = f64::from(own.time_secs) + f64::from(by.x) * own.secs_per_point;
            let wanted = snapped(session, wanted, modifiers);
            wanted.clamp(0.0, graph.scale.duration_secs)
        }
    };
    let edit = EventEdit::MoveCurveKey {
        clip: clip.clone(),
        curve: curve.name.clone(),
        time_secs: own.time_secs,
        to_secs: (wanted as f32 != own.time_secs).then_some(wanted as f32),
        value: Some(own.value - by.y * own.value_per_point),
    };
    commands.push(HistoryCommand::drag(edit).into());
    if response.drag_stopped() {
        commands.push(HistoryCommand::Release.into());
        ui.data_mut(|data| data.remove::<Drag>(id));
    } else {
        ui.data_mut(|data| data.insert_temp(id, own));
    }
}

impl Graph<'_> {
    fn value(&self, time_secs: f64) -> Option<f32> {
        let mut value = vec![0.0; self.track.width()];
        self.track.sample(time_secs, &mut value).ok()?;
        value.first().copied().filter(|value| value.is_finite())
    }

    fn samples(&self) -> Vec<(f64, f32)> {
        let step = self.scale.span_secs / STEPS as f64;
        (0..=STEPS)
            .map(|index| self.scale.from_secs + step * index as f64)
            .filter_map(|time| Some((time, self.value(time)?)))
            .collect()
    }

    fn extent(&self) -> [f32; 2] {
        let samples = self.samples();
        let first = samples.first().map_or(0.0, |sample| sample.1);
        let [low, high] = samples.iter().fold([first; 2], |[low, high], sample| {
            [low.min(sample.1), high.max(sample.1)]
        });
        match high > low {
            true => [low, high],
            false => [low - 0.5, low + 0.5],
        }
    }

    fn y_of(&self, value: f32) -> f32 {
        let [low, high] = self.range;
        let part = (value - low) / (high - low);
        self.rect.bottom() - 5.0 - part * (self.rect.height() - 10.0)
    }

    fn value_per_point(&self) -> f32 {
        (self.range[1] - self.range[0]) / (self.rect.height() - 10.0).max(1.0)
    }

    fn value_at(&self, y: f32) -> f32 {
        self.range[0] + (self.rect.bottom() - 5.0 - y) * self.value_per_point()
    }

    fn spot(&self, key: usize) -> Pos2 {
        let value = self.track.key(key).first().copied().unwrap_or(0.0);
        let time = f64::from(self.track.times()[key]);
        pos2(self.scale.x_of(time), self.y_of(value))
    }

    /// The key at the time of a point.
    fn find(&self, at: Pos2) -> Option<usize> {
        let near = self.scale.time_beyond(at.x) as f32;
        let next = self.track.times().partition_point(|&time| time < near);
        let beside = [next.checked_sub(1), Some(next)];
        let away = |key: usize| (self.spot(key).x - at.x).abs();
        let keys = beside.into_iter().flatten();
        let keys = keys.filter(|&key| key < self.track.keys() && away(key) <= REACH);
        keys.min_by(|a, b| away(*a).total_cmp(&away(*b)))
    }

    fn draw(&self, ui: &Ui, now_secs: f64) {
        let palette = Palette::of(ui);
        let painter = ui.painter().with_clip_rect(self.rect);
        let spot = |time: f64, value: f32| pos2(self.scale.x_of(time), self.y_of(value));
        let points = self.samples();
        let points: Vec<Pos2> = points.iter().map(|s| spot(s.0, s.1)).collect();
        painter.add(Shape::line(points, Stroke::new(1.4, palette.good)));
        if (self.track.keys() as f32) < self.scale.x.span() / 5.0 {
            for key in 0..self.track.keys() {
                painter.circle_filled(self.spot(key), 2.4, palette.good);
            }
        }
        if let Some(now) = self.value(now_secs) {
            painter.circle_stroke(spot(now_secs, now), 3.2, Stroke::new(1.2, palette.accent));
            let at = pos2(self.rect.left() + GUTTER - 4.0, self.rect.center().y);
            let text = format!("{now:.2}");
            painter.text(at, Align2::RIGHT_CENTER, text, digits(), palette.dim);
        }
    }
}
