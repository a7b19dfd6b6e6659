//! Drawings over the picture of a pane that depend on its camera and pose: names, gizmo and compass. They are made after
//! the picture, so that both show the same moment.

use super::gizmo::{self, Handled};
use super::pictures::Pictures;
use super::style::theme::{Palette, small};
use crate::session::Session;
use crate::state::{Overlay, Projection, Selection};
use egui::layers::ShapeIdx;
use egui::{Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Shape, Stroke, Ui, vec2};

/// Layer of the drawings of a pane, between its picture and the widgets on it.
pub(crate) struct Over {
    pane: usize,
    /// Rectangle of the pane, in points.
    pub rect: Rect,
    pub(super) gizmo: Handled,
    painter: Painter,
    place: ShapeIdx,
}

impl Over {
    /// Keeps a layer above what is painted so far.
    pub(super) fn new(ui: &Ui, pane: usize, rect: Rect) -> Self {
        let painter = ui.painter().with_clip_rect(rect);
        Self {
            pane,
            rect,
            gizmo: Handled::default(),
            place: painter.add(Shape::Noop),
            painter,
        }
    }

    /// Draws for the camera and pose of the picture, which is drawn.
    pub(crate) fn draw(&self, ui: &Ui, session: &Session, pictures: &dyn Pictures) {
        let state = session.state();
        let mut shapes = Vec::new();
        if self.pane == 0 {
            shapes = gizmo::shapes(ui, session, pictures, self.rect, self.gizmo.lit);
        }
        if state.look.overlays.contains(&Overlay::Names) {
            names(ui, session, pictures, (self.pane, self.rect), &mut shapes);
        }
        if self.pane == 0 && !state.window.is_picture_only {
            compass(ui, session, self.rect, &mut shapes);
        }
        self.painter.set(self.place, Shape::Vec(shapes));
    }
}

/// Names beside joints, parents first. Omits a name that would overlap another.
fn names(
    ui: &Ui,
    session: &Session,
    pictures: &dyn Pictures,
    (pane, pane_rect): (usize, Rect),
    shapes: &mut Vec<Shape>,
) {
    let Some(file) =
        (session.state().panes.get(pane)).and_then(|pane| session.document().file(pane.file))
    else {
        return;
    };
    let selected = match session.state().selection {
        Selection::Joint(joint) => Some(joint),
        _ => None,
    };
    let seen = pictures.joints(pane, pane_rect.width() / pane_rect.height());
    let mut taken: Vec<Rect> = Vec::new();
    let order = selected.into_iter().chain(0..seen.len());
    for joint in order {
        let Some(at) = seen.get(joint).copied().flatten() else {
            continue;
        };
        let name = file.character.skeleton.name(joint);
        let name = name.rsplit([':', '|']).next().unwrap_or(name);
        let at = pane_rect.min + vec2(at.x * pane_rect.width(), at.y * pane_rect.height());
        let is_selected = Some(joint) == selected;
        let ink = if is_selected {
            Palette::of(ui).accent
        } else {
            Color32::from_rgb(0xf4, 0xf4, 0xf0)
        };
        let words = ui.painter().layout_no_wrap(name.to_owned(), small(), ink);
        let corner = at + vec2(9.0, -words.size().y / 2.0);
        let rect = Rect::from_min_size(corner, words.size()).expand2(vec2(4.0, 1.0));
        if name.is_empty()
            || !pane_rect.contains_rect(rect)
            || taken.iter().any(|t| t.intersects(rect))
        {
            continue;
        }
        taken.push(rect);
        let back = Color32::from_black_alpha(150);
        shapes.push(Shape::rect_filled(rect, CornerRadius::same(3), back));
        shapes.push(Shape::galley(corner, words, ink));
    }
}

/// Axes of the model, as the camera sees them.
fn compass(ui: &Ui, session: &Session, pane_rect: Rect, shapes: &mut Vec<Shape>) {
    if pane_rect.width() < 160.0 || pane_rect.height() < 120.0 {
        return;
    }
    let camera = &session.state().camera;
    let middle = pane_rect.left_bottom() + vec2(40.0, -40.0);
    let (sin_a, cos_a) = camera.azimuth_rad.sin_cos();
    let (sin_e, cos_e) = camera.elevation_rad.sin_cos();
    let back = glam::Vec3::new(sin_a * cos_e, sin_e, cos_a * cos_e);
    let right = glam::Vec3::new(cos_a, 0.0, -sin_a);
    let up = back.cross(right);
    let mut axes = [
        (glam::Vec3::X, "x", Color32::from_rgb(0xd9, 0x5f, 0x57)),
        (glam::Vec3::Y, "y", Color32::from_rgb(0x7f, 0xb0, 0x5b)),
        (glam::Vec3::Z, "z", Color32::from_rgb(0x5f, 0x8f, 0xd9)),
    ];
    axes.sort_by(|a, b| a.0.dot(back).total_cmp(&b.0.dot(back)));
    for (axis, name, color) in axes {
        let tip = middle + vec2(axis.dot(right), -axis.dot(up)) * 22.0;
        let stroke = Stroke::new(2.0, color);
        shapes.push(Shape::line_segment([middle, tip], stroke));
        shapes.push(Shape::circle_filled(tip, 6.5, color));
        let ink = Color32::from_rgb(0x14, 0x15, 0x18);
        let font = FontId::proportional(10.5);
        shapes.push(text(ui, tip, Align2::CENTER_CENTER, (name, font, ink)));
    }
    if camera.projection == Projection::Orthographic {
        let words = ("orthographic", small(), Palette::of(ui).dim);
        let place = middle + vec2(38.0, 22.0);
        shapes.push(text(ui, place, Align2::LEFT_CENTER, words));
    }
}

fn text(ui: &Ui, at: Pos2, anchor: Align2, (words, font, ink): (&str, FontId, Color32)) -> Shape {
    let galley = ui.painter().layout_no_wrap(words.to_owned(), font, ink);
    let place = anchor.anchor_size(at, galley.size());
    Shape::galley(place.min, galley, ink)
}
