//! Compensation: what a joint does about the errors above it.
//!
//! When a joint's rotation is encoded, its ancestors have been, so where its origin really comes to lie is
//! known. It is turned so that the points that move with it (those of its own shell and the origins of its
//! children) come as near to their positions as turning can bring them. A shoulder that is off by a hair
//! is made good by the elbow's position, and nothing adds up along the arm.

use crate::sampled::frames::{Local, cross, distance, rotate, solve3, unit};
use sinew::skeleton::Skeleton;
use sinew_math::transform::quat_f64::QuatF64;

/// The weight of the points beyond the shell together, over that of each point of the shell.
const FAR_WEIGHT: f64 = 3.0;
/// More points than these are thinned out.
const MAX_POINTS: usize = 64;
/// Points nearer than this part of the shell are the joint itself.
const AT_JOINT: f64 = 1e-3;

/// A point that moves with a joint, in its frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub place: [f64; 3],
    /// The error that it may have.
    pub allowed: f64,
}

/// Points that move with one joint, and the rotation that makes up for its origin being off.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compensation {
    pub points: Vec<Point>,
    /// The error that any point may have.
    pub max_error: f64,
    /// The factor of the steps by which the joint is turned more finely than it would have to be for itself.
    pub care: f64,
    /// From where the origin is off, in the joint's frame, to the rotation that helps best.
    turn_from_error: [[f64; 3]; 3],
}

/// Joints that move by themselves.
pub(crate) struct FreeJoints<'s> {
    pub skeleton: &'s Skeleton,
    /// True for joints whose rotation is packed, and so corrects the errors above.
    pub turns: Vec<bool>,
    /// True for joints whose translation is packed.
    pub slides: Vec<bool>,
    /// Every joint where it stands when it does not move.
    pub still: Vec<Local>,
}

impl Compensation {
    /// `passed_on` is the part of `max_error` that the origins of children may be off by.
    pub fn new(
        joint: usize,
        free: &FreeJoints<'_>,
        shell: f64,
        max_error: f64,
        passed_on: f64,
    ) -> Self {
        let mut points = Vec::new();
        let add_shell = |origin: [f64; 3], turn: QuatF64, points: &mut Vec<Point>| {
            for axis in 0..3 {
                let mut arm = [0.0; 3];
                arm[axis] = shell;
                let arm = rotate(turn, arm);
                points.push(Point {
                    place: [0, 1, 2].map(|c| origin[c] + arm[c]),
                    allowed: max_error,
                });
            }
        };
        add_shell([0.0; 3], QuatF64::IDENTITY, &mut points);
        // Through children that do not move by themselves.
        let mut stack = vec![(joint, [0.0; 3], QuatF64::IDENTITY)];
        while let Some((parent, origin, turn)) = stack.pop() {
            for child in free.skeleton.children(parent) {
                if free.slides[child] {
                    continue;
                }
                let still = &free.still[child];
                let arm = rotate(turn, still.translation);
                let place = [0, 1, 2].map(|c| origin[c] + arm[c]);
                if free.turns[child] {
                    points.push(Point {
                        place,
                        allowed: max_error * passed_on,
                    });
                } else {
                    let turn = turn.mul(still.rotation);
                    add_shell(place, turn, &mut points);
                    stack.push((child, place, turn));
                }
            }
        }
        let near = AT_JOINT * shell;
        let mut kept: Vec<Point> = Vec::new();
        for point in outermost(points) {
            let same = |k: &Point| distance(k.place, point.place) < near;
            if distance(point.place, [0.0; 3]) > near && !kept.iter().any(same) {
                kept.push(point);
            }
        }
        Self {
            turn_from_error: turn_from_error(&kept),
            max_error,
            care: 1.0,
            points: kept,
        }
    }

    /// The largest step of each component of a half turn that moves no point by more than it may.
    pub fn steps(&self) -> [f64; 3] {
        [0, 1, 2].map(|axis| {
            let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
            let step = |p: &Point| {
                let lever = (p.place[a] * p.place[a] + p.place[b] * p.place[b]).sqrt();
                p.allowed / lever.max(1e-12)
            };
            self.points.iter().map(step).fold(1.0, f64::min)
        })
    }

    /// `turn` changed so that what moves with it is put right when the origin is off by `error`; both
    /// in the model's frame.
    pub fn corrected(&self, turn: QuatF64, error: [f64; 3]) -> QuatF64 {
        let error = rotate(turn.conjugate(), error);
        let half = [0, 1, 2].map(|r| {
            let m = &self.turn_from_error[r];
            0.5 * (m[0] * error[0] + m[1] * error[1] + m[2] * error[2])
        });
        unit(turn.mul(QuatF64 { v: half, w: 1.0 }))
    }
}

/// The points themselves, or of many those of the joint's own shell and the farthest in each of some directions: what
/// a rotation and a shift move farthest lies outermost.
fn outermost(points: Vec<Point>) -> Vec<Point> {
    if points.len() <= MAX_POINTS {
        return points;
    }
    let mut kept = points[..3].to_vec();
    for direction in 0..27_u32 {
        let way = [1, 3, 9].map(|place| f64::from(direction / place % 3) - 1.0);
        let along = |p: &Point| way[0] * p.place[0] + way[1] * p.place[1] + way[2] * p.place[2];
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
fn turn_from_error(points: &[Point]) -> [[f64; 3]; 3] {
    let far = points.len().saturating_sub(3).max(1) as f64;
    let mut normal = [[0.0; 3]; 3];
    let mut sum = [0.0; 3];
    for (index, point) in points.iter().enumerate() {
        let weight = if index < 3 { 1.0 } else { FAR_WEIGHT / far };
        let p = point.place;
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
        let Some(turn) = solve3(normal, moment) else {
            return [[0.0; 3]; 3];
        };
        for row in 0..3 {
            matrix[row][column] = turn[row];
        }
    }
    matrix
}
