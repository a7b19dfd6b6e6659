//! Animals on four legs of any build in four stances, with exact joints, to test found skeletons.

use super::body::Body;
use glam::Vec3;

/// Stance of an animal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gait {
    /// On straight legs.
    Standing,
    /// Legs apart, as in a trot.
    Trot,
    /// Head near the ground.
    Grazing,
    /// Head turned to its left, tail to its right.
    Looking,
}

impl Gait {
    /// All gaits.
    pub const ALL: [Self; 4] = [Self::Standing, Self::Trot, Self::Grazing, Self::Looking];
}

/// Build of an animal on four legs. Lengths are relative to the height of its shoulders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beast {
    /// Name of the animal.
    pub name: &'static str,
    /// Height of the shoulders, in metres.
    pub size: f32,
    /// Length from hips to shoulders.
    pub length: f32,
    /// Radius of the trunk.
    pub trunk: f32,
    /// Radius of the legs.
    pub legs: f32,
    /// Length of the neck.
    pub neck: f32,
    /// Angle of the neck above the horizontal, in degrees.
    pub neck_deg: f32,
    /// Length of the head.
    pub head: f32,
    /// Length of the tail.
    pub tail: f32,
}

impl Beast {
    /// Four builds.
    pub fn all() -> [Self; 4] {
        let hound = Self {
            name: "hound",
            size: 0.7,
            length: 1.0,
            trunk: 0.19,
            legs: 0.06,
            neck: 0.3,
            neck_deg: 45.0,
            head: 0.34,
            tail: 0.7,
        };
        [
            hound,
            Self {
                name: "pony",
                size: 1.4,
                length: 0.95,
                trunk: 0.2,
                legs: 0.055,
                neck: 0.55,
                neck_deg: 55.0,
                head: 0.38,
                tail: 0.45,
            },
            Self {
                name: "bull",
                size: 1.5,
                length: 1.2,
                trunk: 0.29,
                legs: 0.085,
                neck: 0.28,
                neck_deg: 15.0,
                head: 0.36,
                tail: 0.6,
            },
            Self {
                name: "cat",
                size: 0.3,
                length: 1.3,
                trunk: 0.19,
                legs: 0.065,
                neck: 0.2,
                neck_deg: 40.0,
                head: 0.28,
                tail: 1.0,
            },
        ]
    }

    /// Body with joints named as in the quadruped template, standing on y = 0 and facing +z.
    pub fn body(&self, gait: Gait) -> Body {
        let mut body = Body::new(self.name, 0.018);
        self.middle(&mut body, gait);
        for (side, x) in [("left", 1.0), ("right", -1.0)] {
            self.front_leg(&mut body, gait, side, x);
            self.hind_leg(&mut body, gait, side, x);
        }
        let bottom = |limb: &super::Limb| limb.from.y.min(limb.to.y) - limb.radius;
        let low = body.limbs.iter().map(bottom).fold(f32::INFINITY, f32::min);
        for joint in &mut body.joints {
            joint.2 = self.size * (joint.2 - low * Vec3::Y);
        }
        for limb in &mut body.limbs {
            limb.from = self.size * (limb.from - low * Vec3::Y);
            limb.to = self.size * (limb.to - low * Vec3::Y);
            limb.radius *= self.size;
        }
        body.cell *= self.size;
        body
    }

    fn middle(&self, body: &mut Body, gait: Gait) {
        let half = 0.5 * self.length;
        let at = |part: f32| Vec3::new(0.0, 0.86, half * (2.0 * part - 1.0));
        body.joint("hips", "", at(0.0).into());
        body.joint("spine_1", "hips", at(0.35).into());
        body.joint("chest", "spine_1", at(0.7).into());
        let angle = match gait {
            Gait::Grazing => -35.0,
            _ => self.neck_deg,
        };
        let turn = if gait == Gait::Looking { 0.7 } else { 0.0 };
        let (sin, cos) = libm::sincosf(f32::to_radians(angle));
        let neck = Vec3::new(turn * cos, sin, cos).normalize();
        let base = at(1.0) + Vec3::new(0.0, 0.05, 0.02);
        let top = base + self.neck * neck;
        let nose = match gait {
            Gait::Grazing => Vec3::new(0.0, -0.8, 0.6),
            Gait::Looking => Vec3::new(0.9, -0.35, 0.4),
            _ => Vec3::new(0.0, -0.35, 1.0),
        };
        let muzzle = top + self.head * nose.normalize();
        body.joint("neck_1", "chest", base.into());
        body.joint("head", "neck_1", top.into());
        let wide = self.trunk;
        let low = Vec3::new(0.0, 0.45 * wide, 0.0);
        let mut limb = |name: &str, from: Vec3, to: Vec3, radius: f32| {
            body.limb(name, from.into(), to.into(), radius, &[]);
        };
        limb("trunk", at(0.05) - 0.5 * low, at(0.5) - low, 0.88 * wide);
        limb("trunk", at(0.5) - low, at(0.92) - low, wide);
        limb("neck", base - 0.3 * low, base.lerp(top, 0.5), 0.5 * wide);
        limb("neck", base.lerp(top, 0.5), top, 0.38 * wide);
        limb("head", top, top.lerp(muzzle, 0.4), 0.27 * self.head);
        limb("head", top.lerp(muzzle, 0.4), muzzle, 0.17 * self.head);
        for x in [1.0, -1.0] {
            let ear = top + self.head * Vec3::new(0.16 * x, 0.2, 0.05);
            limb(
                "ear",
                ear,
                ear + 0.25 * self.head * Vec3::Y,
                0.06 * self.head,
            );
        }
        self.tail(body, gait);
    }

    fn tail(&self, body: &mut Body, gait: Gait) {
        let start = Vec3::new(0.0, 0.86, -0.5 * self.length - 0.3 * self.trunk);
        let turn = if gait == Gait::Looking { -0.6 } else { 0.0 };
        let way = Vec3::new(turn, -0.7, -1.0).normalize() * self.tail / 3.0;
        let mut above = "hips".to_owned();
        for k in 0_u8..3 {
            let name = format!("tail_{}", k + 1);
            let from = start + f32::from(k) * way;
            body.joint(&name, &above, from.into());
            body.limb("tail", from.into(), (from + way).into(), 0.035, &[]);
            above = name;
        }
    }

    fn front_leg(&self, body: &mut Body, gait: Gait, side: &str, x: f32) {
        let step = if gait == Gait::Trot { 0.3 * x } else { 0.0 };
        let name = |part: &str| format!("{side}_front_{part}");
        let top = Vec3::new(0.62 * self.trunk * x, 0.66, 0.45 * self.length);
        let bend = if step < 0.0 { 0.6 * step } else { step };
        let knee = top + 0.32 * Vec3::new(0.0, -1.0, bend + 0.02).normalize();
        let foot = knee + 0.26 * Vec3::new(0.0, -1.0, 1.5 * step.min(0.0) - 0.02).normalize();
        body.joint(
            &name("shoulder"),
            "chest",
            (top + Vec3::new(0.0, 0.14, -0.04)).into(),
        );
        body.joint(&name("upper_leg"), &name("shoulder"), top.into());
        body.joint(&name("lower_leg"), &name("upper_leg"), knee.into());
        body.joint(&name("foot"), &name("lower_leg"), foot.into());
        self.shape(body, &name("upper_leg"), &[top, knee, foot]);
    }

    fn hind_leg(&self, body: &mut Body, gait: Gait, side: &str, x: f32) {
        let step = if gait == Gait::Trot { -0.3 * x } else { 0.0 };
        let name = |part: &str| format!("{side}_{part}");
        let top = Vec3::new(0.55 * self.trunk * x, 0.76, -0.46 * self.length);
        let knee = top + 0.27 * Vec3::new(0.0, -1.0, 0.35 + step).normalize();
        let hock = knee + 0.27 * Vec3::new(0.0, -1.0, -0.7 + step).normalize();
        let paw = hock + 0.24 * Vec3::new(0.0, -1.0, 0.12 + 0.5 * step).normalize();
        body.joint(&name("upper_leg"), "hips", top.into());
        body.joint(&name("lower_leg"), &name("upper_leg"), knee.into());
        body.joint(&name("foot"), &name("lower_leg"), hock.into());
        body.joint(&name("toes"), &name("foot"), paw.into());
        self.shape(body, &name("upper_leg"), &[top, knee, hock, paw]);
    }

    /// Rounded limbs along a leg, and a paw at its end.
    fn shape(&self, body: &mut Body, name: &str, joints: &[Vec3]) {
        for (k, bone) in joints.windows(2).enumerate() {
            let radius = self.legs * if k == 0 { 1.5 } else { 0.9 };
            body.limb(name, bone[0].into(), bone[1].into(), radius, &[]);
        }
        let Some(&end) = joints.last() else { return };
        let tip = end + Vec3::new(0.0, -0.03, 0.08);
        body.limb(name, end.into(), tip.into(), self.legs, &[]);
    }
}
