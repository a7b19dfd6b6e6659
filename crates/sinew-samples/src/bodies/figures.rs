//! People of any build in four stances, with exact joints, to test found skeletons.

use super::body::Body;
use super::limb::Limb;
use super::net;
use glam::{Quat, Vec3};
use sinew::mesh::{Primitive, shapes};
use std::sync::Arc;

/// Stance of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// Arms level.
    T,
    /// Arms halfway down.
    A,
    /// Arms hanging.
    Hanging,
    /// One leg ahead, arms swinging.
    Stride,
}

impl Stance {
    /// All stances.
    pub const ALL: [Self; 4] = [Self::T, Self::A, Self::Hanging, Self::Stride];
}

/// Clothes over the body of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Outfit {
    /// Nothing.
    #[default]
    Bare,
    /// Skirt to the shins.
    Skirt,
    /// Jacket to the hips, closed at its sleeves.
    Jacket,
    /// Wide boots and a hat with a brim.
    BootsAndHat,
    /// Boxes instead of the body.
    Boxes,
}

/// Build of a person. Factors are relative to an adult of average build.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Build {
    /// Name of the figure.
    pub name: &'static str,
    /// Factor on the whole body. 1 gives about 1 m.
    pub size: f32,
    /// Factor on the length of the legs.
    pub legs: f32,
    /// Factor on the length of the arms.
    pub arms: f32,
    /// Factor on the head.
    pub head: f32,
    /// Factor on the distance between the shoulders.
    pub shoulders: f32,
    /// Factor on the thickness of the trunk.
    pub trunk: f32,
    /// Factor on the thickness of arms and legs.
    pub limbs: f32,
    /// Clothes.
    pub outfit: Outfit,
}

impl Build {
    /// Adult of average build.
    pub const AVERAGE: Self = Self {
        name: "average",
        size: 1.78,
        legs: 1.0,
        arms: 1.0,
        head: 1.0,
        shoulders: 1.0,
        trunk: 1.0,
        limbs: 1.0,
        outfit: Outfit::Bare,
    };

    /// Twelve builds.
    pub fn all() -> [Self; 12] {
        let plain = Self::AVERAGE;
        let named = |name| Self { name, ..plain };
        [
            plain,
            Self {
                trunk: 0.75,
                limbs: 0.65,
                ..named("thin")
            },
            Self {
                trunk: 1.7,
                limbs: 1.3,
                shoulders: 1.15,
                ..named("stout")
            },
            Self {
                size: 1.1,
                legs: 0.82,
                arms: 0.85,
                head: 1.6,
                ..named("child")
            },
            Self {
                legs: 0.6,
                arms: 0.7,
                head: 3.0,
                limbs: 1.3,
                ..named("large head")
            },
            Self {
                arms: 1.4,
                legs: 0.85,
                ..named("long arms")
            },
            Self {
                shoulders: 1.4,
                trunk: 1.2,
                limbs: 1.5,
                ..named("muscular")
            },
            Self {
                legs: 0.6,
                limbs: 1.4,
                trunk: 1.3,
                head: 1.4,
                ..named("short legs")
            },
            Self {
                outfit: Outfit::Skirt,
                ..named("skirt")
            },
            Self {
                outfit: Outfit::Jacket,
                ..named("jacket")
            },
            Self {
                outfit: Outfit::BootsAndHat,
                ..named("boots and hat")
            },
            Self {
                outfit: Outfit::Boxes,
                ..named("boxes")
            },
        ]
    }

    /// Body with joints named as in the biped template, standing on y = 0 and facing +z.
    pub fn body(&self, stance: Stance) -> Body {
        let mut body = Body::new(self.name, 0.009 * self.size);
        self.middle(&mut body);
        for (side, x) in [("left", 1.0), ("right", -1.0)] {
            self.arm(&mut body, stance, side, x);
            self.leg(&mut body, stance, side, x);
        }
        let bottom = |limb: &Limb| limb.from.y.min(limb.to.y) - limb.radius;
        let low = body.limbs.iter().map(bottom).fold(f32::INFINITY, f32::min);
        for joint in &mut body.joints {
            joint.2 = self.size * (joint.2 - low * Vec3::Y);
        }
        for limb in &mut body.limbs {
            limb.from = self.size * (limb.from - low * Vec3::Y);
            limb.to = self.size * (limb.to - low * Vec3::Y);
            limb.radius *= self.size;
        }
        self.dress(&mut body);
        body
    }

    /// Height of the hip joints.
    fn hip(&self) -> f32 {
        0.05 + 0.471 * self.legs
    }

    fn middle(&self, body: &mut Body) {
        let (hip, wide) = (self.hip(), self.trunk);
        let at = |y: f32| [0.0, hip + y, 0.0];
        body.joint("hips", "", at(0.022));
        body.joint("spine_1", "hips", at(0.08));
        body.joint("spine_2", "spine_1", at(0.137));
        body.joint("chest", "spine_2", at(0.194));
        body.joint("neck", "chest", at(0.311));
        let head = 0.353 + 0.012 * self.head;
        body.joint("head", "neck", at(head));
        for x in [-0.035 * wide, 0.0, 0.035 * wide] {
            let (from, to) = ([x, hip, 0.0], [1.3 * x, hip + 0.23, 0.0]);
            body.limb("trunk", from, to, 0.058 * wide, &[]);
        }
        let chest = 0.06 * self.shoulders;
        let (from, to) = ([-chest, hip + 0.25, 0.0], [chest, hip + 0.25, 0.0]);
        body.limb("trunk", from, to, 0.055 * wide.max(0.9), &[]);
        body.limb("neck", at(0.3), at(head), 0.031 * wide.sqrt(), &[]);
        let skull = |y: f32, z: f32| [0.0, hip + head + y * self.head, z * self.head];
        body.limb(
            "head",
            skull(0.03, 0.012),
            skull(0.07, 0.004),
            0.048 * self.head,
            &[],
        );
        body.limb(
            "head",
            skull(0.012, 0.024),
            skull(0.03, 0.02),
            0.036 * self.head,
            &[],
        );
    }

    fn arm(&self, body: &mut Body, stance: Stance, side: &str, x: f32) {
        let swing = if stance == Stance::Stride {
            -0.4 * x
        } else {
            0.0
        };
        // Hanging arms clear the hips.
        let out = 0.08 + 0.3 * (self.trunk - 0.75).max(0.0) + 0.15 * (self.limbs - 1.0).max(0.0);
        let [upper, fore] = match stance {
            Stance::T => [[1.0, 0.0, -0.02], [1.0, 0.0, 0.06]],
            Stance::A => [[0.74, -0.67, -0.02], [0.72, -0.67, 0.12]],
            Stance::Hanging => [[out, -1.0, -0.03], [0.5 * out, -1.0, 0.15]],
            Stance::Stride => [[out, -1.0, swing], [0.5 * out, -1.0, swing + 0.3]],
        };
        let toward = |[a, b, c]: [f32; 3]| Vec3::new(a * x, b, c).normalize();
        let (upper, fore) = (toward(upper), toward(fore));
        let name = |part: &str| format!("{side}_{part}");
        let shoulder = Vec3::new(0.099 * self.shoulders * x, self.hip() + 0.282, -0.008);
        let elbow = shoulder + 0.158 * self.arms * upper;
        let wrist = elbow + 0.142 * self.arms * fore;
        let tip = wrist + 0.075 * self.arms * fore;
        let collar = [0.016 * x, self.hip() + 0.28, 0.007];
        body.joint(&name("shoulder"), "chest", collar);
        body.joint(&name("upper_arm"), &name("shoulder"), shoulder.into());
        body.joint(&name("lower_arm"), &name("upper_arm"), elbow.into());
        body.joint(&name("hand"), &name("lower_arm"), wrist.into());
        let mut limb = |part: &str, from: Vec3, to: Vec3, radius: f32| {
            body.limb(
                &name(part),
                from.into(),
                to.into(),
                radius * self.limbs,
                &[],
            );
        };
        limb(
            "shoulder",
            Vec3::new(0.03 * x, collar[1], 0.0),
            shoulder,
            0.033,
        );
        limb("upper_arm", shoulder, elbow, 0.028);
        limb("lower_arm", elbow, elbow.lerp(wrist, 0.45), 0.025);
        limb("lower_arm", elbow.lerp(wrist, 0.45), wrist, 0.019);
        limb("hand", wrist.lerp(tip, 0.25), tip, 0.022);
        let thumb = wrist + 0.3 * (tip - wrist);
        limb(
            "hand",
            thumb,
            thumb + 0.045 * (fore + Vec3::Z).normalize(),
            0.011,
        );
    }

    fn leg(&self, body: &mut Body, stance: Stance, side: &str, x: f32) {
        let [thigh, shin] = match stance {
            Stance::Stride if x > 0.0 => [[0.02, -1.0, 0.45], [0.0, -1.0, -0.05]],
            Stance::Stride => [[0.02, -1.0, -0.25], [0.0, -1.0, -0.6]],
            _ => [[0.02, -1.0, 0.01], [0.015, -1.0, -0.07]],
        };
        let toward = |[a, b, c]: [f32; 3]| Vec3::new(a * x, b, c).normalize();
        let (thigh, shin) = (toward(thigh), toward(shin));
        let name = |part: &str| format!("{side}_{part}");
        let width = 0.051 + 0.02 * (self.limbs.max(self.trunk) - 1.0).max(0.0);
        let hip = Vec3::new(width * x, self.hip(), 0.0);
        let knee = hip + 0.242 * self.legs * thigh;
        let ankle = knee + 0.229 * self.legs * shin;
        // The foot rotates with the shin.
        let turn = Quat::from_rotation_arc(Vec3::NEG_Y, shin.with_x(0.0).normalize());
        let from_ankle = |y: f32, z: f32| ankle + turn * Vec3::new(0.006 * x, y, z);
        body.joint(&name("upper_leg"), "hips", hip.into());
        body.joint(&name("lower_leg"), &name("upper_leg"), knee.into());
        body.joint(&name("foot"), &name("lower_leg"), ankle.into());
        body.joint(
            &name("toes"),
            &name("foot"),
            from_ankle(-0.035, 0.073).into(),
        );
        let mut limb = |part: &str, from: Vec3, to: Vec3, radius: f32| {
            body.limb(
                &name(part),
                from.into(),
                to.into(),
                radius * self.limbs,
                &[],
            );
        };
        limb("upper_leg", hip, hip.lerp(knee, 0.5), 0.05);
        limb("upper_leg", hip.lerp(knee, 0.5), knee, 0.038);
        limb("lower_leg", knee, knee.lerp(ankle, 0.5), 0.034);
        limb("lower_leg", knee.lerp(ankle, 0.5), ankle, 0.026);
        limb(
            "foot",
            from_ankle(-0.025, -0.01),
            from_ankle(-0.028, 0.1),
            0.022,
        );
    }

    fn dress(&self, body: &mut Body) {
        let size = self.size;
        let joints = body.joints.clone();
        let at = |name: &str| {
            let joint = joints.iter().find(|joint| joint.0 == name);
            joint.map_or(Vec3::ZERO, |joint| joint.2)
        };
        match self.outfit {
            Outfit::Bare => {}
            Outfit::Skirt => {
                let shins = at("left_lower_leg").lerp(at("left_foot"), 0.4);
                let apart = |part: &str| {
                    let way = at(&format!("left_{part}")) - at(&format!("right_{part}"));
                    0.5 * way.length() + 0.06 * size
                };
                let middle = |y: f32| Vec3::new(0.0, y, 0.0);
                let rings = [
                    (middle(at("spine_1").y), 0.115 * size),
                    (middle(at("hips").y), 0.14 * size),
                    (middle(shins.y), apart("lower_leg").max(0.17 * size)),
                ];
                let tube = net::tube(&rings, body.cell);
                body.clothes = vec![("skirt".to_owned(), tube)];
            }
            Outfit::Jacket => {
                let parts = ["trunk", "left_sh", "right_sh", "left_up", "left_lower_a"];
                let parts = [&parts[..], &["right_up", "right_lower_a"]].concat();
                let is_worn = |limb: &&Limb| {
                    parts.iter().any(|part| limb.name.starts_with(part))
                        && !limb.name.ends_with("leg")
                };
                let loose = |limb: &Limb| Limb {
                    radius: limb.radius + 0.012 * size,
                    ..limb.clone()
                };
                let worn: Vec<Limb> = body.limbs.iter().filter(is_worn).map(loose).collect();
                body.clothes = vec![("jacket".to_owned(), net::net(&worn, body.cell))];
            }
            Outfit::BootsAndHat => {
                for side in ["left", "right"] {
                    let (knee, ankle, toes) = (
                        at(&format!("{side}_lower_leg")),
                        at(&format!("{side}_foot")),
                        at(&format!("{side}_toes")),
                    );
                    let name = format!("{side}_boot");
                    let top = knee.lerp(ankle, 0.4).to_array();
                    body.limb(&name, top, ankle.to_array(), 0.048 * size, &[]);
                    body.limb(&name, ankle.to_array(), toes.to_array(), 0.042 * size, &[]);
                }
                let head = at("head");
                let ring = |y: f32, radius: f32| (head + y * size * Vec3::Y, radius * size);
                let rings = [
                    ring(0.085, 0.13),
                    ring(0.09, 0.062),
                    ring(0.15, 0.05),
                    ring(0.16, 0.01),
                ];
                body.clothes = vec![("hat".to_owned(), net::tube(&rings, body.cell))];
            }
            Outfit::Boxes => {
                let boxes = body.limbs.iter().filter(|limb| limb.name != "neck");
                body.clothes = boxes.map(|l| (l.name.clone(), boxed(l))).collect();
                body.limbs.retain(|limb| limb.name == "neck");
            }
        }
    }
}

/// Box around a limb.
fn boxed(limb: &Limb) -> Primitive {
    let way = limb.to - limb.from;
    let size = Vec3::new(
        1.7 * limb.radius,
        way.length() + 1.7 * limb.radius,
        1.7 * limb.radius,
    );
    let turn = Quat::from_rotation_arc(Vec3::Y, way.normalize_or(Vec3::Y));
    let middle = 0.5 * (limb.from + limb.to);
    let cuboid = shapes::cuboid(size);
    let positions = cuboid.positions.iter().map(|p| middle + turn * *p);
    Primitive {
        positions: Arc::new(positions.collect()),
        normals: None,
        ..cuboid
    }
}
