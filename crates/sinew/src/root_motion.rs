//! Extraction of root motion, the part of a clip that moves a character through the world.
//!
//! A [`Placement`] is a rotation about the up axis and a translation. Extraction resets the joint
//! to its start in the clip, along the requested axes and in its heading. The removed motion is a
//! placement: `placement · remainder = pose`. Extraction works on poses and so on any clip.
//!
//! Loops do not drift. The placement after k cycles is the placement of one cycle to the power of
//! k, in closed form and in `f64`. A blend adds the small steps of its motions as vectors.
//!
//! `cargo run --example root_motion`:
#![doc = "```"]
#![doc = include_str!("../examples/root_motion.rs")]
#![doc = "```"]

use crate::clip::{ClipMismatch, Playable};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use glam::Vec3;
use sinew_math::transform::quat_f64::QuatF64;
use sinew_math::transform::{Axis, Transform};
use std::f64::consts::TAU;
use thiserror::Error;

/// Error of [`RootMotion`].
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RootMotionError {
    /// Joint index out of range.
    #[error("there is no joint {joint}: the skeleton has {len} joints")]
    NoSuchJoint {
        /// Index that was requested.
        joint: usize,
        /// Number of joints.
        len: usize,
    },
    /// Clip of another skeleton.
    #[error(transparent)]
    Clip(#[from] ClipMismatch),
    /// Joint that is below a moving joint.
    #[error(
        "joint \"{ancestor}\", above \"{joint}\", also has keys; take the root motion from \"{ancestor}\""
    )]
    MovingAncestor {
        /// Name of the requested joint.
        joint: String,
        /// Name of the moving joint above it.
        ancestor: String,
    },
    /// Joint whose parent frame has a scale that is zero or not uniform.
    #[error("the frame above joint \"{joint}\" is scaled unevenly or to 0")]
    UnevenScale {
        /// Name of the requested joint.
        joint: String,
    },
}

impl RootMotionError {
    fn moving_ancestor(skeleton: &Skeleton, joint: usize, ancestor: usize) -> Self {
        Self::MovingAncestor {
            joint: skeleton.name(joint).to_owned(),
            ancestor: skeleton.name(ancestor).to_owned(),
        }
    }
}

/// Rotation about the up axis, followed by a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Translation in model units.
    pub translation: [f64; 3],
    /// Rotation about `up`, in radians. From a clip, it is in `(−π, π]`.
    pub heading_rad: f64,
    /// Axis of the rotation.
    pub up: Axis,
}

impl Placement {
    /// Placement without rotation or translation.
    pub const fn identity(up: Axis) -> Self {
        Self {
            translation: [0.0; 3],
            heading_rad: 0.0,
            up,
        }
    }

    /// `self · next`: `next` relative to `self`. The heading is NaN if the up axes differ.
    pub fn then(&self, next: &Self) -> Self {
        let moved = rotated(self.up, self.heading_rad, next.translation);
        let heading = self.heading_rad + next.heading_about(self.up);
        Self {
            translation: added(self.translation, moved),
            heading_rad: wrapped(heading),
            up: self.up,
        }
    }

    fn heading_about(&self, up: Axis) -> f64 {
        match self.up == up {
            true => self.heading_rad,
            false => f64::NAN,
        }
    }

    /// Inverse placement.
    pub fn inverse(&self) -> Self {
        let back = self.translation.map(|c| -c);
        Self {
            translation: rotated(self.up, -self.heading_rad, back),
            heading_rad: -self.heading_rad,
            up: self.up,
        }
    }

    /// `self` to the power of `times`, an integer of either sign, as a geometric series.
    pub fn repeated(&self, times: f64) -> Self {
        let half = 0.5 * self.heading_rad;
        let sine = libm::sin(half);
        let stretch = if sine == 0.0 {
            times
        } else {
            libm::sin(times * half) / sine
        };
        let up = self.up.index();
        let mut translation = rotated(self.up, (times - 1.0) * half, self.translation);
        for (axis, c) in translation.iter_mut().enumerate() {
            *c *= if axis == up { times } else { stretch };
        }
        Self {
            translation,
            heading_rad: wrapped(times * self.heading_rad),
            up: self.up,
        }
    }

    /// Placement from `self` to `other`, in the frame of `self`.
    pub fn to(&self, other: &Self) -> Self {
        self.inverse().then(other)
    }

    /// Weighted mean of small placements, such as steps of motions that play together. If weights
    /// sum to less than 1, the remainder is no motion. The heading is NaN if an axis is not `up`.
    pub fn blend(up: Axis, parts: impl IntoIterator<Item = (Self, f64)>) -> Self {
        let (mut sum, mut total) = (Self::identity(up), 0.0);
        for (part, weight) in parts {
            let heading_rad = part.heading_about(up);
            sum = sum.plus(
                &Self {
                    heading_rad,
                    ..part
                }
                .scaled(weight),
            );
            total += weight;
        }
        sum.scaled(1.0 / total.max(1.0))
    }

    /// Adds two placements as vectors, for small placements and speeds.
    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self {
            translation: added(self.translation, other.translation),
            heading_rad: self.heading_rad + other.heading_rad,
            up: self.up,
        }
    }

    pub(crate) fn scaled(&self, scale: f64) -> Self {
        Self {
            translation: self.translation.map(|c| c * scale),
            heading_rad: self.heading_rad * scale,
            up: self.up,
        }
    }

    /// Placement as a transform in `f32`.
    pub fn to_transform(&self) -> Transform {
        let [x, y, z] = self.translation.map(|c| c as f32);
        let rotation = self.up.rotation_f64(self.heading_rad).to_quat();
        Transform::from_rotation_translation(rotation, Vec3::new(x, y, z))
    }
}

/// Components of a joint's motion that count as root motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootAxes {
    /// One flag per model axis x, y, z, true if translation along it counts.
    pub translation: [bool; 3],
    /// True if the heading counts, which is the rotation about `up` without tilt.
    pub heading: bool,
    /// Up axis of the model.
    pub up: Axis,
}

impl RootAxes {
    /// Ground plane and heading, with Y up. Vertical bobbing stays in the pose.
    pub const GROUND: Self = Self {
        translation: [true, false, true],
        heading: true,
        up: Axis::Y,
    };
}

/// Extraction of root motion from the poses of a clip.
///
/// ```
/// use glam::Vec3;
/// use sinew::root_motion::{Placement, RootAxes, RootMotion};
/// use sinew::{Clip, Interpolation, LocalPose, Player, Track, Wrap, sample};
/// # use sinew_samples::humanoid_character;
/// # let skeleton = humanoid_character().skeleton;
/// let mut walk = Clip::new("walk");
/// let path = [Vec3::Y, Vec3::new(0.0, 1.0, 1.5)];
/// walk.joint_mut(0).translation =
///     Some(Track::vectors(vec![0.0, 1.0], &path, Interpolation::Linear)?);
/// walk.fit_duration();
/// let root = RootMotion::of_clip(&walk, &skeleton, 0, RootAxes::GROUND)?;
///
/// let mut player = Player::new(Wrap::Loop);
/// let mut pose = LocalPose::identity(skeleton.len());
/// let (mut world, mut before) = (Placement::identity(RootAxes::GROUND.up), None);
/// for _ in 0..=10 {
///     sample(&walk, &skeleton, player.clip_time_secs(&walk), &mut pose)?;
///     let now = root.take_out(player.cycle(&walk), &mut pose);
///     world = world.then(&before.unwrap_or(now).to(&now));
///     before = Some(now);
///     player.advance(&walk, 0.4, |_| {});
/// }
/// assert_eq!(pose.get(0).translation, Vec3::Y, "the pose stays at its start");
/// assert!((world.translation[2] - 6.0).abs() < 1e-6, "four seconds at 1.5 a second");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "root bone")]
#[doc(alias = "apply root motion")]
pub struct RootMotion {
    joint: usize,
    axes: RootAxes,
    model_from_parent: Transform,
    parent_from_model: Transform,
    start: Transform,
    cycle: Placement,
}

impl RootMotion {
    /// Extraction for a clip with the given first and last pose. No ancestor of the joint may move.
    pub fn new(
        skeleton: &Skeleton,
        joint: usize,
        axes: RootAxes,
        first: &LocalPose,
        last: &LocalPose,
    ) -> Result<Self, RootMotionError> {
        let len = skeleton.len();
        if joint >= len {
            return Err(RootMotionError::NoSuchJoint { joint, len });
        }
        let mut model_from_parent = Some(Transform::IDENTITY);
        for above in skeleton.hierarchy().ancestors(joint).skip(1) {
            let parent_from_above = first.get(above);
            if !stands_still(&parent_from_above, &last.get(above)) {
                return Err(RootMotionError::moving_ancestor(skeleton, joint, above));
            }
            model_from_parent =
                model_from_parent.and_then(|inner| parent_from_above.compose(&inner));
        }
        // Exactly uniform scale, so that no product fails through rounding.
        let even = |m: Transform| Transform {
            scale: Vec3::splat(m.scale.x),
            ..m
        };
        let is_even = model_from_parent.and_then(|m| m.inverse().map(|_| even(m)));
        let both_ways = is_even.and_then(|m| Some((m, even(m.inverse()?))));
        let (model_from_parent, parent_from_model) =
            both_ways.ok_or_else(|| RootMotionError::UnevenScale {
                joint: skeleton.name(joint).to_owned(),
            })?;
        let mut motion = Self {
            joint,
            axes,
            model_from_parent,
            parent_from_model,
            start: Transform::IDENTITY,
            cycle: Placement::identity(axes.up),
        };
        motion.start = motion.in_model(&first.get(joint));
        motion.cycle = motion.split(&last.get(joint)).0;
        Ok(motion)
    }

    /// Extraction for a clip. No ancestor of the joint may have keys that move it.
    pub fn of_clip(
        clip: &(impl Playable + ?Sized),
        skeleton: &Skeleton,
        joint: usize,
        axes: RootAxes,
    ) -> Result<Self, RootMotionError> {
        let [mut first, mut last] = [(); 2].map(|_| LocalPose::identity(skeleton.len()));
        clip.sample_into(skeleton, 0.0, &mut first)?;
        clip.sample_into(skeleton, f64::from(clip.duration_secs()), &mut last)?;
        let motion = Self::new(skeleton, joint, axes, &first, &last)?;
        for above in skeleton.hierarchy().ancestors(joint).skip(1) {
            for time in clip.key_times(above) {
                let now = clip.sample_joint_at(skeleton, above, f64::from(time));
                if !stands_still(&first.get(above), &now) {
                    return Err(RootMotionError::moving_ancestor(skeleton, joint, above));
                }
            }
        }
        Ok(motion)
    }

    /// Joint that carries the root motion.
    pub fn joint(&self) -> usize {
        self.joint
    }

    /// Components that are extracted.
    pub fn axes(&self) -> RootAxes {
        self.axes
    }

    /// Placement of one full cycle of the clip.
    pub fn cycle(&self) -> Placement {
        self.cycle
    }

    /// Placement relative to the start of cycle 0, for a cycle ([`crate::Player::cycle`]) and the
    /// transform `local` of the joint.
    pub fn placement(&self, cycle: f64, local: &Transform) -> Placement {
        self.cycle.repeated(cycle).then(&self.split(local).0)
    }

    /// Placement between two moments, each a cycle and a local transform. Precise in any cycle.
    pub fn step(&self, from: (f64, &Transform), to: (f64, &Transform)) -> Placement {
        let between = self.cycle.repeated(to.0 - from.0);
        let (before, after) = (self.split(from.1).0, self.split(to.1).0);
        before.to(&between.then(&after))
    }

    /// Removes root motion from the pose and returns it.
    pub fn take_out(&self, cycle: f64, pose: &mut LocalPose) -> Placement {
        let local = pose.get(self.joint);
        let (placement, in_place) = self.split(&local);
        pose.set(self.joint, in_place);
        self.cycle.repeated(cycle).then(&placement)
    }

    /// Applies a placement to the pose, for example a placement from [`Self::take_out`].
    pub fn put_back(&self, placement: &Placement, pose: &mut LocalPose) {
        let in_model = self.in_model(&pose.get(self.joint));
        let at = in_model.translation.to_array().map(f64::from);
        let moved = rotated(placement.up, placement.heading_rad, at);
        let turn = placement.up.rotation_f64(placement.heading_rad);
        let there = self.in_parent(
            added(moved, placement.translation),
            turn.mul(QuatF64::from_quat(in_model.rotation)),
            in_model.scale,
        );
        pose.set(self.joint, there);
    }

    /// Placement of the joint, and the remaining transform of the joint.
    fn split(&self, local: &Transform) -> (Placement, Transform) {
        let (axes, now) = (self.axes, self.in_model(local));
        let rotation = QuatF64::from_quat(now.rotation);
        let mut heading_rad = 0.0;
        if axes.heading {
            let from_start = QuatF64::from_quat(self.start.rotation).conjugate();
            let since_start = rotation.mul(from_start);
            heading_rad = wrapped(since_start.angle_about(axes.up.unit_f64()));
        }
        let at = now.translation.to_array().map(f64::from);
        let start = self.start.translation.to_array().map(f64::from);
        let mut kept = at;
        for axis in 0..3 {
            if axes.translation[axis] {
                kept[axis] = start[axis];
            }
        }
        let placement = Placement {
            translation: added(at, rotated(axes.up, heading_rad, kept).map(|c| -c)),
            heading_rad,
            up: axes.up,
        };
        let unturned = axes.up.rotation_f64(-heading_rad).mul(rotation);
        (placement, self.in_parent(kept, unturned, now.scale))
    }

    fn in_model(&self, local: &Transform) -> Transform {
        let in_model = self.model_from_parent.compose(local);
        in_model.expect("the constructor refused uneven scale")
    }

    fn in_parent(&self, at: [f64; 3], rotation: QuatF64, scale: Vec3) -> Transform {
        let in_model = Transform {
            translation: Vec3::from_array(at.map(|c| c as f32)),
            rotation: rotation.to_quat(),
            scale,
        };
        let local = self.parent_from_model.compose(&in_model);
        local.expect("the constructor refused uneven scale")
    }
}

fn stands_still(a: &Transform, b: &Transform) -> bool {
    a.to_affine().max_difference(&b.to_affine()) <= 1e-6
}

fn rotated(up: Axis, angle_rad: f64, v: [f64; 3]) -> [f64; 3] {
    let (sin, cos) = libm::sincos(angle_rad);
    let (a, b) = ((up.index() + 1) % 3, (up.index() + 2) % 3);
    let mut out = v;
    out[a] = v[a] * cos - v[b] * sin;
    out[b] = v[a] * sin + v[b] * cos;
    out
}

fn added(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn wrapped(angle_rad: f64) -> f64 {
    angle_rad - TAU * (angle_rad / TAU - 0.5).ceil()
}
