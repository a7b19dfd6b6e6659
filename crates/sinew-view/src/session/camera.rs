use super::Session;
use crate::state::{CameraCommand, MAX_DISTANCE, MIN_DISTANCE, Preset, Selection, within};
use glam::Vec3;
use sinew::rig::Part;
use sinew::skin::{Palette, PaletteRef};
use sinew::{Actor, Affine};
use sinew_gpu::{Framing, find_front};

const FRAMED_VERTICES: usize = 16_384;

/// Radius of the framed region around a single point, as a fraction of the radius of the figure.
const POINT_RADIUS: f32 = 0.08;

impl Session {
    pub(super) fn run_camera(&mut self, command: CameraCommand) {
        let camera = &mut self.state.camera;
        match command {
            CameraCommand::Orbit { right_rad, up_rad } => camera.orbit(right_rad, up_rad),
            CameraCommand::Pan { right, up } => camera.pan(right, up),
            CameraCommand::Zoom { factor } => camera.zoom(factor),
            CameraCommand::Preset { preset } => {
                let file = self.shown_file();
                let playback = &self.state.playback;
                let front = find_front(&file.character, playback.clip, playback.time_secs);
                let camera = &mut self.state.camera;
                camera.front_rad = front.azimuth_rad;
                match preset {
                    Preset::Home => self.go_home(),
                    preset => camera.set_preset(preset),
                }
            }
            CameraCommand::Frame => self.frame(self.state.selection, false),
            CameraCommand::Aspect { aspect } => {
                camera.aspect = within(aspect, 0.01, 100.0).unwrap_or(camera.aspect);
            }
            CameraCommand::Projection { projection } => camera.projection = projection,
            CameraCommand::Turntable { rad_per_sec } => {
                let rate = within(rad_per_sec, -10.0, 10.0);
                camera.turntable_rad_per_sec = rate.unwrap_or(camera.turntable_rad_per_sec);
            }
        }
    }

    pub(super) fn advance_turntable(&mut self, elapsed_secs: f64) -> bool {
        let camera = &mut self.state.camera;
        let by = camera.turntable_rad_per_sec * elapsed_secs as f32;
        camera.orbit(by, 0.0);
        by != 0.0
    }

    pub(super) fn go_home(&mut self) {
        self.state.camera.set_preset(Preset::Home);
        let duration = self.shown_file().duration_secs(self.state.playback.clip);
        let [begin, middle] = [0.0, 0.5].map(|part| {
            let figure = self.figure_at(0, part * duration);
            bounds(&figure.map_or(Vec::new(), |figure| joints(figure.actor)))
        });
        let size = (begin[1] - begin[0]).length();
        let moved = 0.5 * (middle[0] + middle[1] - begin[0] - begin[1]).length();
        // A clip that goes out of the picture is framed as a whole.
        self.frame(Selection::None, moved > 0.5 * size);
    }

    /// Points of all figures in their current pose.
    fn all_points(&mut self) -> Vec<Vec3> {
        self.points_at(self.state.playback.time_secs)
    }

    fn points_at(&mut self, time_secs: f64) -> Vec<Vec3> {
        let mut everything = Vec::new();
        for pane in 0..self.state.panes.len() {
            if let Some(figure) = self.figure_at(pane, time_secs) {
                everything.extend(points(figure.actor));
            }
        }
        everything.retain(|point| point.is_finite());
        everything
    }

    /// Zoom relative to the view that frames everything. 2 means half the distance.
    pub(crate) fn zoom_over_framed(&mut self) -> f32 {
        let everything = self.all_points();
        let camera = &self.state.camera;
        let mut framing = Framing::new(camera.from_target(), camera.fov_y_rad, camera.aspect);
        everything.iter().for_each(|&point| framing.add(point));
        let seen = framing.camera();
        let zoom = seen.eye.distance(seen.target) / camera.distance;
        if zoom.is_finite() { zoom } else { 1.0 }
    }

    /// Frames a selection in the current pose, or everything. `is_whole` includes where the clip goes.
    fn frame(&mut self, selection: Selection, is_whole: bool) {
        let mut everything = self.all_points();
        let [low, high] = bounds(&everything);
        let radius = 0.5 * (high - low).length();
        if is_whole {
            let duration = self.shown_file().duration_secs(self.state.playback.clip);
            let parts = [0.0, 0.25, 0.5, 0.75, 1.0];
            everything.extend(
                parts
                    .iter()
                    .flat_map(|part| self.points_at(part * duration)),
            );
        }
        let framed = match selection {
            Selection::None => everything,
            selection => self.selected_points(selection, radius),
        };
        let camera = &mut self.state.camera;
        camera.radius = radius.clamp(MIN_DISTANCE, MAX_DISTANCE);
        let from = camera.from_target();
        let mut framing = Framing::new(from, camera.fov_y_rad, camera.aspect);
        framed.iter().for_each(|&point| framing.add(point));
        if framed.is_empty() {
            return;
        }
        let seen = framing.camera();
        let distance = seen.eye.distance(seen.target);
        if seen.target.is_finite() && distance.is_finite() {
            camera.look_at(seen.target);
            camera.distance = distance.clamp(MIN_DISTANCE, MAX_DISTANCE);
        }
    }

    /// Points of the selection in the current pose, with a margin around a single point.
    fn selected_points(&mut self, selection: Selection, radius: f32) -> Vec<Vec3> {
        let Some(figure) = self.figure(0) else {
            return Vec::new();
        };
        let (character, actor) = (figure.character, figure.actor);
        let mut found = match selection {
            Selection::None => Vec::new(),
            Selection::Joint(joint) => {
                let skins = &character.skins;
                let is_moved = |part: &Part, vertex: usize| {
                    let influences = part.surface().influences.as_ref();
                    let heaviest = influences.and_then(|i| i.heaviest(vertex));
                    let skin = part.skin().and_then(|skin| skins.get(skin));
                    let own = heaviest.zip(skin).and_then(|((j, _), s)| s.joints.get(j));
                    own == Some(&joint)
                };
                let mut found = vertices(actor, is_moved);
                if let Ok(pose) = actor.model_pose() {
                    let below = character.skeleton.children(joint);
                    let joints = below.chain([joint]).map(|j| pose.get(j).translation());
                    found.extend(joints);
                }
                found
            }
            Selection::Node(node) => {
                let is_below = |part: &Part| {
                    let above = |node: &usize| character.nodes[*node].parent;
                    let mut chain = std::iter::successors(Some(part.node), above);
                    chain.any(|above| above == node)
                };
                let mut found = vertices(actor, |part, _| is_below(part));
                if let Ok(pose) = actor.model_pose() {
                    let worlds = character.node_worlds(pose);
                    found.push(worlds[node].translation());
                }
                found
            }
            Selection::Vertex { primitive, vertex } => {
                let wanted = actor.rig().parts().get(primitive).map(Part::vertices);
                vertices(actor, |part, v| {
                    v == vertex && Some(part.vertices()) == wanted
                })
            }
        };
        found.retain(|point| point.is_finite());
        let [low, high] = bounds(&found);
        let room = POINT_RADIUS * radius;
        if !found.is_empty() && (high - low).length() < room {
            let middle = 0.5 * (low + high);
            found.extend([middle - Vec3::splat(room), middle + Vec3::splat(room)]);
        }
        found
    }
}

fn bounds(points: &[Vec3]) -> [Vec3; 2] {
    let first = points.first().copied().unwrap_or_default();
    let both = |[low, high]: [Vec3; 2], point: &Vec3| [low.min(*point), high.max(*point)];
    points.iter().fold([first; 2], both)
}

/// Up to [`FRAMED_VERTICES`] vertices of an actor in its current pose, or else its joints.
fn points(actor: &mut Actor) -> Vec<Vec3> {
    let rig = actor.rig().clone();
    let every = rig.vertices().div_ceil(FRAMED_VERTICES).max(1);
    let parts = rig.parts().iter().enumerate();
    let some = parts.flat_map(|(index, part)| {
        let vertices = (0..part.surface().len()).step_by(every);
        vertices.map(move |vertex| (index, vertex))
    });
    let found = posed(actor, some);
    if found.is_empty() {
        return joints(actor);
    }
    found
}

fn joints(actor: &mut Actor) -> Vec<Vec3> {
    let pose = actor.model_pose();
    pose.map_or(Vec::new(), |pose| {
        pose.as_slice().iter().map(Affine::translation).collect()
    })
}

/// Vertices that `is_wanted` accepts, in the current pose. Skips vertices if there are too many.
fn vertices(actor: &mut Actor, is_wanted: impl Fn(&Part, usize) -> bool) -> Vec<Vec3> {
    let rig = actor.rig().clone();
    let mut wanted = Vec::new();
    for (index, part) in rig.parts().iter().enumerate() {
        let own = (0..part.surface().len()).filter(|&vertex| is_wanted(part, vertex));
        wanted.extend(own.map(|vertex| (index, vertex)));
    }
    let every = wanted.len().div_ceil(FRAMED_VERTICES).max(1);
    posed(actor, wanted.into_iter().step_by(every))
}

/// Positions of vertices, given by part and index, in the current pose. Always skins linearly,
/// because the methods differ by less than the margin of a picture.
fn posed(actor: &mut Actor, wanted: impl Iterator<Item = (usize, usize)>) -> Vec<Vec3> {
    let rig = actor.rig().clone();
    let Ok(pose) = actor.model_pose().cloned() else {
        return Vec::new();
    };
    let mut palettes: Vec<Palette> = Vec::new();
    for skin in rig.skins() {
        let mut palette = Palette::default();
        if palette.update(skin, pose.as_slice()).is_err() {
            return Vec::new();
        }
        palettes.push(palette);
    }
    let own = |part: usize| match actor.palette(part) {
        Ok(PaletteRef::Linear([map])) => *map,
        _ => Affine::IDENTITY,
    };
    let node_maps: Vec<Affine> = (0..rig.parts().len()).map(own).collect();
    let moved = |(index, vertex): (usize, usize)| {
        let part = &rig.parts()[index];
        let surface = part.surface();
        let at = surface.positions[vertex];
        match (part.skin(), &surface.influences) {
            (Some(skin), Some(influences)) => {
                let maps = palettes[skin].as_slice();
                let influences = influences.get(vertex);
                influences
                    .map(|(j, w)| maps[j].transform_point(at) * w)
                    .sum()
            }
            _ => node_maps[index].transform_point(at),
        }
    };
    wanted.map(moved).collect()
}
