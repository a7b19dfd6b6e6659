//! Sword play for the humanoid: guard, a cut with a lunge, a sweep, a stand on one leg, and back.
//!
//! Key poses are angles; between them each angle goes along a closed cubic. The root then goes where
//! the planted foot keeps its place and the lowest sole is on the ground. The shoulders turn freely
//! here: what the humanoid's own hinges allow is not enough to fence with.

use super::super::humanoid::HumanoidPart;
use super::super::humanoid_shapes;
use crate::clip::{Clip, Curve, Interpolation, Track};
use crate::mesh::Primitive;
use crate::pose::{LocalPose, ModelPose};
use crate::skeleton::Skeleton;
use crate::transform::{Affine, Axis, Transform, quat};
use glam::{Quat, Vec3};
use std::sync::Arc;

const DURATION_SECS: f32 = 4.8;
const RATE: f32 = 30.0;

/// Degrees of: torso turn, bow and tilt; head turn and nod; right arm forward, out and turned, elbow;
/// left arm forward and out, elbow; right leg forward and out, knee; left leg the same.
type Angles = [f32; 18];

const GUARD: Angles = [
    -18.0, 5.0, 0.0, 14.0, 4.0, 52.0, 10.0, 0.0, 58.0, 22.0, 26.0, 62.0, 24.0, 4.0, 26.0, -20.0,
    8.0, 10.0,
];
const RAISED: Angles = [
    -26.0, -7.0, 0.0, 22.0, -2.0, 158.0, 4.0, 0.0, 62.0, 66.0, 18.0, 34.0, 58.0, 4.0, 78.0, -8.0,
    8.0, 12.0,
];
const CUT: Angles = [
    16.0, 19.0, 0.0, -12.0, -12.0, 62.0, -4.0, 0.0, 8.0, -38.0, 30.0, 22.0, 56.0, 4.0, 58.0, -36.0,
    8.0, 8.0,
];
const LOW: Angles = [
    26.0, 22.0, 3.0, -20.0, -14.0, 34.0, -14.0, 0.0, 6.0, -30.0, 36.0, 26.0, 58.0, 4.0, 62.0,
    -36.0, 8.0, 10.0,
];
const SWEEP: Angles = [
    -46.0, 8.0, -4.0, 38.0, 0.0, 76.0, 58.0, 0.0, 10.0, 64.0, 8.0, 82.0, 52.0, 4.0, 56.0, -32.0,
    8.0, 12.0,
];
const CRANE: Angles = [
    -14.0, -4.0, 0.0, 12.0, 2.0, 132.0, 12.0, 0.0, 22.0, 84.0, 24.0, 12.0, 4.0, 2.0, 6.0, 82.0,
    4.0, 98.0,
];

/// When each pose is reached, and whether both feet are then on the ground; the first comes again at
/// the end.
const POSES: [(f32, Angles, bool); 9] = [
    (0.0, GUARD, true),
    (0.3, GUARD, true),
    (0.8, RAISED, false),
    (1.12, CUT, true),
    (1.5, LOW, true),
    (2.1, SWEEP, true),
    (2.8, GUARD, true),
    (3.45, CRANE, false),
    (4.1, CRANE, false),
];

/// Where the left leg's forward angle is among [`Angles`].
const LEFT_LEG: usize = 15;

/// The right foot steps out and back; then the left one is lifted and set down.
const RIGHT_OUT_SECS: f32 = 1.1;
const RIGHT_BACK_SECS: f32 = 2.75;
const LEFT_DOWN_SECS: f32 = 4.62;

/// The clip, for a skeleton whose joints are the ten parts in order. Its curves "camera_eye",
/// "camera_target", "lamp" and "water" are for what is around the figure, and its events
/// "footstep_left" and "footstep_right" for its feet.
///
/// ```
/// use sinew::examples::{humanoid_character, sword_play};
/// let person = humanoid_character();
/// let clip = sword_play(&person.skeleton);
/// assert_eq!(clip.events.len(), 3);
/// ```
pub fn sword_play(skeleton: &Skeleton) -> Clip {
    let steps = (DURATION_SECS * RATE).round() as usize;
    let seconds = |step: usize| DURATION_SECS * step as f32 / steps as f32;
    let times: Arc<Vec<f32>> = Arc::new((0..=steps).map(seconds).collect());
    let feet = Feet::new(skeleton);
    let keys = POSES.map(|(at, pose, stands)| match stands {
        true => (at, feet.levelled(pose)),
        false => (at, pose),
    });
    let poses: Vec<[Quat; 10]> = times.iter().map(|&t| turns(&angles(&keys, t))).collect();
    let mut clip = Clip::new("sword play");
    for part in HumanoidPart::ALL {
        let keys: Vec<Quat> = poses.iter().map(|p| p[part.index()]).collect();
        let track = Track::rotations(times.clone(), &keys, Interpolation::Slerp);
        clip.joint_mut(part.index()).rotation = Some(track.expect("ascending, finite keys"));
    }
    let places = root_places(&feet, &times, &poses);
    let track = Track::vectors(times, &places, Interpolation::Linear);
    let root = clip.joint_mut(HumanoidPart::Torso.index());
    root.translation = Some(track.expect("ascending, finite keys"));
    clip.add_event(RIGHT_OUT_SECS, "footstep_right");
    clip.add_event(RIGHT_BACK_SECS, "footstep_right");
    clip.add_event(LEFT_DOWN_SECS, "footstep_left");
    clip.curves = curves();
    clip.fit_duration();
    clip
}

/// The angles at a time: a cubic through the poses, whose slope at each is that between its
/// neighbours, round and round.
fn angles(keys: &[(f32, Angles)], time: f32) -> Angles {
    let count = keys.len();
    let after = keys.iter().position(|p| p.0 > time).unwrap_or(count);
    let pose = |k: isize| {
        let round = k.div_euclid(count as isize) as f32 * DURATION_SECS;
        let (at, angles) = &keys[k.rem_euclid(count as isize) as usize];
        (at + round, angles)
    };
    let here = after as isize - 1;
    let [p, q, r, s] = [-1, 0, 1, 2].map(|k| pose(here + k));
    let span = r.0 - q.0;
    let t = (time - q.0) / span;
    std::array::from_fn(|k| {
        let slope = |a: (f32, &Angles), b: (f32, &Angles)| (b.1[k] - a.1[k]) / (b.0 - a.0) * span;
        // Where a pose is held it is held still.
        let still = |a: (f32, &Angles), b: (f32, &Angles)| a.1[k] == b.1[k];
        let from = if still(p, q) || still(q, r) {
            0.0
        } else {
            slope(p, r)
        };
        let to = if still(q, r) || still(r, s) {
            0.0
        } else {
            slope(q, s)
        };
        let (t2, t3) = (t * t, t * t * t);
        (2.0 * t3 - 3.0 * t2 + 1.0) * q.1[k]
            + (t3 - 2.0 * t2 + t) * from
            + (3.0 * t2 - 2.0 * t3) * r.1[k]
            + (t3 - t2) * to
    })
}

/// `parent_from_part` rotations.
fn turns(angles: &Angles) -> [Quat; 10] {
    let rad = angles.map(f32::to_radians);
    let product = |turns: &[Quat]| turns.iter().fold(Quat::IDENTITY, |q, &t| quat::mul(q, t));
    let torso = product(&[
        Axis::Y.turn(rad[0]),
        Axis::X.turn(rad[1]),
        Axis::Z.turn(rad[2]),
    ]);
    // Legs stand as they stand, however the torso bows and turns.
    let leg = |forward: f32, out: f32| {
        let upright = quat::conjugate(torso);
        product(&[upright, Axis::Z.turn(out), Axis::X.turn(-forward)])
    };
    let knee = |bent: f32| Axis::X.turn(bent);
    let elbow = |bent: f32| Axis::X.turn(-bent);
    let arm = |forward: f32, out: f32, turn: f32| {
        product(&[
            Axis::Z.turn(out),
            Axis::X.turn(-forward),
            Axis::Y.turn(turn),
        ])
    };
    HumanoidPart::ALL.map(|part| {
        use HumanoidPart::*;
        let turn = match part {
            Torso => torso,
            Head => product(&[Axis::Y.turn(rad[3]), Axis::X.turn(rad[4])]),
            RightUpperArm => arm(rad[5], -rad[6], rad[7]),
            RightLowerArm => elbow(rad[8]),
            LeftUpperArm => arm(rad[9], rad[10], 0.0),
            LeftLowerArm => elbow(rad[11]),
            RightUpperLeg => leg(rad[12], -rad[13]),
            RightLowerLeg => knee(rad[14]),
            LeftUpperLeg => leg(rad[15], rad[16]),
            LeftLowerLeg => knee(rad[17]),
        };
        quat::mul(part.rest().rotation, turn)
    })
}

const LEGS: [HumanoidPart; 2] = [HumanoidPart::LeftLowerLeg, HumanoidPart::RightLowerLeg];

/// The soles, and where they are in a pose.
struct Feet<'a> {
    skeleton: &'a Skeleton,
    soles: Primitive,
}

impl<'a> Feet<'a> {
    fn new(skeleton: &'a Skeleton) -> Self {
        Self {
            skeleton,
            soles: humanoid_shapes::surface(HumanoidPart::LeftLowerLeg),
        }
    }

    /// With the root where it rests.
    fn posed(&self, turns: &[Quat; 10]) -> ModelPose {
        let locals = HumanoidPart::ALL.map(|part| Transform {
            rotation: turns[part.index()],
            ..part.rest()
        });
        let local = LocalPose::from_transforms(&locals);
        let mut pose = ModelPose::identity(0);
        pose.update(self.skeleton, &local, &Affine::IDENTITY);
        pose
    }

    /// How high the lowest point of a leg is.
    fn height(&self, pose: &ModelPose, leg: HumanoidPart) -> f32 {
        let model_from_leg = pose.get(leg.index());
        let points = self.soles.positions.iter();
        points.fold(f32::INFINITY, |low, &p| {
            low.min(model_from_leg.transform_point(p).y)
        })
    }

    /// The pose with the left leg so far back that both soles are at one height.
    fn levelled(&self, mut pose: Angles) -> Angles {
        let (mut back, mut front) = (-80.0, 0.0);
        for _ in 0..24 {
            pose[LEFT_LEG] = (back + front) / 2.0;
            let posed = self.posed(&turns(&pose));
            let [left, right] = LEGS.map(|leg| self.height(&posed, leg));
            match left > right {
                true => back = pose[LEFT_LEG],
                false => front = pose[LEFT_LEG],
            }
        }
        pose
    }
}

/// Where the root is at every time, so that the foot on the ground does not slide.
fn root_places(feet: &Feet, times: &[f32], poses: &[[Quat; 10]]) -> Vec<Vec3> {
    let root = HumanoidPart::Torso.rest().translation;
    let mut planted: Option<(HumanoidPart, Vec3)> = None;
    let mut places: Vec<Vec3> = Vec::new();
    for (&time, turns) in times.iter().zip(poses) {
        let pose = feet.posed(turns);
        let foot = |leg: HumanoidPart| {
            let ankle = Vec3::new(0.0, -0.41, 0.0);
            pose.get(leg.index()).transform_point(ankle)
        };
        let leg = LEGS[usize::from(time >= RIGHT_BACK_SECS)];
        let last = places.last().map_or(Vec3::ZERO, |p| *p - root);
        let place = match planted {
            Some((same, place)) if same == leg => place,
            // A foot stays where it comes down.
            _ => foot(leg) + last,
        };
        planted = Some((leg, place));
        let [left, right] = LEGS.map(|leg| feet.height(&pose, leg));
        places.push(root + (place - foot(leg)).with_y(-left.min(right)));
    }
    // In the middle of its own dance.
    let sum = places.iter().fold(Vec3::ZERO, |sum, &p| sum + p);
    let middle = (sum / places.len() as f32).with_y(0.0);
    places.iter().map(|&p| p - middle).collect()
}

/// What is around the figure moves along with it.
fn curves() -> Vec<Curve> {
    let camera = [
        (0.0, [2.6, 1.25, 4.3], [0.0, 0.98, 0.0]),
        (1.1, [1.7, 1.05, 4.1], [0.05, 0.92, 0.1]),
        (2.1, [0.2, 1.2, 4.5], [0.0, 0.95, 0.1]),
        (3.5, [1.5, 1.3, 5.0], [0.0, 1.22, 0.0]),
        (4.8, [2.6, 1.25, 4.3], [0.0, 0.98, 0.0]),
    ];
    let lamp = [
        (0.0, 1.0),
        (0.5, 0.8),
        (0.9, 1.1),
        (1.5, 0.85),
        (2.2, 1.15),
        (2.9, 0.9),
        (3.6, 1.1),
        (4.2, 0.82),
        (4.8, 1.0),
    ];
    // A whole repeat of the texture, so that the loop closes.
    let water = [(0.0, [0.0, 0.0]), (2.4, [0.5, 0.5]), (4.8, [1.0, 1.0])];
    let curve = |name: &str, times: Vec<f32>, values: Vec<f32>, width: usize| Curve {
        name: name.to_owned(),
        track: Track::new(times, values, width, Interpolation::CatmullRom)
            .expect("ascending, finite keys"),
    };
    let times = || camera.iter().map(|k| k.0).collect();
    vec![
        curve(
            "camera_eye",
            times(),
            camera.iter().flat_map(|k| k.1).collect(),
            3,
        ),
        curve(
            "camera_target",
            times(),
            camera.iter().flat_map(|k| k.2).collect(),
            3,
        ),
        curve(
            "lamp",
            lamp.iter().map(|k| k.0).collect(),
            lamp.iter().map(|k| k.1).collect(),
            1,
        ),
        curve(
            "water",
            water.iter().map(|k| k.0).collect(),
            water.iter().flat_map(|k| k.1).collect(),
            2,
        ),
    ]
}
