//! Rotates a joint to compensate for the errors of its ancestors. A joint is encoded after its
//! ancestors, so the decoded position of its origin is known. The joint rotates so that its shell
//! points and the origins of its children are as near to their true positions as possible. So
//! errors do not add up along a chain: an elbow corrects the error of its shoulder.

use crate::sampled::frames::{Local, cross, distance, rotate, solve3, unit};
use sinew::skeleton::Skeleton;
use sinew_math::transform::quat_f64::QuatF64;

/// Total weight of the points beyond the shell. Each shell point has weight 1.
const FAR_WEIGHT: f64 = 3.0;
const MAX_POINTS: usize = 64;
/// Fraction of the shell distance within which a point counts as the joint itself.
const AT_JOINT: f64 = 1e-3;

/// Point that moves with a joint, in the frame of the joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub position: [f64; 3],
    /// Max error of the point.
    pub allowed: f64,
}

/// Points that move with a joint, and the rotation that corrects an error of its origin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compensation {
    pub points: Vec<Point>,
    /// Max error of any point.
    pub max_error: f64,
    /// Factor on the rotation steps, up to 1. A smaller factor leaves more error to descendants.
    pub care: f64,
    /// Map from an error of the origin, in the frame of the joint, to the best correcting rotation.
    rotation_from_error: [[f64; 3]; 3],
}

pub(crate) struct FreeJoints<'s> {
    pub skeleton: &'s Skeleton,
    /// True for joints with a packed rotation. Such joints correct errors of their ancestors.
    pub rotates: Vec<bool>,
    /// True for joints with a packed translation.
    pub slides: Vec<bool>,
    /// Local transform of each joint at the first instant.
    pub still: Vec<Local>,
}

impl Compensation {
    /// Correction of one joint. `passed_on` is the fraction of `max_error` at origins of children.
    pub fn new(
        joint: usize,
        free: &FreeJoints<'_>,
        shell: f64,
        max_error: f64,
        passed_on: f64,
    ) -> Self {
        let mut points = Vec::new();
        let add_shell = |origin: [f64; 3], rotation: QuatF64, points: &mut Vec<Point>| {
            for axis in 0..3 {
                let mut arm = [0.0; 3];
                arm[axis] = shell;
                let arm = rotate(rotation, arm);
                points.push(Point {
                    position: [0, 1, 2].map(|c| origin[c] + arm[c]),
                    allowed: max_error,
                });
            }
        };
        add_shell([0.0; 3], QuatF64::IDENTITY, &mut points);
        let mut stack = vec![(joint, [0.0; 3], QuatF64::IDENTITY)];
        while let Some((parent, origin, rotation)) = stack.pop() {
            for child in free.skeleton.children(parent) {
                if free.slides[child] {
                    continue;
                }
                let still = &free.still[child];
                let arm = rotate(rotation, still.translation);
                let position = [0, 1, 2].map(|c| origin[c] + arm[c]);
                if free.rotates[child] {
                    points.push(Point {
                        position,
                        allowed: max_error * passed_on,
                    });
                } else {
                    let rotation = rotation.mul(still.rotation);
                    add_shell(position, rotation, &mut points);
                    stack.push((child, position, rotation));
                }
            }
        }
        let near = AT_JOINT * shell;
        let mut kept: Vec<Point> = Vec::new();
        for point in outermost(points) {
            let same = |k: &Point| distance(k.position, point.position) < near;
            if distance(point.position, [0.0; 3]) > near && !kept.iter().any(same) {
                kept.push(point);
            }
        }
        Self {
            rotation_from_error: rotation_from_error(&kept),
            max_error,
            care: 1.0,
            points: kept,
        }
    }

    /// Max steps of a half-angle rotation that keep every point within its max error.
    pub fn steps(&self) -> [f64; 3] {
        [0, 1, 2].map(|axis| {
            let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
            let step = |p: &Point| {
                let lever = (p.position[a] * p.position[a] + p.position[b] * p.position[b]).sqrt();
                p.allowed / lever.max(1e-12)
            };
            self.points.iter().map(step).fold(1.0, f64::min)
        })
    }

    /// Rotates `rotation` to correct an origin that is off by `error`. Both are in model space.
    pub fn corrected(&self, rotation: QuatF64, error: [f64; 3]) -> QuatF64 {
        let error = rotate(rotation.conjugate(), error);
        let half = [0, 1, 2].map(|r| {
            let m = &self.rotation_from_error[r];
            0.5 * (m[0] * error[0] + m[1] * error[1] + m[2] * error[2])
        });
        unit(rotation.mul(QuatF64 { v: half, w: 1.0 }))
    }
}

/// Keeps at most [`MAX_POINTS`] points: the shell of the joint, and the farthest point in each of
/// 27 directions. A rotation or shift moves the outermost points farthest.
fn outermost(points: Vec<Point>) -> Vec<Point> {
    if points.len() <= MAX_POINTS {
        return points;
    }
    let mut kept = points[..3].to_vec();
    for direction in 0..27_u32 {
        let way = [1, 3, 9].map(|power| f64::from(direction / power % 3) - 1.0);
        let along =
            |p: &Point| way[0] * p.position[0] + way[1] * p.position[1] + way[2] * p.position[2];
        for is_origin in [false, true] {
            let alike = points
                .iter()
                .filter(|p| (p.allowed < points[0].allowed) == is_origin);
            kept.extend(alike.max_by(|a, b| along(a).total_cmp(&along(b))));
        }
    }
    kept
}

/// Least squares to first order: Σ w (|p|² I − p pᵀ) δ = −(Σ w p) × e.
fn rotation_from_error(points: &[Point]) -> [[f64; 3]; 3] {
    let far = points.len().saturating_sub(3).max(1) as f64;
    let mut normal = [[0.0; 3]; 3];
    let mut sum = [0.0; 3];
    for (index, point) in points.iter().enumerate() {
        let weight = if index < 3 { 1.0 } else { FAR_WEIGHT / far };
        let p = point.position;
        let square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
        for r in 0..3 {
            sum[r] += weight * p[r];
            for c in 0..3 {
                let diagonal = if r == c { square } else { 0.0 };
                normal[r][c] += weight * (diagonal - p[r] * p[c]);
            }
        }
    }
    let mut matrix = [[0.0; 3]; 3];
    for column in 0..3 {
        let mut error = [0.0; 3];
        error[column] = -1.0;
        let moment = cross(sum, error);
        let Some(rotation) = solve3(normal, moment) else {
            return [[0.0; 3]; 3];
        };
        for row in 0..3 {
            matrix[row][column] = rotation[row];
        }
    }
    matrix
}
