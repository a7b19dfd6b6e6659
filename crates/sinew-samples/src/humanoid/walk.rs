//! Walk on the spot for the humanoid: one stride of two steps, with the feet on the ground.

use super::part::{HumanoidAngles, HumanoidPart};
use super::shapes as figure;
use glam::{Quat, Vec3};
use sinew::clip::{Clip, Curve, Interpolation, Track};
use sinew::pose::{LocalPose, ModelPose};
use sinew::skeleton::Skeleton;
use sinew::transform::Affine;
use std::sync::Arc;

const KEYS: usize = 12;
const DURATION_SECS: f32 = 1.2;

/// Angles of hip and knee of one leg in degrees, from heel strike to heel strike. The foot is on
/// the ground for about 60 % of the stride. Rounded from measurements of gait laboratories.
const HIP: [f32; KEYS] = [
    27.0, 25.0, 19.0, 12.0, 4.0, -4.0, -10.0, -8.0, 3.0, 17.0, 26.0, 28.0,
];
const KNEE: [f32; KEYS] = [
    5.0, 13.0, 17.0, 14.0, 8.0, 6.0, 10.0, 28.0, 52.0, 60.0, 45.0, 18.0,
];

/// Angles at a key. The left heel strikes at 0, the right heel half a stride later.
fn angles(key: usize) -> HumanoidAngles {
    let leg = |table: &[f32; KEYS], late: usize| table[(key + late) % KEYS].to_radians();
    let phase = std::f32::consts::TAU * key as f32 / KEYS as f32;
    let (sin, cos) = libm::sincosf(phase);
    let yaw = 0.07 * cos;
    HumanoidAngles {
        // The pelvis follows the leading leg. The head keeps its direction.
        torso_rad: -yaw,
        head_yaw_rad: yaw,
        head_nod_rad: 0.04 + 0.02 * libm::cosf(2.0 * phase),
        left_upper_arm_rad: -0.38 * cos,
        right_upper_arm_rad: 0.38 * cos,
        left_lower_arm_rad: 0.35 - 0.18 * cos - 0.05 * sin,
        right_lower_arm_rad: 0.35 + 0.18 * cos + 0.05 * sin,
        left_upper_leg_rad: leg(&HIP, 0),
        left_lower_leg_rad: leg(&KNEE, 0),
        right_upper_leg_rad: leg(&HIP, KEYS / 2),
        right_lower_leg_rad: leg(&KNEE, KEYS / 2),
    }
}

pub(super) fn clip(skeleton: &Skeleton) -> Clip {
    let strides: Vec<HumanoidAngles> = (0..=KEYS).map(angles).collect();
    let seconds = |key: usize| DURATION_SECS * key as f32 / KEYS as f32;
    let times: Arc<Vec<f32>> = Arc::new((0..=KEYS).map(seconds).collect());
    let mut clip = Clip::new("walk");
    for part in HumanoidPart::ALL {
        let rotation = |a: &HumanoidAngles| part.parent_from_part(a).rotation;
        let keys: Vec<Quat> = strides.iter().map(rotation).collect();
        let track = Track::rotations(times.clone(), &keys, Interpolation::Slerp);
        clip.joint_mut(part.index()).rotation = Some(track.expect("ascending, finite keys"));
    }
    let root = HumanoidPart::Torso;
    let on_ground = |a: &HumanoidAngles| root.rest().translation - Vec3::Y * lowest(a, skeleton);
    let heights: Vec<Vec3> = strides.iter().map(on_ground).collect();
    let bob = Track::vectors(times.clone(), &heights, Interpolation::Linear);
    clip.joint_mut(root.index()).translation = Some(bob.expect("ascending, finite keys"));

    // The camera is in front of the figure and moves up and down half as much.
    let beside = |p: &Vec3| Vec3::new(1.2, 1.1 + 0.5 * (p.y - root.rest().translation.y), 3.4);
    let positions: Vec<Vec3> = heights.iter().map(beside).collect();
    let camera = Track::vectors(times, &positions, Interpolation::CatmullRom);
    clip.curves.push(Curve {
        name: "camera".to_owned(),
        track: camera.expect("ascending, finite keys"),
    });
    clip.add_event(0.0, "footstep_left");
    clip.add_event(DURATION_SECS / 2.0, "footstep_right");
    clip.fit_duration();
    clip
}

/// Height of the lowest point of the feet, in metres, with the root at rest.
fn lowest(angles: &HumanoidAngles, skeleton: &Skeleton) -> f32 {
    let locals = HumanoidPart::ALL.map(|part| part.parent_from_part(angles));
    let mut pose = ModelPose::identity(0);
    pose.update(
        skeleton.hierarchy(),
        &LocalPose::from_transforms(&locals),
        &Affine::IDENTITY,
    )
    .expect("of this skeleton");
    let mut lowest = f32::INFINITY;
    for part in [HumanoidPart::LeftLowerLeg, HumanoidPart::RightLowerLeg] {
        let model_from_part = pose.get(part.index());
        let surface = figure::surface(part);
        let heights = surface.positions.iter();
        lowest = heights.fold(lowest, |low, p| {
            low.min(model_from_part.transform_point(*p).y)
        });
    }
    lowest
}
