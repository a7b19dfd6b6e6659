//! Script of a window, which runs while the window is used.

use crate::script::Step;
use crate::viewer::Viewer;
use std::collections::VecDeque;

#[derive(Debug, Default)]
pub(super) struct Steps {
    coming: VecDeque<Step>,
    wait_secs: f64,
}

impl Steps {
    pub fn add(&mut self, steps: Vec<Step>) {
        self.coming.extend(steps);
    }

    pub fn is_done(&self) -> bool {
        self.coming.is_empty() && self.wait_secs <= 0.0
    }

    /// Runs the steps that are due in this frame, but waits while background work is in progress. Returns what their
    /// commands refer to and is missing.
    pub fn take(&mut self, viewer: &mut Viewer, ui: &egui::Ui) -> Vec<String> {
        let mut missing = Vec::new();
        if self.is_done() {
            return missing;
        }
        ui.ctx().request_repaint();
        if viewer.session().is_busy() {
            return missing;
        }
        self.wait_secs -= f64::from(ui.input(|input| input.stable_dt));
        while self.wait_secs <= 0.0
            && !viewer.session().is_busy()
            && let Some(step) = self.coming.pop_front()
        {
            match step {
                Step::Do(command) => {
                    missing.extend(viewer.session().missing(&command));
                    viewer.run(command);
                }
                Step::Wait { secs } => self.wait_secs = secs,
            }
        }
        missing
    }
}
