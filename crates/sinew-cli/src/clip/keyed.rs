//! `--key`: a clip from poses, by the same edits as `sinew edit`.

use crate::files;
use anyhow::{Context, Result};
use sinew::clip::OverLimit;
use sinew::{Character, LocalPose, Transform};
use sinew_edit::{ClipEdit, Editor, JointValue, KeyEdit, PoseEdit, read_pose};
use std::path::PathBuf;

/// A pose and its time in the new clip.
#[derive(Clone, Debug)]
pub struct PoseKey {
    time_secs: f32,
    pose: PoseSource,
}

#[derive(Clone, Debug)]
enum PoseSource {
    File(PathBuf),
    Clip(String, f32),
}

pub fn key(text: &str) -> Result<PoseKey, String> {
    let wrong = || {
        "a key is SECONDS=POSE.json or SECONDS=CLIP@SECONDS, like 0.4=kick.json or 0=walk@0.2"
            .to_owned()
    };
    let (time, pose) = text.split_once('=').ok_or_else(wrong)?;
    let secs = |text: &str| {
        let time: Option<f32> = text.trim().parse().ok();
        time.filter(|time| time.is_finite() && *time >= 0.0)
            .ok_or_else(wrong)
    };
    let pose = match pose.rsplit_once('@') {
        Some((clip, at)) if secs(at).is_ok() => PoseSource::Clip(clip.to_owned(), secs(at)?),
        _ => PoseSource::File(pose.into()),
    };
    Ok(PoseKey {
        time_secs: secs(time)?,
        pose,
    })
}

/// Adds a clip with a key of the whole body per pose.
pub fn add(character: &mut Character, keys: &[PoseKey]) -> Result<()> {
    let mut editor = Editor::new(character.clone());
    let name = editor.document().free_name("keyed");
    editor.run(ClipEdit::NewClip {
        name: name.clone(),
        duration_secs: 0.0,
    })?;
    let clip = sinew_edit::Name::Name(name);
    // The second time, every channel that any pose changes has keys, and gets one in all poses.
    for key in keys.iter().chain(keys) {
        let joints = match &key.pose {
            PoseSource::File(path) => {
                let text = std::fs::read_to_string(path).with_context(|| files::name(path))?;
                // Joints that the file leaves out are at rest.
                editor.run(pose_of(values(character.skeleton.rest())))?;
                read_pose(&text).with_context(|| files::name(path))?
            }
            PoseSource::Clip(source, time_secs) => {
                let source = files::find_clip(character, source)?;
                let pose = editor
                    .document()
                    .posed(Some((source, f64::from(*time_secs))));
                values(&pose)
            }
        };
        editor.run(pose_of(joints))?;
        editor.run(KeyEdit::KeyPose {
            clip: clip.clone(),
            layer: None,
            time_secs: key.time_secs,
            joints: Vec::new(),
            whole: true,
        })?;
    }
    *character = editor.document().character();
    Ok(())
}

/// Transforms of all joints of a pose.
fn values(pose: &LocalPose) -> Vec<JointValue> {
    let values = pose.iter().enumerate();
    let value = |(joint, transform): (usize, Transform)| JointValue {
        joint: joint.into(),
        translation: Some(transform.translation),
        rotation: Some(transform.rotation),
        scale: Some(transform.scale),
    };
    values.map(value).collect()
}

fn pose_of(joints: Vec<JointValue>) -> PoseEdit {
    PoseEdit::Pose {
        joints,
        over: None,
        limits: OverLimit::Allow,
        weight: 1.0,
    }
}
