//! Joints rotated by hand, within their limits. They become a clip of the exported character.

use super::Session;
use super::posing::limited;
use crate::document::{Message, MessageKind};
use crate::state::PoseCommand;
use glam::Quat;
use sinew::Character;
use sinew::clip::{Clip, OverLimit};
use sinew_edit::{Edit, JointValue, Name};
use std::sync::Arc;

impl Session {
    pub(super) fn run_pose(&mut self, command: PoseCommand) {
        match command {
            PoseCommand::Turn { joint, rotation } => self.rotate_joint(joint, rotation),
            PoseCommand::ResetTurns => self.state.hand_rotations.clear(),
            PoseCommand::PoseTool { tool } => self.state.posing.tool = tool,
            PoseCommand::PoseSpace { space } => self.state.posing.space = space,
            PoseCommand::PoseLimits { on } => self.state.posing.is_unlimited = !on,
            PoseCommand::PinJoint { joint, on } => self.pin(joint, on),
            PoseCommand::CopyPose => self.copy_pose(),
            PoseCommand::PastePose => self.paste_pose(),
        }
    }

    fn pin(&mut self, joint: usize, on: bool) {
        if on && joint < self.shown_file().character.skeleton.len() {
            self.state.posing.pins.insert(joint);
        } else {
            self.state.posing.pins.remove(&joint);
        }
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

    fn paste_pose(&mut self) {
        let copied = self.state.posing.copied.clone();
        let file = self.shown_file();
        let skeleton = &file.character.skeleton;
        let is_here = |value: &&JointValue| matches!(&value.joint, Name::Name(name) if skeleton.find(name).is_some());
        let joints: Vec<JointValue> = copied.iter().filter(is_here).cloned().collect();
        if joints.is_empty() {
            let text = match copied.is_empty() {
                true => "There is no copied pose.",
                false => "No joint of this file has the name of a copied joint.",
            };
            let message = Message {
                kind: MessageKind::Problem,
                file: file.name.clone(),
                text: text.to_owned(),
                way_out: "Copy the pose of a file with the same joint names.".to_owned(),
            };
            return self.notify(message);
        }
        self.run_edit(Edit::Pose {
            joints,
            over: self.state.moment(),
            limits: OverLimit::Allow,
            weight: 1.0,
        });
    }

    fn rotate_joint(&mut self, joint: usize, rotation: Quat) {
        let joints = self.shown_file().character.skeleton.len();
        let length = rotation.length();
        if joint >= joints || !(rotation.is_finite() && length > 1e-6 && length.is_finite()) {
            return;
        }
        let rotation = rotation.normalize();
        self.state.hand_rotations.remove(&joint);
        if rotation != Quat::IDENTITY {
            let rotation = self.allowed(joint, rotation);
            self.state.hand_rotations.insert(joint, rotation);
        }
    }

    /// Part of a rotation that the limits of the joint allow in the current pose.
    fn allowed(&mut self, joint: usize, rotation: Quat) -> Quat {
        let Some(figure) = self.figure(0) else {
            return rotation;
        };
        let skeleton = figure.actor.rig().skeleton();
        if joint >= skeleton.len() {
            return rotation;
        }
        let played = figure.actor.pose().get(joint).rotation;
        let wanted = (played * rotation).normalize();
        let stopped = limited(skeleton, joint, wanted);
        if stopped == wanted {
            rotation
        } else {
            (played.conjugate() * stopped).normalize()
        }
    }

    /// Shown character with its pose as a new clip, and the name of that clip. `None` if no joint
    /// is rotated by hand.
    pub(super) fn posed(&mut self) -> Option<(Character, String)> {
        if self.state.hand_rotations.is_empty() && self.shown_file().pose.is_empty() {
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
