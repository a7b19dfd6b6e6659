//! `--curve`: named curves from keys, or from a channel of a joint.

use crate::error::StepError;
use sinew::clip::{Channel, Interpolation, JointPart, Track};
use sinew::names::did_you_mean;
use sinew::{Clip, Skeleton};
use std::str::FromStr;

/// Name of a curve, and where its values come from.
#[derive(Clone, Debug, PartialEq)]
pub struct NewCurve {
    name: String,
    source: Source,
}

#[derive(Clone, Debug, PartialEq)]
enum Source {
    Keys(Vec<(f32, Vec<f32>)>),
    Joint(String, JointPart),
}

impl FromStr for NewCurve {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "a curve is NAME=SECONDS:VALUE,…, like fade=0:0,0.5:1, with / between several values, or \
             NAME=JOINT.translation, JOINT.translation.y, JOINT.scale.x or JOINT.angle"
                .to_owned()
        };
        let (name, source) = text.split_once('=').ok_or_else(wrong)?;
        let source = keys(source).map(Source::Keys).or_else(|| joint(source));
        match source {
            Some(source) if !name.is_empty() => Ok(Self {
                name: name.to_owned(),
                source,
            }),
            _ => Err(wrong()),
        }
    }
}

fn keys(text: &str) -> Option<Vec<(f32, Vec<f32>)>> {
    let number = |text: &str| text.trim().parse().ok().filter(|n: &f32| n.is_finite());
    let key = |text: &str| {
        let (time, values) = text.split_once(':')?;
        let time = number(time).filter(|time| *time >= 0.0)?;
        let values: Option<Vec<f32>> = values.split('/').map(number).collect();
        Some((time, values?))
    };
    let keys: Vec<_> = text.split(',').map(key).collect::<Option<_>>()?;
    let width = keys.first()?.1.len();
    keys.iter()
        .all(|(_, values)| values.len() == width)
        .then_some(keys)
}

fn joint(text: &str) -> Option<Source> {
    if let Some(joint) = text.strip_suffix(".angle") {
        return Some(Source::Joint(joint.to_owned(), JointPart::Angle));
    }
    for (word, channel) in [
        ("translation", Channel::Translation),
        ("scale", Channel::Scale),
    ] {
        for (axis, component) in [
            ("", None),
            (".x", Some(0)),
            (".y", Some(1)),
            (".z", Some(2)),
        ] {
            if let Some(joint) = text.strip_suffix(&format!(".{word}{axis}")) {
                let whole = JointPart::Whole(channel);
                let part = component.map_or(whole, |at| JointPart::Component(channel, at));
                return Some(Source::Joint(joint.to_owned(), part));
            }
        }
    }
    None
}

/// Adds curves to a clip, or replaces those of the same names.
pub(super) fn add(
    clip: &mut Clip,
    skeleton: &Skeleton,
    curves: &[NewCurve],
) -> Result<(), StepError> {
    for curve in curves {
        let track = match &curve.source {
            Source::Keys(keys) => of_keys(clip, keys),
            Source::Joint(joint, part) => of_joint(clip, skeleton, joint, *part),
        };
        let refused = |text| StepError::Refused(format!("--curve {}: {text}", curve.name));
        clip.set_curve(curve.name.clone(), track.map_err(refused)?);
    }
    Ok(())
}

fn of_keys(clip: &Clip, keys: &[(f32, Vec<f32>)]) -> Result<Track, String> {
    let times: Vec<f32> = keys.iter().map(|(time, _)| *time).collect();
    if let Some(late) = times.iter().find(|time| **time > clip.duration_secs + 1e-4) {
        return Err(format!(
            "the key at {late} s is after the end of \"{}\" at {} s",
            clip.name, clip.duration_secs
        ));
    }
    let values: Vec<f32> = keys.iter().flat_map(|(_, values)| values.clone()).collect();
    let width = values.len() / times.len().max(1);
    Track::new(times, values, width, Interpolation::Linear).map_err(|error| error.to_string())
}

fn of_joint(
    clip: &Clip,
    skeleton: &Skeleton,
    name: &str,
    part: JointPart,
) -> Result<Track, String> {
    let joint = skeleton.find(name).ok_or_else(|| {
        let names = (0..skeleton.len()).map(|joint| skeleton.name(joint));
        let near = did_you_mean(name, names);
        format!("there is no joint \"{name}\"{near}; `sinew info --joints` lists them")
    })?;
    clip.joint_curve(skeleton, joint, part)
        .ok_or_else(|| match part {
            JointPart::Angle if skeleton.freedom(joint).rotation.count() != 1 => format!(
                "\"{name}\" is no hinge, so it has no single angle; `sinew limits` lists the axes"
            ),
            _ => format!(
                "clip \"{}\" has no keys of that channel of \"{name}\"",
                clip.name
            ),
        })
}
