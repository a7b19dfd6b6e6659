//! Curves of a channel of the selected joint: a line per component, with keys and tangents to drag.
//!
//! Rotations are drawn as the components x, y, z, w of their quaternions. Their keys move in time only.

use super::dope::snapped;
use super::keys;
use super::rows::CHANNELS;
use super::ruler::{GUTTER, TimeScale};
use crate::panels::style::theme::{Palette, digits};
use crate::panels::style::widgets::chip;
use crate::session::Session;
use crate::state::{Command, EditingCommand, HistoryCommand, Selection};
use egui::{
    Align2, Color32, FontId, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2,
};
use glam::Vec3;
use sinew::clip::{Channel, OverLimit, Track};
use sinew_edit::{Edit, Keys, Motion, Name};

const REACH: f32 = 8.0;
/// Length of the drawn tangents to each side, in points.
const HANDLE: f32 = 36.0;
const STEPS: usize = 240;

/// The shown track and its rectangle on the screen.
struct View<'a> {
    joint: usize,
    channel: Channel,
    track: &'a Track,
    rect: Rect,
    scale: TimeScale,
    low: f32,
    high: f32,
}

#[derive(Clone, Debug)]
struct Drag {
    /// Time and value of the key when the drag began.
    time_secs: f32,
    value: Vec<f32>,
    component: usize,
    from: Pos2,
    secs_per_point: f64,
    value_per_point: f32,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    /// Not yet known: the first movement decides.
    Key,
    Time,
    Value,
    /// A tangent, 1 after the key and -1 before it.
    Tangent(f32),
}

pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    motion: &Motion,
    below: Rect,
    scale: &TimeScale,
    is_fitted: bool,
    commands: &mut Vec<Command>,
) {
    let id = ui.scope_id().with("curves");
    let rect = below
        .with_min_x(below.left() + GUTTER)
        .shrink2(Vec2::new(0.0, 8.0));
    let Some((joint, channel, track)) = chosen(ui, session, motion, below) else {
        let words = "Select a joint with keys to see its curves.";
        let font = FontId::proportional(13.0);
        let dim = Palette::of(ui).dim;
        ui.painter()
            .text(rect.center(), Align2::CENTER_CENTER, words, font, dim);
        return;
    };
    let kept = id.with((session.state().playback.clip, joint, name_of(channel)));
    let range: Option<[f32; 2]> = ui.data(|data| data.get_temp(kept));
    let [low, high] = match range {
        Some(range) if !is_fitted => range,
        _ => extent(track, scale),
    };
    ui.data_mut(|data| data.insert_temp(kept, [low, high]));
    let view = View {
        joint,
        channel,
        track,
        rect,
        scale: *scale,
        low,
        high,
    };
    let area = ui.interact(rect, id, Sense::click_and_drag());
    area.widget_info(|| WidgetInfo::labeled(Role::Grid, true, "Keys on curves"));
    view.draw(ui, session);
    let origin = ui.input(|input| input.pointer.press_origin());
    if area.clicked()
        && let Some(at) = area.interact_pointer_pos()
    {
        let found = view.find(session, at);
        let keys = found
            .map(|drag| view.one(drag.time_secs))
            .into_iter()
            .collect();
        let add = ui.input(|input| input.modifiers.shift);
        commands.push(EditingCommand::SelectKeys { keys, add }.into());
    }
    if area.drag_started()
        && let Some(drag) = origin.and_then(|from| view.find(session, from))
    {
        ui.data_mut(|data| data.insert_temp(id, drag));
    }
    let drag: Option<Drag> = ui.data(|data| data.get_temp(id));
    let (Some(mut drag), Some(at)) = (drag, area.interact_pointer_pos()) else {
        return;
    };
    let modifiers = ui.input(|input| input.modifiers);
    if let Some(edit) = view.dragged(session, &mut drag, at, modifiers) {
        commands.push(HistoryCommand::Drag { edit }.into());
    }
    if area.drag_stopped() {
        commands.push(HistoryCommand::Release.into());
        ui.data_mut(|data| data.remove::<Drag>(id));
    } else {
        ui.data_mut(|data| data.insert_temp(id, drag));
    }
}

/// The selected joint and the channel that its buttons choose.
fn chosen<'a>(
    ui: &mut Ui,
    session: &Session,
    motion: &'a Motion,
    below: Rect,
) -> Option<(usize, Channel, &'a Track)> {
    let Selection::Joint(joint) = session.state().selection else {
        return None;
    };
    let tracks = keys::tracks(motion, session.edited_layer());
    let tracks = tracks.into_iter().find(|tracks| tracks.joint == joint)?;
    let channels = [&tracks.translation, &tracks.rotation, &tracks.scale];
    let id = ui.scope_id().with("channel of the curves");
    let wanted: Option<usize> = ui.data(|data| data.get_temp(id));
    let has = |index: &usize| channels[*index].is_some();
    let shown = wanted.filter(has).or([1, 0, 2].into_iter().find(has))?;
    let corner = Rect::from_min_size(below.min, Vec2::new(GUTTER, below.height()));
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(corner.shrink(6.0)));
    for (index, (name, _)) in CHANNELS.into_iter().enumerate() {
        if has(&index) {
            let named = format!("Curves of {name}");
            if chip(&mut inner, &named, "", index == shown).clicked() {
                ui.data_mut(|data| data.insert_temp(id, index));
            }
        }
    }
    let track = channels[shown].as_ref()?;
    Some((joint, CHANNELS[shown].1, track))
}

fn name_of(channel: Channel) -> &'static str {
    let is_it = |named: &&(&str, Channel)| named.1 == channel;
    CHANNELS.iter().find(is_it).map_or("", |named| named.0)
}

/// Lowest and highest value in the visible time, with room around them.
fn extent(track: &Track, scale: &TimeScale) -> [f32; 2] {
    let mut value = vec![0.0; track.width()];
    let mut range = [f32::INFINITY, f32::NEG_INFINITY];
    for step in 0..=STEPS {
        let time = scale.from_secs + scale.span_secs * step as f64 / STEPS as f64;
        if track.sample(time, &mut value).is_ok() {
            for &v in value.iter().filter(|v| v.is_finite()) {
                range = [range[0].min(v), range[1].max(v)];
            }
        }
    }
    let [low, high] = range;
    if low > high {
        return [0.0, 1.0];
    }
    let room = ((high - low) * 0.1).max(1e-3);
    [low - room, high + room]
}

impl View<'_> {
    fn y_of(&self, value: f32) -> f32 {
        let part = (value - self.low) / (self.high - self.low);
        self.rect.bottom() - part * self.rect.height()
    }

    fn value_per_point(&self) -> f32 {
        (self.high - self.low) / self.rect.height().max(1.0)
    }

    /// Keys in the visible time. At most one in two points is drawn and found.
    fn keys(&self) -> Vec<usize> {
        let times = self.track.times();
        let x_of = |time: f32| self.scale.x_of(f64::from(time));
        let mut key = times.partition_point(|&time| x_of(time) < self.scale.x.min - 4.0);
        let end = times.partition_point(|&time| x_of(time) < self.scale.x.max + 4.0);
        let mut keys = Vec::new();
        while key < end {
            keys.push(key);
            let next = x_of(times[key]) + 2.0;
            key += times[key..end]
                .partition_point(|&time| x_of(time) < next)
                .max(1);
        }
        keys
    }

    fn spot(&self, key: usize, component: usize) -> Pos2 {
        let time = f64::from(self.track.times()[key]);
        pos2(
            self.scale.x_of(time),
            self.y_of(self.track.key(key)[component]),
        )
    }

    fn one(&self, time_secs: f32) -> Keys {
        Keys::one(self.joint, self.channel, time_secs)
    }

    fn is_selected(&self, session: &Session, key: usize) -> bool {
        let own = self.one(self.track.times()[key]);
        session.state().editing.keys.contains(&own)
    }

    /// End of a drawn tangent. `None` for tracks without tangents.
    fn handle(&self, key: usize, component: usize, side: f32) -> Option<Pos2> {
        let [before, after] = self.track.tangents(key)?;
        let slope = if side < 0.0 { before } else { after }[component];
        let rise = slope * self.scale.secs_per_point() as f32 / self.value_per_point();
        let along = Vec2::new(1.0, -rise).normalized() * HANDLE;
        Some(self.spot(key, component) + along * side)
    }

    fn draw(&self, ui: &Ui, session: &Session) {
        let palette = Palette::of(ui);
        let colors = [palette.error, palette.good, palette.key, palette.warning];
        let painter = ui.painter().with_clip_rect(self.rect.expand(6.0));
        let mut value = vec![0.0; self.track.width()];
        let mut lines: Vec<Vec<Pos2>> = vec![Vec::new(); self.track.width()];
        for step in 0..=STEPS {
            let part = step as f64 / STEPS as f64;
            let time = self.scale.from_secs + self.scale.span_secs * part;
            if self.track.sample(time, &mut value).is_err() {
                continue;
            }
            for (line, &v) in lines.iter_mut().zip(&value) {
                line.push(pos2(self.scale.x_of(time), self.y_of(v)));
            }
        }
        for (component, line) in lines.into_iter().enumerate() {
            let color = colors[component % colors.len()];
            painter.add(Shape::line(line, Stroke::new(1.4, color)));
        }
        for key in self.keys() {
            let is_selected = self.is_selected(session, key);
            for component in 0..self.track.width() {
                let color = if is_selected {
                    palette.text
                } else {
                    colors[component % colors.len()]
                };
                let spot = self.spot(key, component);
                painter.circle_filled(spot, 3.0, color);
                for side in [-1.0, 1.0] {
                    if let Some(end) = self.handle(key, component, side).filter(|_| is_selected) {
                        painter.line_segment([spot, end], Stroke::new(1.0, palette.dim));
                        painter.circle_stroke(end, 2.6, Stroke::new(1.2, palette.text));
                    }
                }
            }
        }
        self.label(ui, palette.dim);
    }

    fn label(&self, ui: &Ui, color: Color32) {
        let at = self.rect.left_top() + Vec2::new(4.0, 0.0);
        let text = format!("{:.3}", self.high);
        ui.painter()
            .text(at, Align2::LEFT_TOP, text, digits(), color);
        let at = self.rect.left_bottom() + Vec2::new(4.0, 0.0);
        let text = format!("{:.3}", self.low);
        ui.painter()
            .text(at, Align2::LEFT_BOTTOM, text, digits(), color);
    }

    /// The tangent or key under a point. Tangents of selected keys come first.
    fn find(&self, session: &Session, at: Pos2) -> Option<Drag> {
        let mut best: Option<(f32, usize, usize, What)> = None;
        for key in self.keys() {
            let is_selected = self.is_selected(session, key);
            for component in 0..self.track.width() {
                let mut offer = |spot: Pos2, what: What| {
                    let away = (spot - at).length();
                    if away <= REACH && best.is_none_or(|best| away < best.0) {
                        best = Some((away, key, component, what));
                    }
                };
                offer(self.spot(key, component), What::Key);
                for side in [-1.0, 1.0] {
                    if let Some(end) = self.handle(key, component, side).filter(|_| is_selected) {
                        offer(end, What::Tangent(side));
                    }
                }
            }
        }
        let (_, key, component, what) = best?;
        Some(Drag {
            time_secs: self.track.times()[key],
            value: self.track.key(key).to_vec(),
            component,
            from: at,
            secs_per_point: self.scale.secs_per_point(),
            value_per_point: self.value_per_point(),
            what,
        })
    }

    fn dragged(
        &self,
        session: &Session,
        drag: &mut Drag,
        at: Pos2,
        modifiers: egui::Modifiers,
    ) -> Option<Edit> {
        let by = at - drag.from;
        if drag.what == What::Key {
            let is_upright = by.y.abs() > by.x.abs();
            let has_value = self.channel != Channel::Rotation && session.edited_layer().is_none();
            drag.what = match is_upright && has_value {
                true => What::Value,
                false => What::Time,
            };
        }
        let clip = session.edited_clip()?;
        let layer = session.edited_layer().map(Name::Index);
        match drag.what {
            What::Key => None,
            What::Time => {
                let start = f64::from(drag.time_secs);
                let wanted = start + f64::from(by.x) * drag.secs_per_point;
                let time = snapped(session, wanted, modifiers).max(0.0) as f32;
                Some(Edit::MoveKeys {
                    clip,
                    layer,
                    keys: vec![self.one(drag.time_secs)],
                    by_secs: time - drag.time_secs,
                })
            }
            What::Value => {
                let mut value = drag.value.clone();
                value[drag.component] -= by.y * drag.value_per_point;
                let value = Vec3::from_slice(value.get(..3)?);
                let is_moved = self.channel == Channel::Translation;
                Some(Edit::InsertKey {
                    clip,
                    layer,
                    joint: Name::Index(self.joint),
                    time_secs: drag.time_secs,
                    translation: is_moved.then_some(value),
                    rotation: None,
                    scale: (!is_moved).then_some(value),
                    limits: OverLimit::Clamp,
                })
            }
            What::Tangent(side) => {
                let times = self.track.times();
                let key = times.iter().position(|&time| time == drag.time_secs)?;
                let spot = self.spot(key, drag.component);
                let run = ((at.x - spot.x) * side).max(2.0) * drag.secs_per_point as f32;
                let rise = (spot.y - at.y) * side * drag.value_per_point;
                let [before, after] = self.track.tangents(key)?.map(<[f32]>::to_vec);
                let set = |mut slopes: Vec<f32>| {
                    slopes[drag.component] = rise / run;
                    slopes
                };
                Some(Edit::SetTangents {
                    clip,
                    layer,
                    joint: Name::Index(self.joint),
                    channel: self.channel,
                    time_secs: drag.time_secs,
                    before: set(before),
                    after: set(after),
                })
            }
        }
    }
}
