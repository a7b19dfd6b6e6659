use crate::files;
use anyhow::{Result, anyhow};
use sinew::clip::{Clip, Key, OverLimit};
use sinew::transform::quat;
use sinew::{Character, Skeleton};

/// Name of a joint, and its angles in degrees.
pub type Angles = (String, Vec<f32>);

/// Parses `elbow=40`, or `head=10,-20`.
pub fn angles(text: &str) -> Result<Angles, String> {
    let wrong = || {
        "angles are JOINT=DEGREES, like elbow=40 or head=10,-20; NAME=VALUE@SECONDS needs --machine"
            .to_owned()
    };
    let (joint, degrees) = text.rsplit_once('=').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse().ok().filter(|n: &f32| n.is_finite());
    let degrees: Option<Vec<f32>> = degrees.split(',').map(number).collect();
    match (joint.is_empty(), degrees) {
        (false, Some(degrees)) => Ok((joint.to_owned(), degrees)),
        _ => Err(wrong()),
    }
}

/// Sets the angles of joints in a whole clip, or in a new clip of the rest pose. Returns the index of the clip.
pub fn pose(
    character: &mut Character,
    clip: Option<usize>,
    angles: &[Angles],
) -> Result<Option<usize>> {
    if angles.is_empty() {
        return Ok(clip);
    }
    let clip = match clip {
        Some(clip) => clip,
        None => {
            character.clips.push(Clip::new("set"));
            character.clips.len() - 1
        }
    };
    for (name, degrees) in angles {
        let skeleton = &character.skeleton;
        let joint = files::find_joint(skeleton, name)?;
        let key = Key::Rotation(rotation(skeleton, joint, degrees)?);
        let clip = &mut character.clips[clip];
        clip.joint_mut(joint).rotation = None;
        clip.insert_key(skeleton, joint, 0.0, key, OverLimit::Refuse)?;
    }
    Ok(Some(clip))
}

fn rotation(skeleton: &Skeleton, joint: usize, degrees: &[f32]) -> Result<glam::Quat> {
    let turn = &skeleton.freedom(joint).rotation;
    let radians: Vec<f32> = degrees.iter().map(|d| d.to_radians()).collect();
    let turned = turn.at(&radians).ok_or_else(|| {
        let (name, has) = (skeleton.name(joint), files::counted(turn.count(), "angle"));
        let given = degrees.len();
        anyhow!("joint \"{name}\" has {has}, not {given}; `sinew limits` lists the axes")
    })?;
    Ok(quat::mul(skeleton.rest().get(joint).rotation, turned))
}
