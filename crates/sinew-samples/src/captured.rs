//! Synthetic motion capture for measurements: noise on every channel, fast rotations within a few
//! frames, fingers, and a root that travels. Trunk and limbs need many bits at an error of 0.1 mm.

use crate::motion::{MotionLoad, Noise};
use glam::{Quat, Vec3};
use sinew::clip::{Clip, Interpolation, Track};
use sinew::skeleton::{Joint, Skeleton};
use sinew::transform::{Transform, quat};
use std::sync::Arc;

const FRAMES_PER_SEC: f32 = 60.0;

/// Bone chains: number of bones, parent, length of a bone in metres, max rotation in radians.
const BONES: [(usize, usize, f32, f32); 18] = [
    (1, 0, 0.9, 0.6),  // hips, 0
    (4, 0, 0.13, 0.3), // spine and neck
    (2, 4, 0.1, 0.4),  // head and jaw
    (4, 0, 0.4, 0.9),  // legs, from 7
    (4, 0, 0.4, 0.9),
    (5, 3, 0.25, 0.9), // arms, from 15: clavicle to hand, with a twist
    (5, 3, 0.25, 0.9),
    (4, 19, 0.03, 0.5), // fingers, from 25
    (4, 19, 0.03, 0.5),
    (4, 19, 0.03, 0.5),
    (4, 19, 0.03, 0.5),
    (4, 19, 0.03, 0.5),
    (4, 24, 0.03, 0.5),
    (4, 24, 0.03, 0.5),
    (4, 24, 0.03, 0.5),
    (4, 24, 0.03, 0.5),
    (4, 24, 0.03, 0.5),
    (2, 3, 0.1, 0.2), // a pack on the back
];

impl MotionLoad {
    /// Creates `frames` frames at 60 Hz of a person with 67 joints. With `slides`, every joint has
    /// a translation, and the last joint of a limb also has a scale, as in some programs.
    pub fn captured(frames: usize, slides: bool) -> Self {
        let mut noise = Noise(7);
        let times: Vec<f32> = (0..frames).map(|f| f as f32 / FRAMES_PER_SEC).collect();
        let times = Arc::new(times);
        let (mut joints, mut clip) = (Vec::new(), Clip::new("captured"));
        for (count, from, bone, swing) in BONES {
            for nth in 0..count {
                let joint = joints.len();
                let parent = match nth {
                    0 => (joint > 0).then_some(from),
                    _ => Some(joint - 1),
                };
                let out = (noise.vector() + Vec3::new(0.0, 2.0, 0.0)).normalize();
                let rest = Transform::from_translation(out * bone);
                joints.push(Joint::new(joint.to_string(), parent, rest));

                let tracks = clip.joint_mut(joint);
                let rotations =
                    NoisyRotations::new(&mut noise, swing / (1 + nth) as f32, frames).keys(frames);
                let rotation = Track::rotations(times.clone(), &rotations, Interpolation::Slerp);
                tracks.rotation = Some(rotation.expect("times ascend"));
                let vectors = |keys: &[Vec3]| {
                    let track = Track::vectors(times.clone(), keys, Interpolation::Linear);
                    Some(track.expect("times ascend"))
                };
                if joint == 0 || slides {
                    let speed = if joint == 0 { 0.025 } else { 0.0 };
                    tracks.translation = vectors(&way(rest.translation, speed, frames, &mut noise));
                }
                if slides && nth + 1 == count {
                    tracks.scale = vectors(&way(Vec3::ONE, 0.0, frames, &mut noise));
                }
            }
        }
        let (skeleton, _) = Skeleton::new(joints).expect("a tree of joints");
        clip.fit_duration();
        Self { skeleton, clip }
    }
}

struct NoisyRotations {
    /// Axes of the rotations. The length of an axis is the amplitude in radians.
    swings: [Vec3; 3],
    /// Speed of each rotation, in radians per frame.
    speeds: [f32; 3],
    /// Fast rotations: time in frames, and axis. The length of the axis is the angle in radians.
    jerks: Vec<(f32, Vec3)>,
    /// Noise per frame, in radians.
    jitter: f32,
    noise: Noise,
}

impl NoisyRotations {
    fn new(noise: &mut Noise, swing: f32, frames: usize) -> Self {
        let mut vector = |size: f32| size * noise.vector();
        let swings = [vector(swing), vector(0.5 * swing), vector(0.1 * swing)];
        let jerks = (0..1 + frames / 90)
            .map(|_| (noise.unit() * frames as f32, 2.0 * swing * noise.vector()))
            .collect();
        Self {
            swings,
            speeds: [0.03, 0.08, 0.3].map(|speed| speed * (0.5 + noise.unit())),
            jerks,
            jitter: 4e-3,
            noise: Noise(noise.next()),
        }
    }

    fn keys(mut self, frames: usize) -> Vec<Quat> {
        (0..frames).map(|frame| self.key(frame as f32)).collect()
    }

    fn key(&mut self, frame: f32) -> Quat {
        let mut rotation_vector = self.jitter * self.noise.vector();
        for (swing, speed) in self.swings.into_iter().zip(self.speeds) {
            rotation_vector += swing * libm::sinf(speed * frame);
        }
        for (begin, jerk) in &self.jerks {
            let since = (frame - begin).max(0.0);
            let there = (since / 6.0).min(1.0);
            let back = ((since - 6.0) / 30.0).clamp(0.0, 1.0);
            rotation_vector += *jerk * smooth(there) * (1.0 - smooth(back));
        }
        match rotation_vector.length() {
            0.0 => Quat::IDENTITY,
            angle => quat::from_axis_angle(rotation_vector, angle),
        }
    }
}

fn smooth(x: f32) -> f32 {
    x * x * (3.0 - 2.0 * x)
}

/// Positions of a joint per frame, at `speed` metres per frame, with noise of half a millimetre.
fn way(from: Vec3, speed: f32, frames: usize, noise: &mut Noise) -> Vec<Vec3> {
    let pace = 0.1 + 0.1 * noise.unit();
    let key = |frame: usize| {
        let frame = frame as f32;
        let sway = 0.01 * libm::sinf(pace * frame);
        let ahead = Vec3::new(0.3 * sway, sway, speed * frame);
        from + ahead + 5e-4 * noise.vector()
    };
    (0..frames).map(key).collect()
}
