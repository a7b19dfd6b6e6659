//! Shape of the left half of the figure, in a short jacket with a sash, trousers and boots. Widths
//! and depths are in metres for 1.78 m height, from tables (Panero and Zelnik 1979).

use super::head;
use super::shapes::{Parts, ball, cone, limb, mirrored, upright};
use super::solid::{Join, Loft, Section, Shape, Solid};
use glam::Vec3;
use std::collections::BTreeMap;

/// Model-space positions of joints, by name.
pub type JointPositions = BTreeMap<String, Vec3>;

/// Solid of the half with x ≥ 0, including parts of the other half that cross the plane x = 0.
pub fn solid(joint_positions: &JointPositions) -> Solid {
    let mut solid = Parts::default();
    trunk(&mut solid);
    arm(&mut solid, joint_positions);
    leg(&mut solid, joint_positions);
    head::add(&mut solid);
    hand(&mut solid, joint_positions);
    Solid::new(solid.0)
}

fn trunk(solid: &mut Parts) {
    // From the hem of the jacket to the neck. The sash is at a height of 1.07.
    let trunk = upright(
        &[
            [0.865, 0.176, 0.101, -0.122],
            [0.905, 0.176, 0.100, -0.121],
            [0.950, 0.170, 0.098, -0.113],
            [1.000, 0.155, 0.095, -0.097],
            [1.040, 0.145, 0.094, -0.084],
            [1.085, 0.139, 0.093, -0.078],
            [1.130, 0.139, 0.096, -0.080],
            [1.200, 0.150, 0.106, -0.092],
            [1.270, 0.163, 0.116, -0.106],
            [1.330, 0.169, 0.116, -0.114],
            [1.385, 0.163, 0.099, -0.113],
            [1.425, 0.140, 0.074, -0.104],
            [1.458, 0.098, 0.050, -0.090],
            [1.490, 0.066, 0.036, -0.075],
        ],
        true,
        [0.062, 0.02],
    );
    solid.push(trunk, Join::Add(0.01));
    for (shape, width) in [
        (ball([0.078, 1.335, 0.066], [0.082, 0.058, 0.044]), 0.05),
        (ball([0.085, 1.330, -0.080], [0.070, 0.085, 0.036]), 0.05),
        (ball([0.078, 0.915, -0.070], [0.080, 0.070, 0.060]), 0.05),
    ] {
        solid.push(mirrored(&shape), Join::Add(width));
        solid.push(shape, Join::Add(width));
    }
    let slope = cone(
        [0.035, 1.488, -0.040],
        [0.160, 1.440, -0.026],
        [0.042, 0.043],
    );
    solid.push(slope, Join::Add(0.05));
    let sash = upright(
        &[
            [1.036, 0.1465, 0.0965, -0.0875],
            [1.050, 0.1515, 0.1015, -0.0915],
            [1.076, 0.1485, 0.0995, -0.0875],
            [1.092, 0.1430, 0.0965, -0.0820],
        ],
        true,
        [0.004, 0.004],
    );
    solid.push(sash, Join::Add(0.004));
}

fn arm(solid: &mut Parts, joint_positions: &JointPositions) {
    let [shoulder, elbow, wrist] =
        ["left_upper_arm", "left_lower_arm", "left_hand"].map(|n| joint_positions[n]);
    // Outward is the upper side of the arm.
    let upper = limb(
        shoulder,
        elbow,
        Vec3::Z,
        &[
            [0.000, 0.060, 0.050, 0.058, 0.056],
            [0.045, 0.060, 0.052, 0.057, 0.057],
            [0.100, 0.053, 0.052, 0.056, 0.054],
            [0.160, 0.047, 0.050, 0.053, 0.052],
            [0.220, 0.042, 0.046, 0.046, 0.048],
            [0.282, 0.041, 0.042, 0.042, 0.044],
        ],
        false,
        [0.05, 0.036],
    );
    solid.push(upper, Join::Add(0.045));
    let sleeve = limb(
        elbow,
        wrist,
        Vec3::Z,
        &[
            [0.000, 0.041, 0.042, 0.041, 0.044],
            [0.050, 0.045, 0.045, 0.045, 0.044],
            [0.110, 0.041, 0.041, 0.042, 0.041],
            [0.170, 0.036, 0.036, 0.037, 0.037],
            [0.212, 0.034, 0.034, 0.037, 0.037],
            [0.226, 0.034, 0.034, 0.037, 0.037],
        ],
        false,
        [0.036, 0.004],
    );
    solid.push(sleeve, Join::Add(0.03));
}

fn leg(solid: &mut Parts, joint_positions: &JointPositions) {
    let [hip, knee, ankle, ball_of_foot] =
        ["left_upper_leg", "left_lower_leg", "left_foot", "left_toes"].map(|n| joint_positions[n]);
    let thigh = limb(
        hip,
        knee,
        Vec3::Z,
        &[
            [0.000, 0.076, 0.078, 0.082, 0.092],
            [0.060, 0.082, 0.080, 0.086, 0.096],
            [0.130, 0.081, 0.077, 0.087, 0.092],
            [0.210, 0.075, 0.070, 0.082, 0.082],
            [0.300, 0.066, 0.062, 0.071, 0.070],
            [0.370, 0.0585, 0.0570, 0.0625, 0.0610],
            [0.430, 0.0550, 0.0540, 0.0580, 0.0560],
        ],
        false,
        [0.05, 0.05],
    );
    solid.push(thigh, Join::Add(0.022));
    let shin = limb(
        knee,
        ankle,
        Vec3::Z,
        &[
            [0.000, 0.0550, 0.0540, 0.0570, 0.0560],
            [0.060, 0.0555, 0.0530, 0.0530, 0.0650],
            [0.120, 0.058, 0.055, 0.050, 0.074],
            [0.180, 0.054, 0.051, 0.046, 0.068],
            [0.240, 0.047, 0.045, 0.043, 0.056],
            [0.300, 0.041, 0.040, 0.040, 0.046],
            [0.400, 0.037, 0.036, 0.038, 0.042],
        ],
        false,
        [0.045, 0.03],
    );
    solid.push(shin, Join::Add(0.02));
    let boot = limb(
        knee,
        ankle,
        Vec3::Z,
        &[
            [0.200, 0.0580, 0.0550, 0.0520, 0.0715],
            [0.212, 0.0575, 0.0545, 0.0515, 0.0700],
            [0.235, 0.0540, 0.0515, 0.0495, 0.0645],
            [0.290, 0.0465, 0.0450, 0.0450, 0.0530],
            [0.350, 0.0420, 0.0410, 0.0430, 0.0470],
            [0.400, 0.0410, 0.0390, 0.0450, 0.0460],
        ],
        false,
        [0.008, 0.03],
    );
    solid.push(boot, Join::Add(0.006));
    foot(solid, ankle, ball_of_foot);
}

fn foot(solid: &mut Parts, ankle: Vec3, ball_of_foot: Vec3) {
    let ground = |p: Vec3| Vec3::new(p.x, 0.0, p.z);
    let along = (ground(ball_of_foot) - ground(ankle)).normalize();
    let out = Vec3::Y.cross(along);
    // Columns: distance from the ankle along the foot, reach outward, reach inward, height.
    let table: [[f32; 4]; 9] = [
        [-0.052, 0.026, 0.026, 0.060],
        [-0.040, 0.033, 0.033, 0.078],
        [-0.010, 0.036, 0.036, 0.100],
        [0.025, 0.038, 0.037, 0.104],
        [0.065, 0.042, 0.040, 0.085],
        [0.105, 0.047, 0.043, 0.066],
        [0.140, 0.048, 0.043, 0.055],
        [0.170, 0.042, 0.039, 0.046],
        [0.190, 0.031, 0.031, 0.038],
    ];
    let sections: Vec<Section> = table
        .iter()
        .map(|&[along, out, inward, high]| Section {
            along,
            // The sole is flat on the ground.
            middle: [0.0, 0.36 * high],
            reach: [out, inward, 0.64 * high, 0.46 * high],
        })
        .collect();
    let axes = [out, along, Vec3::Y];
    let shoe = Loft::new(ground(ankle), axes, &sections, true, [0.022, 0.022]);
    solid.push(Shape::Loft(shoe), Join::Add(0.03));
}

fn hand(solid: &mut Parts, joint_positions: &JointPositions) {
    let at = |name: &str| joint_positions[&format!("left_{name}")];
    let (elbow, wrist) = (at("lower_arm"), at("hand"));
    let along = (wrist - elbow).normalize();
    let knuckles = [at("index_1"), at("little_1")];
    let across = (knuckles[0] - knuckles[1]).normalize();
    let across = (across - along * across.dot(along)).normalize();
    let palm = along.cross(across);
    // Columns: reach toward the thumb, the little finger, the palm and the back of the hand.
    let table = [
        [-0.060, 0.027, 0.027, 0.025, 0.025],
        [-0.020, 0.025, 0.025, 0.021, 0.019],
        [0.005, 0.026, 0.026, 0.020, 0.017],
        [0.030, 0.033, 0.032, 0.018, 0.014],
        [0.060, 0.039, 0.039, 0.016, 0.013],
        [0.082, 0.039, 0.040, 0.013, 0.012],
    ];
    let sections: Vec<Section> = table
        .iter()
        .map(|&[along, thumb, little, palm, back]| Section {
            along,
            middle: [0.0; 2],
            reach: [thumb, little, palm, back],
        })
        .collect();
    let axes = [across, along, palm];
    let body = Loft::new(wrist, axes, &sections, true, [0.01, 0.012]);
    // A narrow join gives a sharp cuff.
    solid.push(Shape::Loft(body), Join::Add(0.004));
    let heel = wrist + along * 0.035 - across * 0.022 + palm * 0.006;
    solid.push(
        Shape::RoundCone {
            from: heel,
            to: heel + along * 0.025,
            radii: [0.014, 0.012],
        },
        Join::Add(0.012),
    );
    for (name, radii, width) in [
        ("thumb", [0.0165, 0.0120, 0.0104, 0.0085], 0.014),
        ("index", [0.0100, 0.0085, 0.0079, 0.0072], 0.006),
        ("middle", [0.0102, 0.0088, 0.0082, 0.0074], 0.006),
        ("ring", [0.0098, 0.0084, 0.0078, 0.0071], 0.006),
        ("little", [0.0089, 0.0076, 0.0071, 0.0065], 0.006),
    ] {
        let joints = [1, 2, 3].map(|k| at(&format!("{name}_{k}")));
        let bones = [joints[0], joints[1], joints[2]];
        let last = joints[2] - joints[1];
        let tip = bones[2] + last.normalize() * (TIPS_OF_BONES * last.length());
        let ends = [bones[0], bones[1], bones[2], tip];
        for k in 0..3 {
            let shape = Shape::RoundCone {
                from: ends[k],
                to: ends[k + 1],
                radii: [radii[k], radii[k + 1]],
            };
            let width = if k == 0 { width } else { 0.004 };
            solid.push(shape, Join::Add(width));
        }
    }
    webs(solid, joint_positions);
}

/// Skin between adjacent fingers, along the first third of their first bones.
fn webs(solid: &mut Parts, joint_positions: &JointPositions) {
    let part = |finger: &str, part: f32| {
        let [a, b] = [1, 2].map(|k| joint_positions[&format!("left_{finger}_{k}")]);
        a.lerp(b, part)
    };
    for pair in [["index", "middle"], ["middle", "ring"], ["ring", "little"]] {
        let [from, to] = pair.map(|finger| part(finger, 0.30));
        let web = Shape::RoundCone {
            from,
            to,
            radii: [0.0070; 2],
        };
        solid.push(web, Join::Add(0.006));
    }
}

/// Length of the core of the last bone, relative to the bone before.
const TIPS_OF_BONES: f32 = 0.52;
