//! The pose of a pane, now and in the moments around it.

use crate::session::Session;
use crate::state::Overlay;
use sinew::{LocalPose, ModelPose};

/// The joints of a pane's character.
#[derive(Clone, Debug)]
pub struct Posed {
    /// In their parents, now.
    pub local: LocalPose,
    /// In the model, now.
    pub model: ModelPose,
    /// In the model, where the ways of joints are shown: by how long after now, in order of that.
    pub ways: Vec<(f64, ModelPose)>,
    /// The same for ghosts.
    pub ghosts: Vec<(f64, ModelPose)>,
}

/// Moments to either side of now that a way shows, and seconds between them.
const WAY_STEPS: i32 = 24;
const WAY_STEP_SECS: f64 = 1.0 / 30.0;

/// The same of ghosts.
const GHOST_STEPS: i32 = 3;
const GHOST_STEP_SECS: f64 = 0.12;

impl Default for Posed {
    fn default() -> Self {
        Self {
            local: LocalPose::identity(0),
            model: ModelPose::identity(0),
            ways: Vec::new(),
            ghosts: Vec::new(),
        }
    }
}

impl Posed {
    /// As the session has it now.
    pub(super) fn update(&mut self, session: &mut Session, pane: usize) {
        let has = |overlay| session.state().look.overlays.contains(&overlay);
        let (has_ways, has_ghosts) = (has(Overlay::Trajectories), has(Overlay::Ghosts));
        self.ways = match has_ways {
            true => around(session, pane, WAY_STEPS, WAY_STEP_SECS),
            false => Vec::new(),
        };
        self.ghosts = match has_ghosts {
            true => around(session, pane, GHOST_STEPS, GHOST_STEP_SECS),
            false => Vec::new(),
        };
        let Some(figure) = session.figure(pane) else {
            return;
        };
        self.local.copy_from(figure.actor.pose());
        if let Ok(model) = figure.actor.model_pose() {
            self.model.clone_from(model);
        }
    }
}

/// Poses before and after now, within the clip.
fn around(
    session: &mut Session,
    pane: usize,
    steps: i32,
    step_secs: f64,
) -> Vec<(f64, ModelPose)> {
    let state = session.state();
    let now = state.playback.time_secs;
    let file = session.document().file(state.shown);
    let duration = file.map_or(0.0, |file| file.duration_secs(state.playback.clip));
    let mut poses = Vec::new();
    for step in -steps..=steps {
        let after = f64::from(step) * step_secs;
        if !(0.0..=duration).contains(&(now + after)) {
            continue;
        }
        if let Some(figure) = session.figure_at(pane, now + after)
            && let Ok(model) = figure.actor.model_pose()
        {
            poses.push((after, model.clone()));
        }
    }
    poses
}
