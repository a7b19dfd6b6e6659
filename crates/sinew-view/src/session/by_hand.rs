//! Poses by hand, and what holds joints while others are pulled. Poses become a clip of the exported character.

use super::Session;
use crate::document::{Message, MessageKind};
use crate::state::PoseCommand;
use glam::Quat;
use sinew::clip::{Clip, OverLimit};
use sinew::{Character, sample_joint};
use sinew_edit::{JointValue, Name, PoseEdit};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Session {
    pub(super) fn run_pose(&mut self, command: PoseCommand) {
        match command {
            PoseCommand::Turn { joint, rotation } => self.rotate_joint(joint, rotation),
            PoseCommand::ResetTurns => self.reset(Vec::new()),
            PoseCommand::PoseTool { tool } => self.state.posing.tool = tool,
            PoseCommand::PoseSpace { space } => self.state.posing.space = space,
            PoseCommand::PoseLimits { on } => self.state.posing.is_unlimited = !on,
            PoseCommand::KeepRotation { on } => self.state.posing.keeps_rotation = on,
            PoseCommand::PinJoint { joint, on } => {
                let on = on && self.has_joint(joint);
                hold(&mut self.state.posing.pins, joint, on);
            }
            PoseCommand::LockJoint { joint, on } => {
                let on = on && self.has_joint(joint);
                hold(&mut self.state.posing.locks, joint, on);
            }
            PoseCommand::Pole { joint, position } => {
                let is_there = self.has_joint(joint);
                let position = position.filter(|at| is_there && at.is_finite());
                let poles = &mut self.state.posing.poles;
                poles.remove(&joint);
                poles.extend(position.map(|position| (joint, position)));
            }
            PoseCommand::CopyPose => self.copy_pose(),
            PoseCommand::PastePose => self.paste_pose(),
        }
    }

    fn has_joint(&self, joint: usize) -> bool {
        joint < self.shown_file().character.skeleton.len()
    }

    /// Keeps the rotations of all joints, and positions and scales that differ from rest.
    fn copy_pose(&mut self) {
        let skeleton = self.shown_file().character.skeleton.clone();
        let Some(figure) = self.figure(0) else {
            return;
        };
        let pose = figure.actor.pose();
        let value = |joint: usize| {
            let (now, rest) = (pose.get(joint), skeleton.rest().get(joint));
            JointValue {
                joint: skeleton.name(joint).into(),
                translation: (now.translation != rest.translation).then_some(now.translation),
                rotation: Some(now.rotation),
                scale: (now.scale != rest.scale).then_some(now.scale),
            }
        };
        let joints = skeleton.len().min(pose.len());
        self.state.posing.copied = Arc::new((0..joints).map(value).collect());
    }

    /// Edit that brings joints toward the copied pose, by name. A weight of 1 gives the copied pose. `None` if no joint
    /// of the shown file has the name of a copied joint.
    pub fn toward_copied(&self, weight: f32) -> Option<PoseEdit> {
        let skeleton = &self.shown_file().character.skeleton;
        let is_here = |value: &&JointValue| matches!(&value.joint, Name::Name(name) if skeleton.find(name).is_some());
        let copied = self.state.posing.copied.iter();
        let joints: Vec<JointValue> = copied.filter(is_here).cloned().collect();
        (!joints.is_empty()).then(|| PoseEdit::Pose {
            joints,
            over: self.state.moment(),
            limits: OverLimit::Allow,
            weight,
        })
    }

    fn paste_pose(&mut self) {
        if let Some(edit) = self.toward_copied(1.0) {
            return self.run_edit(edit.into());
        }
        let text = if self.state.posing.copied.is_empty() {
            "There is no copied pose."
        } else {
            "No joint of this file has the name of a copied joint."
        };
        self.notify(Message {
            kind: MessageKind::Problem,
            file: self.shown_file().name.clone(),
            text: text.to_owned(),
            way_out: "Copy the pose of a file with the same joint names.".to_owned(),
        });
    }

    fn rotate_joint(&mut self, joint: usize, rotation: Quat) {
        let length = rotation.length();
        let is_rotation = rotation.is_finite() && length > 1e-6 && length.is_finite();
        if !self.has_joint(joint) || !is_rotation {
            return;
        }
        let rotation = rotation.normalize();
        if rotation == Quat::IDENTITY {
            return self.reset(vec![joint]);
        }
        let value = JointValue {
            joint: joint.into(),
            translation: None,
            rotation: Some((self.below(joint) * rotation).normalize()),
            scale: None,
        };
        self.run_edit(
            PoseEdit::Pose {
                joints: vec![value],
                over: self.state.moment(),
                limits: OverLimit::Clamp,
                weight: 1.0,
            }
            .into(),
        );
    }

    /// Rotation of a joint in the clip that plays, or at rest, without the pose on top.
    fn below(&self, joint: usize) -> Quat {
        let skeleton = &self.shown_file().character.skeleton;
        let time_secs = self.state.playback.time_secs;
        let transform = match self.clip() {
            Some(clip) => sample_joint(clip, skeleton, joint, time_secs),
            None => skeleton.rest().get(joint),
        };
        transform.rotation
    }

    /// Resets posed joints; all of them if the list is empty.
    fn reset(&mut self, joints: Vec<usize>) {
        let pose = &self.shown_file().pose;
        let is_posed = if joints.is_empty() {
            !pose.is_empty()
        } else {
            joints.iter().any(|joint| pose.contains_key(joint))
        };
        if is_posed {
            let joints = joints.into_iter().map(Name::Index).collect();
            let below = false;
            self.run_edit(PoseEdit::ResetPose { joints, below }.into());
        }
    }

    /// Shown character with its pose as a new clip, and the name of that clip. `None` if no joint
    /// is posed.
    pub(super) fn posed(&mut self) -> Option<(Character, String)> {
        if self.shown_file().pose.is_empty() {
            return None;
        }
        let version = self.shown_file().version;
        let mut character = Character::clone(&self.shown_file().edited());
        let figure = self.figure(0).filter(|figure| figure.version == version)?;
        let is_free = |name: &String| character.find_clip(name).is_none();
        let numbered = (2..).map(|number| format!("posed {number}"));
        let mut names = std::iter::once("posed".to_owned()).chain(numbered);
        let name = names.find(is_free)?;
        let mut clip = Clip::new(name.clone());
        let pose = figure.actor.pose();
        let keyed = clip.insert_pose(&character.skeleton, 0.0, pose, OverLimit::Allow);
        keyed.ok()?;
        // Without keys, all joints are at rest, and there is no clip to write.
        clip.tracks().next()?;
        character.clips.push(clip);
        Some((character, name))
    }
}

fn hold(joints: &mut BTreeSet<usize>, joint: usize, on: bool) {
    if on {
        joints.insert(joint);
    } else {
        joints.remove(&joint);
    }
}
