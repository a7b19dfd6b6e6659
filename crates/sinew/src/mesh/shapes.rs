//! Generated boxes, ellipsoids, cylinders, cones and other surfaces of revolution. Triangles face
//! outward. Numbers of rings and sectors are clamped, up to 4096. Sizes should be finite.

use super::{Influences, Primitive};
use glam::{Vec3, Vec4};
use sinew_math::transform::{Affine, Axis};
use std::sync::Arc;

const MAX_DIVISIONS: usize = 4096;
/// Max power. Higher powers of the components of a direction underflow.
const MAX_POWER: f32 = 128.0;

/// Point of a curve that is rotated about an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProfilePoint {
    /// Position along the axis.
    pub along: f32,
    /// Distance from the axis.
    pub radius: f32,
    /// Unit normal of the surface: component along the axis and component away from the axis.
    pub normal: [f32; 2],
}

/// Surface of revolution of smooth curves about a coordinate axis.
///
/// With the axis drawn to the right and the radius upward, the outside is on the left of each
/// curve. Separate curves that meet form a sharp edge. Vertices are in order of rings, with
/// `sectors` per ring. At the end, one vertex follows per point of radius 0. Sectors begin on the
/// axis after `axis` (y after x, z after y, x after z) and continue right-handed.
pub fn lathe(axis: Axis, curves: &[&[ProfilePoint]], sectors: usize) -> Primitive {
    let sectors = sectors.clamp(3, MAX_DIVISIONS);
    let on_axis = |point: &ProfilePoint| point.radius == 0.0;
    let points = || curves.iter().copied().flatten();
    let mut positions = Vec::new();
    let mut normals = Vec::new();
    let place = |along: f32, away: f32, sector: usize| {
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * sector as f64 / sectors as f64);
        let mut p = [0.0; 3];
        p[axis.index()] = along;
        p[(axis.index() + 1) % 3] = (f64::from(away) * cos) as f32;
        p[(axis.index() + 2) % 3] = (f64::from(away) * sin) as f32;
        Vec3::from_array(p)
    };
    for point in points().filter(|p| !on_axis(p)) {
        for sector in 0..sectors {
            positions.push(place(point.along, point.radius, sector));
            normals.push(place(point.normal[0], point.normal[1], sector));
        }
    }
    let mut next_ring = 0;
    let mut next_pole = positions.len() as u32;
    for point in points().filter(|p| on_axis(p)) {
        positions.push(place(point.along, 0.0, 0));
        normals.push(axis.vector() * point.normal[0].signum());
    }
    let mut indices = Vec::new();
    for curve in curves {
        let rows: Vec<Row> = curve
            .iter()
            .map(|point| {
                if on_axis(point) {
                    next_pole += 1;
                    Row::Pole(next_pole - 1)
                } else {
                    next_ring += sectors as u32;
                    Row::Ring(next_ring - sectors as u32)
                }
            })
            .collect();
        for pair in rows.windows(2) {
            stitch(pair[0], pair[1], sectors as u32, &mut indices);
        }
    }
    surface(positions, normals, indices)
}

#[derive(Clone, Copy)]
enum Row {
    Ring(u32),
    Pole(u32),
}

fn stitch(here: Row, there: Row, sectors: u32, indices: &mut Vec<u32>) {
    for k in 0..sectors {
        let next = (k + 1) % sectors;
        match (here, there) {
            (Row::Ring(a), Row::Ring(c)) => {
                indices.extend([a + k, a + next, c + k, a + next, c + next, c + k]);
            }
            (Row::Ring(a), Row::Pole(c)) => indices.extend([a + k, a + next, c]),
            (Row::Pole(a), Row::Ring(c)) => indices.extend([a, c + next, c + k]),
            (Row::Pole(_), Row::Pole(_)) => {}
        }
    }
}

fn surface(positions: Vec<Vec3>, normals: Vec<Vec3>, indices: Vec<u32>) -> Primitive {
    Primitive {
        positions: Arc::new(positions),
        normals: Some(Arc::new(normals)),
        indices: Some(Arc::new(indices)),
        ..Primitive::default()
    }
}

/// Sphere about the origin.
///
/// ```
/// use sinew::mesh::{shapes, volume};
/// let ball = shapes::sphere(1.0, 64, 64);
/// assert!((volume(&ball.positions, ball.triangles()) / 4.18879 - 1.0).abs() < 0.01);
/// ```
pub fn sphere(radius: f32, rings: usize, sectors: usize) -> Primitive {
    ellipsoid(Vec3::splat(radius), rings, sectors)
}

/// Ellipsoid |x/a|² + |y/b|² + |z/c|² = 1, with poles on the y axis.
pub fn ellipsoid(radii: Vec3, rings: usize, sectors: usize) -> Primitive {
    superellipsoid(radii, 2.0, rings, sectors)
}

/// Superellipsoid |x/a|ⁿ + |y/b|ⁿ + |z/c|ⁿ = 1, with poles on the y axis: an ellipsoid for n = 2
/// and nearly a box for large n. `power` is n, clamped to [1, 128].
pub fn superellipsoid(radii: Vec3, power: f32, rings: usize, sectors: usize) -> Primitive {
    let power = match power.is_nan() {
        true => 1.0,
        false => power.clamp(1.0, MAX_POWER),
    };
    let rings = rings.clamp(1, MAX_DIVISIONS);
    let half_circle: Vec<ProfilePoint> = (0..=rings + 1)
        .map(|ring| {
            let angle = std::f64::consts::PI * ring as f64 / (rings + 1) as f64;
            let (sin, cos) = libm::sincos(angle);
            let is_pole = ring == 0 || ring == rings + 1;
            let radius = if is_pole { 0.0 } else { sin as f32 };
            ProfilePoint {
                along: -cos as f32,
                radius,
                normal: [-cos as f32, radius],
            }
        })
        .collect();
    let ball = lathe(Axis::Y, &[&half_circle], sectors);
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for direction in ball.positions.iter() {
        let sizes = direction.to_array().map(|c| libm::powf(c.abs(), power));
        let length = libm::powf(sizes.iter().sum(), 1.0 / power);
        let unit = *direction / length;
        let gradient = unit
            .to_array()
            .map(|c| libm::powf(c.abs(), power - 1.0).copysign(c));
        positions.push(unit * radii);
        normals.push((Vec3::from_array(gradient) / radii).normalize_or(*direction));
    }
    Primitive {
        positions: Arc::new(positions),
        normals: Some(Arc::new(normals)),
        ..ball
    }
}

/// Box about the origin with flat sides.
pub fn cuboid(size: Vec3) -> Primitive {
    let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for axis in 0..3 {
        for side in [-1.0_f32, 1.0] {
            let mut normal = Vec3::ZERO;
            normal[axis] = side;
            let first = positions.len() as u32;
            for (u, v) in [(-side, -1.0), (side, -1.0), (side, 1.0), (-side, 1.0)] {
                let mut corner = normal;
                corner[(axis + 1) % 3] = u;
                corner[(axis + 2) % 3] = v;
                positions.push(corner * size * 0.5);
                normals.push(normal);
            }
            indices.extend([0, 1, 2, 0, 2, 3].map(|corner| first + corner));
        }
    }
    surface(positions, normals, indices)
}

/// Straight tube, cylinder or cone from the origin.
///
/// ```
/// use sinew::mesh::shapes::Cylinder;
/// let cone = Cylinder { radii: [1.0, 0.0], ..Cylinder::default() }.build();
/// assert!(cone.positions.iter().any(|p| p.y == 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Direction from the origin.
    pub axis: Axis,
    /// Length along the axis.
    pub length: f32,
    /// Radii at the start and the end.
    pub radii: [f32; 2],
    /// Number of vertex rings on the side, including both ends, at least 2.
    pub rings: usize,
    /// Number of vertices per ring, at least 3.
    pub sectors: usize,
    /// True to close the ends with discs.
    pub capped: bool,
}

impl Default for Cylinder {
    fn default() -> Self {
        Self {
            axis: Axis::Y,
            length: 1.0,
            radii: [0.5; 2],
            rings: 2,
            sectors: 32,
            capped: true,
        }
    }
}

impl Cylinder {
    /// Surface of the cylinder, with sharp edges between discs and side.
    pub fn build(&self) -> Primitive {
        let rings = self.rings.clamp(2, MAX_DIVISIONS);
        let [start, end] = self.radii;
        let slant = Vec3::new(start - end, self.length, 0.0).normalize_or(Vec3::Y);
        let normal = [slant.x, slant.y];
        let side: Vec<ProfilePoint> = (0..rings)
            .map(|ring| {
                let part = ring as f32 / (rings - 1) as f32;
                ProfilePoint {
                    along: self.length * part,
                    radius: start + (end - start) * part,
                    normal,
                }
            })
            .collect();
        let disc = |along: f32, radii: [f32; 2], facing: f32| {
            radii.map(|radius| ProfilePoint {
                along,
                radius,
                normal: [facing, 0.0],
            })
        };
        let first = disc(0.0, [0.0, start], -1.0);
        let last = disc(self.length, [end, 0.0], 1.0);
        let mut curves: Vec<&[ProfilePoint]> = vec![&side];
        if self.capped && start != 0.0 {
            curves.push(&first);
        }
        if self.capped && end != 0.0 {
            curves.push(&last);
        }
        lathe(self.axis, &curves, self.sectors)
    }
}

/// Joins surfaces, each with a transform and a vertex colour. Mirrored triangles face outward too.
pub fn merged(parts: &[(Primitive, Affine, Vec4)]) -> Primitive {
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    let (mut colors, mut indices) = (Vec::new(), Vec::new());
    for (part, whole_from_part, color) in parts {
        let first = positions.len();
        let outward = whole_from_part.determinant().signum();
        positions.extend(
            part.positions
                .iter()
                .map(|p| whole_from_part.transform_point(*p)),
        );
        let carried = |n: &Vec3| (whole_from_part.transform_area(*n) * outward).normalize_or(*n);
        normals.extend(part.normals.iter().flat_map(|n| n.iter()).map(carried));
        normals.resize(positions.len(), Vec3::Y);
        colors.resize(positions.len(), *color);
        for [a, b, c] in part.triangles() {
            let corners = if outward < 0.0 { [a, c, b] } else { [a, b, c] };
            indices.extend(corners.map(|v| (first + v) as u32));
        }
    }
    Primitive {
        colors: vec![Arc::new(colors)],
        ..surface(positions, normals, indices)
    }
}

/// Test cylinder for skinning methods: radius 1/2 along x from −2 to 2, with 64 rings of 64
/// vertices and a vertex at the centre of each end. Two joints are at the origin. The weight of the
/// second joint rises from 0 at x = −1 to 1 at x = 1.
pub fn bend_test_cylinder() -> Primitive {
    const RINGS: usize = 64;
    let middle = |along: f32| ProfilePoint {
        along,
        radius: 0.0,
        normal: [along.signum(), 0.0],
    };
    let mut profile = vec![middle(-2.0)];
    profile.extend((0..RINGS).map(|ring| ProfilePoint {
        along: (-2.0 + 4.0 * ring as f64 / (RINGS - 1) as f64) as f32,
        radius: 0.5,
        normal: [0.0, 1.0],
    }));
    profile.push(middle(2.0));
    let cylinder = lathe(Axis::X, &[&profile], 64);
    let weights = |p: &Vec3| {
        let second = ((p.x + 1.0) / 2.0).clamp(0.0, 1.0);
        vec![(0, 1.0 - second), (1, second)]
    };
    let lists: Vec<_> = cylinder.positions.iter().map(weights).collect();
    let (influences, _) = Influences::from_lists(&lists, 2).expect("two influences a vertex");
    Primitive {
        influences: Some(Arc::new(influences)),
        ..cylinder
    }
}
