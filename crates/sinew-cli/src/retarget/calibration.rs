//! Removes the T pose for calibration at the start of some captures.

use anyhow::Result;
use sinew::{Character, Skeleton, sample};
use sinew_io::{Import, motion_start_secs};
use sinew_rig::retarget::RetargetOptions;

/// Removes first frames that are a T pose for calibration. Returns the names of the changed clips. If the rest time is
/// in a removed frame, its pose becomes the rest pose of the skeleton.
pub fn leave_out(
    motion: &mut Import,
    clips: &[usize],
    options: &mut RetargetOptions,
) -> Result<Vec<String>> {
    let mut left_out = Vec::new();
    for &index in clips {
        let clip = &motion.character.clips[index];
        let Some(start) = motion_start_secs(motion, clip) else {
            continue;
        };
        let end = clip.duration_secs;
        let Ok(cut) = clip.trimmed(start, end) else {
            continue;
        };
        match options.rest_secs {
            Some(secs) if secs < f64::from(start) => {
                rest_as(&mut motion.character, index, secs)?;
                options.rest_secs = None;
            }
            Some(secs) => options.rest_secs = Some(secs - f64::from(start)),
            None => {}
        }
        left_out.push(cut.name.clone());
        motion.character.clips[index] = cut;
    }
    Ok(left_out)
}

fn rest_as(character: &mut Character, clip: usize, secs: f64) -> Result<()> {
    let skeleton = &character.skeleton;
    let mut pose = skeleton.rest().clone();
    sample(&character.clips[clip], skeleton, secs, &mut pose)?;
    let mut joints = skeleton.joints();
    for (joint, rest) in joints.iter_mut().zip(pose.iter()) {
        joint.rest = rest;
    }
    character.skeleton = Skeleton::new(joints)?.0;
    Ok(())
}
