//! A motion like captured ones, for measuring: noise on every channel, turns that come and go within a few frames, fingers,
//! and a root that travels. At a tenth of a millimetre the codes of its trunk and limbs have many bits.

use crate::motion::{MotionLoad, Noise};
use glam::{Quat, Vec3};
use sinew::clip::{Clip, Interpolation, Track};
use sinew::skeleton::{Joint, Skeleton};
use sinew::transform::{Transform, quat};
use std::sync::Arc;

const FRAMES_PER_SEC: f32 = 60.0;

/// Bones of a person: how many follow each other, which one before them they grow from, how long each is in metres, and
/// how far it turns.
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
    /// So many frames at sixty a second of a person of 67 joints, as cameras see one. With `slides`, every joint
    /// has a translation and the last of a limb a scale too, as some programs write them.
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
                let turns = Turns::new(&mut noise, swing / (1 + nth) as f32, frames).keys(frames);
                let rotation = Track::rotations(times.clone(), &turns, Interpolation::Slerp);
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

/// The rotations of a joint.
struct Turns {
    /// Axes and how far about each.
    swings: [Vec3; 3],
    /// Radians a frame.
    speeds: [f32; 3],
    /// The fast rotations: their times, in frames, and their axes, as long as their angles.
    jerks: Vec<(f32, Vec3)>,
    /// The error of a frame, in radians.
    jitter: f32,
    noise: Noise,
}

impl Turns {
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
        let mut turn = self.jitter * self.noise.vector();
        for (swing, speed) in self.swings.into_iter().zip(self.speeds) {
            turn += swing * libm::sinf(speed * frame);
        }
        for (begin, jerk) in &self.jerks {
            // There within six frames, and back within thirty.
            let since = (frame - begin).max(0.0);
            let there = (since / 6.0).min(1.0);
            let back = ((since - 6.0) / 30.0).clamp(0.0, 1.0);
            turn += *jerk * smooth(there) * (1.0 - smooth(back));
        }
        match turn.length() {
            0.0 => Quat::IDENTITY,
            angle => quat::from_axis_angle(turn, angle),
        }
    }
}

/// From 0 to 1, with no speed at either end.
fn smooth(x: f32) -> f32 {
    x * x * (3.0 - 2.0 * x)
}

/// The positions of a joint from frame to frame: near a point, and so far ahead each time, as in a walk, with noise
/// of half a millimetre.
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
