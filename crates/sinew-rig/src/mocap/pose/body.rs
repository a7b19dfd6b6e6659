//! A skeleton in `f64` with markers. Its pose is a list of numbers: the position of the root, and
//! the coordinates of every joint that a marker can determine.

use super::coordinates::Coordinates;
use super::tree::Tree;
use crate::mocap::kabsch::rigid_fit;
use glam::{DMat3, DQuat, DVec3};
use sinew::Skeleton;
use sinew::transform::polar;

#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub parent: Option<usize>,
    pub rest: DQuat,
    /// Offset in the frame of the parent, in metres. The rest position for the root.
    pub offset: DVec3,
    pub coordinates: Coordinates,
    /// Index in a pose of the first number of this segment.
    pub first: usize,
    /// True if this segment or a descendant carries a marker. Other segments stay at rest.
    pub moves: bool,
    /// Index in a pose of the last number that moves this segment.
    pub last: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Attached {
    pub segment: usize,
    /// Offset in the frame of the segment, in metres.
    pub offset: DVec3,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub segments: Vec<Segment>,
    pub markers: Vec<Attached>,
    /// Length of a pose: its count of numbers.
    pub count: usize,
    /// Segments that can move, parents first.
    pub moving: Vec<usize>,
    /// Tree of the numbers, in which the numbers of a joint follow those of its parent.
    pub tree: Tree,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Placed {
    rotations: Vec<DQuat>,
    /// Rotation of each segment, in model space.
    pub frames: Vec<DMat3>,
    pub centres: Vec<DVec3>,
    /// For each number of the pose, the motion of its segment per unit of that number.
    pub twists: Vec<Twist>,
}

/// Motion of a rigid body: its angular velocity, and the velocity of the point at the root centre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Twist {
    pub angular: DVec3,
    pub linear: DVec3,
}

impl std::ops::Add for Twist {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            angular: self.angular + other.angular,
            linear: self.linear + other.linear,
        }
    }
}

impl std::ops::Mul<f64> for Twist {
    type Output = Self;

    fn mul(self, by: f64) -> Self {
        Self {
            angular: self.angular * by,
            linear: self.linear * by,
        }
    }
}

impl Placed {
    /// Offset of a position in model space from the centre of the root.
    pub fn about_root(&self, at: DVec3) -> DVec3 {
        at - self.centres[0]
    }
}

/// Seen positions in a frame, in the order of the markers of the body.
pub(crate) type MarkerFrame = Vec<Option<DVec3>>;

/// Number of coordinates of the root position. They come first in a pose.
pub(crate) const ROOT: usize = 3;

impl Body {
    /// Builds the body. Lengths are in model space and include joint scales.
    pub fn new(skeleton: &Skeleton, markers: Vec<Attached>) -> Self {
        let model = skeleton.rest_model();
        let frame = |joint: usize| {
            let affine = model.get(joint);
            let rows = polar::decompose(affine.linear_f64()).rotation;
            let columns = DMat3::from_cols_array_2d(&rows).transpose();
            let origin = affine.transform_point(glam::Vec3::ZERO).as_dvec3();
            (DQuat::from_mat3(&columns), origin)
        };
        let frames: Vec<(DQuat, DVec3)> = (0..skeleton.len()).map(frame).collect();
        let mut moves = vec![false; skeleton.len()];
        moves[0] = true;
        for marker in &markers {
            let mut at = Some(marker.segment);
            while let Some(joint) = at {
                moves[joint] = true;
                at = skeleton.parent(joint);
            }
        }
        let mut segments: Vec<Segment> = Vec::with_capacity(skeleton.len());
        let mut above: Vec<Option<usize>> = (0..ROOT).map(|k: usize| k.checked_sub(1)).collect();
        for joint in 0..skeleton.len() {
            let (rotation, at) = frames[joint];
            let parent = skeleton.parent(joint);
            let (from, origin) = parent.map_or((DQuat::IDENTITY, DVec3::ZERO), |p| frames[p]);
            let coordinates = Coordinates::new(&skeleton.freedom(joint).rotation);
            let first = above.len();
            let mut last = parent.map_or(ROOT - 1, |p| segments[p].last);
            if moves[joint] {
                for number in first..first + coordinates.count() {
                    above.push(Some(last));
                    last = number;
                }
            }
            segments.push(Segment {
                parent,
                rest: (from.inverse() * rotation).normalize(),
                offset: from.inverse() * (at - origin),
                coordinates,
                first,
                moves: moves[joint],
                last,
            });
        }
        Self {
            segments,
            markers,
            count: above.len(),
            moving: (0..moves.len()).filter(|&joint| moves[joint]).collect(),
            tree: Tree::new(above),
        }
    }

    /// Pose in which every segment is at rest.
    pub fn rest(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.count];
        q[..ROOT].copy_from_slice(&self.segments[0].offset.to_array());
        for segment in self.segments.iter().filter(|segment| segment.moves) {
            // Other coordinates are zero at rest.
            if let Coordinates::Framed { .. } = segment.coordinates {
                let numbers = segment.coordinates.numbers_of(DQuat::IDENTITY);
                let count = segment.coordinates.count();
                q[segment.first..][..count].copy_from_slice(&numbers[..count]);
            }
        }
        q
    }

    /// The only movable child of a segment. `None` if it has none, or several.
    pub fn only_next(&self, segment: usize) -> Option<usize> {
        let is_next = |s: &usize| {
            let next = &self.segments[*s];
            next.parent == Some(segment) && next.moves
        };
        let mut next = (segment + 1..self.segments.len()).filter(is_next);
        next.next().filter(|_| next.next().is_none())
    }

    /// Numbers of a segment. Empty if the segment cannot move.
    pub fn numbers<'q>(&self, segment: usize, q: &'q [f64]) -> &'q [f64] {
        let segment = &self.segments[segment];
        if segment.moves {
            &q[segment.first..][..segment.coordinates.count()]
        } else {
            &[]
        }
    }

    /// Calls `each` with every number and the segment that it moves directly.
    pub fn each_number(&self, mut each: impl FnMut(usize, usize)) {
        (0..ROOT).for_each(|number| each(number, 0));
        for &index in &self.moving {
            let segment = &self.segments[index];
            let own = segment.first..segment.first + segment.coordinates.count();
            own.for_each(|number| each(number, index));
        }
    }

    /// Calls `each` with every number and its segment, from the last number to the first.
    pub fn each_number_up(&self, mut each: impl FnMut(usize, usize)) {
        for &index in self.moving.iter().rev() {
            let segment = &self.segments[index];
            let own = segment.first..segment.first + segment.coordinates.count();
            own.rev().for_each(|number| each(number, index));
        }
        (0..ROOT).rev().for_each(|number| each(number, 0));
    }

    /// Index after the last number of the root.
    pub fn root_end(&self) -> usize {
        ROOT + self.segments[0].coordinates.count()
    }

    /// Rotation of a segment relative to its parent.
    pub fn local(&self, segment: usize, q: &[f64]) -> DQuat {
        let Segment {
            rest,
            coordinates,
            moves,
            ..
        } = &self.segments[segment];
        if *moves {
            *rest * coordinates.rotation(self.numbers(segment, q))
        } else {
            *rest
        }
    }

    /// Positions and rotations of all segments in a pose.
    pub fn placed(&self, q: &[f64]) -> Placed {
        let mut placed = Placed::default();
        self.pose_into(q, &mut placed);
        placed
    }

    /// Writes the positions and rotations of all segments to `placed`.
    pub fn pose_into(&self, q: &[f64], placed: &mut Placed) {
        placed
            .rotations
            .resize(self.segments.len(), DQuat::IDENTITY);
        placed.frames.resize(self.segments.len(), DMat3::IDENTITY);
        placed.centres.resize(self.segments.len(), DVec3::ZERO);
        placed.twists.resize(self.count, Twist::default());
        let root = DVec3::new(q[0], q[1], q[2]);
        for (nth, linear) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
            placed.twists[nth] = Twist {
                angular: DVec3::ZERO,
                linear,
            };
        }
        for &index in &self.moving {
            let segment = &self.segments[index];
            let (above, centre) = match segment.parent {
                Some(p) => (
                    placed.rotations[p],
                    placed.centres[p] + placed.frames[p] * segment.offset,
                ),
                None => (DQuat::IDENTITY, root),
            };
            let numbers = self.numbers(index, q);
            let (relative, axes) = segment.coordinates.rotation_and_axes(numbers);
            let rest = above * segment.rest;
            let arm = centre - root;
            for (nth, axis) in axes.iter().enumerate().take(numbers.len()) {
                let angular = rest * *axis;
                placed.twists[segment.first + nth] = Twist {
                    angular,
                    linear: arm.cross(angular),
                };
            }
            let rotation = (rest * relative).normalize();
            placed.rotations[index] = rotation;
            placed.frames[index] = DMat3::from_quat(rotation);
            placed.centres[index] = centre;
        }
    }

    /// Rest height of the root above the lowest joint, in metres.
    pub fn stands(&self) -> f64 {
        let mut rotations: Vec<DQuat> = Vec::with_capacity(self.segments.len());
        let mut heights: Vec<f64> = Vec::with_capacity(self.segments.len());
        let rest = self.rest();
        for (index, segment) in self.segments.iter().enumerate() {
            let (above, height) = match segment.parent {
                Some(p) => (rotations[p], heights[p]),
                None => (DQuat::IDENTITY, 0.0),
            };
            rotations.push((above * self.local(index, &rest)).normalize());
            heights.push(height + (above * segment.offset).y);
        }
        heights[0] - heights.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Position of a marker in model space.
    pub fn marker(&self, placed: &Placed, marker: usize) -> DVec3 {
        let Attached { segment, offset } = self.markers[marker];
        placed.centres[segment] + placed.frames[segment] * offset
    }

    /// Clamps a pose to the limits.
    pub fn clamp(&self, q: &mut [f64]) {
        for segment in self.segments.iter().filter(|s| s.moves) {
            let count = segment.coordinates.count();
            segment.coordinates.clamp(&mut q[segment.first..][..count]);
        }
    }

    /// Starting pose. Segments with enough markers follow the markers; others are as in `base`.
    /// `None` if the markers do not determine the position of the body.
    pub fn start(&self, seen: &MarkerFrame, base: &[f64]) -> Option<Vec<f64>> {
        let pairs_of = |segment: usize| -> Vec<(DVec3, DVec3)> {
            let markers = self.markers.iter().zip(seen);
            let own = markers.filter(|(m, _)| m.segment == segment);
            own.filter_map(|(m, seen)| Some((m.offset, (*seen)?)))
                .collect()
        };
        let mut q = base.to_vec();
        let root = &self.segments[0];
        let (rotation, at) = match rigid_fit(&pairs_of(0)) {
            Ok(fit) => (fit.rotation, fit.translation),
            Err(_) => {
                let placed = self.placed(base);
                let all: Vec<_> = (0..self.markers.len())
                    .filter_map(|m| Some((self.marker(&placed, m), seen[m]?)))
                    .collect();
                let fit = rigid_fit(&all).ok()?;
                let at = fit.rotation * placed.centres[0] + fit.translation;
                (fit.rotation * placed.rotations[0], at)
            }
        };
        q[..ROOT].copy_from_slice(&at.to_array());
        let mut set = |segment: &Segment, relative: DQuat| {
            let count = segment.coordinates.count();
            q[segment.first..][..count]
                .copy_from_slice(&segment.coordinates.numbers_of(relative)[..count]);
        };
        set(root, root.rest.inverse() * rotation);
        let mut rotations = vec![rotation];
        for (index, segment) in self.segments.iter().enumerate().skip(1) {
            let above = rotations[segment.parent.unwrap_or(0)] * segment.rest;
            let mut relative = if segment.moves {
                segment.coordinates.rotation(self.numbers(index, base))
            } else {
                DQuat::IDENTITY
            };
            if segment.moves
                && let Ok(fit) = rigid_fit(&pairs_of(index))
            {
                relative = above.inverse() * fit.rotation;
                set(segment, relative);
            }
            rotations.push(above * relative);
        }
        self.clamp(&mut q);
        Some(q)
    }
}
