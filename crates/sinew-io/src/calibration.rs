//! Removes the T pose for calibration at the start of some captures.

use crate::import::Import;
use crate::quirks::motion_start_secs;
use sinew::{Character, Skeleton, sample};

/// Removes first frames that are a T pose for calibration. Returns the names of the changed clips,
/// and the rest time of the caller in the changed clips. If the rest time is in a removed frame,
/// its pose becomes the rest pose of the skeleton, and no rest time remains.
pub fn leave_out_calibration(
    import: &mut Import,
    clips: &[usize],
    mut rest_secs: Option<f64>,
) -> (Vec<String>, Option<f64>) {
    let mut left_out = Vec::new();
    for &index in clips {
        let Some(clip) = import.character.clips.get(index) else {
            continue;
        };
        let Some(start) = motion_start_secs(import, clip) else {
            continue;
        };
        let Ok(cut) = clip.trimmed(start, clip.duration_secs) else {
            continue;
        };
        match rest_secs {
            Some(secs) if secs < f64::from(start) => {
                if rest_as(&mut import.character, index, secs).is_none() {
                    continue;
                }
                rest_secs = None;
            }
            Some(secs) => rest_secs = Some(secs - f64::from(start)),
            None => {}
        }
        left_out.push(cut.name.clone());
        import.character.clips[index] = cut;
    }
    (left_out, rest_secs)
}

/// `None` if the clip does not fit the skeleton.
fn rest_as(character: &mut Character, clip: usize, secs: f64) -> Option<()> {
    let skeleton = &character.skeleton;
    let mut pose = skeleton.rest().clone();
    sample(&character.clips[clip], skeleton, secs, &mut pose).ok()?;
    let mut joints = skeleton.joints();
    for (joint, rest) in joints.iter_mut().zip(pose.iter()) {
        joint.rest = rest;
    }
    character.skeleton = Skeleton::new(joints).ok()?.0;
    Some(())
}
