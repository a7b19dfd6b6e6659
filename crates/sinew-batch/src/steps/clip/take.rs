//! `--take`: adds clips of another file. Joints are matched by name.

use crate::clips::free_name;
use crate::error::StepError;
use sinew::{Character, Skeleton};
use sinew_io::Import;
use sinew_rig::units::scaled;

/// Ratios of bone lengths at which two files still have the same unit. People differ in height.
const SAME_UNIT: std::ops::RangeInclusive<f32> = 0.5..=2.0;

/// Adds the clips of another file, named `name`.
pub(super) fn take(
    name: &str,
    mut import: Import,
    character: &mut Character,
    notes: &mut Vec<String>,
) -> Result<(), StepError> {
    let refused = |text: String| StepError::Refused(format!("{name}: {text}"));
    let ours = &character.skeleton;
    if import.character.clips.is_empty() {
        return Err(refused("there is no clip to take".to_owned()));
    }
    let theirs = &import.character.skeleton;
    let joints: Vec<Option<usize>> = (0..theirs.len())
        .map(|joint| ours.find(theirs.name(joint)))
        .collect();
    let scale = scale(theirs, ours, &joints);
    if scale != 1.0 {
        let scaled = scaled(&import.character, scale);
        import.character = scaled.map_err(|error| refused(error.to_string()))?;
        notes.push(format!(
            "{name}: its bones are {:.4} times as long as the bones of the character, so its translations are scaled by {scale:.4}",
            1.0 / scale
        ));
    }
    let theirs = &import.character.skeleton;
    let differs = |(theirs_at, ours_at): (usize, usize)| {
        let (a, b) = (theirs.rest().get(theirs_at), ours.rest().get(ours_at));
        a.rotation.dot(b.rotation).abs() < 0.9999
    };
    let pairs = joints
        .iter()
        .enumerate()
        .filter_map(|(a, b)| Some((a, (*b)?)));
    let other_rest = pairs.filter(|&pair| differs(pair)).count();
    let way_out = "`sinew retarget` transfers a motion to another skeleton";
    for clip in &import.character.clips {
        let mut taken = clip.clone();
        let moved = taken.joints.len();
        taken.morphs.clear();
        taken
            .joints
            .retain_mut(|tracks| match joints.get(tracks.joint) {
                Some(Some(joint)) => {
                    tracks.joint = *joint;
                    true
                }
                _ => false,
            });
        taken.joints.sort_by_key(|tracks| tracks.joint);
        taken.joints.dedup_by_key(|tracks| tracks.joint);
        if taken.joints.is_empty() && moved > 0 {
            return Err(refused(format!(
                "\"{}\" moves no joint that has the name of a joint of the character; {way_out}",
                clip.name
            )));
        }
        if taken.joints.len() < moved {
            let left = joints_in_words(moved - taken.joints.len());
            notes.push(format!(
                "{name}: \"{}\" also moves {left} that the character does not have",
                clip.name
            ));
        }
        if !clip.morphs.is_empty() {
            notes.push(format!(
                "{name}: the morph weights of \"{}\" are left out",
                clip.name
            ));
        }
        taken.name = free_name(&clip.name, &character.clips);
        character.clips.push(taken);
    }
    if other_rest > 0 {
        let joints = joints_in_words(other_rest);
        notes.push(format!(
            "{name}: {joints} with the same name as in the character have another rest rotation; {way_out}"
        ));
    }
    Ok(())
}

fn joints_in_words(count: usize) -> String {
    format!("{count} joint{}", if count == 1 { "" } else { "s" })
}

/// Scale from another skeleton to ours: the median ratio of bone lengths, matched by name. 1 within [`SAME_UNIT`].
fn scale(theirs: &Skeleton, ours: &Skeleton, joints: &[Option<usize>]) -> f32 {
    let length =
        |skeleton: &Skeleton, joint: usize| skeleton.rest().get(joint).translation.length();
    let pairs = joints
        .iter()
        .enumerate()
        .filter_map(|(a, b)| Some((a, (*b)?)));
    let bones = pairs.filter(|&(a, b)| !theirs.is_root(a) && !ours.is_root(b));
    let lengths = bones.map(|(a, b)| (length(theirs, a), length(ours, b)));
    let ratios = lengths
        .filter(|&(a, b)| a > 0.0 && b > 0.0)
        .map(|(a, b)| b / a);
    let mut ratios: Vec<f32> = ratios.filter(|ratio| ratio.is_finite()).collect();
    ratios.sort_unstable_by(f32::total_cmp);
    match ratios.get(ratios.len() / 2) {
        Some(ratio) if !SAME_UNIT.contains(ratio) => *ratio,
        _ => 1.0,
    }
}
