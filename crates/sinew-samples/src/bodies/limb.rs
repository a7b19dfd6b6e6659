//! A limb: a rounded line, and the joints that may move it.

use glam::Vec3;

/// A limb: all within a distance of a line, and the beginnings of the names of joints that it follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Limb {
    /// The name; several may have one.
    pub name: String,
    /// The begin of its line.
    pub from: Vec3,
    /// The end of its line.
    pub to: Vec3,
    /// The distance from the line that it reaches to.
    pub radius: f32,
    /// The beginnings of the names of joints that may move it.
    pub follows: Vec<String>,
}

impl Limb {
    /// The distance of a point from its surface, negative inside.
    pub fn distance(&self, place: Vec3) -> f32 {
        place.distance(self.nearest(place)) - self.radius
    }

    /// The way out of it at a position.
    pub fn outward(&self, place: Vec3) -> Vec3 {
        (place - self.nearest(place)).normalize_or(Vec3::Y)
    }

    /// The nearest position on its line.
    fn nearest(&self, place: Vec3) -> Vec3 {
        let way = self.to - self.from;
        let along = (place - self.from).dot(way) / way.length_squared().max(1e-12);
        self.from + way * along.clamp(0.0, 1.0)
    }
}
