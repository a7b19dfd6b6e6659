//! Chains of joints from a base to a tip, for [`ccd`](super::ccd()) and
//! [`fabrik`](super::fabrik()).

use super::angles::State;
use super::error::IkError;
use super::frame::{
    Above, Local, Vec3F64, check_joint, check_pose, length, not_below, not_finite, sub, wide,
};
use super::framed::FramedAngles;
use super::restarts::RESTARTS;
use super::tip::Tip;
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use glam::Vec3;
use sinew_math::transform::quat_f64::{QuatF64, add_scaled};
use sinew_math::transform::{Affine, quat};

/// Chain of joints with its working memory. Solving does not allocate.
#[derive(Clone, Debug)]
#[doc(alias = "ik chain")]
pub struct Chain {
    tip: Tip,
    joints: usize,
    pub(super) links: Vec<Link>,
    end: Vec3F64,
    /// Position of the tip, in the parent frame of the chain.
    pub(super) at: Vec3F64,
    pub(super) length: f64,
    best: Vec<State>,
    best_residual: f64,
    pub(super) expected: Vec<Vec3F64>,
    at_limits: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Link {
    joint: usize,
    angles: FramedAngles,
    rest: QuatF64,
    came: QuatF64,
    pub state: State,
    /// Vector from the previous link to this link, in the frame of the previous link, with scale.
    pub bone: Vec3F64,
    /// Position of the joint, in the parent frame of the chain.
    pub origin: Vec3F64,
    /// Rotation of the rest frame, in the parent frame of the chain.
    rest_frame: QuatF64,
}

/// Min gain of a restart, in lengths of the chain. Smaller gains would cause needless jumps.
const NEARER: f64 = 1e-3;

/// Stop conditions of an iterative solver.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChainOptions {
    /// Max number of sweeps over the chain. Default 100. At limits, restarts may add as many.
    pub max_iterations: u32,
    /// Max distance of the tip from the goal, in lengths of the chain. Default 1e-4.
    pub tolerance: f32,
}

impl ChainOptions {
    /// Default options.
    pub const fn new() -> Self {
        Self {
            max_iterations: 100,
            tolerance: 1e-4,
        }
    }

    /// Sets [`ChainOptions::max_iterations`].
    #[must_use]
    pub const fn max_iterations(mut self, max_iterations: u32) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    /// Sets [`ChainOptions::tolerance`].
    #[must_use]
    pub const fn tolerance(mut self, tolerance: f32) -> Self {
        self.tolerance = tolerance;
        self
    }
}

impl Default for ChainOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// Result of an iterative solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainReport<'s> {
    /// True if the tip is within the tolerance of its goal.
    pub reached: bool,
    /// Distance from the tip to the goal, in model space.
    pub residual: f32,
    /// Number of sweeps.
    pub iterations: u32,
    /// Joints at a limit, from the body outward.
    pub at_limits: &'s [usize],
}

impl Chain {
    /// Chain from `base` to the joint of the tip, which rotates too unless the tip is its origin.
    ///
    /// ```
    /// use sinew_samples::humanoid_character;
    /// use sinew::ik::{Chain, Tip};
    /// let skeleton = humanoid_character().skeleton;
    /// let joint = |name| skeleton.find(name).unwrap();
    /// assert!(Chain::new(&skeleton, joint("torso"), Tip::of(joint("left_lower_arm"))).is_ok());
    /// let backward = Chain::new(&skeleton, joint("left_lower_arm"), Tip::of(joint("torso")));
    /// assert!(backward.unwrap_err().to_string().contains("\"torso\" is not a descendant"));
    /// ```
    pub fn new(skeleton: &Skeleton, base: usize, tip: Tip) -> Result<Self, IkError> {
        check_joint(skeleton, base)?;
        check_joint(skeleton, tip.joint)?;
        if !tip.offset.is_finite() {
            return Err(not_finite(skeleton, tip.joint, "offset"));
        }
        let mut links = Vec::new();
        let mut joint = tip.joint;
        loop {
            if tip.offset != Vec3::ZERO || joint != tip.joint {
                links.push(Link::new(skeleton, joint));
            }
            if joint == base {
                break;
            }
            let parent = skeleton.parent(joint).filter(|_| joint > base);
            joint = parent.ok_or_else(|| not_below(skeleton, tip.joint, base))?;
        }
        if links.is_empty() {
            return Err(not_below(skeleton, tip.joint, base));
        }
        links.reverse();
        Ok(Self {
            tip,
            joints: skeleton.len(),
            end: [0.0; 3],
            at: [0.0; 3],
            length: 0.0,
            best: links.iter().map(|link| link.state).collect(),
            best_residual: f64::INFINITY,
            expected: vec![[0.0; 3]; links.len() + 1],
            at_limits: Vec::with_capacity(links.len()),
            links,
        })
    }

    /// Joints that rotate, from the body outward.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.links.iter().map(|link| link.joint)
    }

    /// Tip of the chain.
    pub fn tip(&self) -> Tip {
        self.tip
    }

    pub(super) fn solve(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut LocalPose,
        model_from_parent: &Affine,
        goal_in_model: Vec3,
        options: &ChainOptions,
        mut sweep: impl FnMut(&mut Self, Vec3F64),
    ) -> Result<ChainReport<'_>, IkError> {
        let above = self.read(skeleton, pose, model_from_parent)?;
        if !goal_in_model.is_finite() {
            return Err(not_finite(skeleton, self.tip.joint, "goal"));
        }
        let goal = above.point(goal_in_model);
        let near = f64::from(options.tolerance) * self.length;
        self.keep(goal);
        let max = options.max_iterations;
        let mut iterations = self.sweep_on(goal, near, 1e-2, max, &mut sweep);
        if iterations < max {
            let restart = self.escape(goal, near, max, &mut sweep);
            self.go_back();
            iterations += self.sweep_on(goal, near, 1e-4, max - iterations, &mut sweep) + restart;
        }
        self.go_back();
        let missed = sub(goal, self.at);
        self.write(pose);
        Ok(ChainReport {
            reached: length(missed) <= near,
            residual: above.length_in_model(missed) as f32,
            iterations,
            at_limits: &self.at_limits,
        })
    }

    fn read(
        &mut self,
        skeleton: &Skeleton,
        pose: &LocalPose,
        model_from_parent: &Affine,
    ) -> Result<Above, IkError> {
        check_pose(skeleton, pose)?;
        if skeleton.len() != self.joints {
            return Err(IkError::OtherSkeleton {
                pose: self.joints,
                skeleton: skeleton.len(),
            });
        }
        let above = Above::new(skeleton, self.links[0].joint, model_from_parent)?;
        let mut scale = 1.0;
        self.length = 0.0;
        for (nth, link) in self.links.iter_mut().enumerate() {
            let local = Local::of(pose, link.joint);
            let Some(rotation) = link.rest.conjugate().mul(local.rotation).normalized() else {
                return Err(not_finite(skeleton, link.joint, "transform"));
            };
            link.bone = local.translation.map(|c| c * scale);
            link.came = link.rest.mul(rotation);
            link.state = link.angles.nearest(rotation);
            if nth > 0 {
                self.length += length(link.bone);
            }
            scale *= local.even_scale(skeleton, link.joint)?;
            if !local.is_finite() {
                return Err(not_finite(skeleton, link.joint, "transform"));
            }
        }
        let last = self.links[self.links.len() - 1].joint;
        let end = if last == self.tip.joint {
            wide(self.tip.offset)
        } else {
            Local::of(pose, self.tip.joint).place(wide(self.tip.offset))
        };
        self.end = end.map(|c| c * scale);
        self.length += length(self.end);
        if !self.length.is_finite() {
            return Err(not_finite(skeleton, self.tip.joint, "transform"));
        }
        if self.length == 0.0 {
            return Err(IkError::Nothing {
                what: "the bones of the chain all have length 0",
            });
        }
        self.forward();
        Ok(above)
    }

    pub(super) fn forward(&mut self) {
        self.forward_from(0);
    }

    pub(super) fn forward_from(&mut self, first: usize) {
        let (mut origin, mut frame) = match first.checked_sub(1) {
            None => ([0.0; 3], QuatF64::IDENTITY),
            Some(before) => {
                let link = &self.links[before];
                (link.origin, link.frame())
            }
        };
        for link in &mut self.links[first..] {
            origin = add_scaled(origin, frame.rotate(link.bone), 1.0);
            link.origin = origin;
            link.rest_frame = frame.mul(link.rest);
            frame = link.frame();
        }
        self.at = add_scaled(origin, frame.rotate(self.end), 1.0);
    }

    /// Rotates joint `nth` so that its point `carried` comes closest to `to`. Returns the point.
    pub(super) fn align(&mut self, nth: usize, carried: Vec3F64, to: Vec3F64) -> Vec3F64 {
        let link = &mut self.links[nth];
        let in_joint = link.frame().conjugate().rotate(sub(carried, link.origin));
        let to = link.rest_frame.conjugate().rotate(sub(to, link.origin));
        link.state = link.angles.align(&link.state, in_joint, to);
        add_scaled(link.origin, link.frame().rotate(in_joint), 1.0)
    }

    pub(super) fn descend(&mut self, goal: Vec3F64) {
        let mut tip = self.at;
        for nth in (0..self.links.len()).rev() {
            tip = self.align(nth, tip, goal);
        }
        self.forward();
    }

    pub(super) fn point_after(&self, nth: usize) -> Vec3F64 {
        self.links.get(nth + 1).map_or(self.at, |link| link.origin)
    }

    /// Sweeps until the tip is near, or until four sweeps in a row gain less than `min_gain` each.
    fn sweep_on(
        &mut self,
        goal: Vec3F64,
        near: f64,
        min_gain: f64,
        max: u32,
        sweep: &mut impl FnMut(&mut Self, Vec3F64),
    ) -> u32 {
        let (mut iterations, mut stalled) = (0, 0);
        while self.best_residual > near && iterations < max && stalled < 4 {
            let before = self.best_residual;
            sweep(self, goal);
            iterations += 1;
            if self.residual(goal) < before {
                self.keep(goal);
            }
            let is_nearer = self.best_residual < before * (1.0 - min_gain);
            stalled = if is_nearer { 0 } else { stalled + 1 };
        }
        iterations
    }

    /// Restarts joints one by one and keeps poses that come nearer. Returns the number of sweeps.
    fn escape(
        &mut self,
        goal: Vec3F64,
        near: f64,
        max: u32,
        sweep: &mut impl FnMut(&mut Self, Vec3F64),
    ) -> u32 {
        let nearer = NEARER * self.length;
        let apart = length(sub(goal, self.links[0].origin)) - self.length;
        let enough = near.max(apart + nearer);
        let mut places =
            (0..self.links.len()).flat_map(|nth| (0..RESTARTS).map(move |at| (nth, at)));
        let mut iterations = 0;
        while self.best_residual > enough
            && iterations < max
            && let Some((nth, place)) = places.next()
        {
            self.go_back();
            let link = &mut self.links[nth];
            let Some(state) = link.angles.restart(&link.state, place) else {
                continue;
            };
            link.state = state;
            self.forward();
            let mut last = f64::INFINITY;
            let mut now = self.residual(goal);
            while now > near && now < 0.95 * last && iterations < max {
                sweep(self, goal);
                iterations += 1;
                (last, now) = (now, self.residual(goal));
            }
            if now <= near || now < self.best_residual - nearer {
                self.keep(goal);
            }
        }
        iterations
    }

    fn residual(&self, goal: Vec3F64) -> f64 {
        length(sub(goal, self.at))
    }

    fn keep(&mut self, goal: Vec3F64) {
        self.best_residual = self.residual(goal);
        for (best, link) in self.best.iter_mut().zip(&self.links) {
            *best = link.state;
        }
    }

    fn go_back(&mut self) {
        for (link, best) in self.links.iter_mut().zip(&self.best) {
            link.state = *best;
        }
        self.forward();
    }

    fn write(&mut self, pose: &mut LocalPose) {
        self.at_limits.clear();
        for link in &self.links {
            if link.angles.is_at_limit(&link.state) {
                self.at_limits.push(link.joint);
            }
            let rotation = link.rest.mul(link.state.rotation);
            // Joints that did not move keep their bits.
            if rotation.angle_to(link.came) > 1e-7 {
                let now = pose.get(link.joint).rotation;
                pose.set_rotation(link.joint, quat::aligned(rotation.to_quat(), now));
            }
        }
    }
}

impl Link {
    fn new(skeleton: &Skeleton, joint: usize) -> Self {
        let rest = QuatF64::from_quat(skeleton.rest().get(joint).rotation);
        Self {
            joint,
            angles: FramedAngles::new(&skeleton.freedom(joint).rotation),
            rest: rest.normalized().unwrap_or(QuatF64::IDENTITY),
            came: QuatF64::IDENTITY,
            state: State::REST,
            bone: [0.0; 3],
            origin: [0.0; 3],
            rest_frame: QuatF64::IDENTITY,
        }
    }

    /// Rotation of the joint, in the parent frame of the chain.
    pub fn frame(&self) -> QuatF64 {
        self.rest_frame.mul(self.state.rotation)
    }
}
