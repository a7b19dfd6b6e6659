use crate::files;
use anyhow::{Result, anyhow};
use sinew::clip::{Clip, Key, OverLimit};
use sinew::transform::quat;
use sinew::{Character, Skeleton};

/// Name of a joint, its angles in degrees, and then the distance of a slide with a range in metres.
pub type Angles = (String, Vec<f32>);

/// Parses `elbow=40`, or `head=10,-20`.
pub fn angles(text: &str) -> Result<Angles, String> {
    let wrong = || {
        "angles are JOINT=DEGREES, like elbow=40 or head=10,-20, and slides JOINT=METRES, like spindle=-0.1; NAME=VALUE@SECONDS needs --machine"
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
    for (name, numbers) in angles {
        let skeleton = &character.skeleton;
        let joint = files::find_joint(skeleton, name)?;
        let keys = keys(skeleton, joint, numbers)?;
        let clip = &mut character.clips[clip];
        for key in keys {
            match key {
                Key::Translation(_) => clip.joint_mut(joint).translation = None,
                _ => clip.joint_mut(joint).rotation = None,
            }
            clip.insert_key(skeleton, joint, 0.0, key, OverLimit::Refuse)?;
        }
    }
    Ok(Some(clip))
}

/// Keys of the angles, and of the slide if there is one number more.
fn keys(skeleton: &Skeleton, joint: usize, numbers: &[f32]) -> Result<Vec<Key>> {
    let (freedom, rest) = (skeleton.freedom(joint), skeleton.rest().get(joint));
    let (turn, mut keys) = (&freedom.rotation, Vec::new());
    let mut degrees = numbers;
    if let (Some(slide), [angles @ .., distance]) = (&freedom.slide_range, numbers)
        && angles.len() == turn.count()
    {
        degrees = angles;
        keys.push(Key::Translation(slide.at(rest.translation, *distance)));
    }
    let radians: Vec<f32> = degrees.iter().map(|d| d.to_radians()).collect();
    let turned = turn.at(&radians).ok_or_else(|| {
        let (name, has) = (skeleton.name(joint), files::counted(turn.count(), "angle"));
        let (given, slide) = (
            numbers.len(),
            freedom.slide_range.map_or("", |_| " and a slide"),
        );
        anyhow!("joint \"{name}\" has {has}{slide}, not {given}; `sinew limits` lists the axes")
    })?;
    if turn.count() > 0 || keys.is_empty() {
        keys.push(Key::Rotation(quat::mul(rest.rotation, turned)));
    }
    Ok(keys)
}
