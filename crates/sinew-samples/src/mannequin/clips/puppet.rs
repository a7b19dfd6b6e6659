//! Poses a skeleton by code: joint rotations, bone directions and two-bone reach, within limits.

use glam::{Mat3, Quat, Vec3};
use sinew::clip::{Clip, Interpolation, Track};
use sinew::pose::{LocalPose, ModelPose};
use sinew::transform::{Axis, Transform, quat};
use sinew::{Affine, Skeleton};
use std::sync::Arc;

/// Pose under construction.
#[derive(Clone, Debug)]
pub struct Puppet<'a> {
    skeleton: &'a Skeleton,
    pub local: LocalPose,
}

/// Side of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// 1 on the left (+x), −1 on the right.
    pub fn sign(self) -> f32 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    pub fn joint(self, part: &str) -> String {
        match self {
            Self::Left => format!("left_{part}"),
            Self::Right => format!("right_{part}"),
        }
    }
}

/// Rotation about x, y and z in degrees, x outermost.
pub fn euler_deg(x: f32, y: f32, z: f32) -> Quat {
    let [x, y, z] = [x, y, z].map(f32::to_radians);
    quat::mul(
        quat::mul(Axis::X.rotation(x), Axis::Y.rotation(y)),
        Axis::Z.rotation(z),
    )
}

fn from_columns(x: Vec3, y: Vec3, z: Vec3) -> Quat {
    let rows = Mat3::from_cols(x, y, z).as_dmat3().transpose();
    quat::from_rows(&rows.to_cols_array_2d())
}

/// Orthonormal axes nearest to two directions. The first axis is the first direction.
fn square(first: Vec3, second: Vec3) -> [Vec3; 3] {
    let a = first.normalize();
    let b = (second - a * second.dot(a)).normalize_or(a.any_orthonormal_vector());
    [a, b, a.cross(b)]
}

fn between(from: [Vec3; 3], to: [Vec3; 3]) -> Quat {
    let [a, b, c] = from;
    let columns = Mat3::from_cols_array_2d(&to.map(|v| v.to_array()));
    let m = columns * Mat3::from_cols(a, b, c).transpose();
    from_columns(m.x_axis, m.y_axis, m.z_axis)
}

impl<'a> Puppet<'a> {
    /// Pose at rest.
    pub fn new(skeleton: &'a Skeleton) -> Self {
        Self {
            skeleton,
            local: skeleton.rest().clone(),
        }
    }

    pub fn index(&self, name: &str) -> usize {
        self.skeleton.find(name).expect("the biped has this joint")
    }

    fn rest(&self, joint: usize) -> Transform {
        self.skeleton.rest().get(joint)
    }

    /// Model-space transform of a joint.
    pub fn frame(&self, joint: usize) -> Transform {
        let local = self.local.get(joint);
        match self.skeleton.parent(joint) {
            Some(parent) => {
                let above = self.frame(parent);
                Transform::from_rotation_translation(
                    quat::mul(above.rotation, local.rotation),
                    above.translation + quat::rotate(above.rotation, local.translation),
                )
            }
            None => local,
        }
    }

    fn parent_rotation(&self, joint: usize) -> Quat {
        let parent = self.skeleton.parent(joint);
        parent.map_or(Quat::IDENTITY, |p| self.frame(p).rotation)
    }

    /// Moves the hips by `moved` from rest, in metres, and rotates them.
    pub fn hips(&mut self, moved: Vec3, rotation: Quat) {
        self.local
            .set_translation(0, self.rest(0).translation + moved);
        self.rotate("hips", rotation);
    }

    /// Rotates a joint relative to rest, within its limits.
    pub fn rotate(&mut self, name: &str, rotation: Quat) {
        let joint = self.index(name);
        let now = quat::mul(self.rest(joint).rotation, rotation);
        let allowed = self
            .skeleton
            .freedom(joint)
            .clamp_rotation(self.rest(joint).rotation, now);
        self.local.set_rotation(joint, quat::normalized(allowed));
    }

    /// Rotates a joint to a model-space rotation, within its limits.
    pub fn orient(&mut self, name: &str, model_from_joint: Quat) {
        let joint = self.index(name);
        let parent = self.parent_rotation(joint);
        let local = quat::mul(quat::conjugate(parent), model_from_joint);
        let rotation = quat::mul(quat::conjugate(self.rest(joint).rotation), local);
        self.rotate(name, rotation);
    }

    /// Moves the end of a limb to a model-space position. The hinge axis aligns with `axis` as far
    /// as possible. If the target is out of reach, the limb is almost straight.
    pub fn reach(&mut self, [upper, lower, end]: [&str; 3], target: Vec3, axis: Vec3) {
        let [upper_index, lower_index, end_index] = [upper, lower, end].map(|n| self.index(n));
        let (knee, tip) = (self.rest(lower_index), self.rest(end_index).translation);
        let bent = |angle: f32| {
            let hinge = quat::mul(knee.rotation, Axis::X.rotation(angle));
            knee.translation + quat::rotate(hinge, tip)
        };
        let shoulder = self.frame(upper_index).translation;
        let away = target - shoulder;
        let (mut low, mut high) = (0.0, 2.5);
        // The distance decreases as the angle grows.
        for _ in 0..26 {
            let middle = 0.5 * (low + high);
            if bent(middle).length() > away.length() {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.rotate(lower, Axis::X.rotation(low));
        let local = square(bent(low), Vec3::X);
        let model = square(away, axis);
        self.orient(upper, between(local, model));
    }

    /// Points the bones of an arm along two directions.
    pub fn arm(&mut self, side: Side, upper: Vec3, lower: Vec3) {
        let names = ["upper_arm", "lower_arm", "hand"].map(|n| side.joint(n));
        let lengths = [1, 2].map(|k| self.rest(self.index(&names[k])).translation.length());
        let shoulder = self.frame(self.index(&names[0])).translation;
        let (upper, lower) = (upper.normalize(), lower.normalize());
        let target = shoulder + upper * lengths[0] + lower * lengths[1];
        let axis = upper.cross(lower);
        self.reach(names.each_ref().map(|n| n.as_str()), target, axis);
    }

    /// Rotates a hand: fingers along one direction, palm toward the other. The forearm twists.
    pub fn hand(&mut self, side: Side, fingers: Vec3, palm: Vec3) {
        let [lower, hand] = ["lower_arm", "hand"].map(|n| self.index(&side.joint(n)));
        let [y, z, x] = square(fingers, palm);
        let wanted = from_columns(x, y, z);
        let forearm = self.frame(lower).rotation;
        let rest = self.rest(hand).rotation;
        let off = quat::mul(
            quat::mul(quat::conjugate(forearm), wanted),
            quat::conjugate(rest),
        );
        // Twist about the axis of the forearm, at most 90°.
        let off = quat::aligned(off, Quat::IDENTITY);
        let twist = 2.0 * libm::atan2f(off.y, off.w);
        let bend = quat::mul(
            quat::conjugate(self.rest(lower).rotation),
            self.local.get(lower).rotation,
        );
        let rotation = quat::mul(bend, Axis::Y.rotation(twist));
        self.rotate(&side.joint("lower_arm"), rotation);
        self.orient(&side.joint("hand"), wanted);
    }

    /// Curls the fingers: 0 at rest, 1 for a fist.
    pub fn fist(&mut self, side: Side, curl: f32) {
        for (finger, less) in [
            ("index", 0.9),
            ("middle", 1.0),
            ("ring", 1.0),
            ("little", 1.0),
        ] {
            let bends = [68.0, 84.0, 46.0].map(|deg| deg * curl * less);
            let spread = match finger {
                "index" => -8.0,
                "ring" => 6.0,
                "little" => 14.0,
                _ => -1.0,
            };
            for (k, bend) in bends.into_iter().enumerate() {
                let aside = if k == 0 {
                    spread * curl * side.sign()
                } else {
                    0.0
                };
                self.rotate(
                    &side.joint(&format!("{finger}_{}", k + 1)),
                    euler_deg(bend, 0.0, aside),
                );
            }
        }
        for (k, bend) in [22.0, 34.0, 42.0].into_iter().enumerate() {
            self.rotate(
                &side.joint(&format!("thumb_{}", k + 1)),
                euler_deg(bend * curl, 0.0, 0.0),
            );
        }
    }

    /// Puts a foot on the ground with its ankle at a model-space position. Angles are in degrees:
    /// yaw about y, heel up (negative: toes up). The knee points along the foot.
    pub fn foot(&mut self, side: Side, ankle: Vec3, yaw_deg: f32, heel_up_deg: f32, toes_deg: f32) {
        let names = ["upper_leg", "lower_leg", "foot"].map(|n| side.joint(n));
        let foot = self.index(&names[2]);
        let rest = self.skeleton.rest_model();
        let (at_rest, _) = Transform::from_affine(rest.get(foot));
        let yaw = Axis::Y.rotation(yaw_deg.to_radians());
        let rotation = quat::mul(yaw, Axis::X.rotation(heel_up_deg.to_radians()));
        // A knee points slightly outward, like its foot at rest.
        let out = quat::mul(yaw, Axis::Y.rotation(side.sign() * 0.06));
        let axis = quat::rotate(out, Vec3::X);
        self.reach(names.each_ref().map(|n| n.as_str()), ankle, axis);
        self.orient(&names[2], quat::mul(rotation, at_rest.rotation));
        self.rotate(&side.joint("toes"), euler_deg(-toes_deg, 0.0, 0.0));
    }
}

/// Makes a clip with a pose at every key. In a loop, the first and last pose are equal.
pub fn clip(
    name: &str,
    skeleton: &Skeleton,
    duration_secs: f32,
    pose: impl Fn(f32) -> LocalPose,
) -> Clip {
    const RATE: f32 = 30.0;
    let steps = (duration_secs * RATE).round().max(1.0) as usize;
    let seconds = |step: usize| duration_secs * step as f32 / steps as f32;
    let times: Arc<Vec<f32>> = Arc::new((0..=steps).map(seconds).collect());
    let poses: Vec<LocalPose> = times.iter().map(|&t| pose(t)).collect();
    let mut clip = Clip::new(name);
    for joint in 0..skeleton.len() {
        let mut keys: Vec<Quat> = poses.iter().map(|p| p.get(joint).rotation).collect();
        for k in 1..keys.len() {
            keys[k] = quat::aligned(keys[k], keys[k - 1]);
        }
        let still = keys.iter().all(|&k| k == keys[0]);
        let track = if still {
            Track::rotations(vec![0.0], &keys[..1], Interpolation::Slerp)
        } else {
            Track::rotations(times.clone(), &keys, Interpolation::Slerp)
        };
        clip.joint_mut(joint).rotation = Some(track.expect("ascending, finite keys"));
        let scales: Vec<Vec3> = poses.iter().map(|p| p.get(joint).scale).collect();
        if scales.iter().any(|&scale| scale != Vec3::ONE) {
            let track = Track::vectors(times.clone(), &scales, Interpolation::Linear);
            clip.joint_mut(joint).scale = Some(track.expect("ascending, finite keys"));
        }
    }
    let positions: Vec<Vec3> = poses.iter().map(|p| p.get(0).translation).collect();
    let track = Track::vectors(times, &positions, Interpolation::Linear);
    clip.joint_mut(0).translation = Some(track.expect("ascending, finite keys"));
    clip.fit_duration();
    clip
}

/// Model pose of a local pose.
pub fn posed(skeleton: &Skeleton, local: &LocalPose) -> ModelPose {
    let mut pose = ModelPose::identity(0);
    pose.update(skeleton.hierarchy(), local, &Affine::IDENTITY)
        .expect("of this skeleton");
    pose
}

/// Smoothstep from 0 to 1. `t` is clamped to [0, 1].
pub fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

pub fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + (b - a) * t
}
