//! Poses that the caller blends, and masks for parts of the body.

use crate::arguments::{index, out, out_handle, slice};
use crate::player::sinew_player;
use crate::rig::sinew_rig;
use crate::status::sinew_status::SINEW_ERROR_RIG;
use crate::status::{Done, Failure, call, sinew_status};
use crate::table::{free, handle, keep, read, write};
use crate::values::sinew_transform;
use sinew::blend::Mask;
use sinew::{LocalPose, Rig, Transform};

/// One transform per joint of a rig, each in the frame of its parent.
#[derive(Debug)]
pub struct sinew_pose {
    _opaque: (),
}
handle!(sinew_pose, Posed, "sinew_pose");

pub(crate) struct Posed {
    pub pose: LocalPose,
    pub rig: Rig,
}

/// Weight in [0, 1] per joint of a rig, to blend only a part of the body.
#[derive(Debug)]
pub struct sinew_mask {
    _opaque: (),
}
handle!(sinew_mask, Mask, "sinew_mask");

/// Checks that two objects belong to one rig.
pub(crate) fn check_rig(a: &Rig, b: &Rig, names: [&str; 2]) -> Done {
    if a.is_same(b) {
        return Ok(());
    }
    let [a, b] = names;
    let text = format!("the {a} and the {b} belong to different rigs; make both from one rig");
    Err(Failure::new(SINEW_ERROR_RIG, text))
}

/// Makes a pose at rest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_pose_new(
    rig: *const sinew_rig,
    pose: *mut *mut sinew_pose,
) -> sinew_status {
    call(|| {
        let pose = out_handle(pose)?;
        let rig = read(rig)?.rig.clone();
        let rest = rig.skeleton().rest().clone();
        *pose = keep(Posed { pose: rest, rig })?;
        Ok(())
    })
}

/// Samples the clip of a player at its time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_pose_sample(
    pose: *mut sinew_pose,
    player: *const sinew_player,
) -> sinew_status {
    call(|| {
        let (posed, playing) = (&mut *write(pose)?, read(player)?);
        check_rig(&posed.rig, &playing.rig, ["pose", "player"])?;
        let (clip, time_secs) = (playing.player.clip(), playing.player.clip_time_secs());
        let sampled = clip.sample_into(posed.rig.skeleton(), time_secs, &mut posed.pose);
        sampled.map_err(|error| Failure::new(SINEW_ERROR_RIG, error.to_string()))
    })
}

/// Transform of a joint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_pose_get(
    pose: *const sinew_pose,
    joint: u32,
    transform: *mut sinew_transform,
) -> sinew_status {
    call(|| {
        let (transform, posed) = (out("transform", transform)?, read(pose)?);
        let joint = index("joint", joint, posed.pose.len())?;
        transform.write(posed.pose.get(joint).into());
        Ok(())
    })
}

/// Sets the transform of a joint. All numbers must be finite, the rotation a unit quaternion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_pose_set(
    pose: *mut sinew_pose,
    joint: u32,
    transform: *const sinew_transform,
) -> sinew_status {
    call(|| {
        let transform = Transform::from(slice("transform", transform, 1)?[0]).checked()?;
        let mut posed = write(pose)?;
        let joint = index("joint", joint, posed.pose.len())?;
        posed.pose.set(joint, transform);
        Ok(())
    })
}

/// Frees a pose. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_pose_free(pose: *mut sinew_pose) -> sinew_status {
    call(|| free(pose))
}

/// Makes a mask from one weight per joint, each in [0, 1]. `count` must be the number of joints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mask_new(
    rig: *const sinew_rig,
    weights: *const f32,
    count: usize,
    mask: *mut *mut sinew_mask,
) -> sinew_status {
    call(|| {
        let mask = out_handle(mask)?;
        let joints = read(rig)?.rig.skeleton().len();
        if count != joints {
            let text = format!("weights has {count} numbers, but the rig has {joints} joints");
            return Err(Failure::argument(text));
        }
        let made = Mask::new(slice("weights", weights, count)?);
        let made = made.map_err(|error| Failure::argument(error.to_string()))?;
        *mask = keep(made)?;
        Ok(())
    })
}

/// Makes a mask of 1 for a joint and all joints below it, and 0 for others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mask_below(
    rig: *const sinew_rig,
    joint: u32,
    mask: *mut *mut sinew_mask,
) -> sinew_status {
    call(|| {
        let mask = out_handle(mask)?;
        let rig = read(rig)?;
        let skeleton = rig.rig.skeleton();
        let joint = index("joint", joint, skeleton.len())?;
        *mask = keep(Mask::below(skeleton, joint))?;
        Ok(())
    })
}

/// Frees a mask. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_mask_free(mask: *mut sinew_mask) -> sinew_status {
    call(|| free(mask))
}
