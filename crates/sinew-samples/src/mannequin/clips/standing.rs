//! Motions on the spot: idle, wave, and an arm twist.

use super::puppet::{Puppet, Side, clip, euler_deg, mix, smooth};
use glam::{Quat, Vec3};
use sinew::Skeleton;
use sinew::clip::Clip;
use sinew::pose::LocalPose;
use std::f32::consts::TAU;

const IDLE_SECS: f32 = 5.0;
const WAVE_SECS: f32 = 3.0;
const TWIST_SECS: f32 = 4.0;
/// Max angle of the shoulder twist, in degrees.
pub const TWIST_DEG: f32 = 120.0;

/// Idle loop: breathing, and a shift of weight from foot to foot.
pub fn idle(skeleton: &Skeleton) -> Clip {
    clip("idle", skeleton, IDLE_SECS, |time| {
        standing(skeleton, time / IDLE_SECS).local
    })
}

/// Standing pose with a sword in the right hand, at a phase of the idle loop.
pub fn standing(skeleton: &Skeleton, phase: f32) -> Puppet<'_> {
    let mut puppet = Puppet::new(skeleton);
    let wave = |times: f32, late: f32| libm::sinf(TAU * (times * phase - late));
    let (shift, breath) = (wave(1.0, 0.0), wave(2.0, 0.1));
    puppet.hips(
        Vec3::new(0.016 * shift, -0.014 - 0.003 * shift * shift, 0.004),
        euler_deg(0.0, 2.0 * shift - 4.0, -1.6 * shift),
    );
    puppet.rotate("spine_1", euler_deg(1.0 - 0.5 * breath, 1.0, 0.9 * shift));
    puppet.rotate("spine_2", euler_deg(0.5 - 0.8 * breath, 1.0, 0.7 * shift));
    puppet.rotate("chest", euler_deg(-1.0 - 1.1 * breath, 1.0, 0.3 * shift));
    puppet.rotate("neck", euler_deg(2.0 + 1.0 * breath, 1.0, 0.0));
    let look = 5.0 * wave(1.0, 0.2);
    puppet.rotate("head", euler_deg(0.5 + 0.9 * breath, look, 0.0));
    stand(&mut puppet, skeleton, [0.0, 0.0]);
    for side in Side::BOTH {
        let s = side.sign();
        let lift = euler_deg(0.0, 0.0, s * (1.5 - 0.8 * breath));
        puppet.rotate(&side.joint("shoulder"), lift);
        let armed = side == Side::Right;
        let out = if armed { 0.30 } else { 0.24 } + 0.01 * breath;
        let upper = Vec3::new(out * s, -1.0, -0.06);
        let lower = if armed {
            Vec3::new(0.10 * s, -1.0, 0.36)
        } else {
            Vec3::new(0.06 * s, -1.0, 0.24 + 0.02 * breath)
        };
        puppet.arm(side, upper, lower);
        let palm = Vec3::new(-s, 0.0, if armed { 0.0 } else { -0.35 });
        puppet.hand(side, lower + Vec3::NEG_Y * 0.3, palm);
        puppet.fist(side, if armed { 1.0 } else { 0.28 });
    }
    puppet
}

/// Puts the feet flat on the ground, shifted forward by `ahead` (left, right), in metres.
fn stand(puppet: &mut Puppet<'_>, skeleton: &Skeleton, ahead: [f32; 2]) {
    let rest = super::puppet::posed(skeleton, skeleton.rest());
    for (side, ahead) in Side::BOTH.into_iter().zip(ahead) {
        let ankle = rest.get(puppet.index(&side.joint("foot"))).translation();
        puppet.foot(side, ankle + Vec3::Z * ahead, 0.0, 0.0, 0.0);
    }
}

/// Greeting with the left hand.
pub fn wave(skeleton: &Skeleton) -> Clip {
    clip("wave", skeleton, WAVE_SECS, |time| {
        let raised = smooth(time / 0.7) * (1.0 - smooth((time - 2.25) / 0.7));
        let mut puppet = standing(skeleton, time / WAVE_SECS);
        let rocks = libm::sinf(TAU * (time - 0.7) / 0.52) * raised * raised;
        puppet.rotate("chest", euler_deg(-1.0, 1.0 + 5.0 * raised, -3.0 * raised));
        puppet.rotate("head", euler_deg(0.5, 6.0 * raised, -5.0 * raised));
        let upper = Vec3::new(0.24, -1.0, -0.06).lerp(Vec3::new(1.0, -0.12, 0.28), raised);
        let up = Vec3::new(0.35 + 0.42 * rocks, 1.0, 0.30);
        let by = Vec3::new(0.55, 0.0, 1.0) * (4.0 * raised * (1.0 - raised)).min(1.0);
        let lower = Vec3::new(0.06, -1.0, 0.24).lerp(up, raised) + by;
        puppet.rotate("left_shoulder", euler_deg(0.0, 0.0, 1.5 + 9.0 * raised));
        puppet.arm(Side::Left, upper, lower);
        let palm = Vec3::new(-1.0, 0.0, -0.35).lerp(Vec3::new(-0.15, 0.0, 1.0), raised);
        let fingers = lower.normalize() + Vec3::X * (0.22 * rocks);
        puppet.hand(Side::Left, fingers, palm);
        puppet.fist(Side::Left, 0.28 * (1.0 - raised));
        puppet.local
    })
}

/// Twist of the outstretched left arm. Linear skinning collapses the shoulder ("candy wrapper").
pub fn shoulder_twist(skeleton: &Skeleton) -> Clip {
    clip("shoulder twist", skeleton, TWIST_SECS, |time| {
        let phase = time / TWIST_SECS;
        let angle = TWIST_DEG * libm::sinf(TAU * phase);
        twisted(skeleton, angle)
    })
}

fn twisted(skeleton: &Skeleton, angle_deg: f32) -> LocalPose {
    let mut puppet = standing(skeleton, 0.0);
    let level = Quat::from_rotation_z(36_f32.to_radians());
    let rest = Puppet::new(skeleton);
    let arm = rest.frame(rest.index("left_upper_arm")).rotation;
    puppet.rotate("left_shoulder", euler_deg(0.0, 0.0, 4.0));
    puppet.rotate("left_lower_arm", euler_deg(0.0, 0.0, 0.0));
    puppet.rotate("left_hand", euler_deg(0.0, 0.0, 0.0));
    let about = Quat::from_rotation_y(angle_deg.to_radians());
    puppet.orient("left_upper_arm", level * arm * about);
    puppet.rotate("head", euler_deg(0.0, mix(0.0, 18.0, 0.8), 0.0));
    puppet.local
}
