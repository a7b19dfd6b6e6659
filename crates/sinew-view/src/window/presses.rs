//! Lengths of presses by the clock of the browser: a frame that takes long would make a tap look like a long press.

use egui::{Context, Event, InputOptions, Plugin, RawInput};

#[derive(Debug, Default)]
pub(super) struct Presses {
    pressed_ms: Option<f64>,
    held_secs: Option<f64>,
}

impl Presses {
    /// Takes the time of a press or of its end, in milliseconds.
    pub fn note(&mut self, is_pressed: bool, time_ms: f64) {
        if is_pressed {
            *self = Self {
                pressed_ms: Some(time_ms),
                held_secs: None,
            };
        } else if let Some(pressed_ms) = self.pressed_ms.take() {
            self.held_secs = Some((time_ms - pressed_ms) / 1e3);
        }
    }
}

impl Plugin for Presses {
    fn debug_name(&self) -> &'static str {
        "presses"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let is_end = |event: &Event| matches!(event, Event::PointerButton { pressed: false, .. });
        let max_secs = InputOptions::default().max_click_duration;
        let mut max_click_secs = max_secs;
        if input.events.iter().any(is_end)
            && let Some(held_secs) = self.held_secs.take()
            && held_secs <= max_secs
        {
            // The panels measure from frame to frame.
            max_click_secs = f64::INFINITY;
        }
        ctx.options_mut(|options| options.input_options.max_click_duration = max_click_secs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Modifiers, PointerButton, Rect, pos2};

    /// True if a press is a click for a button. A frame shows the press, and one a second later its end.
    fn clicks(held_ms: Option<f64>) -> bool {
        let context = Context::default();
        context.add_plugin(Presses::default());
        let mut is_clicked = false;
        let mut frame = |time: f64, events: Vec<Event>| {
            let input = RawInput {
                time: Some(time),
                events,
                screen_rect: Some(Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 100.0))),
                ..RawInput::default()
            };
            let shown = context.run_ui(input, |ui| {
                let all = ui.max_rect();
                is_clicked |= ui.put(all, egui::Button::new("Play")).clicked();
            });
            shown.drop_without_applying_deltas();
        };
        let button = |pressed| Event::PointerButton {
            pos: pos2(50.0, 50.0),
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        let note = |is_pressed, time_ms| {
            context.with_plugin(|presses: &mut Presses| presses.note(is_pressed, time_ms));
        };
        frame(0.0, vec![Event::PointerMoved(pos2(50.0, 50.0))]);
        held_ms.inspect(|_| note(true, 900.0));
        frame(1.0, vec![button(true)]);
        held_ms.inspect(|held_ms| note(false, 900.0 + held_ms));
        frame(2.0, vec![button(false)]);
        frame(2.1, Vec::new());
        is_clicked
    }

    #[test]
    fn a_tap_during_a_slow_frame_is_a_click_and_a_long_press_is_none() {
        assert!(clicks(Some(80.0)), "a tap");
        assert!(!clicks(Some(1000.0)), "a long press");
        assert!(
            !clicks(None),
            "a press of unknown length is measured by frames"
        );
    }
}
