use super::goal::{Kind, Target};
use super::slides::Slides;
use crate::ik::angles::State;
use crate::ik::error::IkError;
use crate::ik::frame::{Above, Vec3F64, length, stretched, sub, wide};
use crate::ik::framed::FramedAngles;
use crate::skeleton::Skeleton;
use sinew_math::transform::quat_f64::{QuatF64, add_scaled, cross, dot};

#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) used: Vec<usize>,
    pub(super) points: Vec<Vec3F64>,
    pub(super) carried: Vec<usize>,
    /// Length of the longest chain that moves.
    pub(super) size: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub parent: Option<usize>,
    pub angles: FramedAngles,
    pub slides: Slides,
    pub rest: QuatF64,
    /// Translation at rest.
    pub rest_bone: Vec3F64,
    pub mobility: f64,
    pub slide_mobility: f64,
    pub is_used: bool,
    /// Range of this joint in [`Tree::carried`].
    pub carries: [usize; 2],

    pub came: QuatF64,
    /// Translation from the parent, before sliding. With a range, the translation at rest.
    pub bone: Vec3F64,
    /// Translation from the parent in the input pose.
    pub came_at: Vec3F64,
    /// Scale of this joint alone. The next field includes the scales of its ancestors.
    pub own_scale: f64,
    pub scale: f64,
    pub tip_scale: Vec3F64,

    pub now: JointState,
    pub tried: JointState,
    pub best: JointState,

    /// Position of the joint, in the parent frame of the root.
    pub origin: Vec3F64,
    pub parent_frame: QuatF64,
    pub parent_scale: f64,
    pub frame: QuatF64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct JointState {
    pub state: State,
    /// Distance along each axis of [`Node::slides`].
    pub slid: Vec3F64,
}

impl JointState {
    const REST: Self = Self {
        state: State::REST,
        slid: [0.0; 3],
    };
}

impl Node {
    pub fn rotates(&self) -> bool {
        self.mobility > 0.0
    }

    pub fn slides(&self) -> bool {
        self.slide_mobility > 0.0 && self.slides.count > 0
    }

    /// Translation from the parent.
    pub fn slid_bone(&self) -> Vec3F64 {
        add_scaled(self.bone, self.slides.offset(self.now.slid), 1.0)
    }

    /// Max distance from the parent.
    pub fn longest_bone(&self) -> f64 {
        let bone = if self.slides() {
            self.slides.longest(self.bone)
        } else {
            length(self.bone)
        };
        bone * self.parent_scale.abs()
    }
}

impl Tree {
    pub fn new(skeleton: &Skeleton, max_goals: usize) -> Self {
        let node = |joint: usize| {
            let freedom = skeleton.freedom(joint);
            let at_rest = skeleton.rest().get(joint);
            let rest = QuatF64::from_quat(at_rest.rotation);
            let slides = Slides::new(freedom);
            Node {
                parent: skeleton.parent(joint),
                angles: FramedAngles::new(&freedom.rotation),
                slides,
                rest: rest.normalized().unwrap_or(QuatF64::IDENTITY),
                rest_bone: wide(at_rest.translation),
                mobility: 1.0,
                slide_mobility: if slides.range.is_some() { 1.0 } else { 0.0 },
                is_used: false,
                carries: [0; 2],
                came: QuatF64::IDENTITY,
                bone: [0.0; 3],
                came_at: [0.0; 3],
                own_scale: 1.0,
                scale: 1.0,
                tip_scale: [1.0; 3],
                now: JointState::REST,
                tried: JointState::REST,
                best: JointState::REST,
                origin: [0.0; 3],
                parent_frame: QuatF64::IDENTITY,
                parent_scale: 1.0,
                frame: QuatF64::IDENTITY,
            }
        };
        Self {
            nodes: (0..skeleton.len()).map(node).collect(),
            used: Vec::with_capacity(skeleton.len()),
            points: Vec::with_capacity(max_goals),
            carried: Vec::with_capacity(max_goals * skeleton.len()),
            size: 1.0,
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn max_columns(&self) -> usize {
        let count = |node: &Node| node.angles.count() + 3;
        self.nodes.iter().map(count).sum()
    }

    fn node_mut(&mut self, joint: usize) -> Result<&mut Node, IkError> {
        let joints = self.nodes.len();
        let node = self.nodes.get_mut(joint);
        node.ok_or(IkError::NoSuchJoint { joint, joints })
    }

    pub fn set_mobility(&mut self, joint: usize, mobility: f64) -> Result<(), IkError> {
        self.node_mut(joint)?.mobility = mobility;
        Ok(())
    }

    pub fn set_slide_mobility(&mut self, joint: usize, mobility: f64) -> Result<(), IkError> {
        self.node_mut(joint)?.slide_mobility = mobility;
        Ok(())
    }

    pub fn forward(&mut self) {
        for nth in 0..self.used.len() {
            let joint = self.used[nth];
            let (origin, frame) = match self.nodes[joint].parent {
                None => ([0.0; 3], QuatF64::IDENTITY),
                Some(parent) => (self.nodes[parent].origin, self.nodes[parent].frame),
            };
            let node = &mut self.nodes[joint];
            node.origin = add_scaled(origin, frame.rotate(node.slid_bone()), node.parent_scale);
            node.parent_frame = frame;
            node.frame = frame.mul(node.rest.mul(node.now.state.rotation));
        }
    }

    pub(super) fn point(&self, target: &Target) -> Vec3F64 {
        let node = &self.nodes[target.joint];
        let point = stretched(target.point, node.tip_scale);
        add_scaled(node.origin, node.frame.rotate(point), node.parent_scale)
    }

    /// Error of a goal, as a translation or a rotation vector.
    pub(super) fn missing(&self, target: &Target) -> Vec3F64 {
        let node = &self.nodes[target.joint];
        match target.kind {
            Kind::Position => sub(target.at, self.point(target)),
            Kind::Orientation => vector_of(target.rotation.mul(node.frame.conjugate())),
            Kind::LookAt => {
                let axis = node.frame.rotate(target.axis);
                let to = sub(target.at, self.point(target));
                let across = cross(axis, to);
                let sine = length(across);
                let angle = libm::atan2(sine, dot(axis, to));
                if sine > 0.0 {
                    across.map(|c| c * (angle / sine))
                } else if angle > 1.0 {
                    sinew_math::transform::quat_f64::across(axis).map(|c| c * angle)
                } else {
                    [0.0; 3]
                }
            }
        }
    }

    /// Size of the error: a distance in model space, or an angle in radians.
    pub fn residual(&self, target: &Target, above: &Above) -> f64 {
        let missing = self.missing(target);
        match target.kind {
            Kind::Position => above.length_in_model(missing),
            Kind::Orientation | Kind::LookAt => length(missing),
        }
    }

    /// Weighted sum of squared errors.
    pub fn error(&self, targets: &[Target]) -> f64 {
        let one = |target: &Target| {
            let missing = self.missing(target);
            dot(missing, missing) * target.weight * target.weight
        };
        targets.iter().map(one).sum()
    }

    /// Applies steps, in the column order of [`Tree::linearise`].
    pub fn advance(&mut self, steps: &[f64]) {
        let mut steps = steps.iter().copied();
        for &joint in &self.used {
            let node = &mut self.nodes[joint];
            node.tried = node.now;
            if node.rotates() {
                let mut step = [0.0; 3];
                for (s, next) in step
                    .iter_mut()
                    .zip(steps.by_ref().take(node.angles.count()))
                {
                    *s = next;
                }
                node.now.state = node.angles.step(&node.now.state, step);
            }
            if node.slides() {
                let unit = node.slides.unit(self.size);
                for slid in &mut node.now.slid[..node.slides.count] {
                    let step = steps.next().unwrap_or(0.0);
                    *slid = node.slides.within(*slid + step * unit);
                }
            }
        }
    }

    /// Reverts [`Tree::advance`].
    pub fn reject(&mut self) {
        for &joint in &self.used {
            let node = &mut self.nodes[joint];
            node.now = node.tried;
        }
    }

    /// Stores the current state as the best.
    pub fn keep(&mut self) {
        for &joint in &self.used {
            let node = &mut self.nodes[joint];
            node.best = node.now;
        }
    }

    /// Restores the best state.
    pub fn go_back(&mut self) {
        for &joint in &self.used {
            let node = &mut self.nodes[joint];
            node.now = node.best;
        }
    }

    /// Goals below a joint in use.
    pub fn carried_by(&self, joint: usize) -> &[usize] {
        let [from, to] = self.nodes[joint].carries;
        &self.carried[from..to]
    }

    /// Number of rotation coordinates of the joints in use.
    pub fn columns(&self) -> usize {
        let nodes = self.used.iter().map(|&joint| &self.nodes[joint]);
        let turning = nodes.filter(|node| node.rotates());
        turning.map(|node| node.angles.count()).sum()
    }

    /// Restarts one joint. Returns false if the joint has no such restart.
    pub fn restart_joint(&mut self, joint: usize, nth: usize) -> bool {
        let node = &mut self.nodes[joint];
        let restart = node.angles.restart(&node.now.state, nth);
        if let Some(state) = restart.filter(|_| node.rotates()) {
            node.now.state = state;
            return true;
        }
        let restart = node.slides.restart(node.now.slid[0], nth);
        let restart = restart.filter(|_| node.slides());
        if let Some(distance) = restart {
            node.now.slid[0] = distance;
        }
        restart.is_some()
    }

    /// Origin of the first joint that moves the point of a goal, and the max distance of the point
    /// from this origin. `None` if no joint moves the point.
    pub fn reach(&self, target: &Target) -> Option<(Vec3F64, f64)> {
        let node = &self.nodes[target.joint];
        let point = stretched(target.point, node.tip_scale);
        let mut way = length(point) * node.parent_scale.abs();
        let (mut joint, mut found) = (target.joint, None);
        loop {
            let node = &self.nodes[joint];
            if node.slides() && node.slides.range.is_none() {
                return Some((node.origin, f64::INFINITY));
            }
            if node.slides() {
                let travel = node.slides.travel() * node.parent_scale.abs();
                found = Some((node.origin, way + travel));
            } else if node.rotates() && node.angles.count() > 0 {
                found = Some((node.origin, way));
            }
            let Some(parent) = node.parent else {
                return found;
            };
            way += node.longest_bone();
            joint = parent;
        }
    }

    /// Sets all joints to random states within their limits. The seed determines the states.
    pub fn scatter(&mut self, seed: u64) {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut part = || {
            // SplitMix64 (Steele, Lea and Flood 2014).
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^= z >> 31;
            (z >> 11) as f64 / (1_u64 << 53) as f64
        };
        for &joint in &self.used {
            let node = &mut self.nodes[joint];
            let parts = [part(), part(), part()];
            if node.rotates() {
                node.now.state = node.angles.random(parts);
            }
            if let Some([min, max]) = node.slides.range.filter(|_| node.slides()) {
                node.now.slid[0] = min + (max - min) * part();
            }
        }
    }
}

fn vector_of(q: QuatF64) -> Vec3F64 {
    let q = if q.w < 0.0 { q.negated() } else { q };
    let sine = length(q.v);
    if sine == 0.0 {
        return [0.0; 3];
    }
    let angle = 2.0 * libm::atan2(sine, q.w);
    q.v.map(|c| c * (angle / sine))
}
