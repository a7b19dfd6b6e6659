//! Map from time to screen positions, and the marks of the ruler.

use crate::state::TimeUnit;
use egui::{Rangef, Rect};

/// Width of row names, in points. Timeline and plots share it, so that their times align.
pub(super) const GUTTER: f32 = 172.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeScale {
    /// Screen positions of the first and last visible time.
    pub x: Rangef,
    /// First visible time, in seconds.
    pub from_secs: f64,
    /// Visible time, in seconds.
    pub span_secs: f64,
    /// Duration of the clip, in seconds.
    pub duration_secs: f64,
}

impl TimeScale {
    /// Scale of a whole clip to the right of the row names.
    pub fn across(whole: Rect, duration_secs: f64) -> Self {
        Self {
            x: Rangef::new(whole.left() + GUTTER + 8.0, whole.right() - 14.0),
            from_secs: 0.0,
            span_secs: duration_secs,
            duration_secs,
        }
    }

    /// Scale of a part of the clip: first time and visible time, in seconds.
    pub fn part(self, [from_secs, span_secs]: [f64; 2]) -> Self {
        Self {
            from_secs,
            span_secs,
            ..self
        }
    }

    /// Seconds per point of the screen.
    pub fn secs_per_point(&self) -> f64 {
        self.span_secs / f64::from(self.x.span().max(1.0))
    }

    /// Screen position of a time.
    pub fn x_of(&self, time_secs: f64) -> f32 {
        let part = if self.span_secs > 0.0 {
            ((time_secs - self.from_secs) / self.span_secs) as f32
        } else {
            0.0
        };
        self.x.min + self.x.span() * part
    }

    /// Time at a screen position, clamped to the clip.
    pub fn time_at(&self, x: f32) -> f64 {
        self.time_beyond(x).clamp(0.0, self.duration_secs.max(0.0))
    }

    /// Time at a screen position, also outside the clip.
    pub fn time_beyond(&self, x: f32) -> f64 {
        let part = (x - self.x.min) / self.x.span().max(1.0);
        self.from_secs + self.span_secs * f64::from(part)
    }

    /// Numbered marks that are at least `apart` points apart.
    pub fn marks(&self, unit: TimeUnit, fps: f64, apart: f32) -> Marks {
        let unit_secs = match unit {
            TimeUnit::Seconds => 1.0,
            TimeUnit::Frames => 1.0 / fps.max(1e-6),
        };
        let across = f64::from((self.x.span() / apart).max(1.0));
        let wanted = (self.span_secs / unit_secs / across).max(1e-6);
        let step = match unit {
            TimeUnit::Seconds => round_up(wanted),
            TimeUnit::Frames => round_up(wanted.max(1.0)).max(1.0).round(),
        };
        Marks {
            step_secs: step * unit_secs,
            step,
            count: (self.duration_secs / (step * unit_secs) + 1e-6).floor() as usize + 1,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Marks {
    pub step_secs: f64,
    /// Step in the unit of the ruler.
    pub step: f64,
    pub count: usize,
}

impl Marks {
    /// Number at a mark.
    pub fn label(&self, mark: usize) -> String {
        let value = self.step * mark as f64;
        let decimals = (-self.step.log10()).ceil().clamp(0.0, 4.0) as usize;
        format!("{value:.decimals$}")
    }
}

fn round_up(wanted: f64) -> f64 {
    let power = 10.0_f64.powf(wanted.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|s| s * power);
    steps.into_iter().find(|&s| s >= wanted).unwrap_or(wanted)
}

pub(super) fn time_text(time_secs: f64, unit: TimeUnit, fps: f64) -> String {
    match unit {
        TimeUnit::Seconds => format!("{time_secs:.3} s"),
        TimeUnit::Frames => format!("{:.1}", time_secs * fps),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_times_go_back_and_forth_and_marks_are_round() {
        let scale = TimeScale {
            x: Rangef::new(100.0, 900.0),
            from_secs: 0.0,
            span_secs: 1.2,
            duration_secs: 1.2,
        };
        assert_eq!(scale.x_of(0.6), 500.0);
        assert!((scale.time_at(500.0) - 0.6).abs() < 1e-6);
        assert_eq!((scale.time_at(0.0), scale.time_at(9e9)), (0.0, 1.2));
        let marks = scale.marks(TimeUnit::Seconds, 30.0, 80.0);
        assert_eq!((marks.step, marks.count), (0.2, 7));
        assert_eq!(
            (marks.label(0), marks.label(3)),
            ("0.0".into(), "0.6".into())
        );
        let marks = scale.marks(TimeUnit::Frames, 30.0, 80.0);
        assert_eq!((marks.step, marks.count), (5.0, 8));
        assert_eq!(marks.label(2), "10");
        let empty = TimeScale {
            span_secs: 0.0,
            duration_secs: 0.0,
            ..scale
        };
        assert_eq!((empty.x_of(3.0), empty.time_at(500.0)), (100.0, 0.0));
        assert_eq!(empty.marks(TimeUnit::Seconds, 30.0, 80.0).count, 1);
        let part = scale.part([0.6, 0.3]);
        assert!((part.x_of(0.75) - 500.0).abs() < 1e-3);
        assert!((part.time_at(500.0) - 0.75).abs() < 1e-6);
    }
}
