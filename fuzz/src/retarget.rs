//! Retargeting between arbitrary skeletons.

use crate::dice::Dice;
use crate::finite::{assert_clip, assert_finite, pose_numbers};
use glam::{Quat, Vec3};
use sinew::{Clip, Interpolation, Joint, LocalPose, Skeleton, Track, Transform, sample};
use sinew_rig::retarget::{
    Pair, RetargetOptions, check_limbs, names_of_pairs, pair_joints, pairs_from_names,
    retarget as carried, with_biped_limits,
};
use sinew_rig::template::Biped;

/// Joint names: roles in several naming conventions, and names without a role.
const NAMES: [&str; 32] = [
    "Hips",
    "Spine",
    "Chest",
    "Neck",
    "Head",
    "LeftArm",
    "LeftForeArm",
    "LeftHand",
    "RightArm",
    "RightForeArm",
    "RightHand",
    "LeftUpLeg",
    "LeftLeg",
    "LeftFoot",
    "LeftToeBase",
    "RightUpLeg",
    "RightLeg",
    "RightFoot",
    "mixamorig:LeftShoulder",
    "upper_arm.R",
    "thigh.L",
    "shin.L",
    "foot.L",
    "clavicle_r",
    "pelvis",
    "spine_01",
    "lThumb1",
    "hand_l",
    "root",
    "tail",
    "",
    "L",
];

/// Checks that a motion is refused with a reason, or becomes a finite clip of the same duration.
pub fn retarget(bytes: &[u8]) {
    let mut dice = Dice(bytes);
    let (Some(source), Some(target)) = (body(&mut dice), body(&mut dice)) else {
        return;
    };
    let clip = motion(&mut dice, &source);
    let Some(pairs) = pairs(&mut dice, &source, &target) else {
        return;
    };
    let options = RetargetOptions::default()
        .feet(dice.coin())
        .hands(dice.below(8) == 0)
        .scale(dice.coin().then(|| dice.number()))
        .rest_secs(dice.coin().then(|| f64::from(dice.number())));
    let _ = check_limbs(&source, &target, &pairs);
    match carried(&source, &clip, &target, &pairs, &options) {
        Err(refusal) => assert!(!refusal.to_string().is_empty()),
        Ok(done) => {
            assert_clip(&done.clip);
            assert_eq!(
                done.clip.duration_secs, clip.duration_secs,
                "another length"
            );
            assert_eq!(done.clip.events, clip.events);
            let mut pose = LocalPose::identity(target.len());
            for part in [0.0, 0.37, 1.0] {
                let secs = part * f64::from(clip.duration_secs);
                sample(&done.clip, &target, secs, &mut pose).unwrap();
                assert_finite("carried pose", pose_numbers(&pose));
            }
        }
    }
    if let Some(limited) = with_biped_limits(&target) {
        assert_eq!(limited.skeleton.len(), target.len());
    }
}

fn body(dice: &mut Dice<'_>) -> Option<Skeleton> {
    let mut joints = match dice.coin() {
        true => {
            let biped = Biped {
                fingers: dice.below(4) == 0,
                toes: dice.coin(),
                spine: dice.below(4),
            };
            biped.template().skeleton().ok()?.joints()
        }
        false => {
            let count = 1 + dice.below(24);
            let joint = |index: usize| {
                let name = NAMES[dice.below(NAMES.len())];
                let parent = index
                    .checked_sub(1)
                    .map(|above| above - dice.below(above + 1).min(3));
                let rest = Transform::from_translation(dice.vector());
                Joint::new(name, parent, rest)
            };
            (0..count).map(joint).collect()
        }
    };
    for _ in 0..dice.below(4) {
        let joint = dice.below(joints.len());
        joints[joint].rest = dice.transform();
    }
    Some(Skeleton::new(joints).ok()?.0)
}

fn motion(dice: &mut Dice<'_>, skeleton: &Skeleton) -> Clip {
    let mut clip = Clip::new("motion");
    let kinds = [
        Interpolation::Step,
        Interpolation::Linear,
        Interpolation::Slerp,
        Interpolation::CatmullRom,
    ];
    for _ in 0..dice.below(8) {
        let joint = dice.below(skeleton.len());
        let kind = kinds[dice.below(kinds.len())];
        let keys = 1 + dice.below(4);
        let times: Vec<f32> = (0..keys).map(|key| key as f32 * 0.15).collect();
        if dice.coin() {
            let turns: Vec<Quat> = (0..keys).map(|_| dice.rotation()).collect();
            clip.joint_mut(joint).rotation = Track::rotations(times, &turns, kind).ok();
        } else {
            let places: Vec<Vec3> = (0..keys).map(|_| dice.vector()).collect();
            let track = Track::vectors(times, &places, kind).ok();
            match dice.below(4) {
                0 => clip.joint_mut(joint).scale = track,
                _ => clip.joint_mut(joint).translation = track,
            }
        }
    }
    clip.fit_duration();
    if dice.coin() {
        clip.add_event(0.1, "step");
    }
    clip
}

fn pairs(dice: &mut Dice<'_>, source: &Skeleton, target: &Skeleton) -> Option<Vec<Pair>> {
    match dice.below(4) {
        0 => {
            let one = |dice: &mut Dice<'_>| Pair {
                source: dice.below(source.len() + 1),
                target: dice.below(target.len() + 1),
            };
            Some((0..1 + dice.below(8)).map(|_| one(dice)).collect())
        }
        1 => {
            let found = pair_joints(source, target).ok()?;
            let map = names_of_pairs(source, target, &found);
            pairs_from_names(source, target, &map).ok()
        }
        _ => pair_joints(source, target).ok(),
    }
}
