use super::figure::deformed;
use crate::session::{Figure, Session};
use crate::state::{Overlay, Selection};
use sinew::skin::{Layout, Order};
use sinew::{LocalPose, ModelPose, Normals, SkinnedBy};

/// Pose of the character of a pane, at the current time and at times around it.
#[derive(Clone, Debug)]
pub struct Posed {
    /// Local pose.
    pub local: LocalPose,
    /// Model pose.
    pub model: ModelPose,
    /// Model poses for trajectories, with the time from now in seconds, sorted.
    pub trajectories: Vec<(f64, ModelPose)>,
    /// Model poses for ghosts, with the time from now in seconds, sorted.
    pub ghosts: Vec<(f64, ModelPose)>,
    /// Positions and normals in model space, by primitive. Empty unless an overlay needs them.
    pub vertices: Vec<[f32; 6]>,
    /// Index of the first vertex of each primitive.
    pub first_vertices: Vec<usize>,
}

const TRAJECTORY_STEPS: i32 = 24;
const TRAJECTORY_STEP_SECS: f64 = 1.0 / 30.0;

const GHOST_STEPS: i32 = 3;
const GHOST_STEP_SECS: f64 = 0.12;

impl Default for Posed {
    fn default() -> Self {
        Self {
            local: LocalPose::identity(0),
            model: ModelPose::identity(0),
            trajectories: Vec::new(),
            ghosts: Vec::new(),
            vertices: Vec::new(),
            first_vertices: Vec::new(),
        }
    }
}

impl Posed {
    pub(super) fn update(&mut self, session: &mut Session, pane: usize) {
        let has = |overlay| session.state().look.overlays.contains(&overlay);
        let has_normals = has(Overlay::NormalLines);
        let (has_trajectories, has_ghosts) = (has(Overlay::Trajectories), has(Overlay::Ghosts));
        self.trajectories = if has_trajectories {
            around(session, pane, TRAJECTORY_STEPS, TRAJECTORY_STEP_SECS)
        } else {
            Vec::new()
        };
        self.ghosts = if has_ghosts {
            around(session, pane, GHOST_STEPS, GHOST_STEP_SECS)
        } else {
            Vec::new()
        };
        let is_vertex = matches!(session.state().selection, Selection::Vertex { .. });
        let has_vertices = is_vertex || has_normals;
        self.vertices.clear();
        let normals = session.state().look.normals;
        let Some(mut figure) = session.figure(pane) else {
            return;
        };
        if has_vertices {
            let rig = figure.actor.rig().clone();
            self.vertices.resize(rig.vertices(), [0.0; 6]);
            self.first_vertices = rig.parts().iter().map(|p| p.vertices().start).collect();
            let layout = Layout {
                stride: 6,
                position: 0,
                normal: Some(3),
                tangent: None,
                order: Order::Mesh,
            };
            let buffer = self.vertices.as_flattened_mut();
            if figure.actor.skin_into(buffer, &layout).is_err() {
                self.vertices.clear();
            } else if has_normals && normals.is_exact_for(figure.method) {
                self.set_exact_normals(&mut figure, normals);
            }
        }
        self.local.copy_from(figure.actor.pose());
        if let Ok(model) = figure.actor.model_pose() {
            self.model.clone_from(model);
        }
    }

    fn set_exact_normals(&mut self, figure: &mut Figure<'_>, normals: Normals) {
        let method = figure.method;
        let Ok(moved) = deformed(figure, SkinnedBy { method, normals }) else {
            return;
        };
        for (&first, part) in self.first_vertices.iter().zip(&moved.primitives) {
            let vertices = self.vertices[first..].iter_mut();
            for (vertex, normal) in vertices.zip(part.normals.iter().flatten()) {
                vertex[3..].copy_from_slice(&normal.to_array());
            }
        }
    }
}

fn around(session: &mut Session, pane: usize, steps: i32, step_secs: f64) -> Vec<(f64, ModelPose)> {
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
