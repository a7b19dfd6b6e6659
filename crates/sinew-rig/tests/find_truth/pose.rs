//! Poses by directions of limb bones in the space of the model. Bodies stand along y and face z.

use super::bare::{Bare, Limb};
use super::files::Truth;
use super::names::SIDES;
use super::solid::is_inside;
use glam::{DAffine3, DQuat, DVec3};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pose {
    Rest,
    Hanging,
    HandOnHip,
    Stride,
    Sitting,
}

/// Pose and clothes of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    pub pose: Pose,
    /// True if it wears a jacket and a skirt made by code.
    pub is_dressed: bool,
}

impl Look {
    pub const ALL: [Self; 8] = [
        Self::bare(Pose::Rest),
        Self::bare(Pose::Hanging),
        Self::bare(Pose::HandOnHip),
        Self::bare(Pose::Stride),
        Self::bare(Pose::Sitting),
        Self::dressed(Pose::Rest),
        Self::dressed(Pose::Hanging),
        Self::dressed(Pose::Stride),
    ];

    pub const fn bare(pose: Pose) -> Self {
        Self {
            pose,
            is_dressed: false,
        }
    }

    pub const fn dressed(pose: Pose) -> Self {
        Self {
            pose,
            is_dressed: true,
        }
    }

    pub fn name(self) -> String {
        let name = self.pose.name();
        if self.is_dressed {
            format!("{name}, dressed")
        } else {
            name.to_owned()
        }
    }
}

/// Directions of bones by template name.
type Directions = BTreeMap<String, DVec3>;

impl Pose {
    pub fn name(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Hanging => "hanging",
            Self::HandOnHip => "hand on hip",
            Self::Stride => "stride",
            Self::Sitting => "sitting",
        }
    }

    /// Frames of all joints in model space.
    pub fn frames(self, truth: &Truth) -> Vec<DAffine3> {
        if self == Self::Rest || !truth.is_posed() {
            return truth.rest.clone();
        }
        let mut frames = truth.rest.clone();
        // Arms hang as steeply as the body is slim.
        for spread in [0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0] {
            frames = turned(truth, &self.directions(truth, spread));
            if clears(truth, &frames) {
                break;
            }
        }
        if self == Self::HandOnHip {
            frames = turned(truth, &akimbo(truth, &frames));
        }
        frames
    }

    fn directions(self, truth: &Truth, spread: f64) -> Directions {
        let left = truth.rest[truth.joints["left_upper_leg"]].translation
            - truth.rest[truth.joints["right_upper_leg"]].translation;
        let mut directions = Directions::new();
        for (side, sign) in SIDES.into_iter().zip([1.0, -1.0]) {
            let out = sign * left.x.signum();
            let mut set = |part: &str, [x, y, z]: [f64; 3]| {
                directions.insert(format!("{side}_{part}"), DVec3::new(out * x, y, z));
            };
            match self {
                Self::Rest => {}
                Self::Hanging | Self::HandOnHip => {
                    set("upper_arm", [spread, -1.0, -0.03]);
                    set("lower_arm", [0.7 * spread, -1.0, 0.15]);
                }
                Self::Stride => {
                    set("upper_arm", [spread, -1.0, -0.45 * sign]);
                    set("lower_arm", [0.7 * spread, -1.0, 0.25 - 0.45 * sign]);
                    let [thigh, shin] = if sign > 0.0 {
                        [0.5, -0.05]
                    } else {
                        [-0.3, -0.7]
                    };
                    set("upper_leg", [0.03, -1.0, thigh]);
                    set("lower_leg", [0.0, -1.0, shin]);
                }
                Self::Sitting => {
                    set("upper_arm", [spread, -1.0, 0.2]);
                    set("lower_arm", [0.0, -0.3, 1.0]);
                    set("upper_leg", [0.15, -0.05, 1.0]);
                    set("lower_leg", [0.0, -1.0, 0.05]);
                }
            }
        }
        directions
    }
}

/// End of the bone of a limb joint.
fn end(part: &str) -> Option<&'static str> {
    Some(match part {
        "upper_arm" => "lower_arm",
        "lower_arm" => "hand",
        "upper_leg" => "lower_leg",
        "lower_leg" => "foot",
        _ => return None,
    })
}

/// Rotates the bones into directions, parents first. Bones keep their lengths.
fn turned(truth: &Truth, directions: &Directions) -> Vec<DAffine3> {
    let (rest, parents) = (&truth.rest, &truth.parents);
    let depth = |j: &usize| std::iter::successors(parents[*j], |&p| parents[p]).count();
    let mut order: Vec<usize> = (0..rest.len()).collect();
    order.sort_by_key(depth);
    let mut frames = rest.clone();
    for joint in order {
        if let Some(parent) = parents[joint] {
            frames[joint] = frames[parent] * (rest[parent].inverse() * rest[joint]);
        }
        let bone = truth.joints.iter().find(|(_, j)| **j == joint);
        let Some((name, direction)) = bone.and_then(|(n, _)| directions.get_key_value(n)) else {
            continue;
        };
        let Some((side, part)) = name.split_once('_') else {
            continue;
        };
        let next = end(part).and_then(|next| truth.joints.get(&format!("{side}_{next}")));
        let Some(&next) = next else { continue };
        let at = frames[joint].translation;
        let tip = (frames[joint] * (rest[joint].inverse() * rest[next])).translation;
        let turn = DQuat::from_rotation_arc((tip - at).normalize(), direction.normalize());
        frames[joint] = DAffine3::from_translation(at)
            * DAffine3::from_quat(turn)
            * DAffine3::from_translation(-at)
            * frames[joint];
    }
    frames
}

/// True if forearms and hands are outside the rest of the body.
fn clears(truth: &Truth, frames: &[DAffine3]) -> bool {
    const INSIDE: usize = 3;
    const SAMPLES: usize = 100;
    let bare = Bare::new(&truth.character, frames, truth.known.held);
    let is_arm = |v: u32| matches!(truth.limbs[bare.heaviest[v as usize]], Limb::Arm(_));
    let triangles = bare.triangles.iter().copied();
    let body: Vec<[u32; 3]> = triangles
        .filter(|t| !t.iter().any(|v| is_arm(*v)))
        .collect();
    let lower = SIDES.map(|side| truth.joints[&format!("{side}_lower_arm")]);
    let is_low = |joint: usize| {
        let up = |&j: &usize| truth.parents[j];
        std::iter::successors(Some(joint), up).any(|j| lower.contains(&j))
    };
    let low: Vec<usize> = (0..bare.positions.len())
        .filter(|&v| is_low(bare.heaviest[v]))
        .collect();
    let step = (low.len() / SAMPLES).max(1);
    let inside = low
        .iter()
        .step_by(step)
        .filter(|&&v| is_inside(&bare.positions, &body, bare.positions[v]));
    inside.count() * 100 <= INSIDE * low.len().div_ceil(step)
}

/// Directions that put the right hand on the hip, with the left arm as in `hanging`.
fn akimbo(truth: &Truth, hanging: &[DAffine3]) -> Directions {
    let at = |name: &str| hanging[truth.joints[name]].translation;
    let height = f64::from(truth.height);
    let (shoulder, hip) = (at("right_upper_arm"), at("right_upper_leg"));
    let out = DVec3::X * (hip.x - at("left_upper_leg").x).signum();
    let bare = Bare::new(&truth.character, hanging, truth.known.held);
    let level = hip.y + 0.05 * height;
    let body = bare.positions.iter().zip(&bare.heaviest).filter(|(p, j)| {
        !matches!(truth.limbs[**j], Limb::Arm(_)) && (f64::from(p.y) - level).abs() < 0.04 * height
    });
    let widest = body.map(|(p, _)| p.as_dvec3().dot(out)).fold(0.0, f64::max);
    let wrist = out * (widest + 0.035 * height) + DVec3::new(0.0, level, hip.z - 0.01 * height);
    let upper = at("right_lower_arm").distance(shoulder);
    let lower = at("right_hand").distance(at("right_lower_arm"));
    let far = (wrist - shoulder)
        .length()
        .clamp(1.02 * (upper - lower).abs(), 0.98 * (upper + lower));
    let along = (wrist - shoulder).normalize();
    let side = out - 0.5 * DVec3::Z;
    let side = (side - along * side.dot(along)).normalize();
    let part = (upper * upper - lower * lower + far * far) / (2.0 * far);
    let elbow = along * part + side * (upper * upper - part * part).max(0.0).sqrt();
    let left = |from: &str, to: &str| (at(to) - at(from)).normalize();
    let bones = [
        ("right_upper_arm", elbow),
        ("right_lower_arm", along * far - elbow),
        ("left_upper_arm", left("left_upper_arm", "left_lower_arm")),
        ("left_lower_arm", left("left_lower_arm", "left_hand")),
    ];
    bones.map(|(name, way)| (name.to_owned(), way)).into()
}
