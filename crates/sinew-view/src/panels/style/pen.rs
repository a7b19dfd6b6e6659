use egui::epaint::{PathShape, PathStroke};
use egui::{Color32, Painter, Pos2, Shape, Stroke, Vec2};

/// Draws lines and areas on a square of 16 × 16 units, from its upper left corner.
pub(super) struct Pen<'a> {
    painter: &'a Painter,
    origin: Pos2,
    color: Color32,
    stroke: Stroke,
    /// Screen points per unit of the square.
    scale: f32,
}

impl<'a> Pen<'a> {
    pub(super) fn new(painter: &'a Painter, origin: Pos2, scale: f32, color: Color32) -> Self {
        Self {
            painter,
            origin,
            color,
            stroke: Stroke::new(1.4, color),
            scale,
        }
    }

    fn at(&self, x: f32, y: f32) -> Pos2 {
        self.origin + Vec2::new(x, y) * self.scale
    }

    pub(super) fn line(&self, points: &[[f32; 2]]) {
        let points = points.iter().map(|p| self.at(p[0], p[1])).collect();
        self.painter.add(Shape::line(points, self.stroke));
    }

    pub(super) fn fill(&self, points: &[[f32; 2]]) {
        let points = points.iter().map(|p| self.at(p[0], p[1])).collect();
        let filled = Shape::convex_polygon(points, self.color, Stroke::NONE);
        self.painter.add(filled);
    }

    pub(super) fn ring(&self, x: f32, y: f32, radius: f32) {
        let radius = radius * self.scale;
        self.painter
            .circle_stroke(self.at(x, y), radius, self.stroke);
    }

    pub(super) fn dot(&self, x: f32, y: f32, radius: f32) {
        let radius = radius * self.scale;
        self.painter
            .circle_filled(self.at(x, y), radius, self.color);
    }

    pub(super) fn arc(&self, middle: [f32; 2], radius: f32, from: f32, to: f32) {
        let points: Vec<Pos2> = (0..=20)
            .map(|step| {
                let angle = from + (to - from) * step as f32 / 20.0;
                self.at(
                    middle[0] + radius * angle.cos(),
                    middle[1] + radius * angle.sin(),
                )
            })
            .collect();
        let path = PathShape::line(points, PathStroke::new(self.stroke.width, self.color));
        self.painter.add(path);
    }

    pub(super) fn diamond(&self, x: f32, y: f32, r: f32) {
        self.fill(&[[x, y - r], [x + r, y], [x, y + r], [x - r, y]]);
    }

    pub(super) fn ellipse(&self, from: f32, to: f32) {
        let points: Vec<Pos2> = (0..=24)
            .map(|step| {
                let angle = from + (to - from) * step as f32 / 24.0;
                self.at(8.0 + 5.8 * angle.cos(), 10.0 + 2.8 * angle.sin())
            })
            .collect();
        self.painter.add(Shape::line(points, self.stroke));
    }
}
