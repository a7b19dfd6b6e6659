//! A skeleton in `f64` with markers on it, its pose one list of numbers: where the root is, and the
//! coordinates of every joint that a marker can tell about.

use super::coordinates::Coordinates;
use super::kabsch::rigid_fit;
use glam::{DMat3, DQuat, DVec3};
use sinew::Skeleton;
use sinew::transform::polar;

/// A joint and what moves with it.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub parent: Option<usize>,
    pub rest: DQuat,
    /// From the parent, in its frame, in metres; of the root, where it rests.
    pub offset: DVec3,
    pub coordinates: Coordinates,
    /// Its first number in a pose.
    pub first: usize,
    /// Whether a marker is on it or beyond; other joints stay at rest.
    pub moves: bool,
}

/// A marker on a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attached {
    pub segment: usize,
    /// In the segment's frame.
    pub offset: DVec3,
}

#[derive(Clone, Debug)]
pub(super) struct Body {
    pub segments: Vec<Segment>,
    pub markers: Vec<Attached>,
    /// How many numbers a pose has.
    pub count: usize,
}

/// Where everything is in a pose.
pub(super) struct Placed {
    pub rotations: Vec<DQuat>,
    pub centres: Vec<DVec3>,
    /// What each number of the pose turns the body about, in the model.
    axes: Vec<DVec3>,
}

/// Where markers were seen in a frame, in the order of the body's.
pub(super) type MarkerFrame = Vec<Option<DVec3>>;

/// The position of the root comes first in a pose.
pub(super) const ROOT: usize = 3;

impl Body {
    /// Scales of joints are taken out: lengths are those of the model.
    pub fn new(skeleton: &Skeleton, markers: Vec<Attached>) -> Self {
        let model = skeleton.rest_model();
        let place = |joint: usize| {
            let affine = model.get(joint);
            let rows = polar::decompose(affine.linear_f64()).rotation;
            let columns = DMat3::from_cols_array_2d(&rows).transpose();
            let origin = affine.transform_point(glam::Vec3::ZERO).as_dvec3();
            (DQuat::from_mat3(&columns), origin)
        };
        let places: Vec<(DQuat, DVec3)> = (0..skeleton.len()).map(place).collect();
        let mut moves = vec![false; skeleton.len()];
        moves[0] = true;
        for marker in &markers {
            let mut at = Some(marker.segment);
            while let Some(joint) = at {
                moves[joint] = true;
                at = skeleton.parent(joint);
            }
        }
        let mut count = ROOT;
        let segments = (0..skeleton.len())
            .map(|joint| {
                let (rotation, at) = places[joint];
                let parent = skeleton.parent(joint);
                let (above, from) = parent.map_or((DQuat::IDENTITY, DVec3::ZERO), |p| places[p]);
                let coordinates = Coordinates::new(&skeleton.freedom(joint).turn);
                let first = count;
                count += if moves[joint] { coordinates.count() } else { 0 };
                Segment {
                    parent,
                    rest: (above.inverse() * rotation).normalize(),
                    offset: above.inverse() * (at - from),
                    coordinates,
                    first,
                    moves: moves[joint],
                }
            })
            .collect();
        Self {
            segments,
            markers,
            count,
        }
    }

    /// The pose at rest.
    pub fn rest(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.count];
        q[..ROOT].copy_from_slice(&self.segments[0].offset.to_array());
        for segment in self.segments.iter().filter(|segment| segment.moves) {
            // Only where numbers count from another pose are those of rest not zero.
            if let Coordinates::Framed { .. } = segment.coordinates {
                let numbers = segment.coordinates.numbers_of(DQuat::IDENTITY);
                let count = segment.coordinates.count();
                q[segment.first..][..count].copy_from_slice(&numbers[..count]);
            }
        }
        q
    }

    /// The segment that alone moves on a segment, if one does.
    pub fn only_next(&self, segment: usize) -> Option<usize> {
        let is_next = |s: &usize| {
            let next = &self.segments[*s];
            next.parent == Some(segment) && next.moves
        };
        let mut next = (segment + 1..self.segments.len()).filter(is_next);
        next.next().filter(|_| next.next().is_none())
    }

    /// The numbers of a segment.
    pub fn numbers<'q>(&self, segment: usize, q: &'q [f64]) -> &'q [f64] {
        let segment = &self.segments[segment];
        match segment.moves {
            true => &q[segment.first..][..segment.coordinates.count()],
            false => &[],
        }
    }

    /// From the parent, as it is in the pose.
    pub fn local(&self, segment: usize, q: &[f64]) -> DQuat {
        let Segment {
            rest,
            coordinates,
            moves,
            ..
        } = &self.segments[segment];
        match moves {
            true => *rest * coordinates.turn(self.numbers(segment, q)),
            false => *rest,
        }
    }

    pub fn place(&self, q: &[f64]) -> Placed {
        let mut placed = Placed {
            rotations: Vec::with_capacity(self.segments.len()),
            centres: Vec::with_capacity(self.segments.len()),
            axes: vec![DVec3::ZERO; self.count],
        };
        for (index, segment) in self.segments.iter().enumerate() {
            let (above, centre) = match segment.parent {
                Some(p) => {
                    let above = placed.rotations[p];
                    (above, placed.centres[p] + above * segment.offset)
                }
                None => (DQuat::IDENTITY, DVec3::new(q[0], q[1], q[2])),
            };
            if segment.moves {
                let numbers = self.numbers(index, q);
                let axes = segment.coordinates.axes(numbers);
                for (nth, axis) in axes.iter().enumerate().take(numbers.len()) {
                    placed.axes[segment.first + nth] = above * (segment.rest * *axis);
                }
            }
            placed
                .rotations
                .push((above * self.local(index, q)).normalize());
            placed.centres.push(centre);
        }
        placed
    }

    /// Where a marker is.
    pub fn marker(&self, placed: &Placed, marker: usize) -> DVec3 {
        let Attached { segment, offset } = self.markers[marker];
        placed.centres[segment] + placed.rotations[segment] * offset
    }

    /// How a marker at `at` moves with each number of the pose that moves it.
    pub fn columns(
        &self,
        placed: &Placed,
        marker: usize,
        at: DVec3,
        out: &mut Vec<(usize, DVec3)>,
    ) {
        out.clear();
        out.extend([(0, DVec3::X), (1, DVec3::Y), (2, DVec3::Z)]);
        let mut next = Some(self.markers[marker].segment);
        while let Some(index) = next {
            let segment = &self.segments[index];
            let arm = at - placed.centres[index];
            for nth in 0..segment.coordinates.count() {
                let number = segment.first + nth;
                out.push((number, placed.axes[number].cross(arm)));
            }
            next = segment.parent;
        }
    }

    /// Puts a pose within the limits.
    pub fn clamp(&self, q: &mut [f64]) {
        for segment in self.segments.iter().filter(|s| s.moves) {
            let count = segment.coordinates.count();
            segment.coordinates.clamp(&mut q[segment.first..][..count]);
        }
    }

    /// Which numbers are at the end of their range and would be driven beyond it.
    pub fn blocked(&self, q: &[f64], step: &[f64]) -> Vec<bool> {
        let mut blocked = vec![false; self.count];
        for (index, segment) in self.segments.iter().enumerate() {
            let numbers = self.numbers(index, q);
            for nth in 0..numbers.len() {
                let number = segment.first + nth;
                blocked[number] = segment.coordinates.blocks(numbers, nth, step[number]);
            }
        }
        blocked
    }

    /// A pose to begin from: each segment turned as its markers are, where there are enough of them;
    /// others as in `base`. `None` where the markers do not even say where the body is.
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
                let placed = self.place(base);
                let all: Vec<_> = (0..self.markers.len())
                    .filter_map(|m| Some((self.marker(&placed, m), seen[m]?)))
                    .collect();
                let fit = rigid_fit(&all).ok()?;
                let at = fit.rotation * placed.centres[0] + fit.translation;
                (fit.rotation * placed.rotations[0], at)
            }
        };
        q[..ROOT].copy_from_slice(&at.to_array());
        let mut set = |segment: &Segment, turn: DQuat| {
            let count = segment.coordinates.count();
            q[segment.first..][..count]
                .copy_from_slice(&segment.coordinates.numbers_of(turn)[..count]);
        };
        set(root, root.rest.inverse() * rotation);
        let mut rotations = vec![rotation];
        for (index, segment) in self.segments.iter().enumerate().skip(1) {
            let above = rotations[segment.parent.unwrap_or(0)] * segment.rest;
            let mut turn = match segment.moves {
                true => segment.coordinates.turn(self.numbers(index, base)),
                false => DQuat::IDENTITY,
            };
            if segment.moves
                && let Ok(fit) = rigid_fit(&pairs_of(index))
            {
                turn = above.inverse() * fit.rotation;
                set(segment, turn);
            }
            rotations.push(above * turn);
        }
        self.clamp(&mut q);
        Some(q)
    }
}
