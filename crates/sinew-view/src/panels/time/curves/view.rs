//! The curves on the screen: lines, keys and tangents, and what is under the pointer.

use super::super::ruler::TimeScale;
use super::super::values::shown_slopes;
use super::drag::{Drag, What};
use super::lines::{AXES, Plotted, Samples};
use crate::panels::style::theme::{Palette, digits};
use crate::state::touches;
use egui::{Align2, Color32, FontId, Pos2, Rect, Shape, Stroke, Ui, Vec2, pos2};

const REACH: f32 = 8.0;
/// Length of the drawn tangents to each side, in points.
const HANDLE: f32 = 36.0;
/// Height of the names of lines, in points.
const NAME: f32 = 13.0;
/// Keys that are drawn and found, at most.
const KEYS: f32 = 3000.0;

pub(super) struct View<'a> {
    pub lines: Vec<Line<'a>>,
    pub rect: Rect,
    pub scale: TimeScale,
    pub is_normalised: bool,
}

/// One number of a channel over time.
pub(super) struct Line<'a> {
    pub of: &'a Plotted,
    pub axis: usize,
    pub samples: Samples,
    /// Values at the bottom and at the top.
    pub range: [f32; 2],
    pub color: Color32,
}

impl View<'_> {
    fn y_of(&self, line: &Line<'_>, value: f32) -> f32 {
        let [low, high] = line.range;
        let part = (value - low) / (high - low);
        self.rect.bottom() - part * self.rect.height()
    }

    fn value_per_point(&self, line: &Line<'_>) -> f32 {
        (line.range[1] - line.range[0]) / self.rect.height().max(1.0)
    }

    /// Keys in the visible time, not closer than what can be told apart.
    fn keys(&self, line: &Line<'_>) -> Vec<usize> {
        let times = line.of.track.times();
        let x_of = |time: f32| self.scale.x_of(f64::from(time));
        let mut key = times.partition_point(|&time| x_of(time) < self.scale.x.min - 4.0);
        let end = times.partition_point(|&time| x_of(time) < self.scale.x.max + 4.0);
        let gap = (self.rect.width() * self.lines.len() as f32 / KEYS).max(2.0);
        let mut keys = Vec::new();
        while key < end {
            keys.push(key);
            let next = x_of(times[key]) + gap;
            key += times[key..end]
                .partition_point(|&time| x_of(time) < next)
                .max(1);
        }
        keys
    }

    fn spot(&self, line: &Line<'_>, key: usize) -> Pos2 {
        let time = f64::from(line.of.track.times()[key]);
        let value = line.of.keys[key][line.axis];
        pos2(self.scale.x_of(time), self.y_of(line, value))
    }

    fn is_selected(line: &Line<'_>, key: usize) -> bool {
        let time = line.of.track.times()[key];
        touches(&line.of.selected, [time, time])
    }

    /// End of a drawn tangent. `None` for tracks without tangents.
    fn handle(&self, line: &Line<'_>, key: usize, side: f32) -> Option<Pos2> {
        let (of, track) = (line.of, &line.of.track);
        let [before, after] = track.tangents(key)?;
        let slopes = if side < 0.0 { before } else { after };
        let slopes = shown_slopes(of.channel, track.key(key), slopes, of.keys[key]);
        let per_point = self.scale.secs_per_point() as f32;
        let rise = slopes[line.axis] * per_point / self.value_per_point(line);
        let along = Vec2::new(1.0, -rise).normalized() * HANDLE;
        Some(self.spot(line, key) + along * side)
    }

    pub fn draw(&self, ui: &Ui) {
        let palette = Palette::of(ui);
        let painter = ui.painter().with_clip_rect(self.rect.expand(6.0));
        let is_named = self.lines.len() <= 9;
        let mut names: Vec<f32> = Vec::new();
        for line in &self.lines {
            let points = line.samples.iter().map(|(time, values)| {
                pos2(self.scale.x_of(*time), self.y_of(line, values[line.axis]))
            });
            let points: Vec<Pos2> = points.collect();
            if let Some(end) = points.last().filter(|_| is_named) {
                let text = format!("{} {}", line.of.name, AXES[line.axis]);
                // Above the line, or below it at the top edge. Names of lines that end together would overlap.
                let is_above = end.y - NAME > self.rect.top();
                let (side, y) = match is_above {
                    true => (Align2::RIGHT_BOTTOM, end.y - 2.0),
                    false => (Align2::RIGHT_TOP, end.y + NAME + 2.0),
                };
                if names.iter().all(|other| (other - y).abs() >= NAME) {
                    let at = pos2(end.x - 4.0, if is_above { y } else { end.y + 2.0 });
                    painter.text(at, side, text, FontId::proportional(10.5), line.color);
                    names.push(y);
                }
            }
            painter.add(Shape::line(points, Stroke::new(1.4, line.color)));
        }
        for line in &self.lines {
            for key in self.keys(line) {
                let is_selected = Self::is_selected(line, key);
                let spot = self.spot(line, key);
                let color = if is_selected {
                    palette.text
                } else {
                    line.color
                };
                painter.circle_filled(spot, if is_selected { 3.6 } else { 2.8 }, color);
                for side in [-1.0, 1.0] {
                    if is_selected && let Some(end) = self.handle(line, key, side) {
                        painter.line_segment([spot, end], Stroke::new(1.0, palette.dim));
                        painter.circle_stroke(end, 2.6, Stroke::new(1.2, palette.text));
                    }
                }
            }
        }
        if !self.is_normalised && self.rect.height() > 5.0 * NAME {
            self.label(ui, palette.dim);
        }
    }

    fn label(&self, ui: &Ui, color: Color32) {
        let Some([low, high]) = self.lines.first().map(|line| line.range) else {
            return;
        };
        let at = self.rect.left_top() + Vec2::new(4.0, 0.0);
        let painter = ui.painter();
        painter.text(at, Align2::LEFT_TOP, format!("{high:.3}"), digits(), color);
        let at = self.rect.left_bottom() + Vec2::new(4.0, 0.0);
        painter.text(
            at,
            Align2::LEFT_BOTTOM,
            format!("{low:.3}"),
            digits(),
            color,
        );
    }

    /// The tangent of a selected key, or the key, under a point.
    pub fn find(&self, at: Pos2) -> Option<Drag> {
        let mut best: Option<(f32, &Line<'_>, usize, What)> = None;
        for line in &self.lines {
            for key in self.keys(line) {
                let mut offer = |spot: Pos2, what: What| {
                    let away = (spot - at).length();
                    if away <= REACH && best.as_ref().is_none_or(|best| away < best.0) {
                        best = Some((away, line, key, what));
                    }
                };
                offer(self.spot(line, key), What::Key);
                for side in [-1.0, 1.0] {
                    if Self::is_selected(line, key)
                        && let Some(end) = self.handle(line, key, side)
                    {
                        offer(end, What::Tangent(side));
                    }
                }
            }
        }
        let (_, line, key, what) = best?;
        let track = &line.of.track;
        let slopes = track.tangents(key).map(|sides| sides.map(<[f32]>::to_vec));
        Some(Drag {
            joint: line.of.joint,
            channel: line.of.channel,
            axis: line.axis,
            is_selected: Self::is_selected(line, key),
            keys: Vec::new(),
            time_secs: track.times()[key],
            key: track.key(key).to_vec(),
            value: line.of.keys[key],
            slopes: slopes.unwrap_or_default(),
            from: at,
            spot: self.spot(line, key),
            secs_per_point: self.scale.secs_per_point(),
            value_per_point: self.value_per_point(line),
            what,
        })
    }
}
