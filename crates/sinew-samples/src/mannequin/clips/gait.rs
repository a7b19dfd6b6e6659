//! Walk and run on the spot: the ground moves backward, and a standing foot moves with it. A foot
//! lands on its heel, lies flat, rolls over its ball and swings forward. The curve "travel" is the
//! distance covered. Events "`footstep_left`" and "`footstep_right`" fire when the feet land.

use super::puppet::{Puppet, Side, clip, euler_deg, mix, smooth};
use glam::{Quat, Vec3};
use sinew::Skeleton;
use sinew::clip::{Clip, Curve, Interpolation, Track};
use sinew::pose::LocalPose;
use std::f32::consts::TAU;

/// Parameters of a gait.
#[derive(Clone, Copy, Debug)]
pub struct Gait {
    pub name: &'static str,
    /// Time between two landings of the left foot, in seconds.
    pub period_secs: f32,
    pub metres_per_sec: f32,
    /// Fraction of the period with the foot on the ground.
    stance: f32,
    /// Times when the foot becomes flat and when the heel rises, as fractions of the period.
    flat: [f32; 2],
    /// Distance of the ankle in front of the hips on landing, in metres.
    ahead: f32,
    /// Pitch in degrees (positive: heel up) on landing, on leaving, and halfway through the swing.
    heel_deg: [f32; 3],
    /// Max height of the ankle in metres, and its time as a fraction of the swing.
    lift: [f32; 2],
    /// Drop of the hips below rest in metres. `bob` is the amplitude of their height.
    low: f32,
    bob: f32,
    /// Time from a landing to the max height of the hips, as a fraction of the period.
    high_at: f32,
    lean_deg: f32,
    /// Sideways offset of the feet in metres. `sway` is the amplitude of the sideways motion of the
    /// hips.
    track: f32,
    sway: f32,
    hips_yaw_deg: f32,
    /// Amplitude of the arm swing, in degrees. `elbow_deg` has the elbow angles at the back and in front.
    swing_deg: f32,
    elbow_deg: [f32; 2],
}

pub const WALK: Gait = Gait {
    name: "walk",
    period_secs: 1.04,
    metres_per_sec: 1.3,
    stance: 0.62,
    flat: [0.09, 0.36],
    ahead: 0.285,
    heel_deg: [-20.0, 58.0, 18.0],
    lift: [0.075, 0.32],
    low: 0.037,
    bob: 0.014,
    high_at: 0.31,
    lean_deg: 3.0,
    track: 0.078,
    sway: 0.018,
    hips_yaw_deg: 6.0,
    swing_deg: 24.0,
    elbow_deg: [12.0, 34.0],
};

pub const RUN: Gait = Gait {
    name: "run",
    period_secs: 0.72,
    metres_per_sec: 3.0,
    stance: 0.31,
    flat: [0.04, 0.16],
    ahead: 0.22,
    heel_deg: [-8.0, 62.0, 62.0],
    lift: [0.36, 0.42],
    low: 0.050,
    bob: 0.042,
    high_at: 0.40,
    lean_deg: 9.0,
    track: 0.055,
    sway: 0.008,
    hips_yaw_deg: 8.0,
    swing_deg: 38.0,
    elbow_deg: [72.0, 98.0],
};

/// The feet point more forward than at rest.
const INWARD_DEG: f32 = -3.0;

struct Foot {
    ankle: Vec3,
    heel_up_deg: f32,
    toes_deg: f32,
}

impl Gait {
    /// Distance covered per period in metres.
    pub fn stride(&self) -> f32 {
        self.metres_per_sec * self.period_secs
    }

    pub fn clip(&self, skeleton: &Skeleton) -> Clip {
        let mut clip = clip(self.name, skeleton, self.period_secs, |time| {
            self.pose(skeleton, time / self.period_secs)
        });
        clip.add_event(0.0, "footstep_left");
        clip.add_event(self.period_secs * 0.5, "footstep_right");
        let travel = Track::new(
            vec![0.0, self.period_secs],
            vec![0.0, self.stride()],
            1,
            Interpolation::Linear,
        );
        clip.curves.push(Curve {
            name: "travel".to_owned(),
            track: travel.expect("ascending, finite keys"),
        });
        clip
    }

    fn pose(&self, skeleton: &Skeleton, phase: f32) -> LocalPose {
        let phase = phase.rem_euclid(1.0);
        let mut puppet = Puppet::new(skeleton);
        // 1 when the left foot lands, −1 when the right foot lands.
        let cos = libm::cosf(TAU * phase);
        let twice = libm::cosf(2.0 * TAU * (phase - self.high_at));
        let up = self.bob * twice - self.low;
        let aside = self.sway * libm::sinf(TAU * (phase + 0.03));
        let yaw = -self.hips_yaw_deg * cos;
        let list = -3.0 * libm::sinf(TAU * (phase + 0.02));
        puppet.hips(
            Vec3::new(aside, up, 0.0),
            euler_deg(0.4 * self.lean_deg, yaw, list),
        );
        let lean = 0.2 * self.lean_deg;
        puppet.rotate("spine_1", euler_deg(lean, -0.6 * yaw, -0.5 * list));
        puppet.rotate("spine_2", euler_deg(lean, -0.6 * yaw, -0.4 * list));
        puppet.rotate("chest", euler_deg(lean, -0.7 * yaw, -0.1 * list));
        puppet.rotate("neck", euler_deg(-0.4 * self.lean_deg, 0.45 * yaw, 0.0));
        puppet.rotate(
            "head",
            euler_deg(-0.5 * self.lean_deg + 1.0 - 1.0 * twice, 0.45 * yaw, 0.0),
        );
        for side in Side::BOTH {
            let late = if side == Side::Left { 0.0 } else { 0.5 };
            let foot = self.foot(skeleton, side, (phase + late).rem_euclid(1.0));
            let [up, toes] = [foot.heel_up_deg, foot.toes_deg];
            puppet.foot(side, foot.ankle, INWARD_DEG * side.sign(), up, toes);
            self.swing_arm(&mut puppet, side, -side.sign() * cos);
        }
        puppet.local
    }

    /// `forward` is 1 when the arm is in front and −1 when it is at the back.
    fn swing_arm(&self, puppet: &mut Puppet<'_>, side: Side, forward: f32) {
        let armed = side == Side::Right;
        let swing = if armed { 0.7 } else { 1.0 } * self.swing_deg;
        let angle = (swing * forward + 0.1 * swing).to_radians();
        let (sin, cos) = libm::sincosf(angle);
        let upper = Vec3::new(0.20 * side.sign(), -cos, sin);
        let bend = mix(self.elbow_deg[0], self.elbow_deg[1], 0.5 + 0.5 * forward);
        let (sin, cos) = libm::sincosf(angle + bend.to_radians());
        let inward = if self.elbow_deg[1] > 60.0 {
            -0.25
        } else {
            0.05
        };
        let lower = Vec3::new(inward * side.sign(), -cos, sin);
        puppet.rotate(&side.joint("shoulder"), euler_deg(0.0, 0.0, 0.0));
        puppet.arm(side, upper, lower);
        let palm = Vec3::new(-side.sign(), 0.0, 0.0);
        let low = if armed {
            Vec3::new(0.0, -0.45, -0.35)
        } else {
            Vec3::ZERO
        };
        puppet.hand(side, lower + low, palm);
        puppet.fist(
            side,
            match (armed, self.stance < 0.5) {
                (true, _) => 1.0,
                (false, true) => 0.75,
                (false, false) => 0.3,
            },
        );
    }

    fn foot(&self, skeleton: &Skeleton, side: Side, phase: f32) -> Foot {
        if phase < self.stance {
            self.standing(skeleton, side, phase)
        } else {
            self.swinging(skeleton, side, (phase - self.stance) / (1.0 - self.stance))
        }
    }

    fn standing(&self, skeleton: &Skeleton, side: Side, phase: f32) -> Foot {
        let rest = super::puppet::posed(skeleton, skeleton.rest());
        let at = |part: &str| {
            let joint = skeleton.find(&side.joint(part)).expect("of the biped");
            rest.get(joint).translation()
        };
        let (ankle, ball) = (at("foot"), at("toes"));
        let flat = Vec3::new(
            self.track * side.sign(),
            ankle.y,
            self.ahead - self.stride() * phase,
        );
        let inward = Quat::from_rotation_y((INWARD_DEG * side.sign()).to_radians());
        let [landed, rising] = self.flat;
        if phase < landed {
            let up = self.heel_deg[0] * (1.0 - smooth(phase / landed));
            let heel = Vec3::new(0.0, -ankle.y, -0.055);
            Foot {
                ankle: flat + inward * (heel - pitched(heel, up)),
                heel_up_deg: up,
                toes_deg: 0.0,
            }
        } else if phase < rising {
            Foot {
                ankle: flat,
                heel_up_deg: 0.0,
                toes_deg: 0.0,
            }
        } else {
            let t = (phase - rising) / (self.stance - rising);
            let up = self.heel_deg[1] * t * t * (1.6 - 0.6 * t);
            let ball = (ball - ankle).with_x(0.0);
            Foot {
                ankle: flat + inward * (ball - pitched(ball, up)),
                heel_up_deg: up,
                toes_deg: up.min(58.0),
            }
        }
    }

    fn swinging(&self, skeleton: &Skeleton, side: Side, t: f32) -> Foot {
        let from = self.standing(skeleton, side, self.stance - 1e-4);
        let to = self.standing(skeleton, side, 0.0);
        let secs = (1.0 - self.stance) * self.period_secs;
        let back = Vec3::new(0.0, 0.0, -self.metres_per_sec * secs);
        // The foot leaves and lands at the speed of the ground.
        let (t2, t3) = (t * t, t * t * t);
        let e = 3.0 * t2 - 2.0 * t3;
        let mut ankle = from.ankle * (1.0 - e) + to.ankle * e;
        ankle += back * ((t3 - 2.0 * t2 + t) * 0.7 + (t3 - t2) * 0.35);
        let [height, at] = self.lift;
        let s = if t < at {
            0.5 * t / at
        } else {
            0.5 + 0.5 * (t - at) / (1.0 - at)
        };
        let bump = libm::sinf(s * std::f32::consts::PI);
        ankle.y += height * bump * bump;
        let [landing, leaving, half] = self.heel_deg;
        let early = smooth(t / 0.5);
        let late = smooth((t - 0.35) / 0.6);
        let up = mix(mix(leaving, half, early), landing, late);
        Foot {
            ankle,
            heel_up_deg: up,
            toes_deg: from.toes_deg * (1.0 - smooth(t / 0.4)),
        }
    }
}

fn pitched(p: Vec3, heel_up_deg: f32) -> Vec3 {
    let (sin, cos) = libm::sincosf(heel_up_deg.to_radians());
    Vec3::new(p.x, cos * p.y - sin * p.z, sin * p.y + cos * p.z)
}
