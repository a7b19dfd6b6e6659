//! A drag of the gizmo: pixels become an amount, and the amount becomes an edit.

use super::pull::Pull;
use super::shape::{Gizmo, Handle};
use super::view::{View, along_line, angle_about, on_plane, snapped};
use crate::state::{PoseTool, State};
use egui::{Id, Pos2, Rect, Ui};
use glam::{Quat, Vec3};
use sinew_edit::{Moment, Name, PoseEdit, Space};
use sinew_gpu::grid_spacing;

/// Step of angles with Ctrl, in degrees.
const ANGLE_STEP: f32 = 15.0;

/// Step of factors with Ctrl.
const FACTOR_STEP: f32 = 0.1;

/// Angle between a ring and the line of sight, as a sine, below which the pointer slides along it.
const EDGE_ON: f32 = 0.2;

/// Drag in progress. Its amount is relative to the start.
#[derive(Clone, Debug)]
pub(super) struct Drag {
    pub handle: Handle,
    /// Gizmo at the start.
    pub gizmo: Gizmo,
    /// Joints that change, the one with the gizmo first.
    pub joints: Vec<usize>,
    /// Pull of the joint at the start. `None` for other tools, and for a joint without a parent.
    pub pull: Option<Pull>,
    /// Pose below at the start: what plays later does not move a joint that is being posed.
    over: Option<Moment>,
    start: Pos2,
    last: Pos2,
    /// Angle in degrees, distance or factor.
    raw: f32,
    /// Distance in the plane of the screen, in model space.
    offset: Vec3,
    /// Axis of rotation, of unit length in model space.
    axis: Vec3,
    step: f32,
    is_snapped: bool,
    /// Number that replaces the amount.
    pub typed: String,
    /// Edit that was sent last.
    pub sent: Option<PoseEdit>,
    /// True after Enter or Esc, until the button is released.
    pub is_over: bool,
}

impl Drag {
    pub fn new(gizmo: Gizmo, handle: Handle, start: Pos2, view: &View, state: &State) -> Self {
        let axis = match handle {
            Handle::Axis(axis) => gizmo.axes[axis],
            Handle::Screen | Handle::Pole => view.to_eye(gizmo.at),
        };
        let is_angle = gizmo.rotates(handle);
        Self {
            handle,
            gizmo,
            joints: state.selected_joints(),
            pull: None,
            over: state.moment(),
            start,
            last: start,
            raw: match gizmo.tool {
                PoseTool::Scale => 1.0,
                _ => 0.0,
            },
            offset: Vec3::ZERO,
            axis,
            step: match gizmo.tool {
                _ if is_angle => ANGLE_STEP,
                PoseTool::Scale => FACTOR_STEP,
                _ => grid_spacing(state.camera.radius) / 10.0,
            },
            is_snapped: false,
            typed: String::new(),
            sent: None,
            is_over: false,
        }
    }

    pub fn pulling(self, pull: Option<Pull>) -> Self {
        Self { pull, ..self }
    }

    /// Pole where the pointer dragged it. `None` in other drags.
    pub fn pole(&self) -> Option<Vec3> {
        let pole = self.pull.as_ref()?.pole?;
        (self.handle == Handle::Pole).then(|| pole + self.distance())
    }

    /// Follows the pointer.
    pub fn follow(&mut self, view: &View, to: Pos2, is_snapped: bool) {
        self.is_snapped = is_snapped;
        match self.gizmo.tool {
            _ if self.gizmo.rotates(self.handle) => {
                self.raw += self.angle(view, self.last, to).to_degrees();
            }
            PoseTool::Scale => self.raw = self.factor(view, to),
            _ => {
                let pole = self.gizmo.pole.filter(|_| self.handle == Handle::Pole);
                let at = pole.map_or(self.gizmo.at, |[_, pole]| pole);
                let ends = [self.start, to].map(|point| view.ray(point));
                if let Handle::Axis(_) = self.handle {
                    let [from, to] = ends.map(|ray| along_line(&ray, at, self.axis));
                    self.raw = from.zip(to).map_or(self.raw, |(from, to)| to - from);
                } else {
                    let [from, to] = ends.map(|ray| on_plane(&ray, at, view.back()));
                    self.offset = from.zip(to).map_or(self.offset, |(from, to)| to - from);
                }
            }
        }
        self.last = to;
    }

    /// Angle about the axis between two positions of the pointer, in (−π, π].
    fn angle(&self, view: &View, from: Pos2, to: Pos2) -> f32 {
        let at = self.gizmo.at;
        let eye = view.to_eye(at);
        if self.axis.dot(eye).abs() >= EDGE_ON {
            let ends = [from, to].map(|point| on_plane(&view.ray(point), at, self.axis));
            let [Some(from), Some(to)] = ends else {
                return 0.0;
            };
            return angle_about(self.axis, from - at, to - at);
        }
        // The front of a ring that is seen edge-on moves across the line of sight.
        let across = self.axis.cross(eye).normalize_or_zero();
        let ends = [from, to].map(|point| on_plane(&view.ray(point), at, eye));
        let [Some(from), Some(to)] = ends else {
            return 0.0;
        };
        let radius = self.gizmo.size * view.unit(at);
        ((to - from).dot(across) / radius).clamp(-3.0, 3.0)
    }

    fn factor(&self, view: &View, to: Pos2) -> f32 {
        let at = self.gizmo.at;
        let length = |point: Pos2| match self.handle {
            Handle::Axis(_) => along_line(&view.ray(point), at, self.axis),
            // The spot is small, so distances count from a point left of it.
            _ => view.point(at).map(|middle| point.x - middle.x + 100.0),
        };
        let factor = length(self.start).zip(length(to)).map(|(a, b)| b / a);
        let factor = factor.filter(|factor| factor.is_finite());
        factor.map_or(self.raw, |factor| factor.clamp(0.01, 100.0))
    }

    /// Angle in degrees, distance or factor: typed, or from the pointer.
    fn amount(&self) -> f32 {
        match self.typed.parse::<f32>() {
            Ok(typed) if typed.is_finite() => typed,
            _ if self.is_snapped => snapped(self.raw, self.step),
            _ => self.raw,
        }
    }

    /// Edit of the drag, relative to the document before it.
    pub fn edit(&self, state: &State) -> PoseEdit {
        if let Some(pull) = self.pulled() {
            return PoseEdit::Reach(pull.reach(state));
        }
        let joints: Vec<Name> = self.joints.iter().map(|&joint| joint.into()).collect();
        let (over, limits) = (self.over.clone(), state.posing.limits());
        let amount = self.amount();
        let unit = |axis: usize| Vec3::AXES[axis];
        match (self.gizmo.tool, self.handle) {
            (PoseTool::Rotate, handle) => {
                let (axis, space) = match handle {
                    Handle::Axis(axis) => (unit(axis), self.gizmo.space),
                    _ => (self.axis, Space::Model),
                };
                PoseEdit::Rotate {
                    joints,
                    rotation: Quat::from_axis_angle(axis, amount.to_radians()),
                    space,
                    over,
                    limits,
                }
            }
            (PoseTool::Scale, handle) => {
                let factor = if amount.abs() < 1e-3 { 1e-3 } else { amount };
                let by = match handle {
                    Handle::Axis(axis) => Vec3::ONE + unit(axis) * (factor - 1.0),
                    _ => Vec3::splat(factor),
                };
                PoseEdit::Scale { joints, by, over }
            }
            (_, handle) => {
                let (by, space) = match handle {
                    Handle::Axis(axis) => {
                        let by = unit(axis) * (amount / self.gizmo.lengths[axis]);
                        (by, self.gizmo.space)
                    }
                    _ => (self.distance(), Space::Model),
                };
                PoseEdit::Move {
                    joints,
                    by,
                    space,
                    over,
                    limits,
                }
            }
        }
    }

    /// Pull with the goal, rotation or pole that the pointer set.
    fn pulled(&self) -> Option<Pull> {
        let mut pull = self.pull.clone()?;
        match self.handle {
            Handle::Axis(_) => {
                let by = Quat::from_axis_angle(self.axis, self.amount().to_radians());
                pull.rotation = (by * pull.rotation).normalize();
            }
            Handle::Screen => pull.position += self.distance(),
            Handle::Pole => pull.pole = self.pole(),
        }
        Some(pull)
    }

    /// Distance in the plane of the screen. Snapped, its length is a multiple of the step.
    fn distance(&self) -> Vec3 {
        let length = self.offset.length();
        let wanted = match self.typed.parse::<f32>() {
            Ok(typed) if typed.is_finite() => typed,
            _ if self.is_snapped => snapped(length, self.step),
            _ => return self.offset,
        };
        self.offset.normalize_or_zero() * wanted
    }

    /// Amount for people, like `45.0°`.
    pub fn words(&self) -> String {
        let amount = match (self.gizmo.tool, self.handle) {
            _ if self.gizmo.rotates(self.handle) => format!("{:.1}°", self.amount()),
            (PoseTool::Scale, _) => format!("× {:.2}", self.amount()),
            (_, Handle::Axis(_)) => format!("{:.3}", self.amount()),
            _ => format!("{:.3}", self.distance().length()),
        };
        let axis = match self.handle {
            Handle::Axis(axis) => ["x ", "y ", "z "][axis],
            Handle::Screen => "",
            Handle::Pole => "pole ",
        };
        match self.typed.is_empty() {
            true => format!("{axis}{amount}"),
            false => format!("{axis}{amount} [{}]", self.typed),
        }
    }
}

/// Drag of this window, if one lasts.
pub(super) fn drag_in_progress(ui: &Ui) -> Option<Drag> {
    ui.data(|data| data.get_temp::<Option<Drag>>(Id::unique("gizmo drag")))?
}

pub(super) fn keep_drag(ui: &Ui, drag: Option<Drag>) {
    ui.data_mut(|data| data.insert_temp(Id::unique("gizmo drag"), drag));
}

/// Rectangle of the first pane in the last frame.
pub(super) fn picture(ui: &Ui) -> Option<Rect> {
    ui.data(|data| data.get_temp(Id::unique("gizmo picture")))
}

pub(super) fn keep_picture(ui: &Ui, pane_rect: Rect) {
    ui.data_mut(|data| data.insert_temp(Id::unique("gizmo picture"), pane_rect));
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};
    use sinew::Affine;

    fn drag(tool: PoseTool, handle: Handle, turn: [f32; 2]) -> (Drag, View) {
        let mut state = State::default();
        state.selection = crate::state::Selection::Joint(3);
        [state.camera.azimuth_rad, state.camera.elevation_rad] = turn;
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0));
        let view = View::new(&state.camera, rect);
        let at = Affine::from_translation(Vec3::new(0.1, 1.0, 0.2));
        let gizmo = Gizmo::new(tool, Space::Model, &at, &Affine::IDENTITY);
        let start = view.point(gizmo.at).expect("in front") + vec2(50.0, 0.0);
        (Drag::new(gizmo, handle, start, &view, &state), view)
    }

    #[test]
    fn a_ring_turns_with_the_pointer_through_more_than_a_full_turn() {
        let (mut drag, view) = drag(PoseTool::Rotate, Handle::Axis(2), [0.4, 0.2]);
        let at = drag.gizmo.at;
        let point = |degrees: f32| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            view.point(at + Vec3::new(cos, sin, 0.0) * 0.2)
                .expect("in front")
        };
        (drag.start, drag.last) = (point(0.0), point(0.0));
        for degrees in (0..=450).step_by(30) {
            drag.follow(&view, point(degrees as f32), false);
            assert!((drag.amount() - degrees as f32).abs() < 0.1, "{degrees}");
        }
        drag.follow(&view, point(52.0), true);
        assert!((drag.amount() - 405.0).abs() < 1e-3, "{}", drag.amount());
        drag.typed = "-45".to_owned();
        assert_eq!(drag.amount(), -45.0);
    }

    #[test]
    fn a_ring_seen_edge_on_turns_by_pixels_across() {
        // The y ring, from the front at its height.
        let (mut drag, view) = drag(PoseTool::Rotate, Handle::Axis(1), [0.0, 0.0]);
        let to = drag.start + vec2(drag.gizmo.size, 0.0);
        drag.follow(&view, to, false);
        assert!(
            (drag.amount() - 1.0_f32.to_degrees()).abs() < 1.0,
            "{}",
            drag.amount()
        );
    }

    #[test]
    fn an_arrow_moves_along_its_axis_to_the_pointer() {
        let (mut drag, view) = drag(PoseTool::Move, Handle::Axis(0), [0.4, 0.2]);
        let at = drag.gizmo.at;
        drag.start = view.point(at + Vec3::X * 0.1).expect("in front");
        let to = view.point(at + Vec3::X * 0.35).expect("in front");
        drag.follow(&view, to, false);
        assert!((drag.amount() - 0.25).abs() < 1e-3, "{}", drag.amount());
        drag.follow(&view, to, true);
        let steps = drag.amount() / drag.step;
        assert!((steps - steps.round()).abs() < 1e-4);
    }

    #[test]
    fn a_pulled_joint_stays_under_the_pointer() {
        let (mut drag, view) = drag(PoseTool::Pull, Handle::Screen, [0.4, 0.2]);
        drag.start = view.point(drag.gizmo.at).expect("in front");
        let to = drag.start + vec2(33.0, -21.0);
        drag.follow(&view, to, false);
        let moved = view
            .point(drag.gizmo.at + drag.distance())
            .expect("in front");
        assert!(moved.distance(to) < 0.05, "{moved:?} {to:?}");
    }
}
