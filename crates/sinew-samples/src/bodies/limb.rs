//! A limb: a rounded line, and the joints that may move it.

use glam::Vec3;

/// A limb: all within a distance of a line, and the beginnings of the names of joints that it follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Limb {
    /// What it is called; several may be called alike.
    pub name: String,
    /// Where its line begins.
    pub from: Vec3,
    /// Where its line ends.
    pub to: Vec3,
    /// How far from the line it reaches.
    pub radius: f32,
    /// What the names of joints begin with that may move it.
    pub follows: Vec<String>,
}

impl Limb {
    /// How far a place is outside.
    pub fn distance(&self, place: Vec3) -> f32 {
        place.distance(self.nearest(place)) - self.radius
    }

    /// The way out of it at a place.
    pub fn outward(&self, place: Vec3) -> Vec3 {
        (place - self.nearest(place)).normalize_or(Vec3::Y)
    }

    /// The nearest place on its line.
    fn nearest(&self, place: Vec3) -> Vec3 {
        let way = self.to - self.from;
        let along = (place - self.from).dot(way) / way.length_squared().max(1e-12);
        self.from + way * along.clamp(0.0, 1.0)
    }
}
