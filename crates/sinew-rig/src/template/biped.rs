//! A person of 1.78 m, seven and a half heads tall, arms forty degrees below the horizontal. It looks
//! along +z, and its left is +x.
//!
//! Limits are rounded from the ranges of motion that physiotherapists measure; the shoulder turns
//! farther about the arm's own axis than a person's (it takes the shoulder blade's part as well).

use super::embed::Flesh;
use super::{Template, TemplateError, TemplateJoint};
use glam::{Quat, Vec3};
use sinew::skeleton::limits::{AngleRange, Freedom, Turn};
use sinew::transform::{Axis, EulerOrder, quat};

/// The fingers' names.
pub const FINGERS: [&str; 5] = ["thumb", "index", "middle", "ring", "little"];

/// A person's skeleton.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Biped {
    /// Whether hands have fingers, of three joints each.
    pub fingers: bool,
    /// Whether feet bend at the toes.
    pub toes: bool,
    /// How many joints there are between hips and chest; more than 256 are taken as 256.
    pub spine: usize,
}

impl Default for Biped {
    fn default() -> Self {
        Self {
            fingers: true,
            toes: true,
            spine: 2,
        }
    }
}

/// The most joints of a spine.
const MAX_SPINE: usize = 256;
/// From sole to crown.
const HEIGHT: f32 = 1.78;
/// The middle of the body from front to back, in a box around it.
const MIDDLE_Z: f32 = 0.02;
/// How far arms are below the horizontal at rest.
const ARM_DEG: f32 = 42.0;

/// Of the left hand, in metres from the wrist: how far down the hand and toward the thumb each
/// finger's first joint is, and how long its bones are; toward which side it spreads and how far it
/// curls at each joint, in degrees.
struct Finger {
    knuckle: [f32; 2],
    bones: [f32; 3],
    spread_deg: f32,
    curl_deg: [f32; 3],
}

const FOUR_FINGERS: [Finger; 4] = [
    Finger {
        knuckle: [0.090, 0.0295],
        bones: [0.040, 0.024, 0.0175],
        spread_deg: 11.0,
        curl_deg: [6.0, 12.0, 8.0],
    },
    Finger {
        knuckle: [0.094, 0.0085],
        bones: [0.044, 0.0275, 0.018],
        spread_deg: 2.0,
        curl_deg: [8.0, 14.0, 9.0],
    },
    Finger {
        knuckle: [0.090, -0.0125],
        bones: [0.040, 0.0255, 0.018],
        spread_deg: -7.0,
        curl_deg: [10.0, 15.0, 10.0],
    },
    Finger {
        knuckle: [0.082, -0.032],
        bones: [0.031, 0.019, 0.0155],
        spread_deg: -17.0,
        curl_deg: [11.0, 15.0, 10.0],
    },
];

impl Biped {
    /// The joints of the figure of 1.78 m.
    pub fn template(&self) -> Template {
        let mut draft = Draft { joints: Vec::new() };
        let hips = draft.add(
            "hips",
            None,
            Vec3::new(0.0, 0.965, 0.0),
            Vec3::Z,
            Freedom {
                turn: Turn::Free,
                slides: [true; 3],
            },
        );
        let chest_at = Vec3::new(0.0, 1.27, -0.012);
        let mut below = hips;
        let spine = self.spine.min(MAX_SPINE);
        for k in 1..=spine {
            // The first piece is the shorter one, as the pelvis reaches up to the waist.
            let t = (k as f32 / (spine + 1) as f32).min(1.0);
            let hollow = Vec3::new(0.0, 0.0, 0.012 * 4.0 * t * (1.0 - t));
            let from = Vec3::new(0.0, 0.965, 0.0);
            let at = from + (chest_at - from) * t + hollow;
            let name = format!("spine_{k}");
            below = draft.next(&name, below, at, Vec3::Z, ball(35.0, 35.0));
        }
        let chest = draft.next("chest", below, chest_at, Vec3::Z, ball(30.0, 30.0));
        let neck_at = Vec3::new(0.0, 1.48, -0.022);
        let neck = draft.next("neck", chest, neck_at, Vec3::Z, ball(40.0, 45.0));
        let head_at = Vec3::new(0.0, 1.575, -0.002);
        let head = draft.next("head", neck, head_at, Vec3::Z, ball(40.0, 50.0));
        draft.joints[head].tip = Vec3::new(0.0, HEIGHT, 0.0);
        for side in [Side::LEFT, Side::RIGHT] {
            self.arm(&mut draft, &side, chest);
        }
        for side in [Side::LEFT, Side::RIGHT] {
            self.leg(&mut draft, &side, hips);
        }
        Template {
            joints: draft.joints,
        }
    }

    fn arm(&self, draft: &mut Draft, side: &Side, chest: usize) {
        let (sin, cos) = sin_cos_deg(ARM_DEG);
        let along = Vec3::new(cos, -sin, 0.0);
        let shoulder_at = Vec3::new(0.028, 1.425, 0.012);
        let arm_at = Vec3::new(0.176, 1.428, -0.018);
        let elbow_at = arm_at + along * 0.282 + Vec3::new(0.0, 0.0, -0.006);
        // The forearm is a little bent, so that it is known which way it bends.
        let forearm = (along + Vec3::new(-0.01, -0.02, 0.14)).normalize();
        let wrist_at = elbow_at + forearm * 0.252;
        let shoulder = side.add(
            draft,
            "shoulder",
            chest,
            shoulder_at,
            Vec3::Z,
            ball(30.0, 20.0),
        );
        let upper = side.next(
            draft,
            "upper_arm",
            shoulder,
            arm_at,
            Vec3::Z,
            ball(150.0, 120.0),
        );
        let elbow = Freedom {
            turn: Turn::Saddle {
                axes: [Axis::X, Axis::Y],
                ranges: [
                    AngleRange::degrees(-8.0, 145.0),
                    AngleRange::degrees(-90.0, 90.0),
                ],
            },
            slides: [false; 3],
        };
        let lower = side.next(draft, "lower_arm", upper, elbow_at, Vec3::Z, elbow);
        // Palms look at the thighs, thumbs forward.
        let palm = Vec3::Z.cross(forearm).normalize() * -1.0;
        let hand = side.next(
            draft,
            "hand",
            lower,
            wrist_at,
            palm,
            saddle([-75.0, 80.0], [-35.0, 35.0]),
        );
        let across = forearm.cross(palm) * -1.0;
        let tip = wrist_at + forearm * 0.09;
        draft.joints[hand].tip = side.of(tip);
        if !self.fingers {
            draft.joints[hand].tip = side.of(wrist_at + forearm * 0.18);
            return;
        }
        self.thumb(draft, side, hand, [wrist_at, forearm, across, palm]);
        for (name, finger) in FINGERS[1..].iter().zip(&FOUR_FINGERS) {
            let [down, to_thumb] = finger.knuckle;
            let at = wrist_at + forearm * down + across * to_thumb;
            let (sin, cos) = sin_cos_deg(finger.spread_deg);
            let (y, aside) = (forearm * cos + across * sin, across * cos - forearm * sin);
            let first = saddle([-25.0, 95.0], [-20.0, 20.0]);
            let freedoms = [first, hinge(-8.0, 110.0), hinge(-8.0, 85.0)];
            let bend = [finger.curl_deg, finger.bones];
            digit(draft, side, name, hand, [at, y, aside], bend, freedoms);
        }
    }

    fn thumb(&self, draft: &mut Draft, side: &Side, hand: usize, frame: [Vec3; 4]) {
        let [wrist, along, across, palm] = frame;
        let at = wrist + along * 0.024 + across * 0.021 + palm * 0.010;
        let y = (along * 0.72 + across * 0.62 + palm * 0.34).normalize();
        // It bends toward the palm and the other fingers.
        let toward = palm * 0.75 - across * 0.65;
        let toward = (toward - y * toward.dot(y)).normalize();
        let aside = y.cross(toward) * -1.0;
        let freedoms = [
            saddle([-45.0, 45.0], [-45.0, 45.0]),
            hinge(-15.0, 70.0),
            hinge(-15.0, 85.0),
        ];
        let bend = [[0.0, 8.0, 8.0], [0.044, 0.033, 0.025]];
        digit(draft, side, "thumb", hand, [at, y, aside], bend, freedoms);
    }

    fn leg(&self, draft: &mut Draft, side: &Side, hips: usize) {
        let back = Vec3::NEG_Z;
        // Outward is a negative turn about z on the left.
        let out = |a: f32, b: f32| side.range(-a, b);
        let hip = Freedom {
            turn: Turn::Euler {
                order: EulerOrder::new([Axis::X, Axis::Z, Axis::Y]).expect("three axes"),
                ranges: [
                    AngleRange::degrees(-125.0, 40.0),
                    out(60.0, 35.0),
                    AngleRange::degrees(-60.0, 60.0),
                ],
            },
            slides: [false; 3],
        };
        let hip_at = Vec3::new(0.09, 0.925, 0.0);
        let knee_at = Vec3::new(0.098, 0.495, 0.006);
        let ankle_at = Vec3::new(0.104, 0.088, -0.026);
        let ball_at = Vec3::new(0.119, 0.024, 0.104);
        let tip = Vec3::new(0.127, 0.02, 0.184);
        let upper = side.add(draft, "upper_leg", hips, hip_at, back, hip);
        let knee = hinge(-8.0, 150.0);
        let lower = side.next(draft, "lower_leg", upper, knee_at, back, knee);
        let ankle = Freedom {
            turn: Turn::Euler {
                order: EulerOrder::XYZ,
                ranges: [
                    AngleRange::degrees(-40.0, 60.0),
                    AngleRange::degrees(-30.0, 30.0),
                    AngleRange::degrees(-30.0, 30.0),
                ],
            },
            slides: [false; 3],
        };
        let foot = side.next(draft, "foot", lower, ankle_at, Vec3::NEG_Y, ankle);
        draft.joints[foot].tip = side.of(tip);
        if self.toes {
            let freedom = hinge(-60.0, 45.0);
            let toes = side.next(draft, "toes", foot, ball_at, Vec3::NEG_Y, freedom);
            draft.joints[toes].tip = side.of(tip);
        }
    }

    /// A start in the bounding box of a mesh that stands upright and looks along +z: as tall as the box,
    /// and the arms let down or stretched until they reach its sides.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew_rig::template::Biped;
    /// let (min, max) = (Vec3::new(-0.5, 0.0, -0.2), Vec3::new(0.5, 2.0, 0.2));
    /// let template = Biped::default().fitted(min, max)?;
    /// assert!(template.positions().values().all(|p| p.cmpge(min).all() && p.cmple(max).all()));
    /// # Ok::<(), sinew_rig::template::TemplateError>(())
    /// ```
    pub fn fitted(&self, min: Vec3, max: Vec3) -> Result<Template, TemplateError> {
        let size = max - min;
        if !(size.is_finite() && size.min_element() >= 0.0 && size.y > 0.0) {
            return Err(TemplateError::EmptyBox);
        }
        let scale = size.y / HEIGHT;
        let mut template = self.template();
        for side in ["left", "right"] {
            reach(&mut template, side, 0.5 * size.x / scale)?;
        }
        let middle = (min + max) * 0.5;
        let from = Vec3::new(middle.x, min.y, middle.z - scale * MIDDLE_Z);
        for joint in &mut template.joints {
            for point in [&mut joint.position, &mut joint.tip] {
                *point = (from + *point * scale).clamp(min, max);
            }
        }
        Ok(template)
    }

    /// The same for a mesh: into its box, the arms turned to where its hands are, and joints moved to the
    /// middle of the limbs that they are in, as [`Template::embedded`] does.
    ///
    /// ```
    /// use sinew_rig::template::Biped;
    /// let person = sinew_samples::mannequin::Mannequin::default().build();
    /// let body = &person.meshes[0].primitives[0];
    /// let triangles: Vec<[u32; 3]> = body.triangles().map(|t| t.map(|v| v as u32)).collect();
    /// let template = Biped::default().embedded(&body.positions, &triangles)?;
    /// let elbow = person.skeleton.find("left_lower_arm").unwrap();
    /// let elbow = person.skeleton.rest_model().get(elbow).translation();
    /// assert!(template.positions()["left_lower_arm"].distance(elbow) < 0.05);
    /// # Ok::<(), sinew_rig::template::TemplateError>(())
    /// ```
    pub fn embedded(
        &self,
        positions: &[Vec3],
        triangles: &[[u32; 3]],
    ) -> Result<Template, TemplateError> {
        let finite = || positions.iter().filter(|p| p.is_finite());
        let min = finite().fold(Vec3::INFINITY, |min, &p| min.min(p));
        let max = finite().fold(Vec3::NEG_INFINITY, |max, &p| max.max(p));
        let mut template = self.fitted(min, max)?;
        let Some(flesh) = Flesh::new(positions, triangles) else {
            return Ok(template);
        };
        let chest = template.joints[template.find("chest")?].position;
        for (side, sign) in [("left", 1.0), ("right", -1.0)] {
            if let Some(tip) = flesh.tip(chest, sign) {
                aim(&mut template, side, tip)?;
            }
        }
        Ok(template.centred_in(&flesh))
    }
}

/// Turns an arm about its shoulder, and makes it longer or shorter, until it ends at a tip; not where
/// that would make it far longer or shorter, for then the tip is none of a hand.
fn aim(template: &mut Template, side: &str, tip: Vec3) -> Result<(), TemplateError> {
    const MOST: f32 = 1.5;
    let shoulder = template.find(&format!("{side}_upper_arm"))?;
    let pivot = template.joints[shoulder].position;
    let below = template.below(shoulder);
    let tips = below
        .iter()
        .map(|&joint| template.joints[joint].tip - pivot);
    let own = tips.fold(Vec3::ZERO, |far, tip| {
        if tip.length() > far.length() {
            tip
        } else {
            far
        }
    });
    let wanted = tip - pivot;
    let stretch = wanted.length() / own.length().max(1e-6);
    if !(1.0 / MOST..=MOST).contains(&stretch) {
        return Ok(());
    }
    let turn = Quat::from_rotation_arc(own.normalize_or(Vec3::Y), wanted.normalize_or(Vec3::Y));
    for joint in below {
        let joint = &mut template.joints[joint];
        let moved = |p: Vec3| pivot + quat::rotate(turn, p - pivot) * stretch;
        (joint.position, joint.tip) = (moved(joint.position), moved(joint.tip));
        joint.front = quat::rotate(turn, joint.front);
    }
    Ok(())
}

/// Turns an arm about its shoulder until its farthest point is so far aside, or stretches it when it is
/// too short for that.
fn reach(template: &mut Template, side: &str, aside: f32) -> Result<(), TemplateError> {
    let shoulder = template.find(&format!("{side}_upper_arm"))?;
    let pivot = template.joints[shoulder].position;
    let below = template.below(shoulder);
    let sign = if side == "left" { 1.0 } else { -1.0 };
    let farthest = |turn: Quat| {
        below.iter().fold(0.0_f32, |far, &joint| {
            let tip = pivot + quat::rotate(turn, template.joints[joint].tip - pivot);
            far.max(tip.x * sign)
        })
    };
    let turned = |deg: f32| Axis::Z.turn(sign * deg.to_radians());
    // From hanging down to level; farther out the higher.
    let (mut low, mut high) = (ARM_DEG - 86.0, ARM_DEG);
    for _ in 0..24 {
        let middle = 0.5 * (low + high);
        match farthest(turned(middle)) < aside {
            true => low = middle,
            false => high = middle,
        }
    }
    let turn = turned(low);
    let arm = farthest(turn) - pivot.x * sign;
    let stretch = ((aside - pivot.x * sign) / arm.max(1e-6)).max(1.0);
    for &joint in &below {
        let joint = &mut template.joints[joint];
        let moved = |p: Vec3| pivot + quat::rotate(turn, p - pivot) * stretch;
        (joint.position, joint.tip) = (moved(joint.position), moved(joint.tip));
        joint.front = quat::rotate(turn, joint.front);
    }
    Ok(())
}

/// Three joints in a row that curl about one axis: from where, along what and with which side, how
/// much at each and how long.
fn digit(
    draft: &mut Draft,
    side: &Side,
    name: &str,
    hand: usize,
    [at, along, aside]: [Vec3; 3],
    [curl_deg, bones]: [[f32; 3]; 2],
    freedoms: [Freedom; 3],
) {
    let palm = along.cross(aside);
    let (mut at, mut parent, mut curl) = (at, hand, 0.0);
    for (k, freedom) in freedoms.into_iter().enumerate() {
        curl += curl_deg[k];
        let (sin, cos) = sin_cos_deg(curl);
        let (y, z) = (along * cos + palm * sin, palm * cos - along * sin);
        let joint = match k {
            0 => Side::add,
            _ => Side::next,
        };
        let name = format!("{name}_{}", k + 1);
        parent = joint(side, draft, &name, parent, at, z, freedom);
        at += y * bones[k];
        draft.joints[parent].tip = side.of(at);
    }
}

struct Draft {
    joints: Vec<TemplateJoint>,
}

impl Draft {
    fn add(
        &mut self,
        name: &str,
        parent: Option<usize>,
        position: Vec3,
        front: Vec3,
        freedom: Freedom,
    ) -> usize {
        self.joints.push(TemplateJoint {
            name: name.to_owned(),
            parent,
            position,
            points_at: None,
            tip: position + Vec3::Y * 0.1,
            front,
            freedom,
        });
        self.joints.len() - 1
    }

    /// A joint that its parent's bone ends at.
    fn next(
        &mut self,
        name: &str,
        parent: usize,
        position: Vec3,
        front: Vec3,
        freedom: Freedom,
    ) -> usize {
        let joint = self.add(name, Some(parent), position, front, freedom);
        self.joints[parent].points_at = Some(joint);
        joint
    }
}

/// Left or right: everything is drawn for the left.
struct Side {
    name: &'static str,
    sign: f32,
}

impl Side {
    const LEFT: Self = Self {
        name: "left",
        sign: 1.0,
    };
    const RIGHT: Self = Self {
        name: "right",
        sign: -1.0,
    };

    fn of(&self, point: Vec3) -> Vec3 {
        Vec3::new(point.x * self.sign, point.y, point.z)
    }

    /// Of angles about y or z, in degrees for the left side.
    fn range(&self, low: f32, high: f32) -> AngleRange {
        match self.sign > 0.0 {
            true => AngleRange::degrees(low, high),
            false => AngleRange::degrees(-high, -low),
        }
    }

    fn add(
        &self,
        draft: &mut Draft,
        name: &str,
        parent: usize,
        position: Vec3,
        front: Vec3,
        freedom: Freedom,
    ) -> usize {
        let name = format!("{}_{name}", self.name);
        let (position, front) = (self.of(position), self.of(front));
        draft.add(&name, Some(parent), position, front, freedom)
    }

    fn next(
        &self,
        draft: &mut Draft,
        name: &str,
        parent: usize,
        position: Vec3,
        front: Vec3,
        freedom: Freedom,
    ) -> usize {
        let joint = self.add(draft, name, parent, position, front, freedom);
        draft.joints[parent].points_at = Some(joint);
        joint
    }
}

fn hinge(low: f32, high: f32) -> Freedom {
    Freedom {
        turn: Turn::Hinge {
            axis: Vec3::X,
            range: AngleRange::degrees(low, high),
        },
        slides: [false; 3],
    }
}

/// A bend about x and a turn aside about z.
fn saddle(bend: [f32; 2], aside: [f32; 2]) -> Freedom {
    Freedom {
        turn: Turn::Saddle {
            axes: [Axis::X, Axis::Z],
            ranges: [bend, aside].map(|[low, high]| AngleRange::degrees(low, high)),
        },
        slides: [false; 3],
    }
}

fn ball(swing_deg: f32, twist_deg: f32) -> Freedom {
    Freedom {
        turn: Turn::Ball {
            axis: Vec3::Y,
            swing_rad: swing_deg.to_radians(),
            twist: AngleRange::degrees(-twist_deg, twist_deg),
        },
        slides: [false; 3],
    }
}

fn sin_cos_deg(degrees: f32) -> (f32, f32) {
    libm::sincosf(degrees.to_radians())
}
