//! Curves of a skeleton, and the straight bones between them.
//! Xu et al. (`docs/references.md`) treat joints of two bones. At a branch (pelvis, chest), each
//! outgoing bone has a curve that starts in the middle of the incoming bone. The bones of the root,
//! and the far half of the last bone of a chain, are straight and belong to one joint.

use super::bezier::BezierCurve;
use crate::weights::bones::segments::Segment;
use glam::DVec3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Equation (2): up to the given radius, or to half of the shorter bone.
    Narrow,
    /// Equation (1): to the middles of both bones.
    Wide,
}

#[derive(Clone, Debug)]
pub(crate) struct BoneCurve {
    /// Joints that move the first and the second bone, as indices in the skin.
    pub joints: [usize; 2],
    /// Influence radius of the joint.
    pub reach: f64,
    curve: BezierCurve,
    middles: [DVec3; 2],
    centre: DVec3,
    radius: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CurvePoint {
    /// Weight of the first joint of the curve.
    pub weight: f64,
    pub distance: f64,
    /// Nearest point of the curve.
    pub nearest: DVec3,
}

impl BoneCurve {
    fn new(joints: [usize; 2], reach: f64, curve: BezierCurve, middles: [DVec3; 2]) -> Self {
        let centre = (middles[0] + middles[1] + curve.joint) / 3.0;
        let far = |p: DVec3| p.distance(centre);
        let radius = far(middles[0]).max(far(middles[1])).max(far(curve.joint));
        Self {
            joints,
            reach,
            curve,
            middles,
            centre,
            radius,
        }
    }

    /// All curves of a skeleton.
    pub fn all(segments: &[Segment], reach: Reach) -> Vec<Self> {
        let joints = segments.iter().map(|s| s.start + 1);
        let children = segments.iter().filter_map(|s| s.child).map(|c| c + 1);
        let mut reaching = vec![None; joints.chain(children).max().unwrap_or(0)];
        for (index, segment) in segments.iter().enumerate() {
            if let Some(child) = segment.child {
                reaching[child] = Some(index);
            }
        }
        let mut curves = Vec::with_capacity(2 * segments.len());
        for segment in segments {
            let second = segment.middle();
            let joint = segment.from;
            if let Some(before) = reaching[segment.start] {
                let first = segments[before].middle();
                let halves = [joint.distance(first), joint.distance(second)];
                let farthest = halves[0].max(halves[1]);
                let radius = match (reach, segment.radius) {
                    (Reach::Wide, _) => farthest,
                    (Reach::Narrow, Some(radius)) => radius.min(farthest),
                    (Reach::Narrow, None) => halves[0].min(halves[1]),
                };
                let curve = BezierCurve::narrow(first, joint, second, radius);
                let owners = [segments[before].joint, segment.joint];
                curves.push(Self::new(owners, radius, curve, [first, second]));
            } else {
                curves.push(Self::straight(segment.joint, joint, second));
            }
            if segment.child.is_none() {
                curves.push(Self::straight(segment.joint, second, segment.to));
            }
        }
        curves
    }

    fn straight(joint: usize, from: DVec3, to: DVec3) -> Self {
        let curve = BezierCurve::wide(from, from, from);
        Self::new([joint; 2], from.distance(to), curve, [from, to])
    }

    /// Joint that moves the bone at a point of the curve.
    pub fn joint_at(&self, curve_point: &CurvePoint) -> usize {
        self.joints[usize::from(curve_point.weight < 0.5)]
    }

    /// Lower bound of the distance to the curve.
    pub fn min_distance(&self, point: DVec3) -> f64 {
        point.distance(self.centre) - self.radius
    }

    /// Nearest point on the curve or its straight ends. Of two equally near points, the mean.
    pub fn nearest(&self, point: DVec3) -> CurvePoint {
        let nearest = self.curve.smooth(point);
        let on_curve = CurvePoint {
            weight: nearest.weight,
            distance: nearest.distance,
            nearest: self.curve.at(nearest.weight),
        };
        let [first, second] = self.middles;
        let straight = |end: DVec3, middle: DVec3, weight: f64| {
            let nearest = nearest_on_segment(point, end, middle);
            let is_curve = nearest == end;
            CurvePoint {
                weight,
                distance: if is_curve {
                    f64::INFINITY
                } else {
                    point.distance(nearest)
                },
                nearest,
            }
        };
        let points = [
            on_curve,
            straight(self.curve.first, first, 1.0),
            straight(self.curve.second, second, 0.0),
        ];
        let least = points.iter().map(|curve_point| curve_point.distance);
        let least = least.fold(f64::INFINITY, f64::min);
        let (mut weight, mut at, mut total) = (0.0, DVec3::ZERO, 0.0);
        for curve_point in &points {
            let share = tie_share(curve_point.distance, least);
            weight += share * curve_point.weight;
            at += share * curve_point.nearest;
            total += share;
        }
        CurvePoint {
            weight: weight / total,
            distance: least,
            nearest: at / total,
        }
    }
}

impl BoneCurve {
    /// Strength of the blend of the joint at a point: 1 within half of the influence radius along
    /// the bones, 0 outside the radius or if no joint blends.
    pub fn blend_at(&self, point: DVec3) -> f64 {
        let weight = self.nearest(point).weight;
        if self.joints[0] == self.joints[1] {
            return 0.0;
        }
        (4.0 * weight.min(1.0 - weight)).clamp(0.0, 1.0)
    }
}

/// Share of a tie: 1 at the nearest distance, 0 at 0.1 % more, so that rounding does not decide.
pub(crate) fn tie_share(distance: f64, nearest: f64) -> f64 {
    let behind = distance - nearest;
    if behind <= 0.0 {
        1.0
    } else {
        (1.0 - behind / (1e-3 * nearest)).max(0.0)
    }
}

pub(crate) fn nearest_on_segment(point: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let along = to - from;
    let square = along.length_squared();
    if square == 0.0 {
        return from;
    }
    from + along * ((point - from).dot(along) / square).clamp(0.0, 1.0)
}
