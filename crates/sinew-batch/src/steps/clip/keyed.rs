//! `--key`: a clip from poses, by the same edits as `sinew edit`.

use crate::clips::find_clip;
use crate::error::StepError;
use sinew::clip::OverLimit;
use sinew::{Character, LocalPose, Transform};
use sinew_edit::{ClipEdit, Editor, JointValue, KeyEdit, PoseEdit, read_pose};
use std::path::{Path, PathBuf};
use std::str::FromStr;

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

/// A pose in the new clip, with its file read.
#[derive(Clone, Debug)]
pub(super) struct ReadKey {
    time_secs: f32,
    pose: ReadPose,
}

#[derive(Clone, Debug)]
enum ReadPose {
    Joints(Vec<JointValue>),
    Clip(String, f32),
}

impl FromStr for PoseKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
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
        Ok(Self {
            time_secs: secs(time)?,
            pose,
        })
    }
}

impl PoseKey {
    /// The file of the pose.
    pub(super) fn file(&self) -> Option<&Path> {
        match &self.pose {
            PoseSource::File(path) => Some(path),
            PoseSource::Clip(..) => None,
        }
    }

    /// Reads the pose. `read` reads the text of a file.
    pub(super) fn read<E: From<StepError>>(
        &self,
        read: &mut impl FnMut(&Path) -> Result<String, E>,
    ) -> Result<ReadKey, E> {
        let time_secs = self.time_secs;
        let pose = match &self.pose {
            PoseSource::File(path) => {
                let joints = read_pose(&read(path)?)
                    .map_err(|e| StepError::Refused(format!("{}: {e}", path.display())))?;
                ReadPose::Joints(joints)
            }
            PoseSource::Clip(clip, at) => ReadPose::Clip(clip.clone(), *at),
        };
        Ok(ReadKey { time_secs, pose })
    }
}

/// Adds a clip with a key of the whole body per pose.
pub(super) fn add(character: &mut Character, keys: &[ReadKey]) -> Result<(), StepError> {
    let refused = |error: sinew_edit::EditError| StepError::Refused(error.to_string());
    let mut editor = Editor::new(character.clone());
    let name = editor.document().free_name("keyed");
    let new = ClipEdit::NewClip {
        name: name.clone(),
        duration_secs: 0.0,
    };
    editor.run(new).map_err(refused)?;
    let clip = sinew_edit::Name::Name(name);
    // The second time, every channel that any pose changes has keys, and gets one in all poses.
    for key in keys.iter().chain(keys) {
        let joints = match &key.pose {
            ReadPose::Joints(joints) => {
                // Joints that the file leaves out are at rest.
                let rest = pose_of(values(character.skeleton.rest()));
                editor.run(rest).map_err(refused)?;
                joints.clone()
            }
            ReadPose::Clip(source, time_secs) => {
                let source = find_clip(character, source)?;
                let at = Some((source, f64::from(*time_secs)));
                values(&editor.document().posed(at))
            }
        };
        editor.run(pose_of(joints)).map_err(refused)?;
        let key = KeyEdit::KeyPose {
            clip: clip.clone(),
            layer: None,
            time_secs: key.time_secs,
            joints: Vec::new(),
            whole: true,
        };
        editor.run(key).map_err(refused)?;
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
