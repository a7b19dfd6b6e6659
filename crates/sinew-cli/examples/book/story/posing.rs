use glam::{Quat, Vec3};
use sinew::blend::{BlendJob, Layer, Mask};
use sinew::ik::{IkError, Tip, TwoBone, two_bone};
use sinew::transform::quat;
use sinew::{Affine, LocalPose, ModelPose, Skeleton, Transform};

/// Hip, knee and ankle, or shoulder, elbow and wrist.
#[derive(Clone, Copy)]
pub struct Limb {
    pub upper: usize,
    pub lower: usize,
    pub end: usize,
    /// Joint after the ankle, on which a foot treads; for an arm, the wrist again.
    pub toes: usize,
}

/// Joints of the mannequin.
pub struct Body {
    pub skeleton: Skeleton,
    /// Left and right.
    pub legs: [Limb; 2],
    pub right_arm: Limb,
    /// Pairs of joints of the left and right arm, with all fingers.
    arms: Vec<(usize, usize)>,
}

impl Body {
    pub fn new(skeleton: &Skeleton) -> Self {
        let joint = |name: &str| skeleton.find(name).expect("the biped has this joint");
        let leg = |side: &str| Limb {
            upper: joint(&format!("{side}_upper_leg")),
            lower: joint(&format!("{side}_lower_leg")),
            end: joint(&format!("{side}_foot")),
            toes: joint(&format!("{side}_toes")),
        };
        let shoulder = Mask::below(skeleton, joint("left_shoulder"));
        let arms = (0..skeleton.len()).filter(|&j| shoulder.get(j) > 0.0);
        let other = |left: usize| joint(&skeleton.name(left).replace("left_", "right_"));
        Self {
            legs: [leg("left"), leg("right")],
            right_arm: Limb {
                upper: joint("right_upper_arm"),
                lower: joint("right_lower_arm"),
                end: joint("right_hand"),
                toes: joint("right_hand"),
            },
            arms: arms.map(|left| (left, other(left))).collect(),
            skeleton: skeleton.clone(),
        }
    }

    pub fn joint(&self, name: &str) -> usize {
        self.skeleton.find(name).expect("the biped has this joint")
    }

    pub fn model(&self, pose: &LocalPose) -> ModelPose {
        let mut model = ModelPose::identity(self.skeleton.len());
        model
            .update(self.skeleton.hierarchy(), pose, &Affine::IDENTITY)
            .expect("of this skeleton");
        model
    }

    /// `world_from_joint`.
    pub fn frame(&self, pose: &LocalPose, joint: usize) -> Transform {
        Transform::from_affine(self.model(pose).get(joint)).0
    }

    pub fn place(&self, pose: &LocalPose, joint: usize) -> Vec3 {
        self.model(pose).get(joint).translation()
    }

    /// Sets a joint's rotation, within its limits.
    pub fn turn(&self, pose: &mut LocalPose, joint: usize, rotation: Quat) {
        let rest = self.skeleton.rest().get(joint).rotation;
        let allowed = self.skeleton.freedom(joint).clamp_rotation(rest, rotation);
        pose.set_rotation(joint, quat::normalized(allowed));
    }

    /// Brings the end of a limb to a position.
    pub fn reach(&self, pose: &mut LocalPose, limb: &Limb, goal: Vec3) -> Result<(), IkError> {
        let parent = self
            .skeleton
            .parent(limb.upper)
            .expect("limbs hang from something");
        let above = *self.model(pose).get(parent);
        let job = TwoBone::new(limb.upper, limb.lower, Tip::of(limb.end), goal);
        two_bone(&self.skeleton, pose, &above, &job)?;
        Ok(())
    }

    /// Mirrors the left arm of a pose to the right arm of another.
    pub fn mirror_left_arm(&self, from: &LocalPose, to: &mut LocalPose) {
        for &(left, right) in &self.arms {
            self.turn(to, right, mirrored(from.get(left).rotation));
        }
    }

    /// Mask of 1 for `joint` and everything below it.
    pub fn below(&self, joint: &str) -> Mask {
        Mask::below(&self.skeleton, self.joint(joint))
    }
}

/// Mirrors a rotation left to right.
pub fn mirrored(q: Quat) -> Quat {
    Quat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

/// Mixes `b` over `a` by a weight and a mask.
pub fn mixed(
    skeleton: &Skeleton,
    a: &LocalPose,
    b: &LocalPose,
    weight: f32,
    mask: Option<&Mask>,
) -> LocalPose {
    let all = Mask::new(&vec![1.0; skeleton.len()]).expect("ones are weights");
    let mask = mask.unwrap_or(&all);
    let of_b: Vec<f32> = mask.iter().map(|m| m * weight.clamp(0.0, 1.0)).collect();
    let of_a: Vec<f32> = of_b.iter().map(|w| 1.0 - w).collect();
    let [of_a, of_b] = [of_a, of_b].map(|w| Mask::new(&w).expect("weights from 0 to 1"));
    let mut layers = [
        Layer::new(a, 1.0).masked(&of_a),
        Layer::new(b, 1.0).masked(&of_b),
    ];
    let mut out = skeleton.rest().clone();
    let job = BlendJob::new(skeleton.rest(), &mut layers);
    job.run(&mut out).expect("poses of one skeleton");
    out
}

/// Smooth step from 0 to 1.
pub fn ease(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * t * (10.0 + t * (6.0 * t - 15.0))
}
