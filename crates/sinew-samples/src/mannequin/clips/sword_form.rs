//! Sword form: salute, guard, raised blade, lunge with a cut, low sweep, return and stand on one
//! leg. Closed cubics connect the key poses. Limbs reach by inverse kinematics.

use super::puppet::{Puppet, Side, clip as keyed, euler_deg, smooth};
use glam::{Quat, Vec3};
use sinew::Skeleton;
use sinew::binding::Binding;
use sinew::clip::{Clip, Curve, Interpolation, Track};
use sinew::pose::LocalPose;

const SECS: f32 = 6.4;

/// Key pose. Hand positions are in metres, relative to the point between the shoulders: left, up,
/// forward. The direction of the blade is in model space.
#[derive(Clone, Copy)]
struct Key {
    secs: f32,
    hips: [f32; 3],
    /// Pitch, yaw and roll of the hips in degrees. `spine_deg` has the angles of the spine.
    hips_deg: [f32; 3],
    spine_deg: [f32; 3],
    head_deg: [f32; 2],
    right_hand: [f32; 3],
    blade: [f32; 3],
    left_hand: [f32; 3],
}

const KEYS: [Key; 11] = [
    GUARD,
    Key { secs: 0.5, ..GUARD },
    Key {
        secs: 1.15,
        hips: [-0.01, -0.10, -0.09],
        hips_deg: [-4.0, -26.0, 0.0],
        spine_deg: [-8.0, -18.0, 0.0],
        head_deg: [4.0, 36.0],
        right_hand: [-0.14, 0.36, 0.10],
        blade: [0.15, 0.45, -0.88],
        left_hand: [0.16, 0.02, 0.42],
    },
    Key {
        secs: 1.36,
        hips: [-0.005, -0.15, 0.08],
        hips_deg: [2.0, -18.0, 0.0],
        spine_deg: [2.0, -4.0, 0.0],
        head_deg: [-4.0, 18.0],
        right_hand: [-0.10, 0.26, 0.34],
        blade: [0.10, 0.95, 0.10],
        left_hand: [0.32, 0.04, 0.10],
    },
    Key {
        secs: 1.55,
        hips: [0.0, -0.22, 0.27],
        hips_deg: [8.0, -10.0, 0.0],
        spine_deg: [14.0, 12.0, 0.0],
        head_deg: [-14.0, -2.0],
        right_hand: [-0.06, -0.02, 0.52],
        blade: [0.05, -0.12, 0.99],
        left_hand: [0.42, -0.02, -0.26],
    },
    Key {
        secs: 1.95,
        hips: [0.0, -0.225, 0.28],
        hips_deg: [9.0, -8.0, 0.0],
        spine_deg: [16.0, 16.0, 0.0],
        head_deg: [-15.0, -6.0],
        right_hand: [-0.02, -0.12, 0.50],
        blade: [0.15, -0.30, 0.94],
        left_hand: [0.42, -0.04, -0.28],
    },
    Key {
        secs: 2.65,
        hips: [0.02, -0.20, 0.22],
        hips_deg: [4.0, -30.0, -2.0],
        spine_deg: [4.0, -34.0, -3.0],
        head_deg: [-4.0, 26.0],
        right_hand: [-0.40, 0.02, 0.36],
        blade: [-0.72, 0.06, 0.62],
        left_hand: [0.18, 0.00, 0.36],
    },
    Key {
        secs: 3.4,
        hips: [0.0, -0.085, 0.02],
        hips_deg: [2.0, -20.0, 0.0],
        spine_deg: [2.0, -8.0, 0.0],
        head_deg: [-2.0, 24.0],
        right_hand: [-0.20, -0.14, 0.36],
        blade: [0.30, 0.50, 0.80],
        left_hand: [0.22, -0.06, 0.36],
    },
    Key {
        secs: 4.2,
        hips: [-0.085, -0.018, -0.02],
        hips_deg: [-2.0, -18.0, 3.0],
        spine_deg: [-4.0, -14.0, -2.0],
        head_deg: [2.0, 28.0],
        right_hand: [-0.20, 0.36, 0.12],
        blade: [0.20, -0.12, 0.97],
        left_hand: [0.20, 0.02, 0.46],
    },
    Key {
        secs: 4.9,
        hips: [-0.085, -0.022, -0.02],
        hips_deg: [-2.0, -18.0, 3.0],
        spine_deg: [-4.0, -14.0, -2.0],
        head_deg: [2.0, 28.0],
        right_hand: [-0.20, 0.36, 0.12],
        blade: [0.20, -0.12, 0.97],
        left_hand: [0.20, 0.02, 0.46],
    },
    Key {
        secs: 5.7,
        hips: [-0.005, -0.09, 0.0],
        hips_deg: [2.0, -20.0, 0.0],
        spine_deg: [2.0, -8.0, 0.0],
        head_deg: [-2.0, 24.0],
        right_hand: [-0.18, -0.14, 0.36],
        blade: [0.26, 0.55, 0.78],
        left_hand: [0.22, -0.08, 0.34],
    },
];

const GUARD: Key = Key {
    secs: 0.0,
    hips: [0.0, -0.095, 0.0],
    hips_deg: [2.0, -20.0, 0.0],
    spine_deg: [2.0, -8.0, 0.0],
    head_deg: [-2.0, 24.0],
    right_hand: [-0.17, -0.13, 0.37],
    blade: [0.26, 0.55, 0.78],
    left_hand: [0.23, -0.10, 0.33],
};

/// Foot on the ground: x and z of its ankle in metres, and yaw in degrees.
type Stand = [f32; 3];

const LEFT_HOME: Stand = [0.115, -0.17, 22.0];
const RIGHT_HOME: Stand = [-0.105, 0.16, -2.0];
const RIGHT_OUT: Stand = [-0.115, 0.62, 2.0];

struct Step {
    secs: [f32; 2],
    to: Stand,
    high: f32,
}

const RIGHT_STEPS: [Step; 2] = [
    Step {
        secs: [0.95, 1.5],
        to: RIGHT_OUT,
        high: 0.14,
    },
    Step {
        secs: [2.75, 3.4],
        to: RIGHT_HOME,
        high: 0.07,
    },
];
/// Times of the lift, the highest point, the start of lowering, and the landing, in seconds.
const LEFT_LIFT: [f32; 4] = [3.45, 4.15, 4.95, 5.65];

/// Makes the clip, with curves "`camera_eye`", "`camera_target`", "lamp" and "water".
pub fn clip(skeleton: &Skeleton) -> Clip {
    let mut clip = keyed("sword form", skeleton, SECS, |time| pose(skeleton, time));
    clip.add_event(RIGHT_STEPS[0].secs[1], "footstep_right");
    clip.add_event(RIGHT_STEPS[1].secs[1], "footstep_right");
    clip.add_event(LEFT_LIFT[3], "footstep_left");
    clip.curves = curves();
    clip
}

fn numbers(key: &Key) -> [f32; 20] {
    let mut all = [0.0; 20];
    let parts: [&[f32]; 7] = [
        &key.hips,
        &key.hips_deg,
        &key.spine_deg,
        &key.head_deg,
        &key.right_hand,
        &key.blade,
        &key.left_hand,
    ];
    for (to, from) in all.iter_mut().zip(parts.into_iter().flatten()) {
        *to = *from;
    }
    all
}

/// Values at a time, by closed cubics with Catmull-Rom slopes. They do not overshoot.
fn at(time: f32) -> [f32; 20] {
    let count = KEYS.len() as isize;
    let after = KEYS.iter().position(|k| k.secs > time);
    let here = after.map_or(count, |a| a as isize) - 1;
    let key = |k: isize| {
        let round = k.div_euclid(count) as f32 * SECS;
        let key = &KEYS[k.rem_euclid(count) as usize];
        (key.secs + round, numbers(key))
    };
    let [p, q, r, s] = [-1, 0, 1, 2].map(|k| key(here + k));
    let span = r.0 - q.0;
    let t = (time - q.0) / span;
    let (t2, t3) = (t * t, t * t * t);
    std::array::from_fn(|k| {
        let steps = [q.1[k] - p.1[k], r.1[k] - q.1[k], s.1[k] - r.1[k]];
        let slope = |before: f32, after: f32, secs: f32| {
            if before * after > 0.0 {
                (before + after) / secs * span
            } else {
                0.0
            }
        };
        let from = slope(steps[0], steps[1], r.0 - p.0);
        let to = slope(steps[1], steps[2], s.0 - q.0);
        (2.0 * t3 - 3.0 * t2 + 1.0) * q.1[k]
            + (t3 - 2.0 * t2 + t) * from
            + (3.0 * t2 - 2.0 * t3) * r.1[k]
            + (t3 - t2) * to
    })
}

fn pose(skeleton: &Skeleton, time: f32) -> LocalPose {
    let n = at(time.rem_euclid(SECS));
    let three = |k: usize| Vec3::new(n[k], n[k + 1], n[k + 2]);
    let mut puppet = Puppet::new(skeleton);
    puppet.hips(three(0), euler_deg(n[3], n[4], n[5]));
    for (name, part) in [("spine_1", 0.3), ("spine_2", 0.35), ("chest", 0.35)] {
        puppet.rotate(name, euler_deg(n[6] * part, n[7] * part, n[8] * part));
    }
    puppet.rotate("neck", euler_deg(0.4 * n[9], 0.4 * n[10], 0.0));
    puppet.rotate("head", euler_deg(0.6 * n[9], 0.6 * n[10], 0.0));
    right_foot(&mut puppet, time.rem_euclid(SECS));
    left_foot(&mut puppet, time.rem_euclid(SECS));

    let chest = puppet.frame(puppet.index("neck"));
    let between = chest.translation - Vec3::Y * 0.06;
    let rotation = puppet.frame(puppet.index("chest")).rotation;
    let seen = |p: Vec3| between + rotation * p;
    for (side, hand) in [(Side::Right, three(11)), (Side::Left, three(17))] {
        let lift = 14.0 * smooth((hand.y + 0.05) / 0.4);
        puppet.rotate(
            &side.joint("shoulder"),
            euler_deg(0.0, 0.0, side.sign() * lift),
        );
    }
    hold_sword(&mut puppet, seen(three(11)), rotation, three(14));
    let wrist = seen(three(17));
    let names = ["left_upper_arm", "left_lower_arm", "left_hand"];
    let axis = rotation * Vec3::new(-0.55, -0.8, 0.15);
    puppet.reach(names, wrist, axis);
    let elbow = puppet.frame(puppet.index("left_lower_arm")).translation;
    let along = (wrist - elbow).normalize();
    puppet.hand(
        Side::Left,
        along + Vec3::Y * 0.55,
        rotation * Vec3::new(-0.35, -0.3, 1.0),
    );
    puppet.fist(Side::Left, 0.22);
    puppet.local
}

fn hold_sword(puppet: &mut Puppet<'_>, wrist: Vec3, rotation: Quat, blade: Vec3) {
    let names = ["right_upper_arm", "right_lower_arm", "right_hand"];
    let axis = rotation * Vec3::new(-0.55, 0.8, -0.15);
    puppet.reach(names, wrist, axis);
    let elbow = puppet.frame(puppet.index("right_lower_arm")).translation;
    let along = (wrist - elbow).normalize();
    let blade = blade.normalize();
    // The palm faces inward and down. The fingers are between the directions of grip and forearm.
    let palm = rotation * Vec3::new(0.8, -0.5, 0.0);
    let palm = (palm - blade * palm.dot(blade)).normalize_or(Vec3::X);
    let (sin, cos) = libm::sincosf(super::super::sword::LEAN_DEG.to_radians());
    let across = palm.cross(blade);
    let fingers = across * cos + blade * sin;
    puppet.hand(Side::Right, fingers * 0.7 + along * 0.6, palm);
    puppet.fist(Side::Right, 1.0);
}

fn right_foot(puppet: &mut Puppet<'_>, time: f32) {
    let (mut from, mut now, mut up) = (RIGHT_HOME, RIGHT_HOME, 0.0);
    let mut toes_up = 0.0;
    for step in &RIGHT_STEPS {
        let t = (time - step.secs[0]) / (step.secs[1] - step.secs[0]);
        if t >= 1.0 {
            (from, now) = (step.to, step.to);
        } else if t > 0.0 {
            let e = smooth(t);
            now = std::array::from_fn(|k| from[k] + (step.to[k] - from[k]) * e);
            let bump = libm::sinf(std::f32::consts::PI * t);
            up = step.high * bump * bump;
            toes_up = 14.0 * bump * bump;
        }
    }
    let ankle = Vec3::new(now[0], ANKLE + up, now[1]);
    puppet.foot(Side::Right, ankle, now[2], -toes_up, 0.0);
}

fn left_foot(puppet: &mut Puppet<'_>, time: f32) {
    let [from, high, held, down] = LEFT_LIFT;
    let lifted =
        smooth((time - from) / (high - from)) * (1.0 - smooth((time - held) / (down - held)));
    let home = Vec3::new(LEFT_HOME[0], ANKLE, LEFT_HOME[1]);
    let hung = Vec3::new(0.03, 0.47, 0.13);
    let mut ankle = home.lerp(hung, lifted);
    ankle.y = ANKLE + (hung.y - ANKLE) * smooth(lifted);
    let yaw = LEFT_HOME[2] * (1.0 - 0.8 * lifted);
    // In a lunge the heel rises and the foot rolls over its ball.
    let ahead = puppet.local.get(0).translation.z;
    let up = 46.0 * smooth((ahead - 0.04) / 0.22) * (1.0 - lifted);
    let ball = Vec3::new(0.0, -0.064, 0.13);
    let about = |v: Vec3| Quat::from_rotation_y(yaw.to_radians()) * v;
    ankle += about(ball - Quat::from_rotation_x(up.to_radians()) * ball);
    puppet.foot(Side::Left, ankle, yaw, up + 38.0 * lifted, up);
}

/// Height of the ankle of a flat foot, in metres.
const ANKLE: f32 = 0.088;

/// Bindings of the curves and events, for a stage with a light "lantern" and a material "water".
pub fn sword_form_bindings() -> Vec<Binding> {
    let table = [
        "camera_eye=camera.eye",
        "camera_target=camera.target",
        "lamp=light.lantern.strength",
        "water=material.water.uv",
        "footstep_left=dust.left_toes",
        "footstep_right=dust.right_toes",
    ];
    let bindings = table.iter().map(|line| line.parse());
    bindings.map(|line| line.expect("a binding")).collect()
}

fn curves() -> Vec<Curve> {
    let camera = [
        (0.0, [2.4, 1.25, 4.1], [0.0, 0.95, 0.05]),
        (1.5, [1.8, 1.05, 3.9], [0.0, 0.85, 0.25]),
        (2.7, [0.4, 1.2, 4.2], [-0.05, 0.9, 0.2]),
        (4.5, [1.3, 1.3, 4.6], [0.0, 1.12, 0.05]),
        (SECS, [2.4, 1.25, 4.1], [0.0, 0.95, 0.05]),
    ];
    let lamp = [1.0, 0.8, 1.1, 0.85, 1.15, 0.9, 1.1, 0.82, 1.0];
    // The texture moves by a whole repeat, so that the loop has no jump.
    let water = [0.0, 0.5, 1.0];
    let curve = |name: &str, times: Vec<f32>, values: Vec<f32>, width: usize| Curve {
        name: name.to_owned(),
        track: Track::new(times, values, width, Interpolation::CatmullRom)
            .expect("ascending, finite keys"),
    };
    let even = |count: usize| {
        let step = SECS / (count - 1) as f32;
        (0..count).map(|k| k as f32 * step).collect::<Vec<f32>>()
    };
    let times = || camera.iter().map(|k| k.0).collect::<Vec<f32>>();
    let eyes = camera.iter().flat_map(|k| k.1).collect();
    let targets = camera.iter().flat_map(|k| k.2).collect();
    let drift = water.iter().flat_map(|w| [*w, *w]).collect();
    vec![
        curve("camera_eye", times(), eyes, 3),
        curve("camera_target", times(), targets, 3),
        curve("lamp", even(lamp.len()), lamp.to_vec(), 1),
        curve("water", even(water.len()), drift, 2),
    ]
}
