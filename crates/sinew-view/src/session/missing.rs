use super::Session;
use crate::document::FileId;
use crate::state::{
    Command, FileCommand, LookCommand, PaneCommand, PlaybackCommand, PoseCommand, Selection,
    SelectionCommand,
};

impl Session {
    /// Error text for a command that refers to a missing file, clip, joint or node.
    pub fn missing(&self, command: &Command) -> Option<String> {
        match command {
            Command::File(command) => self.missing_file(command),
            Command::Playback(command) => self.missing_clip(command),
            Command::Pose(command) => match command {
                PoseCommand::Turn { joint, .. }
                | PoseCommand::PinJoint { joint, .. }
                | PoseCommand::LockJoint { joint, .. }
                | PoseCommand::Pole { joint, .. } => self.no_joint(*joint),
                PoseCommand::ResetTurns
                | PoseCommand::PoseTool { .. }
                | PoseCommand::PoseSpace { .. }
                | PoseCommand::PoseLimits { .. }
                | PoseCommand::KeepRotation { .. }
                | PoseCommand::CopyPose
                | PoseCommand::PastePose => None,
            },
            Command::Selection(command) => match command {
                SelectionCommand::Select { selection } => self.missing_selection(*selection),
                SelectionCommand::AddJoint { joint } => self.no_joint(*joint),
                SelectionCommand::Pick { .. } => None,
            },
            Command::Pane(command) => match command {
                PaneCommand::CompareFiles { files } => {
                    files.iter().find_map(|file| self.no_file(*file))
                }
                PaneCommand::CompareMethods { .. }
                | PaneCommand::Method { .. }
                | PaneCommand::ComparePacked
                | PaneCommand::CompareNone => None,
            },
            Command::Look(LookCommand::Visible { node, .. }) => {
                self.missing_selection(Selection::Node(*node))
            }
            Command::Look(LookCommand::Morph { node, target, .. }) => {
                let no_node = self.missing_selection(Selection::Node(*node));
                let targets = self.shown_file().morph_targets(*node);
                no_node.or_else(|| none("morph target", *target, targets))
            }
            Command::Look(_)
            | Command::Edit(_)
            | Command::History(_)
            | Command::Editing(_)
            | Command::Camera(_)
            | Command::Window(_) => None,
        }
    }

    fn missing_file(&self, command: &FileCommand) -> Option<String> {
        match command {
            FileCommand::Reload { file }
            | FileCommand::Close { file }
            | FileCommand::Show { file } => self.no_file(*file),
            FileCommand::Open { .. }
            | FileCommand::OpenBytes { .. }
            | FileCommand::OpenMade { .. }
            | FileCommand::CancelOpening
            | FileCommand::DismissMessage { .. }
            | FileCommand::Save
            | FileCommand::SaveAs { .. }
            | FileCommand::Answer { .. }
            | FileCommand::Export { .. } => None,
        }
    }

    fn missing_clip(&self, command: &PlaybackCommand) -> Option<String> {
        match command {
            PlaybackCommand::Clip { clip } => self.no_clip((*clip)?),
            PlaybackCommand::Blend { clip, .. } => self.no_clip(*clip),
            PlaybackCommand::Play
            | PlaybackCommand::Pause
            | PlaybackCommand::TogglePlay
            | PlaybackCommand::Seek { .. }
            | PlaybackCommand::StepFrames { .. }
            | PlaybackCommand::NextKey
            | PlaybackCommand::PreviousKey
            | PlaybackCommand::Speed { .. }
            | PlaybackCommand::Ending { .. }
            | PlaybackCommand::Range { .. }
            | PlaybackCommand::Fps { .. }
            | PlaybackCommand::Unit { .. }
            | PlaybackCommand::RootMotion { .. } => None,
        }
    }

    fn missing_selection(&self, selection: Selection) -> Option<String> {
        match selection {
            Selection::Joint(joint) => self.no_joint(joint),
            Selection::Node(node) => {
                let nodes = self.shown_file().character.nodes.len();
                none("node", node, nodes)
            }
            Selection::None | Selection::Vertex { .. } => None,
        }
    }

    fn no_file(&self, file: FileId) -> Option<String> {
        let is_open = self.document.file(file).is_some();
        (!is_open).then(|| format!("there is no file {}", file.0))
    }

    fn no_clip(&self, clip: usize) -> Option<String> {
        none("clip", clip, self.shown_file().motions.len())
    }

    fn no_joint(&self, joint: usize) -> Option<String> {
        none("joint", joint, self.shown_file().character.skeleton.len())
    }
}

fn none(what: &str, wanted: usize, count: usize) -> Option<String> {
    (wanted >= count).then(|| match count {
        0 => format!("there is no {what} {wanted}: the file has none"),
        count => format!("there is no {what} {wanted}: the last is {}", count - 1),
    })
}
