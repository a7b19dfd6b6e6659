//! Limbs of bodies.

use glam::Vec3;

/// Capsule, and the joints that may move it.
#[derive(Clone, Debug, PartialEq)]
pub struct Limb {
    /// Name of the limb. Several limbs may have the same name.
    pub name: String,
    /// Start of the axis.
    pub from: Vec3,
    /// End of the axis.
    pub to: Vec3,
    /// Distance from the axis to the surface.
    pub radius: f32,
    /// Prefixes of the names of joints that may move the limb.
    pub follows: Vec<String>,
}

impl Limb {
    /// Signed distance of a point from the surface, negative inside.
    pub fn distance(&self, position: Vec3) -> f32 {
        position.distance(self.nearest(position)) - self.radius
    }

    /// Unit direction away from the axis at a point.
    pub fn outward(&self, position: Vec3) -> Vec3 {
        (position - self.nearest(position)).normalize_or(Vec3::Y)
    }

    fn nearest(&self, position: Vec3) -> Vec3 {
        let way = self.to - self.from;
        let along = (position - self.from).dot(way) / way.length_squared().max(1e-12);
        self.from + way * along.clamp(0.0, 1.0)
    }
}
