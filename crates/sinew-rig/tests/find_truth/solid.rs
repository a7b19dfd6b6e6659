//! Inside or outside of a mesh, by its winding number (Jacobson, Kavan and Sorkine-Hornung 2013).

use glam::Vec3;

/// Times that the surface winds around a point: about 1 inside, 0 outside, also with holes.
pub fn winding(positions: &[Vec3], triangles: &[[u32; 3]], at: Vec3) -> f32 {
    let mut sum = 0.0;
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| positions[v as usize] - at);
        let [la, lb, lc] = [a.length(), b.length(), c.length()];
        let above = a.dot(b.cross(c));
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        sum += libm::atan2f(above, below);
    }
    sum / std::f32::consts::TAU
}

pub fn is_inside(positions: &[Vec3], triangles: &[[u32; 3]], at: Vec3) -> bool {
    winding(positions, triangles, at).abs() > 0.5
}

/// Corner nearest to a point, of the triangle nearest to it.
pub fn nearest(positions: &[Vec3], triangles: &[[u32; 3]], at: Vec3) -> usize {
    let corners = |t: &[u32; 3]| t.map(|v| positions[v as usize]);
    let away = |t: &&[u32; 3]| from_triangle(corners(t), at);
    let near = triangles.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    let from_corner = |v: &u32| positions[*v as usize].distance_squared(at);
    let corner = near.and_then(|t| {
        let least = |a: &&u32, b: &&u32| from_corner(a).total_cmp(&from_corner(b));
        t.iter().min_by(least)
    });
    corner.map_or(0, |v| *v as usize)
}

fn from_triangle([a, b, c]: [Vec3; 3], at: Vec3) -> f32 {
    let normal = (b - a).cross(c - a);
    let is_over = |[from, to]: [Vec3; 2]| normal.cross(to - from).dot(at - from) >= 0.0;
    if normal != Vec3::ZERO && [[a, b], [b, c], [c, a]].into_iter().all(is_over) {
        normal.normalize().dot(at - a).abs()
    } else {
        from_line(&[a, b, c, a], at)
    }
}

/// Distance of a point from a line of bones.
pub fn from_line(line: &[Vec3], at: Vec3) -> f32 {
    let from_bone = |bone: &[Vec3]| {
        let way = bone[1] - bone[0];
        let along = (at - bone[0]).dot(way) / way.length_squared().max(1e-12);
        at.distance(bone[0] + way * along.clamp(0.0, 1.0))
    };
    let distances = line.windows(2).map(from_bone);
    distances.fold(f32::INFINITY, f32::min)
}
