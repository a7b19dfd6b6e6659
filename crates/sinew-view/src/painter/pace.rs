//! Picture quality over time: fast during motion, then better layer by layer.

use std::ops::Range;

/// Quality of a pane in the current frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Number of antialiasing layers of the final picture.
    pub layers: u32,
    /// Layers to draw now.
    pub now: Range<u32>,
}

impl Quality {
    /// One layer, for motion.
    pub fn moving() -> Self {
        Self {
            layers: 1,
            now: 0..1,
        }
    }
}

/// Progress of the panes toward their final quality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Number of layers of the final quality.
    layers: u32,
    still_frames: u32,
    /// Pane that is being refined, and the number of its layers so far.
    pane: usize,
    layers_done: u32,
}

/// Number of antialiasing layers of a still pane in the window.
const LAYERS: u32 = 16;

/// Number of frames to wait before refining, so that a short pause in a drag is not slow.
const WAIT_FRAMES: u32 = 4;

impl Default for Pace {
    fn default() -> Self {
        Self::with_layers(LAYERS)
    }
}

impl Pace {
    /// Progress toward a number of layers, at least 1.
    pub fn with_layers(layers: u32) -> Self {
        Self {
            layers: layers.max(1),
            still_frames: 0,
            pane: 0,
            layers_done: 0,
        }
    }

    /// Restarts with fast quality.
    pub fn moved(&mut self) {
        *self = Self::with_layers(self.layers);
    }

    /// Pane to refine by up to `step` layers, and its quality. `None` if nothing is to be drawn.
    pub fn still(&mut self, panes: usize, step: u32) -> Option<(usize, Quality)> {
        self.still_frames = self.still_frames.saturating_add(1);
        if self.still_frames < WAIT_FRAMES || self.pane >= panes {
            return None;
        }
        let end = self.layers_done.saturating_add(step.max(1));
        let now = self.layers_done..end.min(self.layers);
        let pane = self.pane;
        self.layers_done = now.end;
        if now.end == self.layers {
            self.pane += 1;
            self.layers_done = 0;
        }
        Some((
            pane,
            Quality {
                layers: self.layers,
                now,
            },
        ))
    }

    /// True if all panes have their final quality.
    pub fn is_done(&self, panes: usize) -> bool {
        self.pane >= panes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pane_gets_all_its_layers_once_and_then_nothing_is_drawn() {
        for (step, steps) in [(0, 16), (1, 16), (4, 4), (u32::MAX, 1)] {
            let mut pace = Pace::default();
            let mut drawn = Vec::new();
            for _ in 0..200 {
                drawn.extend(pace.still(2, step));
            }
            assert!(pace.is_done(2));
            assert_eq!(drawn.len(), 2 * steps);
            for pane in 0..2 {
                let own = drawn.iter().filter(|(p, _)| *p == pane);
                let layers: Vec<u32> = own.flat_map(|(_, q)| q.now.clone()).collect();
                assert_eq!(layers, (0..LAYERS).collect::<Vec<_>>());
            }
            pace.moved();
            assert!(!pace.is_done(2));
            assert_eq!(pace.still(2, step), None, "waits first");
        }
    }
}
