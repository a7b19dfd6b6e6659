//! Tests of the corners of flat polygons.

use glam::DVec2;

/// True for a point in a triangle or on its sides, but not at a corner.
pub(super) fn is_inside(p: DVec2, [a, b, c]: [DVec2; 3]) -> bool {
    p != a
        && p != b
        && p != c
        && cross(a, b, p) >= 0.0
        && cross(b, c, p) >= 0.0
        && cross(c, a, p) >= 0.0
}

/// Twice the signed area of a triangle, positive if it is counter-clockwise.
pub(super) fn cross(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}
