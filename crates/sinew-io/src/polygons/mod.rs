//! Triangulation and smooth normals, for formats with polygons or without normals.

mod corners;
mod ears;

use crate::report::{FileReport, Severity};
use corners::{cross, is_inside};
use glam::{DVec2, DVec3, Vec3};
use sinew::Primitive;
use sinew::mesh::Weld;
use std::sync::Arc;

/// Max number of corner tests per corner of the file. It limits the time for a hostile file.
const LOOKS_PER_CORNER: u64 = 500;

/// Number of corner tests that small files may use.
const LOOKS: u64 = 1 << 22;

/// Min number of corners of a polygon that is cut with sorted rows, which is faster.
const LARGE: usize = 1000;

pub(crate) struct Cutter {
    looks: u64,
    /// Number of polygons cut as if convex, because they cross themselves or are too large.
    fans: usize,
}

impl Cutter {
    pub(crate) fn new() -> Self {
        Self {
            looks: LOOKS,
            fans: 0,
        }
    }

    /// Adds the triangles of a polygon to `out`: a fan if it is convex, otherwise ears. Keeps the
    /// order of corners.
    pub(crate) fn cut(
        &mut self,
        corners: &[u32],
        positions: impl Fn(u32) -> Vec3,
        out: &mut Vec<u32>,
    ) {
        self.looks += LOOKS_PER_CORNER * corners.len() as u64;
        match corners {
            [] | [_] | [_, _] => {}
            [_, _, _] => out.extend_from_slice(corners),
            _ => {
                let flat = flat(corners.iter().map(|&corner| positions(corner)));
                if corners.len() > LARGE {
                    let is_cut = ears::cut(&flat, &mut self.looks, |t| {
                        out.extend(t.map(|k| corners[k]));
                    });
                    self.fans += usize::from(!is_cut);
                } else {
                    self.cut_flat(corners, &flat, out);
                }
            }
        }
    }

    pub(crate) fn report_to(&self, report: &mut FileReport) {
        if self.fans > 0 {
            let message = format_args!(
                "{} polygons cross themselves or have too many corners, so their triangles may overlap",
                self.fans
            );
            report.add(Severity::Repaired, "POLYGONS", "", message);
        }
    }

    fn cut_flat(&mut self, corners: &[u32], flat: &[DVec2], out: &mut Vec<u32>) {
        let count = corners.len();
        let corner = |k: usize| flat[k % count];
        let is_convex = (0..count).all(|k| cross(corner(k), corner(k + 1), corner(k + 2)) >= 0.0);
        let mut left: Vec<usize> = (0..count).collect();
        while !is_convex && left.len() > 3 {
            let Some(ear) = self.ear(&left, flat) else {
                break;
            };
            let around = |k: usize| corners[left[(ear + k) % left.len()]];
            let before = around(left.len() - 1);
            out.extend([before, around(0), around(1)]);
            left.remove(ear);
        }
        if left.len() > 3 && !is_convex {
            self.fans += 1;
        }
        for pair in left[1..].windows(2) {
            out.extend([left[0], pair[0], pair[1]].map(|k| corners[k]));
        }
    }

    /// Finds a corner to cut off. It points outward, and its triangle contains no other corner.
    fn ear(&mut self, left: &[usize], flat: &[DVec2]) -> Option<usize> {
        let count = left.len();
        let at = |k: usize| flat[left[k % count]];
        for ear in 0..count {
            let (a, b, c) = (at(ear + count - 1), at(ear), at(ear + 1));
            if cross(a, b, c) <= 0.0 {
                continue;
            }
            self.looks = self.looks.checked_sub(count as u64)?;
            if !left.iter().any(|&k| is_inside(flat[k], [a, b, c])) {
                return Some(ear);
            }
        }
        None
    }
}

/// Projects a polygon onto its plane, seen from the front.
fn flat(positions: impl Iterator<Item = Vec3> + Clone) -> Vec<DVec2> {
    let points: Vec<DVec3> = positions.map(|p| p.as_dvec3()).collect();
    // Newell's normal also works for polygons that are not flat.
    let next = points.iter().cycle().skip(1);
    let normal: DVec3 = points.iter().zip(next).map(|(a, b)| a.cross(*b)).sum();
    let (x, y) = normal
        .try_normalize()
        .unwrap_or(DVec3::Z)
        .any_orthonormal_pair();
    let onto = |p: &DVec3| DVec2::new(p.dot(x), p.dot(y));
    points.iter().map(onto).collect()
}

/// Adds smooth normals to a primitive. They are smooth across seams of texture coordinates too.
pub(crate) fn add_normals(primitive: &mut Primitive) {
    let positions = &primitive.positions;
    let weld = Weld::by_position(positions);
    let up = vec![Vec3::Y; positions.len()];
    let mut normals = up.clone();
    let done =
        sinew::skin::mesh_normals(&weld, primitive.triangles(), positions, &up, &mut normals);
    if done.is_ok() {
        primitive.normals = Some(Arc::new(normals));
    }
}

/// Converts an sRGB value to linear light. The result is finite.
pub(crate) fn linear(encoded: f32) -> f32 {
    match encoded {
        dark if dark <= 0.04045 => dark / 12.92,
        light => ((light + 0.055) / 1.055).powf(2.4).min(f32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(points: &[Vec3], triangles: &[u32]) -> f32 {
        let corner = |k: u32| points[k as usize];
        let twice = |t: &[u32]| (corner(t[1]) - corner(t[0])).cross(corner(t[2]) - corner(t[0]));
        triangles.chunks(3).map(|t| 0.5 * twice(t).length()).sum()
    }

    fn star(points: u32) -> (Vec<Vec3>, f32) {
        let step = std::f32::consts::PI / points as f32;
        let at = |k: u32| {
            let radius = if k.is_multiple_of(2) { 2.0 } else { 0.5 };
            let angle = k as f32 * step;
            Vec3::new(radius * angle.cos(), 3.0, -radius * angle.sin())
        };
        let outline = (0..2 * points).map(at).collect();
        (outline, points as f32 * 2.0 * 0.5 * step.sin())
    }

    #[test]
    fn concave_polygons_are_cut_within_their_outline() {
        for points in [4, 5, 40, 200] {
            let (outline, expected) = star(points);
            let corners: Vec<u32> = (0..2 * points).collect();
            let (mut cutter, mut triangles) = (Cutter::new(), Vec::new());
            cutter.cut(&corners, |k| outline[k as usize], &mut triangles);
            assert_eq!(triangles.len(), 3 * (corners.len() - 2));
            let found = area(&outline, &triangles);
            assert!(
                (found / expected - 1.0).abs() < 1e-4,
                "{points}: {found} {expected}"
            );
            assert_eq!(cutter.fans, 0);
            for t in triangles.chunks(3) {
                let [a, b, c] = [t[0], t[1], t[2]].map(|k| outline[k as usize]);
                assert!((b - a).cross(c - a).y >= 0.0, "a triangle is turned round");
            }
        }
    }

    fn large_outlines(count: u32) -> Vec<(&'static str, Vec<Vec3>, f32)> {
        let angle = |k: u32| std::f32::consts::TAU * k as f32 / count as f32;
        let circle = |k: u32| Vec3::new(angle(k).cos(), angle(k).sin(), 0.0);
        let (star, star_area) = star(count / 2);
        let circle = (0..count).map(circle).collect();
        vec![
            ("circle", circle, std::f32::consts::PI),
            ("star", star, star_area),
        ]
    }

    #[test]
    fn polygons_of_sixty_thousand_corners_are_cut_within_their_outline_soon() {
        for (what, outline, expected) in large_outlines(60_000) {
            let corners: Vec<u32> = (0..outline.len() as u32).collect();
            let (mut cutter, mut triangles) = (Cutter::new(), Vec::new());
            cutter.cut(&corners, |k| outline[k as usize], &mut triangles);
            assert_eq!(triangles.len(), 3 * (corners.len() - 2), "{what}");
            assert_eq!(cutter.fans, 0, "{what}");
            let found = area(&outline, &triangles);
            assert!(
                (found / expected - 1.0).abs() < 1e-3,
                "{what}: {found} {expected}"
            );
            // A fan would have many triangles at one corner.
            let mut uses = vec![0; corners.len()];
            triangles.iter().for_each(|&k| uses[k as usize] += 1);
            let most = uses.iter().max().unwrap();
            assert!(*most < 1000, "{what}: {most}");
        }
    }

    #[test]
    fn a_large_polygon_that_crosses_itself_ends_and_is_said() {
        let at = |k: u32| {
            let angle = k as f32 * 2.4;
            Vec3::new(angle.cos(), angle.sin(), 0.0) * (1.0 + 0.5 * (k as f32 * 0.7).sin())
        };
        let outline: Vec<Vec3> = (0..60_000).map(at).collect();
        let corners: Vec<u32> = (0..outline.len() as u32).collect();
        let (mut cutter, mut triangles) = (Cutter::new(), Vec::new());
        cutter.cut(&corners, |k| outline[k as usize], &mut triangles);
        assert_eq!(triangles.len(), 3 * (corners.len() - 2));
        let mut report = FileReport::default();
        cutter.report_to(&mut report);
        assert_eq!(report.count(Severity::Repaired), 1);
    }

    #[test]
    fn polygons_that_cross_themselves_and_points_on_a_line_end() {
        let bow = [Vec3::ZERO, Vec3::ONE, Vec3::X, Vec3::Y];
        let line: Vec<Vec3> = (0..50).map(|k| Vec3::X * k as f32).collect();
        for points in [&bow[..], &line, &[Vec3::ZERO; 9]] {
            let corners: Vec<u32> = (0..points.len() as u32).collect();
            let (mut cutter, mut triangles) = (Cutter::new(), Vec::new());
            cutter.cut(&corners, |k| points[k as usize], &mut triangles);
            assert_eq!(triangles.len(), 3 * (corners.len() - 2));
        }
    }
}
