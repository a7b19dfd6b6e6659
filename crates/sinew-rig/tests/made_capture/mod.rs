//! Synthetic captures: smooth motion of a subject within its limits, seen with noise and gaps.

#![allow(
    dead_code,
    reason = "every test file uses some of these and none uses all"
)]

pub mod compare;

use glam::{Quat, Vec3};
use sinew::skeleton::limits::{AngleRange, RotationLimit};
use sinew::transform::quat;
use sinew::{Affine, Joint, LocalPose, ModelPose, Skeleton};
use sinew_rig::mocap::{Marker, MarkerSet, Sighting, Trial};
use std::f32::consts::TAU;

/// Reproducible random numbers (splitmix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Variance 1 (Box and Muller 1958).
    pub fn normal(&mut self) -> f32 {
        let (a, b) = (self.unit().max(1e-7), self.unit());
        (-2.0 * a.ln()).sqrt() * (TAU * b).cos()
    }
}

/// Subject with random lengths, and its markers.
pub fn subject(
    template: &Skeleton,
    set: &MarkerSet,
    spread: f32,
    dice: &mut Dice,
) -> (Skeleton, MarkerSet) {
    let joints = template.joints().into_iter().map(|mut joint: Joint| {
        let factor = dice.between(1.0 - spread, 1.0 + spread);
        joint.rest.translation *= factor;
        joint
    });
    let (skeleton, _) = Skeleton::new(joints.collect()).expect("a skeleton");
    let sizes: Vec<f32> = (0..template.len())
        .map(|_| dice.between(1.0 - spread, 1.0 + spread))
        .collect();
    let markers = set.markers.iter().map(|m| Marker {
        offset: m.offset * sizes[template.find(&m.joint).expect("a joint")],
        ..m.clone()
    });
    let markers = markers.collect();
    (skeleton, MarkerSet { markers })
}

/// Three waves of random length and phase, in [−1, 1].
struct Wave([[f32; 3]; 3]);

impl Wave {
    fn new(dice: &mut Dice) -> Self {
        Self(
            [0.5, 0.3, 0.2].map(|height| [height, dice.between(0.15, 0.9), dice.between(0.0, TAU)]),
        )
    }

    fn at(&self, t: f32) -> f32 {
        let waves = self.0.iter();
        waves
            .map(|[height, hz, phase]| height * (TAU * hz * t + phase).sin())
            .sum()
    }
}

fn within(range: &AngleRange, wave: f32) -> f32 {
    let (low, high) = (range.min_rad, range.max_rad);
    0.5 * (low + high) + 0.45 * (high - low) * wave
}

/// Poses that go far within the limits of every joint except fingers.
pub fn motion(skeleton: &Skeleton, frames: usize, rate: f32, dice: &mut Dice) -> Vec<LocalPose> {
    let waves: Vec<[Wave; 3]> = (0..skeleton.len())
        .map(|_| std::array::from_fn(|_| Wave::new(dice)))
        .collect();
    let way: [Wave; 3] = std::array::from_fn(|_| Wave::new(dice));
    let pose = |frame: usize| {
        let t = frame as f32 / rate;
        let mut pose = skeleton.rest().clone();
        for joint in 0..skeleton.len() {
            let w: [f32; 3] = std::array::from_fn(|i| waves[joint][i].at(t));
            let turn = match &skeleton.freedom(joint).rotation {
                RotationLimit::Fixed => Quat::IDENTITY,
                RotationLimit::Hinge { axis, range } => {
                    quat::from_axis_angle(*axis, within(range, w[0]))
                }
                RotationLimit::Saddle { axes, ranges } => quat::mul(
                    axes[0].rotation(within(&ranges[0], w[0])),
                    axes[1].rotation(within(&ranges[1], w[1])),
                ),
                RotationLimit::Ball {
                    axis,
                    swing_rad,
                    twist,
                } => {
                    let (a, b) = axis.any_orthonormal_pair();
                    let swing = (a * w[0] + b * w[1]) * (0.6 * swing_rad);
                    let angle = swing.length().max(1e-6);
                    quat::mul(
                        quat::from_axis_angle(swing / angle, angle),
                        quat::from_axis_angle(*axis, within(twist, w[2])),
                    )
                }
                RotationLimit::Euler { order, ranges } => {
                    order.to_quat(std::array::from_fn(|i| within(&ranges[i], w[i])))
                }
                RotationLimit::Free | RotationLimit::Framed(_) => quat::mul(
                    quat::from_axis_angle(Vec3::Y, 1.2 * t),
                    quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.5 * w[1]),
                ),
            };
            let name = skeleton.name(joint);
            let finger = ["thumb", "index", "middle", "ring", "little"];
            if !finger.iter().any(|f| name.contains(f)) {
                let rest = skeleton.rest().get(joint).rotation;
                pose.set_rotation(joint, quat::mul(rest, turn));
            }
        }
        let way = Vec3::from_array(std::array::from_fn(|i| way[i].at(t)));
        let rest = skeleton.rest().get(0).translation;
        pose.set_translation(0, rest + way * Vec3::new(1.0, 0.1, 1.0));
        pose
    };
    (0..frames).map(pose).collect()
}

/// `model_from_joint` of every pose.
pub fn models(skeleton: &Skeleton, poses: &[LocalPose]) -> Vec<ModelPose> {
    let model = |pose: &LocalPose| {
        let mut model = ModelPose::identity(skeleton.len());
        model
            .update(skeleton.hierarchy(), pose, &Affine::IDENTITY)
            .expect("of this skeleton");
        model
    };
    poses.iter().map(model).collect()
}

/// Position of a joint.
pub fn place(model: &ModelPose, joint: usize) -> Vec3 {
    model.get(joint).transform_point(Vec3::ZERO)
}

/// Sightings of perfect cameras.
pub fn perfect(skeleton: &Skeleton, set: &MarkerSet, poses: &[LocalPose], rate: f64) -> Trial {
    let labels = set.markers.iter().map(|m| m.label.clone()).collect();
    let mut trial = Trial::new(rate, labels);
    for model in models(skeleton, poses) {
        let see = |m: &Marker| {
            let joint = skeleton.find(&m.joint).expect("a joint");
            Some(Sighting {
                position: model.get(joint).transform_point(m.offset),
                residual: 0.0,
            })
        };
        trial
            .push(&set.markers.iter().map(see).collect::<Vec<_>>())
            .expect("of this skeleton");
    }
    trial
}

/// Adds noise of this deviation to each axis. Loses a share of sightings in gaps of `gap` frames.
pub fn noisy(trial: &Trial, deviation: f32, lost: f32, gap: usize, dice: &mut Dice) -> Trial {
    let (frames, markers) = (trial.frames(), trial.labels().len());
    let mut hidden = vec![false; frames * markers];
    let gaps = (lost * (frames * markers) as f32 / gap as f32) as usize;
    for _ in 0..gaps {
        let marker = (dice.unit() * markers as f32) as usize;
        let first = (dice.unit() * (frames - gap) as f32) as usize;
        for frame in first..first + gap {
            hidden[frame * markers + marker] = true;
        }
    }
    let mut out = Trial::new(trial.rate_hz, trial.labels().to_vec());
    for frame in 0..frames {
        let row: Vec<Option<Sighting>> = (trial.frame(frame).iter().enumerate())
            .map(|(marker, seen)| {
                let noise = Vec3::from_array(std::array::from_fn(|_| deviation * dice.normal()));
                let seen = seen.map(|s| Sighting {
                    position: s.position + noise,
                    ..s
                });
                seen.filter(|_| !hidden[frame * markers + marker])
            })
            .collect();
        out.push(&row).expect("of this skeleton");
    }
    out
}
